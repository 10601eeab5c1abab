//! The researcher as a service: one way in for every method.

use crate::answer::AnswerKind;
use crate::error::ResearchError;
use crate::id::RunId;
use crate::progress::ProgressSender;
use crate::record::Method;
use crate::request::{ResearchAnswer, ResearchRequest, ResearchService};
use crate::researcher::Researcher;
use incar_core::async_trait;

#[async_trait]
impl ResearchService for Researcher {
    async fn answer(
        &self,
        request: &ResearchRequest,
        progress: ProgressSender,
    ) -> Result<ResearchAnswer, ResearchError> {
        let researcher = self.telling(progress);
        let (question, lang) = (request.question.as_str(), request.lang());
        let follows = match &request.follows {
            Some(earlier) => {
                let record = self.record(earlier).await?;
                Some(record.ok_or_else(|| ResearchError::UnknownRun(earlier.clone()))?)
            }
            None => None,
        };
        let record = match request.method {
            Method::Rounds => researcher.rounds(question, lang, follows.as_ref()).await?,
            Method::Deep => researcher.deep(question, lang).await?,
            Method::Team => {
                researcher
                    .by_team(question, lang, request.kind(), follows.as_ref())
                    .await?
            }
            Method::React => researcher.by_react(question, lang, follows.as_ref()).await?,
        };
        Ok(ResearchAnswer::of(record, request.kind()))
    }

    async fn take_up(&self, run: &RunId, progress: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
        let record = self.telling(progress).resume(run).await?;
        let kind = AnswerKind::asked_by(&record.question).unwrap_or_default();
        Ok(ResearchAnswer::of(record, kind))
    }
}
