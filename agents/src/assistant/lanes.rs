//! Two utterances at once: each speaker has a lane, and one turn is on it at a time.

use crate::stream::Events;
use incar_core::Owner;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, Semaphore};
use uuid::Uuid;

/// What a speaker's second utterance does while the first is served ("double texting").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum DoubleText {
    /// It interrupts the first: its model is not listened to any more, tools that may be dropped are,
    /// a call that changes something runs to its end. What was done is kept, and the second is served
    /// with all of it in view. A wish for an agent of lower priority waits instead: music does not cut
    /// off a call that is being made.
    #[default]
    Interrupt,
    /// It waits until the first is served.
    Enqueue,
    /// It is answered `busy`.
    Reject,
}

/// How many utterances of one speaker may wait for their turn; one more is answered `busy`.
const MOST_WAITING: usize = 16;

/// The lanes of all speakers that are being served.
#[derive(Debug, Default)]
pub(super) struct Lanes(Mutex<HashMap<Owner, (Arc<Lane>, usize)>>);

#[derive(Debug)]
struct Lane {
    /// One permit: the right to be served.
    turn: Semaphore,
    interrupt: Interrupt,
    /// The turn that is served.
    serving: Mutex<Option<Serving>>,
}

/// A turn that is served, or wants to be.
#[derive(Debug, Clone)]
pub(super) struct Serving {
    turn: Uuid,
    said: Arc<str>,
    events: Events,
}

/// Tells a running turn that its speaker talks over it.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    wanted: AtomicBool,
    woken: Notify,
    /// What the voice had spoken of the turn by then, where that is known.
    spoken: Mutex<Option<Arc<str>>>,
}

/// The speaker asked for more than may wait.
#[derive(Debug)]
pub(super) struct Crowded;

/// A place on a lane: the turn's, once it is served.
#[derive(Debug)]
pub(super) struct Place<'a> {
    lanes: &'a Lanes,
    lane: Arc<Lane>,
    owner: &'a Owner,
    /// Whether another was on the lane when it came.
    second: bool,
    served: bool,
}

impl Interrupt {
    fn raise(&self, spoken: Option<&str>) {
        if let Some(spoken) = spoken {
            *self.noted() = Some(spoken.into());
        }
        self.wanted.store(true, Ordering::Release);
        self.woken.notify_waiters();
    }

    fn lower(&self) {
        *self.noted() = None;
        self.wanted.store(false, Ordering::Release);
    }

    fn noted(&self) -> MutexGuard<'_, Option<Arc<str>>> {
        self.spoken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the voice had spoken when the turn was talked over; `None` where it was not, or nobody knows.
    pub(crate) fn spoken(&self) -> Option<Arc<str>> {
        self.is_raised().then(|| self.noted().clone()).flatten()
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.wanted.load(Ordering::Acquire)
    }

    /// Returns once it is raised.
    pub(crate) async fn raised(&self) {
        let woken = self.woken.notified();
        tokio::pin!(woken);
        // Registered before the flag is read, so that nothing raised in between is missed.
        woken.as_mut().enable();
        if !self.is_raised() {
            woken.await;
        }
    }
}

impl Lanes {
    /// Takes a place on the owner's lane and waits until it is its turn, as `policy` says.
    /// `cuts_off` tells whether what is said now may cut off what is being served; `over` is a turn and
    /// what the voice had spoken of it.
    pub(super) async fn enter<'a>(
        &'a self,
        owner: &'a Owner,
        serving: Serving,
        policy: DoubleText,
        over: Option<(Uuid, &str)>,
        cuts_off: impl Fn(&str) -> bool,
    ) -> Result<Place<'a>, Crowded> {
        let mut place = self.place(owner, policy)?;
        if place.second && policy == DoubleText::Interrupt {
            // Nothing is served yet where the first has only just come: it is not talked over then.
            let first = place
                .lane
                .serving()
                .as_ref()
                .map(|first| (first.turn, first.said.clone()));
            if let Some((turn, _)) = first.filter(|(_, said)| cuts_off(said)) {
                let spoken = over.filter(|(over, _)| *over == turn).map(|(_, spoken)| spoken);
                place.lane.interrupt(turn, spoken);
            }
        }
        // The semaphore is fair and never closed: utterances are served in the order they came.
        if let Ok(permit) = place.lane.turn.acquire().await {
            permit.forget();
        }
        place.served = true;
        place.lane.serve(serving);
        Ok(place)
    }

    /// Takes the lane of an owner for whom nothing is on its way, for no turn.
    pub(super) async fn enter_idle<'a>(&'a self, owner: &'a Owner) -> Result<Place<'a>, Crowded> {
        let nobody = Serving::new(Uuid::nil(), "", &Events::none());
        self.enter(owner, nobody, DoubleText::Reject, None, |_| false).await
    }

    /// Interrupts a turn that is served; whether there is one.
    pub(super) fn interrupt(&self, turn: Uuid, spoken: &str) -> bool {
        let lanes = self.lock();
        lanes.values().any(|(lane, _)| lane.interrupt(turn, Some(spoken)))
    }

    fn place<'a>(&'a self, owner: &'a Owner, policy: DoubleText) -> Result<Place<'a>, Crowded> {
        let mut lanes = self.lock();
        let (lane, users) = lanes.entry(owner.clone()).or_insert_with(|| (Arc::new(Lane::new()), 0));
        let most = match policy {
            DoubleText::Reject => 1,
            DoubleText::Interrupt | DoubleText::Enqueue => 1 + MOST_WAITING,
        };
        if *users >= most {
            return Err(Crowded);
        }
        let second = *users > 0;
        *users += 1;
        Ok(Place {
            lanes: self,
            lane: lane.clone(),
            owner,
            second,
            served: false,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Owner, (Arc<Lane>, usize)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lane {
    fn new() -> Self {
        Self {
            turn: Semaphore::new(1),
            interrupt: Interrupt::default(),
            serving: Mutex::default(),
        }
    }

    fn serving(&self) -> MutexGuard<'_, Option<Serving>> {
        self.serving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new turn: what was to interrupt the one before is no longer meant.
    fn serve(&self, turn: Serving) {
        let mut serving = self.serving();
        *serving = Some(turn);
        self.interrupt.lower();
    }

    /// Interrupts that very turn, if it is still served. Of its words none comes any more.
    fn interrupt(&self, turn: Uuid, spoken: Option<&str>) -> bool {
        let serving = self.serving();
        let Some(serving) = serving.as_ref().filter(|serving| serving.turn == turn) else {
            return false;
        };
        serving.events.silence();
        self.interrupt.raise(spoken);
        true
    }
}

impl Serving {
    pub(super) fn new(turn: Uuid, said: &str, events: &Events) -> Self {
        Self {
            turn,
            said: said.into(),
            events: events.clone(),
        }
    }
}

impl Place<'_> {
    /// What tells this turn that its speaker talks over it.
    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.lane.interrupt
    }

    /// The turn is over: it is not interrupted any more. What the voice had spoken of it, where it was
    /// talked over by now.
    pub(super) fn finish(&self) -> Option<Arc<str>> {
        let mut serving = self.lane.serving();
        *serving = None;
        self.lane.interrupt.spoken()
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut lanes = self.lanes.lock();
        if self.served {
            *self.lane.serving() = None;
            self.lane.turn.add_permits(1);
        }
        if let Some((_, users)) = lanes.get_mut(self.owner) {
            *users -= 1;
            if *users == 0 {
                lanes.remove(self.owner);
            }
        }
    }
}
