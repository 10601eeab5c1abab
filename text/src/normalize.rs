//! An utterance as units: one Chinese character, one word, one number each.

mod fold;
mod scan;

use std::ops::Range;

/// What a [`Unit`] is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// One Chinese character, simplified.
    Han,
    /// One word of an alphabet, in lower case, with inner apostrophes: `don't`.
    Latin,
    /// A run of ASCII digits, perhaps with a decimal point: `22.5`.
    Number,
    /// Any other sign, one character: `%`, `℃`, `#`, `+`, a kana, an emoji.
    Other,
}

/// What stands between a unit and the one before it. Greater is a stronger break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gap {
    /// Nothing.
    #[default]
    None,
    /// White space, a bracket or a quotation mark.
    Space,
    /// A hyphen between two words or numbers: `twenty-one`, `2020-08-08`.
    Hyphen,
    /// A slash between two words or numbers: `8/21`.
    Slash,
    /// A colon between two words or numbers: `8:30`.
    Colon,
    /// A comma or what pauses like one.
    Comma,
    /// A full stop, question or exclamation mark, semicolon or line break.
    Stop,
}

/// A unit of a [`Text`]: see [`UnitKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unit {
    /// What the unit is made of.
    pub kind: UnitKind,
    /// What stands before it.
    pub gap_before: Gap,
    /// First byte in the original string.
    pub start: usize,
    /// Byte after the last in the original string.
    pub end: usize,
    word: Range<usize>,
}

/// A string and its units.
///
/// Every range given to a method is in units and is cut to the units there are: no call panics.
///
/// ```
/// use incar_text::Text;
///
/// let text = Text::new("打開 AC，調到２２.5℃");
/// let words: Vec<&str> = text.words().collect();
/// assert_eq!(words, ["打", "开", "ac", "调", "到", "22.5", "℃"]);
/// assert_eq!(text.original(0..3), "打開 AC");
/// assert_eq!(text.normal(0..3), "打开 ac");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    source: String,
    folded: String,
    units: Vec<Unit>,
    trailing_gap: Gap,
}

impl Text {
    /// Reads a string into units.
    pub fn new(source: &str) -> Self {
        let scanned = scan::scan(&fold::fold(source));
        Self {
            source: source.to_owned(),
            folded: scanned.folded,
            units: scanned.units,
            trailing_gap: scanned.gap,
        }
    }

    /// The string as it was given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The units in order.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there is no unit at all.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// What follows the last unit.
    pub fn trailing_gap(&self) -> Gap {
        self.trailing_gap
    }

    /// The unit at an index.
    pub fn unit(&self, index: usize) -> Option<&Unit> {
        self.units.get(index)
    }

    /// The normal form of the unit at an index, empty past the end.
    pub fn word(&self, index: usize) -> &str {
        self.units
            .get(index)
            .and_then(|unit| self.folded.get(unit.word.clone()))
            .unwrap_or_default()
    }

    /// The kind of the unit at an index.
    pub fn kind(&self, index: usize) -> Option<UnitKind> {
        self.units.get(index).map(|unit| unit.kind)
    }

    /// What stands before the unit at an index; past the end, what follows the last unit.
    pub fn gap_before(&self, index: usize) -> Gap {
        self.units.get(index).map_or(self.trailing_gap, |unit| unit.gap_before)
    }

    /// The normal forms of all units.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.word(index))
    }

    /// The speaker's own words for a range of units, without what surrounds them.
    pub fn original(&self, range: Range<usize>) -> &str {
        let Some([first, .., last] | [first @ last]) = self.units.get(self.clamp(range)) else {
            return "";
        };
        self.source.get(first.start..last.end).unwrap_or_default()
    }

    /// The normal form of a range of units. Reading it again gives the same normal form.
    ///
    /// Breaks become one space, or nothing between two Chinese characters; a hyphen, slash or colon inside stays. A minus
    /// sign at the end, its number cut off, is left out.
    pub fn normal(&self, range: Range<usize>) -> String {
        let mut range = self.clamp(range);
        if !range.is_empty() && self.word(range.end - 1) == "-" {
            range.end -= 1;
        }
        let mut normal = String::new();
        for index in range.clone() {
            if index > range.start {
                normal.push_str(self.joint(index));
            }
            normal.push_str(self.word(index));
        }
        normal
    }

    /// The unit at an index as the continuation of a phrase: empty after any break stronger than a hyphen.
    pub(crate) fn next_word(&self, index: usize) -> &str {
        match self.gap_before(index) {
            Gap::None | Gap::Space | Gap::Hyphen => self.word(index),
            Gap::Slash | Gap::Colon | Gap::Comma | Gap::Stop => "",
        }
    }

    /// The unit before an index, empty at the start and after a pause.
    pub(crate) fn previous_word(&self, index: usize) -> &str {
        match (index.checked_sub(1), self.gap_before(index)) {
            (None, _) | (_, Gap::Comma | Gap::Stop) => "",
            (Some(before), _) => self.word(before),
        }
    }

    /// Whether the units from an index on are these words, with no pause between them.
    pub(crate) fn continues(&self, index: usize, words: &[&str]) -> bool {
        words
            .iter()
            .enumerate()
            .all(|(offset, word)| self.next_word(index + offset) == *word)
    }

    fn joint(&self, index: usize) -> &'static str {
        let both_han = [index.wrapping_sub(1), index]
            .iter()
            .all(|&at| self.kind(at) == Some(UnitKind::Han));
        match self.gap_before(index) {
            Gap::None => "",
            Gap::Hyphen => "-",
            Gap::Slash => "/",
            Gap::Colon => ":",
            Gap::Space | Gap::Comma | Gap::Stop if both_han => "",
            Gap::Space | Gap::Comma | Gap::Stop => " ",
        }
    }

    fn clamp(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.len());
        range.start.min(end)..end
    }
}

impl From<&str> for Text {
    fn from(source: &str) -> Self {
        Self::new(source)
    }
}

#[cfg(test)]
mod tests;
