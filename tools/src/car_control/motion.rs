//! Parts that move: what came of sending them somewhere, as a result and as a sentence.

use super::place::{Position, Spot, Subject};
use crate::vehicle::{Actuation, Progress, number};
use incar_core::Lang;
use serde_json::{Map, Value};

/// What came of sending several parts to one target.
#[derive(Debug)]
pub(crate) struct Motion<'a> {
    reports: &'a [Actuation],
}

impl<'a> Motion<'a> {
    pub(crate) fn of(reports: &'a [Actuation]) -> Self {
        Self { reports }
    }

    /// Whether any part is still on its way.
    pub(crate) fn is_moving(&self) -> bool {
        self.reports.iter().any(|report| report.progress != Progress::Done)
    }

    /// Whether nothing was asked that was not so already.
    pub(crate) fn unchanged(&self) -> bool {
        self.reports.iter().all(Actuation::unchanged)
    }

    fn target(&self) -> Option<f64> {
        let mut targets = self.reports.iter().filter_map(|report| report.target.as_number());
        let first = targets.next()?;
        targets.all(|other| other == first).then_some(first)
    }

    /// Adds `target`, `position` (where all parts stand at one) and `state` to a result.
    pub(crate) fn describe(&self, result: &mut Map<String, Value>) {
        if let Some(target) = self.target() {
            result.insert("target".into(), number(target));
        }
        if let [report, rest @ ..] = self.reports
            && rest.iter().all(|other| other.value == report.value)
        {
            result.insert("position".into(), Value::from(&report.value));
        }
        result.insert("state".into(), state(self.is_moving()));
        if self.unchanged() {
            result.insert("unchanged".into(), true.into());
        }
    }

    /// Adds the parts one by one where there are several.
    pub(crate) fn describe_parts(&self, argument: &str, spots: &[Spot], result: &mut Map<String, Value>) {
        if self.reports.len() < 2 {
            return;
        }
        let parts = self.reports.iter().zip(spots).map(|(report, spot)| {
            let mut part = Map::new();
            part.insert(argument.to_owned(), place_name(spot.position()));
            part.insert("position".into(), Value::from(&report.value));
            part.insert("state".into(), state(report.progress != Progress::Done));
            Value::Object(part)
        });
        result.insert("parts".into(), parts.collect());
    }

    /// What to say of it: "主驾车窗正在打开。"
    pub(crate) fn say(&self, subject: &Subject, lang: Lang) -> String {
        let target = self.target();
        let (text, be) = (&subject.text, subject.be);
        if self.is_moving() {
            return match target {
                Some(0.0) => lang.pick(format!("{text}正在关闭。"), format!("{text} {be} closing.")),
                Some(100.0) => lang.pick(format!("{text}正在打开。"), format!("{text} {be} opening.")),
                Some(to) => lang.pick(
                    format!("{text}正在调到{to}%。"),
                    format!("{text} {be} moving to {to}%."),
                ),
                None => lang.pick(format!("{text}正在移动。"), format!("{text} {be} moving.")),
            };
        }
        let already = if self.unchanged() {
            lang.pick("已经", "already ")
        } else {
            lang.pick("已", "now ")
        };
        match target {
            Some(0.0) => lang.pick(
                format!("{text}{already}关好了。"),
                format!("{text} {be} {already}closed."),
            ),
            Some(100.0) => lang.pick(
                format!("{text}{already}打开了。"),
                format!("{text} {be} {already}open."),
            ),
            Some(to) => lang.pick(
                format!("{text}{already}在{to}%的位置。"),
                format!("{text} {be} {already}at {to}%."),
            ),
            None => lang.pick(
                format!("{text}{already}到位了。"),
                format!("{text} {be} {already}in place."),
            ),
        }
    }

    /// What to say of a stop.
    pub(crate) fn say_stopped(&self, subject: &Subject, lang: Lang) -> String {
        let (text, be) = (&subject.text, subject.be);
        if self.unchanged() {
            return lang.pick(format!("{text}没有在动。"), format!("{text} {be} not moving."));
        }
        match self.target() {
            Some(at) => lang.pick(format!("{text}停在{at}%了。"), format!("{text} {be} stopped at {at}%.")),
            None => lang.pick(format!("{text}停下了。"), format!("{text} {be} stopped.")),
        }
    }
}

fn state(moving: bool) -> Value {
    if moving { "moving".into() } else { "done".into() }
}

/// A place as results name it.
pub(crate) fn place_name(position: Position) -> Value {
    serde_json::to_value(position).unwrap_or_default()
}
