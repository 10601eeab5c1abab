//! Answers in one form: what a question asks for, and what an answer says without all that stands around it.

mod list;
mod number;
mod question;
mod strip;
#[cfg(test)]
mod tests;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of answer a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerKind {
    /// Words: a name, a date, a sentence.
    #[default]
    Text,
    /// A whole number; what has decimals is rounded, halves away from zero.
    Integer,
    /// A number with its decimals.
    Number,
    /// Several things.
    List,
}

impl AnswerKind {
    /// What `question` asks for, in Chinese or English, where that is plain: a count, an amount in a unit that the
    /// question names, a list. `None` where it could be anything.
    ///
    /// ```
    /// use incar_research::AnswerKind;
    /// assert_eq!(AnswerKind::asked_by("西湖有多少座桥？"), Some(AnswerKind::Integer));
    /// assert_eq!(AnswerKind::asked_by("Which city lies on Lake Geneva?"), None);
    /// ```
    pub fn asked_by(question: &str) -> Option<Self> {
        question::asked_by(question)
    }
}

impl fmt::Display for AnswerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::List => "list",
        })
    }
}

/// An answer in the form in which answers are compared: in lower case, without a label ("Answer:"), quotation marks
/// and needless white space; a number as digits; the items of a list with `, ` between them.
///
/// What is not of the `kind` asked for, such as a sentence that merely contains a number, keeps its words.
/// Normalising twice changes nothing.
///
/// ```
/// use incar_research::{AnswerKind, normalize};
/// assert_eq!(normalize("Answer: 巴黎", AnswerKind::Text), "巴黎");
/// assert_eq!(normalize("1,234.56", AnswerKind::Integer), "1235");
/// assert_eq!(normalize("北京、上海；广州", AnswerKind::List), "北京, 上海, 广州");
/// ```
pub fn normalize(answer: &str, kind: AnswerKind) -> String {
    // What was enclosed may have a label or quotation marks of its own. After the first pass each shortens it.
    let mut normal = once(answer, kind);
    loop {
        let next = once(&normal, kind);
        if next == normal {
            return normal;
        }
        normal = next;
    }
}

fn once(answer: &str, kind: AnswerKind) -> String {
    let bare = strip::bare(answer);
    let number = match kind {
        AnswerKind::Text | AnswerKind::List => None,
        AnswerKind::Integer => number::whole(bare).map(|number| number.rounded()),
        AnswerKind::Number => number::whole(bare).map(|number| number.to_string()),
    };
    match (number, kind) {
        (Some(number), _) => number,
        (None, AnswerKind::List) => {
            let items: Vec<String> = list::items(bare).into_iter().map(plain).collect();
            items.join(", ")
        }
        (None, AnswerKind::Text | AnswerKind::Integer | AnswerKind::Number) => plain(bare),
    }
}

/// In lower case, with single spaces.
fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number that `text` is as a whole, perhaps with a unit: what statements of one number are compared by.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    number::whole(strip::bare(text))?.to_string().parse().ok()
}
