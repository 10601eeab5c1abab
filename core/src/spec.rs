//! What a tool is, apart from what it does.

use crate::lang::Bilingual;
use crate::names::{Completion, NameSource};
use crate::words::ToolWords;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A group of tools that agents ask for. Hosts make their own with [`ToolCategory::new`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolCategory(Cow<'static, str>);

impl ToolCategory {
    /// Windows, climate, seats, lights and the rest of the car itself.
    pub const CAR_CONTROL: Self = Self(Cow::Borrowed("car_control"));
    /// Places and routes.
    pub const NAVIGATION: Self = Self(Cow::Borrowed("navigation"));
    /// Music and other media.
    pub const MUSIC: Self = Self(Cow::Borrowed("music"));
    /// Calls and messages.
    pub const PHONE: Self = Self(Cow::Borrowed("phone"));
    /// Weather.
    pub const WEATHER: Self = Self(Cow::Borrowed("weather"));
    /// What the driver prefers.
    pub const PREFERENCES: Self = Self(Cow::Borrowed("preferences"));
    /// Hotel rooms: booked, listed, called off.
    pub const HOTEL_BOOKING: Self = Self(Cow::Borrowed("hotel_booking"));
    /// Trips.
    pub const TRIP_PLANNING: Self = Self(Cow::Borrowed("trip_planning"));
    /// The web, the manual, arithmetic.
    pub const KNOWLEDGE: Self = Self(Cow::Borrowed("knowledge"));

    /// Looking into things in the background.
    pub const RESEARCH: Self = Self(Cow::Borrowed("research"));

    /// A category of a host's own.
    pub fn new(name: impl Into<String>) -> Self {
        Self(Cow::Owned(name.into()))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Nothing.
    Read,
    /// Sets a state: doing it twice is doing it once.
    Set,
    /// Anything else: doing it twice is another deed.
    Act,
}

/// What happens to a running call when the speaker interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interruption {
    /// It may be dropped at any await.
    Cancellable,
    /// It runs to its end and its result is kept.
    RunsToEnd,
}

/// Whether a call may run beside the others of its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Concurrency {
    /// Beside others that are concurrent too.
    Concurrent,
    /// Alone, in the order called.
    Serial,
}

/// Who wrote a tool's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// The host, or incar itself.
    #[default]
    Host,
    /// Somebody outside, such as an MCP server: it is untrusted text, and a model reads it.
    Outside,
}

/// A tool's description: what a model is told, what the runner must know, and the words by which
/// speech names it. The words and sources never go over the wire.
#[derive(Clone)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name, unique in a registry: letters, digits, `_` and `-`, at most 64.
    pub name: Cow<'static, str>,
    /// What it does, for models, in both languages.
    pub description: Bilingual,
    /// JSON schema of the arguments: an object.
    pub parameters: Value,
    /// The group it belongs to.
    pub category: ToolCategory,
    /// What it does to the world at most; a call may turn out to do less ([`crate::Resolved`]).
    pub effect: Effect,
    /// What an interruption does to it.
    pub interruption: Interruption,
    /// Whether it may run beside others.
    pub concurrency: Concurrency,
    /// How long one call may take.
    pub timeout: Duration,
    /// Whether its results come from outside (pages, messages, MCP): data, never instructions.
    pub untrusted: bool,
    /// Who wrote the description and the schema.
    pub author: Author,
    /// The words by which speech names it.
    pub words: Arc<ToolWords>,
    /// Where the names that its arguments take come from (songs, contacts, places), by argument.
    pub names: BTreeMap<String, Arc<dyn NameSource>>,
    /// What fills an argument that was not said, before asking.
    pub completion: Option<Arc<dyn Completion>>,
    /// Arguments that only resolving adds, so that the schema does not have them: policies may judge them.
    pub judged: &'static [&'static str],
}

impl fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSpec")
            .field("name", &self.name)
            .field("category", &self.category)
            .field("effect", &self.effect)
            .field("interruption", &self.interruption)
            .field("concurrency", &self.concurrency)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl ToolSpec {
    /// A spec with the defaults of its effect: `read` may run beside others and be dropped; `set`
    /// and `act` run alone and to their end. Timeout 10 s, no words, no arguments.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        category: ToolCategory,
        effect: Effect,
        description: Bilingual,
    ) -> Self {
        let (interruption, concurrency) = match effect {
            Effect::Read => (Interruption::Cancellable, Concurrency::Concurrent),
            Effect::Set | Effect::Act => (Interruption::RunsToEnd, Concurrency::Serial),
        };
        Self {
            name: name.into(),
            description,
            parameters: serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false}),
            category,
            effect,
            interruption,
            concurrency,
            timeout: Duration::from_secs(10),
            untrusted: false,
            author: Author::Host,
            words: Arc::default(),
            names: BTreeMap::new(),
            completion: None,
            judged: &[],
        }
    }

    /// The same spec with these words.
    #[must_use]
    pub fn with_words(mut self, words: impl Into<Arc<ToolWords>>) -> Self {
        self.words = words.into();
        self
    }

    /// The same spec with this timeout for one call.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same spec with names for `argument` from `source`.
    #[must_use]
    pub fn with_names(mut self, argument: impl Into<String>, source: Arc<dyn NameSource>) -> Self {
        self.names.insert(argument.into(), source);
        self
    }

    /// The same spec with `completion` for arguments that were not said.
    #[must_use]
    pub fn with_completion(mut self, completion: Arc<dyn Completion>) -> Self {
        self.completion = Some(completion);
        self
    }

    /// The same spec with arguments that only resolving adds, for policies to judge.
    #[must_use]
    pub fn with_judged(mut self, arguments: &'static [&'static str]) -> Self {
        self.judged = arguments;
        self
    }

    /// The same spec, its results marked as data from outside.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    /// The same spec of a tool from outside: its description and its results are untrusted text.
    #[must_use]
    pub fn from_outside(mut self) -> Self {
        self.untrusted = true;
        self.author = Author::Outside;
        self
    }

    /// The required arguments, as the schema lists them.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.parameters
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }

    /// The schema of one argument.
    pub fn argument(&self, name: &str) -> Option<&Value> {
        self.parameters.get("properties")?.get(name)
    }
}
