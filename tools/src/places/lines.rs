//! A table of lines sorted by their bytes, searched where it lies: no start-up cost, no memory of its own.

use memchr::{memchr, memmem, memrchr};

/// Lines of `key<TAB>value`, sorted by key, each ended by a newline.
#[derive(Debug, Clone, Copy)]
pub(super) struct SortedLines {
    text: &'static str,
}

/// One line, cut at its first tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) key: &'static str,
    pub(super) value: &'static str,
}

impl SortedLines {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text }
    }

    /// The value of the line whose key this is.
    pub(super) fn get(self, key: &str) -> Option<&'static str> {
        self.from(key)
            .next()
            .filter(|line| line.key == key)
            .map(|line| line.value)
    }

    /// The lines whose key begins so, in order.
    pub(super) fn starting_with(self, prefix: &str) -> impl Iterator<Item = Line> {
        self.from(prefix).take_while(move |line| line.key.starts_with(prefix))
    }

    /// The lines that contain this text in their key, in order. Reads the whole table.
    pub(super) fn containing(self, needle: &str) -> impl Iterator<Item = Line> {
        memmem::find_iter(self.text.as_bytes(), needle).filter_map(move |at| {
            let start = self.line_start(at);
            let (line, _) = self.line_at(start)?;
            // Once for each line, and not for a hit in the value.
            (line.key.find(needle)? + start == at).then_some(line)
        })
    }

    /// The lines from the first whose key is not below `key`.
    fn from(self, key: &str) -> impl Iterator<Item = Line> {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let middle = self.line_start(usize::midpoint(low, high));
            match self.line_at(middle) {
                Some((line, next)) if line.key < key => low = next,
                _ => high = middle,
            }
        }
        std::iter::from_fn(move || {
            let (line, next) = self.line_at(low)?;
            low = next;
            Some(line)
        })
    }

    /// The start of the line in which a byte lies.
    fn line_start(self, at: usize) -> usize {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        memrchr(b'\n', before).map_or(0, |newline| newline + 1)
    }

    /// The line that starts at a byte, and where the next one does.
    fn line_at(self, start: usize) -> Option<(Line, usize)> {
        let rest = self.text.get(start..)?;
        let end = memchr(b'\n', rest.as_bytes())?;
        let line = rest.get(..end)?;
        let tab = memchr(b'\t', line.as_bytes())?;
        let (key, value) = (line.get(..tab)?, line.get(tab + 1..)?);
        Some((Line { key, value }, start + end + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: SortedLines = SortedLines::new("a\t1\nab\t2\nb\t3\n北京\t4\n北京南\t5\n");

    #[test]
    fn every_key_is_found_and_no_other() {
        for (key, value) in [
            ("a", Some("1")),
            ("ab", Some("2")),
            ("b", Some("3")),
            ("北京", Some("4")),
            ("北京南", Some("5")),
            ("", None),
            ("aa", None),
            ("北", None),
            ("zz", None),
        ] {
            assert_eq!(TABLE.get(key), value, "{key}");
        }
    }

    #[test]
    fn lines_are_found_by_how_they_begin_and_by_what_they_contain() {
        let values = |lines: Vec<Line>| lines.into_iter().map(|line| line.value).collect::<String>();
        assert_eq!(values(TABLE.starting_with("a").collect()), "12");
        assert_eq!(values(TABLE.starting_with("北").collect()), "45");
        assert_eq!(values(TABLE.containing("京").collect()), "45");
        assert_eq!(values(TABLE.containing("b").collect()), "23");
        assert_eq!(values(TABLE.containing("4").collect()), "");
    }
}
