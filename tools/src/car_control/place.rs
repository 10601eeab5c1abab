//! Where in the car: what a driver says, and the seats it stands for.

use incar_core::{ErrorKind, Lang, Seat, ToolContext, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in the car, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Position {
    /// The driver's.
    Driver,
    /// The front passenger's.
    Passenger,
    /// Behind, on the left.
    RearLeft,
    /// Behind, on the right.
    RearRight,
    /// Both in front.
    Front,
    /// Both in the second row.
    Rear,
    /// Those on the left.
    Left,
    /// Those on the right.
    Right,
    /// The third row.
    ThirdRow,
    /// All.
    All,
}

/// One seat's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    Driver,
    Passenger,
    RearLeft,
    RearRight,
    ThirdLeft,
    ThirdRight,
}

/// Which side the driver sits on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    LeftHandDrive,
    RightHandDrive,
}

impl Position {
    /// The place of whoever sits there; who is not in the car has none.
    pub(crate) fn of_seat(seat: Seat) -> Option<Self> {
        match seat {
            Seat::Outside => None,
            Seat::Passenger => Some(Self::Passenger),
            Seat::RearLeft => Some(Self::RearLeft),
            Seat::RearRight => Some(Self::RearRight),
            Seat::ThirdRow => Some(Self::ThirdRow),
            _ => Some(Self::Driver),
        }
    }

    /// What was said for `argument`, else the speaker's own place; who has none must say it.
    pub(crate) fn or_own(said: Option<Self>, argument: &str, cx: ToolContext<'_>) -> Result<Self, ToolError> {
        said.or_else(|| Self::of_seat(cx.speaker.seat)).ok_or_else(|| {
            let question = cx.lang.pick("请问是哪个位置？", "Which place in the car?");
            ToolError::ask(ErrorKind::InvalidInput, argument, question)
        })
    }

    /// The seats it stands for, front to back.
    pub(crate) fn spots(self, layout: Layout) -> &'static [Spot] {
        use Layout::{LeftHandDrive, RightHandDrive};
        use Spot::{Driver, Passenger, RearLeft, RearRight, ThirdLeft, ThirdRight};
        match (self, layout) {
            (Self::Driver, _) => &[Driver],
            (Self::Passenger, _) => &[Passenger],
            (Self::RearLeft, _) => &[RearLeft],
            (Self::RearRight, _) => &[RearRight],
            (Self::Front, _) => &[Driver, Passenger],
            (Self::Rear, _) => &[RearLeft, RearRight],
            (Self::Left, LeftHandDrive) => &[Driver, RearLeft, ThirdLeft],
            (Self::Left, RightHandDrive) => &[Passenger, RearLeft, ThirdLeft],
            (Self::Right, LeftHandDrive) => &[Passenger, RearRight, ThirdRight],
            (Self::Right, RightHandDrive) => &[Driver, RearRight, ThirdRight],
            (Self::ThirdRow, _) => &[ThirdLeft, ThirdRight],
            (Self::All, _) => &[Driver, Passenger, RearLeft, RearRight, ThirdLeft, ThirdRight],
        }
    }

    /// How it is said before a noun: "主驾" (车窗), "driver's" (window).
    pub(crate) fn word(self, lang: Lang) -> &'static str {
        let (zh, en) = match self {
            Self::Driver => ("主驾", "the driver's"),
            Self::Passenger => ("副驾", "the passenger's"),
            Self::RearLeft => ("左后", "the rear left"),
            Self::RearRight => ("右后", "the rear right"),
            Self::Front => ("前排", "the front"),
            Self::Rear => ("后排", "the rear"),
            Self::Left => ("左侧", "the left"),
            Self::Right => ("右侧", "the right"),
            Self::ThirdRow => ("第三排", "the third-row"),
            Self::All => ("全车", "all"),
        };
        lang.pick(zh, en)
    }

    /// Whether it may stand for several.
    fn is_several(self) -> bool {
        !matches!(self, Self::Driver | Self::Passenger | Self::RearLeft | Self::RearRight)
    }
}

impl Spot {
    /// The name of the place that this seat alone is; the third row has one for both.
    pub(crate) fn position(self) -> Position {
        match self {
            Self::Driver => Position::Driver,
            Self::Passenger => Position::Passenger,
            Self::RearLeft => Position::RearLeft,
            Self::RearRight => Position::RearRight,
            Self::ThirdLeft | Self::ThirdRight => Position::ThirdRow,
        }
    }

    pub(crate) fn row(self) -> &'static str {
        match self {
            Self::Driver | Self::Passenger => "Row1",
            Self::RearLeft | Self::RearRight => "Row2",
            Self::ThirdLeft | Self::ThirdRight => "Row3",
        }
    }

    /// "Driver" or "Passenger": VSS names sides by who sits there in front.
    pub(crate) fn side(self, layout: Layout) -> &'static str {
        let driver = match self {
            Self::Driver => true,
            Self::Passenger => false,
            Self::RearLeft | Self::ThirdLeft => layout == Layout::LeftHandDrive,
            Self::RearRight | Self::ThirdRight => layout == Layout::RightHandDrive,
        };
        if driver { "Driver" } else { "Passenger" }
    }
}

/// A part of the car, as it is spoken of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noun {
    pub(crate) zh: &'static str,
    pub(crate) en: &'static str,
    pub(crate) en_plural: &'static str,
}

/// The subject of a spoken sentence.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) text: String,
    /// English: "is" or "are".
    pub(crate) be: &'static str,
}

impl Subject {
    /// A part at a place: "主驾车窗", "The driver's window".
    pub(crate) fn at(position: Position, noun: Noun, lang: Lang) -> Self {
        let word = position.word(lang);
        let several = position.is_several();
        let text = match lang {
            Lang::Zh => format!("{word}{}", noun.zh),
            Lang::En => capitalised(&format!("{word} {}", if several { noun.en_plural } else { noun.en })),
        };
        let be = if several && noun.en != noun.en_plural {
            "are"
        } else {
            "is"
        };
        Self { text, be }
    }

    /// A part that there is one of: "天窗", "The sunroof".
    pub(crate) fn the(zh: &str, en: &str, lang: Lang) -> Self {
        Self {
            text: lang.pick(zh.to_owned(), format!("The {en}")),
            be: "is",
        }
    }
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
