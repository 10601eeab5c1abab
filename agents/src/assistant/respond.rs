//! What a host is answered.

use super::{Inner, Utterance};
use crate::act::offered_wish;
use crate::agent::AgentProfile;
use crate::shape::openai_shape;
use incar_core::turn::{Dialogue, Ending};
use incar_core::{
    AgentResponse, AgentStatus, CallShape, ExpectsReply, FinishReason, ModelChoice, ModelReason, Pending, SessionId,
    Timings, ToolCategory,
};

impl Inner {
    pub(super) fn respond(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        ending: Ending,
        timings: Timings,
        model: Option<ModelChoice>,
        kept: Option<(SessionId, Dialogue)>,
    ) -> AgentResponse {
        let mut response = AgentResponse::new(turn_id, utterance.text.as_str(), ending.status, ending.finish);
        response.agent = self.agent_of(&ending);
        response.message = ending.message;
        response.prompt = ending.prompt;
        response.expects_reply = ending.expects;
        if ending.rounds > 0 {
            let configured = || ModelChoice::new(self.runner.model.name(), ModelReason::Configured);
            response.model = Some(model.unwrap_or_else(configured));
        }
        if let Some((id, dialogue)) = kept {
            response.session_id = Some(id.to_string());
            response.data.conversation_history = openai_shape(dialogue.history().messages());
        }
        for call in &ending.calls {
            if !response.data.tools_used.contains(&call.name) {
                response.data.tools_used.push(call.name.clone());
            }
        }
        response.data.tool_results = ending.calls;
        response.data.pending = ending.pending;
        response.data.queued = ending.queued;
        response.data.decisions = ending.decisions;
        response.data.rounds = ending.rounds;
        response.error = ending.error;
        response.usage = ending.usage;
        response.timings = timings;
        response
    }

    /// The call that the reply offers to make, where the device understands the offer.
    pub(super) fn offer_of(&self, ending: &Ending, utterance: &Utterance) -> Option<CallShape> {
        if ending.expects != ExpectsReply::Optional {
            return None;
        }
        let wish = offered_wish(&ending.message)?;
        let router = self.router.as_ref()?;
        router.call_for(&wish, &self.tools, &utterance.speaker, utterance.lang)
    }

    /// Whose tools ran; where none did, whose tool waits; `assistant` for several and for none.
    fn agent_of(&self, ending: &Ending) -> String {
        let mut tools: Vec<&str> = ending.calls.iter().map(|call| call.name.as_str()).collect();
        if tools.is_empty() {
            tools.extend(ending.pending.as_ref().and_then(|pending| match pending {
                Pending::Confirm { confirm } => Some(confirm.tool.as_str()),
                Pending::Missing { tool, .. } => Some(tool.as_str()),
                _ => None,
            }));
        }
        let mut agents = tools.into_iter().filter_map(|tool| self.agent_with(tool));
        match agents.next() {
            Some(first) if agents.all(|agent| agent == first) => first.to_owned(),
            _ => "assistant".to_owned(),
        }
    }

    fn agent_with(&self, tool: &str) -> Option<&str> {
        let profile = self.profile_of(&self.tools.get(tool)?.category)?;
        Some(&profile.name)
    }

    /// The first agent that works with tools of this category.
    pub(super) fn profile_of(&self, category: &ToolCategory) -> Option<&AgentProfile> {
        let mut profiles = self.agents.iter().map(|agent| agent.profile());
        profiles.find(|profile| profile.categories.contains(category))
    }
}

pub(super) fn expired_response(turn_id: &str, utterance: &Utterance) -> AgentResponse {
    let mut response = AgentResponse::new(
        turn_id,
        utterance.text.as_str(),
        AgentStatus::Expired,
        FinishReason::Expired,
    );
    let message = utterance.lang.pick(
        "刚才的问题已经过期了，什么都没有做。需要的话请再说一次。",
        "That question has expired and nothing was done. Please say it again if you still want it.",
    );
    response.message = message.into();
    response
}
