//! How sure the brain is, said before it answers: for whoever chooses between it and another model.

use crate::Brain;
use crate::confidence::Confidence;
use crate::dialogue::{Said, Turn, turn};
use crate::understand::understand;
use incar_core::{AssistantMessage, ChatRequest, DeviceModel, ModelEvent, ModelFinish};

/// What answers a question about a known value leaves little room for anything else.
const ANSWERED: f32 = 0.9;

impl DeviceModel for Brain {
    /// The confidence of what was understood; 1 for small talk and for the results of its own calls, 0
    /// for what it declines, what it would have to ask back about ("did you mean …?"), and the results
    /// of another model's calls: only that one knows what it wanted with them.
    fn confidence(&self, request: &ChatRequest<'_>) -> f32 {
        match turn(request.messages) {
            None => 0.0,
            Some(Turn::Results { reply, .. }) if is_own(reply) => 1.0,
            Some(Turn::Results { .. }) => 0.0,
            Some(Turn::Said(said)) => self.confidence_in(&said, request),
        }
    }
}

impl Brain {
    fn confidence_in(&self, said: &Said<'_>, request: &ChatRequest<'_>) -> f32 {
        let Some(tools) = request.tools else { return 0.0 };
        let answer = self.think(request);
        let doubts = |event: &ModelEvent| matches!(event, ModelEvent::ToolCall(call) if call.unsure.is_some());
        match answer.last() {
            Some(ModelEvent::Finish(ModelFinish::Aside)) => 1.0,
            Some(ModelEvent::Finish(ModelFinish::ToolCalls)) if answer.iter().any(doubts) => 0.0,
            Some(ModelEvent::Finish(ModelFinish::ToolCalls | ModelFinish::Stop)) => {
                let lexicon = self.lexicon(tools);
                let understood = understand(&lexicon, said.utterance, request.speaker.seat, None);
                // What follows up on something is surer than it would be alone.
                let least = if said.question.is_some() {
                    ANSWERED
                } else {
                    Confidence::ACT.value()
                };
                understood.confidence.value().max(least)
            }
            _ => 0.0,
        }
    }
}

fn is_own(reply: &AssistantMessage) -> bool {
    reply.tool_calls.iter().all(|call| call.id.starts_with("brain_"))
}
