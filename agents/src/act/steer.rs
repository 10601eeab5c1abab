//! What steers a flow: a step back, a value that need not be said, a slot that is to be asked anew.
//!
//! Only while the flow's own question waits, and only where all of the utterance is understood:
//! anything else is for the model.

use super::steer_words::{
    ANYTHING_EN, ANYTHING_ZH, BACK_EN, BACK_ZH, CHANGE_EN, CHANGE_ZH, DOUBT_EN, DOUBT_ZH, NEEDLESS_EN, NEEDLESS_ZH,
    SKIP_EN, SKIP_ZH,
};
use super::words::{NO_EN, NO_ZH, YES_EN, YES_ZH};
use super::{LISTS, Phrases, Words};
use incar_sessions::flow::{FlowDefinition, FlowInput, FlowState, Need};
use std::sync::LazyLock;

struct Steering {
    back: Phrases,
    skip: Phrases,
    needless: Phrases,
    anything: Phrases,
    change: Phrases,
    doubt: Phrases,
    settled: Phrases,
}

static STEERING: LazyLock<Steering> = LazyLock::new(|| {
    let cut = |zh: &[&str], en: &[&str]| zh.iter().chain(en).map(|phrase| Words::of(phrase)).collect();
    Steering {
        back: cut(BACK_ZH, BACK_EN),
        skip: cut(SKIP_ZH, SKIP_EN),
        needless: cut(NEEDLESS_ZH, NEEDLESS_EN),
        anything: cut(ANYTHING_ZH, ANYTHING_EN),
        change: cut(CHANGE_ZH, CHANGE_EN),
        doubt: cut(DOUBT_ZH, DOUBT_EN),
        settled: [YES_ZH, YES_EN, NO_ZH, NO_EN, NEEDLESS_ZH, NEEDLESS_EN]
            .iter()
            .flat_map(|list| list.iter().map(|phrase| Words::of(phrase)))
            .collect(),
    }
});

/// How `text` steers a flow that has gathered `state`; `None`: it does not.
pub(crate) fn steering_of(text: &str, flow: &FlowDefinition, state: &FlowState) -> Option<FlowInput> {
    let said = Words::of(text);
    let asked = state.asked.as_deref().and_then(|name| flow.slot_named(name));
    if said.is_made_of(&STEERING.back, None) {
        return Some(FlowInput::Back);
    }
    if asked.is_some() && said.is_made_of(&STEERING.skip, None) {
        return Some(FlowInput::Skip);
    }
    if let Some(slot) = asked
        && slot.need != Need::Required
        && said.is_made_of(&STEERING.needless, None)
    {
        return Some(FlowInput::Skip);
    }
    if asked.is_some() && said.is_made_of(&STEERING.anything, None) {
        return Some(FlowInput::Anything);
    }
    if let Some(slot) = said.slot_to_change(flow, asked.is_none()) {
        return Some(FlowInput::Change(slot));
    }
    (asked.is_none() && said.is_made_of(&STEERING.doubt, None)).then_some(FlowInput::Doubt)
}

/// Whether `text` answers "what should I change?" with nothing: "no, it is right".
pub(crate) fn settles(text: &str) -> bool {
    Words::of(text).is_made_of(&STEERING.settled, None)
}

/// Whether `text` calls the flow off by its name: "cancel the booking".
pub(crate) fn calls_off(text: &str, flow: &FlowDefinition) -> bool {
    let called: Phrases = flow.called.iter().map(|name| Words::of(name)).collect();
    let mut rest: &[String] = &Words::of(text).0;
    let (mut cancelled, mut named) = (false, false);
    while !rest.is_empty() {
        let (cancel, name) = (LISTS.cancel.longest(rest), called.longest(rest));
        cancelled |= cancel.is_some();
        named |= name.is_some();
        let length = cancel.max(name).or_else(|| LISTS.filler.longest(rest)).unwrap_or(0);
        match rest.get(length..) {
            Some(shorter) if length > 0 => rest = shorter,
            _ => return false,
        }
    }
    cancelled && named
}

