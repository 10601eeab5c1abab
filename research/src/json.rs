//! The JSON object in a model's reply, whatever stands around it.

use serde_json::Value;

/// No more beginnings than this are tried: a reply full of brackets is no answer.
const TRIES: usize = 200;

/// The objects in a text, outermost, in order: a reply may have one in a code fence, after its thoughts, or after a
/// sentence that quotes another.
pub(crate) fn objects(text: &str) -> impl Iterator<Item = Value> + '_ {
    let mut rest = text;
    let mut tries = 0;
    std::iter::from_fn(move || {
        while let Some(open) = rest.find('{') {
            tries += 1;
            if tries > TRIES {
                return None;
            }
            let from = rest.get(open..)?;
            let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
            let value = values.next();
            let end = match &value {
                Some(Ok(_)) => values.byte_offset(),
                _ => 1,
            };
            rest = from.get(end..)?;
            if let Some(Ok(value)) = value {
                return Some(value);
            }
        }
        None
    })
}

/// Why a text has no object, for whoever wrote it.
pub(crate) fn fault(text: &str) -> String {
    match text.find('{').and_then(|open| text.get(open..)) {
        Some(from) => match serde_json::Deserializer::from_str(from).into_iter::<Value>().next() {
            Some(Err(error)) => format!("the JSON cannot be read: {error}"),
            _ => "there is no JSON object".to_owned(),
        },
        None => "there is no JSON object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_found_whatever_stands_around_it() {
        for (text, found) in [
            (r#"{"a":1}"#, vec![json!({"a": 1})]),
            ("```json\n{\"a\": {\"b\": 2}}\n```", vec![json!({"a": {"b": 2}})]),
            ("好的，结果如下：{\"a\":\"}\"}。", vec![json!({"a": "}"})]),
            (
                "I think {so}. {\"a\":1} and {\"b\":2}",
                vec![json!({"a": 1}), json!({"b": 2})],
            ),
            ("{ {\"a\":1}", vec![json!({"a": 1})]),
            ("[1, 2]", vec![]),
            ("{\"a\":", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(objects(text).collect::<Vec<_>>(), found, "{text}");
        }
        assert_eq!(objects(&"{".repeat(100_000)).count(), 0);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert!(
            fault("{\"a\": 1,}").contains("line 1 column"),
            "{}",
            fault("{\"a\": 1,}")
        );
        assert_eq!(fault("nothing"), "there is no JSON object");
    }
}
