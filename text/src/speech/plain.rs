//! Puts what is written to be looked at into words that can be spoken.

use crate::Lang;

/// `text` as it can be spoken: without the marks of Markdown, without emoji and code, with a word for
/// each address. Lists and tables become clauses. What is plain stays as it is.
///
/// ```
/// use incar_text::{Lang, speakable};
/// assert_eq!(speakable("**Done** 😀 See [the manual](https://a.example).", Lang::En), "Done  See the manual.");
/// ```
pub fn speakable(text: &str, lang: Lang) -> String {
    let mut lines: Vec<Line> = Vec::new();
    let mut code = false;
    for line in text.split('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            if !code {
                lines.push(Line::plain(pick(lang, "（代码略）", "(code left out)").to_owned()));
            }
            code = !code;
        } else if !code {
            lines.extend(spoken_line(line, lang));
        }
    }
    let mut spoken = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            spoken.push('\n');
        }
        spoken.push_str(&line.text);
        let goes_on = line.kind == Kind::Item && lines.get(at + 1).is_some_and(|next| next.kind == Kind::Item);
        let open = line.text.ends_with(|char: char| char.is_alphanumeric());
        match line.kind {
            Kind::Heading if open => spoken.push_str(pick(lang, "。", ".")),
            Kind::Item if open && goes_on => spoken.push_str(pick(lang, "，", ",")),
            Kind::Heading | Kind::Item | Kind::Plain => {}
        }
    }
    spoken
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
