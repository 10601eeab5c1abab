//! Asking a model for a text that may be longer than one reply.

use crate::ask::{AskError, Asked};
use crate::prompts::{Prompt, Task};
use crate::resources::{Request, Resources};
use incar_core::{AssistantMessage, Message, ModelFinish, Usage};

/// So many replies make a text at most.
const REPLIES: usize = 5;

impl Resources {
    /// Asks for a text. Where the bound on a reply cuts it off, the model goes on where it stopped.
    pub(crate) async fn text(&self, request: Request<'_>) -> Asked<String> {
        let mut usage = Usage::default();
        let answer = self.whole_text(request, &mut usage).await;
        Asked { answer, usage }
    }

    async fn whole_text(&self, request: Request<'_>, usage: &mut Usage) -> Result<String, AskError> {
        let mut text = String::new();
        let mut messages = request.messages.to_vec();
        for _ in 0..REPLIES {
            let reply = self
                .reply(Request {
                    messages: &messages,
                    ..request
                })
                .await?;
            *usage = usage.plus(reply.usage.unwrap_or_default());
            let more = reply.message.content;
            text.push_str(&more);
            if reply.finish != Some(ModelFinish::Length) || more.is_empty() {
                break;
            }
            messages.push(Message::Assistant(AssistantMessage::text(more)));
            messages.push(Message::user(Prompt::of(Task::GoOn, request.lang).user(&[])));
        }
        match text.trim().is_empty() {
            false => Ok(text),
            true => Err(AskError::Unusable {
                fault: "the text is empty".to_owned(),
                reply: String::new(),
            }),
        }
    }
}
