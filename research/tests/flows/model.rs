//! A model that answers the same question the same way, however often it is asked: what a run that is taken up asks again
//! is answered as before, and what it asks that was never asked before fails.

use futures_util::{StreamExt, stream};
use incar_core::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelStream};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

type Reply = Vec<Result<ModelEvent, ModelError>>;

/// Every request so far, with what it was answered.
pub(crate) type Memory = Arc<Mutex<HashMap<String, Reply>>>;

/// Writes down what another model answers.
#[derive(Debug)]
pub(crate) struct Remembering<M> {
    pub(crate) model: M,
    pub(crate) memory: Memory,
}

/// Answers from what was written down.
#[derive(Debug)]
pub(crate) struct Remembered(pub(crate) Memory);

fn key(request: &ChatRequest<'_>) -> String {
    let tools: Option<Vec<&str>> = request
        .tools
        .map(|tools| tools.specs().iter().map(|spec| &*spec.name).collect());
    format!("{}\n{:?}\n{tools:?}", request.system, request.messages)
}

impl<M: ChatModel> ChatModel for Remembering<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let replied = async move {
            let reply: Reply = self.model.stream(request).collect().await;
            let again = self.memory.lock().unwrap().insert(key(&request), reply.clone());
            // Whoever did not answer may answer when asked again.
            let failed = |reply: &Reply| reply.iter().any(Result::is_err);
            assert!(
                again.is_none_or(|before| before == reply || failed(&before)),
                "one question was answered in two ways"
            );
            stream::iter(reply)
        };
        stream::once(replied).flatten().boxed()
    }
}

impl ChatModel for Remembered {
    fn name(&self) -> &str {
        "remembered"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let known = self.0.lock().unwrap().get(&key(&request)).cloned();
        let reply = known.unwrap_or_else(|| vec![Err(ModelError::rejected(format!("never asked: {}", key(&request))))]);
        stream::iter(reply).boxed()
    }
}
