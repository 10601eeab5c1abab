//! Settings that are so or not: what tools do that switch signals and say one sentence.

use super::car::Car;
use super::motion::Motion;
use super::place::Subject;
use crate::vehicle::Command;
use incar_core::{Lang, ToolError, ToolOutput};
use serde::Serialize;
use serde_json::{Map, Value};

/// What is said of a setting.
pub(crate) struct Spoken {
    /// When it was changed.
    pub(crate) done: String,
    /// When it was so already.
    pub(crate) already: String,
}

impl Spoken {
    /// "空调已打开。" / "空调已经开着了。"
    pub(crate) fn power(subject: &Subject, on: bool, lang: Lang) -> Self {
        let (text, be) = (&subject.text, subject.be);
        let (done, already) = match (lang, on) {
            (Lang::Zh, true) => (format!("{text}已打开。"), format!("{text}已经开着了。")),
            (Lang::Zh, false) => (format!("{text}已关闭。"), format!("{text}已经是关着的。")),
            (Lang::En, true) => (format!("{text} {be} on."), format!("{text} {be} on already.")),
            (Lang::En, false) => (format!("{text} {be} off."), format!("{text} {be} off already.")),
        };
        Self { done, already }
    }

    /// "主驾风量调到4档。" / "主驾风量已经是4档。"
    pub(crate) fn value(subject: &Subject, value: &str, lang: Lang) -> Self {
        let (text, be) = (&subject.text, subject.be);
        match lang {
            Lang::Zh => Self {
                done: format!("{text}调到{value}。"),
                already: format!("{text}已经是{value}。"),
            },
            Lang::En => Self {
                done: format!("{text} {be} set to {value}."),
                already: format!("{text} {be} at {value} already."),
            },
        }
    }

    /// The same sentence either way.
    pub(super) fn same(sentence: impl Into<String>) -> Self {
        let done = sentence.into();
        Self {
            already: done.clone(),
            done,
        }
    }
}

/// Gives `commands`, and answers `result` with what came of them.
pub(crate) async fn apply(
    car: &Car,
    commands: &[Command],
    mut result: Map<String, Value>,
    spoken: Spoken,
    lang: Lang,
) -> Result<ToolOutput, ToolError> {
    let reports = car.actuate(commands, lang).await?;
    let motion = Motion::of(&reports);
    let unchanged = motion.unchanged();
    if unchanged {
        result.insert("unchanged".into(), true.into());
    }
    if motion.is_moving() {
        result.insert("state".into(), "moving".into());
    }
    Ok(ToolOutput::new(result)?.say(if unchanged { spoken.already } else { spoken.done }))
}

/// A result with one field.
pub(super) fn result(name: &str, value: impl Serialize) -> Map<String, Value> {
    let mut result = Map::new();
    put(&mut result, name, value);
    result
}

/// Adds a field to a result.
pub(super) fn put(result: &mut Map<String, Value>, name: &str, value: impl Serialize) {
    result.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
}
