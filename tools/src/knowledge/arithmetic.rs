//! Arithmetic as people say it: spoken sums are written out, then evaluated exactly by `fend-core`.
//!
//! `fend-core` knows far more than arithmetic (units, functions, variables). Nothing reaches it but numbers, `+ - * / ^ !`,
//! brackets, `sqrt`, `cbrt` and `pi`, in bounded length, depth and time.

use fend_core::{Context, Interrupt, evaluate_with_interrupt};
use incar_text::{NumberKind, SumPart, SumSign, Text, signs_between, sum_part_at};
use std::sync::atomic::{AtomicU32, Ordering};

/// Longer sums are not spoken.
const LONGEST: usize = 300;
/// So deep may brackets be nested.
const DEEPEST: usize = 20;
/// `fend-core` asks so often whether to go on; ordinary sums take some dozens of steps.
const MOST_STEPS: u32 = 4_000;

/// What a sum comes to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Evaluated {
    /// The sum as it was read: `84 * (15/100)`.
    pub expression: String,
    /// The result in decimal, exact unless [`Evaluated::approximate`].
    pub result: String,
    /// The result as a number.
    pub value: f64,
    /// Whether the result is rounded.
    pub approximate: bool,
}

/// Why a sum comes to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArithmeticError {
    /// It is no sum, or holds something else too.
    #[error("not an arithmetic expression")]
    NotArithmetic,
    /// It divides by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// Its result is no real number.
    #[error("the result is no real number")]
    NotReal,
    /// It is too long, too deep, or its result too large.
    #[error("too large to work out")]
    TooLarge,
}

/// Evaluates a sum, written (`(3+5)*2`) or spoken (三加五乘二, `15 percent of 84`, 八十四的百分之十五).
///
/// # Errors
/// [`ArithmeticError`] says why it comes to nothing.
///
/// ```
/// use incar_tools::knowledge::evaluate;
///
/// assert_eq!(evaluate("八十四的百分之十五")?.result, "12.6");
/// assert_eq!(evaluate("three plus five times two")?.value, 13.0);
/// # Ok::<(), incar_tools::knowledge::ArithmeticError>(())
/// ```
pub fn evaluate(said: &str) -> Result<Evaluated, ArithmeticError> {
    if said.chars().count() > LONGEST {
        return Err(ArithmeticError::TooLarge);
    }
    let expression = Written::of(said)?.finish()?;
    let mut context = Context::new();
    context.disable_rng();
    let budget = Budget(AtomicU32::new(0));
    let result =
        evaluate_with_interrupt(&expression, &mut context, &budget).map_err(|message| match message.as_str() {
            "division by zero" => ArithmeticError::DivisionByZero,
            _ if budget.is_spent() => ArithmeticError::TooLarge,
            _ => ArithmeticError::NotArithmetic,
        })?;
    let printed = result.get_main_result();
    let exact = printed.strip_prefix("approx. ");
    let number = exact.unwrap_or(printed);
    if number.contains('i') {
        return Err(ArithmeticError::NotReal);
    }
    let value: f64 = number.parse().map_err(|_| ArithmeticError::NotArithmetic)?;
    if !value.is_finite() {
        return Err(ArithmeticError::TooLarge);
    }
    Ok(Evaluated {
        result: number.to_owned(),
        approximate: exact.is_some(),
        value,
        expression,
    })
}

/// Ends what takes too many steps. Steps are counted, not time: the same sum always ends the same.
struct Budget(AtomicU32);

impl Budget {
    fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MOST_STEPS
    }
}

impl Interrupt for Budget {
    fn should_interrupt(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        self.is_spent()
    }
}

/// What only makes it a question, longer wordings before those they begin with. Each word a unit of [`Text`].
const QUESTIONS: &[&[&str]] = &[
    &["等", "于", "多", "少"],
    &["等", "于", "几"],
    &["等", "于"],
    &["是", "多", "少"],
    &["是", "几"],
    &["得", "多", "少"],
    &["多", "少"],
    &["what", "is"],
    &["what's"],
    &["how", "much", "is"],
    &["calculate"],
    &["equals"],
    &["计", "算"],
    &["算"],
];

/// How a sign is written that stands between or after its numbers.
fn written(sign: SumSign) -> Option<&'static str> {
    Some(match sign {
        SumSign::Add => "+",
        SumSign::Subtract => "-",
        SumSign::Multiply | SumSign::Of => "*",
        SumSign::Divide => "/",
        SumSign::Power => "^",
        SumSign::Squared => "^2",
        SumSign::Cubed => "^3",
        SumSign::Factorial => "!",
        SumSign::Percent => "/100",
        SumSign::Root => "sqrt",
        SumSign::CubeRoot => "cbrt",
        SumSign::Pi => "pi",
        SumSign::Open => "(",
        SumSign::Close => ")",
        _ => return None,
    })
}

/// A sum being written out.
#[derive(Debug, Default)]
struct Written {
    parts: Vec<String>,
    /// The part before which a sum with a percentage is added to or taken from: 200 - 20%.
    percent: Option<usize>,
}

impl Written {
    fn of(said: &str) -> Result<Self, ArithmeticError> {
        let text = Text::new(said);
        let mut written = Self::default();
        let (mut at, mut byte) = (0, 0);
        while at < text.len() {
            let Some(unit) = text.unit(at) else { break };
            written.between(said.get(byte..unit.start).unwrap_or_default())?;
            let units = written.unit(&text, at)?;
            byte = text.unit(at + units - 1).map_or(unit.end, |last| last.end);
            at += units;
        }
        let rest = said.get(byte..).unwrap_or_default();
        // 5! is a factorial; a sentence may end in any other sign.
        written.between(rest.trim_end_matches(['。', '.', '？', '?', '=', '！', ' ']))?;
        Ok(written)
    }

