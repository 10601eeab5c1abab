//! The chain: which models are asked, in which order.

use crate::link::Link;
use crate::run::Run;
use futures_util::{StreamExt, stream};
use incar_core::{ChatModel, ChatRequest, Clock, ModelReason, ModelStream, PassedReason};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// How many turns' notes are kept: more turns than this do not run at once in a car.
const KEPT: usize = 64;

/// Which models are asked first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Those on a network in their order, then those on the device.
    #[default]
    CloudFirst,
    /// Those on the device, where they are sure of what was said; else as in [`Mode::CloudFirst`].
    DeviceFirst {
        /// The least confidence that counts as sure, from 0 to 1. [`Mode::DEVICE_FIRST`] has the usual one.
        sure: f32,
    },
    /// Those on the device alone: nothing leaves the car.
    DeviceOnly,
}

impl Mode {
    /// The device first, where it is sure to 0.8.
    pub const DEVICE_FIRST: Self = Self::DeviceFirst { sure: 0.8 };
}

/// Several models as one: where one does not answer, the next is asked.
///
/// Events are passed on as they come, so that the first words are not held up. A model that breaks off
/// in the middle is followed by [`ModelEvent::Started`](incar_core::ModelEvent::Started) of the next
/// one, which voids what came before: a fold drops it, a listener is told to take it back
/// ([`TurnEvent::Retracted`](incar_core::TurnEvent::Retracted)). Tools run only once a reply is whole,
/// and those that ran are in the history that the next model reads: nothing runs twice.
///
/// All rounds of a turn go to the model that answered the first one, as long as it answers; one that
/// did not is not asked again in the same turn, so that each fault costs its time but once.
///
/// | what happens | the next model is asked | counts against the model |
/// | --- | --- | --- |
/// | unreachable (refused, DNS, TLS), cut off, 408, 409, 425, 429, 5xx | yes, after a retry where nothing had come | yes |
/// | no first event, or no end, by its deadline | yes | yes |
/// | no reply: an HTML page, garbage, an endless line, nothing said | yes | yes |
/// | 401 to 407, a redirect elsewhere: key, bill, model's name, hotspot login | yes | yes |
/// | 413: the conversation is too long for it | yes | no |
/// | 400, 422, refused for its content: the request itself is wrong | no | no |
/// | a reply cut by the service's filter or its bound on length | no, it is a reply | no |
///
/// A model that fails three times in a row ([`BreakerSettings`](crate::BreakerSettings)) is left alone
/// for 30 seconds of the injected clock; so is one that asks for it (`Retry-After`), for as long as it
/// asks, up to ten minutes.
///
/// Needs a tokio runtime with time enabled.
///
/// ```
/// use incar_chain::{Chain, Deadlines, Link, Mode};
/// use incar_core::{ChatModel, Clock, DeviceModel};
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// fn chain(cloud: Arc<dyn ChatModel>, brain: Arc<dyn DeviceModel>, clock: Arc<dyn Clock>) -> Chain {
///     let patience = Deadlines::new(Duration::from_secs(3), Duration::from_secs(15));
///     Chain::new(clock, [Link::cloud(cloud).with_deadlines(patience), Link::device(brain)])
///         .with_mode(Mode::DEVICE_FIRST)
/// }
/// ```
#[derive(Debug)]
pub struct Chain {
    name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) clock: Arc<dyn Clock>,
    mode: RwLock<Mode>,
    notes: Mutex<VecDeque<Note>>,
}

/// Who answered a turn so far.
#[derive(Debug, Clone)]
struct Note {
    turn: String,
    answered: usize,
    why: ModelReason,
    passed: Vec<Passed>,
}

/// A link that did not answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub(crate) link: usize,
    pub(crate) why: PassedReason,
}

/// Whom to ask.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The links, first to last.
    pub(crate) order: VecDeque<usize>,
    /// Why the first of them is asked.
    pub(crate) why: ModelReason,
    /// Those that did not answer before in this turn.
    pub(crate) passed: Vec<Passed>,
}

