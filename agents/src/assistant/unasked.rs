//! What is told beside the responses: notices and counters.

use super::{Assistant, Inner, Utterance};
use crate::counters::Counters;
use crate::notices::{LeftOpen, NoticeStream};
use incar_core::{Notice, SessionId};

impl Assistant {
    /// What is to be said unasked, as it comes up: questions that lapsed, what [`Assistant::notify`] is given.
    pub fn notices(&self) -> NoticeStream {
        self.inner.notices.stream()
    }

    /// Takes what is to be said unasked in `car`, for a host that asks instead of listening. Taken
    /// notices come from no [`Assistant::notices`] any more.
    pub fn take_notices(&self, car: &str) -> Vec<Notice> {
        self.inner.notices.take(car)
    }

    /// Hands over something to be said unasked; returns its id.
    pub fn notify(&self, notice: Notice) -> String {
        self.inner.notices.push(notice)
    }

    /// What this assistant has done so far, in numbers.
    pub fn counters(&self) -> Counters {
        let jobs = self.inner.research.as_ref();
        let jobs = jobs.map(|jobs| jobs.tally().read()).unwrap_or_default();
        self.inner.tally.read(self.inner.notices.lapsed(), jobs)
    }
}

impl Inner {
    /// A question of which nothing is known any more but whose it was.
    pub(super) fn left_open(&self, session: SessionId, utterance: &Utterance) -> LeftOpen {
        LeftOpen {
            session,
            speaker: utterance.speaker.clone(),
            lang: utterance.lang,
            question: "".into(),
            until: self.runner.clock.now(),
        }
    }
}
