//! What the conversation gives for a value: where it comes from, if from anywhere.

use super::written::{self, Form};
use incar_core::words::ValueKind;
use incar_core::{
    ASK_USER, AskUser, Author, GivenValue, Lang, Message, Outcome, Preferences, Provenance, Reading, Speaker,
    ToolMessage, ToolSet, ToolSpec, UtteranceReader,
};
use incar_text::Text;
use serde_json::{Map, Value};
use std::sync::{Arc, OnceLock};

/// Who reads for the guards, and to whom: what does not change during a turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hearing<'a> {
    pub(crate) reader: Option<&'a dyn UtteranceReader>,
    /// All tools of the assistant, not only those on a shortlist.
    pub(crate) tools: &'a ToolSet,
    /// Those that the model was offered: it has read their descriptions.
    pub(crate) offered: &'a ToolSet,
    pub(crate) speaker: &'a Speaker,
    pub(crate) preferences: &'a Preferences,
    pub(crate) lang: Lang,
    pub(crate) utterance: &'a str,
}

/// What was made of the utterance, made once a turn and only if somebody asks.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    text: OnceLock<Text>,
    reading: OnceLock<Reading>,
}

/// The conversation as evidence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence<'a> {
    hearing: Hearing<'a>,
    heard: &'a Heard,
    messages: &'a [Message],
    /// Where the last utterance stands in them.
    last: usize,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(hearing: Hearing<'a>, heard: &'a Heard, messages: &'a [Message]) -> Self {
        let said = messages.iter().rposition(|message| matches!(message, Message::User(_)));
        Self {
            hearing,
            heard,
            messages,
            last: said.unwrap_or_default(),
        }
    }

    pub(super) fn lang(&self) -> Lang {
        self.hearing.lang
    }

    pub(super) fn tools(&self) -> &'a ToolSet {
        self.hearing.tools
    }

    pub(super) fn has_reader(&self) -> bool {
        self.hearing.reader.is_some()
    }

    fn text(&self) -> &'a Text {
        self.heard.text.get_or_init(|| Text::new(self.hearing.utterance))
    }

    /// What the utterance says, where somebody can read it.
    pub(super) fn reading(&self) -> Option<&'a Reading> {
        let reader = self.hearing.reader?;
        let read = || reader.read(self.hearing.utterance, self.hearing.tools, self.hearing.speaker.seat);
        Some(self.heard.reading.get_or_init(read))
    }

    /// What some other text says, read as if the speaker had said it.
    pub(super) fn read(&self, text: &str) -> Option<Reading> {
        let reader = self.hearing.reader?;
        Some(reader.read(text, self.hearing.tools, self.hearing.speaker.seat))
    }

    /// The numbers in the utterance.
    pub(super) fn numbers(&self) -> Vec<f64> {
        written::numbers(self.text())
    }

    /// The utterance.
    pub(super) fn utterance(&self) -> &'a str {
        self.hearing.utterance
    }

    /// Whether the model has read text from outside in this turn: a result, or the description of a tool.
    pub(super) fn read_from_outside(&self) -> bool {
        let described = |spec: &Arc<ToolSpec>| spec.author == Author::Outside;
        self.results_now().any(|result| result.untrusted) || self.hearing.offered.specs().iter().any(described)
    }

    /// The results since the utterance.
    pub(super) fn results_now(&self) -> impl Iterator<Item = &'a ToolMessage> {
        let since = self.messages.get(self.last..).unwrap_or_default();
        since.iter().filter_map(as_result)
    }

    /// The results before it.
    pub(super) fn results_before(&self) -> impl Iterator<Item = &'a ToolMessage> {
        let before = self.messages.get(..self.last).unwrap_or_default();
        before.iter().filter_map(as_result)
    }

    fn said_before(&self) -> impl Iterator<Item = &'a str> {
        let before = self.messages.get(..self.last).unwrap_or_default();
        before.iter().rev().filter_map(|message| match message {
            Message::User(said) => Some(said.content.as_str()),
            _ => None,
        })
    }

    /// Whether `id` stands somewhere in what was said, known or found.
    pub(super) fn stands_anywhere(&self, id: &str) -> bool {
        let stands = |text: &str| holds_token(text, id);
        stands(self.hearing.utterance)
            || self.messages.iter().any(|message| match message {
                Message::User(text) | Message::Context(text) => stands(&text.content),
                Message::Tool(result) => result.outcome == Outcome::Ok && stands(&result.content),
                _ => false,
            })
    }

    /// Where `value` comes from; `None`: nothing gives it.
    pub(super) fn source(&self, spec: &ToolSpec, argument: &str, value: &Value, form: Form) -> Option<Provenance> {
        if self.utterance_says(spec, argument, value, form) {
            return Some(Provenance::Utterance);
        }
        let given = GivenValue::new(&spec.name, argument, value);
        let earlier =
            |said: &str| self.names(said, given) || self.plainly(&Text::new(said), spec, argument, value, form);
        if self.said_before().any(earlier) || self.called_before(spec, argument, value) {
            return Some(Provenance::EarlierTurn);
        }
        if is_place(spec, argument) {
            // A seat stands in every context, and says nothing of what is wanted.
            return None;
        }
        let results = self.messages.iter().filter_map(as_result);
        if results.into_iter().any(|result| holds(&result.content, value)) {
            return Some(Provenance::Result);
        }
        let context = self.messages.iter().rev().find_map(|message| match message {
            Message::Context(context) => Some(context.content.as_str()),
            _ => None,
        });
        context
            .filter(|context| !enumerated(spec, argument) && holds(context, value))
            .map(|_| Provenance::State)
    }

    /// Whether the utterance says `value` for this argument.
    pub(super) fn utterance_says(&self, spec: &ToolSpec, argument: &str, value: &Value, form: Form) -> bool {
        let given = GivenValue::new(&spec.name, argument, value);
        // The cheap looks first: a full reading only where they find nothing.
        if self.literally(argument, spec, value) || self.names(self.hearing.utterance, given) {
            return true;
        }
        if self.plainly(self.text(), spec, argument, value, form) {
            return true;
        }
        let read = self.reading().into_iter().flat_map(|reading| reading.of(&spec.name));
        read.filter_map(|call| call.arguments.get(argument))
            .any(|said| self.same_thing(spec, argument, said, value))
    }

    fn literally(&self, argument: &str, spec: &ToolSpec, value: &Value) -> bool {
        let text = value.as_str().filter(|text| text.len() > 3);
        text.is_some_and(|text| self.hearing.utterance.contains(text)) && !enumerated(spec, argument)
    }

    fn names(&self, said: &str, given: GivenValue<'_>) -> bool {
        let seat = self.hearing.speaker.seat;
        self.hearing
            .reader
            .is_some_and(|reader| reader.names(said, self.hearing.tools, seat, given))
    }

    /// Whether a text has the value as it is written, as a number, or in the tool's own plain words.
    fn plainly(&self, text: &Text, spec: &ToolSpec, argument: &str, value: &Value, form: Form) -> bool {
        match value {
            Value::String(value) => {
                written::says(text, value, form)
                    || value.parse().is_ok_and(|number: f64| has_number(text, number))
                    || own_words(spec, argument, value).any(|word| written::says(text, word, Form::Same))
            }
            Value::Number(number) => number.as_f64().is_some_and(|number| has_number(text, number)),
            Value::Array(items) => items.iter().all(|item| self.plainly(text, spec, argument, item, form)),
            Value::Null | Value::Bool(_) | Value::Object(_) => false,
        }
    }

    /// Whether what was read and what was called are one thing under two names.
    fn same_thing(&self, spec: &ToolSpec, argument: &str, said: &Value, value: &Value) -> bool {
        if said == value || number(said).is_some_and(|said| number(value) == Some(said)) {
            return true;
        }
        let (Some(said), Some(value)) = (said.as_str(), value.as_str()) else {
            return false;
        };
        if incar_text::similarity(said, value) >= 0.8 {
            return true;
        }
        // Translations and nicknames: the service that has the names knows both.
        let Some(source) = spec.names.get(argument) else {
            return false;
        };
        let meant = source.look_up(value, self.hearing.lang);
        let heard = source.look_up(said, self.hearing.lang);
        heard
            .iter()
            .any(|name| meant.iter().any(|other| other.name == name.name))
    }

    /// Whether a call that ran before had the value for this argument, or a choice named it.
    fn called_before(&self, spec: &ToolSpec, argument: &str, value: &Value) -> bool {
        let before = self.messages.get(..self.last).unwrap_or_default();
        let replies = before.iter().filter_map(|message| match message {
            Message::Assistant(reply) => Some(reply),
            _ => None,
        });
        replies.flat_map(|reply| &reply.tool_calls).any(|call| {
            if call.name == ASK_USER {
                return offered(&call.arguments, value);
            }
            call.name == spec.name
                && before
                    .iter()
                    .filter_map(as_result)
                    .any(|result| result.call_id == call.id && result.outcome == Outcome::Ok)
                && serde_json::from_str::<Map<String, Value>>(&call.arguments)
                    .is_ok_and(|arguments| arguments.get(argument) == Some(value))
        })
    }

    /// Whether the utterance answers a question about this argument, or a question in words, which
    /// only the model can tell what for.
    pub(super) fn answers(&self, spec: &ToolSpec, argument: &str) -> bool {
        match self.question() {
            Some(Question::Slot(ask)) => {
                ask.tool.as_deref() == Some(&*spec.name) && ask.slot.as_deref().is_none_or(|slot| slot == argument)
            }
            Some(Question::Words) => true,
            None => false,
        }
    }

    /// Whether the utterance answers any question.
    pub(super) fn answers_something(&self) -> bool {
        self.question().is_some()
    }

    fn question(&self) -> Option<Question> {
        let before = self.messages.get(..self.last).unwrap_or_default();
        let asked = before
            .iter()
            .rev()
            .find(|message| !matches!(message, Message::Context(_) | Message::Tool(_)))?;
        let Message::Assistant(reply) = asked else { return None };
        let call = reply.tool_calls.iter().find(|call| call.name == ASK_USER);
        match call {
            Some(call) => Some(match serde_json::from_str::<AskUser>(&call.arguments) {
                Ok(ask) if ask.tool.is_some() => Question::Slot(Box::new(ask)),
                _ => Question::Words,
            }),
            None => reply
                .content
                .trim_end()
                .ends_with(['?', '？'])
                .then_some(Question::Words),
        }
    }

    /// Whether the speaker prefers the value for this argument, or named it in any preference.
    pub(super) fn prefers(&self, spec: &ToolSpec, argument: &str, value: &Value) -> bool {
        let named = |said: &str| {
            value
                .as_str()
                .is_some_and(|value| value.len() > 1 && said.contains(value))
        };
        self.hearing
            .preferences
            .iter()
            .any(|preference| match &preference.decides {
                Some(preferred) if preferred.tool == spec.name && preferred.argument == argument => {
                    preferred.value == *value
                }
                _ => !enumerated(spec, argument) && named(&preference.said),
            })
    }

    /// Whether the tool itself would fill in this value, had it been left out.
    pub(super) fn completes(
        &self,
        spec: &ToolSpec,
        arguments: &Map<String, Value>,
        argument: &str,
        value: &Value,
    ) -> bool {
        let Some(completion) = &spec.completion else {
            return false;
        };
        let mut rest = arguments.clone();
        rest.remove(argument);
        completion.complete(&mut rest, self.hearing.speaker);
        rest.get(argument) == Some(value)
    }
}

