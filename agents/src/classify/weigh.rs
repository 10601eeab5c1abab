//! Whether a yes/no question must be answered, or offers something more.
//!
//! The weights were set by hand and then fitted by logistic regression that was pulled towards
//! the hand-set values, so that each keeps its meaning and its sign.

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
    (Cue::Proposal, -31),
    (Cue::WantMe, -14),
    (Cue::WouldLikeTo, -4),
    (Cue::ShouldI, 6),
    (Cue::Leave, 24),
    (Cue::ReadBack, 20),
    (Cue::Fact, 30),
    (Cue::GoOn, 25),
    (Cue::Extra, -16),
    (Cue::More, -10),
    (Cue::Taste, -12),
    (Cue::SlotValue, 19),
    (Cue::Booking, -21),
];

/// The same by cue of anything in the reply.
const REPLY: &[(Cue, i16)] = &[
    (Cue::Done, -14),
    (Cue::Refused, -14),
    (Cue::Risk, 18),
    (Cue::Hinges, 32),
    (Cue::Prepared, 15),
    (Cue::Found, -5),
];

/// The weight of nothing known.
const BIAS: i16 = -9;
/// … of listed alternatives.
const CHOICE: i16 = 14;
/// … of a mere fragment.
const FRAGMENT: i16 = 12;
/// … of listed alternatives and nothing else: "front, rear, or both?".
const BARE_CHOICE: i16 = 12;
/// … of a tool having changed something.
const ACTED: i16 = -31;
/// … of nothing having been changed yet, where that is known.
const NOT_ACTED: i16 = 5;
/// … of the driver having asked to be told something.
const INQUIRED: i16 = -13;
/// … of each word that the driver had said in a command, up to three.
const ECHO: i16 = 8;

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
        .filter(|_| !evidence.inquired)
        .map_or(0, |words| i16::try_from(words.min(3)).unwrap_or(3));
    BIAS + sum(QUESTION, evidence.question)
        + sum(REPLY, evidence.reply)
        + when(evidence.choice, CHOICE)
        + when(evidence.fragment, FRAGMENT)
        + when(evidence.choice && evidence.fragment, BARE_CHOICE)
        + when(evidence.acted, ACTED)
        + when(!evidence.acted && evidence.echoed.is_some(), NOT_ACTED)
        + when(evidence.inquired, INQUIRED)
        + ECHO * echoed
}
