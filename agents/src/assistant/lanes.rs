//! Two utterances at once: each speaker has a lane, and one turn is on it at a time.

use incar_core::Owner;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, Semaphore};

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
    /// The utterance that is served.
    said: Mutex<Option<Arc<str>>>,
}

/// Tells a running turn that its speaker talks over it.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    wanted: AtomicBool,
    woken: Notify,
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
    fn raise(&self) {
        self.wanted.store(true, Ordering::Release);
        self.woken.notify_waiters();
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
    /// `cuts_off` tells whether what is said now may cut off what is being served.
    pub(super) async fn enter<'a>(
        &'a self,
        owner: &'a Owner,
        said: &str,
        policy: DoubleText,
        cuts_off: impl Fn(&str) -> bool,
    ) -> Result<Place<'a>, Crowded> {
        let mut place = self.place(owner, policy)?;
        if place.second && policy == DoubleText::Interrupt {
            // Nothing is served yet where the first has only just come: it is not talked over then.
            if let Some(serving) = place.lane.said().filter(|serving| cuts_off(serving)) {
                place.lane.interrupt_if_still(&serving);
            }
        }
        // The semaphore is fair and never closed: utterances are served in the order they came.
        if let Ok(permit) = place.lane.turn.acquire().await {
            permit.forget();
        }
        place.served = true;
        place.lane.serve(said);
        Ok(place)
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
            said: Mutex::default(),
        }
    }

    fn serving(&self) -> MutexGuard<'_, Option<Arc<str>>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self) -> Option<Arc<str>> {
        self.serving().clone()
    }

    /// A new turn: what was to interrupt the one before is no longer meant.
    fn serve(&self, said: &str) {
        let mut serving = self.serving();
        *serving = Some(said.into());
        self.interrupt.wanted.store(false, Ordering::Release);
    }

    /// Interrupts the turn of that very utterance.
    fn interrupt_if_still(&self, said: &Arc<str>) {
        let serving = self.serving();
        if serving.as_ref().is_some_and(|serving| Arc::ptr_eq(serving, said)) {
            self.interrupt.raise();
        }
    }
}

impl Place<'_> {
    /// What tells this turn that its speaker talks over it.
    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.lane.interrupt
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut lanes = self.lanes.lock();
        if self.served {
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
