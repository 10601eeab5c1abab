//! A model whose replies come piece by piece, as a case lets them.

use futures_util::{StreamExt, stream};
use incar::{ChatModel, ChatRequest, History, Message, ModelError, ModelEvent, ModelFinish, ModelStream, ToolCall};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, mpsc};

/// The other end of a reply: what is told here comes from the model.
#[derive(Debug)]
pub(crate) struct Pieces(mpsc::UnboundedSender<ModelEvent>);

impl Pieces {
    pub(crate) fn say(&self, text: &str) -> &Self {
        self.event(ModelEvent::Text(text.into()))
    }

    pub(crate) fn call(&self, tool: &str) -> &Self {
        self.event(ModelEvent::ToolCall(ToolCall::new(format!("call_{tool}"), tool, "{}")));
        self.event(ModelEvent::Finish(ModelFinish::ToolCalls))
    }

    /// Asks the driver, by the arguments of `ask_user`.
    pub(crate) fn ask(&self, arguments: &str) {
        self.event(ModelEvent::ToolCall(ToolCall::new("call_ask", "ask_user", arguments)));
        self.event(ModelEvent::Finish(ModelFinish::ToolCalls));
    }

    pub(crate) fn stop(&self) {
        self.event(ModelEvent::Finish(ModelFinish::Stop));
    }

    /// Whether the model is not listened to any more.
    pub(crate) fn is_dropped(&self) -> bool {
        self.0.is_closed()
    }

    fn event(&self, event: ModelEvent) -> &Self {
        // Whoever talked over it does not hear the rest.
        let _ = self.0.send(event);
        self
    }
}

#[derive(Debug, Default)]
pub(crate) struct Paced {
    replies: Mutex<VecDeque<mpsc::UnboundedReceiver<ModelEvent>>>,
    asked: Mutex<Vec<Vec<Message>>>,
    pub(crate) started: Notify,
}

impl Paced {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// One more reply, after those before.
    pub(crate) fn reply(&self) -> Pieces {
        let (pieces, reply) = mpsc::unbounded_channel();
        self.replies.lock().unwrap().push_back(reply);
        Pieces(pieces)
    }

    /// One more reply that is whole.
    pub(crate) fn replies(&self, text: &str) {
        self.reply().say(text).stop();
    }

    /// What the model was shown last: always a valid conversation.
    pub(crate) fn seen(&self) -> Vec<Message> {
        let seen = self.asked.lock().unwrap().last().cloned().unwrap();
        let valid = History::try_from(seen.clone());
        assert!(valid.is_ok(), "{valid:?}");
        seen
    }
}

/// What a conversation says, a line each: `user: …`, `said: …`, `cut: …` for a reply that was cut off, `tool: …`.
pub(crate) fn lines(messages: &[Message]) -> Vec<String> {
    let line = |message: &Message| match message {
        Message::User(said) => format!("user: {}", said.content),
        Message::Assistant(reply) if reply.interrupted => format!("cut: {}", reply.content),
        Message::Assistant(reply) => format!("said: {}", reply.content),
        Message::Tool(result) => format!("tool: {} {:?}", result.name, result.outcome),
        other => format!("{other:?}"),
    };
    messages.iter().map(line).collect()
}

impl ChatModel for Paced {
    fn name(&self) -> &str {
        "paced"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        self.asked.lock().unwrap().push(request.messages.to_vec());
        self.started.notify_one();
        let Some(reply) = self.replies.lock().unwrap().pop_front() else {
            return stream::iter([Err(ModelError::rejected("no more replies"))]).boxed();
        };
        let events = stream::unfold(Some(reply), |reply| async move {
            let mut reply = reply?;
            let event = reply.recv().await?;
            let left = (!matches!(event, ModelEvent::Finish(_))).then_some(reply);
            Some((Ok(event), left))
        });
        events.boxed()
    }
}
