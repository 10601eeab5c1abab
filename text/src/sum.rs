//! Arithmetic as people say and write it: 三加五, `15% of 84`, `(3+5)*2`.

use crate::{Number, NumberKind, Text, UnitKind, half_at, number_at};
use std::ops::Range;

/// What is done with the numbers of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SumSign {
    /// 加, `plus`, `+`.
    Add,
    /// 减, `minus`, `-`.
    Subtract,
    /// 乘, `times`, `×`.
    Multiply,
    /// 除以, `over`, `÷`.
    Divide,
    /// 的, `of`: of a percentage a product, before [`SumSign::Exponent`] a power.
    Of,
    /// `to the power of`, `^`.
    Power,
    /// 次方: the number before it is an exponent.
    Exponent,
    /// 的平方, `squared`.
    Squared,
    /// 的立方, `cubed`.
    Cubed,
    /// 阶乘, `factorial`, `!`.
    Factorial,
    /// 倍: the number before it is a factor.
    Fold,
    /// A percent sign apart from its number.
    Percent,
    /// 根号, `square root of`.
    Root,
    /// `cube root of`.
    CubeRoot,
    /// 的平方根: what stands before it is the operand.
    RootOfLast,
    /// 圆周率, `pi`.
    Pi,
    /// A bracket opens.
    Open,
    /// A bracket closes.
    Close,
}

/// One part of a sum.
#[derive(Clone, Debug, PartialEq)]
pub enum SumPart {
    /// A number in words, or one that its words make more than digits: 百分之十五, `15 percent`.
    Number(Number),
    /// A number in plain digits, to be taken as it is written.
    Digits,
    /// A word or sign of arithmetic.
    Sign(SumSign),
}

/// Words for signs, longer ones before those they begin with.
const WORDS: &[(&[&str], SumSign)] = &[
    (&["加", "上"], SumSign::Add),
    (&["加"], SumSign::Add),
    (&["plus"], SumSign::Add),
    (&["and"], SumSign::Add),
    (&["减", "去"], SumSign::Subtract),
    (&["减", "掉"], SumSign::Subtract),
    (&["减"], SumSign::Subtract),
    (&["minus"], SumSign::Subtract),
    (&["乘", "以"], SumSign::Multiply),
    (&["乘", "上"], SumSign::Multiply),
    (&["乘"], SumSign::Multiply),
    (&["times"], SumSign::Multiply),
    (&["multiplied", "by"], SumSign::Multiply),
    (&["x"], SumSign::Multiply),
    (&["除", "以"], SumSign::Divide),
    (&["divided", "by"], SumSign::Divide),
    (&["over"], SumSign::Divide),
    (&["的", "平", "方", "根"], SumSign::RootOfLast),
    (&["开", "平", "方"], SumSign::RootOfLast),
    (&["的", "平", "方"], SumSign::Squared),
    (&["的", "立", "方"], SumSign::Cubed),
    (&["平", "方"], SumSign::Squared),
    (&["立", "方"], SumSign::Cubed),
    (&["squared"], SumSign::Squared),
    (&["cubed"], SumSign::Cubed),
    (&["次", "方"], SumSign::Exponent),
    (&["次", "幂"], SumSign::Exponent),
    (&["to", "the", "power", "of"], SumSign::Power),
    (&["to", "the", "power"], SumSign::Power),
    (&["的", "阶", "乘"], SumSign::Factorial),
    (&["factorial"], SumSign::Factorial),
    (&["倍"], SumSign::Fold),
    (&["根", "号"], SumSign::Root),
    (&["the", "square", "root", "of"], SumSign::Root),
    (&["square", "root", "of"], SumSign::Root),
    (&["the", "cube", "root", "of"], SumSign::CubeRoot),
    (&["cube", "root", "of"], SumSign::CubeRoot),
    (&["sqrt"], SumSign::Root),
    (&["cbrt"], SumSign::CubeRoot),
    (&["圆", "周", "率"], SumSign::Pi),
    (&["派"], SumSign::Pi),
    (&["pi"], SumSign::Pi),
    (&["π"], SumSign::Pi),
    (&["的"], SumSign::Of),
    (&["of"], SumSign::Of),
];

/// A sign that is written.
fn sign(ch: char) -> Option<SumSign> {
    Some(match ch {
        '+' | '＋' => SumSign::Add,
        '-' | '−' | '–' | '－' => SumSign::Subtract,
        '*' | '×' | '·' | '＊' | '✕' => SumSign::Multiply,
        '/' | '÷' | '／' => SumSign::Divide,
        '^' => SumSign::Power,
        '!' | '！' => SumSign::Factorial,
        '(' | '（' | '[' | '【' | '{' => SumSign::Open,
        ')' | '）' | ']' | '】' | '}' => SumSign::Close,
        '²' => SumSign::Squared,
        '³' => SumSign::Cubed,
        '√' => SumSign::Root,
        '%' | '％' => SumSign::Percent,
        _ => return None,
    })
}

