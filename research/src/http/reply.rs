//! What a client is answered.

use crate::error::{ResearchError, failure};
use crate::progress::{Progress, ProgressListener, ProgressSender};
use crate::request::{ResearchAnswer, ResearchRequest, ResearchService};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use axum::http::{Response as Parts, StatusCode};
use axum::response::Response;
use futures_util::future::BoxFuture;
use futures_util::stream;
use incar_core::ErrorKind;
use serde::Serialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, watch};

/// Why a question is not researched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A page of a browser asks.
    Page,
    /// It was meant for another host.
    OtherHost,
    /// The token was not shown.
    Unknown,
    /// It is no JSON.
    NotJson,
    /// It is no request.
    Invalid(String),
    /// It is too long.
    TooLong,
    /// It did not arrive in time.
    Late,
    /// Too many are being researched.
    Busy,
}

impl Refusal {
    fn parts(&self) -> (StatusCode, ErrorKind, &str) {
        match self {
            Self::Page => (
                StatusCode::FORBIDDEN,
                ErrorKind::Denied,
                "pages of a browser are not served",
            ),
            Self::OtherHost => (
                StatusCode::FORBIDDEN,
                ErrorKind::Denied,
                "this machine goes by other names",
            ),
            Self::Unknown => (
                StatusCode::UNAUTHORIZED,
                ErrorKind::Denied,
                "the token is missing or wrong",
            ),
            Self::NotJson => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ErrorKind::InvalidInput,
                "the question must come as application/json",
            ),
            Self::Invalid(fault) => (StatusCode::BAD_REQUEST, ErrorKind::InvalidInput, fault),
            Self::TooLong => (
                StatusCode::PAYLOAD_TOO_LARGE,
                ErrorKind::InvalidInput,
                "the request is too long, or was cut off",
            ),
            Self::Late => (
                StatusCode::REQUEST_TIMEOUT,
                ErrorKind::Deadline,
                "the request did not arrive in time",
            ),
            Self::Busy => (
                StatusCode::TOO_MANY_REQUESTS,
                ErrorKind::Busy,
                "too many questions are being researched",
            ),
        }
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Self {
        let (status, kind, message) = refusal.parts();
        let mut reply = json_reply(status, &failure(kind, message));
        if status == StatusCode::UNAUTHORIZED {
            let wanted = HeaderValue::from_static("Bearer");
            reply.headers_mut().insert(WWW_AUTHENTICATE, wanted);
        }
        reply
    }
}

/// The answer as JSON.
pub(super) async fn answered(
    service: &dyn ResearchService,
    request: &ResearchRequest,
    place: OwnedSemaphorePermit,
    mut closed: watch::Receiver<()>,
) -> Response {
    let outcome = tokio::select! {
        outcome = service.answer(request, ProgressSender::default()) => outcome.map_err(Failed::Research),
        _ = closed.changed() => Err(Failed::Closed),
    };
    drop(place);
    match outcome {
        Ok(answer) => json_reply(StatusCode::OK, &answer),
        Err(failed) => json_reply(failed.status(), &failed.body()),
    }
}

/// The run's events, and the answer as the last: `data:` lines of JSON, of which the last is `{"event":"answered","answer":…}`
/// or `{"event":"failed","error":…}`.
pub(super) fn told(
    service: Arc<dyn ResearchService>,
    request: ResearchRequest,
    place: OwnedSemaphorePermit,
    mut closed: watch::Receiver<()>,
) -> Response {
    let progress = ProgressSender::default();
    let events = progress.listen();
    let answering = async move {
        let _place = place;
        tokio::select! {
            outcome = service.answer(&request, progress) => outcome.map_err(Failed::Research),
            _ = closed.changed() => Err(Failed::Closed),
        }
    };
    let running = Telling {
        events,
        run: Run::Answering(Box::pin(answering)),
    };
    let lines = stream::unfold(Some(running), |telling| async {
        let (event, rest) = telling?.next().await;
        Some((Ok::<_, Infallible>(format!("data: {event}\n\n")), rest))
    });
    let mut reply = Response::new(Body::from_stream(lines));
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

/// A run whose events are told. Dropped, it is called off.
struct Telling {
    events: ProgressListener,
    run: Run,
}

enum Run {
    Answering(BoxFuture<'static, Result<ResearchAnswer, Failed>>),
    /// It has ended with this, which is told after all that came before.
    Ended(Value),
}

impl Telling {
    /// The next event, and what comes after it.
    async fn next(mut self) -> (Value, Option<Self>) {
        let last = match self.run {
            Run::Ended(last) => last,
            Run::Answering(mut answering) => tokio::select! {
                biased;
                Some(event) = self.events.next() => {
                    self.run = Run::Answering(answering);
                    return (json(event), Some(self));
                }
                outcome = &mut answering => last(outcome),
            },
        };
        match self.events.try_next() {
            Some(event) => {
                self.run = Run::Ended(last);
                (json(event), Some(self))
            }
            None => (last, None),
        }
    }
}

fn json(event: Progress) -> Value {
    serde_json::to_value(event).unwrap_or_default()
}

fn last(outcome: Result<ResearchAnswer, Failed>) -> Value {
    match outcome {
        Ok(answer) => json!({"event": "answered", "answer": answer}),
        Err(failed) => json!({"event": "failed", "error": failed.body().get("error")}),
    }
}

/// Why there is no answer.
enum Failed {
    Research(ResearchError),
    /// The server stops.
    Closed,
}

impl Failed {
    fn status(&self) -> StatusCode {
        match self {
            Self::Closed => StatusCode::SERVICE_UNAVAILABLE,
            Self::Research(error) => match error.kind() {
                ErrorKind::InvalidInput => StatusCode::BAD_REQUEST,
                ErrorKind::NotFound => StatusCode::NOT_FOUND,
                ErrorKind::ModelUnavailable | ErrorKind::ModelRejected => StatusCode::BAD_GATEWAY,
                ErrorKind::Deadline => StatusCode::GATEWAY_TIMEOUT,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            },
        }
    }

    fn body(&self) -> Value {
        match self {
            Self::Research(error) => failure(error.kind(), &error.to_string()),
            Self::Closed => failure(ErrorKind::Internal, "the server stops"),
        }
    }
}

fn json_reply(status: StatusCode, body: &impl Serialize) -> Response {
    let (status, body) = match serde_json::to_vec(body) {
        Ok(body) => (status, body),
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            (StatusCode::INTERNAL_SERVER_ERROR, Vec::new())
        }
    };
    let mut reply = Parts::new(Body::from(body));
    *reply.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    reply.headers_mut().insert(CONTENT_TYPE, json);
    reply
}
