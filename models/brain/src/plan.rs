//! From wishes to calls: what was not said is completed, asked for, or left to the tool.

use crate::frame::Named;
use crate::lexicon::{Argument, Lexicon, Tool};
use crate::schema::fitted;
use crate::understand::Wish;
use incar_core::words::ValueKind;
use incar_core::{AskUser, Lang, NameMatch, Preferences, Speaker};
use serde_json::{Map, Value};

/// What to do about one wish.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Call the tool.
    Call {
        tool: String,
        arguments: Map<String, Value>,
        /// The question to be answered with yes before it runs.
        unsure: Option<String>,
    },
    /// Ask the driver first.
    Ask(AskUser),
}

/// The words that say a value is the driver's to leave open.
const ANYTHING: &[&str] = &[
    "随便",
    "都行",
    "都可以",
    "什么都行",
    "随便放",
    "随便听",
    "随机",
    "你定",
    "无所谓",
    "随意",
    "随便来一首",
    "anything",
    "whatever",
    "surprise me",
    "you choose",
    "any",
    "i don't mind",
    "i don't care",
    "don't care",
];

/// Whether an answer leaves the choice to the car.
pub(crate) fn leaves_open(answer: &str) -> bool {
    let answer = answer.trim().to_lowercase();
    let answer = answer.trim_end_matches(['吧', '。', '.', '!', '！', '了', '的']);
    ANYTHING.contains(&answer)
}

/// Whose wish it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Driver<'a> {
    pub(crate) speaker: &'a Speaker,
    pub(crate) lang: Lang,
    pub(crate) preferences: &'a Preferences,
}

/// The step for a wish. `open`: the driver left open what was not said.
pub(crate) fn plan(lexicon: &Lexicon, wish: &Wish, driver: Driver<'_>, open: Openness) -> Option<Step> {
    let lang = driver.lang;
    let tool = lexicon.tools.get(wish.tool)?;
    let mut arguments = wish.arguments.clone();
    add_implied(tool, &mut arguments);
    settle_names(tool, &mut arguments, lang);
    complete(tool, &mut arguments, driver);
    let name = tool.spec.name.to_string();
    if let Some((slot, question)) = misfit(tool, &mut arguments, lang) {
        let mut ask = self::question(tool, &slot, arguments, lang);
        ask.question = question;
        return Some(Step::Ask(ask));
    }
    let wanted = wish
        .wants
        .and_then(|wanted| tool.arguments.get(wanted))
        .map(|argument| argument.name.as_str());
    if let Some(wanted) = wanted.filter(|wanted| open == Openness::Ask && !says_value(tool, &arguments, wanted)) {
        return Some(Step::Ask(question(tool, wanted, arguments, lang)));
    }
    if let Some(missing) = missing(tool, &arguments, open) {
        return Some(Step::Ask(question(tool, &missing, arguments, lang)));
    }
    // A thing that was only named asks for nothing.
    let idle = arguments.is_empty() && !tool.arguments.is_empty() && !tool.reads;
    if idle && open == Openness::Ask && wish.named != Named::Phrase {
        return None;
    }
    let unsure = wish.heard.as_deref().map(|words| did_you_mean(words, lang));
    Some(Step::Call {
        tool: name,
        arguments,
        unsure,
    })
}

/// The question whether these words are what was said.
fn did_you_mean(words: &str, lang: Lang) -> String {
    lang.pick(format!("您是说“{words}”吗？"), format!("Did you mean “{words}”?"))
}

/// The first argument that the tool would refuse, taken out, and the question about it.
fn misfit(tool: &Tool, arguments: &mut Map<String, Value>, lang: Lang) -> Option<(String, String)> {
    let (slot, question) = tool.arguments.iter().find_map(|argument| {
        let value = arguments.get(&argument.name)?;
        let ask = tool.spec.words.ask.get(&argument.name).map(|words| words.get(lang));
        let question = refused(argument, value, ask, lang)?;
        Some((argument.name.clone(), question))
    })?;
    arguments.remove(&slot);
    Some((slot, question))
}

/// Why a value does not fit its argument, as a question; `None` where it fits. `ask`: the tool's own question.
fn refused(argument: &Argument, value: &Value, ask: Option<&str>, lang: Lang) -> Option<String> {
    if let Some(allowed) = argument.schema.get("enum").and_then(Value::as_array) {
        if allowed.contains(value) {
            return None;
        }
        let named: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        let zh = format!("没有这一项，可选的有{}，要哪个？", named.join("、"));
        let en = format!("There is no such setting; there are {}. Which one?", named.join(", "));
        return Some(lang.pick(zh, en));
    }
    let number = value.as_f64()?;
    let (least, most) = argument.bounds;
    if (least..=most).contains(&number) {
        return None;
    }
    let (zh, en) = match (least.is_finite(), most.is_finite()) {
        (true, true) => (
            format!("可以设在{least}到{most}之间"),
            format!("It can be between {least} and {most}"),
        ),
        (true, false) => (format!("最小是{least}"), format!("It starts at {least}")),
        _ => (format!("最大是{most}"), format!("It goes up to {most}")),
    };
    let ask = ask.unwrap_or(lang.pick("您要多少？", "What would you like?"));
    Some(lang.pick(format!("{zh}，{ask}"), format!("{en}. {ask}")))
}

