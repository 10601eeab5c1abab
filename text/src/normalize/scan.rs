//! Folded characters to units.

use super::fold::{Piece, is_han, is_letter, is_mark};
use super::{Gap, Unit, UnitKind};

#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) folded: String,
    pub(super) units: Vec<Unit>,
    /// What is left after the last unit.
    pub(super) gap: Gap,
}

impl Scanned {
    fn raise(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    fn push(&mut self, kind: UnitKind, pieces: &[Piece], keep: impl Fn(char) -> bool) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return;
        };
        let from = self.folded.len();
        self.folded
            .extend(pieces.iter().map(|piece| piece.ch).filter(|&ch| keep(ch)));
        self.units.push(Unit {
            kind,
            gap_before: std::mem::take(&mut self.gap),
            start: first.start,
            end: last.end,
            word: from..self.folded.len(),
        });
    }
}

/// A view of the pieces that answers for any index.
#[derive(Clone, Copy)]
struct Pieces<'a>(&'a [Piece]);

impl<'a> Pieces<'a> {
    fn at(self, index: usize) -> Option<char> {
        self.0.get(index).map(|piece| piece.ch)
    }

    fn before(self, index: usize) -> Option<char> {
        index.checked_sub(1).and_then(|before| self.at(before))
    }

    fn slice(self, from: usize, to: usize) -> &'a [Piece] {
        self.0.get(from..to).unwrap_or_default()
    }

    fn is(self, index: usize, test: impl Fn(char) -> bool) -> bool {
        self.at(index).is_some_and(test)
    }

    fn run(self, from: usize, test: impl Fn(char) -> bool) -> usize {
        let mut end = from;
        while self.is(end, &test) {
            end += 1;
        }
        end
    }

    /// A sign between two words or numbers, with nothing else around it.
    fn joins(self, index: usize) -> bool {
        let in_word = |ch: char| ch.is_ascii_digit() || is_letter(ch);
        self.before(index).is_some_and(in_word) && self.is(index + 1, in_word)
    }
}

pub(super) fn scan(pieces: &[Piece]) -> Scanned {
    let pieces = Pieces(pieces);
    let mut scanned = Scanned::default();
    let mut at = 0;
    while let Some(ch) = pieces.at(at) {
        at = if is_han(ch) {
            scanned.push(UnitKind::Han, pieces.slice(at, at + 1), |_| true);
            at + 1
        } else if starts_number(pieces, at) {
            let end = number_end(pieces, at);
            scanned.push(UnitKind::Number, pieces.slice(at, end), |ch| ch != ',');
            end
        } else if is_letter(ch) {
            let end = acronym_end(pieces, at).unwrap_or_else(|| word_end(pieces, at));
            scanned.push(UnitKind::Latin, pieces.slice(at, end), |ch| ch != '.');
            end
        } else {
            sign(pieces, at, &mut scanned)
        };
    }
    scanned
}

fn starts_number(pieces: Pieces<'_>, at: usize) -> bool {
    let digit = |ch: char| ch.is_ascii_digit();
    pieces.is(at, digit)
        || (pieces.at(at) == Some('.') && pieces.is(at + 1, digit) && pieces.before(at).is_none_or(char::is_whitespace))
}

fn number_end(pieces: Pieces<'_>, start: usize) -> usize {
    let digits = |from: usize| pieces.run(from, |ch| ch.is_ascii_digit());
    let mut end = digits(start);
    if (1..=3).contains(&(end - start)) {
        // Only the half-width comma groups thousands: the Chinese one parts two numbers.
        let grouped = |end: usize| {
            pieces.at(end) == Some(',')
                && pieces
                    .slice(end, end + 1)
                    .iter()
                    .all(|comma| comma.end - comma.start == 1)
                && digits(end + 1) == end + 4
        };
        while grouped(end) {
            end += 4;
        }
    }
    if pieces.at(end) == Some('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    end
}

/// `p.m.`, `G.E.M.`: single ASCII letters with stops between them are one word.
fn acronym_end(pieces: Pieces<'_>, start: usize) -> Option<usize> {
    let in_word = |ch: char| is_letter(ch) || is_mark(ch);
    let single = |at: usize| pieces.is(at, |ch| ch.is_ascii_alphabetic()) && !pieces.is(at + 1, in_word);
    if !single(start) {
        return None;
    }
    let mut end = start + 1;
    while pieces.at(end) == Some('.') && single(end + 1) {
        end += 2;
    }
    if end == start + 1 {
        return None;
    }
    let stop = pieces.at(end) == Some('.') && !pieces.is(end + 1, in_word);
    Some(end + usize::from(stop))
}

fn word_end(pieces: Pieces<'_>, start: usize) -> usize {
    let in_word = |ch: char| is_letter(ch) || is_mark(ch);
    let mut end = pieces.run(start, in_word);
    while pieces.at(end) == Some('\'') && pieces.is(end + 1, is_letter) {
        end = pieces.run(end + 1, in_word);
    }
    end
}

/// Reads what is no letter, digit or Chinese character: a break, or a unit of its own.
fn sign(pieces: Pieces<'_>, at: usize, scanned: &mut Scanned) -> usize {
    let Some(ch) = pieces.at(at) else {
        return at + 1;
    };
    let gap = match ch {
        '\n' | '\r' | '。' | '｡' | '.' | '!' | '?' | ';' | '…' | '؟' | '\u{2028}' | '\u{2029}' => Gap::Stop,
        ':' if pieces.joins(at) => Gap::Colon,
        '/' if pieces.joins(at) => Gap::Slash,
        '-' if pieces.joins(at) => Gap::Hyphen,
        '-' if pieces.is(at + 1, |next| next.is_ascii_digit()) => Gap::None,
        ',' | '、' | ':' | '/' | '-' | '—' | '―' => Gap::Comma,
        '"' | '\'' | '`' | '_' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '\\' | '*' | '·' | '•' | '“' | '”' | '„'
        | '«' | '»' | '「' | '」' | '『' | '』' | '《' | '》' | '〈' | '〉' | '【' | '】' | '〔' | '〕' => {
            Gap::Space
        }
        _ if ch.is_whitespace() || ch.is_control() => Gap::Space,
        _ => Gap::None,
    };
    if gap != Gap::None {
        scanned.raise(gap);
        return at + 1;
    }
    if is_mark(ch) {
        // A mark on what is no letter of a word.
        return at + 1;
    }
    scanned.push(UnitKind::Other, pieces.slice(at, at + 1), |_| true);
    at + 1
}
