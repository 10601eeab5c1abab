//! Which phrases show which cue, looked up at a place in a text.

use super::cue::Cue;
use super::{lexicon_en, lexicon_zh};
use std::sync::LazyLock;

/// How many slots the phrases are filed in (a power of two, more than there are).
const SLOTS: usize = 4_096;

static PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::filed);

/// The phrases of both languages, filed by how they begin. Other phrases may share a slot:
/// each is compared in full anyway.
struct Phrases {
    all: Vec<Phrase>,
    /// The first phrase of each slot, by its place among all; [`NONE`] where it has none.
    first: Vec<u16>,
}

/// No phrase's place: there are not so many.
const NONE: u16 = u16::MAX;

impl Phrases {
    fn filed() -> Self {
        let mut filed = Self {
            all: Vec::with_capacity(SLOTS),
            first: vec![NONE; SLOTS],
        };
        let tables = [lexicon_en::PHRASES, lexicon_zh::PHRASES];
        for (cue, list) in tables.into_iter().flatten() {
            let phrases = list.split(['|', '\n']).map(str::trim);
            phrases.for_each(|phrase| filed.file(Phrase::parse(*cue, phrase)));
        }
        filed.all.shrink_to_fit();
        filed
    }

    fn file(&mut self, phrase: Option<Phrase>) {
        if let Some(mut phrase) = phrase
            && let Some(first) = self.first.get_mut(slot(phrase.text))
            && let Ok(place) = u16::try_from(self.all.len())
        {
            phrase.next = std::mem::replace(first, place);
            self.all.push(phrase);
        }
    }

    /// The phrases of a slot.
    fn of(&self, slot: usize) -> impl Iterator<Item = &Phrase> {
        let at = move |place: u16| self.all.get(usize::from(place));
        let first = self.first.get(slot).copied().unwrap_or(NONE);
        std::iter::successors(at(first), move |phrase| at(phrase.next))
    }
}

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
    /// The next phrase of its slot, by its place among all.
    next: u16,
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
            next: NONE,
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
        // 您选的, 告诉我的: what follows is a noun, and nothing is requested.
        if self.cue.requests() && after.starts_with('的') && !after.starts_with("的话") {
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
        .of(slot(rest))
        .filter(move |phrase| phrase.matches(rest, clause_begins))
}

/// Where a phrase is filed: by its first word, or by its first Han character.
fn slot(text: &str) -> usize {
    let first = text.chars().next().map_or(0, u32::from);
    let key = if first < 0x80 {
        let word = text.bytes().take_while(|&byte| in_word(byte.into()));
        word.fold(first, |key, byte| key.wrapping_mul(31).wrapping_add(byte.into()))
    } else {
        first
    };
    // Fibonacci hashing: the upper bits of the product are well mixed.
    (key.wrapping_mul(0x9e37_79b1) >> 20) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_at_its_place_only() {
        let found = |rest: &str, begins: bool, cue: Cue| phrases_at(rest, begins).any(|phrase| phrase.cue == cue);
        assert!(found("where to", true, Cue::QuestionWord));
        assert!(!found("where to", false, Cue::QuestionWord));
        assert!(!found("wherever", true, Cue::QuestionWord));
        assert!(found("吗", false, Cue::YesNo));
        assert!(found("吗，我来", false, Cue::YesNo));
        assert!(!found("吗哪咖啡", false, Cue::YesNo));
    }
}
