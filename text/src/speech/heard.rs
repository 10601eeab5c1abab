//! How much of a text was heard, told from what a voice has spoken.

use super::{Speech, sentences, speakable};
use crate::Lang;
use std::borrow::Cow;

/// How much of a text was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// All of it. What was spoken after it begins at byte `then` of what was spoken.
    Whole {
        /// Where.
        then: usize,
    },
    /// Its first so many bytes: whole words alone.
    Part(usize),
    /// What was spoken is not the beginning of this text.
    Other,
}

/// How much of `written` was heard where `spoken` is what a voice had said by then: its beginning as it
/// is written, or as it can be spoken ([`speakable`]). Case, blanks and punctuation make no difference,
/// and a word that was cut was not heard.
///
/// ```
/// use incar_text::{Heard, Lang, heard_of};
/// let written = "**Sunny**, 22.5 degrees.";
/// let Heard::Part(cut) = heard_of(written, "sunny, 22", Lang::En) else { panic!() };
/// assert_eq!(&written[..cut], "**Sunny**,");
/// ```
pub fn heard_of(written: &str, spoken: &str, lang: Lang) -> Heard {
    match align(written, spoken) {
        Heard::Other if matches!(speakable(written, lang), Cow::Owned(_)) => by_sentence(written, spoken, lang),
        heard => heard,
    }
}

/// As [`heard_of`], each sentence either as it is written or as it can be spoken.
fn by_sentence(written: &str, spoken: &str, lang: Lang) -> Heard {
    let mut speech = Speech::new(lang);
    let (mut at, mut then) = (0, 0);
    for sentence in sentences(written) {
        let rest = spoken.get(then..).unwrap_or_default();
        let said = speech.next(&sentence);
        let heard = match align(&said, rest) {
            Heard::Part(cut) => match align(&sentence, said.get(..cut).unwrap_or_default()) {
                Heard::Whole { .. } => Heard::Part(sentence.len()),
                Heard::Part(cut) => Heard::Part(cut),
                Heard::Other => Heard::Part(0),
            },
            Heard::Other => align(&sentence, rest),
            whole @ Heard::Whole { .. } => whole,
        };
        match heard {
            Heard::Whole { then: after } => then += after,
            Heard::Part(cut) => return Heard::Part(at + cut),
            Heard::Other => return Heard::Other,
        }
        at += sentence.len();
    }
    Heard::Whole { then }
}

/// Goes along both texts by what sounds.
fn align(written: &str, spoken: &str) -> Heard {
    let sounds = |text: &str| text.chars().any(char::is_alphanumeric);
    let mut left = written.char_indices().filter(|(_, char)| char.is_alphanumeric());
    let mut heard = 0;
    for (at, said) in spoken.char_indices().filter(|(_, char)| char.is_alphanumeric()) {
        match left.next() {
            None => return Heard::Whole { then: at },
            Some((at, char)) if char == said || char.to_lowercase().eq(said.to_lowercase()) => {
                heard = at + char.len_utf8();
            }
            Some(_) => return Heard::Other,
        }
    }
    match left.next() {
        None if sounds(written) || !sounds(spoken) => Heard::Whole { then: spoken.len() },
        None => Heard::Whole { then: 0 },
        Some(_) => Heard::Part(whole_words(written, heard)),
    }
}

/// Where the last whole word of `text` up to `heard` ends, with the punctuation that closes it.
fn whole_words(text: &str, heard: usize) -> usize {
    let Some((before, after)) = text.split_at_checked(heard) else {
        return 0;
    };
    if goes_on(after) && before.ends_with(in_word) {
        // The word was cut: back to where it begins.
        let joins = |char: char| in_word(char) || matches!(char, '.' | ',' | ':' | '\'' | '’');
        let start = before.trim_end_matches(joins);
        return start.trim_end().len();
    }
    let closes =
        |char: &char| !char.is_alphanumeric() && !char.is_whitespace() && !"“‘（(《〈【「『[{*_`#".contains(*char);
    heard + after.chars().take_while(closes).map(char::len_utf8).sum::<usize>()
}

/// Whether a word goes on with `after`: "set" of "setting", 22 of 22.5, don of don't.
fn goes_on(after: &str) -> bool {
    let mut chars = after.chars();
    match chars.next() {
        Some('.' | ',' | ':' | '\'' | '’') => chars.next().is_some_and(in_word),
        Some(char) => in_word(char),
        None => false,
    }
}

/// What words are written with, where blanks set them apart.
fn in_word(char: char) -> bool {
    char.is_alphanumeric()
        && !matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
