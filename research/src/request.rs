//! A question as JSON, and what comes of it: the same for the command line, a line of JSON, an HTTP request and a job.

use crate::answer::{AnswerKind, normalize};
use crate::error::ResearchError;
use crate::id::RunId;
use crate::progress::ProgressSender;
use crate::record::{Method, RunRecord};
use crate::sources::Source;
use incar_core::{Lang, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A question to be researched.
///
/// ```
/// use incar_research::{AnswerKind, Method, ResearchRequest};
///
/// let request: ResearchRequest =
///     serde_json::from_str(r#"{"question": "青岛跨海大桥有多少公里", "method": "team"}"#)?;
/// assert_eq!(request.method, Method::Team);
/// assert_eq!(request.kind(), AnswerKind::Number);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ResearchRequest {
    /// The question.
    pub question: String,
    /// How it is to be answered; by rounds unless said.
    #[serde(default)]
    pub method: Method,
    /// What kind of answer is asked for; read from the question unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<AnswerKind>,
    /// The language of the answer; that of the question unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub lang: Option<Lang>,
    /// The run whose answer this question asks further about; deep research does not look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub follows: Option<RunId>,
}

impl ResearchRequest {
    /// A question, to be answered by rounds.
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            method: Method::default(),
            kind: None,
            lang: None,
            follows: None,
        }
    }

    /// The same question, answered by `method`.
    #[must_use]
    pub fn by(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The same question, which asks for an answer of this kind.
    #[must_use]
    pub fn for_kind(mut self, kind: AnswerKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// The same question, answered in this language.
    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> Self {
        self.lang = Some(lang);
        self
    }

    /// The same question, which asks further about the answer of that run.
    #[must_use]
    pub fn following(mut self, run: RunId) -> Self {
        self.follows = Some(run);
        self
    }

    /// What kind of answer is asked for: as said, else as the question plainly says, else words.
    pub fn kind(&self) -> AnswerKind {
        self.kind
            .or_else(|| AnswerKind::asked_by(&self.question))
            .unwrap_or_default()
    }

    /// The language of the answer: as said, else that of the question.
    pub fn lang(&self) -> Lang {
        self.lang.or_else(|| Lang::of_text(&self.question)).unwrap_or_default()
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResearchAnswer {
    /// The answer, in Markdown; `[3]` cites the source with that number. Where it abstains, what is known.
    pub answer: String,
    /// The bare answer in the form in which answers are compared ([`normalize`]); empty where it abstains.
    pub normalized: String,
    /// The kind of answer that was asked for.
    pub kind: AnswerKind,
    /// How sure the answer is, 0 to 1, where the method computes that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether there is no answer because what was found does not bear one.
    pub abstained: bool,
    /// What the answer rests on.
    pub sources: Vec<Source>,
    /// The run: what it took, and what its steps found.
    pub record: RunRecord,
}

impl ResearchAnswer {
    /// The answer of a run that ended.
    pub fn of(record: RunRecord, kind: AnswerKind) -> Self {
        let verified = record.verified.as_ref();
        let bare = verified.map_or(record.answer.as_str(), |verified| verified.value.as_str());
        Self {
            answer: record.answer.clone(),
            normalized: normalize(bare, kind),
            kind,
            confidence: verified.map(|verified| verified.confidence),
            abstained: verified.is_some_and(|verified| verified.abstained),
            sources: record.cited_sources().cloned().collect(),
            record,
        }
    }
}

/// Who answers questions.
///
/// Dropping the future calls the run off; what it had done by then is kept, and the run can be taken up again.
#[async_trait]
pub trait ResearchService: Debug + Send + Sync {
    /// Answers a question, and tells `progress` how far it is.
    ///
    /// # Errors
    /// [`ResearchError`] where there is no answer: a question that is none, a model that does not answer, a storage that
    /// fails. That nothing was found is an answer.
    async fn answer(
        &self,
        request: &ResearchRequest,
        progress: ProgressSender,
    ) -> Result<ResearchAnswer, ResearchError>;

    /// Takes up a run that did not end: after a crash, an outage of the model, or because it was called off. Of a run
    /// that ended it is the answer again.
    ///
    /// # Errors
    /// [`ResearchError::UnknownRun`] and whatever [`ResearchService::answer`] may fail with.
    async fn take_up(&self, run: &RunId, progress: ProgressSender) -> Result<ResearchAnswer, ResearchError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_says_what_its_question_leaves_open() {
        for (request, kind, lang, method) in [
            (
                json!({"question": "西湖有多少座桥"}),
                AnswerKind::Integer,
                Lang::Zh,
                Method::Rounds,
            ),
            (
                json!({"question": "Who built it?", "method": "react"}),
                AnswerKind::Text,
                Lang::En,
                Method::React,
            ),
            (
                json!({"question": "Who built it?", "kind": "list", "lang": "zh", "method": "deep"}),
                AnswerKind::List,
                Lang::Zh,
                Method::Deep,
            ),
        ] {
            let read: ResearchRequest = serde_json::from_value(request.clone()).unwrap();
            assert_eq!(
                (read.kind(), read.lang(), read.method),
                (kind, lang, method),
                "{request}"
            );
            assert_eq!(
                serde_json::from_value::<ResearchRequest>(serde_json::to_value(&read).unwrap()).unwrap(),
                read
            );
        }
    }

    #[test]
    fn a_bad_request_is_refused_by_name() {
        for (request, wrong) in [
            (json!({}), "question"),
            (json!({"question": "?", "depth": 3}), "depth"),
            (json!({"question": "?", "method": "magic"}), "magic"),
            (json!({"question": "?", "follows": "../x"}), "../x"),
        ] {
            let error = serde_json::from_value::<ResearchRequest>(request.clone()).unwrap_err();
            assert!(error.to_string().contains(wrong), "{request}: {error}");
        }
    }
}
