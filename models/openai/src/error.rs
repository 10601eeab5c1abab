//! What went wrong with a service, as a [`ModelError`].

use hyper_util::client::legacy;
use incar_core::{ErrorKind, ModelError};
use incar_net::innermost;
use serde_json::Value;
use std::error::Error;
use std::io;
use std::time::Duration;

/// How many characters of a service's own words an error repeats.
const SHOWN: usize = 300;
const BROKEN: &str = "the connection to the service broke";

/// The service answered with a status that is no success.
pub(crate) fn status(status: u16, body: &[u8], retry_after: Option<Duration>) -> ModelError {
    let fault = Fault::of_body(body);
    let message = format!("the service answered {status}: {}", fault.message);
    classified(status, message, &fault)
        .quoting_service()
        .with_status(status)
        .with_retry_after(retry_after)
}

/// The service sent an error inside a reply.
pub(crate) fn in_band(error: &Value) -> ModelError {
    let fault = Fault::of_value(error);
    let message = format!("the service sent an error: {}", fault.message);
    let error = match fault.status {
        Some(status) => classified(status, message, &fault).with_status(status),
        None if fault.is_refusal() => ModelError::rejected(message),
        None => ModelError::unavailable(message),
    };
    error.quoting_service()
}

fn classified(status: u16, message: String, fault: &Fault) -> ModelError {
    match status {
        408 | 409 | 425 | 429 | 500..=599 => {
            let mut error = ModelError::unavailable(message);
            // A bill that was not paid will not be paid in the next second.
            error.retryable = fault.code != "insufficient_quota";
            error
        }
        _ => ModelError::rejected(message),
    }
}

/// A service said what is wrong.
#[derive(Debug)]
struct Fault {
    message: String,
    code: String,
    kind: String,
    status: Option<u16>,
}

impl Fault {
    fn of_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::of_value(&value),
            Err(_) => {
                let text = String::from_utf8_lossy(body);
                let text = text.trim_start_matches('\u{feff}').trim();
                Self::of_value(&Value::from(match text {
                    "" => "nothing more",
                    html if html.starts_with('<') => "an HTML page",
                    text => text,
                }))
            }
        }
    }

    /// `{"error": {…}}`, `{"error": "…"}`, `{"code", "message"}`, `{"detail": …}`, `"…"`, or a list
    /// that holds one of these.
    fn of_value(value: &Value) -> Self {
        let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
        let inner = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        let text = |name: &str| match inner.get(name).or_else(|| value.get(name)) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let (code, kind) = (text("code"), text("type"));
        let said = [text("message"), text("detail"), code.clone(), kind.clone()]
            .into_iter()
            .find(|text| !text.is_empty());
        let said = said.or_else(|| inner.as_str().map(str::to_owned));
        let status = [&code, &text("status_code"), &text("status")]
            .into_iter()
            .find_map(|number| number.parse().ok().filter(|status| (400..=599).contains(status)));
        Self {
            message: shortened(&said.unwrap_or_else(|| inner.to_string())),
            code,
            kind,
            status,
        }
    }

    /// Whether asking again will not help, though no status says so.
    fn is_refusal(&self) -> bool {
        let said = format!("{} {}", self.code, self.kind).to_ascii_lowercase();
        [
            "invalid",
            "inspection",
            "authentication",
            "permission",
            "not_found",
            "content_filter",
            "arrearage",
        ]
        .iter()
        .any(|word| said.contains(word))
    }
}

/// The first characters of `text`, on one line.
fn shortened(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        line.push(' ');
        line.push_str(word);
        if line.len() > 4 * SHOWN {
            break;
        }
    }
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => {
            line.truncate(end);
            line + "…"
        }
        None => line,
    }
}

/// No answer began: the service could not be reached, or the connection broke first.
pub(crate) fn unanswered(error: legacy::Error) -> ModelError {
    let cause = innermost(&error);
    let is_late = cause
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::TimedOut);
    unreachable(
        match (error.is_connect(), is_late) {
            (true, true) => "the service could not be reached in time",
            (true, false) => "the service could not be reached",
            (false, _) => BROKEN,
        },
        cause,
    )
}

