//! Puts what is written to be looked at into words that can be spoken.

use super::sentences;
use crate::Lang;
use std::borrow::Cow;

/// `text` as it can be spoken: without the marks of Markdown, without emoji and code, with a word for
/// each address. Lists and tables become clauses. What is plain stays as it is.
///
/// ```
/// use incar_text::{Lang, speakable};
/// assert_eq!(speakable("**Done** 😀 See [the manual](https://a.example).", Lang::En), "Done  See the manual.");
/// ```
pub fn speakable(text: &str, lang: Lang) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    let mut speech = Speech::new(lang);
    let sentences = sentences(text);
    let spoken: String = sentences.iter().map(|sentence| speech.next(sentence)).collect();
    spoken.into()
}

/// Puts the sentences of a text into words that can be spoken, one after another as they come.
/// Together they are what [`speakable`] makes of the whole text.
///
/// ```
/// use incar_text::{Lang, Speech};
/// let mut speech = Speech::new(Lang::En);
/// assert_eq!(speech.next("**Two** ways:\n"), "Two ways:\n");
/// assert_eq!(speech.next("- by car\n"), "by car,\n");
/// assert_eq!(speech.next("- by train"), "by train");
/// ```
#[derive(Debug, Clone)]
pub struct Speech {
    lang: Lang,
    /// Whether the next sentence goes on within a line.
    in_line: bool,
    /// Whether code is being left out.
    in_code: bool,
}

impl Speech {
    /// The beginning of a text that is spoken in `lang`.
    pub fn new(lang: Lang) -> Self {
        Self {
            lang,
            in_line: false,
            in_code: false,
        }
    }

    /// The next sentence, as it can be spoken; empty where it only draws or is code.
    pub fn next<'a>(&mut self, sentence: &'a str) -> Cow<'a, str> {
        if !self.in_code && is_plain(sentence) {
            self.in_line |= !sentence.is_empty();
            return sentence.into();
        }
        let lines = sentence.split_inclusive('\n');
        lines.map(|line| self.line(line)).collect::<String>().into()
    }

    /// A line, or what is left of one, with the line's end if that has come.
    fn line(&mut self, line: &str) -> String {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let ended = content.len() < line.len();
        let begins = !std::mem::replace(&mut self.in_line, !ended);
        let trimmed = content.trim();
        let spoken = if begins && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
            self.in_code = !self.in_code;
            let left_out = pick(self.lang, "（代码略）", "(code left out)");
            self.in_code.then(|| Line::plain(left_out.to_owned()))
        } else if self.in_code {
            None
        } else if begins {
            spoken_line(content, self.lang)
        } else {
            Some(Line::plain(words(content, self.lang)))
        };
        let Some(Line { kind, mut text }) = spoken else {
            return String::new();
        };
        if ended {
            let open = text.ends_with(|char: char| char.is_alphanumeric());
            match kind {
                Kind::Heading if open => text.push_str(pick(self.lang, "。", ".")),
                Kind::Item if open => text.push_str(pick(self.lang, "，", ",")),
                Kind::Heading | Kind::Item | Kind::Plain => {}
            }
            text.push('\n');
        }
        text
    }
}

/// Whether `text`, on one line, has nothing that could be a mark.
fn is_plain(text: &str) -> bool {
    let is_mark = |char: char| {
        matches!(char, '*' | '_' | '`' | '#' | '[' | '|' | '~' | '>' | '=' | '•' | '\n') || is_picture(char)
    };
    let lists = text
        .trim_start()
        .starts_with(|char: char| char.is_ascii_digit() || matches!(char, '-' | '+'));
    !lists && !text.contains(is_mark) && !text.contains("://") && !text.contains("www.")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Heading,
    Item,
}

#[derive(Debug)]
struct Line {
    kind: Kind,
    text: String,
}

impl Line {
    fn plain(text: String) -> Self {
        Self {
            kind: Kind::Plain,
            text,
        }
    }
}

