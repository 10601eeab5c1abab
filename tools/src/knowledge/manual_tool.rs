//! Looking something up in the owner's manual.

use super::manual::{Manual, ManualHit};
use super::spec;
use incar_core::{ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many sections are given.
const MOST: usize = 3;

/// `search_manual`.
#[derive(Debug)]
pub(super) struct SearchManual(pub(super) Arc<Manual>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to look for, in the driver's words.
    query: String,
}

#[async_trait]
impl TypedTool for SearchManual {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "search_manual",
            "在用车手册里查找：警告灯、保养、充电、轮胎、功能用法等",
            "Search the owner's manual: warning lights, maintenance, charging, tires, how to use a function",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let hits = self.0.search(&args.query, MOST);
        let Some(best) = hits.first() else {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                cx.lang.pick(
                    "用车手册里没有找到相关内容。",
                    "I found nothing about that in the owner's manual.",
                ),
            ));
        };
        let text = best.section.text.get(cx.lang);
        let (title, first) = (best.section.title.get(cx.lang), first_sentence(text));
        let say = cx.lang.pick(format!("{title}：{first}"), format!("{title}: {first}"));
        let describe = |hit: &ManualHit<'_>| -> Value {
            json!({
                "id": hit.section.id,
                "title": hit.section.title.get(cx.lang),
                "text": hit.section.text.get(cx.lang),
                "score": (hit.score * 100.0).round() / 100.0,
            })
        };
        let sections: Vec<Value> = hits.iter().map(describe).collect();
        Ok(ToolOutput::new(json!({"sections": sections}))?.say(say))
    }
}

/// Up to the first stop, with it. A point within a number is none.
fn first_sentence(text: &str) -> &str {
    let ends = text.char_indices().find(|(index, c)| {
        let after = text.get(index + c.len_utf8()..).unwrap_or_default();
        match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => after.is_empty() || after.starts_with(' '),
            _ => false,
        }
    });
    let end = ends.map_or(text.len(), |(index, c)| index + c.len_utf8());
    text.get(..end).unwrap_or(text)
}
