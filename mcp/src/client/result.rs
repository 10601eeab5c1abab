//! What a server answers: bounded, and told as data.

use super::schema::plain_text;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

/// How long the reason of a failure may be, in characters: the driver may hear it.
const LONGEST_REASON: usize = 300;

/// A server's answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    /// The tool did its work.
    Result(Value),
    /// It did not; the server's reason.
    Failed(String),
}

/// Reads an answer; of texts and structured values at most `longest` characters are kept.
pub(crate) fn read(result: CallToolResult, longest: usize) -> Answer {
    let failed = result.is_error == Some(true);
    let structured = result.structured_content;
    let (mut text, mut left_out) = (String::new(), Vec::new());
    for block in result.content {
        // Only the kinds are looked at that every version of the protocol has.
        let Ok(Value::Object(block)) = serde_json::to_value(block) else {
            continue;
        };
        match (
            block.get("type").and_then(Value::as_str),
            block.get("text").and_then(Value::as_str),
        ) {
            (Some("text"), Some(more)) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(more);
            }
            (kind, _) => left_out.push(plain_text(kind.unwrap_or("unknown"), 40)),
        }
    }
    if failed {
        return Answer::Failed(plain_text(&text, LONGEST_REASON));
    }
    let mut value = Map::new();
    match structured {
        // The text says the same in other words.
        Some(structured) if structured.to_string().chars().take(longest + 1).count() <= longest => {
            value.insert("result".into(), structured);
        }
        _ => {
            let whole = text.chars().take(longest + 1).count() <= longest;
            value.insert("text".into(), plain_text(&text, longest).into());
            if !whole {
                value.insert(
                    "cut".into(),
                    json!(format!("only the first {longest} characters are shown")),
                );
            }
        }
    }
    if !left_out.is_empty() {
        left_out.truncate(10);
        value.insert("left_out".into(), left_out.into());
    }
    Answer::Result(Value::Object(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_within_bounds() {
        let check = |result: Value, expected: Value| {
            let result = serde_json::from_value(result).unwrap();
            assert_eq!(read(result, 10), Answer::Result(expected));
        };
        check(
            json!({"content": [{"type": "text", "text": "short\u{1b}[2J"}]}),
            json!({"text": "short[2J"}),
        );
        check(
            json!({"content": [{"type": "text", "text": "一二三四五六七八九十一二"}]}),
            json!({"text": "一二三四五六七八九十", "cut": "only the first 10 characters are shown"}),
        );
        check(
            json!({"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                {"type": "text", "text": "b"}]}),
            json!({"text": "a\nb", "left_out": ["image"]}),
        );
        check(
            json!({"content": [{"type": "text", "text": "{..}"}], "structuredContent": {"a": 1}}),
            json!({"result": {"a": 1}}),
        );
        check(
            json!({"content": [{"type": "text", "text": "t"}], "structuredContent": {"a": "x".repeat(100)}}),
            json!({"text": "t"}),
        );
    }

    #[test]
    fn a_failure_is_told_briefly() {
        let result = json!({"content": [{"type": "text", "text": "no ".repeat(500)}], "isError": true});
        match read(serde_json::from_value(result).unwrap(), 16_000) {
            Answer::Failed(reason) => assert_eq!(reason.chars().count(), LONGEST_REASON),
            other => panic!("{other:?}"),
        }
    }
}
