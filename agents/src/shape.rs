//! A conversation as OpenAI's API writes it, for hosts to read. It is not what a service is sent: a client marks in the text
//! what is untrusted or was cut off, and writes what a service insists on.

use incar_core::{AssistantMessage, Message};
use serde_json::{Value, json};

pub(crate) fn openai_shape(messages: &[Message]) -> Vec<Value> {
    messages.iter().filter_map(shape_of).collect()
}

fn shape_of(message: &Message) -> Option<Value> {
    Some(match message {
        Message::Context(text) => json!({"role": "system", "content": text.content}),
        Message::User(text) => json!({"role": "user", "content": text.content}),
        Message::Assistant(reply) if reply.tool_calls.is_empty() => {
            cut_off(json!({"role": "assistant", "content": reply.content}), reply)
        }
        Message::Assistant(reply) => {
            let calls: Vec<Value> = reply
                .tool_calls
                .iter()
                .map(|call| {
                    let function = json!({"name": call.name, "arguments": call.arguments});
                    json!({"id": call.id, "type": "function", "function": function})
                })
                .collect();
            let content = if reply.content.is_empty() {
                Value::Null
            } else {
                reply.content.as_str().into()
            };
            cut_off(
                json!({"role": "assistant", "content": content, "tool_calls": calls}),
                reply,
            )
        }
        Message::Tool(result) => json!({"role": "tool", "tool_call_id": result.call_id, "content": result.content}),
        _ => return None,
    })
}

/// Says of a reply that the speaker cut it off, where that is so.
fn cut_off(mut shape: Value, reply: &AssistantMessage) -> Value {
    if reply.interrupted
        && let Some(shape) = shape.as_object_mut()
    {
        shape.insert("interrupted".into(), true.into());
    }
    shape
}
