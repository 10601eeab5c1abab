//! The model: messages in, calls or words out.

use crate::answer::{Decision, Listener};
use crate::confidence::{Band, Confidence};
use crate::dialogue::{Turn, calls_so_far, turn};
use crate::lexicon::{Lexicon, WordsFault};
use crate::lint::{self, Coverage};
use crate::plan::{Driver, Step};
use crate::reply::{self, Answer};
use crate::small_talk::{self, Waiting};
use crate::understand::understand;
use futures_util::StreamExt;
use futures_util::stream;
use incar_core::{
    ASK_USER, AskUser, ChatModel, ChatRequest, Lang, Message, ModelError, ModelEvent, ModelFinish, ModelStream, Seat,
    ToolCall, ToolMessage, ToolSet,
};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// How many compiled tool sets are kept.
const KEPT: usize = 8;

/// The embedded brain: a [`ChatModel`] on the device, deterministic, with no clock and no network.
///
/// It reads the words that the tools carry; any tool registered with its words works with it. It
/// holds nothing of a conversation: all of it is read back from the messages.
#[derive(Debug, Default)]
pub struct Brain {
    compiled: Mutex<Vec<(u64, Arc<Lexicon>)>>,
}

/// What the brain understood, and why.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Explanation {
    /// The calls that were understood, in the order said.
    pub calls: Vec<Explained>,
    /// How sure it is.
    pub confidence: Confidence,
    /// How many steps understanding it took: bounded whatever is said.
    pub work: usize,
}

/// One call that was understood.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// The tool.
    pub tool: String,
    /// What was said of its arguments.
    pub arguments: Map<String, Value>,
    /// The words that said it.
    pub words: String,
}

/// What is seen of one utterance without its conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Concern {
    /// The tool's index in its set.
    pub tool: usize,
    /// How sure, from 0 to 1.
    pub score: f32,
}

impl Explanation {
    /// What follows from it: whether the calls are made, asked about, or nothing is done.
    #[must_use]
    pub fn band(&self) -> Band {
        match self.calls.as_slice() {
            [] => Band::Decline,
            _ => self.confidence.band(),
        }
    }
}

impl Brain {
    /// A brain that has compiled nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn lexicon(&self, tools: &ToolSet) -> Arc<Lexicon> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = compiled.iter().position(|(id, _)| *id == tools.id()) {
            let found = compiled.remove(at);
            let lexicon = found.1.clone();
            compiled.push(found);
            return lexicon;
        }
        let lexicon = Arc::new(Lexicon::compile(tools));
        if compiled.len() == KEPT {
            compiled.remove(0);
        }
        compiled.push((tools.id(), lexicon.clone()));
        lexicon
    }

    /// Compiles the words of `tools` now rather than at the first utterance, and says what is wrong
    /// with them (an argument or value that the tool does not have, a broken pattern).
    pub fn prepare(&self, tools: &ToolSet) -> Vec<WordsFault> {
        self.lexicon(tools).faults.clone()
    }

    /// What in the words of `tools` is at fault, and beside that what can never count or counts for two tools alike:
    /// a word that stands twice in its list, a value without words, a topic or pattern that two tools claim with equal
    /// right. For a test over the words.
    pub fn lint(&self, tools: &ToolSet) -> Vec<WordsFault> {
        lint::lint(&self.lexicon(tools))
    }

    /// What speech can reach of each tool.
    pub fn coverage(&self, tools: &ToolSet) -> Vec<Coverage> {
        lint::coverage(&self.lexicon(tools))
    }

    /// What `text`, said by somebody on `seat` with nothing said before, is understood as.
    pub fn explain(&self, text: &str, tools: &ToolSet, seat: Seat) -> Explanation {
        let lexicon = self.lexicon(tools);
        let understood = understand(&lexicon, text, seat, None);
        let calls = understood.wishes.into_iter().filter_map(|wish| {
            Some(Explained {
                tool: lexicon.tools.get(wish.tool)?.spec.name.to_string(),
                arguments: wish.arguments,
                words: wish.words,
            })
        });
        let calls: Vec<Explained> = calls.collect();
        Explanation {
            calls,
            confidence: understood.confidence,
            work: understood.work,
        }
    }

    /// The tools that `text` concerns, best first: for routing an utterance to agents.
    pub fn concerned(&self, text: &str, tools: &ToolSet) -> Vec<Concern> {
        let lexicon = self.lexicon(tools);
        let understood = understand(&lexicon, text, Seat::Driver, None);
        let mut concerns: Vec<Concern> = Vec::new();
        for wish in &understood.wishes {
            if concerns.iter().all(|concern| concern.tool != wish.tool) {
                concerns.push(Concern {
                    tool: wish.tool,
                    score: understood.confidence.value(),
                });
            }
        }
        concerns
    }

    pub(crate) fn think(&self, request: &ChatRequest<'_>) -> Vec<ModelEvent> {
        let lang = request.lang;
        let Some(tools) = request.tools else {
            return text(spoken_without_tools(request.messages, lang), ModelFinish::Stop);
        };
        match turn(request.messages) {
            None => text(reply::declined("", Some(tools), lang), ModelFinish::Declined),
            Some(Turn::Results { reply, results }) => match reply::answer(reply, &results, lang) {
                Answer::Speak(sentence) => text(sentence, ModelFinish::Stop),
                Answer::Ask(asks) => calls(request.messages, asks.into_iter().map(Step::Ask)),
            },
            Some(Turn::Said(said)) => {
                let lexicon = self.lexicon(tools);
                let listener = Listener {
                    lexicon: &lexicon,
                    driver: Driver {
                        speaker: request.speaker,
                        lang,
                        preferences: request.preferences,
                    },
                };
                let talk = |waiting| {
                    let can = || reply::capabilities(Some(tools), lang);
                    small_talk::reply(said.utterance, waiting, lang, can)
                };
                // "Hello" may be the song that was asked for.
                if said.question.is_none()
                    && let Some(reply) = talk(Waiting::Nothing)
                {
                    return text(reply, ModelFinish::Aside);
                }
                match listener.decide(&said) {
                    Decision::Steps(steps) if !steps.is_empty() => calls(request.messages, steps),
                    Decision::Steps(_) | Decision::Decline => match talk(Waiting::Question) {
                        Some(reply) => text(reply, ModelFinish::Aside),
                        None => text(
                            reply::declined(said.utterance, Some(tools), lang),
                            ModelFinish::Declined,
                        ),
                    },
                    Decision::Refrain => text(reply::refrained(lang), ModelFinish::Stop),
                    Decision::Later => {
                        let finish = match said.question {
                            Some(_) => ModelFinish::Aside,
                            None => ModelFinish::Declined,
                        };
                        text(reply::not_later(lang), finish)
                    }
                }
            }
        }
    }
}

