//! Seat positions that are kept under a name.

use super::car::{Car, Part};
use super::motion::place_name;
use super::place::{Noun, Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::signals::{self, Placed};
use super::spec;
use crate::vehicle::Command;
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `seat_memory`.
#[derive(Debug)]
pub(super) struct SeatMemory(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which seat; the speaker's own where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<Position>,
    /// Go there, or keep what is.
    action: Action,
    /// The number or name it is kept under, in the driver's words.
    slot: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Recall,
    Save,
}

const NOUN: Noun = Noun {
    zh: "座椅",
    en: "seat",
    en_plural: "seats",
};

/// What a slot keeps.
const KEPT: [Placed; 7] = [
    signals::SEAT_POSITION,
    signals::SEAT_HEIGHT,
    signals::SEAT_TILT,
    signals::SEAT_RECLINE,
    signals::SEAT_LUMBAR,
    signals::SEAT_LUMBAR_HEIGHT,
    signals::SEAT_HEAD_HEIGHT,
];

/// The slots of one seat: values in the order of [`KEPT`], by name. The seat's memory signal holds it as JSON.
type Slots = BTreeMap<String, Vec<f64>>;

#[async_trait]
impl TypedTool for SeatMemory {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "seat_memory",
            Effect::Act,
            "保存或调用座椅记忆",
            "Keep a seat position, or go to one that was kept",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let seat = *args.seat.insert(Position::or_own(args.seat, "seat", cx)?);
        args.slot = args.slot.trim().to_lowercase();
        if args.slot.is_empty() {
            return Err(ToolError::ask(
                ErrorKind::InvalidInput,
                "slot",
                cx.lang.pick("座椅记忆几号？", "Which seat memory?"),
            ));
        }
        let memories = self.0.parts_at(signals::SEAT_MEMORY, seat, cx.lang)?;
        if args.action == Action::Recall
            && !memories
                .iter()
                .any(|memory| self.slots(memory).contains_key(&args.slot))
        {
            return Err(self.not_found(&memories, &args.slot, cx.lang));
        }
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let seat = Position::or_own(args.seat, "seat", cx)?;
        let layout = self.0.layout();
        let mut commands = Vec::new();
        for memory in self.0.parts_at(signals::SEAT_MEMORY, seat, cx.lang)? {
            let mut slots = self.slots(&memory);
            let kept = KEPT.iter().map(|placed| placed.at(memory.spot, layout));
            match args.action {
                Action::Save => {
                    let values = kept
                        .map(|signal| self.0.number(&signal, cx.lang))
                        .collect::<Result<Vec<_>, _>>()?;
                    slots.insert(args.slot.clone(), values);
                    let text = serde_json::to_string(&slots).unwrap_or_default();
                    commands.push(Command::set(memory.signal, text));
                }
                Action::Recall => {
                    let values = slots.remove(&args.slot).unwrap_or_default();
                    commands.extend(kept.zip(values).map(|(signal, value)| Command::set(signal, value)));
                }
            }
        }
        let mut answer = result("seat", place_name(seat));
        put(&mut answer, "action", args.action);
        put(&mut answer, "slot", &args.slot);
        let subject = Subject::at(seat, NOUN, cx.lang);
        let (text, be, slot) = (&subject.text, subject.be, &args.slot);
        let spoken = match args.action {
            Action::Save => Spoken::same(cx.lang.pick(
                format!("{text}位置已存为{slot}。"),
                format!(
                    "{text} {} kept as {slot}.",
                    if be == "is" { "position is" } else { "positions are" }
                ),
            )),
            Action::Recall => Spoken {
                done: cx.lang.pick(
                    format!("{text}正在调到{slot}。"),
                    format!("{text} {be} moving to {slot}."),
                ),
                already: cx.lang.pick(
                    format!("{text}已经在{slot}的位置。"),
                    format!("{text} {be} at {slot} already."),
                ),
            },
        };
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}

impl SeatMemory {
    fn slots(&self, memory: &Part) -> Slots {
        let text = self.0.known(&memory.signal);
        let text = text.as_ref().and_then(|text| text.as_text()).unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    }

    fn not_found(&self, memories: &[Part], slot: &str, lang: Lang) -> ToolError {
        let choices: Vec<String> = memories
            .iter()
            .flat_map(|memory| self.slots(memory).into_keys())
            .collect();
        let mut error = ToolError::new(
            ErrorKind::NotFound,
            lang.pick(
                format!("没有存过座椅记忆{slot}。"),
                format!("No seat position is kept as {slot}."),
            ),
        );
        error.choices = choices;
        error
    }
}
