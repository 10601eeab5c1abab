//! Keeping a preference.

use super::names::Subjects;
use super::{PreferenceBook, spec, store_failed};
use incar_core::{Effect, ErrorKind, Preference, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `set_preference`.
#[derive(Debug)]
pub(super) struct SetPreference(pub(super) PreferenceBook);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What it is about, in the driver's words: seat heating, route, music.
    key: String,
    /// What is preferred, in the driver's words.
    value: String,
}

#[async_trait]
impl TypedTool for SetPreference {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_preference",
            Effect::Set,
            "记住驾驶员的偏好，以后没有说明时就照此执行",
            "Remember what the driver prefers where nothing else is said",
        )
        .with_names("key", Arc::new(Subjects(self.0.catalogue.clone())))
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let missing = |argument: &str, zh: &str, en: &str| {
            Err(ToolError::ask(ErrorKind::InvalidInput, argument, cx.lang.pick(zh, en)))
        };
        if args.key.trim().is_empty() {
            return missing("key", "您想记住哪方面的偏好？", "What is the preference about?");
        }
        if args.value.trim().is_empty() {
            return missing("value", "您的偏好是什么？", "What do you prefer?");
        }
        match self.0.catalogue.find(&args.key) {
            Some(subject) if subject.decide(&args.value).is_none() => Err(ToolError::ask(
                ErrorKind::OutOfRange,
                "value",
                subject.question(cx.lang),
            )),
            _ => Ok((args, Effect::Set)),
        }
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let key = self.0.key(&args.key);
        let said = args.value.trim();
        let decides = self.0.catalogue.get(&key).and_then(|subject| subject.decide(said));
        let value = decides.as_ref().map(|decided| decided.value.clone());
        let preference = Preference::new(key.clone(), said, decides);
        let kept = self.0.put(&cx.speaker.holder(), &preference, cx.clock.now()).await;
        kept.map_err(|_| store_failed(cx.lang))?;
        let (name, spoken) = (self.0.name(&key, cx.lang), self.0.spoken(&preference, cx.lang));
        let say = cx.lang.pick(
            format!("好的，记住了，{name}：{spoken}。"),
            format!("Okay, I'll remember your {name}: {spoken}."),
        );
        Ok(ToolOutput::new(json!({"key": key, "said": said, "value": value}))?.say(say))
    }
}
