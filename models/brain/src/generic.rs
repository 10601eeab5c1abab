//! The generic words of car speech: what means the same whatever the tool.

use incar_core::Seat;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A class of generic words. Tools refer to it as `<name>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    /// On, open.
    Open,
    /// Off, close.
    Close,
    /// Hold where it is.
    Stop,
    /// More of it.
    Up,
    /// Less of it.
    Down,
    /// As much as there is.
    Max,
    /// As little as there is.
    Min,
    /// A bit.
    Some,
    /// What follows is a target.
    To,
    /// What follows is an amount.
    By,
    /// Adjust, without saying how.
    Set,
    /// There is too much of what follows.
    Too,
    /// What follows is not wished.
    Not,
    /// It is a question.
    Question,
    /// What was said before is taken back.
    Correct,
    /// Another wish, or another part of this one.
    Join,
    /// The same for this one too.
    Also,
    /// Politeness and carriers.
    Glue,
    /// Hesitation.
    Filler,
    /// Typical of what no car does: tickets, alarms, prices.
    Alien,
    /// A name in which generic words stand.
    Name,
    /// What somebody is not able to do: 看不清 asks to see nothing.
    Unable,
    /// What is said beside it is to happen later, or only if something else does.
    Later,
    /// What follows is told or thought, and not wished.
    Told,
    /// What follows is asked how to do, and not wished.
    How,
}

/// A place in the car, as said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    Driver,
    Passenger,
    RearLeft,
    RearRight,
    Front,
    Rear,
    Left,
    Right,
    ThirdRow,
    All,
    /// The speaker's own.
    Own,
    /// The one behind the speaker.
    Behind,
}

impl Place {
    /// The place's name in arguments, for a speaker on `seat`.
    pub(crate) fn name(self, seat: Seat) -> &'static str {
        match self {
            Self::Driver => "driver",
            Self::Passenger => "passenger",
            Self::RearLeft => "rear_left",
            Self::RearRight => "rear_right",
            Self::Front => "front",
            Self::Rear => "rear",
            Self::Left => "left",
            Self::Right => "right",
            Self::ThirdRow => "third_row",
            Self::All => "all",
            Self::Own => seat.as_str(),
            Self::Behind => match seat {
                Seat::Driver => "rear_left",
                Seat::Passenger => "rear_right",
                _ => "third_row",
            },
        }
    }

    /// The one place that two places together are, if there is one.
    pub(crate) fn together(self, other: Self) -> Option<Self> {
        let pair = if self <= other { (self, other) } else { (other, self) };
        match pair {
            (a, b) if a == b => Some(a),
            (Self::Driver, Self::Passenger) => Some(Self::Front),
            (Self::RearLeft, Self::RearRight) => Some(Self::Rear),
            (Self::Driver, Self::RearLeft) => Some(Self::Left),
            (Self::Passenger, Self::RearRight) => Some(Self::Right),
            (Self::Front, Self::Rear) | (Self::Left, Self::Right) => Some(Self::All),
            (_, Self::All) => Some(Self::All),
            _ => None,
        }
    }

    /// The place that one said after another makes more exact: 左 and 后排 are `rear_left`.
    pub(crate) fn narrowed(self, other: Self) -> Option<Self> {
        let pair = if self <= other { (self, other) } else { (other, self) };
        match pair {
            (Self::Front, Self::Left) => Some(Self::Driver),
            (Self::Front, Self::Right) => Some(Self::Passenger),
            (Self::Rear, Self::Left) => Some(Self::RearLeft),
            (Self::Rear, Self::Right) => Some(Self::RearRight),
            (a, Self::All) if a != Self::All => Some(a),
            _ => None,
        }
    }
}

/// The data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Generic {
    /// The words of each class.
    pub(crate) classes: BTreeMap<Class, Vec<String>>,
    /// The words of each place.
    pub(crate) positions: BTreeMap<Place, Vec<String>>,
}

/// The generic words, read once.
pub(crate) fn generic() -> &'static Generic {
    static GENERIC: OnceLock<Generic> = OnceLock::new();
    GENERIC.get_or_init(|| {
        read(include_str!("../data/classes.toml")).unwrap_or_else(|_| Generic {
            // A test reads the file, so this is never reached.
            classes: BTreeMap::new(),
            positions: BTreeMap::new(),
        })
    })
}

fn read(source: &str) -> Result<Generic, toml::de::Error> {
    toml::from_str(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_data_file_reads_and_repeats_no_word_within_a_class() {
        let generic = read(include_str!("../data/classes.toml")).unwrap();
        for words in generic.classes.values().chain(generic.positions.values()) {
            let mut seen = BTreeSet::new();
            for word in words {
                assert!(seen.insert(word), "{word} stands twice in its class");
            }
        }
        let mut places = BTreeSet::new();
        for word in generic.positions.values().flatten() {
            assert!(places.insert(word), "{word} names two places");
        }
    }

    #[test]
    fn places_join_and_narrow() {
        assert_eq!(Place::Passenger.together(Place::Driver), Some(Place::Front));
        assert_eq!(Place::Driver.together(Place::RearRight), None);
        assert_eq!(Place::Left.narrowed(Place::Rear), Some(Place::RearLeft));
        assert_eq!(Place::Own.name(Seat::RearLeft), "rear_left");
        assert_eq!(Place::Behind.name(Seat::Passenger), "rear_right");
    }
}
