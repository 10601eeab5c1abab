//! Asking a model for a typed answer.

use crate::data::one_line;
use crate::json;
use crate::prompts::{Prompt, Task};
use crate::resources::{Request, Resources};
use incar_core::{AssistantMessage, Lang, Message, ModelError, ModelFinish, Usage, schema_fault, schema_of};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// So much of a reply that cannot be used is told, in characters.
const SHOWN: usize = 200;

/// A question whose answer has a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The run's name.
    pub(crate) run: &'a str,
    /// What the model is to do; how it is to answer is added.
    pub(crate) system: &'a str,
    pub(crate) messages: &'a [Message],
    pub(crate) lang: Lang,
}

/// What came of a question, and what it cost either way.
#[derive(Debug)]
pub(crate) struct Asked<T> {
    pub(crate) answer: Result<T, AskError>,
    pub(crate) usage: Usage,
}

/// Why there is no typed answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The model did not answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// It answered twice, and neither reply could be used.
    #[error("the model's answer cannot be used: {fault}")]
    Unusable {
        /// What was wrong with the second reply.
        fault: String,
        /// The beginning of that reply.
        reply: String,
    },
}

/// A reply that is no answer, and what is wrong with it.
struct Miss {
    reply: String,
    fault: String,
}

impl Resources {
    /// Asks for an answer of type `T`: JSON that fits its schema and that `judge` has nothing against. A reply that is
    /// none is shown to the model once, with what is wrong with it.
    pub(crate) async fn ask<T: DeserializeOwned + JsonSchema>(
        &self,
        question: Question<'_>,
        judge: impl Fn(&T) -> Option<String> + Send + Sync,
    ) -> Asked<T> {
        let mut usage = Usage::default();
        let answer = self.ask_twice(question, judge, &mut usage).await;
        Asked { answer, usage }
    }

    async fn ask_twice<T: DeserializeOwned + JsonSchema>(
        &self,
        question: Question<'_>,
        judge: impl Fn(&T) -> Option<String> + Send + Sync,
        usage: &mut Usage,
    ) -> Result<T, AskError> {
        let schema = schema_of::<T>();
        let form = Prompt::of(Task::Structured, question.lang).user(&[("schema", &schema.to_string())]);
        let system = format!("{}\n\n{form}", question.system);
        let question = Question {
            system: &system,
            ..question
        };
        let read = |text: &str| answer_in(text, &schema, &judge);
        let miss = match self.ask_once(question, read, usage).await? {
            Ok(answer) => return Ok(answer),
            Err(miss) => miss,
        };
        tracing::info!(run = question.run, "the model's answer is to be mended");
        let repair = Prompt::of(Task::Repair, question.lang).user(&[("fault", &miss.fault)]);
        let mut messages = question.messages.to_vec();
        if !miss.reply.is_empty() {
            messages.push(Message::Assistant(AssistantMessage::text(miss.reply)));
        }
        messages.push(Message::user(repair));
        let again = Question {
            messages: &messages,
            ..question
        };
        self.ask_once(again, read, usage)
            .await?
            .map_err(|miss| AskError::Unusable {
                fault: miss.fault,
                reply: one_line(&miss.reply, SHOWN),
            })
    }

    async fn ask_once<T>(
        &self,
        question: Question<'_>,
        read: impl Fn(&str) -> Result<T, String>,
        usage: &mut Usage,
    ) -> Result<Result<T, Miss>, ModelError> {
        let reply = self
            .reply(Request {
                run: question.run,
                system: question.system,
                messages: question.messages,
                tools: None,
                lang: question.lang,
            })
            .await?;
        *usage = usage.plus(reply.usage.unwrap_or_default());
        let text = reply.message.content;
        Ok(read(&text).map_err(|mut fault| {
            if reply.finish == Some(ModelFinish::Length) {
                fault.push_str("; the reply was too long and was cut off");
            }
            Miss { reply: text, fault }
        }))
    }
}

/// The first object in a text that is an answer; else what is wrong with the first.
fn answer_in<T: DeserializeOwned>(
    text: &str,
    schema: &Value,
    judge: impl Fn(&T) -> Option<String>,
) -> Result<T, String> {
    let read = |value: Value| match schema_fault(schema, &value) {
        Some(fault) => Err(fault),
        None => serde_json::from_value::<T>(value).map_err(|error| error.to_string()),
    };
    let judged = |answer: T| match judge(&answer) {
        Some(fault) => Err(fault),
        None => Ok(answer),
    };
    let mut first = None;
    for value in json::objects(text) {
        match read(value).and_then(judged) {
            Ok(answer) => return Ok(answer),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_else(|| json::fault(text)))
}

#[cfg(test)]
#[path = "ask_tests.rs"]
mod tests;
