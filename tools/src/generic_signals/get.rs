//! `get_signal`.

use super::allowed::{AllowedSignals, May};
use super::{said, spec};
use crate::vehicle::{SignalValue, Vehicle};
use incar_core::{
    Effect, ErrorKind, Lang, Refusal, Resolved, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, async_trait,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// `get_signal`.
#[derive(Debug)]
pub(super) struct GetSignal {
    spec: Arc<ToolSpec>,
    signals: Arc<AllowedSignals>,
    vehicle: Arc<dyn Vehicle>,
}

impl GetSignal {
    pub(super) fn new(signals: Arc<AllowedSignals>, vehicle: Arc<dyn Vehicle>) -> Self {
        Self {
            spec: Arc::new(spec::get(&signals)),
            signals,
            vehicle,
        }
    }
}

#[async_trait]
impl Tool for GetSignal {
    fn spec(&self) -> &Arc<ToolSpec> {
        &self.spec
    }

    fn resolve(&self, arguments: &Value, cx: ToolContext<'_>) -> Result<Resolved, Refusal> {
        let args = said::args(arguments)?;
        if args.value.is_some() {
            return Err(Refusal::Misfit(
                "unknown argument `value`; it must be one of: signal, position".into(),
            ));
        }
        let (_, member) = said::find(&self.signals, &self.vehicle, &args, May::Read, cx)?;
        Ok(Resolved::new(json!({"signal": member.info.name}), Effect::Read))
    }

    async fn run(&self, arguments: &Value, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let args = said::args(arguments).map_err(|refusal| super::set::failed(&refusal))?;
        let (group, member) = said::find(&self.signals, &self.vehicle, &args, May::Read, cx)?;
        let path = &member.info.name;
        let value = self.vehicle.value(path).map_err(|_| {
            let message = cx.lang.pick("车辆没有给出这个数值。", "The car does not say.");
            ToolError::new(ErrorKind::ToolFailed, message)
        })?;
        let unit = self.vehicle.info(path).and_then(|info| info.unit.clone());
        let subject = said::subject(group, member, &self.vehicle, cx.lang);
        let sentence = match (&value, cx.lang) {
            (SignalValue::Bool(true), Lang::Zh) => format!("{}开着。", subject.text),
            (SignalValue::Bool(false), Lang::Zh) => format!("{}关着。", subject.text),
            (SignalValue::Bool(on), Lang::En) => format!("{} is {}.", subject.text, if *on { "on" } else { "off" }),
            (_, Lang::Zh) => format!(
                "{}是{}。",
                subject.text,
                said::value(&value, unit.as_deref(), group, cx.lang)
            ),
            (_, Lang::En) => format!(
                "{} is at {}.",
                subject.text,
                said::value(&value, unit.as_deref(), group, cx.lang)
            ),
        };
        let mut answer = json!({"signal": path, "value": value});
        if let (Some(unit), Some(answer)) = (unit, answer.as_object_mut()) {
            answer.insert("unit".into(), unit.into());
        }
        Ok(ToolOutput::new(answer)?.say(sentence))
    }
}
