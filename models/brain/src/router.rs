//! The brain as the one who tells, without a model call, which tools an utterance concerns.

use crate::{Band, Brain};
use incar_core::{ASK_USER, CallShape, ChatRequest, Lang, Message, ModelEvent, Speaker, ToolRouter, ToolSet};

impl ToolRouter for Brain {
    /// Compiles their words.
    fn prepare(&self, tools: &ToolSet) {
        self.lexicon(tools);
    }

    fn rank(&self, utterance: &str, tools: &ToolSet, _: Lang) -> Vec<usize> {
        self.concerned(utterance, tools)
            .into_iter()
            .map(|concern| concern.tool)
            .collect()
    }

    fn tool_for(&self, wish: &str, tools: &ToolSet, speaker: &Speaker) -> Option<usize> {
        let understood = self.explain(wish, tools, speaker.seat);
        let sure = understood.band() == Band::Act;
        let first = understood.calls.first().filter(|_| sure)?;
        tools.specs().iter().position(|spec| spec.name == first.tool)
    }

    fn call_for(&self, wish: &str, tools: &ToolSet, speaker: &Speaker, lang: Lang) -> Option<CallShape> {
        let said = [Message::user(wish)];
        let request = ChatRequest::new("", &said, speaker, lang).with_tools(tools);
        let mut calls = self.think(&request).into_iter().filter_map(|event| match event {
            ModelEvent::ToolCall(call) => Some(call),
            _ => None,
        });
        match (calls.next(), calls.next()) {
            (Some(call), None) if call.name != ASK_USER => {
                Some(CallShape::new(call.name, serde_json::from_str(&call.arguments).ok()?))
            }
            _ => None,
        }
    }
}
