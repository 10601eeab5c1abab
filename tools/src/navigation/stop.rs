//! Ending guidance.

use super::finder::{Finder, failed};
use super::{phrase, spec};
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `stop_navigation`.
#[derive(Debug)]
pub(super) struct StopNavigation(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

#[async_trait]
impl TypedTool for StopNavigation {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec("stop_navigation", Effect::Act, "结束导航", "End the navigation")
    }

    async fn run(&self, _: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let stopped = self.0.map.stop().await.map_err(|error| failed(&error, cx.lang))?;
        match stopped {
            Some(place) => {
                let name = phrase::name(&place, cx.lang);
                let say = cx.lang.pick(
                    format!("已结束去{name}的导航。"),
                    format!("The navigation to {name} has ended."),
                );
                Ok(ToolOutput::new(json!({"navigating": false, "destination": name}))?.say(say))
            }
            None => {
                let say = cx.lang.pick("现在没有在导航。", "There is no navigation going on.");
                Ok(ToolOutput::new(json!({"navigating": false, "unchanged": true}))?.say(say))
            }
        }
    }
}
