//! One spelling for each character: NFKC, lower case, half width, simplified.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// A folded character and the bytes of the source it stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) ch: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

static SIMPLIFIED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let table = include_str!("../../data/simplified.txt");
    let mut chars = table.lines().filter(|line| !line.starts_with('#')).flat_map(str::chars);
    let mut pairs = Vec::with_capacity(4096);
    while let (Some(traditional), Some(simplified)) = (chars.next(), chars.next()) {
        pairs.push((traditional, simplified));
    }
    pairs
});

fn simplified(ch: char) -> char {
    let table = &*SIMPLIFIED;
    table
        .binary_search_by_key(&ch, |pair| pair.0)
        .ok()
        .and_then(|at| table.get(at))
        .map_or(ch, |pair| pair.1)
}

/// Whether the character is a Chinese character (with 〇 and 々).
pub(super) fn is_han(ch: char) -> bool {
    matches!(ch, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}' | '〇' | '々')
}

/// Invisible characters that neither part words nor belong to one.
fn is_ignorable(ch: char) -> bool {
    matches!(
        ch,
        '\u{AD}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{E0000}'..='\u{E01EF}'
    )
}

/// Whether the character is drawn onto the one before it.
pub(super) fn is_mark(ch: char) -> bool {
    ch >= '\u{300}' && canonical_combining_class(ch) != 0
}

/// Kana and bopomofo write no spaces between words: each is a sign of its own.
fn is_kana(ch: char) -> bool {
    matches!(ch, '\u{3040}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}')
}

/// Whether the character is a letter of an alphabet, whose words stand apart.
pub(super) fn is_letter(ch: char) -> bool {
    let foreign = || ch.is_alphabetic() && !is_han(ch) && !is_kana(ch) && !is_mark(ch);
    ch.is_ascii_alphabetic() || (!ch.is_ascii() && foreign())
}

/// Signs that are kept or mapped by hand: compatibility would tear them into letters and digits that join the number before.
fn by_hand(ch: char) -> Option<char> {
    match ch {
        '℃' | '℉' | '…' | '½' | '¼' | '¾' | '⅓' | '⅔' => Some(ch),
        '\u{BA}' | '\u{2DA}' => Some('°'),
        '‘' | '’' => Some('\''),
        '‐' | '‑' | '–' | '−' => Some('-'),
        '\u{2044}' => Some('/'),
        _ => None,
    }
}

/// Folds a string character by character, keeping where each came from.
///
/// Where one source character becomes several, the first carries its bytes and the others an empty range at its end.
pub(super) fn fold(source: &str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(source.len() / 2 + 1);
    let mut chars = source.char_indices().peekable();
    let mut cluster = String::new();
    while let Some((start, base)) = chars.next() {
        let mut end = start + base.len_utf8();
        if is_ignorable(base) {
            continue;
        }
        cluster.clear();
        cluster.push(base);
        while let Some(&(at, ch)) = chars.peek() {
            if is_ignorable(ch) {
                chars.next();
            } else if is_mark(ch) {
                cluster.push(ch);
                end = at + ch.len_utf8();
                chars.next();
            } else {
                break;
            }
        }
        let bare = cluster.len() == base.len_utf8();
        let kept = if bare && base.is_ascii() {
            Some(base.to_ascii_lowercase())
        } else if bare && matches!(base, '\u{4E00}'..='\u{9FFF}') {
            Some(simplified(base))
        } else {
            by_hand(base)
        };
        if let Some(ch) = kept {
            pieces.push(Piece { ch, start, end });
            continue;
        }
        let mut from = start;
        for ch in cluster.nfkc().flat_map(char::to_lowercase).nfkc() {
            let ch = by_hand(ch).unwrap_or_else(|| simplified(ch));
            // A mark that stands on no letter would part what the next reading finds joined.
            let stray = is_mark(ch)
                && !pieces
                    .last()
                    .is_some_and(|piece| piece.ch.is_alphabetic() || is_mark(piece.ch));
            if !is_ignorable(ch) && !stray {
                pieces.push(Piece { ch, start: from, end });
                from = end;
            }
        }
    }
    join_degrees(pieces)
}

/// Makes one sign of `°c` and `°f`, as of `℃` and `℉`.
fn join_degrees(pieces: Vec<Piece>) -> Vec<Piece> {
    if !pieces.iter().any(|piece| piece.ch == '°') {
        return pieces;
    }
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = pieces.iter().peekable();
    while let Some(&piece) = rest.next() {
        let ends = !rest.peek().is_some_and(|next| is_letter(next.ch) || is_mark(next.ch));
        match (joined.last_mut(), piece.ch) {
            (Some(degree), 'c' | 'f') if degree.ch == '°' && ends => {
                degree.ch = if piece.ch == 'c' { '℃' } else { '℉' };
                degree.end = piece.end;
            }
            _ => joined.push(piece),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(source: &str) -> String {
        fold(source).iter().map(|piece| piece.ch).collect()
    }

    #[test]
    fn one_spelling() {
        for (source, expected) in [
            ("打開車窗", "打开车窗"),
            ("導航到臺北車站", "导航到台北车站"),
            ("妳好", "你好"),
            ("ＡＢＣ１２３％", "abc123%"),
            ("Café", "café"),
            ("Cafe\u{301}", "café"),
            ("H\u{331}", "ẖ"),
            ("22℃", "22℃"),
            ("22º", "22°"),
            ("22 °F", "22 ℉"),
            ("°cm", "°cm"),
            ("don’t", "don't"),
            ("a\u{200B}b", "ab"),
            ("③", "3"),
            ("里裡裏", "里里里"),
        ] {
            assert_eq!(folded(source), expected, "{source}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_converting_twice_changes_nothing() {
        let table = &*SIMPLIFIED;
        assert!(table.len() > 2_000);
        assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for &(traditional, to) in table {
            assert_ne!(traditional, to);
            assert_eq!(simplified(to), to, "{traditional}");
        }
    }
}