impl Chain {
    /// A chain of `links`, the first first; its breakers go by `clock`. Without any it answers that no
    /// model is available.
    pub fn new(clock: Arc<dyn Clock>, links: impl IntoIterator<Item = Link>) -> Self {
        let links: Vec<Link> = links.into_iter().collect();
        let names: Vec<&str> = links.iter().map(|link| link.model().name()).collect();
        Self {
            name: names.join(" > "),
            links,
            clock,
            mode: RwLock::default(),
            notes: Mutex::default(),
        }
    }

    /// The same chain in this mode. By default [`Mode::CloudFirst`].
    #[must_use]
    pub fn with_mode(self, mode: Mode) -> Self {
        self.set_mode(mode);
        self
    }

    /// Changes the mode, from the next request on: the driver's switch "keep it in the car".
    pub fn set_mode(&self, mode: Mode) {
        *self.mode.write().unwrap_or_else(PoisonError::into_inner) = mode;
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        *self.mode.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The links by mode alone.
    fn places(&self, mode: Mode) -> impl Iterator<Item = usize> {
        let on_device = |wanted: bool| {
            let links = self.links.iter().enumerate();
            links.filter_map(move |(index, link)| (link.is_on_device() == wanted).then_some(index))
        };
        let cloud = match mode {
            Mode::CloudFirst | Mode::DeviceFirst { .. } => Some(on_device(false)),
            Mode::DeviceOnly => None,
        };
        cloud.into_iter().flatten().chain(on_device(true))
    }

    /// Whom to ask for `request`.
    pub(crate) fn plan(&self, request: ChatRequest<'_>) -> Plan {
        let mode = self.mode();
        let mut order: Vec<usize> = self.places(mode).collect();
        if let Some(note) = self.note(request.turn, &order) {
            let failed = |index: &usize| note.passed.iter().any(|passed| passed.link == *index);
            order.retain(|index| *index != note.answered && !failed(index));
            return Plan {
                order: std::iter::once(note.answered).chain(order).collect(),
                why: note.why,
                passed: note.passed,
            };
        }
        let why = match mode {
            Mode::DeviceOnly => ModelReason::DeviceOnly,
            _ if self.links.len() == 1 => ModelReason::Configured,
            Mode::CloudFirst => ModelReason::First,
            Mode::DeviceFirst { sure } => {
                let is_sure = |index: &usize| {
                    let link = self.links.get(*index);
                    link.is_some_and(|link| link.is_on_device() && link.confidence(request) >= sure)
                };
                match order.iter().position(is_sure) {
                    Some(at) => {
                        let index = order.remove(at);
                        order.insert(0, index);
                        ModelReason::Sure
                    }
                    None => ModelReason::First,
                }
            }
        };
        Plan {
            order: order.into(),
            why,
            passed: Vec::new(),
        }
    }

    /// What is known of `turn`, if who answered it may still be asked.
    fn note(&self, turn: &str, order: &[usize]) -> Option<Note> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let note = notes.iter().rfind(|note| !turn.is_empty() && note.turn == turn)?;
        order.contains(&note.answered).then(|| note.clone())
    }

    /// Remembers who answered `turn`.
    pub(crate) fn answered(&self, turn: &str, answered: usize, why: ModelReason, passed: Vec<Passed>) {
        if turn.is_empty() {
            return;
        }
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.retain(|note| note.turn != turn);
        if notes.len() >= KEPT {
            notes.pop_front();
        }
        notes.push_back(Note {
            turn: turn.to_owned(),
            answered,
            why,
            passed,
        });
    }
}

impl ChatModel for Chain {
    /// The names of its models, the first first.
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> &str {
        let first = self.places(self.mode()).find_map(|index| self.links.get(index));
        first.map_or("custom", |link| link.model().provider())
    }

    /// As many as the one that takes fewest; one that takes all gets all.
    fn most_tools(&self) -> usize {
        let links = self.places(self.mode()).filter_map(|index| self.links.get(index));
        links.map(|link| link.model().most_tools()).min().unwrap_or(25)
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        stream::unfold(Run::new(self, request), |mut run| async move {
            run.next().await.map(|event| (event, run))
        })
        .boxed()
    }
}
