//! The sentences of a plain text, each with its cues.

use super::cue::{Cue, Cues};
use super::lexicon::phrases_at;
use super::plain::QUOTED;

/// How a sentence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With a question mark.
    Question,
    /// With a full stop, an exclamation mark or dots.
    Stop,
    /// With nothing: the line or the text is over. So a speech recogniser, a heading and many a
    /// hurried model write.
    Open,
}

/// One sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence<'a> {
    /// Its words, without what ends it.
    pub(super) text: &'a str,
    /// How it ends.
    pub(super) end: End,
    /// Whether it stands in a list.
    pub(super) listed: bool,
    /// Whether it has Han characters.
    pub(super) han: bool,
    /// What its phrases show.
    pub(super) cues: Cues,
    /// How many characters its last question word is from the end of its clause.
    pub(super) after_question_word: usize,
}

impl Sentence<'_> {
    /// How many words there are between its spaces.
    pub(super) fn words(&self) -> usize {
        self.text.split(' ').count()
    }
}

/// The sentences of `plain` that have a letter or a digit.
pub(super) fn sentences(plain: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::with_capacity(8);
    for line in plain.split('\n') {
        let (mut rest, listed) = without_bullet(line.trim());
        while !rest.is_empty() {
            let (text, end, after) = first_sentence(rest);
            if text.contains(|c: char| c.is_alphanumeric() || c == QUOTED) {
                found.push(read(text.trim(), end, listed));
            }
            rest = after.trim_start();
        }
    }
    found
}

/// Whether `c` ends a clause within a sentence.
pub(super) fn ends_clause(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '(' | ')' | '—' | '–' | '，' | '；' | '：' | '、' | '（' | '）' | QUOTED
    )
}

/// `line` without a bullet or a number, and whether it had one.
fn without_bullet(line: &str) -> (&str, bool) {
    if let Some(rest) = line.strip_prefix(['-', '•', '·', '–', '*', '①', '②', '③', '④', '⑤', '⑥']) {
        return (rest.trim_start(), true);
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit() || "一二三四五六七八九十".contains(c));
    if number.len() < line.len()
        && let Some(rest) = number.strip_prefix(['.', ')', '、', '）'])
        && !rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return (rest.trim_start(), true);
    }
    (line, false)
}

/// The first sentence of `text`, how it ends, and what follows.
fn first_sentence(text: &str) -> (&str, End, &str) {
    for (at, c) in text.char_indices() {
        if !matches!(c, '?' | '？' | '!' | '！' | '。' | '…' | '.') {
            continue;
        }
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        let before = text.get(..at).unwrap_or_default();
        if c != '.' || full_stop(before, after) {
            let rest = after.trim_start_matches(['?', '？', '!', '！', '。', '.', '…', ')', '）']);
            let marks = text.get(at..text.len() - rest.len()).unwrap_or_default();
            let end = if marks.contains(['?', '？']) {
                End::Question
            } else {
                End::Stop
            };
            return (before, end, rest);
        }
    }
    (text, End::Open, "")
}

/// Whether a dot between `before` and `after` ends a sentence.
fn full_stop(before: &str, after: &str) -> bool {
    if !after.is_empty() && !after.starts_with([' ', '.', QUOTED, ')']) {
        return false;
    }
    let word = before.rsplit([' ', '.']).next().unwrap_or_default();
    let initial = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
    let abbreviation = matches!(word, "dr" | "mr" | "mrs" | "ms" | "st" | "vs" | "ave" | "no" | "approx");
    after.is_empty() || !(initial || abbreviation)
}

/// Words after which an English clause may still begin: "so, and in **which** lane". In the order of the alphabet.
const OPENERS: &[&str] = &[
    "about",
    "absolutely",
    "alright",
    "also",
    "and",
    "around",
    "at",
    "but",
    "by",
    "certainly",
    "course",
    "exactly",
    "first",
    "for",
    "from",
    "got",
    "great",
    "hey",
    "hi",
    "hmm",
    "in",
    "into",
    "it",
    "just",
    "no",
    "now",
    "of",
    "oh",
    "ok",
    "okay",
    "on",
    "or",
    "perfect",
    "please",
    "right",
    "so",
    "sorry",
    "sure",
    "thanks",
    "then",
    "thing",
    "to",
    "until",
    "well",
    "with",
    "yes",
];

/// Whether the 么 at `at` is the end of a word such as 什么, and no particle.
fn wh_before(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.ends_with(['什', '怎', '那', '这', '多', '要', '甚']))
}

/// Whether the driver named at `at` is who something is done for (帮您选好了), not who is to do
/// it (您选一个).
fn done_for(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.ends_with(['帮', '给', '为', '替', '跟', '向', '让', '和']))
}

/// Reads the cues of one sentence.
fn read(text: &str, end: End, listed: bool) -> Sentence<'_> {
    let mut sentence = Sentence {
        text,
        end,
        listed,
        han: false,
        cues: Cues::default(),
        after_question_word: usize::MAX,
    };
    let (mut clause_begins, mut in_word) = (true, false);
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        let letter = c.is_ascii_alphanumeric() || c == '\'';
        if ends_clause(c) || c == '-' && !in_word {
            clause_begins = true;
        }
        if !(letter && in_word) && c != ' ' && !(c == '么' && wh_before(text, at)) {
            let for_driver = matches!(c, '您' | '你') && done_for(text, at);
            for phrase in phrases_at(rest, clause_begins) {
                if for_driver && phrase.cue.requests() {
                    continue;
                }
                sentence.cues.add(phrase.cue);
                if phrase.cue == Cue::QuestionWord {
                    let clause = rest.split(['，', ',', '。']).next().unwrap_or(rest);
                    sentence.after_question_word = clause.chars().count();
                }
            }
        }
        if letter && !in_word && clause_begins {
            let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next();
            clause_begins = word.is_some_and(|word| OPENERS.binary_search(&word).is_ok());
        } else if !c.is_ascii() && c.is_alphanumeric() {
            sentence.han = true;
            clause_begins = false;
        }
        in_word = letter;
    }
    sentence
}
