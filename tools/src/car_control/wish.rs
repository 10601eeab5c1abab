//! What a driver wishes of a value: exactly so much, a bit more, as much as there is.

use incar_core::{ErrorKind, Lang, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Power {
    /// On.
    On,
    /// Off.
    Off,
}

impl Power {
    pub(crate) fn is_on(self) -> bool {
        self == Self::On
    }
}

/// As much or as little as there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Extreme {
    /// The most.
    Max,
    /// The least.
    Min,
}

/// The values that an argument may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    /// The argument, for questions about it.
    pub(crate) argument: &'static str,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// "A bit".
    pub(crate) step: f64,
}

/// What is wished of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Wish {
    To(f64),
    By(f64),
    At(Extreme),
}

impl Wish {
    /// The one wish among the arguments of a group; `None` where there is none. The value itself is the plainest of
    /// them, then the extreme.
    pub(crate) fn of(value: Option<f64>, change: Option<f64>, level: Option<Extreme>) -> Option<Self> {
        value
            .map(Self::To)
            .or_else(|| level.map(Self::At))
            .or_else(|| change.map(Self::By))
    }
}

/// Where the values go: one target, or one for each part where they stand apart and move by the same amount.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Targets {
    Same(f64),
    Each(Vec<f64>),
}

impl Targets {
    /// As the two arguments of a resolved call: the one value, and the hidden list.
    pub(crate) fn into_arguments(self) -> (Option<f64>, Option<Vec<f64>>) {
        match self {
            Self::Same(value) => (Some(value), None),
            Self::Each(values) => (None, Some(values)),
        }
    }
}

impl Scale {
    /// The same scale, as far as every one of these ranges goes; the narrower of the two where they do not meet.
    pub(crate) fn within(self, ranges: impl IntoIterator<Item = (f64, f64)>) -> Self {
        ranges.into_iter().fold(self, |scale, (min, max)| {
            let (min, max) = (scale.min.max(min), scale.max.min(max));
            if min <= max { Self { min, max, ..scale } } else { scale }
        })
    }

    /// Where the parts that stand at `current` go.
    ///
    /// # Errors
    /// A question where that is out of range. "A bit more" at the end of the scale stays there instead: the tool says
    /// that it is the end.
    pub(crate) fn targets(&self, wish: Wish, current: &[f64], lang: Lang) -> Result<Targets, ToolError> {
        let each = current
            .iter()
            .map(|current| self.target(wish, *current, lang))
            .collect::<Result<Vec<_>, _>>()?;
        match each.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => Ok(Targets::Same(*first)),
            _ => Ok(Targets::Each(each)),
        }
    }

    /// Where one part that stands at `current` goes.
    pub(crate) fn target(&self, wish: Wish, current: f64, lang: Lang) -> Result<f64, ToolError> {
        let target = match wish {
            Wish::To(value) => value,
            Wish::At(Extreme::Max) => self.max,
            Wish::At(Extreme::Min) => self.min,
            Wish::By(change) => {
                let target = current + change;
                let at_end = (change > 0.0 && current >= self.max) || (change < 0.0 && current <= self.min);
                if at_end || change.abs() <= self.step {
                    target.clamp(self.min, self.max)
                } else {
                    target
                }
            }
        };
        if (self.min..=self.max).contains(&target) {
            Ok(target)
        } else {
            Err(self.out_of_range(lang))
        }
    }

    fn out_of_range(&self, lang: Lang) -> ToolError {
        let (min, max) = (self.min, self.max);
        ToolError::ask(
            ErrorKind::OutOfRange,
            self.argument,
            lang.pick(
                format!("可以设{min}到{max}之间，请问要多少？"),
                format!("It can be between {min} and {max}. What should it be?"),
            ),
        )
    }

    /// Whether `value` is the end of the scale, to be said after a relative wish.
    pub(crate) fn end(&self, value: f64) -> Option<Extreme> {
        if value >= self.max {
            Some(Extreme::Max)
        } else if value <= self.min {
            Some(Extreme::Min)
        } else {
            None
        }
    }
}

/// "已经是最高了", after a value that reached the end of its scale.
pub(crate) fn end_words(end: Option<Extreme>, lang: Lang) -> &'static str {
    match end {
        Some(Extreme::Max) => lang.pick("，已经是最高", ", the maximum"),
        Some(Extreme::Min) => lang.pick("，已经是最低", ", the minimum"),
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale {
        argument: "temperature",
        min: 16.0,
        max: 32.0,
        step: 1.0,
    };

    #[test]
    fn wishes_become_targets_or_questions() {
        let check = |wish, current: f64, target: Option<f64>| {
            let found = SCALE.target(wish, current, Lang::En);
            assert_eq!(
                found.as_ref().ok().copied(),
                target,
                "{wish:?} from {current}: {found:?}"
            );
            if let Err(error) = found {
                assert_eq!(
                    (error.kind, error.argument.as_deref()),
                    (ErrorKind::OutOfRange, Some("temperature"))
                );
            }
        };
        check(Wish::To(23.0), 20.0, Some(23.0));
        check(Wish::By(2.0), 20.0, Some(22.0));
        check(Wish::By(-2.0), 20.0, Some(18.0));
        check(Wish::At(Extreme::Max), 20.0, Some(32.0));
        check(Wish::At(Extreme::Min), 20.0, Some(16.0));
        check(Wish::By(1.0), 31.5, Some(32.0));
        check(Wish::By(5.0), 32.0, Some(32.0));
        check(Wish::By(5.0), 30.0, None);
        check(Wish::By(-20.0), 30.0, None);
        check(Wish::To(40.0), 30.0, None);
        check(Wish::By(f64::NAN), 30.0, None);
    }

    #[test]
    fn parts_that_stand_apart_move_by_the_same() {
        assert_eq!(
            SCALE.targets(Wish::By(1.0), &[20.0, 24.0], Lang::En),
            Ok(Targets::Each(vec![21.0, 25.0]))
        );
        assert_eq!(
            SCALE.targets(Wish::By(1.0), &[20.0, 20.0], Lang::En),
            Ok(Targets::Same(21.0))
        );
        assert_eq!(
            SCALE.targets(Wish::To(23.0), &[20.0, 24.0], Lang::En),
            Ok(Targets::Same(23.0))
        );
    }
}
