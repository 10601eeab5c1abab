//! An assistant with a scripted model and tools that repeat what they are told.

use incar::{
    AgentProfile, AgentResponse, Assistant, AssistantBuilder, Bilingual, Effect, ErrorKind, ManualClock,
    PolicyDecision, PolicyGate, PolicyQuery, Seat, Speaker, Timestamp, ToolAgentBase, ToolCategory, ToolContext,
    ToolError, ToolOutput, ToolSpec, TypedTool, Utterance, async_trait,
};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Words {
    /// What to repeat.
    words: String,
}

/// What a tool does with what it is told.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Manner {
    Repeat,
    Fail,
    Panic,
    Hang,
    Dawdle,
}

#[derive(Debug)]
struct Echo {
    name: &'static str,
    effect: Effect,
    manner: Manner,
    started: Arc<Notify>,
}

#[async_trait]
impl TypedTool for Echo {
    type Args = Words;

    fn spec(&self) -> ToolSpec {
        let described = Bilingual::new("复述", "Repeats");
        ToolSpec::new(self.name, ToolCategory::new("echoes"), self.effect, described)
            .with_timeout(Duration::from_secs(60))
    }

    async fn run(&self, args: Words, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        match self.manner {
            Manner::Repeat => Ok(ToolOutput::new(json!({"heard": args.words}))?.say(format!("Heard {}.", args.words))),
            Manner::Fail => Err(ToolError::new(ErrorKind::NotFound, format!("No {}.", args.words))),
            Manner::Panic => panic!("at {}", args.words),
            Manner::Dawdle => {
                tokio::time::sleep(Duration::from_secs(20)).await;
                Ok(ToolOutput::new(json!({"heard": args.words}))?.say(format!("Heard {} at last.", args.words)))
            }
            Manner::Hang => {
                self.started.notify_one();
                std::future::pending().await
            }
        }
    }
}

#[derive(Debug)]
struct EchoAgent(AgentProfile);

impl ToolAgentBase for EchoAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

/// Refuses `forbidden`, asks before `delicate`.
#[derive(Debug)]
struct Gate;

impl PolicyGate for Gate {
    fn decide(&self, query: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        match &*query.tool.name {
            "forbidden" => vec![PolicyDecision::Deny {
                policy: "never".into(),
                reason: format!("Not {}.", query.arguments["words"]),
            }],
            "delicate" => vec![PolicyDecision::Confirm {
                policy: "sure".into(),
                question: format!("Really {}?", query.arguments["words"]),
            }],
            _ => Vec::new(),
        }
    }
}

pub(crate) struct Setup {
    pub(crate) assistant: Assistant,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) clock: Arc<ManualClock>,
    /// A hanging tool has begun to hang.
    pub(crate) started: Arc<Notify>,
}

impl Setup {
    pub(crate) fn new() -> Self {
        Self::with(|builder| builder)
    }

    pub(crate) fn with(with: impl FnOnce(AssistantBuilder) -> AssistantBuilder) -> Self {
        let model = Arc::new(ScriptedModel::default());
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)));
        let started = Arc::new(Notify::new());
        let profile = AgentProfile::new("echoes", Bilingual::new("复述", "Echoes")).uses(ToolCategory::new("echoes"));
        let mut builder = Assistant::builder()
            .with_tool_agent(EchoAgent(profile))
            .with_policies(Arc::new(Gate))
            .with_clock(clock.clone())
            .with_model(model.clone());
        for (name, effect, manner) in [
            ("look", Effect::Read, Manner::Repeat),
            ("set", Effect::Set, Manner::Repeat),
            ("forbidden", Effect::Set, Manner::Repeat),
            ("delicate", Effect::Act, Manner::Repeat),
            ("fail", Effect::Read, Manner::Fail),
            ("panic", Effect::Act, Manner::Panic),
            ("hang", Effect::Read, Manner::Hang),
            ("dawdle", Effect::Act, Manner::Dawdle),
        ] {
            builder = builder.with_tool(Echo {
                name,
                effect,
                manner,
                started: started.clone(),
            });
        }
        Self {
            assistant: with(builder).build().unwrap(),
            model,
            clock,
            started,
        }
    }

    /// The model answers with `script`, in order.
    pub(crate) fn script(&self, script: impl IntoIterator<Item = ScriptedReply>) {
        script.into_iter().for_each(|reply| self.model.push(reply));
    }

    pub(crate) async fn say(&self, said: &str) -> AgentResponse {
        self.assistant.handle(Utterance::new(said).by(driver())).await
    }
}

pub(crate) fn driver() -> Speaker {
    Speaker::new("car", Seat::Driver)
}

pub(crate) fn call(tool: &str, words: &str) -> ScriptedReply {
    ScriptedReply::call(tool, json!({"words": words}))
}

pub(crate) fn text(text: &str) -> ScriptedReply {
    ScriptedReply::Text(text.into())
}

/// A question for the words of `tool`.
pub(crate) fn ask(tool: &str, question: &str) -> ScriptedReply {
    ScriptedReply::call("ask_user", json!({"question": question, "tool": tool, "slot": "words"}))
}

/// A reply in TOML, as scenario files have it.
pub(crate) fn scripted(reply: Value) -> ScriptedReply {
    serde_json::from_value(reply).unwrap()
}
