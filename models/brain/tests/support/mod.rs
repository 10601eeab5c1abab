//! A cabin without a car: the tools' specs and words, and a conversation in which every call works.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use incar_brain::Brain;
use incar_core::words::ToolWords;
use incar_core::{
    ASK_USER, AskUser, AssistantMessage, Bilingual, ChatModel, ChatRequest, History, Lang, ModelFinish, ModelReply,
    Outcome, Seat, Speaker, ToolCall, ToolCategory, ToolMessage, ToolSet, ToolSpec,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

const WORDS: [&str; 6] = [
    include_str!("../../../../tools/words/car_control.toml"),
    include_str!("../../../../tools/words/navigation.toml"),
    include_str!("../../../../tools/words/music.toml"),
    include_str!("../../../../tools/words/phone.toml"),
    include_str!("../../../../tools/words/weather.toml"),
    include_str!("../../../../tools/words/knowledge.toml"),
];

/// The specs of all tools: schemas from `tools.json`, words from the tools' own files.
pub(crate) fn specs() -> Vec<ToolSpec> {
    let mut words: HashMap<String, ToolWords> = HashMap::new();
    for file in WORDS {
        words.extend(toml::from_str::<HashMap<String, ToolWords>>(file).unwrap());
    }
    let tools: Vec<Value> = serde_json::from_str(include_str!("tools.json")).unwrap();
    tools
        .iter()
        .map(|tool| {
            let name = tool["name"].as_str().unwrap().to_owned();
            let category = ToolCategory::new(tool["category"].as_str().unwrap());
            let effect = serde_json::from_value(tool["effect"].clone()).unwrap();
            let mut spec = ToolSpec::new(name.clone(), category, effect, Bilingual::new(&*name, &*name));
            spec.parameters = tool["parameters"].clone();
            spec.with_words(words.remove(&name).unwrap_or_default())
        })
        .collect()
}

pub(crate) fn tools() -> ToolSet {
    ToolSet::new(specs().into_iter().map(Arc::new).collect())
}

/// A conversation.
pub(crate) struct Cabin {
    pub(crate) brain: Brain,
    pub(crate) tools: ToolSet,
    pub(crate) seat: Seat,
    pub(crate) lang: Option<Lang>,
    history: History,
}

impl Cabin {
    pub(crate) fn new() -> Self {
        Self::with(tools())
    }

    pub(crate) fn with(tools: ToolSet) -> Self {
        Self {
            brain: Brain::new(),
            tools,
            seat: Seat::Driver,
            lang: None,
            history: History::default(),
        }
    }

    /// A conversation that begins anew.
    pub(crate) fn reset(&mut self) {
        self.history = History::default();
    }

    pub(crate) fn reply(&self, lang: Lang) -> ModelReply {
        let speaker = Speaker::new("test", self.seat);
        let request = ChatRequest::new("", self.history.messages(), &speaker, lang).with_tools(&self.tools);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime
            .block_on(ModelReply::collect(self.brain.stream(request)))
            .unwrap()
    }

    /// Says `text`; every call works. What came of it: calls as `tool{arguments}`, those that ask first whether
    /// they are meant as `~tool{arguments}`, a question as `?tool.slot{arguments}`, words as `-` (declined: `x`).
    pub(crate) fn say(&mut self, text: &str) -> String {
        let lang = self.lang.or_else(|| Lang::of_text(text)).unwrap_or_default();
        self.history.user(text);
        let mut heard: Vec<String> = Vec::new();
        for _ in 0..4 {
            let reply = self.reply(lang);
            if reply.message.tool_calls.is_empty() {
                if heard.is_empty() {
                    let declined = reply.finish == Some(ModelFinish::Declined);
                    heard.push(if declined { "x" } else { "-" }.to_owned());
                }
                self.history.reply(reply.message).unwrap();
                return heard.join(" ");
            }
            let asks = reply.message.tool_calls.iter().any(|call| call.name == ASK_USER);
            heard.extend(reply.message.tool_calls.iter().map(written));
            let results = reply.message.tool_calls.iter().map(answered).collect();
            self.history.exchange(reply.message, results).unwrap();
            if asks {
                return heard.join(" ");
            }
        }
        panic!("no end: {}", heard.join(" "));
    }

    /// The history gets what happened elsewhere: an utterance, a call and its result.
    pub(crate) fn happened(&mut self, text: &str, call: ToolCall, content: &str, outcome: Outcome) {
        self.history.user(text);
        let result = ToolMessage::new(&call, content, outcome);
        self.history
            .exchange(AssistantMessage::calls(vec![call]), vec![result])
            .unwrap();
    }
}

fn written(call: &ToolCall) -> String {
    if call.name == ASK_USER {
        let ask: AskUser = serde_json::from_str(&call.arguments).unwrap();
        assert!(!ask.question.is_empty(), "a question without words");
        let arguments = Value::Object(ask.arguments);
        return format!("?{}.{}{arguments}", ask.tool.unwrap(), ask.slot.unwrap());
    }
    let asks_first = if call.unsure.is_some() { "~" } else { "" };
    format!("{asks_first}{}{}", call.name, call.arguments)
}

fn answered(call: &ToolCall) -> ToolMessage {
    let content = if call.name == ASK_USER {
        r#"{"asked":true}"#
    } else {
        "{}"
    };
    ToolMessage::new(call, content, Outcome::Ok)
}

/// Says each text to a fresh conversation and compares what comes of it.
pub(crate) fn check_commands(table: &[(&str, &str)]) {
    let mut cabin = Cabin::new();
    let mut wrong = Vec::new();
    for (text, expected) in table {
        cabin.reset();
        let heard = cabin.say(text);
        if heard != *expected {
            wrong.push(format!("{text}\n  expected {expected}\n  heard    {heard}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Says the texts one after the other in one conversation and compares what comes of each.
pub(crate) fn check_dialogue(turns: &[(&str, &str)]) {
    let mut cabin = Cabin::new();
    for (text, expected) in turns {
        assert_eq!(cabin.say(text), *expected, "{text} in {turns:?}");
    }
}
