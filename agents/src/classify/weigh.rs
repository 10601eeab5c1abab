//! Whether a yes/no question must be answered, or offers something more.

use super::cue::{Cue, Cues};

/// What is known when a yes/no question is weighed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    /// The question's own cues.
    pub(super) question: Cues,
    /// The cues of all sentences.
    pub(super) reply: Cues,
    /// Whether the question lists alternatives.
    pub(super) choice: bool,
    /// Whether it is no more than some words with a question mark.
    pub(super) fragment: bool,
    /// Whether a tool changed something in this turn.
    pub(super) acted: bool,
    /// How many of the question's words the driver had said; `None` where that is not known.
    pub(super) echoed: Option<usize>,
    /// Whether the driver had asked to be told something.
    pub(super) inquired: bool,
}

/// Weights in tenths of a logit, by cue of the question itself. Above zero: it must be answered.
const QUESTION: &[(Cue, i16)] = &[
    (Cue::Proposal, -27),
    (Cue::WantMe, -12),
    (Cue::WouldLikeTo, -6),
    (Cue::ShouldI, 7),
    (Cue::Leave, 23),
    (Cue::ReadBack, 10),
    (Cue::Fact, 29),
    (Cue::GoOn, 24),
    (Cue::Extra, -15),
    (Cue::More, -11),
    (Cue::Taste, -11),
    (Cue::SlotValue, 18),
    (Cue::Booking, -20),
];

/// The same by cue of anything in the reply.
const REPLY: &[(Cue, i16)] = &[
    (Cue::Done, -14),
    (Cue::Refused, -14),
    (Cue::Risk, 18),
    (Cue::Hinges, 30),
    (Cue::Prepared, 15),
    (Cue::Found, -6),
];

/// The weight of nothing known.
const BIAS: i16 = -7;
/// … of listed alternatives.
const CHOICE: i16 = 18;
/// … of a mere fragment.
const FRAGMENT: i16 = 14;
/// … of a tool having changed something.
const ACTED: i16 = -30;
/// … of nothing having been changed yet, where that is known.
const NOT_ACTED: i16 = 3;
/// … of the driver having asked to be told something.
const INQUIRED: i16 = -16;
/// … of each word that the driver had said, up to three.
const ECHO: i16 = 4;

/// The logit, in tenths, of an answer being required.
pub(super) fn weigh(evidence: &Evidence) -> i16 {
    let sum = |table: &[(Cue, i16)], cues: Cues| -> i16 {
        table
            .iter()
            .filter(|(cue, _)| cues.has(*cue))
            .map(|(_, weight)| weight)
            .sum()
    };
    let when = |known: bool, weight: i16| if known { weight } else { 0 };
    let echoed = evidence
        .echoed
        .map_or(0, |words| i16::try_from(words.min(3)).unwrap_or(3));
    BIAS + sum(QUESTION, evidence.question)
        + sum(REPLY, evidence.reply)
        + when(evidence.choice, CHOICE)
        + when(evidence.fragment, FRAGMENT)
        + when(evidence.acted, ACTED)
        + when(!evidence.acted && evidence.echoed.is_some(), NOT_ACTED)
        + when(evidence.inquired, INQUIRED)
        + ECHO * echoed
}
