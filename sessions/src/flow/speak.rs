//! A flow's values as they are spoken.

use super::definition::{FlowDefinition, Slot, SlotKind};
use super::state::FlowState;
use incar_core::Lang;
use jiff::civil::Date;
use serde_json::Value;

impl FlowDefinition {
    /// The question that reads out all that was gathered, by the template of the definition.
    pub(super) fn read_out(&self, state: &FlowState, lang: Lang) -> String {
        let mut spoken = String::new();
        for (nth, part) in self.summary.get(lang).split(['[', ']']).enumerate() {
            let filled = self.filled(part, state, lang);
            // Every other part stood in brackets: it may be left out.
            match filled {
                Some(filled) => spoken.push_str(&filled),
                None if nth % 2 == 1 => {}
                None => spoken.push_str(part),
            }
        }
        spoken
    }

    /// A part of the template with its values; `None` where one is not there.
    fn filled(&self, part: &str, state: &FlowState, lang: Lang) -> Option<String> {
        let mut filled = String::new();
        for (nth, piece) in part.split(['{', '}']).enumerate() {
            if nth % 2 == 0 {
                filled.push_str(piece);
                continue;
            }
            let mut words = piece.split('|');
            let slot = self.slot_named(words.next().unwrap_or_default())?;
            let value = state.value(&slot.name)?;
            filled.push_str(&spoken(slot, value, lang));
            if let (Some(one), Some(many)) = (words.next(), words.next()) {
                filled.push(' ');
                filled.push_str(if value.as_f64() == Some(1.0) { one } else { many });
            }
        }
        Some(filled)
    }

    /// The names of slots in the summary, for the check of the definition.
    pub(super) fn named_in_summary(&self, lang: Lang) -> impl Iterator<Item = &str> {
        let parts = self.summary.get(lang).split(['{', '}']);
        // Every other part stood in braces.
        parts
            .skip(1)
            .step_by(2)
            .map(|part| part.split('|').next().unwrap_or_default())
    }
}

fn spoken(slot: &Slot, value: &Value, lang: Lang) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match &slot.kind {
        SlotKind::Date => text.parse::<Date>().map_or(text, |day| day_spoken(day, lang)),
        SlotKind::Choice(choices) => choices
            .iter()
            .find(|choice| choice.value == text)
            .map_or(text, |choice| choice.spoken.get(lang).to_owned()),
        SlotKind::Integer { .. } | SlotKind::Name | SlotKind::Text => text,
    }
}

fn day_spoken(day: Date, lang: Lang) -> String {
    match lang {
        Lang::Zh => {
            let names = ["一", "二", "三", "四", "五", "六", "日"];
            let nth = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default();
            let weekday = names.get(nth).copied().unwrap_or_default();
            format!("{}月{}日周{weekday}", day.month(), day.day())
        }
        Lang::En => day.strftime("%A, %B %-d").to_string(),
    }
}
