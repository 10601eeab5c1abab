//! The phone: calls, messages and the phone book, behind a service that a real telephone implements.
//!
//! Numbers are private in a full car: they are read aloud only where somebody asked for one.

mod call;
mod callee;
mod control;
mod handle;
mod line;
mod list;
mod message;
mod names;
mod search;
mod simulated;
#[cfg(test)]
mod tests;

pub use line::{CallDirection, CallEnd, CallRecord, CallState, Line, LineCall, SentMessage};
pub use simulated::SimulatedPhone;

use crate::contacts::PhoneBook;
use incar_core::{Bilingual, Effect, Erased, ErrorKind, Lang, Tool, ToolCategory, ToolError, ToolSpec, async_trait};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// How long the telephone has to accept an order. That somebody answers takes longer, and is reported as a state.
const TIMEOUT: Duration = Duration::from_secs(8);

/// A telephone: one line, a phone book, a log of calls, and messages sent.
///
/// Reads are synchronous and cheap: a back end on a bus answers them from what it has subscribed to.
#[async_trait]
pub trait PhoneService: Send + Sync + Debug {
    /// The phone book as it stands.
    fn book(&self) -> Arc<PhoneBook>;

    /// What the line is doing.
    fn line(&self) -> Line;

    /// Calls that are over, the latest first.
    fn calls(&self) -> Vec<CallRecord>;

    /// Messages sent, the latest first.
    fn messages(&self) -> Vec<SentMessage>;

    /// Calls `number`: returns once the telephone dials, not once somebody answers.
    ///
    /// # Errors
    /// [`PhoneError`] where it does not dial.
    async fn dial(&self, number: &str) -> Result<LineCall, PhoneError>;

    /// Does `order` with the call there is, or with the sound; returns what the line does then.
    ///
    /// # Errors
    /// [`PhoneError`] where there is no such call.
    async fn control(&self, order: CallOrder) -> Result<Line, PhoneError>;

    /// Sends `text` to `number`.
    ///
    /// # Errors
    /// [`PhoneError`] where it was not handed over.
    async fn send(&self, number: &str, text: &str) -> Result<SentMessage, PhoneError>;
}

/// What to do with the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallOrder {
    /// Take the call that rings.
    Answer,
    /// Refuse the call that rings.
    Reject,
    /// End the call.
    HangUp,
    /// Switch the microphone off or on again, for this call.
    Microphone(Microphone),
    /// Where calls are heard, this one and the next.
    Sound(Sound),
}

/// Whether the other side hears the car.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum Microphone {
    Muted,
    Live,
}

/// Where calls are heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// From the loudspeakers of the car.
    Speaker,
    /// From the handset or headset only.
    Private,
}

/// Why the telephone did not do as told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PhoneError {
    /// Nothing is going on that could be ended or muted.
    #[error("there is no call")]
    NoCall,
    /// Nobody is calling.
    #[error("no call is coming in")]
    NotRinging,
    /// The line is taken.
    #[error("the line is busy with a call")]
    Busy,
    /// It is no number that can be dialled.
    #[error("no number that can be dialled")]
    BadNumber,
    /// No telephone is connected, or it has no network.
    #[error("the telephone is not available")]
    Unavailable,
    /// It did not answer in time: whether it did as told is unknown.
    #[error("the telephone did not answer")]
    NoAnswer,
}

impl PhoneError {
    /// The same failure as the driver hears it.
    fn spoken(self, lang: Lang) -> ToolError {
        let (zh, en) = match self {
            Self::NoCall => ("现在没有通话。", "There is no call right now."),
            Self::NotRinging => ("现在没有来电。", "Nobody is calling right now."),
            Self::Busy => ("正在通话中，请先挂断。", "You are on a call. Please hang up first."),
            Self::BadNumber => ("这个号码拨不出去。", "That number cannot be dialled."),
            Self::Unavailable => ("手机没有连接好，暂时用不了。", "The phone is not connected right now."),
            Self::NoAnswer => (
                "手机没有响应，不确定有没有成功。",
                "The phone did not answer, so I am not sure it worked.",
            ),
        };
        let kind = match self {
            Self::BadNumber => ErrorKind::InvalidInput,
            Self::NoCall | Self::NotRinging | Self::Busy | Self::Unavailable | Self::NoAnswer => ErrorKind::ToolFailed,
        };
        let error = ToolError::new(kind, lang.pick(zh, en));
        if self == Self::NoAnswer {
            error.in_doubt()
        } else {
            error
        }
    }
}

/// The tools that act on `phone`.
pub fn tools(phone: &Arc<dyn PhoneService>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Erased::new(call::CallTool(phone.clone()))),
        Arc::new(Erased::new(control::ControlCall(phone.clone()))),
        Arc::new(Erased::new(message::SendMessage(phone.clone()))),
        Arc::new(Erased::new(list::ListCalls(phone.clone()))),
        Arc::new(Erased::new(search::SearchContact(phone.clone()))),
    ]
}

/// A spec of this category, with the tool's words.
fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::PHONE, effect, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(crate::words::of(name))
}
