//! Chinese numerals.

use super::{Number, NumberKind, with_percent};
use crate::{Text, UnitKind};

/// What makes of a lone 一 an adverb or a noun: 一点, 一下, 一起, 一直 …
const AFTER_ADVERB_ONE: &str = "点下起样直些会定般边路共切旦时致向再律带生面块儿键家同齐并旁刻体";
/// What makes of a lone 一 the end of a word: 第一, 统一, 唯一 …
const BEFORE_BOUND_ONE: &str = "第统唯专万同单逐不之其";
/// After a weekday's prefix a digit names the day.
const WEEKDAY_PREFIX: &str = "周期拜";

/// A digit as it stands in a string of digits (幺 is one, 两 is not said there).
fn spoken_digit(word: &str) -> Option<u8> {
    Some(match word {
        "零" | "〇" => 0,
        "一" | "幺" => 1,
        "二" => 2,
        "三" => 3,
        "四" => 4,
        "五" => 5,
        "六" => 6,
        "七" => 7,
        "八" => 8,
        "九" => 9,
        _ => return None,
    })
}

/// A digit as it stands before a power of ten or a counted thing (两 is two, 幺 is not said there).
fn counting_digit(word: &str) -> Option<u8> {
    match word {
        "幺" => None,
        "两" => Some(2),
        _ => spoken_digit(word),
    }
}

fn power(word: &str) -> Option<f64> {
    Some(match word {
        "十" => 10.0,
        "百" => 100.0,
        "千" => 1_000.0,
        "万" => 10_000.0,
        "亿" => 100_000_000.0,
        _ => return None,
    })
}

pub(super) fn number(text: &Text, at: usize) -> Option<(Number, usize)> {
    match text.word(at) {
        "负" => negative(text, at + 1),
        "零" if text.continues(at + 1, &["下"]) => negative(text, at + 2),
        "第" => rank(text, at + 1, 1.0),
        "倒" if text.continues(at + 1, &["数", "第"]) => rank(text, at + 3, -1.0),
        "最" => last(text, at),
        "百" => percent(text, at),
        "一" if text.continues(at + 1, &["半"]) => Some((Number::new(0.5, NumberKind::Fraction), at + 2)),
        _ => unsigned(text, at),
    }
}

fn negative(text: &Text, at: usize) -> Option<(Number, usize)> {
    let (number, end) = match text.kind(at)? {
        UnitKind::Number => (Number::plain(text.word(at).parse().ok()?), at + 1),
        UnitKind::Han => {
            let (value, end) = magnitude(text, at)?;
            (Number::plain(value), end)
        }
        UnitKind::Latin | UnitKind::Other => return None,
    };
    Some((Number::new(-number.value, number.kind), end))
}

/// What follows 第 or 倒数第.
fn rank(text: &Text, at: usize, sign: f64) -> Option<(Number, usize)> {
    let (value, end) = match text.kind(at)? {
        UnitKind::Number => (text.word(at).parse().ok()?, at + 1),
        UnitKind::Han => match digit_run(text, at) {
            Some((digits, end)) => (digits.parse().ok()?, end),
            None => cardinal(text, at)?,
        },
        UnitKind::Latin | UnitKind::Other => return None,
    };
    let whole = value >= 1.0 && value.fract() == 0.0;
    whole.then(|| (Number::new(sign * value, NumberKind::Ordinal), end))
}

/// 最后一: the thing counted follows. 最后 alone is mostly an adverb.
fn last(text: &Text, at: usize) -> Option<(Number, usize)> {
    let end = match (text.next_word(at + 1), text.next_word(at + 2)) {
        ("后", "一" | "1") => at + 3,
        ("后", "那" | "个") => at + 2,
        _ => return None,
    };
    Some((Number::new(-1.0, NumberKind::Ordinal), end))
}

