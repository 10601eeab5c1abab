//! Which signal is meant, and how it is spoken of.

use super::allowed::{AllowedSignals, Group, May, Member};
use super::place;
use crate::car_control::{Car, Position, Subject, capitalised};
use crate::vehicle::{SignalValue, Vehicle};
use incar_core::{ErrorKind, Lang, Refusal, ToolContext, ToolError};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// What both tools are given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    signal: String,
    position: Option<Position>,
    pub(super) value: Option<Value>,
}

/// The arguments of a call.
pub(super) fn args(arguments: &Value) -> Result<Args, Refusal> {
    Args::deserialize(arguments).map_err(|error| Refusal::Misfit(error.to_string()))
}

/// The one signal that a call means.
///
/// # Errors
/// Where there is no such signal, it is not allowed, or several are meant.
pub(super) fn find<'a>(
    signals: &'a AllowedSignals,
    vehicle: &Arc<dyn Vehicle>,
    args: &Args,
    may: May,
    cx: ToolContext<'_>,
) -> Result<(&'a Group, &'a Member), ToolError> {
    let lang = cx.lang;
    let group = signals.groups().iter().find(|group| group.path == args.signal);
    let (group, member) = match (group, signals.of_path(&args.signal)) {
        (_, Some(one)) => one,
        (Some(group), None) => (group, of_group(group, vehicle, args, may, cx)?),
        (None, None) => return Err(not_there(signals, &args.signal, lang)),
    };
    if vehicle.info(&member.info.name).is_none() {
        return Err(unsupported(lang));
    }
    if member.may < may {
        let message = lang.pick("这一项只能查看，不能设置。", "I can read that, but not set it.");
        return Err(ToolError::new(ErrorKind::Unsupported, message));
    }
    Ok((group, member))
}

/// The one of a group at the place said; else at the speaker's own, else the only one.
fn of_group<'a>(
    group: &'a Group,
    vehicle: &Arc<dyn Vehicle>,
    args: &Args,
    may: May,
    cx: ToolContext<'_>,
) -> Result<&'a Member, ToolError> {
    let layout = Car::new(vehicle.clone()).layout();
    let here = |position: Option<Position>| -> Vec<&Member> {
        let members = group
            .members
            .iter()
            .filter(|member| member.may >= may && vehicle.info(&member.info.name).is_some());
        let at = |member: &&Member| position.is_none_or(|position| place::is_at(&member.info.name, position, layout));
        members.filter(at).collect()
    };
    // Whoever has no place of their own is asked which.
    let own = Position::of_seat(cx.speaker.seat);
    let found = match args.position {
        Some(position) => here(Some(position)),
        None => match here(None) {
            several if several.len() > 1 && own.is_some() => match here(own) {
                none if none.is_empty() => several,
                found => found,
            },
            found => found,
        },
    };
    match found.as_slice() {
        [] => Err(unsupported(cx.lang)),
        [only] => Ok(only),
        several => {
            let names = several
                .iter()
                .filter_map(|member| place::position(&member.info.name, layout));
            let mut choices: Vec<String> = names.map(|position| position.word(cx.lang).to_owned()).collect();
            choices.dedup();
            let name = name(group, cx.lang);
            let question = cx.lang.pick(format!("哪个位置的{name}？"), format!("Which {name}?"));
            Err(ToolError::choose("position", choices, question))
        }
    }
}

fn not_there(signals: &AllowedSignals, path: &str, lang: Lang) -> ToolError {
    if signals.is_known(path) {
        let message = lang.pick("这一项没有对语音开放。", "That is not open to me.");
        return ToolError::new(ErrorKind::Denied, message);
    }
    unsupported(lang)
}

/// This car has no such signal.
fn unsupported(lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::Unsupported,
        lang.pick("这台车没有这一项。", "This car does not have that."),
    )
}

fn name(group: &Group, lang: Lang) -> &str {
    let own = lang.pick(group.zh.first(), group.en.first());
    own.or(group.en.first()).map_or(group.path.as_str(), String::as_str)
}

/// How the signal is spoken of: "副驾腰托", "The passenger's lumbar support".
pub(super) fn subject(group: &Group, member: &Member, vehicle: &Arc<dyn Vehicle>, lang: Lang) -> Subject {
    let name = name(group, lang);
    let layout = Car::new(vehicle.clone()).layout();
    let text = match (place::position(&member.info.name, layout), lang) {
        (Some(position), Lang::Zh) => format!("{}{name}", position.word(lang)),
        (Some(position), Lang::En) => capitalised(&format!("{} {name}", position.word(lang))),
        (None, Lang::Zh) => name.to_owned(),
        (None, Lang::En) => format!("The {name}"),
    };
    Subject { text, be: "is" }
}

/// How a value is said, with its unit.
pub(super) fn value(value: &SignalValue, unit: Option<&str>, group: &Group, lang: Lang) -> String {
    let number = value.to_string();
    match (value, unit, lang) {
        (SignalValue::Number(_), Some("percent"), Lang::Zh) => format!("{number}%"),
        (SignalValue::Number(_), Some("percent"), Lang::En) => format!("{number} percent"),
        (SignalValue::Number(_), Some("degrees" | "Celsius" | "celsius"), _) => {
            format!("{number}{}", lang.pick("度", " degrees"))
        }
        (SignalValue::Number(_), Some("mm"), _) => format!("{number}{}", lang.pick("毫米", " millimeters")),
        (SignalValue::Number(_), Some("s"), _) => format!("{number}{}", lang.pick("秒", " seconds")),
        (SignalValue::Number(_), Some(unit), _) => format!("{number} {unit}"),
        (SignalValue::Text(name), ..) => {
            let said = group.values.get(name).into_iter().flatten();
            let mut in_lang = said.filter(|word| Lang::of_text(word) == Some(lang));
            in_lang
                .next()
                .cloned()
                .unwrap_or_else(|| name.replace('_', " ").to_lowercase())
        }
        _ => number,
    }
}
