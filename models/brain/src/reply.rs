//! The spoken reply: what the tools said, in the speaker's language.

use incar_core::{ASK_USER, AskUser, AssistantMessage, Lang, Outcome, ToolCategory, ToolMessage, ToolSet};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What to answer to the results of a reply's calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    /// Say this.
    Speak(String),
    /// Ask this first.
    Ask(Vec<AskUser>),
}

/// The answer to `results`.
pub(crate) fn answer(reply: &AssistantMessage, results: &[&ToolMessage], lang: Lang) -> Answer {
    let asks: Vec<AskUser> = results.iter().filter_map(|result| question(reply, result)).collect();
    if asks.is_empty() {
        Answer::Speak(spoken(results, lang))
    } else {
        Answer::Ask(asks)
    }
}

/// What the results say, one sentence after the other.
pub(crate) fn spoken(results: &[&ToolMessage], lang: Lang) -> String {
    let mut sentences: Vec<String> = Vec::new();
    // A question has nothing to tell, unless a policy refused what it was about.
    let told = |result: &&&ToolMessage| result.name != ASK_USER || result.outcome == Outcome::Denied;
    for result in results.iter().filter(told) {
        let sentence = sentence(result, lang);
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    if sentences.is_empty() {
        return lang.pick("好的。", "OK.").to_owned();
    }
    join(&sentences, lang)
}

/// Sentences as one text; each ends with a full stop.
fn join(sentences: &[String], lang: Lang) -> String {
    let mut text = String::new();
    for sentence in sentences {
        let sentence = sentence.trim();
        if !text.is_empty() && lang == Lang::En {
            text.push(' ');
        }
        text.push_str(sentence);
        if !sentence.ends_with(['。', '！', '？', '.', '!', '?', '…']) {
            text.push_str(lang.pick("。", "."));
        }
    }
    text
}

fn error_of(result: &ToolMessage) -> Option<Map<String, Value>> {
    let value: Value = serde_json::from_str(&result.content).ok()?;
    match value {
        Value::Object(mut object) => match object.remove("error") {
            Some(Value::Object(error)) => Some(error),
            _ => None,
        },
        _ => None,
    }
}

fn text<'a>(error: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    error.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn sentence(result: &ToolMessage, lang: Lang) -> String {
    if let Some(say) = result.say.as_deref().filter(|say| !say.trim().is_empty()) {
        return say.to_owned();
    }
    if let Some(message) = error_of(result).as_ref().and_then(|error| text(error, "message")) {
        return message.to_owned();
    }
    match result.outcome {
        Outcome::Ok => lang.pick("好的，办好了。", "Done."),
        Outcome::Cancelled => lang.pick("好的，不做了。", "OK, I left it."),
        Outcome::Denied => lang.pick("现在不能这样做。", "I can't do that now."),
        Outcome::Unknown => lang.pick(
            "我不确定有没有做成，请您看一下。",
            "I'm not sure it worked; please check.",
        ),
        _ => lang.pick("抱歉，没有成功。", "Sorry, that didn't work."),
    }
    .to_owned()
}

/// The question that a result puts to the driver: which of several found things is meant
/// (`choices`, and in `choose` the tool and the argument that they are for), or what a failed call needs.
fn question(reply: &AssistantMessage, result: &ToolMessage) -> Option<AskUser> {
    if result.outcome == Outcome::Ok {
        return choice(result);
    }
    let error = error_of(result)?;
    let slot = text(&error, "argument")?;
    let call = reply.tool_calls.iter().find(|call| call.id == result.call_id)?;
    let mut arguments: Map<String, Value> = serde_json::from_str(&call.arguments).unwrap_or_default();
    arguments.remove(slot);
    let mut ask = AskUser::new(text(&error, "message").unwrap_or_default());
    ask.tool = Some(call.name.clone());
    ask.slot = Some(slot.to_owned());
    ask.arguments = arguments;
    ask.choices = error
        .get("choices")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|choice| choice.as_str().map(str::to_owned))
        .collect();
    Some(ask)
}

fn choice(result: &ToolMessage) -> Option<AskUser> {
    #[derive(Deserialize)]
    struct Found {
        choices: Vec<String>,
        choose: Choose,
    }
    #[derive(Deserialize)]
    struct Choose {
        tool: String,
        argument: String,
    }
    let found: Found = serde_json::from_str(&result.content).ok()?;
    let mut ask = AskUser::new(result.say.clone()?);
    ask.choices = found.choices;
    ask.tool = Some(found.choose.tool);
    ask.slot = Some(found.choose.argument);
    Some(ask)
}

/// What to say to what is nothing for the car: that, and what can be done instead.
pub(crate) fn declined(utterance: &str, tools: Option<&ToolSet>, lang: Lang) -> String {
    let sorry = lang.pick(
        ["抱歉，这个我还帮不上忙", "这个我不太明白"],
        ["Sorry, I can't help with that", "I didn't get that"],
    );
    let sorry = sorry.get(utterance.chars().count() % 2).copied().unwrap_or_default();
    let can = capabilities(tools, lang);
    match (can.is_empty(), lang) {
        (true, Lang::Zh) => format!("{sorry}。"),
        (true, Lang::En) => format!("{sorry}."),
        (false, Lang::Zh) => format!("{sorry}，我可以帮您{can}。"),
        (false, Lang::En) => format!("{sorry}; I can {can}."),
    }
}

/// What the tools of the known categories are good for; a host's own categories have no words here.
pub(crate) fn capabilities(tools: Option<&ToolSet>, lang: Lang) -> String {
    let words = [
        (ToolCategory::CAR_CONTROL, "控制车辆", "control the car"),
        (ToolCategory::NAVIGATION, "导航", "navigate"),
        (ToolCategory::MUSIC, "放音乐", "play music"),
        (ToolCategory::PHONE, "打电话", "make calls"),
        (ToolCategory::WEATHER, "查天气", "tell the weather"),
    ];
    let has = |category: &ToolCategory| {
        let mut specs = tools.into_iter().flat_map(ToolSet::specs);
        specs.any(|spec| spec.category == *category)
    };
    let can: Vec<&str> = words
        .iter()
        .filter(|(category, ..)| has(category))
        .map(|(_, zh, en)| lang.pick(*zh, *en))
        .collect();
    can.join(lang.pick("、", ", "))
}

/// What to say where only something not to be done was said.
pub(crate) fn refrained(lang: Lang) -> &'static str {
    lang.pick("好的，不动它。", "OK, I'll leave it.")
}

/// What to say where something is to be done later, or only if something else happens.
pub(crate) fn not_later(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，我还不能定时或按条件来做，要现在就做请直接说。",
        "Sorry, I can't do things later or on a condition. Tell me when it is time and I'll do it.",
    )
}
