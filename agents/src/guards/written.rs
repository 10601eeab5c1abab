//! Whether a value stands in a text, in this or another written form.

use incar_text::{NumberKind, SoundIndex, Text, UnitKind, number_at, sound};
use std::collections::HashSet;

/// How much a text may differ from a value that it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Letter by letter, by sound, or with a break more or less.
    Same,
    /// Also in other words, as long as most of them are the same: a message is told, not dictated.
    Retold,
}

/// From how many units on a text may be retold.
const RETOLD: usize = 4;

/// The most that a syllable may differ to be heard for another.
const ALIKE: f32 = 0.2;

/// Whether `text` says `value`.
pub(super) fn says(text: &Text, value: &str, form: Form) -> bool {
    let value = Text::new(value);
    if value.is_empty() {
        return true;
    }
    stands(text, &value)
        || runs_together(text, &value)
        || sounds(text, &value)
        || form == Form::Retold && retold(text, &value)
}

/// Whether the units of `value` stand in `text` one after another.
fn stands(text: &Text, value: &Text) -> bool {
    let starts = (text.len() + 1).saturating_sub(value.len());
    (0..starts).any(|start| (0..value.len()).all(|at| text.word(start + at) == value.word(at)))
}

/// The same without breaks: "star bucks" for "Starbucks", 138 0013 for 1380013.
fn runs_together(text: &Text, value: &Text) -> bool {
    let latin = |text: &Text| text.units().iter().any(|unit| unit.kind != UnitKind::Han);
    if !latin(value) {
        return false;
    }
    let sought: String = value.words().collect();
    if sought.chars().count() < 4 {
        return false;
    }
    let digits = sought.chars().all(|c| c.is_ascii_digit());
    let whole: String = text.words().collect();
    whole.contains(&sought) || digits && spelled(text).contains(&sought)
}

/// All digits that were said, in order.
fn spelled(text: &Text) -> String {
    let mut digits = String::new();
    let mut at = 0;
    while at < text.len() {
        match number_at(text, at) {
            Some((number, units)) if units > 0 => {
                digits.push_str(&number.spelled());
                at += units;
            }
            _ => at += 1,
        }
    }
    digits
}

/// Whether some stretch of `text` sounds like `value`, as a recogniser may have written it: 情天 for 晴天.
fn sounds(text: &Text, value: &Text) -> bool {
    let han = value.units().iter().all(|unit| unit.kind == UnitKind::Han);
    if !han || value.len() < 2 {
        return false;
    }
    let index = SoundIndex::new([value.source()]);
    let heard = sound(text, 0..text.len());
    let most = ALIKE * value.len() as f32;
    index.find(&heard).iter().any(|found| found.cost <= most)
}

/// Whether most of what `value` says stands somewhere in `text`.
fn retold(text: &Text, value: &Text) -> bool {
    if value.len() < RETOLD {
        return false;
    }
    let there: HashSet<&str> = text.words().collect();
    let kept = value.words().filter(|word| there.contains(word)).count();
    kept * 2 >= value.len()
}

/// The numbers that a text may be read as: also half of a hundred, and a sign left out.
pub(super) fn numbers(text: &Text) -> Vec<f64> {
    let mut found = Vec::new();
    for at in 0..text.len() {
        let number = number_at(text, at).or_else(|| incar_text::half_at(text, at));
        let Some((number, units)) = number else { continue };
        found.push(number.value);
        if number.kind == NumberKind::Fraction {
            found.push((number.value * 100.0).round());
        }
        // 二十二度半: half a unit more.
        let after = (at + units..at + units + 3).find_map(|next| incar_text::half_at(text, next));
        found.extend(after.map(|(half, _)| number.value + half.value));
    }
    found
}
