//! The log of calls.

use super::callee;
use super::handle;
use super::{CallDirection, CallEnd, CallRecord, PhoneService, spec};
use incar_core::{Effect, Lang, Timestamp, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many calls are given.
const MOST: usize = 10;
/// So many are spoken.
const SPOKEN: usize = 3;

/// `list_calls`.
#[derive(Debug)]
pub(super) struct ListCalls(pub(super) Arc<dyn PhoneService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which calls; recent ones where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Missed,
    Recent,
}

#[async_trait]
impl TypedTool for ListCalls {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "list_calls",
            Effect::Read,
            "查看未接来电或最近通话",
            "List missed calls or recent calls",
        )
        .untrusted()
    }

    fn resolve(&self, mut args: Args, _: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        args.kind.get_or_insert(Kind::Recent);
        Ok((args, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let kind = args.kind.unwrap_or(Kind::Recent);
        let (book, now) = (self.0.book(), cx.clock.now());
        let calls: Vec<CallRecord> = self
            .0
            .calls()
            .into_iter()
            .filter(|call| kind == Kind::Recent || call.is_missed())
            .collect();
        let whom = |call: &CallRecord| {
            callee::name_of(&book, &call.number, cx.lang).unwrap_or_else(|| callee::private(&call.number, cx.lang))
        };
        let mut private = Vec::new();
        let mut told = |number: &str| {
            let (told, hidden) = handle::told(&*self.0, number);
            private.extend(hidden);
            told
        };
        let list: Vec<Value> = calls
            .iter()
            .take(MOST)
            .map(|call| {
                json!({
                    "contact": callee::name_of(&book, &call.number, cx.lang),
                    "number": told(&call.number),
                    "direction": call.direction,
                    "end": call.end,
                    "minutes_ago": minutes(call, now),
                })
            })
            .collect();
        let spoken: Vec<String> = calls
            .iter()
            .take(SPOKEN)
            .map(|call| format!("{}{}", whom(call), detail(call, kind, now, cx.lang)))
            .collect();
        let say = say(kind, calls.len(), &spoken, cx.lang);
        let output = ToolOutput::new(json!({"kind": kind, "total": calls.len(), "calls": list}))?;
        Ok(output.say(say).private(private))
    }
}

fn minutes(call: &CallRecord, now: Timestamp) -> u64 {
    now.since(call.at).as_secs() / 60
}

/// What is told of one call: what became of it, and how long ago it was.
fn detail(call: &CallRecord, kind: Kind, now: Timestamp, lang: Lang) -> String {
    let ago = ago(minutes(call, now), lang);
    if kind == Kind::Missed {
        return lang.pick(format!("，{ago}"), format!(", {ago}"));
    }
    let what = match (call.direction, call.end) {
        (CallDirection::Incoming, CallEnd::Unanswered) => lang.pick("未接", "missed"),
        (CallDirection::Incoming, CallEnd::Rejected) => lang.pick("拒接", "rejected"),
        (CallDirection::Incoming, CallEnd::Talked) => lang.pick("来电", "incoming"),
        (CallDirection::Outgoing, _) => lang.pick("呼出", "outgoing"),
    };
    lang.pick(format!("，{ago}{what}"), format!(", {what} {ago}"))
}

fn ago(minutes: u64, lang: Lang) -> String {
    let (amount, zh, en) = match minutes {
        0 => return lang.pick("刚刚", "just now").to_owned(),
        1..60 => (minutes, "分钟", "minute"),
        60..1440 => (minutes / 60, "小时", "hour"),
        _ => (minutes / 1440, "天", "day"),
    };
    let plural = if amount == 1 { "" } else { "s" };
    lang.pick(format!("{amount}{zh}前"), format!("{amount} {en}{plural} ago"))
}

fn say(kind: Kind, total: usize, spoken: &[String], lang: Lang) -> String {
    let list = spoken.join(lang.pick("；", "; "));
    let plural = if total == 1 { "" } else { "s" };
    match (kind, total) {
        (Kind::Missed, 0) => lang.pick("没有未接来电。", "You have no missed calls.").to_owned(),
        (Kind::Recent, 0) => lang.pick("没有通话记录。", "There are no recent calls.").to_owned(),
        (Kind::Missed, _) => lang.pick(
            format!("有{total}个未接来电：{list}。"),
            format!("You have {total} missed call{plural}: {list}."),
        ),
        (Kind::Recent, _) => lang.pick(format!("最近通话：{list}。"), format!("Your recent calls: {list}.")),
    }
}