/// The connection broke in the middle of a reply.
pub(crate) fn broken(error: &hyper::Error) -> ModelError {
    unreachable(BROKEN, innermost(error))
}

fn unreachable(what: &str, cause: &(dyn Error + 'static)) -> ModelError {
    ModelError::unavailable(format!("{what}: {}", shortened(&cause.to_string())))
}

/// The reply did not begin in time.
pub(crate) fn no_first_token(limit: Duration) -> ModelError {
    ModelError::unavailable(format!("the service sent nothing for {} ms", limit.as_millis()))
}

/// The reply did not end in time.
pub(crate) fn out_of_time(limit: Duration) -> ModelError {
    let mut error = ModelError::unavailable(format!("the reply took longer than {} ms", limit.as_millis()));
    error.kind = ErrorKind::Deadline;
    error
}

/// The reply grew beyond a bound; it would again.
pub(crate) fn too_large(what: &str, limit: usize) -> ModelError {
    let mut error = ModelError::unavailable(format!("{what} of the reply is longer than {limit} bytes"));
    error.retryable = false;
    error
}

/// The reply ended before it was whole.
pub(crate) fn cut() -> ModelError {
    ModelError::unavailable("the reply was cut off")
}

/// What came is no reply.
pub(crate) fn unreadable(what: &str) -> ModelError {
    ModelError::unavailable(format!("the service sent {what} instead of a reply"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whether_asking_again_may_help() {
        for code in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            let error = status(code, b"{}", None);
            assert_eq!(
                (error.kind, error.retryable, error.status),
                (ErrorKind::ModelUnavailable, true, Some(code))
            );
        }
        for code in [400, 401, 402, 403, 404, 413, 422] {
            let error = status(code, b"{}", None);
            assert_eq!(
                (error.kind, error.retryable, error.status),
                (ErrorKind::ModelRejected, false, Some(code))
            );
        }
        let unpaid = status(429, br#"{"error":{"message":"pay","code":"insufficient_quota"}}"#, None);
        assert!(!unpaid.retryable);
    }

    #[test]
    fn a_services_words_are_found_wherever_they_stand() {
        for (body, message) in [
            (r#"{"error":{"message":"no such model","code":null}}"#, "no such model"),
            (r#"{"error":"model not found"}"#, "model not found"),
            (r#"{"code":"InvalidParameter","message":"bad","request_id":"1"}"#, "bad"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            (r#"{"error":{"code":"Throttling"}}"#, "Throttling"),
            (r#"[{"error":{"code":400,"message":"first"}}]"#, "first"),
            ("upstream\n  gone", "upstream gone"),
            ("  <!DOCTYPE html><p>", "an HTML page"),
            ("", "nothing more"),
        ] {
            let error = status(500, body.as_bytes(), None);
            assert_eq!(error.message, format!("the service answered 500: {message}"));
        }
    }

    #[test]
    fn an_error_inside_a_reply_is_judged_by_its_code() {
        for (json, kind) in [
            (r#"{"error":{"message":"x","code":401}}"#, ErrorKind::ModelRejected),
            (r#"{"error":{"message":"x","code":"502"}}"#, ErrorKind::ModelUnavailable),
            (
                r#"{"error":{"message":"x","type":"invalid_request_error"}}"#,
                ErrorKind::ModelRejected,
            ),
            (
                r#"{"code":"DataInspectionFailed","message":"x"}"#,
                ErrorKind::ModelRejected,
            ),
            (
                r#"{"error":{"message":"x","type":"server_error"}}"#,
                ErrorKind::ModelUnavailable,
            ),
        ] {
            assert_eq!(in_band(&serde_json::from_str(json).unwrap()).kind, kind, "{json}");
        }
    }

    #[test]
    fn a_services_words_are_bounded() {
        let message = status(500, "长 ".repeat(5000).as_bytes(), None).message;
        assert!(message.chars().count() < SHOWN + 50, "{}", message.chars().count());
    }
}
