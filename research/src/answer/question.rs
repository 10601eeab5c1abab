//! What a question asks for, where its words say so.

use super::AnswerKind;
use super::units::{COUNTED, MEASURED};
use incar_text::Text;

/// Words that ask for a whole number, whatever else is asked.
const WHOLE: [&str; 8] = [
    "取整",
    "整数",
    "四舍五入到个位",
    "四舍五入到整",
    "nearest integer",
    "nearest whole number",
    "as an integer",
    "whole number",
];
/// Words that ask for decimals.
const DECIMALS: [&str; 4] = ["小数", "decimal places", "decimal place", "exact number"];
/// Words that ask for several things.
const SEVERAL: [&str; 11] = [
    "哪些",
    "哪几",
    "有什么",
    "分别是",
    "列出",
    "列举",
    "list the",
    "list all",
    "name the",
    "name all",
    "which of the",
];
/// Numbers above one, as they stand between "which" and what is asked for.
const SOME: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const SOME_ZH: [char; 10] = ['两', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

pub(super) fn asked_by(question: &str) -> Option<AnswerKind> {
    let text = Text::new(question);
    let words = text.normal(0..text.len());
    let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
    if has(&WHOLE) {
        return Some(AnswerKind::Integer);
    }
    if has(&DECIMALS) {
        return Some(AnswerKind::Number);
    }
    if has(&SEVERAL) || asks_for_some(&words) {
        return Some(AnswerKind::List);
    }
    amount(&words)
}

/// 哪两座, which three.
fn asks_for_some(words: &str) -> bool {
    let after = |word: &'static str| words.split(word).skip(1);
    after("哪").any(|rest| rest.starts_with(SOME_ZH))
        || after("which ").any(|rest| rest.split(' ').next().is_some_and(|next| SOME.contains(&next)))
}

/// A count or an amount: 多少座, 几个, 哪一年, how many bridges.
fn amount(words: &str) -> Option<AnswerKind> {
    if ["哪一年", "哪年", "第几", "what year", "which year"]
        .iter()
        .any(|year| words.contains(year))
    {
        return Some(AnswerKind::Integer);
    }
    let counted = |after: &str| -> Option<AnswerKind> {
        if MEASURED.iter().any(|unit| after.starts_with(unit)) {
            Some(AnswerKind::Number)
        } else if COUNTED.iter().any(|unit| after.starts_with(unit)) {
            Some(AnswerKind::Integer)
        } else {
            None
        }
    };
    let after = |word: &str| words.split_once(word).map(|(_, after)| after.trim_start());
    if let Some(kind) = after("多少")
        .and_then(counted)
        .or_else(|| after("几").and_then(counted))
    {
        return Some(kind);
    }
    let counted_thing = after("how many ")?;
    let measured = MEASURED
        .iter()
        .any(|unit| counted_thing.split(' ').next() == Some(unit));
    Some(if measured {
        AnswerKind::Number
    } else {
        AnswerKind::Integer
    })
}
