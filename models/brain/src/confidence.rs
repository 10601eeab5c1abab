//! How sure the brain is, and what follows from it.

/// How sure the brain is that it understood, from 0 to 1.
///
/// It is the share of what was said that the reading accounts for: what was left out, guessed or stretched counts against
/// it. It does not depend on how many other readings there were: on real commands, readings with a near rival were
/// right as often as those without.
///
/// ```
/// use incar_brain::{Band, Confidence};
///
/// assert_eq!(Confidence::new(0.9).band(), Band::Act);
/// assert_eq!(Confidence::new(0.45).band(), Band::Ask);
/// assert_eq!(Confidence::new(0.1).band(), Band::Decline);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Confidence(f32);

/// What a confidence is enough for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// It is nothing for the car, or was not understood.
    Decline,
    /// "Did you mean …?" comes first.
    Ask,
    /// The wish is acted on.
    Act,
}

impl Confidence {
    /// The least confidence that is acted on.
    pub const ACT: Self = Self(0.52);
    /// The least confidence that is asked about.
    pub const ASK: Self = Self(0.40);
    /// The least confidence at which an answer to an open question is taken as one.
    pub(crate) const ANSWER: Self = Self(0.35);
    /// The least confidence at which a clause is a wish of its own beside talk.
    pub(crate) const WHOLE: Self = Self(0.8);
    /// The most that is only asked about.
    pub(crate) const DOUBT: Self = Self(0.5);
    /// Nothing was understood.
    pub(crate) const NONE: Self = Self(0.0);

    /// A confidence from 0 to 1; what lies outside is brought to the nearer end.
    #[must_use]
    pub fn new(value: f32) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// The number, from 0 to 1.
    #[must_use]
    pub fn value(self) -> f32 {
        self.0
    }

    /// What it is enough for.
    #[must_use]
    pub fn band(self) -> Band {
        if self >= Self::ACT {
            Band::Act
        } else if self >= Self::ASK {
            Band::Ask
        } else {
            Band::Decline
        }
    }

    /// The lesser of two.
    #[must_use]
    pub(crate) fn least(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_lies_between_nothing_and_all() {
        for (given, value) in [(f32::NAN, 0.0), (-3.0, 0.0), (7.0, 1.0), (0.25, 0.25)] {
            assert_eq!(Confidence::new(given).value(), value, "{given}");
        }
        assert!(Confidence::ASK < Confidence::ACT);
        assert_eq!(Confidence::ACT.band(), Band::Act);
        assert_eq!(Confidence::ASK.band(), Band::Ask);
        assert_eq!(Confidence::NONE.band(), Band::Decline);
    }
}
