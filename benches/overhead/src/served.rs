//! incar, as a host has it: an assistant with one agent and one tool, everything else as it comes.

use crate::scripts::{TOOL, TOOL_ABOUT, TOOL_QUERY_ABOUT, Transport, found};
use crate::{Client, Outcome};
use incar::ErrorKind;
use incar::openai::{self, Provider};
use incar::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

pub(crate) struct Served {
    assistant: Assistant,
}

impl Served {
    pub(crate) fn new(url: &str, transport: Transport) -> Outcome<Self> {
        let model = openai::Config::new(Provider::Custom)
            .with_base_url(url)
            .with_model("bench")
            .with_key("none")
            .with_transport(match transport {
                Transport::Plain => openai::Transport::Plain,
                Transport::Stream => openai::Transport::Streaming,
            })
            .build()?;
        let assistant = Assistant::builder()
            .with_tool_agent(Guide(
                AgentProfile::new("guide", Bilingual::new("导游", "guide")).uses(ToolCategory::NAVIGATION),
            ))
            .with_tool(FindPlace)
            .with_model(Arc::new(model))
            .build()?;
        Ok(Self { assistant })
    }
}

impl Client for Served {
    type Conversation = Speaker;

    fn begin(&self, number: usize) -> Speaker {
        Speaker::new(format!("car-{number}"), Seat::Driver)
    }

    async fn turn(&self, speaker: &mut Speaker, said: &str) -> Outcome<String> {
        let utterance = Utterance::new(said).by(speaker.clone());
        Ok(self.assistant.handle(utterance).await.message)
    }
}

#[derive(Debug)]
struct Guide(AgentProfile);

impl ToolAgentBase for Guide {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Query {
    #[schemars(description = TOOL_QUERY_ABOUT)]
    query: String,
}

struct FindPlace;

#[async_trait]
impl TypedTool for FindPlace {
    type Args = Query;

    fn spec(&self) -> ToolSpec {
        let about = Bilingual::new(TOOL_ABOUT, TOOL_ABOUT);
        ToolSpec::new(TOOL, ToolCategory::NAVIGATION, Effect::Read, about)
    }

    async fn run(&self, args: Query, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        match serde_json::from_str::<Value>(&found(&args.query)) {
            Ok(place) => Ok(place.into()),
            Err(error) => Err(ToolError::new(ErrorKind::ToolFailed, error.to_string())),
        }
    }
}
