//! Which phrases show which cue, looked up at a place in a text.

use super::cue::Cue;
use super::{lexicon_en, lexicon_zh};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The phrases of both languages, by their first letters.
static PHRASES: LazyLock<HashMap<u32, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<u32, Vec<Phrase>> = HashMap::new();
    let tables = [lexicon_en::PHRASES, lexicon_zh::PHRASES];
    for (cue, list) in tables.into_iter().flatten() {
        for phrase in list.split(['|', '\n']).map(str::trim) {
            if let Some(phrase) = Phrase::parse(*cue, phrase) {
                phrases.entry(key(phrase.text)).or_default().push(phrase);
            }
        }
    }
    phrases
});

/// One phrase of the tables.
#[derive(Debug)]
pub(super) struct Phrase {
    /// The words.
    text: &'static str,
    /// What they show.
    pub(super) cue: Cue,
    /// Only where a clause begins.
    opens: bool,
    /// Where it must end.
    ends: Ends,
}

impl Phrase {
    /// The phrase of a table's notation, `None` where there are no words.
    fn parse(cue: Cue, notation: &'static str) -> Option<Self> {
        let text = notation.trim_start_matches('^').trim_end_matches(['$', '~']);
        (!text.is_empty()).then(|| Self {
            text,
            cue,
            opens: notation.starts_with('^'),
            ends: match notation.chars().next_back() {
                Some('$') => Ends::Sentence,
                Some('~') => Ends::Clause,
                _ => Ends::Anywhere,
            },
        })
    }

    /// Whether the phrase stands at the beginning of `rest`, a sentence from some place on.
    fn matches(&self, rest: &str, clause_begins: bool) -> bool {
        if self.opens && !clause_begins {
            return false;
        }
        let Some(after) = rest.strip_prefix(self.text) else {
            return false;
        };
        if self.text.ends_with(in_word) && after.starts_with(in_word) {
            return false;
        }
        let after = after.trim_start();
        match self.ends {
            Ends::Anywhere => true,
            Ends::Clause => after.is_empty() || after.starts_with(['，', ',', '；', '（']),
            Ends::Sentence => after.is_empty(),
        }
    }
}

/// Where a phrase must end.
#[derive(Debug, Clone, Copy)]
enum Ends {
    /// Nowhere in particular.
    Anywhere,
    /// Where a clause ends.
    Clause,
    /// Where the sentence ends.
    Sentence,
}

/// Whether an English word goes on with `c`.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '\''
}

/// The phrases that stand at the beginning of `rest`, a sentence from some word on.
pub(super) fn phrases_at(rest: &str, clause_begins: bool) -> impl Iterator<Item = &'static Phrase> {
    PHRASES
        .get(&key(rest))
        .into_iter()
        .flatten()
        .filter(move |phrase| phrase.matches(rest, clause_begins))
}

/// What a phrase is filed under: two letters of an alphabet, or one Han character.
fn key(text: &str) -> u32 {
    let mut chars = text.chars();
    let first = chars.next().map_or(0, u32::from);
    if first < 0x80 {
        first << 8 | chars.next().map_or(0, u32::from).min(0xff)
    } else {
        first << 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_at_its_place_only() {
        let found = |rest: &str, begins: bool, cue: Cue| phrases_at(rest, begins).any(|phrase| phrase.cue == cue);
        assert!(found("which one", true, Cue::QuestionWord));
        assert!(!found("which one", false, Cue::QuestionWord));
        assert!(!found("whichever", true, Cue::QuestionWord));
        assert!(found("吗", false, Cue::YesNo));
        assert!(found("吗，我来", false, Cue::YesNo));
        assert!(!found("吗哪咖啡", false, Cue::YesNo));
    }
}
