//! What can go wrong between incar and the broker.

use crate::routes::OverlayError;
use std::error::Error;
use tonic::{Code, ConnectError, Status};

/// Why there is no car, as a host hears it. What a driver hears is decided by
/// [`VehicleError`](incar_tools::vehicle::VehicleError).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KuksaError {
    /// The address is none.
    #[error("`{url}` is no address of a broker: {problem}")]
    Url {
        /// The address.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The certificates or the name in them cannot be used.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The token has characters that cannot be sent.
    #[error("the token cannot be sent: it has other characters than visible ASCII")]
    Token,
    /// The overlay cannot be used.
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    /// The shipped catalogue of signals cannot be used; a test holds that it can.
    #[error("the catalogue of signals: {0}")]
    Catalogue(String),
    /// The link could not be started.
    #[error("the link to the car could not be started: {0}")]
    Start(String),
    /// Nobody answers at the address, or the certificate is not trusted.
    #[error("no broker could be reached: {0}")]
    Unreachable(String),
    /// No answer in time.
    #[error("the broker did not answer in time")]
    Late,
    /// The broker ended the subscription.
    #[error("the broker ended the subscription")]
    Closed,
    /// No token, or one that is not valid any more.
    #[error("the broker does not accept the token: {0}")]
    Unauthenticated(String),
    /// The token does not allow that.
    #[error("the token does not allow that: {0}")]
    PermissionDenied(String),
    /// The broker answered with an error, or with what makes no sense.
    #[error("the broker failed: {0}")]
    Broker(String),
}

impl From<Status> for KuksaError {
    fn from(status: Status) -> Self {
        if status.source().is_some() {
            return Self::Unreachable(root_cause(&status));
        }
        let message = status.message().to_owned();
        match status.code() {
            Code::Unauthenticated => Self::Unauthenticated(message),
            Code::PermissionDenied => Self::PermissionDenied(message),
            Code::DeadlineExceeded => Self::Late,
            Code::Unavailable => Self::Unreachable(message),
            code => Self::Broker(format!("{code:?}: {message}")),
        }
    }
}

/// The innermost cause: "connection refused" rather than "transport error".
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Whether a call was never sent, because nobody could be reached.
pub(crate) fn never_sent(status: &Status) -> bool {
    let mut cause: Option<&dyn Error> = status.source();
    while let Some(error) = cause {
        if error.is::<ConnectError>() {
            return true;
        }
        cause = error.source();
    }
    false
}
