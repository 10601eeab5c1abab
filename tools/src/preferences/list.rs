//! Telling the preferences.

use super::{PreferenceBook, spec, store_failed};
use incar_core::{Effect, Preference, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// So many of several are spoken.
const SPOKEN: usize = 5;

/// `list_preferences`.
#[derive(Debug)]
pub(super) struct ListPreferences(pub(super) PreferenceBook);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

#[async_trait]
impl TypedTool for ListPreferences {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "list_preferences",
            Effect::Read,
            "列出驾驶员的偏好",
            "List what the driver prefers",
        )
    }

    async fn run(&self, _: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let all = self.0.list(&cx.speaker.holder()).await;
        let all = all.map_err(|_| store_failed(cx.lang))?;
        let spoken: Vec<String> = all.iter().take(SPOKEN).map(|one| self.spoken(one, cx)).collect();
        let list = spoken.join(cx.lang.pick("；", "; "));
        let say = match all.len() {
            0 => cx
                .lang
                .pick("您还没有设置偏好。", "You have no preferences yet.")
                .to_owned(),
            few @ ..=SPOKEN => cx.lang.pick(
                format!("您有{few}项偏好：{list}。"),
                format!("Your preferences: {list}."),
            ),
            many => cx.lang.pick(
                format!("您有{many}项偏好，最早的几项是：{list}。"),
                format!("You have {many} preferences. The first ones: {list}."),
            ),
        };
        let listed: Vec<Value> = all
            .iter()
            .map(|one| json!({"key": one.key, "said": one.said}))
            .collect();
        Ok(ToolOutput::new(json!({"total": listed.len(), "preferences": listed}))?.say(say))
    }
}

impl ListPreferences {
    fn spoken(&self, preference: &Preference, cx: ToolContext<'_>) -> String {
        let (name, said) = (
            self.0.name(&preference.key, cx.lang),
            self.0.spoken(preference, cx.lang),
        );
        cx.lang.pick(format!("{name}，{said}"), format!("{name}, {said}"))
    }
}
