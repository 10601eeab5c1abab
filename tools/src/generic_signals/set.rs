//! `set_signal`.

use super::allowed::{AllowedSignals, Group, May};
use super::{said, spec};
use crate::car_control::{Car, Spoken, apply};
use crate::vehicle::{Command, DataType, SignalInfo, SignalValue, Vehicle, VehicleError};
use incar_core::{
    Effect, ErrorKind, Lang, Refusal, Resolved, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, async_trait,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// `set_signal`.
#[derive(Debug)]
pub(super) struct SetSignal {
    spec: Arc<ToolSpec>,
    signals: Arc<AllowedSignals>,
    vehicle: Arc<dyn Vehicle>,
}

impl SetSignal {
    pub(super) fn new(signals: Arc<AllowedSignals>, vehicle: Arc<dyn Vehicle>) -> Self {
        Self {
            spec: Arc::new(spec::set(&signals)),
            signals,
            vehicle,
        }
    }
}

#[async_trait]
impl Tool for SetSignal {
    fn spec(&self) -> &Arc<ToolSpec> {
        &self.spec
    }

    /// The whole path and a value of the signal's own type: what policies judge and the journal keeps.
    fn resolve(&self, arguments: &Value, cx: ToolContext<'_>) -> Result<Resolved, Refusal> {
        let args = said::args(arguments)?;
        let (group, member) = said::find(&self.signals, &self.vehicle, &args, May::Set, cx)?;
        let Some(value) = &args.value else {
            return Err(Refusal::Misfit("the required argument `value` is missing".into()));
        };
        let path = &member.info.name;
        // The car's own bounds count; the file's where they are narrower.
        let value = typed(&member.info, value).ok_or_else(|| ask(&member.info, group, cx.lang))?;
        let car = self.vehicle.info(path);
        let checked = member.info.check(&value).and_then(|()| match &car {
            Some(info) => info.check(&value),
            None => Err(VehicleError::UnknownSignal(path.clone())),
        });
        checked.map_err(|error| refused(&error, &member.info, group, cx.lang))?;
        Ok(Resolved::new(json!({"signal": path, "value": value}), Effect::Set))
    }

    async fn run(&self, arguments: &Value, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let args = said::args(arguments).map_err(|refusal| failed(&refusal))?;
        let (group, member) = said::find(&self.signals, &self.vehicle, &args, May::Set, cx)?;
        let value = args.value.as_ref().and_then(|value| typed(&member.info, value));
        let value = value.ok_or_else(|| ask(&member.info, group, cx.lang))?;
        let unit = self.vehicle.info(&member.info.name).and_then(|info| info.unit.clone());
        let subject = said::subject(group, member, &self.vehicle, cx.lang);
        let spoken = match &value {
            SignalValue::Bool(on) => Spoken::power(&subject, *on, cx.lang),
            _ => {
                let said = said::value(&value, unit.as_deref(), group, cx.lang);
                Spoken::value(&subject, &said, cx.lang)
            }
        };
        let mut answer = Map::new();
        answer.insert("signal".into(), member.info.name.as_str().into());
        answer.insert("value".into(), Value::from(&value));
        if let Some(unit) = unit {
            answer.insert("unit".into(), unit.into());
        }
        let command = Command::set(member.info.name.as_str(), value);
        apply(&Car::new(self.vehicle.clone()), &[command], answer, spoken, cx.lang).await
    }
}

/// Arguments that were resolved once and do not fit now.
pub(super) fn failed(refusal: &Refusal) -> ToolError {
    match refusal {
        Refusal::Misfit(message) => ToolError::new(ErrorKind::InvalidInput, message.clone()),
        Refusal::Failed(error) => error.clone(),
    }
}

/// The value in the signal's type, as far as it can be one: models write numbers as texts and names in any case.
fn typed(info: &SignalInfo, value: &Value) -> Option<SignalValue> {
    match (info.datatype, value) {
        (DataType::Boolean, Value::Bool(on)) => Some(SignalValue::Bool(*on)),
        (DataType::Boolean, Value::String(text)) => match text.to_lowercase().as_str() {
            "true" | "on" => Some(SignalValue::Bool(true)),
            "false" | "off" => Some(SignalValue::Bool(false)),
            _ => None,
        },
        (DataType::String, Value::String(text)) => {
            let said = text.replace(' ', "_");
            let known = info.allowed.iter().find(|name| name.eq_ignore_ascii_case(&said));
            Some(SignalValue::Text(known.unwrap_or(text).clone()))
        }
        (DataType::Boolean | DataType::String, _) => None,
        (_, Value::Number(number)) => number.as_f64().map(SignalValue::Number),
        (_, Value::String(text)) => text.trim().parse().ok().map(SignalValue::Number),
        _ => None,
    }
}

/// The question for a value, where what was said is none of the signal.
fn ask(info: &SignalInfo, group: &Group, lang: Lang) -> ToolError {
    let (question, choices) = match info.datatype {
        DataType::Boolean => (lang.pick("要打开还是关闭？", "On or off?").to_owned(), Vec::new()),
        DataType::String if !info.allowed.is_empty() => {
            let values = info.allowed.iter().map(|name| SignalValue::Text(name.clone()));
            let names: Vec<String> = values.map(|value| said::value(&value, None, group, lang)).collect();
            let shown = names.iter().take(5).cloned().collect::<Vec<_>>();
            let question = lang.pick(
                format!("可以选{}，要哪个？", shown.join("、")),
                format!("It can be {}. Which one?", shown.join(", ")),
            );
            (question, names)
        }
        _ => (
            lang.pick("要设成多少？", "What should I set it to?").to_owned(),
            Vec::new(),
        ),
    };
    ToolError::choose("value", choices, question)
}

/// Why the signal cannot have the value, as the driver hears it.
fn refused(error: &VehicleError, info: &SignalInfo, group: &Group, lang: Lang) -> ToolError {
    match error {
        VehicleError::OutOfRange { min, max, .. } => {
            let question = lang.pick(
                format!("可以设{min}到{max}之间，请问要多少？"),
                format!("It can be between {min} and {max}. What should it be?"),
            );
            ToolError::ask(ErrorKind::OutOfRange, "value", question)
        }
        VehicleError::WrongType { .. } | VehicleError::NotAllowed { .. } => ask(info, group, lang),
        _ => ToolError::new(
            ErrorKind::Unsupported,
            lang.pick("这台车没有这一项。", "This car does not have that."),
        ),
    }
}
