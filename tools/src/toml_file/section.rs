//! A table that is read key by key.

use super::diagnostic::{Code, Diagnostic, Faults, Place, choice};
use super::document::{Entry, Item, Node};
use std::cell::RefCell;
use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::time::Duration;

/// A table of a file. Each reader answers `None` where the key is not there, and where its value cannot be: that is
/// told to the faults then.
#[derive(Debug)]
pub struct Section<'a> {
    path: String,
    place: Place,
    entries: &'a [Entry],
    asked: RefCell<Vec<&'static str>>,
    faults: &'a Faults,
}

/// Words that a secret's key has.
const SECRETIVE: [&str; 6] = ["key", "token", "secret", "password", "passwd", "credential"];

impl<'a> Section<'a> {
    pub(super) fn new(path: String, place: Place, entries: &'a [Entry], faults: &'a Faults) -> Self {
        Self {
            path,
            place,
            entries,
            asked: RefCell::default(),
            faults,
        }
    }

    /// A table outside a document: a policy that was put together from two files.
    pub(crate) fn of(path: String, place: Place, entries: &'a [Entry], faults: &'a Faults) -> Self {
        Self::new(path, place, entries, faults)
    }

    /// Its name, with those of the tables it stands in.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Where it begins.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Where `key` stands; where the section begins if it is not there.
    pub fn place_of(&self, key: &str) -> Place {
        let entry = self.entries.iter().find(|entry| entry.key == key);
        entry.map_or_else(|| self.place.clone(), |entry| entry.place.clone())
    }

    /// Whether `key` is there.
    pub fn has(&self, key: &'static str) -> bool {
        self.node(key).is_some()
    }

    /// Every key with its value, for tables whose keys are names of the file's own.
    pub fn each(&self) -> impl Iterator<Item = (&'a str, &'a Place, &'a Node)> {
        let entries: &'a [Entry] = self.entries;
        entries
            .iter()
            .map(|entry| (entry.key.as_str(), &entry.place, &entry.node))
    }

    /// The value of `key`, whatever it is.
    pub fn node(&self, key: &'static str) -> Option<&'a Node> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        let entries: &'a [Entry] = self.entries;
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Tells that something is wrong with `key`.
    pub fn fault(&self, key: &str, code: Code, message: impl Into<String>, fix: impl Into<String>) {
        self.fault_at(self.place_of(key), key, code, message, fix);
    }

    /// Tells that something is wrong with `key`, at another place than where the key stands.
    pub fn fault_at(&self, place: Place, key: &str, code: Code, message: impl Into<String>, fix: impl Into<String>) {
        let fault = Diagnostic::new(place, self.key_path(key), code, message, fix);
        self.faults.push(fault);
    }

    fn key_path(&self, key: &str) -> String {
        match (self.path.is_empty(), key.is_empty()) {
            (true, _) => key.to_owned(),
            (false, true) => self.path.clone(),
            (false, false) => format!("{}.{key}", self.path),
        }
    }

    fn wrong_type(&self, key: &str, wanted: &str, node: &Node) {
        let message = format!("it must be {wanted}, not {}", node.item.kind());
        let fix = match (wanted, &node.item) {
            ("a text", Item::Integer(_) | Item::Number(_) | Item::Flag(_)) => "put it in quotes".to_owned(),
            ("a number" | "a whole number" | "true or false", Item::Text(_)) => "write it without quotes".to_owned(),
            _ => format!("write {wanted}"),
        };
        self.fault_at(node.place.clone(), key, Code::WrongType, message, fix);
    }

    /// A text.
    pub fn text(&self, key: &'static str) -> Option<String> {
        let node = self.node(key)?;
        self.text_of(key, node)
    }

    fn text_of(&self, key: &str, node: &Node) -> Option<String> {
        match &node.item {
            Item::Text(text) | Item::Variable(text) if text.trim().is_empty() => {
                let fix = "write a value, or leave the key out";
                self.fault_at(node.place.clone(), key, Code::UnknownValue, "it is empty", fix);
                None
            }
            Item::Text(text) | Item::Variable(text) => Some(text.clone()),
            _ => {
                self.wrong_type(key, "a text", node);
                None
            }
        }
    }

    /// A text that must be there; `example` says how to write it.
    pub fn required_text(&self, key: &'static str, example: &str) -> Option<String> {
        if !self.has(key) {
            self.missing(key, example);
        }
        self.text(key)
    }

    /// Tells that `key` must be there; `example` is a line to write.
    pub fn missing(&self, key: &'static str, example: &str) {
        self.fault(key, Code::Missing, "it is missing", format!("write: {example}"));
    }

    /// True or false.
    pub fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        match &node.item {
            Item::Flag(flag) => Some(*flag),
            Item::Variable(text) if text == "true" || text == "false" => Some(text == "true"),
            _ => {
                self.wrong_type(key, "true or false", node);
                None
            }
        }
    }

    /// A whole number within `range`.
    pub fn integer<T: TryFrom<i64> + Into<i64> + Copy>(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<T>,
    ) -> Option<T> {
        let node = self.node(key)?;
        let number = match &node.item {
            Item::Integer(number) => Some(*number),
            Item::Variable(text) => text.trim().parse().ok(),
            _ => None,
        };
        let Some(number) = number else {
            self.wrong_type(key, "a whole number", node);
            return None;
        };
        let (low, high) = ((*range.start()).into(), (*range.end()).into());
        let fits = (low..=high)
            .contains(&number)
            .then(|| T::try_from(number).ok())
            .flatten();
        if fits.is_none() {
            self.out_of_range(key, node, number, &format!("{low} to {high}"));
        }
        fits
    }

