//! What a host hands over.

use super::barge_in::turn_of;
use incar_core::{Lang, Seat, Speaker};
use uuid::Uuid;

/// The longest utterance that is taken, in characters.
pub(crate) const LONGEST: usize = 4_096;

/// One utterance: text of the host's speech recogniser, and who said it.
///
/// ```
/// use incar_agents::Utterance;
/// use incar_core::{Lang, Seat};
/// let utterance = Utterance::new("打开车窗").from_seat(Seat::Passenger);
/// assert_eq!(utterance.lang, Lang::Zh);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Utterance {
    /// The text.
    pub text: String,
    /// Who said it.
    pub speaker: Speaker,
    /// The language to answer in.
    pub lang: Lang,
    /// The session it goes on with; `None`: whatever waits for this speaker.
    pub session_id: Option<String>,
    /// What the assistant was saying when it was said; `None`: nothing.
    pub over: Option<Over>,
}

/// What the assistant was saying when the speaker began to speak.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Over {
    /// The turn whose reply it was.
    pub turn_id: String,
    /// What the voice had spoken of it, as at [`Assistant::interrupt`](crate::Assistant::interrupt).
    pub spoken: String,
}

impl Over {
    /// The turn, and what the voice had spoken of it; nothing where its id is none.
    pub(super) fn spoken_of(&self) -> Option<(Uuid, &str)> {
        Some((turn_of(&self.turn_id)?, &self.spoken))
    }
}

impl Utterance {
    /// An utterance of the driver of car `car`, in the language it is written in.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let lang = Lang::of_text(&text).unwrap_or_default();
        Self {
            text,
            speaker: Speaker::new("car", Seat::Driver),
            lang,
            session_id: None,
            over: None,
        }
    }

    /// The same, said by `speaker`.
    #[must_use]
    pub fn by(mut self, speaker: Speaker) -> Self {
        self.speaker = speaker;
        self
    }

    /// The same, said from `seat`.
    #[must_use]
    pub fn from_seat(mut self, seat: Seat) -> Self {
        self.speaker.seat = seat;
        self
    }

    /// The same, to be answered in `lang`.
    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> Self {
        self.lang = lang;
        self
    }

    /// The same, going on with the session `id`.
    #[must_use]
    pub fn resuming(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// The same, said over the reply of a turn of which the voice had spoken `spoken` by then. The
    /// conversation keeps of that reply what was heard, as after
    /// [`Assistant::interrupt`](crate::Assistant::interrupt); a turn that is on its way is treated as
    /// [`DoubleText`](crate::DoubleText) says. A word that only says "I am listening" (嗯, uh-huh) changes
    /// nothing ([`BackChannel`](crate::BackChannel)): it is answered SUCCESS, `declined`, with an empty
    /// message, and the voice goes on. Where a question was heard to its end it is an answer.
    #[must_use]
    pub fn over(mut self, turn_id: impl Into<String>, spoken: impl Into<String>) -> Self {
        self.over = Some(Over {
            turn_id: turn_id.into(),
            spoken: spoken.into(),
        });
        self
    }
}
