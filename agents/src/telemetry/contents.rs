//! Contents in the shapes that OpenTelemetry's conventions give them: messages of parts, as JSON.

use incar_core::{AssistantMessage, Message};
use serde_json::{Value, json};

/// `gen_ai.input.messages`: what a model is asked.
pub(super) fn input_json(system: &str, messages: &[Message]) -> String {
    let system = (!system.is_empty()).then(|| of_text("system", system));
    let messages = messages.iter().map(|message| match message {
        Message::Context(context) => of_text("system", &context.content),
        Message::User(said) => of_text("user", &said.content),
        Message::Assistant(reply) => of_reply(reply),
        Message::Tool(result) => json!({
            "role": "tool",
            "parts": [{"type": "tool_call_response", "id": result.call_id, "result": json_or_text(&result.content)}],
        }),
        _ => of_text("unknown", message.content()),
    });
    system.into_iter().chain(messages).collect::<Value>().to_string()
}

/// `gen_ai.output.messages`: what it answered.
pub(super) fn output_json(reply: &AssistantMessage) -> String {
    json!([of_reply(reply)]).to_string()
}

/// `gen_ai.tool.call.arguments`.
pub(super) fn arguments_json(arguments: &Value) -> String {
    arguments.to_string()
}

fn of_text(role: &str, content: &str) -> Value {
    json!({"role": role, "parts": [{"type": "text", "content": content}]})
}

fn of_reply(reply: &AssistantMessage) -> Value {
    let text = (!reply.content.is_empty()).then(|| json!({"type": "text", "content": reply.content}));
    let calls = reply.tool_calls.iter().map(|call| {
        json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": json_or_text(&call.arguments)})
    });
    json!({"role": "assistant", "parts": text.into_iter().chain(calls).collect::<Value>()})
}

/// JSON as it is; what a model wrote and is none, as text.
fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{Outcome, ToolCall, ToolMessage};

    #[test]
    fn messages_have_the_conventions_roles_and_parts() {
        let call = ToolCall::new("c1", "open", r#"{"what":"window"}"#);
        let messages = [
            Message::context("{}"),
            Message::user("open it"),
            Message::Assistant(AssistantMessage::calls(vec![call.clone()]).with_content("Sure.")),
            Message::Tool(ToolMessage::new(&call, r#"{"open":true}"#, Outcome::Ok)),
        ];
        let written: Value = serde_json::from_str(&input_json("be brief", &messages)).unwrap();
        assert_eq!(
            written,
            json!([
                {"role": "system", "parts": [{"type": "text", "content": "be brief"}]},
                {"role": "system", "parts": [{"type": "text", "content": "{}"}]},
                {"role": "user", "parts": [{"type": "text", "content": "open it"}]},
                {"role": "assistant", "parts": [
                    {"type": "text", "content": "Sure."},
                    {"type": "tool_call", "id": "c1", "name": "open", "arguments": {"what": "window"}},
                ]},
                {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "result": {"open": true}}]},
            ])
        );
        let garbled = AssistantMessage::calls(vec![ToolCall::new("c2", "open", "{what")]);
        assert!(output_json(&garbled).contains(r#""arguments":"{what""#));
    }
}
