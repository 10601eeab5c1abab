//! Forgetting a preference.

use super::names::Subjects;
use super::{PreferenceBook, spec, store_failed};
use incar_core::{Effect, ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `delete_preference`.
#[derive(Debug)]
pub(super) struct DeletePreference(pub(super) PreferenceBook);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What it is about, in the driver's words or as listed.
    key: String,
}

#[async_trait]
impl TypedTool for DeletePreference {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "delete_preference",
            Effect::Act,
            "删除驾驶员的一项偏好",
            "Forget one of the driver's preferences",
        )
        .with_names("key", Arc::new(Subjects(self.0.catalogue.clone())))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let key = self.0.key(&args.key);
        let deleted = self.0.delete(&cx.speaker.holder(), &key).await;
        let deleted = deleted.map_err(|_| store_failed(cx.lang))?;
        let name = self.0.name(&key, cx.lang);
        let Some(preference) = deleted else {
            let message = cx.lang.pick(
                format!("您没有关于{name}的偏好。"),
                format!("You have no preference about {name}."),
            );
            return Err(ToolError::new(ErrorKind::NotFound, message));
        };
        let said = self.0.spoken(&preference, cx.lang);
        let say = cx.lang.pick(
            format!("好的，已删除{name}的偏好（{said}）。"),
            format!("Okay, I've forgotten your {name} preference ({said})."),
        );
        Ok(ToolOutput::new(json!({"key": key, "said": preference.said}))?.say(say))
    }
}