impl ChatModel for Brain {
    fn name(&self) -> &str {
        "embedded"
    }

    fn provider(&self) -> &str {
        "incar"
    }

    /// All: its lexicon tells them apart.
    fn most_tools(&self) -> usize {
        usize::MAX
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let events = self.think(&request).into_iter().map(Ok::<_, ModelError>);
        stream::iter(events).boxed()
    }
}

fn text(sentence: impl Into<String>, finish: ModelFinish) -> Vec<ModelEvent> {
    vec![ModelEvent::Text(sentence.into()), ModelEvent::Finish(finish)]
}

/// The reply where no tool may be called: what the results since the last utterance say.
fn spoken_without_tools(messages: &[Message], lang: Lang) -> String {
    let said = messages.iter().rposition(|message| matches!(message, Message::User(_)));
    let since = messages.get(said.unwrap_or_default()..).unwrap_or_default();
    let results: Vec<&ToolMessage> = since
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result),
            _ => None,
        })
        .collect();
    if results.iter().all(|result| result.name == ASK_USER) {
        return reply::declined("", None, lang);
    }
    reply::spoken(&results, lang)
}

fn calls(messages: &[Message], steps: impl IntoIterator<Item = Step>) -> Vec<ModelEvent> {
    let first = calls_so_far(messages) + 1;
    let mut events: Vec<ModelEvent> = steps
        .into_iter()
        .enumerate()
        .map(|(offset, step)| ModelEvent::ToolCall(call(first + offset, step)))
        .collect();
    events.push(ModelEvent::Finish(ModelFinish::ToolCalls));
    events
}

fn call(number: usize, step: Step) -> ToolCall {
    let id = format!("brain_{number}");
    match step {
        Step::Call {
            tool,
            arguments,
            unsure,
        } => {
            let call = ToolCall::new(id, tool, Value::Object(arguments).to_string());
            match unsure {
                Some(question) => call.unsure(question),
                None => call,
            }
        }
        Step::Ask(ask) => ToolCall::new(id, ASK_USER, written(&ask)),
    }
}

fn written(ask: &AskUser) -> String {
    serde_json::to_string(ask).unwrap_or_else(|_| "{}".to_owned())
}