/// 百分之三十, 百分之百, 百分百.
fn percent(text: &Text, at: usize) -> Option<(Number, usize)> {
    let of_hundred = |value, end| Some((Number::new(value, NumberKind::Percent), end));
    if text.continues(at + 1, &["分", "百"]) {
        return of_hundred(100.0, at + 3);
    }
    if !text.continues(at + 1, &["分", "之"]) {
        return None;
    }
    let start = at + 3;
    match text.kind(start)? {
        UnitKind::Number => of_hundred(text.word(start).parse().ok()?, start + 1),
        UnitKind::Han => match magnitude(text, start) {
            Some((value, end)) => of_hundred(value, end),
            None if text.next_word(start) == "百" => of_hundred(100.0, start + 1),
            None => None,
        },
        UnitKind::Latin | UnitKind::Other => None,
    }
}

fn unsigned(text: &Text, at: usize) -> Option<(Number, usize)> {
    if let Some((digits, end)) = digit_run(text, at) {
        return match decimals(text, end) {
            Some((fraction, end)) => Some((Number::plain(format!("{digits}.{fraction}").parse().ok()?), end)),
            None => Some(with_percent(text, Number::digits(digits), end)),
        };
    }
    let (value, end) = magnitude(text, at)?;
    if end == at + 1 && !stands_alone(text, at) {
        return None;
    }
    Some(after_magnitude(text, value, end))
}

/// Whether a single character is a number where it stands.
fn stands_alone(text: &Text, at: usize) -> bool {
    let (before, word, after) = (text.previous_word(at), text.word(at), text.next_word(at + 1));
    let among = |set: &str, word: &str| !word.is_empty() && set.contains(word);
    if among(WEEKDAY_PREFIX, before) {
        return false;
    }
    match word {
        "一" => !among(AFTER_ADVERB_ONE, after) && !among(BEFORE_BOUND_ONE, before),
        "两" => !among("边侧旁者头", after),
        "十" if after == "分" => text.next_word(at + 2) == "钟",
        "十" => after != "足",
        _ => true,
    }
}

/// What may follow a magnitude said or written: 点五, 万, 成, 分之一, 个百分点.
pub(super) fn after_magnitude(text: &Text, value: f64, end: usize) -> (Number, usize) {
    let mut value = value;
    let mut end = end;
    if text.kind(end.wrapping_sub(1)) == Some(UnitKind::Number) {
        if let Some((digits, after)) = decimals(text, end).filter(|_| value.fract() == 0.0) {
            value = format!("{value}.{digits}").parse().unwrap_or(value);
            end = after;
        }
        if let Some(power) = power(text.next_word(end)).filter(|&power| power >= 100.0) {
            value *= power;
            end += 1;
        }
    }
    let tenths = text.next_word(end) == "成" && !matches!(text.next_word(end + 1), "都" | "为" | "功" | "立");
    if tenths && value > 0.0 && value <= 10.0 {
        return match text.next_word(end + 1) {
            "半" => (Number::new(value * 10.0 + 5.0, NumberKind::Percent), end + 2),
            _ => (Number::new(value * 10.0, NumberKind::Percent), end + 1),
        };
    }
    if text.continues(end, &["分", "之"]) && value > 1.0 {
        let part = match text.kind(end + 2) {
            Some(UnitKind::Number) => text.word(end + 2).parse().ok().map(|part: f64| (part, end + 3)),
            _ => cardinal(text, end + 2),
        };
        if let Some((part, end)) = part {
            return (Number::new(part / value, NumberKind::Fraction), end);
        }
    }
    with_percent(text, Number::plain(value), end)
}

/// Two digits or more said one by one.
pub(crate) fn digit_run(text: &Text, at: usize) -> Option<(String, usize)> {
    let mut digits = String::new();
    let mut end = at;
    while let Some(digit) = spoken_digit(if end == at { text.word(end) } else { text.next_word(end) }) {
        digits.push(char::from(b'0' + digit));
        end += 1;
    }
    if power(text.next_word(end)).is_some() {
        // The last digit begins another numeral: 三|二十.
        digits.pop();
        end = end.saturating_sub(1);
    }
    (digits.len() >= 2).then_some((digits, end))
}

