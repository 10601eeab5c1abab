//! A telephone that lives in memory and moves with an injected clock.

use super::{
    CallDirection, CallEnd, CallOrder, CallRecord, CallState, Line, LineCall, Microphone, PhoneError, PhoneService,
    SentMessage, Sound,
};
use crate::contacts::PhoneBook;
use crate::vehicle::SignalValue;
use incar_core::{Clock, Timestamp, async_trait};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// From dialling until it rings there.
const DIALS: Duration = Duration::from_secs(2);
/// From ringing until somebody takes it: everybody whom the simulator calls does.
const RINGS_THERE: Duration = Duration::from_secs(5);
/// From ringing here until the caller gives up.
const RINGS_HERE: Duration = Duration::from_secs(30);
/// So many calls and messages are kept.
const KEPT: usize = 50;

/// Calls of the sample log: whose, who called whom, how it ended, how many minutes ago. Those are left out who are not
/// in the phone book.
const SAMPLE_LOG: [(&str, CallDirection, CallEnd, u64); 6] = [
    ("zhang_wei", CallDirection::Incoming, CallEnd::Unanswered, 35),
    ("wang_fang", CallDirection::Outgoing, CallEnd::Talked, 95),
    ("mother", CallDirection::Incoming, CallEnd::Talked, 200),
    ("sarah_taylor", CallDirection::Incoming, CallEnd::Unanswered, 19 * 60),
    ("sun_hao", CallDirection::Incoming, CallEnd::Rejected, 26 * 60),
    ("bob_smith", CallDirection::Outgoing, CallEnd::Unanswered, 50 * 60),
];

/// A telephone for simulators and tests: who is called answers after some simulated seconds, and
/// [`SimulatedPhone::ring`] lets somebody call.
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_tools::phone::{CallState, PhoneService, SimulatedPhone};
/// use incar_tools::contacts::PhoneBook;
/// use std::sync::Arc;
///
/// let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)));
/// let phone = SimulatedPhone::new(Arc::new(PhoneBook::embedded()?), clock);
/// phone.ring("14000000005")?;
/// assert_eq!(phone.line().call.map(|call| call.state), Some(CallState::Ringing));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SimulatedPhone {
    book: Arc<PhoneBook>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    call: Option<Going>,
    speaker: bool,
    /// The latest last.
    calls: Vec<CallRecord>,
    messages: Vec<SentMessage>,
}

/// The call as it began; how far it has come follows from the time.
#[derive(Debug, Clone)]
struct Going {
    number: String,
    direction: CallDirection,
    began: Timestamp,
    answered: Option<Timestamp>,
    muted: bool,
}

impl Going {
    fn at(&self, now: Timestamp) -> LineCall {
        let (state, since) = match (self.direction, self.answered) {
            (_, Some(answered)) => (CallState::Active, answered),
            (CallDirection::Incoming, None) => (CallState::Ringing, self.began),
            (CallDirection::Outgoing, None) => match now.since(self.began) {
                passed if passed < DIALS => (CallState::Dialing, self.began),
                passed if passed < DIALS + RINGS_THERE => (CallState::Ringing, self.began.plus(DIALS)),
                _ => (CallState::Active, self.began.plus(DIALS + RINGS_THERE)),
            },
        };
        LineCall {
            muted: self.muted,
            ..LineCall::new(self.number.as_str(), self.direction, state, since)
        }
    }

    fn record(&self, end: CallEnd) -> CallRecord {
        CallRecord::new(self.number.as_str(), self.direction, end, self.began)
    }
}

impl SimulatedPhone {
    /// A telephone with this phone book, a sample log of calls, and nothing going on.
    pub fn new(book: Arc<PhoneBook>, clock: Arc<dyn Clock>) -> Self {
        let state = Mutex::new(State::initial(&book, clock.now()));
        Self { book, clock, state }
    }

    /// Everything as it was at first, the log reckoned from now.
    pub fn reset(&self) {
        *self.lock() = State::initial(&self.book, self.clock.now());
    }

    /// Somebody calls from `number`. Unanswered it rings for half a minute.
    ///
    /// # Errors
    /// [`PhoneError::Busy`] where the line is taken, [`PhoneError::BadNumber`] where nobody can call from there.
    pub fn ring(&self, number: &str) -> Result<(), PhoneError> {
        let number = dialable(number)?;
        let (mut state, now) = self.settled();
        state.begin(number, CallDirection::Incoming, now)
    }