/// The part of a sum that begins at a unit, and how many units it takes.
pub fn sum_part_at(text: &Text, index: usize) -> Option<(SumPart, usize)> {
    // Digits are left as they are written: 0.30, 8/21.
    let wordy = |number: &Number| {
        !matches!(
            number.kind,
            NumberKind::Digits | NumberKind::Fraction | NumberKind::Ordinal
        )
    };
    let kind = text.kind(index)?;
    if kind == UnitKind::Number {
        let number = number_at(text, index).filter(|(number, units)| *units > 1 && wordy(number));
        return Some(number.map_or((SumPart::Digits, 1), |(number, units)| (SumPart::Number(number), units)));
    }
    let spoken = |words: &[&str]| {
        text.word(index) == words.first().copied().unwrap_or_default() && {
            words.get(1..).is_none_or(|rest| text.continues(index + 1, rest))
        }
    };
    if let Some((words, sign)) = WORDS.iter().find(|(words, _)| spoken(words)) {
        return Some((SumPart::Sign(*sign), words.len()));
    }
    let number = number_at(text, index)
        .filter(|(number, _)| kind != UnitKind::Other && number.kind != NumberKind::Ordinal)
        .or_else(|| half_at(text, index));
    if let Some((number, units)) = number {
        return Some((SumPart::Number(number), units));
    }
    let mut chars = text.word(index).chars();
    match (chars.next().and_then(sign), chars.next()) {
        (Some(sign), None) => Some((SumPart::Sign(sign), 1)),
        _ => None,
    }
}

/// The signs that are written in what stands between two units: [`Text`] takes brackets, hyphens and slashes for gaps.
/// `None` where anything else stands there.
pub fn signs_between(gap: &str) -> Option<Vec<SumSign>> {
    gap.chars().filter(|ch| !ch.is_whitespace()).map(sign).collect()
}

/// The sum that begins at a unit: its bytes in the source, with its brackets, and how many units it takes.
///
/// A sum has numbers where they belong and at least one sign. Whether it has a result is not asked.
///
/// ```
/// use incar_text::{Text, sum_at};
///
/// let text = Text::new("三加五等于多少");
/// let (bytes, units) = sum_at(&text, 0).ok_or("no sum")?;
/// assert_eq!((&text.source()[bytes], units), ("三加五", 3));
/// # Ok::<(), &str>(())
/// ```
pub fn sum_at(text: &Text, index: usize) -> Option<(Range<usize>, usize)> {
    Reader::new(text, index)?.read(text, index)
}

/// What goes on with a result that was just told: 乘以二, `plus five`. As [`sum_at`], but a sign comes first.
pub fn sum_goes_on_at(text: &Text, index: usize) -> Option<(Range<usize>, usize)> {
    let mut reader = Reader::new(text, index)?;
    if reader.open > 0 {
        return None;
    }
    reader.due = false;
    // "And five" is no sum of its own, nor is 的.
    let joins = |sign| {
        matches!(
            sign,
            SumSign::Add | SumSign::Subtract | SumSign::Multiply | SumSign::Divide
        )
    };
    match sum_part_at(text, index)? {
        (SumPart::Sign(sign), _) if joins(sign) && text.word(index) != "and" => reader.read(text, index),
        _ => None,
    }
}

impl Reader {
    /// The longest whole sum from a unit on.
    fn read(mut self, text: &Text, index: usize) -> Option<(Range<usize>, usize)> {
        let mut found = None;
        let mut at = index;
        while let Some((part, units)) = sum_part_at(text, at) {
            if at > index && !self.gap(text, at) || !self.take(&part) {
                break;
            }
            at += units;
            self.end = text.unit(at - 1)?.end;
            if self.is_whole() {
                found = Some((self.start..self.end, at - index));
            }
        }
        // The bracket after the last number.
        if self.gap(text, at) && self.is_whole() {
            found = Some((self.start..self.end, at - index));
        }
        found
    }
}

/// What may come next in a sum.
struct Reader {
    start: usize,
    /// Where what was read ends.
    end: usize,
    /// Whether a number is due.
    due: bool,
    open: usize,
    signs: usize,
}

impl Reader {
    fn new(text: &Text, index: usize) -> Option<Self> {
        let first = text.unit(index)?.start;
        let before = index.checked_sub(1).and_then(|before| text.unit(before));
        let gap = text.source().get(before.map_or(0, |unit| unit.end)..first)?;
        let opened = |ch: &char| sign(*ch) == Some(SumSign::Open);
        let brackets: String = gap.chars().rev().take_while(opened).collect();
        Some(Self {
            start: first - brackets.len(),
            end: first,
            due: true,
            open: brackets.chars().count(),
            signs: 0,
        })
    }

