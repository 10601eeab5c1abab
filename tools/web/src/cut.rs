//! Long texts, cut by words.

/// So many letters without a break are a word: what has no breaks at all (an encoded picture) is bounded too.
const LONGEST_WORD: usize = 16;

/// The beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beginning<'a> {
    /// The text up to the last word that had its place.
    pub(crate) text: &'a str,
    /// How many words the whole has.
    pub(crate) words: usize,
}

impl Beginning<'_> {
    /// Whether something of the whole is missing.
    pub(crate) fn is_cut(&self, limit: usize) -> bool {
        self.words > limit
    }
}

/// The first `limit` words of `text`. A character of Chinese, Japanese or Korean counts as a word, as it does for a
/// model; of anything else a run of up to [`LONGEST_WORD`] characters does.
pub(crate) fn beginning(text: &str, limit: usize) -> Beginning<'_> {
    let (mut words, mut run, mut end) = (0, 0, text.len());
    let (mut after_ideograph, mut joined) = (false, false);
    for (index, c) in text.char_indices() {
        if std::mem::replace(&mut joined, c == '\u{200d}') || is_extender(c) {
            continue;
        }
        let is_ideograph = is_ideograph(c);
        let begins = match c {
            _ if c.is_whitespace() => {
                run = 0;
                continue;
            }
            _ if is_ideograph => true,
            // A stop after an ideograph belongs to it.
            _ if after_ideograph => run == 0 || c.is_alphanumeric(),
            _ => run == 0 || run == LONGEST_WORD,
        };
        if begins {
            if words == limit {
                end = end.min(index);
            }
            words += 1;
            run = 0;
        }
        run += 1;
        after_ideograph = is_ideograph || (after_ideograph && !begins && run < LONGEST_WORD);
    }
    Beginning {
        text: text.get(..end).unwrap_or(text).trim_end(),
        words,
    }
}

/// What belongs to the character before it.
fn is_extender(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// `text` on one line, without control characters, cut to `limit` words with an ellipsis.
pub(crate) fn line(text: &str, limit: usize) -> String {
    // A service's text may be as long as its whole reply: what is far past the limit is not looked at.
    let bound = limit.saturating_mul(LONGEST_WORD * 4);
    let near: String = text
        .chars()
        .take(bound)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<&str> = near.split_whitespace().collect();
    let whole = words.join(" ");
    let begin = beginning(&whole, limit);
    match begin.is_cut(limit) {
        true => format!("{}…", begin.text),
        false => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_counted_in_every_script() {
        for (text, words) in [
            ("", 0),
            ("  \n ", 0),
            ("one two  three", 3),
            ("西湖在杭州。", 5),
            ("西湖，杭州！", 4),
            ("用 USB 线充电", 5),
            ("用USB线", 3),
            ("don't stop", 2),
            ("e\u{301}te\u{301}", 1),
            ("0123456789abcdef0", 2),
            ("👨\u{200d}👩\u{200d}👧 hi", 2),
            ("한국어", 3),
        ] {
            assert_eq!(beginning(text, 100).words, words, "{text}");
            assert_eq!(beginning(text, 100).text, text.trim_end(), "{text}");
        }
    }

    #[test]
    fn a_text_is_cut_between_words() {
        for (text, limit, cut) in [
            ("one two three", 2, "one two"),
            ("西湖在杭州。很美。", 5, "西湖在杭州。"),
            ("西湖在杭州", 2, "西湖"),
            ("first line\n\nsecond", 2, "first line"),
            ("cafe\u{301} e\u{301}te\u{301}", 1, "cafe\u{301}"),
            ("a b", 0, ""),
        ] {
            assert_eq!(beginning(text, limit).text, cut, "{text}");
        }
        assert_eq!(line("a\u{7}b\r\n  c d", 3), "a b c…");
        assert_eq!(line("a b", 3), "a b");
    }

    proptest! {
        #[test]
        fn a_cut_text_is_a_beginning_within_its_limit(text in "\\PC{0,200}", limit in 0usize..60) {
            let begin = beginning(&text, limit);
            prop_assert!(text.starts_with(begin.text));
            prop_assert!(beginning(begin.text, limit).words <= limit);
            prop_assert_eq!(begin.is_cut(limit), begin.words > limit);
            if !begin.is_cut(limit) {
                prop_assert_eq!(begin.text, text.trim_end());
            }
        }

        #[test]
        fn what_has_no_breaks_is_bounded_too(text in "[a-zA-Z0-9+/=。，!]{0,2000}", limit in 0usize..20) {
            prop_assert!(beginning(&text, limit).text.chars().count() <= (limit + 1) * LONGEST_WORD);
        }
    }
}