    /// What the telephone does, by name: for a simulator's display and for tests.
    pub fn state(&self) -> BTreeMap<String, SignalValue> {
        let (state, now) = self.settled();
        let call = state.call.as_ref().map(|call| call.at(now));
        let name = |number: &str| {
            self.book
                .contact_with_number(number)
                .map(|contact| contact.name.clone())
        };
        let missed = state.calls.iter().filter(|call| call.is_missed()).count();
        let text = |text: Option<String>| SignalValue::Text(text.unwrap_or_default());
        let state_name = call.as_ref().map_or("idle", |call| call.state.as_str());
        BTreeMap::from([
            ("Phone.Call.State".into(), SignalValue::Text(state_name.into())),
            (
                "Phone.Call.Number".into(),
                text(call.as_ref().map(|call| call.number.clone())),
            ),
            (
                "Phone.Call.Contact".into(),
                text(call.as_ref().and_then(|call| name(&call.number))),
            ),
            (
                "Phone.Call.IsMuted".into(),
                SignalValue::Bool(call.is_some_and(|call| call.muted)),
            ),
            ("Phone.IsSpeakerOn".into(), SignalValue::Bool(state.speaker)),
            ("Phone.MissedCalls".into(), SignalValue::Number(missed as f64)),
            (
                "Phone.SentMessages".into(),
                SignalValue::Number(state.messages.len() as f64),
            ),
            (
                "Phone.LastMessage".into(),
                text(state.messages.last().map(|message| message.text.clone())),
            ),
        ])
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state once what time alone does has happened: a caller gives up.
    fn settled(&self) -> (MutexGuard<'_, State>, Timestamp) {
        let now = self.clock.now();
        let mut state = self.lock();
        let gave_up = |call: &mut Going| {
            call.direction == CallDirection::Incoming && call.answered.is_none() && now.since(call.began) >= RINGS_HERE
        };
        if let Some(call) = state.call.take_if(gave_up) {
            state.keep(call.record(CallEnd::Unanswered));
        }
        (state, now)
    }
}

impl State {
    fn initial(book: &PhoneBook, now: Timestamp) -> Self {
        let ago = |minutes: u64| Timestamp::from_millis(now.as_millis().saturating_sub(minutes * 60_000));
        let calls = SAMPLE_LOG.iter().rev().filter_map(|(id, direction, end, minutes)| {
            let number = book.contact(id)?.numbers.first()?;
            Some(CallRecord::new(number.number.as_str(), *direction, *end, ago(*minutes)))
        });
        Self {
            call: None,
            speaker: true,
            calls: calls.collect(),
            messages: Vec::new(),
        }
    }

    fn begin(&mut self, number: String, direction: CallDirection, now: Timestamp) -> Result<(), PhoneError> {
        if self.call.is_some() {
            return Err(PhoneError::Busy);
        }
        self.call = Some(Going {
            number,
            direction,
            began: now,
            answered: None,
            muted: false,
        });
        Ok(())
    }

    fn keep(&mut self, record: CallRecord) {
        self.calls.push(record);
        let surplus = self.calls.len().saturating_sub(KEPT);
        self.calls.drain(..surplus);
    }

    fn line(&self, now: Timestamp) -> Line {
        Line::new(self.call.as_ref().map(|call| call.at(now)), self.speaker)
    }

    /// Ends the call there is.
    fn end(&mut self, now: Timestamp, refused: CallEnd) -> Result<(), PhoneError> {
        let call = self.call.take().ok_or(PhoneError::NoCall)?;
        let end = match (call.at(now).state, call.direction) {
            (CallState::Active, _) => CallEnd::Talked,
            (CallState::Dialing | CallState::Ringing, CallDirection::Outgoing) => CallEnd::Unanswered,
            (CallState::Dialing | CallState::Ringing, CallDirection::Incoming) => refused,
        };
        self.keep(call.record(end));
        Ok(())
    }

    /// The call that rings here.
    fn ringing(&mut self) -> Result<&mut Going, PhoneError> {
        self.call
            .as_mut()
            .filter(|call| call.direction == CallDirection::Incoming && call.answered.is_none())
            .ok_or(PhoneError::NotRinging)
    }
}

#[async_trait]
impl PhoneService for SimulatedPhone {
    fn book(&self) -> Arc<PhoneBook> {
        self.book.clone()
    }

    fn line(&self) -> Line {
        let (state, now) = self.settled();
        state.line(now)
    }

    fn calls(&self) -> Vec<CallRecord> {
        self.settled().0.calls.iter().rev().cloned().collect()
    }

    fn messages(&self) -> Vec<SentMessage> {
        self.lock().messages.iter().rev().cloned().collect()
    }

    async fn dial(&self, number: &str) -> Result<LineCall, PhoneError> {
        let number = dialable(number)?;
        let (mut state, now) = self.settled();
        state.begin(number, CallDirection::Outgoing, now)?;
        state.line(now).call.ok_or(PhoneError::NoCall)
    }

    async fn control(&self, order: CallOrder) -> Result<Line, PhoneError> {
        let (mut state, now) = self.settled();
        match order {
            CallOrder::Answer => state.ringing()?.answered = Some(now),
            CallOrder::Reject => {
                state.ringing()?;
                state.end(now, CallEnd::Rejected)?;
            }
            CallOrder::HangUp => state.end(now, CallEnd::Rejected)?,
            CallOrder::Microphone(microphone) => {
                let call = state.call.as_mut().ok_or(PhoneError::NoCall)?;
                call.muted = microphone == Microphone::Muted;
            }
            CallOrder::Sound(sound) => state.speaker = sound == Sound::Speaker,
        }
        Ok(state.line(now))
    }

    async fn send(&self, number: &str, text: &str) -> Result<SentMessage, PhoneError> {
        let message = SentMessage::new(dialable(number)?, text, self.clock.now());
        let mut state = self.lock();
        state.messages.push(message.clone());
        let surplus = state.messages.len().saturating_sub(KEPT);
        state.messages.drain(..surplus);
        Ok(message)
    }
}

/// A number without the signs people write into it.
fn dialable(number: &str) -> Result<String, PhoneError> {
    let digits: String = number
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '.'))
        .collect();
    let rest = digits.strip_prefix('+').unwrap_or(&digits);
    let fits = (3..=15).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit());
    if fits { Ok(digits) } else { Err(PhoneError::BadNumber) }
}
