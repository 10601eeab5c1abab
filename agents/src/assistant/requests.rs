//! Calls from outside that wait for a yes: asked one at a time, when the driver's turn has nothing else to
//! ask, and answered only by what is said in the car.

use super::outside::OutsideState;
use incar_core::turn::{Dialogue, Ending, HeldCall};
use incar_core::{AgentStatus, ExpectsReply, Owner, Timestamp};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many may wait for one seat.
const MOST_WAITING: usize = 4;
/// How many are kept in all, with what came of them; the oldest that ended are forgotten.
const MOST_KEPT: usize = 128;

/// All requests, oldest first.
#[derive(Debug, Default)]
pub(super) struct Requests(Mutex<Vec<Request>>);

#[derive(Debug)]
struct Request {
    id: String,
    /// Who wanted it.
    caller: String,
    /// Whose yes it needs.
    owner: Owner,
    until: Timestamp,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not asked yet.
    Queued(HeldCall),
    /// Asked; the conversation holds it.
    Asked(String),
    /// It came to this.
    Over(OutsideState),
}

/// The request whose question a turn is to put.
#[derive(Debug)]
pub(super) struct Due {
    id: String,
    pub(super) held: HeldCall,
}

/// A turn that ended.
#[derive(Debug)]
pub(super) struct Turned<'a> {
    pub(super) dialogue: &'a mut Dialogue,
    pub(super) ending: &'a mut Ending,
    pub(super) now: Timestamp,
    pub(super) wait: Duration,
}

/// Too many wait already.
#[derive(Debug)]
pub(super) struct Crowded;

impl Request {
    fn waits(&self) -> bool {
        matches!(self.state, State::Queued(_) | State::Asked(_))
    }

    fn expire(&mut self, now: Timestamp) {
        if self.waits() && now >= self.until {
            self.state = State::Over(OutsideState::Expired);
        }
    }
}

/// A turn that was talked over or failed shows what is open without saying it; this is not open.
fn unasked(ending: &mut Ending, prompt: &str) {
    if ending.prompt.as_deref() != Some(prompt) {
        return;
    }
    (ending.prompt, ending.pending, ending.expects) = (None, None, ExpectsReply::None);
    if ending.status == AgentStatus::WaitingInput {
        ending.status = AgentStatus::Cancelled;
    }
}

impl Requests {
    /// Keeps a request until its question can be put.
    pub(super) fn queue(
        &self,
        id: &str,
        caller: &str,
        owner: &Owner,
        held: HeldCall,
        now: Timestamp,
        wait: Duration,
    ) -> Result<(), Crowded> {
        let mut all = self.all();
        all.iter_mut().for_each(|request| request.expire(now));
        let waiting = all.iter().filter(|request| request.owner == *owner && request.waits());
        if waiting.count() >= MOST_WAITING {
            return Err(Crowded);
        }
        if all.len() >= MOST_KEPT {
            let Some(oldest) = all.iter().position(|request| !request.waits()) else {
                return Err(Crowded);
            };
            all.remove(oldest);
        }
        all.push(Request {
            id: id.to_owned(),
            caller: caller.to_owned(),
            owner: owner.clone(),
            until: now.plus(wait),
            state: State::Queued(held),
        });
        Ok(())
    }

    /// The oldest request that the next turn of `owner` can ask about. One at a time.
    pub(super) fn next(&self, owner: &Owner, dialogue: &Dialogue, now: Timestamp) -> Option<Due> {
        let mut all = self.all();
        all.iter_mut().for_each(|request| request.expire(now));
        let mut own = all.iter().filter(|request| request.owner == *owner);
        let asked = own.clone().any(|request| dialogue.holds(&request.id));
        if asked || !dialogue.has_room() {
            return None;
        }
        own.find_map(|request| match &request.state {
            State::Queued(held) => Some(Due {
                id: request.id.clone(),
                held: held.clone(),
            }),
            State::Asked(_) | State::Over(_) => None,
        })
    }

    /// Takes in what a turn of `owner` did. A question that was not heard is taken out of the conversation
    /// again: a yes must never answer it.
    pub(super) fn settle(&self, owner: &Owner, due: Option<Due>, turned: Turned<'_>) {
        let Turned {
            dialogue,
            ending,
            now,
            wait,
        } = turned;
        let mut all = self.all();
        for request in all
            .iter_mut()
            .filter(|request| request.owner == *owner && request.waits())
        {
            if let Some(call) = ending.calls.iter().find(|call| call.id == request.id) {
                request.state = State::Over(OutsideState::Ended(Box::new(call.clone())));
                continue;
            }
            match &request.state {
                State::Queued(held) if due.as_ref().is_some_and(|due| due.id == request.id) => {
                    let prompt = held.prompt();
                    if ending.prompt.as_deref() == Some(prompt) && ending.message.ends_with(prompt) {
                        request.state = State::Asked(prompt.to_owned());
                        request.until = now.plus(wait);
                    } else {
                        unasked(ending, prompt);
                        dialogue.take_held(&request.id);
                    }
                }
                State::Asked(_) if dialogue.holds(&request.id) => request.until = now.plus(wait),
                State::Asked(_) => request.state = State::Over(OutsideState::Declined),
                State::Queued(_) | State::Over(_) => {}
            }
        }
    }

    /// How a request of `caller` stands.
    pub(super) fn state(&self, id: &str, caller: &str, now: Timestamp) -> Option<OutsideState> {
        let mut all = self.all();
        let request = all
            .iter_mut()
            .find(|request| request.id == id && request.caller == caller)?;
        request.expire(now);
        Some(match &request.state {
            State::Queued(held) => OutsideState::Waits {
                question: held.prompt().to_owned(),
            },
            State::Asked(question) => OutsideState::Waits {
                question: question.clone(),
            },
            State::Over(state) => state.clone(),
        })
    }

    /// Forgets what waits for `owner`.
    pub(super) fn forget(&self, owner: &Owner) {
        self.all().retain(|request| request.owner != *owner);
    }

    fn all(&self) -> MutexGuard<'_, Vec<Request>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