impl Words {
    /// The one slot that is named, with words of change and fillers around it; `bare`: its name alone
    /// is enough.
    fn slot_to_change(&self, flow: &FlowDefinition, bare: bool) -> Option<String> {
        let names: Vec<(Phrases, &str)> = flow
            .slots
            .iter()
            .map(|slot| {
                (
                    slot.called.iter().map(|name| Self::of(name)).collect(),
                    slot.name.as_str(),
                )
            })
            .collect();
        let mut rest: &[String] = &self.0;
        let (mut slot, mut change) = (None, false);
        while !rest.is_empty() {
            let name = names
                .iter()
                .filter_map(|(called, name)| Some((called.longest(rest)?, *name)))
                .max_by_key(|(length, _)| *length);
            let changes = STEERING.change.longest(rest);
            let length = match (name, changes) {
                (Some((length, name)), changes) if changes.is_none_or(|other| length >= other) => {
                    if slot.is_some_and(|other| other != name) {
                        return None;
                    }
                    slot = Some(name);
                    length
                }
                (_, Some(length)) => {
                    change = true;
                    length
                }
                (_, None) => LISTS.filler.longest(rest).unwrap_or(0),
            };
            match rest.get(length..) {
                Some(shorter) if length > 0 => rest = shorter,
                _ => return None,
            }
        }
        slot.filter(|_| change || bare).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_sessions::flow::{Slot, SlotKind};

    fn booking() -> FlowDefinition {
        FlowDefinition::new("book_hotel", "{city}，{day}？", "{city} on {day}?")
            .called(["酒店", "预订", "booking", "hotel"])
            .slot(Slot::new("city", SlotKind::Name).called(["城市", "city"]))
            .slot(Slot::new("day", SlotKind::Date).called(["入住日期", "日期", "check-in date", "date"]))
            .slot(
                Slot::new("guests", SlotKind::Text)
                    .optional()
                    .called(["人数", "number of guests"]),
            )
    }

    fn check(asked: Option<&str>, expected: Option<&FlowInput>, texts: &[&str]) {
        let mut state = FlowState::default();
        state.asked = asked.map(str::to_owned);
        for text in texts {
            assert_eq!(steering_of(text, &booking(), &state).as_ref(), expected, "{text}");
        }
    }

    #[test]
    fn a_step_back_is_known_while_anything_is_asked() {
        let texts = [
            "上一步",
            "返回上一步吧",
            "回到上一个问题",
            "go back",
            "Back, please.",
            "the previous question",
        ];
        check(Some("city"), Some(&FlowInput::Back), &texts);
        check(None, Some(&FlowInput::Back), &texts);
        check(
            Some("city"),
            None,
            &["回家", "back seat", "上一首", "play back in black"],
        );
    }

    #[test]
    fn only_what_need_not_be_said_is_skipped_with_soft_words() {
        check(
            Some("guests"),
            Some(&FlowInput::Skip),
            &["跳过", "不用了", "没有", "skip it", "no thanks"],
        );
        check(Some("city"), Some(&FlowInput::Skip), &["跳过这个", "skip"]);
        check(Some("city"), None, &["不用了", "no thanks"]);
        check(
            Some("city"),
            Some(&FlowInput::Anything),
            &["随便", "去哪儿都行", "whatever"],
        );
        check(None, None, &["跳过"]);
    }

    #[test]
    fn a_slot_is_asked_anew_by_its_name() {
        let day = FlowInput::Change("day".into());
        let texts = [
            "改一下入住日期",
            "入住日期改一下",
            "日期错了",
            "我想换个日期",
            "change the check-in date",
            "the date is wrong",
            "can I change the date?",
            "go back to the date",
        ];
        check(Some("city"), Some(&day), &texts);
        check(None, Some(&day), &texts);
        check(None, Some(&day), &["入住日期", "the check-in date"]);
        check(
            Some("city"),
            None,
            &[
                "入住日期",
                "入住日期改成周五",
                "change the date to Friday",
                "换城市和日期",
            ],
        );
    }

    #[test]
    fn a_doubt_is_no_refusal() {
        check(
            None,
            Some(&FlowInput::Doubt),
            &["不对", "错了", "有问题", "that's wrong", "not right"],
        );
        check(None, None, &["不", "不要", "no", "不对，住三晚"]);
        for (text, settled) in [
            ("没有，都对", true),
            ("no, that's right", true),
            ("nothing", true),
            ("房型", false),
        ] {
            assert_eq!(settles(text), settled, "{text}");
        }
    }

    #[test]
    fn the_whole_is_called_off_by_its_name() {
        for (text, off) in [
            ("取消预订", true),
            ("不订酒店了", true),
            ("cancel the booking", true),
            ("forget the hotel", true),
            ("取消导航", false),
            ("取消", false),
            ("cancel my booking in Paris", false),
        ] {
            assert_eq!(calls_off(text, &booking()), off, "{text}");
        }
    }
}