    /// What [`Text`] takes for a gap: brackets, hyphens, slashes. Before the sum other marks may stand too.
    fn between(&mut self, gap: &str) -> Result<(), ArithmeticError> {
        let is_mark = |c: char| matches!(c, '?' | '？' | '=' | '。' | '"' | '“' | '”' | ',' | '，');
        let gap = match self.parts.is_empty() {
            true => gap.replace(is_mark, ""),
            false => gap.to_owned(),
        };
        for sign in signs_between(&gap).ok_or(ArithmeticError::NotArithmetic)? {
            self.sign(sign)?;
        }
        Ok(())
    }

    /// Writes what begins at a unit; returns how many units that was.
    fn unit(&mut self, text: &Text, at: usize) -> Result<usize, ArithmeticError> {
        let asked = |words: &&&[&str]| {
            words
                .iter()
                .enumerate()
                .all(|(offset, word)| text.word(at + offset) == *word)
        };
        if let Some(words) = QUESTIONS.iter().find(asked) {
            return Ok(words.len());
        }
        match sum_part_at(text, at) {
            Some((SumPart::Number(number), units)) => {
                self.number(number.value, number.kind);
                Ok(units)
            }
            Some((SumPart::Digits, units)) => {
                self.parts.push(text.word(at).to_owned());
                Ok(units)
            }
            Some((SumPart::Sign(sign), units)) => {
                self.sign(sign)?;
                Ok(units)
            }
            None if matches!(text.word(at), "=" | "?") => Ok(1),
            None => Err(ArithmeticError::NotArithmetic),
        }
    }

    fn number(&mut self, value: f64, kind: NumberKind) {
        if kind == NumberKind::Percent {
            self.percent = Some(self.parts.len());
            self.parts.push(format!("({value}/100)"));
        } else if value < 0.0 {
            self.parts.push(format!("({value})"));
        } else {
            self.parts.push(value.to_string());
        }
    }

    fn sign(&mut self, sign: SumSign) -> Result<(), ArithmeticError> {
        match (sign, self.parts.as_mut_slice()) {
            (SumSign::RootOfLast, _) => {
                let start = self.last_operand().ok_or(ArithmeticError::NotArithmetic)?;
                self.parts.insert(start, "sqrt(".to_owned());
                self.parts.push(")".to_owned());
            }
            // 二的三次方: the 的 before the exponent has joined it to its base.
            (SumSign::Exponent, [.., join, _]) if join == "*" => *join = "^".to_owned(),
            // 四十五的三倍: the 的 before it says all.
            (SumSign::Fold, [.., _]) => {}
            (sign, _) => {
                let sign = written(sign).ok_or(ArithmeticError::NotArithmetic)?;
                self.parts.push(sign.to_owned());
            }
        }
        Ok(())
    }

    /// Where the last operand begins: a number, or a bracket with what is in it.
    fn last_operand(&self) -> Option<usize> {
        let mut open = 0_usize;
        for (index, part) in self.parts.iter().enumerate().rev() {
            match part.as_str() {
                ")" => open += 1,
                "(" | "sqrt(" => {
                    open = open.checked_sub(1)?;
                    if open == 0 {
                        return Some(index);
                    }
                }
                _ if open == 0 => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// The sum as text.
    fn finish(mut self) -> Result<String, ArithmeticError> {
        self.add_percentage();
        self.close_functions();
        let (mut depth, mut deepest) = (0_i32, 0);
        let written = self.parts.join(" ");
        for c in written.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            deepest = deepest.max(depth);
            if depth < 0 {
                return Err(ArithmeticError::NotArithmetic);
            }
        }
        if depth != 0 || !written.contains(|c: char| c.is_ascii_digit() || c == 'p') {
            return Err(ArithmeticError::NotArithmetic);
        }
        if usize::try_from(deepest).unwrap_or_default() > DEEPEST {
            return Err(ArithmeticError::TooLarge);
        }
        Ok(written)
    }

    /// 200 - 20% is 160: a percentage that is added or taken at the end is one of what stands before.
    fn add_percentage(&mut self) {
        let Some(index) = self
            .percent
            .filter(|index| index + 1 == self.parts.len() && *index >= 2)
        else {
            return;
        };
        let is_sum = self.parts.get(index - 1).is_some_and(|part| part == "+" || part == "-");
        if is_sum {
            let percentage = self.parts.pop().unwrap_or_default();
            let sign = self.parts.pop().unwrap_or_default();
            let before = self.parts.join(" ");
            self.parts = vec![format!("({before})"), format!("*(1{sign}{percentage})")];
        }
    }

    /// Functions get brackets round their operand, so that nothing depends on how tightly they bind.
    fn close_functions(&mut self) {
        let mut closed: Vec<String> = Vec::with_capacity(self.parts.len());
        let mut parts = std::mem::take(&mut self.parts).into_iter().peekable();
        while let Some(part) = parts.next() {
            let is_function = matches!(part.as_str(), "sqrt" | "cbrt");
            match parts.next_if(|next| is_function && next != "(") {
                Some(operand) => closed.push(format!("{part}({operand})")),
                None => closed.push(part),
            }
        }
        self.parts = closed;
    }
}
