//! Arithmetic as people say it: spoken sums are written out, then evaluated exactly by `fend-core`.
//!
//! `fend-core` knows far more than arithmetic (units, functions, variables). Nothing reaches it but numbers, `+ - * / ^ !`,
//! brackets, `sqrt`, `cbrt` and `pi`, in bounded length, depth and time.

use fend_core::{Context, Interrupt, evaluate_with_interrupt};
use incar_text::{NumberKind, Text, UnitKind, half_at, number_at};
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

/// How a word or sign is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// An operator or bracket.
    Is(&'static str),
    /// What stands before it is the operand: 的平方根.
    RootOfLast,
    /// A function before its operand.
    Function(&'static str),
    /// What only makes it a question.
    Nothing,
}

/// Words for signs, longer ones before those they begin with. Each word a unit of [`Text`].
const WORDS: &[(&[&str], Sign)] = &[
    (&["加", "上"], Sign::Is("+")),
    (&["加"], Sign::Is("+")),
    (&["plus"], Sign::Is("+")),
    (&["and"], Sign::Is("+")),
    (&["减", "去"], Sign::Is("-")),
    (&["减", "掉"], Sign::Is("-")),
    (&["减"], Sign::Is("-")),
    (&["minus"], Sign::Is("-")),
    (&["乘", "以"], Sign::Is("*")),
    (&["乘", "上"], Sign::Is("*")),
    (&["乘"], Sign::Is("*")),
    (&["times"], Sign::Is("*")),
    (&["multiplied", "by"], Sign::Is("*")),
    (&["x"], Sign::Is("*")),
    (&["除", "以"], Sign::Is("/")),
    (&["divided", "by"], Sign::Is("/")),
    (&["over"], Sign::Is("/")),
    (&["的", "平", "方", "根"], Sign::RootOfLast),
    (&["开", "平", "方"], Sign::RootOfLast),
    (&["的", "平", "方"], Sign::Is("^2")),
    (&["的", "立", "方"], Sign::Is("^3")),
    (&["平", "方"], Sign::Is("^2")),
    (&["立", "方"], Sign::Is("^3")),
    (&["squared"], Sign::Is("^2")),
    (&["cubed"], Sign::Is("^3")),
    (&["to", "the", "power", "of"], Sign::Is("^")),
    (&["to", "the", "power"], Sign::Is("^")),
    (&["根", "号"], Sign::Function("sqrt")),
    (&["the", "square", "root", "of"], Sign::Function("sqrt")),
    (&["square", "root", "of"], Sign::Function("sqrt")),
    (&["the", "cube", "root", "of"], Sign::Function("cbrt")),
    (&["cube", "root", "of"], Sign::Function("cbrt")),
    (&["sqrt"], Sign::Function("sqrt")),
    (&["cbrt"], Sign::Function("cbrt")),
    (&["圆", "周", "率"], Sign::Is("pi")),
    (&["派"], Sign::Is("pi")),
    (&["pi"], Sign::Is("pi")),
    (&["π"], Sign::Is("pi")),
    (&["的"], Sign::Is("*")),
    (&["of"], Sign::Is("*")),
    (&["等", "于", "多", "少"], Sign::Nothing),
    (&["等", "于", "几"], Sign::Nothing),
    (&["等", "于"], Sign::Nothing),
    (&["是", "多", "少"], Sign::Nothing),
    (&["是", "几"], Sign::Nothing),
    (&["得", "多", "少"], Sign::Nothing),
    (&["多", "少"], Sign::Nothing),
    (&["what", "is"], Sign::Nothing),
    (&["what's"], Sign::Nothing),
    (&["how", "much", "is"], Sign::Nothing),
    (&["calculate"], Sign::Nothing),
    (&["equals"], Sign::Nothing),
    (&["计", "算"], Sign::Nothing),
    (&["算"], Sign::Nothing),
];

/// Signs that stand for themselves or for another.
fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '+' | '＋' => "+",
        '-' | '−' | '–' | '－' => "-",
        '*' | '×' | '·' | '＊' | '✕' => "*",
        '/' | '÷' | '／' => "/",
        '^' => "^",
        '!' | '！' => "!",
        '(' | '（' | '[' | '【' | '{' => "(",
        ')' | '）' | ']' | '】' | '}' => ")",
        '²' => "^2",
        '³' => "^3",
        '√' => "sqrt",
        '%' | '％' => "/100",
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

    /// What [`Text`] takes for a gap: brackets, hyphens, slashes.
    fn between(&mut self, gap: &str) -> Result<(), ArithmeticError> {
        for c in gap.chars().filter(|c| !c.is_whitespace()) {
            match sign(c) {
                Some(sign) => self.parts.push(sign.to_owned()),
                None if matches!(c, '?' | '？' | '=' | '。' | '"' | '“' | '”' | ',' | '，') && self.at_the_edge() =>
                    {}
                None => return Err(ArithmeticError::NotArithmetic),
            }
        }
        Ok(())
    }

    fn at_the_edge(&self) -> bool {
        self.parts.is_empty()
    }

    /// Writes what begins at a unit; returns how many units that was.
    fn unit(&mut self, text: &Text, at: usize) -> Result<usize, ArithmeticError> {
        let spoken = |words: &[&str]| {
            words
                .iter()
                .enumerate()
                .all(|(offset, word)| text.word(at + offset) == *word)
        };
        // A plain number in digits is left as it is written.
        if text.kind(at) == Some(UnitKind::Number) {
            let number = number_at(text, at).filter(|(number, units)| {
                *units > 1
                    && !matches!(
                        number.kind,
                        NumberKind::Digits | NumberKind::Fraction | NumberKind::Ordinal
                    )
            });
            return Ok(match number {
                Some((number, units)) => self.number(number.value, number.kind, units),
                None => {
                    self.parts.push(text.word(at).to_owned());
                    1
                }
            });
        }
        if let Some((words, sign)) = WORDS.iter().find(|(words, _)| spoken(words)) {
            self.sign(*sign)?;
            return Ok(words.len());
        }
        // 二的三次方, the cube of which is a power.
        if let Some(units) = self.power(text, at) {
            return Ok(units);
        }
        if text.kind(at) != Some(UnitKind::Other)
            && let Some((number, units)) = number_at(text, at)
            && number.kind != NumberKind::Ordinal
        {
            return Ok(self.number(number.value, number.kind, units));
        }
        if let Some((half, units)) = half_at(text, at) {
            return Ok(self.number(half.value, half.kind, units));
        }
        for c in text.word(at).chars() {
            match sign(c) {
                Some(sign) => self.parts.push(sign.to_owned()),
                None if c == '=' || c == '?' => {}
                None => return Err(ArithmeticError::NotArithmetic),
            }
        }
        Ok(1)
    }

    /// 次方 and 次幂 after the number just written, which an 的 has joined to its base.
    fn power(&mut self, text: &Text, at: usize) -> Option<usize> {
        let is_power = text.word(at) == "次" && matches!(text.word(at + 1), "方" | "幂");
        let [.., join, _] = self.parts.as_mut_slice() else {
            return None;
        };
        (is_power && join == "*").then(|| {
            *join = "^".to_owned();
            2
        })
    }

    fn number(&mut self, value: f64, kind: NumberKind, units: usize) -> usize {
        if kind == NumberKind::Percent {
            self.percent = Some(self.parts.len());
            self.parts.push(format!("({value}/100)"));
        } else if value < 0.0 {
            self.parts.push(format!("({value})"));
        } else {
            self.parts.push(value.to_string());
        }
        units
    }

    fn sign(&mut self, sign: Sign) -> Result<(), ArithmeticError> {
        match sign {
            Sign::Is(sign) => self.parts.push(sign.to_owned()),
            Sign::Function(name) => self.parts.push(name.to_owned()),
            Sign::Nothing => {}
            Sign::RootOfLast => {
                let start = self.last_operand().ok_or(ArithmeticError::NotArithmetic)?;
                self.parts.insert(start, "sqrt(".to_owned());
                self.parts.push(")".to_owned());
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