/// Whether the driver left open what was not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// What was not said may be asked for.
    Ask,
    /// "Anything": what need not be said is not asked for.
    Anything,
}

/// The question for an argument.
pub(crate) fn question(tool: &Tool, slot: &str, arguments: Map<String, Value>, lang: Lang) -> AskUser {
    let words = tool.spec.words.ask.get(slot).map(|words| words.get(lang).to_owned());
    let described = || {
        let what = tool.spec.description.get(lang);
        lang.pick(format!("{what}：请告诉我{slot}。"), format!("{what}: which {slot}?"))
    };
    let mut ask = AskUser::new(words.unwrap_or_else(described));
    ask.tool = Some(tool.spec.name.to_string());
    ask.slot = Some(slot.to_owned());
    ask.arguments = arguments;
    ask
}

/// Adds what the arguments said decide of those that were not: a percentage opens the window.
pub(crate) fn add_implied(tool: &Tool, arguments: &mut Map<String, Value>) {
    for argument in &tool.arguments {
        if arguments.contains_key(&argument.name) {
            for (key, value) in &argument.implies {
                arguments.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
}

/// Free text that one source knows by heart belongs to that source's argument: an artist's name
/// where a song was expected.
fn settle_names(tool: &Tool, arguments: &mut Map<String, Value>, lang: Lang) {
    let named: Vec<(String, String)> = tool
        .spec
        .names
        .keys()
        .filter_map(|name| Some((name.clone(), arguments.get(name)?.as_str()?.to_owned())))
        .collect();
    let [(argument, heard)] = named.as_slice() else { return };
    let best = |source: &dyn incar_core::NameSource| source.look_up(heard, lang).into_iter().next();
    let own = tool.spec.names.get(argument).and_then(|source| best(source.as_ref()));
    if own.as_ref().is_some_and(|name| name.matched == NameMatch::Exact) {
        return;
    }
    for (other, source) in &tool.spec.names {
        if other != argument
            && !arguments.contains_key(other)
            && best(source.as_ref()).is_some_and(|name| name.matched == NameMatch::Exact)
        {
            arguments.remove(argument);
            arguments.insert(other.clone(), Value::String(heard.clone()));
            return;
        }
    }
}

/// What was not said is decided by the driver's preferences, then by the car's state.
fn complete(tool: &Tool, arguments: &mut Map<String, Value>, driver: Driver<'_>) {
    let said = arguments.clone();
    driver.preferences.complete(&tool.spec.name, arguments);
    if let Some(completion) = &tool.spec.completion {
        completion.complete(arguments, driver.speaker);
    }
    // What was said stands, and nothing gets in that the tool would refuse.
    arguments.retain(|key, value| said.get(key).is_none_or(|said| said == value) && tool.argument(key).is_some());
    for (key, value) in said {
        arguments.insert(key, value);
    }
}

/// Whether the argument that was named is said, or another value that stands for it.
fn says_value(tool: &Tool, arguments: &Map<String, Value>, wanted: &str) -> bool {
    let required = |name: &String| {
        tool.arguments
            .iter()
            .any(|argument| argument.name == *name && argument.required)
    };
    let place = |name: &String| tool.of_kind(ValueKind::Position) == tool.argument(name);
    arguments.contains_key(wanted) || arguments.keys().any(|name| !required(name) && !place(name))
}

/// The first argument that has to be asked for.
fn missing(tool: &Tool, arguments: &Map<String, Value>, open: Openness) -> Option<String> {
    let required = tool
        .arguments
        .iter()
        .find(|argument| argument.required && !arguments.contains_key(&argument.name))
        .map(|argument| argument.name.clone());
    if required.is_some() {
        // Asked in the order of the questions' importance: the words' own order is by name, the
        // schema's by declaration; the schema's counts.
        return first_required(tool, arguments);
    }
    let empty = tool.spec.words.empty.as_ref()?;
    let said = arguments.keys().any(|key| !empty.besides.contains(key));
    (open == Openness::Ask && !said).then(|| empty.ask.clone())
}

fn first_required(tool: &Tool, arguments: &Map<String, Value>) -> Option<String> {
    let required: Vec<&str> = tool.spec.required().collect();
    required
        .into_iter()
        .find(|name| !arguments.contains_key(*name))
        .map(str::to_owned)
}

/// `value` as the tool's argument takes it, if the argument is one.
pub(crate) fn as_argument(tool: &Tool, slot: &str, value: &str) -> Option<Value> {
    let argument = tool.arguments.get(tool.argument(slot)?)?;
    match argument.kind {
        ValueKind::Text | ValueKind::Name | ValueKind::Date => Some(fitted(&argument.schema, value)),
        ValueKind::Texts => Some(Value::Array(vec![value.into()])),
        _ => None,
    }
}