    fn is_whole(&self) -> bool {
        !self.due && self.open == 0 && self.signs > 0
    }

    /// Takes what is written between the last unit and the one at an index.
    fn gap(&mut self, text: &Text, index: usize) -> bool {
        let from = self.end;
        let to = text.unit(index).map_or(text.source().len(), |unit| unit.start);
        for (at, ch) in text.source().get(from..to).unwrap_or_default().char_indices() {
            match sign(ch) {
                Some(sign) if self.sign(sign) => self.end = from + at + ch.len_utf8(),
                None if ch.is_whitespace() => {}
                _ => return false,
            }
        }
        true
    }

    fn take(&mut self, part: &SumPart) -> bool {
        match part {
            SumPart::Sign(sign) => self.sign(*sign),
            SumPart::Number(_) | SumPart::Digits => std::mem::take(&mut self.due),
        }
    }

    /// Whether a sign may stand here.
    fn sign(&mut self, sign: SumSign) -> bool {
        let fits = match sign {
            // A number's own sign: a number is no sum.
            SumSign::Subtract if self.due => return true,
            SumSign::Add | SumSign::Subtract | SumSign::Multiply | SumSign::Divide | SumSign::Of | SumSign::Power => {
                !std::mem::replace(&mut self.due, true)
            }
            SumSign::Root | SumSign::CubeRoot => self.due,
            SumSign::Pi => std::mem::take(&mut self.due),
            SumSign::Exponent
            | SumSign::Squared
            | SumSign::Cubed
            | SumSign::Factorial
            | SumSign::Fold
            | SumSign::Percent
            | SumSign::RootOfLast => !self.due,
            SumSign::Open => {
                self.open += 1;
                return self.due;
            }
            SumSign::Close => {
                let closes = !self.due && self.open > 0;
                self.open = self.open.saturating_sub(1);
                return closes;
            }
        };
        self.signs += usize::from(fits);
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sum_reaches_as_far_as_its_numbers_and_signs_fit() {
        for (said, sum) in [
            ("三加五等于多少", Some("三加五")),
            ("84的百分之15是多少", Some("84的百分之15")),
            ("十二乘以十二", Some("十二乘以十二")),
            ("一百减三十七再说", Some("一百减三十七")),
            ("九的平方根", Some("九的平方根")),
            ("2的10次方是几", Some("2的10次方")),
            ("四十五的三倍", Some("四十五的三倍")),
            ("根号二", Some("根号二")),
            ("12 times 12", Some("12 times 12")),
            ("15 percent of 84 please", Some("15 percent of 84")),
            ("the square root of 81", Some("the square root of 81")),
            ("twenty-one divided by seven", Some("twenty-one divided by seven")),
            ("12*12=?", Some("12*12")),
            ("(3+5)*2 等于", Some("(3+5)*2")),
            ("(3 + 5)是多少", Some("(3 + 5)")),
            ("7 - 10", Some("7 - 10")),
            ("-3 + 5", Some("-3 + 5")),
            ("减一", None),
            ("-1", None),
            ("三", None),
            ("三加", None),
            ("加五", None),
            ("(3+5", None),
            ("窗户", None),
            ("", None),
        ] {
            let text = Text::new(said);
            let found = sum_at(&text, 0).and_then(|(bytes, _)| said.get(bytes));
            assert_eq!(found, sum, "{said}");
        }
    }

    #[test]
    fn what_goes_on_with_a_result_begins_with_a_sign() {
        for (said, more) in [
            ("乘以二呢", Some("乘以二")),
            ("减一", Some("减一")),
            ("加上三再说", Some("加上三")),
            ("times 4 minus 1", Some("times 4 minus 1")),
            ("plus five", Some("plus five")),
            ("除以二加一等于多少", Some("除以二加一")),
            ("and five", None),
            ("的平方", None),
            ("三加五", None),
            ("乘以", None),
            ("减", None),
            ("", None),
        ] {
            let text = Text::new(said);
            let found = sum_goes_on_at(&text, 0).and_then(|(bytes, _)| said.get(bytes));
            assert_eq!(found, more, "{said}");
        }
    }

    proptest! {
        #[test]
        fn a_sum_is_a_range_of_its_text(said in "[0-9三十百加减乘除以的点分之平方根次()+*/^!.% a窗-]{0,16}", at in 0..8_usize) {
            let text = Text::new(&said);
            if let Some((bytes, units)) = sum_at(&text, at) {
                prop_assert!(said.get(bytes).is_some());
                prop_assert!(at + units <= text.len());
            }
        }
    }
}
