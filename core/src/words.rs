//! The words by which speech names a tool: what the embedded brain reads.
//!
//! Words of both languages stand side by side in one list; a word's script tells its language. Three
//! things may stand where a word stands:
//! - a plain wording, `"车窗"` or `"roll down"`;
//! - `<class>`: all wordings of a class that the brain knows for every tool: `<open>` (打开, turn on),
//!   `<close>`, `<stop>`, `<up>` (调高, louder), `<down>`, `<max>`, `<min>`, `<some>` (一点, a bit);
//! - in a phrase's pattern also `[optional]`, `(one|other)`, `<list>`, any word of one of the tool's own
//!   lists, and `{argument}`, a place for free text or for a value of the argument; `{argument:list}`
//!   takes only a word of that list, `{argument:number}` only a
//!   number of three digits or more, `{argument:year}` only a year, `{argument:sum}` only arithmetic,
//!   `{argument:more_sum}` only arithmetic that goes on with a result ("plus five"),
//!   `{argument:owner}` free text in the possessive ("Adele's").
//!
//! A host writes its own tool's words in a few lines:
//!
//! ```
//! use incar_core::words::ToolWords;
//!
//! let words = ToolWords::new()
//!     .topic(["车载冰箱", "冰箱", "fridge"])
//!     .value("power", "on", ["<open>"])
//!     .value("power", "off", ["<close>"])
//!     .number("temperature", ["度", "degrees"])
//!     .ask("temperature", "冰箱要几度？", "How cold should the fridge be?");
//! assert_eq!(words.topics.len(), 1);
//! ```

use crate::lang::Bilingual;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The words of one tool. All parts are optional: a tool without words gets what its schema gives.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolWords {
    /// What speech calls the thing that the tool handles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<Topic>,
    /// How speech gives each argument.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, ArgumentWords>,
    /// Words that stand for one another in the patterns of this tool: `<name>` there means any of
    /// the words of list `name`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lists: BTreeMap<String, Vec<String>>,
    /// Whole phrases: carriers of free text, and idioms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<Phrase>,
    /// What may be said in short where the conversation is about this tool: answers to its
    /// questions ("{artist}的{song}") and follow-ups ("那{location}呢"). The whole utterance must fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elliptical: Vec<Phrase>,
    /// The question for each argument that may have to be asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ask: BTreeMap<String, Bilingual>,
    /// What is asked where nothing of weight was said ("play music" asks for the song).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<Empty>,
    /// What a further question keeps of the one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<Follow>,
}

/// What a further question keeps of the one before it: after "the weather in Shanghai tomorrow", "do I need an umbrella" is
/// about Shanghai tomorrow.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Follow {
    /// The argument by which an utterance is a further question: it says this one.
    pub about: String,
    /// What it keeps, where it says none of these.
    pub keep: Vec<String>,
    /// Words after which it keeps nothing, for they say it without a value ("outside" is here and now), and values
    /// that need not be kept ("today").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<String>,
}

/// What is asked where nothing of weight was said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Empty {
    /// The argument to ask for.
    pub ask: String,
    /// Arguments that do not count as something said (where, for whom).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<String>,
}

/// Words for the thing that a tool handles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Topic {
    /// The words.
    pub words: Vec<String>,
    /// Arguments that these words alone decide ("雾灯" → `light: fog`).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// How doubtful these words are for this tool: 0 is typical, 1 is far-fetched.
    #[serde(default)]
    pub doubt: f32,
    /// What else must be said for these words to mean this tool.
    #[serde(default)]
    pub needs: Needs,
    /// The argument that these words name, to be asked for where its value is not said
    /// ("change the ambient colour" wants `color`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wants: Option<String>,
}

/// What must stand beside a topic's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Needs {
    /// Nothing in particular.
    #[default]
    Nothing,
    /// A question ("空调开了吗", "is the trunk open").
    Question,
    /// At least one argument in words of its own.
    Value,
    /// A question, or an argument in words of its own.
    QuestionOrValue,
}

/// How speech gives one argument.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ArgumentWords {
    /// What kind of value it is.
    #[serde(default)]
    pub kind: ValueKind,
    /// The words for each value, by the value as the schema writes it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Vec<String>>,
    /// Units that may follow a number for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// What "a bit" changes it by, in its unit; 1 where not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Whether its words alone name the tool, without the topic ("二十二度", "静音").
    #[serde(default)]
    pub standing: Standing,
    /// How surely the speaker must have said a value for it to be believed of a model.
    #[serde(default)]
    pub told: Told,
    /// Arguments that are decided by this one being said, unless they are said themselves
    /// (a percentage of a window opens it).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub implies: Map<String, Value>,
}

/// How surely a value must have been said before a call with it runs. A model that fills in what
/// nobody said is asked back by the guards; see `docs/guards.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Told {
    /// It may be concluded from what was said ("the tower in Paris" for the Eiffel Tower): only a value
    /// of which the utterance says nothing at all is asked for.
    #[default]
    Freely,
    /// It, a synonym or another of its names was said, or it stands in a result: who is called must
    /// not be guessed.
    Plainly,
    /// Nobody says it: it is an opaque id, and stands in a result of the conversation.
    Never,
}

