//! Questions as lines of JSON: one in, one out.

use crate::error::{ResearchError, failure};
use crate::progress::ProgressSender;
use crate::request::{ResearchRequest, ResearchService};
use incar_core::ErrorKind;
use serde_json::Value;

/// How long a line may be, in bytes: a question has at most 8,000 characters.
pub(crate) const LONGEST_REQUEST: usize = 256 * 1024;

/// Answers a line that is a [`ResearchRequest`] in JSON with a line that is a
/// [`ResearchAnswer`](crate::ResearchAnswer), or `{"error":{"kind","message"}}`. Never fails: what is no request, and what
/// has no answer, is such a line too. Progress is told to `progress`.
pub async fn answer_line(service: &dyn ResearchService, line: &str, progress: ProgressSender) -> String {
    let answer = match read(line.as_bytes()) {
        Ok(request) => service.answer(&request, progress).await.map_err(|error| told(&error)),
        Err(error) => Err(error),
    };
    let written = match answer {
        Ok(answer) => serde_json::to_string(&answer),
        Err(error) => return error.to_string(),
    };
    written.unwrap_or_else(|error| failure(ErrorKind::Internal, &error.to_string()).to_string())
}

/// The request, or what is told of why it is none.
fn read(line: &[u8]) -> Result<ResearchRequest, Value> {
    if line.len() > LONGEST_REQUEST {
        return Err(failure(ErrorKind::InvalidInput, "the request is too long"));
    }
    serde_json::from_slice(line).map_err(|error| failure(ErrorKind::InvalidInput, &error.to_string()))
}

fn told(error: &ResearchError) -> Value {
    failure(error.kind(), &error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RunId;
    use crate::request::ResearchAnswer;
    use incar_core::async_trait;
    use serde_json::json;

    /// Has no answer to anything.
    #[derive(Debug)]
    struct Silent;

    #[async_trait]
    impl ResearchService for Silent {
        async fn answer(&self, request: &ResearchRequest, _: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
            crate::error::checked(&request.question)?;
            Err(ResearchError::Model(incar_core::ModelError::unavailable("down")))
        }

        async fn take_up(&self, run: &RunId, _: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
            Err(ResearchError::UnknownRun(run.clone()))
        }
    }

    #[tokio::test]
    async fn whatever_stands_on_a_line_is_answered_with_one_line_of_json() {
        let long = json!({"question": "x".repeat(100_000)}).to_string();
        let longer = json!({"question": "x".repeat(300_000)}).to_string();
        for (line, kind) in [
            (r#"{"question": "西湖有多大"}"#, "model_unavailable"),
            (r#"{"question": " "}"#, "invalid_input"),
            (r#"{"question": "q", "depth": 3}"#, "invalid_input"),
            ("西湖有多大", "invalid_input"),
            ("", "invalid_input"),
            (&long, "invalid_input"),
            (&longer, "invalid_input"),
        ] {
            let reply = answer_line(&Silent, line, ProgressSender::default()).await;
            let value: Value = serde_json::from_str(&reply).unwrap();
            let shown: String = line.chars().take(60).collect();
            assert_eq!(value["error"]["kind"], kind, "{shown}: {reply}");
            assert!(!reply.contains('\n'), "{shown}");
        }
    }
}
