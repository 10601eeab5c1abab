//! Where the conversation stands, read back from its messages alone.

use incar_core::{ASK_USER, AskUser, AssistantMessage, Message, Outcome, ToolMessage};
use serde::Deserialize;
use serde_json::{Map, Value};

/// How many past calls are looked at.
const MOST_PAST: usize = 4;

/// A question that waits for its answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenQuestion {
    /// The tool that waits.
    pub(crate) tool: String,
    /// The argument that the answer fills; empty: any of the tool's.
    pub(crate) slot: String,
    /// The arguments so far.
    pub(crate) arguments: Map<String, Value>,
    /// What there is to choose from.
    pub(crate) choices: Vec<String>,
}

/// A call made before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PastCall {
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    /// Whether it did its work, rather than being called off when it was to be confirmed.
    pub(crate) done: bool,
    /// How many utterances came between.
    pub(crate) ago: usize,
}

/// What a reply must be made to.
#[derive(Debug)]
pub(crate) enum Turn<'a> {
    /// To what the speaker said.
    Said(Said<'a>),
    /// To the results of these calls.
    Results {
        reply: &'a AssistantMessage,
        results: Vec<&'a ToolMessage>,
    },
}

/// What the speaker said, and what it was said to.
#[derive(Debug)]
pub(crate) struct Said<'a> {
    pub(crate) utterance: &'a str,
    pub(crate) question: Option<OpenQuestion>,
    /// The last calls that did their work or were called off, latest first.
    pub(crate) past: Vec<PastCall>,
}

/// Reads the conversation; `None` where there is nothing to reply to.
pub(crate) fn turn(messages: &[Message]) -> Option<Turn<'_>> {
    let results: Vec<&ToolMessage> = messages
        .iter()
        .rev()
        .map_while(|message| match message {
            Message::Tool(result) => Some(result),
            _ => None,
        })
        .collect();
    if !results.is_empty() {
        let reply = messages.iter().rev().find_map(|message| match message {
            Message::Assistant(reply) => Some(reply),
            _ => None,
        })?;
        return Some(Turn::Results {
            reply,
            results: results.into_iter().rev().collect(),
        });
    }
    let at = messages
        .iter()
        .rposition(|message| matches!(message, Message::User(_)))?;
    let before = messages.get(..at).unwrap_or_default();
    let (held, past) = match waiting_call(before) {
        // A flow's call can be changed value by value, as if each were still asked for.
        Some((call, Waits::WithFlow)) => (Some(call), None),
        Some((call, Waits::Plainly)) => (None, Some(call)),
        None => (None, None),
    };
    let held = held.map(|call| OpenQuestion {
        tool: call.tool,
        slot: String::new(),
        arguments: call.arguments,
        choices: Vec::new(),
    });
    Some(Turn::Said(Said {
        utterance: messages.get(at)?.content(),
        question: held.or_else(|| open_question(before)),
        past: past.into_iter().chain(past_calls(before)).collect(),
    }))
}

/// How a call waits for a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    Plainly,
    /// A flow gathered it.
    WithFlow,
}

/// The call that waits for a yes, as the cabin context shows it: it did not run, and can be corrected.
fn waiting_call(before: &[Message]) -> Option<(PastCall, Waits)> {
    #[derive(Deserialize)]
    struct Context {
        pending: Pending,
    }
    #[derive(Deserialize)]
    struct Pending {
        confirm: Waiting,
        #[serde(default)]
        flow: bool,
    }
    #[derive(Deserialize)]
    struct Waiting {
        tool: String,
        arguments: Map<String, Value>,
    }
    let Some(Message::Context(context)) = before.last() else {
        return None;
    };
    let context: Context = serde_json::from_str(&context.content).ok()?;
    let Pending {
        confirm: Waiting { tool, arguments },
        flow,
    } = context.pending;
    let call = PastCall {
        tool,
        arguments,
        done: false,
        ago: 0,
    };
    Some((call, if flow { Waits::WithFlow } else { Waits::Plainly }))
}

/// The question of the last reply, if it asked one.
fn open_question(before: &[Message]) -> Option<OpenQuestion> {
    let reply = before.iter().rev().find_map(|message| match message {
        Message::Assistant(reply) => Some(reply),
        _ => None,
    })?;
    let call = reply.tool_calls.iter().find(|call| call.name == ASK_USER)?;
    let asked: AskUser = serde_json::from_str(&call.arguments).ok()?;
    Some(OpenQuestion {
        tool: asked.tool?,
        slot: asked.slot.unwrap_or_default(),
        arguments: asked.arguments,
        choices: asked.choices,
    })
}

fn past_calls(before: &[Message]) -> Vec<PastCall> {
    let mut ended: Vec<(&str, bool)> = Vec::new();
    let mut past = Vec::new();
    let mut ago = 0;
    for message in before.iter().rev() {
        match message {
            Message::User(_) => ago += 1,
            Message::Tool(result) if result.name != ASK_USER => match result.outcome {
                Outcome::Ok => ended.push((&result.call_id, true)),
                Outcome::Cancelled => ended.push((&result.call_id, false)),
                _ => {}
            },
            Message::Assistant(reply) => {
                for call in reply.tool_calls.iter().rev() {
                    let Some((_, done)) = ended.iter().find(|(id, _)| *id == call.id) else {
                        continue;
                    };
                    past.push(PastCall {
                        tool: call.name.clone(),
                        arguments: serde_json::from_str(&call.arguments).unwrap_or_default(),
                        done: *done,
                        ago,
                    });
                }
                ended.clear();
            }
            _ => {}
        }
        if past.len() >= MOST_PAST {
            break;
        }
    }
    past
}

/// The number after the highest that a call of the conversation has: older calls may have been forgotten.
pub(crate) fn calls_so_far(messages: &[Message]) -> usize {
    let calls = messages.iter().filter_map(|message| match message {
        Message::Assistant(reply) => Some(&reply.tool_calls),
        _ => None,
    });
    let numbers = calls
        .flatten()
        .filter_map(|call| call.id.strip_prefix("brain_")?.parse::<usize>().ok());
    numbers.max().unwrap_or(0)
}