/// 点 and the digits after it, unless they are minutes (三点五分, 三点十五).
fn decimals(text: &Text, at: usize) -> Option<(String, usize)> {
    if text.next_word(at) != "点" {
        return None;
    }
    let mut end = at + 1;
    let mut digits = String::new();
    if text.kind(end) == Some(UnitKind::Number) {
        digits.push_str(text.next_word(end));
        end += 1;
        let tenths = digits.len() == 1 && text.next_word(end) != "分";
        return tenths.then_some((digits, end));
    }
    while let Some(digit) = spoken_digit(text.next_word(end)).filter(|_| text.next_word(end) != "幺") {
        digits.push(char::from(b'0' + digit));
        end += 1;
    }
    let minutes = match text.next_word(end) {
        "十" | "百" | "刻" => true,
        "分" => text.next_word(end + 1) != "之",
        _ => false,
    };
    (!digits.is_empty() && !minutes).then_some((digits, end))
}

/// A cardinal with an optional fraction.
fn magnitude(text: &Text, at: usize) -> Option<(f64, usize)> {
    let (value, end) = cardinal(text, at)?;
    match decimals(text, end) {
        Some((digits, end)) => Some((format!("{value}.{digits}").parse().ok()?, end)),
        None => Some((value, end)),
    }
}

/// A Chinese numeral in the making: `total` in whole 亿 and 万, `section` below them.
#[derive(Default)]
struct Numeral {
    total: f64,
    section: f64,
    /// The last power said.
    power: Option<f64>,
    /// The last 亿 or 万 said.
    great: Option<f64>,
    /// A digit that waits for its power, and its index.
    pending: Option<(f64, usize)>,
    after_zero: bool,
}

impl Numeral {
    fn digit(&mut self, digit: f64, index: usize) -> bool {
        let fits = self.pending.is_none();
        if fits {
            self.pending = Some((digit, index));
        }
        fits
    }

    fn raise(&mut self, power: f64) -> bool {
        let begun = self.power.is_some() || self.pending.is_some();
        let pending = self.pending.map(|(digit, _)| digit);
        if power >= 10_000.0 {
            let coefficient = self.section + pending.unwrap_or_default();
            if coefficient == 0.0 || self.great.is_some_and(|great| power >= great) {
                return false;
            }
            self.total += coefficient * power;
            self.section = 0.0;
            self.great = Some(power);
        } else {
            let implied = (power == 10.0 && (!begun || self.after_zero)).then_some(1.0);
            let Some(coefficient) = pending.or(implied) else {
                return false;
            };
            if self.power.is_some_and(|last| power >= last) {
                return false;
            }
            self.section += coefficient * power;
        }
        self.power = Some(power);
        self.pending = None;
        self.after_zero = false;
        true
    }

    /// What the waiting digit is worth: itself, or tenths of the last power (一百二).
    fn last_digit(&self, digit: f64) -> f64 {
        match self.power {
            Some(power) if power > 10.0 && !self.after_zero => digit * power / 10.0,
            _ => digit,
        }
    }
}

/// A Chinese numeral below 10^12, with its shortenings: 一百二 (120), 两万三 (23,000), 两三 (2).
pub(crate) fn cardinal(text: &Text, at: usize) -> Option<(f64, usize)> {
    let word = |index: usize| {
        if index == at {
            text.word(index)
        } else {
            text.next_word(index)
        }
    };
    let digit = |index: usize| counting_digit(word(index));
    let mut numeral = Numeral::default();
    let mut end = at;
    loop {
        let fits = match (digit(end), power(word(end))) {
            (Some(0), _) if end == at => return Some((0.0, at + 1)),
            (Some(0), _) => {
                let more = digit(end + 1).is_some_and(|next| next > 0) || word(end + 1) == "十";
                let fits = more && !numeral.after_zero && numeral.pending.is_none();
                numeral.after_zero |= fits;
                fits
            }
            (Some(digit), _) => numeral.digit(f64::from(digit), end),
            (None, Some(power)) => numeral.raise(power),
            (None, None) => false,
        };
        if !fits {
            break;
        }
        end += 1;
    }
    let mut value = numeral.total + numeral.section;
    if let Some((waiting, index)) = numeral.pending {
        let shortened = numeral.last_digit(waiting) != waiting;
        if power(word(end)).is_some() || (shortened && digit(end).is_some()) {
            // The digit begins another numeral.
            end = index;
        } else {
            value += numeral.last_digit(waiting);
            let about = numeral.power.is_none() && word(index) == "两" && digit(end) == Some(3);
            end += usize::from(about);
        }
    }
    (end > at && value > 0.0).then_some((value, end))
}