    fn out_of_range(&self, key: &str, node: &Node, number: impl fmt::Display, range: &str) {
        let message = format!("it cannot be {number}");
        let fix = format!("it goes from {range}");
        self.fault_at(node.place.clone(), key, Code::OutOfRange, message, fix);
    }

    /// A number within `range`.
    pub fn number(&self, key: &'static str, range: impl RangeBounds<f64> + fmt::Debug) -> Option<f64> {
        let node = self.node(key)?;
        let Some(number) = number_of(node) else {
            self.wrong_type(key, "a number", node);
            return None;
        };
        if number.is_finite() && range.contains(&number) {
            return Some(number);
        }
        let bound = |bound: Bound<&f64>, none: &str| match bound {
            Bound::Included(at) => at.to_string(),
            Bound::Excluded(at) => format!("{at} (not itself)"),
            Bound::Unbounded => none.to_owned(),
        };
        let range = format!(
            "{} to {}",
            bound(range.start_bound(), "any"),
            bound(range.end_bound(), "any")
        );
        self.out_of_range(key, node, number, &range);
        None
    }

    /// A stretch of time, written in milliseconds; longer than none, at most a day.
    pub fn millis(&self, key: &'static str) -> Option<Duration> {
        self.integer(key, 1..=86_400_000_u32)
            .map(|millis| Duration::from_millis(u64::from(millis)))
    }

    /// A stretch of time, written in seconds; longer than none, at most a year.
    pub fn seconds(&self, key: &'static str) -> Option<Duration> {
        self.integer(key, 1..=31_622_400_u32)
            .map(|seconds| Duration::from_secs(u64::from(seconds)))
    }

    /// One of several names.
    pub fn one_of<T: Copy>(&self, key: &'static str, names: &[(&str, T)]) -> Option<T> {
        let node = self.node(key)?;
        let said = self.text_of(key, node)?;
        let found = names.iter().find(|(name, _)| *name == said).map(|(_, value)| *value);
        if found.is_none() {
            let fix = choice(&said, names.iter().map(|(name, _)| *name));
            let message = format!("it cannot be `{said}`");
            self.fault_at(node.place.clone(), key, Code::UnknownValue, message, fix);
        }
        found
    }

    /// A list of texts, or one text, each with its place.
    pub fn texts(&self, key: &'static str) -> Option<Vec<(String, Place)>> {
        let node = self.node(key)?;
        let text = |node: &Node| Some((self.text_of(key, node)?, node.place.clone()));
        match &node.item {
            Item::List(nodes) => Some(nodes.iter().filter_map(text).collect()),
            _ => Some(text(node).into_iter().collect()),
        }
    }

    /// The table at `key`.
    pub fn section(&self, key: &'static str) -> Option<Section<'a>> {
        let node = self.node(key)?;
        self.table(key, node)
    }

    /// `node` as a table, told of as `key`.
    pub fn table(&self, key: &str, node: &'a Node) -> Option<Section<'a>> {
        match &node.item {
            Item::Table(entries) => {
                let path = self.key_path(key);
                Some(Section::new(path, node.place.clone(), entries, self.faults))
            }
            _ => {
                self.wrong_type(key, "a table", node);
                None
            }
        }
    }

    /// The tables of a list of tables (`[[key]]`); none where it is not there.
    pub fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        match self.node(key) {
            None => Vec::new(),
            Some(node) => match &node.item {
                Item::List(nodes) => nodes.iter().filter_map(|node| self.table(key, node)).collect(),
                _ => {
                    self.wrong_type(key, "a list of tables ([[..]])", node);
                    Vec::new()
                }
            },
        }
    }

    /// Ends the reading: whatever was not asked for is an unknown key. One that looks like a secret is told so, and
    /// never shown.
    pub fn finish(self) {
        let asked = self.asked.borrow();
        for entry in self.entries.iter().filter(|entry| !asked.contains(&entry.key.as_str())) {
            let key = &entry.key;
            let lower = key.to_lowercase();
            let bases = || {
                let bases = asked.iter().filter_map(|known| known.strip_suffix("_env"));
                bases.filter(|base| !base.is_empty())
            };
            let secretive = SECRETIVE.iter().any(|word| lower.contains(word));
            let secret = bases()
                .find(|base| lower == *base)
                .or_else(|| bases().next().filter(|_| secretive));
            let reference = lower.ends_with("_env") || lower.ends_with("_file");
            match secret {
                Some(base) if !reference => {
                    let message = "a secret must not stand in the file";
                    let fix = format!(
                        "put it in an environment variable and write `{base}_env = \"ITS_NAME\"`, or in a file of its own and write `{base}_file = \"path\"`"
                    );
                    self.fault_at(entry.place.clone(), key, Code::InlineSecret, message, fix);
                }
                _ => {
                    let fix = choice(key, asked.iter().copied());
                    self.fault_at(entry.place.clone(), key, Code::UnknownKey, "there is no such key", fix);
                }
            }
        }
    }
}

/// The number that a value is.
fn number_of(node: &Node) -> Option<f64> {
    match &node.item {
        #[expect(clippy::cast_precision_loss, reason = "settings are small")]
        Item::Integer(number) => Some(*number as f64),
        Item::Number(number) => Some(*number),
        Item::Variable(text) => text.trim().parse().ok(),
        _ => None,
    }
}
