//! Which routes to prefer.

use super::finder::{Finder, failed};
use super::service::RoutePreference;
use super::{phrase, spec};
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

/// `set_route_preference`.
#[derive(Debug)]
pub(super) struct SetRoutePreference(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which routes to prefer.
    preference: RoutePreference,
}

#[async_trait]
impl TypedTool for SetRoutePreference {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_route_preference",
            Effect::Set,
            "设置路线偏好：最快、最短、避开收费、不走高速、躲避拥堵、高速优先",
            "Set which routes to prefer: fastest, shortest, no tolls, no highways, round congestion, highways first",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let map = self.0.map.as_ref();
        let unchanged = map.preference() == args.preference;
        let set = map.set_preference(args.preference).await;
        set.map_err(|error| failed(&error, cx.lang))?;
        let to = phrase::preference(args.preference, cx.lang);
        let mut result = Map::from_iter([("preference".to_owned(), json!(args.preference))]);
        let say = if unchanged {
            result.insert("unchanged".into(), true.into());
            cx.lang.pick(
                format!("路线偏好已经是{to}了。"),
                format!("The route preference is {to} already."),
            )
        } else {
            cx.lang.pick(
                format!("路线偏好已设为{to}。"),
                format!("The route preference is now {to}."),
            )
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}
