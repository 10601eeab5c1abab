//! The shapes of a reply on the wire: a chunk of a stream, or a whole reply, which is one chunk whose
//! `message` holds what a stream's `delta`s hold.
//!
//! Services fill these fields with `null`, numbers as strings, objects for strings. What can be
//! understood is; what cannot is left out. Text is borrowed from the bytes where JSON allows.

use incar_core::Usage;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A chunk.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Chunk<'a> {
    #[serde(borrow)]
    pub(crate) choices: Choices<'a>,
    pub(crate) usage: Option<WireUsage>,
    pub(crate) error: Option<Value>,
}

/// The first of the choices; we never ask for more.
#[derive(Debug, Default)]
pub(crate) enum Choices<'a> {
    /// The field is not there: this may be no reply at all.
    #[default]
    Absent,
    /// An empty list: a chunk that only counts tokens.
    Empty,
    /// The first.
    First(Choice<'a>),
}

/// A choice.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice<'a> {
    #[serde(borrow, alias = "message")]
    pub(crate) delta: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(crate) finish_reason: Text<'a>,
}

/// What a chunk adds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Delta<'a> {
    #[serde(borrow)]
    pub(crate) content: Text<'a>,
    #[serde(borrow)]
    pub(crate) refusal: Text<'a>,
    #[serde(borrow)]
    pub(crate) reasoning_content: Text<'a>,
    #[serde(borrow)]
    pub(crate) reasoning: Text<'a>,
    #[serde(borrow)]
    pub(crate) tool_calls: Option<Vec<CallDelta<'a>>>,
}

/// A piece of a call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CallDelta<'a> {
    pub(crate) index: Index,
    #[serde(borrow)]
    pub(crate) id: Text<'a>,
    #[serde(borrow)]
    pub(crate) function: Option<FunctionDelta<'a>>,
}

/// A piece of a call's function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FunctionDelta<'a> {
    #[serde(borrow)]
    pub(crate) name: Text<'a>,
    #[serde(borrow)]
    pub(crate) arguments: Text<'a>,
}

/// The counted tokens.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WireUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

impl WireUsage {
    /// The count; `None` where nothing was counted.
    pub(crate) fn counted(self) -> Option<Usage> {
        match (self.prompt_tokens, self.completion_tokens) {
            (None, None) => None,
            (input, output) => Some(Usage::new(input.unwrap_or(0), output.unwrap_or(0))),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Choices<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First;
        impl<'de> Visitor<'de> for First {
            type Value = Choices<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of choices")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Choices::Empty)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let first = list.next_element()?;
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(first.map_or(Choices::Empty, Choices::First))
            }
        }
        deserializer.deserialize_any(First)
    }
}

/// Text: a string, `null` (empty), the parts of a multi-part content joined, or the JSON of an object.
#[derive(Debug, Default)]
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyText;
        impl<'de> Visitor<'de> for AnyText {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Text::default())
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Text::default())
            }
            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(number.to_string())))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(number.to_string())))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(number.to_string())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let object = Value::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Text(Cow::Owned(object.to_string())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut text = String::new();
                while let Some(part) = list.next_element::<Value>()? {
                    text.push_str(part.get("text").unwrap_or(&part).as_str().unwrap_or_default());
                }
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_any(AnyText)
    }
}

/// A call's place, where one is given: a number, or a number in a string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Index(pub(crate) Option<u64>);

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer).map(|text| Self(text.0.parse().ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(json: &str) -> Delta<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn text_comes_in_many_shapes() {
        for (json, text) in [
            (r#"{"content":"好"}"#, "好"),
            (r#"{"content":"a\nb"}"#, "a\nb"),
            (r#"{"content":null}"#, ""),
            (r#"{}"#, ""),
            (r#"{"content":[{"type":"text","text":"a"},{"type":"image"},"b"]}"#, "ab"),
            (r#"{"content":{"x":1}}"#, r#"{"x":1}"#),
        ] {
            assert_eq!(delta(json).content.0, text, "{json}");
        }
        assert!(matches!(delta(r#"{"content":"plain"}"#).content.0, Cow::Borrowed(_)));
    }

    #[test]
    fn an_index_is_a_number_or_nothing() {
        for (json, index) in [
            ("0", Some(0)),
            ("\"2\"", Some(2)),
            ("null", None),
            ("-1", None),
            ("{}", None),
        ] {
            assert_eq!(serde_json::from_str::<Index>(json).unwrap(), Index(index), "{json}");
        }
    }

    #[test]
    fn only_the_first_choice_counts() {
        for (json, first) in [
            (
                r#"{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}"#,
                Some("a"),
            ),
            (r#"{"choices":[{"message":{"content":"m"}}]}"#, Some("m")),
            (r#"{"choices":[]}"#, None),
            (r#"{"choices":null}"#, None),
            (r#"{"usage":null}"#, None),
        ] {
            let chunk: Chunk<'_> = serde_json::from_str(json).unwrap();
            let text = match &chunk.choices {
                Choices::First(choice) => choice.delta.as_ref().map(|delta| delta.content.0.to_string()),
                Choices::Absent | Choices::Empty => None,
            };
            assert_eq!(text.as_deref(), first, "{json}");
        }
    }
}