/// Whether the words of a value need the topic beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Standing {
    /// They mean this tool only beside its topic.
    #[default]
    WithTopic,
    /// They mean this tool by themselves.
    Alone,
}

/// What kind of value an argument takes, as speech gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ValueKind {
    /// One of `values`.
    #[default]
    Word,
    /// A seat or a side of the car: the brain knows the wordings.
    Position,
    /// A number.
    Number,
    /// A share of a hundred: percents, fractions, 一半, halfway.
    Percent,
    /// A signed change of the number beside it: up, down, a bit, two degrees.
    Change,
    /// A level: a number, `max` or `min`.
    Level,
    /// A stretch of time, in seconds.
    Seconds,
    /// A day or time, in the speaker's words.
    Date,
    /// Free text where a phrase's pattern has a place for it.
    Text,
    /// Free text that also stands bare beside the topic ("上海天气").
    Name,
    /// A list of free texts.
    Texts,
}

/// A whole phrase.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Phrase {
    /// Its wordings, with `[optional]`, `(one|other)`, `<class>` and `{argument}`.
    pub patterns: Vec<String>,
    /// Arguments that the phrase alone decides.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// How doubtful the phrase is for this tool: 0 is typical, 1 is far-fetched.
    #[serde(default)]
    pub doubt: f32,
    /// Whether it says the wish or only hints at it.
    #[serde(default)]
    pub force: Force,
}

/// How plainly a phrase says its wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Force {
    /// It says it.
    #[default]
    Wish,
    /// It hints at it ("it's freezing"): beside a plain wish it is only the reason.
    Hint,
    /// It says a part of one that other words name ("in Paris", "from the eighties").
    Part,
}

impl ToolWords {
    /// No words yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds words for the thing that the tool handles.
    #[must_use]
    pub fn topic<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> Self {
        self.topic_setting(words, [] as [(&str, Value); 0])
    }

    /// Adds words for the thing that the tool handles which decide arguments too.
    #[must_use]
    pub fn topic_setting<W: Into<String>, K: Into<String>>(
        mut self,
        words: impl IntoIterator<Item = W>,
        set: impl IntoIterator<Item = (K, Value)>,
    ) -> Self {
        self.topics.push(Topic {
            words: collect(words),
            set: set.into_iter().map(|(key, value)| (key.into(), value)).collect(),
            ..Topic::default()
        });
        self
    }

    /// Adds words for one value of an argument.
    #[must_use]
    pub fn value<W: Into<String>>(mut self, argument: &str, value: &str, words: impl IntoIterator<Item = W>) -> Self {
        let values = &mut self.arguments.entry(argument.to_owned()).or_default().values;
        values.entry(value.to_owned()).or_default().extend(collect(words));
        self
    }

    /// Says that an argument is of `kind`.
    #[must_use]
    pub fn argument(mut self, argument: &str, kind: ValueKind) -> Self {
        self.arguments.entry(argument.to_owned()).or_default().kind = kind;
        self
    }

    /// Says how surely the speaker must have said an argument's value.
    #[must_use]
    pub fn told(mut self, argument: &str, told: Told) -> Self {
        self.arguments.entry(argument.to_owned()).or_default().told = told;
        self
    }

    /// Says that an argument is a number, with the units that may follow it.
    #[must_use]
    pub fn number<W: Into<String>>(mut self, argument: &str, units: impl IntoIterator<Item = W>) -> Self {
        let words = self.arguments.entry(argument.to_owned()).or_default();
        words.kind = ValueKind::Number;
        words.units.extend(collect(units));
        self
    }

    /// Adds a list of words that patterns refer to as `<name>`.
    #[must_use]
    pub fn list<W: Into<String>>(mut self, name: &str, words: impl IntoIterator<Item = W>) -> Self {
        self.lists.entry(name.to_owned()).or_default().extend(collect(words));
        self
    }

    /// Adds patterns of whole phrases.
    #[must_use]
    pub fn phrase<W: Into<String>>(self, patterns: impl IntoIterator<Item = W>) -> Self {
        self.phrase_setting(patterns, [] as [(&str, Value); 0])
    }

    /// Adds patterns of whole phrases which decide arguments too.
    #[must_use]
    pub fn phrase_setting<W: Into<String>, K: Into<String>>(
        mut self,
        patterns: impl IntoIterator<Item = W>,
        set: impl IntoIterator<Item = (K, Value)>,
    ) -> Self {
        self.phrases.push(Phrase {
            patterns: collect(patterns),
            set: set.into_iter().map(|(key, value)| (key.into(), value)).collect(),
            ..Phrase::default()
        });
        self
    }

    /// Adds the question for an argument.
    #[must_use]
    pub fn ask(mut self, argument: &str, zh: impl Into<String>, en: impl Into<String>) -> Self {
        self.ask.insert(argument.to_owned(), Bilingual::new(zh, en));
        self
    }
}

fn collect<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Vec<String> {
    words.into_iter().map(Into::into).collect()
}