/// A line in plain words; `None` where it only draws.
fn spoken_line(line: &str, lang: Lang) -> Option<Line> {
    let trimmed = line.trim();
    let draws = trimmed.len() >= 3
        && trimmed
            .chars()
            .all(|char| matches!(char, '-' | '*' | '_' | '=' | '|' | ':' | ' '));
    if draws {
        return None;
    }
    let quoted = trimmed.strip_prefix("> ").unwrap_or(trimmed);
    if let Some(cells) = quoted.strip_prefix('|') {
        let cells = cells.strip_suffix('|').unwrap_or(cells).split('|');
        let cells: Vec<String> = cells.map(|cell| words(cell.trim(), lang)).collect();
        return Some(Line::plain(cells.join(pick(lang, "，", ", "))));
    }
    let heading = quoted.trim_start_matches('#');
    if heading.len() < quoted.len()
        && let Some(title) = heading.strip_prefix(' ')
    {
        let text = words(title, lang);
        return Some(Line {
            kind: Kind::Heading,
            text,
        });
    }
    let bullet = ["- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|bullet| quoted.strip_prefix(bullet));
    if let Some(item) = bullet {
        let text = words(item.trim_start(), lang);
        return Some(Line { kind: Kind::Item, text });
    }
    let after_number = quoted.trim_start_matches(|char: char| char.is_ascii_digit());
    let number = quoted.strip_suffix(after_number).unwrap_or_default();
    let item = after_number
        .strip_prefix(". ")
        .or_else(|| after_number.strip_prefix(") "));
    if let Some(item) = item.filter(|_| !number.is_empty()) {
        let text = format!("{number}{}{}", pick(lang, "，", ", "), words(item.trim_start(), lang));
        return Some(Line { kind: Kind::Item, text });
    }
    // What was no mark keeps its blanks.
    let text = if quoted.len() == trimmed.len() { line } else { quoted };
    Some(Line::plain(words(text, lang)))
}

/// A piece of text without marks, addresses and pictures.
fn words(text: &str, lang: Lang) -> String {
    let mut spoken = String::with_capacity(text.len());
    let mut rest = text;
    let mut before: Option<char> = None;
    while let Some(char) = rest.chars().next() {
        let after = rest.get(char.len_utf8()..).unwrap_or_default();
        if let Some((label, beyond)) = link(rest) {
            spoken.push_str(&words(label, lang));
            (before, rest) = (label.chars().last(), beyond);
            continue;
        }
        if let Some(beyond) = address(rest) {
            spoken.push_str(pick(lang, "网页链接", "a link"));
            (before, rest) = (Some('k'), beyond);
            continue;
        }
        match char {
            '`' => {}
            '*' | '_' | '~' => {
                let beyond = rest.trim_start_matches(char);
                let run = rest.len() - beyond.len();
                if is_literal(char, run, before, beyond.chars().next()) {
                    spoken.extend(std::iter::repeat_n(char, run));
                }
                (before, rest) = (Some(char), beyond);
                continue;
            }
            _ if is_picture(char) => {}
            _ => spoken.push(char),
        }
        (before, rest) = (Some(char), after);
    }
    spoken
}

/// Whether a run of stars and the like is meant as such: 2*3, 5 * 6, a_b, about ~5.
fn is_literal(char: char, run: usize, before: Option<char>, after: Option<char>) -> bool {
    let blank = |side: Option<char>| side.is_none_or(char::is_whitespace);
    let word = |side: Option<char>| side.is_some_and(|char| char.is_ascii_alphanumeric());
    match (char, run) {
        ('~', 1) => true,
        (_, 1) => word(before) && word(after) || blank(before) && blank(after),
        _ => false,
    }
}

/// The words of a link or a picture at the head of `text`, and what follows it.
fn link(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("![").or_else(|| text.strip_prefix('['))?;
    let (label, beyond) = inner.split_once("](")?;
    let (target, beyond) = beyond.split_once(')')?;
    let fits = !label.contains(['[', ']']) && !target.contains(char::is_whitespace);
    fits.then_some((label, beyond))
}

/// What follows an address at the head of `text`.
fn address(text: &str) -> Option<&str> {
    let rest = ["https://", "http://", "www."]
        .iter()
        .find_map(|start| text.strip_prefix(start))?;
    let is_part = |char: char| char.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(char);
    let beyond = rest.trim_start_matches(is_part);
    let address = rest.strip_suffix(beyond)?;
    // A mark at its end is the sentence's.
    let kept = address.trim_end_matches(['.', ',', '!', '?', ';', ':', '\'']);
    (!kept.is_empty()).then(|| rest.get(kept.len()..)).flatten()
}

/// Emoji and what joins and tints them.
fn is_picture(char: char) -> bool {
    matches!(char,
        '\u{200d}' | '\u{20e3}' | '\u{fe0e}' | '\u{fe0f}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' | '\u{e0020}'..='\u{e007f}')
}

fn pick<'a>(lang: Lang, zh: &'a str, en: &'a str) -> &'a str {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}
