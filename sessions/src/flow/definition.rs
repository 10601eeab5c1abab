//! What a flow gathers.

use incar_core::Bilingual;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// A flow as data: the values that a tool's call needs, in the order they are asked for, and how
/// the whole call is read out before it is made.
///
/// ```
/// use incar_sessions::flow::{FlowDefinition, Slot, SlotKind};
///
/// let flow = FlowDefinition::new("book_table", "{date}，{people}位，订位吗？", "A table for {people} on {date}?")
///     .slot(Slot::new("date", SlotKind::Date).ask("哪一天？", "Which day?").called(["日期", "date", "day"]))
///     .slot(Slot::new("people", SlotKind::Integer { least: 1, most: 12 }).ask("几位？", "For how many?"));
/// assert_eq!(flow.slots.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FlowDefinition {
    /// The tool that the flow calls in the end; its arguments are the slots.
    pub tool: String,
    /// Counts up with every change of the slots. What an older version gathered is checked anew.
    #[serde(default)]
    pub version: u16,
    /// What to gather.
    pub slots: Vec<Slot>,
    /// The question before the call is made. `{slot}` is the value as it is spoken, `{slot|one|many}`
    /// the value with a noun that depends on it, and what stands in `[…]` is left out where a value in
    /// it is not there.
    pub summary: Bilingual,
    /// What speech calls the whole ("酒店", "booking"): "cancel the booking" calls the flow off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<String>,
    /// How long an answer may take; `None`: as the assistant's settings say for flows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<Duration>,
}

/// One value of a flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Slot {
    /// The tool's argument.
    pub name: String,
    /// What it takes.
    pub kind: SlotKind,
    /// Whether it must be there.
    #[serde(default)]
    pub need: Need,
    /// The question; `None`: the one that the tool's words have for the argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<Bilingual>,
    /// What speech calls it, in both languages: "改一下入住日期", "change the date".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<String>,
    /// What "anything will do" means; `None`: it must be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anything: Option<Value>,
}

/// Whether a value must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// It is asked for until it is there.
    #[default]
    Required,
    /// It is asked for once, and can be skipped.
    Offered,
    /// It is taken when it is said, and not asked for.
    Optional,
}

/// What a slot takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SlotKind {
    /// A day, from today on; kept as ISO 8601.
    Date,
    /// A whole number within bounds.
    Integer {
        /// The least that will do.
        least: i64,
        /// The most that will do.
        most: i64,
    },
    /// One of these.
    Choice(Vec<Choice>),
    /// A name that the tool's source of names for this argument knows: a city, a contact.
    Name,
    /// Any words.
    Text,
}

/// One of the values of a choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Choice {
    /// The value that the tool takes.
    pub value: String,
    /// How it is spoken.
    pub spoken: Bilingual,
}

impl Choice {
    /// The choice `value`, and how it is spoken in Chinese and English.
    pub fn new(value: impl Into<String>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            spoken: Bilingual::new(zh, en),
        }
    }
}

impl FlowDefinition {
    /// A flow that ends in a call of `tool`, read out as `zh` and `en` before (see
    /// [`FlowDefinition::summary`]); no slots yet, version 1.
    pub fn new(tool: impl Into<String>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            version: 1,
            slots: Vec::new(),
            summary: Bilingual::new(zh, en),
            called: Vec::new(),
            wait: None,
        }
    }

    /// The same with one more slot.
    #[must_use]
    pub fn slot(mut self, slot: Slot) -> Self {
        self.slots.push(slot);
        self
    }

    /// The same in this version.
    #[must_use]
    pub fn with_version(mut self, version: u16) -> Self {
        self.version = version;
        self
    }

    /// The same with words for the whole.
    #[must_use]
    pub fn called<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.called.extend(words.into_iter().map(Into::into));
        self
    }

    /// The same, waiting so long for an answer.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = Some(wait);
        self
    }

    /// The slot with that name.
    pub fn slot_named(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}

impl Slot {
    /// A required slot for the argument `name`.
    pub fn new(name: impl Into<String>, kind: SlotKind) -> Self {
        Self {
            name: name.into(),
            kind,
            need: Need::Required,
            ask: None,
            called: Vec::new(),
            anything: None,
        }
    }

    /// The same, asked for once and skipped at will.
    #[must_use]
    pub fn offered(mut self) -> Self {
        self.need = Need::Offered;
        self
    }

    /// The same, taken when it is said and not asked for.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.need = Need::Optional;
        self
    }

    /// The same with its question.
    #[must_use]
    pub fn ask(mut self, zh: impl Into<String>, en: impl Into<String>) -> Self {
        self.ask = Some(Bilingual::new(zh, en));
        self
    }

    /// The same with what speech calls it.
    #[must_use]
    pub fn called<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.called.extend(words.into_iter().map(Into::into));
        self
    }

    /// The same with the value that "anything will do" stands for.
    #[must_use]
    pub fn or_anything(mut self, value: impl Into<Value>) -> Self {
        self.anything = Some(value.into());
        self
    }
}
