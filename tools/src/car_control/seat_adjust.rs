//! The position of seats.

use super::car::Car;
use super::motion::place_name;
use super::place::{Noun, Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::signals::{self, Placed};
use super::spec;
use crate::vehicle::{Command, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `adjust_seat`.
#[derive(Debug)]
pub(super) struct AdjustSeat(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which seat; the speaker's own where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<Position>,
    /// Which part of it; the whole seat where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<SeatPart>,
    /// Which way.
    direction: Direction,
    /// How far; a bit where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    amount: Option<f64>,
    /// The unit of the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<Unit>,
    /// Resolved: where each seat's part goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SeatPart {
    Seat,
    Backrest,
    Cushion,
    Lumbar,
    LegRest,
    FootRest,
    Headrest,
    ArmRest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    Forward,
    Backward,
    Up,
    Down,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Degrees,
    Cm,
    Percent,
}

/// How one part moves one way: its signal, and "a bit" in the signal's unit, with its sign.
struct Way {
    signal: Placed,
    step: f64,
}

impl SeatPart {
    /// The table of parts and directions.
    fn way(self, direction: Direction) -> Way {
        use Direction::{Backward, Down, Forward, Up};
        let (signal, step) = match (self, direction) {
            // VSS: 0 is the frontmost position.
            (Self::Seat, Forward) => (signals::SEAT_POSITION, -20.0),
            (Self::Seat, Backward) => (signals::SEAT_POSITION, 20.0),
            (Self::Seat, Up) => (signals::SEAT_HEIGHT, 10.0),
            (Self::Seat, Down) => (signals::SEAT_HEIGHT, -10.0),
            // VSS: positive degrees recline backward; "up" is upright.
            (Self::Backrest, Forward | Up) => (signals::SEAT_RECLINE, -5.0),
            (Self::Backrest, Backward | Down) => (signals::SEAT_RECLINE, 5.0),
            (Self::Cushion, Forward) => (signals::SEAT_CUSHION_LENGTH, 10.0),
            (Self::Cushion, Backward) => (signals::SEAT_CUSHION_LENGTH, -10.0),
            (Self::Cushion, Up) => (signals::SEAT_TILT, 2.0),
            (Self::Cushion, Down) => (signals::SEAT_TILT, -2.0),
            (Self::Lumbar, Forward) => (signals::SEAT_LUMBAR, 10.0),
            (Self::Lumbar, Backward) => (signals::SEAT_LUMBAR, -10.0),
            (Self::Lumbar, Up) => (signals::SEAT_LUMBAR_HEIGHT, 10.0),
            (Self::Lumbar, Down) => (signals::SEAT_LUMBAR_HEIGHT, -10.0),
            (Self::LegRest, Up) => (signals::SEAT_LEG_ANGLE, 10.0),
            (Self::LegRest, Down) => (signals::SEAT_LEG_ANGLE, -10.0),
            (Self::LegRest, Forward) => (signals::SEAT_LEG_LENGTH, 20.0),
            (Self::LegRest, Backward) => (signals::SEAT_LEG_LENGTH, -20.0),
            (Self::FootRest, Up) => (signals::SEAT_FOOT_ANGLE, 10.0),
            (Self::FootRest, Down) => (signals::SEAT_FOOT_ANGLE, -10.0),
            (Self::FootRest, Forward) => (signals::SEAT_FOOT_LENGTH, 20.0),
            (Self::FootRest, Backward) => (signals::SEAT_FOOT_LENGTH, -20.0),
            (Self::Headrest, Up) => (signals::SEAT_HEAD_HEIGHT, 10.0),
            (Self::Headrest, Down) => (signals::SEAT_HEAD_HEIGHT, -10.0),
            (Self::Headrest, Forward) => (signals::SEAT_HEAD_ANGLE, 3.0),
            (Self::Headrest, Backward) => (signals::SEAT_HEAD_ANGLE, -3.0),
            (Self::ArmRest, Up) => (signals::SEAT_ARM_HEIGHT, 10.0),
            (Self::ArmRest, Down) => (signals::SEAT_ARM_HEIGHT, -10.0),
            (Self::ArmRest, Forward) => (signals::SEAT_ARM_POSITION, -10.0),
            (Self::ArmRest, Backward) => (signals::SEAT_ARM_POSITION, 10.0),
        };
        Way { signal, step }
    }

    fn noun(self) -> Noun {
        let (zh, en, en_plural) = match self {
            Self::Seat => ("座椅", "seat", "seats"),
            Self::Backrest => ("靠背", "backrest", "backrests"),
            Self::Cushion => ("坐垫", "seat cushion", "seat cushions"),
            Self::Lumbar => ("腰托", "lumbar support", "lumbar support"),
            Self::LegRest => ("腿托", "leg rest", "leg rests"),
            Self::FootRest => ("脚托", "foot rest", "foot rests"),
            Self::Headrest => ("头枕", "headrest", "headrests"),
            Self::ArmRest => ("扶手", "arm rest", "arm rests"),
        };
        Noun { zh, en, en_plural }
    }
}

#[async_trait]
impl TypedTool for AdjustSeat {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "adjust_seat",
            Effect::Set,
            "调节座椅位置、高低、靠背、腰托、腿托等",
            "Move a seat or its parts: backrest, cushion, lumbar, rests",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let seat = *args.seat.insert(Position::or_own(args.seat, "seat", cx)?);
        let part = *args.part.get_or_insert(SeatPart::Seat);
        let way = part.way(args.direction);
        let targets = self
            .0
            .parts_at(way.signal, seat, cx.lang)?
            .iter()
            .map(|part| self.target(&part.signal, way.step, args.amount, args.unit, cx.lang))
            .collect::<Result<Vec<_>, _>>()?;
        args.each = Some(targets);
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let seat = Position::or_own(args.seat, "seat", cx)?;
        let part = args.part.unwrap_or(SeatPart::Seat);
        let way = part.way(args.direction);
        let parts = self.0.parts_at(way.signal, seat, cx.lang)?;
        let targets = args.each.unwrap_or_default();
        let commands: Vec<Command> = parts
            .into_iter()
            .zip(&targets)
            .map(|(part, to)| Command::set(part.signal, *to))
            .collect();
        let mut answer = result("seat", place_name(seat));
        put(&mut answer, "part", part);
        put(&mut answer, "direction", args.direction);
        if let [target] = targets.as_slice() {
            put(&mut answer, "target", number(*target));
        }
        let subject = Subject::at(seat, part.noun(), cx.lang);
        let (text, be) = (&subject.text, subject.be);
        let (zh, en) = match args.direction {
            Direction::Forward => ("向前", "forward"),
            Direction::Backward => ("向后", "backward"),
            Direction::Up => ("向上", "up"),
            Direction::Down => ("向下", "down"),
        };
        let spoken = Spoken {
            done: cx
                .lang
                .pick(format!("{text}正在{zh}调。"), format!("{text} {be} moving {en}.")),
            already: cx.lang.pick(
                format!("{text}已经到头了。"),
                format!("{text} {be} at the end already."),
            ),
        };
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}

impl AdjustSeat {
    /// Where a part goes: an amount that is said must fit, "a bit" ends at the end.
    fn target(
        &self,
        signal: &str,
        step: f64,
        amount: Option<f64>,
        unit: Option<Unit>,
        lang: Lang,
    ) -> Result<f64, ToolError> {
        let now = self.0.number(signal, lang)?;
        let (min, max) = self.0.range(signal);
        let Some(amount) = amount else {
            return Ok((now + step).clamp(min, max).round());
        };
        let angle = self.0.unit(signal).as_deref() == Some("degrees");
        let by = match unit {
            Some(Unit::Percent) => amount * (max - min) / 100.0,
            Some(Unit::Degrees) if angle => amount,
            Some(Unit::Cm) if !angle => amount * 10.0,
            None if angle => amount,
            None => amount * 10.0,
            Some(Unit::Degrees | Unit::Cm) => {
                return Err(ToolError::ask(
                    ErrorKind::InvalidInput,
                    "amount",
                    if angle {
                        lang.pick("这个按角度调，要调多少度？", "That moves by degrees. How many?")
                    } else {
                        lang.pick("这个按厘米调，要调多少厘米？", "That moves by centimetres. How many?")
                    },
                ));
            }
        };
        let target = (now + by * step.signum()).round();
        if (min..=max).contains(&target) {
            return Ok(target);
        }
        Err(ToolError::ask(
            ErrorKind::OutOfRange,
            "amount",
            lang.pick(
                "调不了那么多，要调多少？",
                "It does not go that far. How much would you like?",
            ),
        ))
    }
}
