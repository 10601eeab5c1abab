//! A conversation as OpenAI's API writes it, for hosts to read.

use incar_core::Message;
use serde_json::{Value, json};

pub(crate) fn openai_shape(messages: &[Message]) -> Vec<Value> {
    messages.iter().filter_map(shape_of).collect()
}

fn shape_of(message: &Message) -> Option<Value> {
    Some(match message {
        Message::Context(text) => json!({"role": "system", "content": text.content}),
        Message::User(text) => json!({"role": "user", "content": text.content}),
        Message::Assistant(reply) if reply.tool_calls.is_empty() => {
            json!({"role": "assistant", "content": reply.content})
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
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Message::Tool(result) => json!({"role": "tool", "tool_call_id": result.call_id, "content": result.content}),
        _ => return None,
    })
}