/// The question before an utterance.
enum Question {
    /// For a value.
    Slot(Box<AskUser>),
    /// In words.
    Words,
}

fn as_result(message: &Message) -> Option<&ToolMessage> {
    match message {
        Message::Tool(result) => Some(result),
        _ => None,
    }
}

/// Whether an argument takes a seat or a side of the car.
pub(super) fn is_place(spec: &ToolSpec, argument: &str) -> bool {
    let words = spec.words.arguments.get(argument);
    words.is_some_and(|words| words.kind == ValueKind::Position)
}

/// Whether an argument takes one of a few values.
pub(super) fn enumerated(spec: &ToolSpec, argument: &str) -> bool {
    spec.argument(argument)
        .is_some_and(|schema| schema.get("enum").is_some())
}

/// The plain words that the tool has for a value: no classes, which only a reader knows.
fn own_words<'a>(spec: &'a ToolSpec, argument: &str, value: &str) -> impl Iterator<Item = &'a str> {
    let words = spec
        .words
        .arguments
        .get(argument)
        .and_then(|words| words.values.get(value));
    words
        .into_iter()
        .flatten()
        .map(String::as_str)
        .filter(|word| !word.starts_with('<'))
}

/// Whether `value` is one of the choices that a question offered.
fn offered(arguments: &str, value: &Value) -> bool {
    let Some(value) = value.as_str() else { return false };
    arguments.contains(value)
        && serde_json::from_str::<AskUser>(arguments).is_ok_and(|ask| ask.choices.iter().any(|choice| choice == value))
}

fn has_number(text: &Text, number: f64) -> bool {
    let said = written::numbers(text);
    said.iter().any(|said| (said.abs() - number.abs()).abs() < 1e-6)
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// Whether a result or a context, which is JSON, has a value.
fn holds(json: &str, value: &Value) -> bool {
    match value {
        Value::String(value) => !value.trim().is_empty() && json.contains(value.trim()),
        // 4.0 is written 4, too.
        Value::Number(number) => {
            let written = number.to_string();
            holds_token(json, &written) || written.strip_suffix(".0").is_some_and(|whole| holds_token(json, whole))
        }
        Value::Array(items) => items.iter().all(|item| holds(json, item)),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    }
}

/// Whether `token` stands in `text` with nothing of a word or number beside it.
fn holds_token(text: &str, token: &str) -> bool {
    if token.is_empty() {
        return false;
    }
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(token).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + token.len()..).and_then(|after| after.chars().next());
        !(before.is_some_and(part) || after.is_some_and(part))
    })
}
