//! What an assistant says unasked.

use crate::session::SessionId;
use crate::speaker::{Seat, Speaker};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How much a notice matters: where there is no room for all, the least goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoticePriority {
    /// Nobody misses it: a question has lapsed.
    Low,
    /// Somebody waits for it: a search in the background is done.
    #[default]
    Normal,
    /// It must be heard.
    High,
}

/// When a notice is to be spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoticeWhen {
    /// At once.
    Now,
    /// Once nobody speaks and the driving leaves room for it: the host knows.
    #[default]
    Calm,
}

/// Something to be said that answers no utterance.
///
/// ```
/// use incar_core::{Notice, NoticePriority, Seat, Speaker};
/// let notice = Notice::new(Speaker::new("car", Seat::Driver), "The charger is free now.").with_priority(NoticePriority::High);
/// assert!(notice.id.is_empty(), "whoever takes it gives it one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Notice {
    /// Its id; given where it is handed over, unless it has one.
    pub id: String,
    /// Whom it is for.
    #[schemars(with = "SpeakerShape")]
    pub speaker: Speaker,
    /// What to say.
    pub text: String,
    /// What to show instead of `text`, where that differs: sources are shown, not spoken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// How much it matters.
    pub priority: NoticePriority,
    /// When to say it.
    pub when: NoticeWhen,
    /// The session it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub session_id: Option<SessionId>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct SpeakerShape {
    car: String,
    seat: SeatName,
    person: Option<String>,
}

struct SeatName;

impl JsonSchema for SeatName {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "enum": Seat::ALL.map(Seat::as_str)})
    }
}

impl Notice {
    /// Something to say to `speaker`: of normal priority, when it is calm.
    pub fn new(speaker: Speaker, text: impl Into<String>) -> Self {
        Self {
            id: String::new(),
            speaker,
            text: text.into(),
            display: None,
            priority: NoticePriority::default(),
            when: NoticeWhen::default(),
            session_id: None,
        }
    }

    /// The same notice under an id of the host's.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The same notice, shown as `display`.
    #[must_use]
    pub fn with_display(mut self, display: impl Into<String>) -> Self {
        self.display = Some(display.into());
        self
    }

    /// The same notice of this priority.
    #[must_use]
    pub fn with_priority(mut self, priority: NoticePriority) -> Self {
        self.priority = priority;
        self
    }

    /// The same notice, to be said then.
    #[must_use]
    pub fn to_be_said(mut self, when: NoticeWhen) -> Self {
        self.when = when;
        self
    }

    /// The same notice, about this session.
    #[must_use]
    pub fn about(mut self, session: SessionId) -> Self {
        self.session_id = Some(session);
        self
    }
}
