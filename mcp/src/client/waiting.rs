//! Calls that wait for the driver: the server asked something in the middle of them.

use super::call::Running;
use super::form::Form;
use super::handler::Reply;
use incar_core::Owner;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// How many calls of one server may wait at once.
const MOST: usize = 8;

/// A call that waits for an answer.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) running: Running,
    pub(super) form: Form,
    pub(super) reply: oneshot::Sender<Reply>,
    /// How the keys of the calls begin that belong to the turn in which it was asked.
    pub(super) asked_in: String,
}

/// The calls of one server that wait, by tool and by who is asked.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<HashMap<(String, Owner), Held>>);

impl Waiting {
    /// Keeps a call; the same speaker's earlier one of the tool is called off. `false`: too many wait.
    pub(super) fn keep(&self, tool: &str, owner: Owner, held: Held) -> bool {
        let mut all = self.all();
        // Whoever did not answer in time let the server go on without.
        all.retain(|_, held| !held.running.is_over());
        let key = (tool.to_owned(), owner);
        if all.len() >= MOST && !all.contains_key(&key) {
            return false;
        }
        all.insert(key, held);
        true
    }

    pub(super) fn take(&self, tool: &str, owner: &Owner) -> Option<Held> {
        self.all().remove(&(tool.to_owned(), owner.clone()))
    }

    /// Whether a question of `tool` to `owner` is open that was asked in another turn than `turn`.
    pub(super) fn asks(&self, tool: &str, owner: &Owner, turn: &str) -> Open {
        match self.all().get(&(tool.to_owned(), owner.clone())) {
            None => Open::No,
            Some(held) if held.asked_in == turn => Open::Unheard,
            Some(_) => Open::Yes,
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<(String, Owner), Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a question is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Yes,
    No,
    /// It was asked a moment ago, and the driver cannot have heard it.
    Unheard,
}
