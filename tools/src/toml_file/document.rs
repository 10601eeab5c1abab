//! A file as it was written: every value with its place.

use super::diagnostic::{Code, Diagnostic, Diagnostics, Faults, Place};
use super::section::Section;
use super::text::read_text;
use serde_json::{Map, Value};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value, and where it stands.
#[derive(Clone)]
pub struct Node {
    /// Where.
    pub place: Place,
    pub(super) item: Item,
}

/// What a value is.
#[derive(Clone)]
#[non_exhaustive]
pub enum Item {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A date or a time.
    Date(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Vec<Entry>),
    /// Text of an environment variable, which may be any of a text, a number, true and false.
    Variable(String),
}

/// A key of a table with its value.
#[derive(Clone)]
pub struct Entry {
    pub(crate) key: String,
    pub(crate) place: Place,
    pub(crate) node: Node,
}

/// What stands in a file may be a secret that should not: it is never shown.
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.item.kind(), self.place)
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.key, self.node)
    }
}

impl Item {
    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Integer(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Date(_) => "a date",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Variable(_) => "a variable's text",
        }
    }
}

impl Node {
    pub(crate) fn new(place: Place, item: Item) -> Self {
        Self { place, item }
    }

    /// What it is.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The value as JSON.
    pub fn to_json(&self) -> Value {
        match &self.item {
            Item::Text(text) | Item::Variable(text) | Item::Date(text) => text.as_str().into(),
            Item::Integer(number) => (*number).into(),
            Item::Number(number) => (*number).into(),
            Item::Flag(flag) => (*flag).into(),
            Item::List(nodes) => nodes.iter().map(Self::to_json).collect(),
            Item::Table(entries) => {
                let fields = entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.item {
            Item::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Puts `entry` into the table that it is, in the place of one with that key.
    pub(crate) fn put(&mut self, entry: Entry) {
        // What is no table is told when it is read.
        if let Item::Table(entries) = &mut self.item {
            entries.retain(|other| other.key != entry.key);
            entries.push(entry);
        }
    }
}

/// A file, read.
#[derive(Debug, Clone)]
pub struct Document {
    place: Place,
    entries: Vec<Entry>,
}

impl Document {
    /// Reads `text`; `name` is the file's name in what is told of it.
    ///
    /// # Errors
    /// [`Code::Syntax`] where it is no TOML.
    pub fn parse(name: &str, text: &str) -> Result<Self, Diagnostics> {
        let lines = Lines::new(name, text);
        let root = DeTable::parse(text).map_err(|error| {
            let place = error
                .span()
                .map_or_else(|| lines.whole(), |span| lines.place(span.start));
            let message = format!("it is no TOML: {}", error.message());
            let fix = "mend the line; a text stands in quotes, a table's name in brackets";
            Diagnostic::new(place, "", Code::Syntax, message, fix)
        })?;
        let root = root.into_inner();
        Ok(Self {
            place: lines.whole(),
            entries: lines.table(root),
        })
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Code::Unreadable`] or [`Code::Syntax`].
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), &read_text(path)?)
    }

    /// A document of nothing, for what stands in no file.
    pub fn empty(name: &str) -> Self {
        Self {
            place: Place::whole(name),
            entries: Vec::new(),
        }
    }

    /// Sets `section.key` to the text of the environment variable `variable`, instead of what the file says.
    pub fn set_from_variable(&mut self, section: &str, key: &str, variable: &str, text: &str) {
        let place = Place::whole(variable);
        let item = |item| Node {
            place: place.clone(),
            item,
        };
        let entry = |key: &str, node| Entry {
            key: key.to_owned(),
            place: place.clone(),
            node,
        };
        let value = entry(key, item(Item::Variable(text.to_owned())));
        match self.entries.iter_mut().find(|entry| entry.key == section) {
            Some(table) => table.node.put(value),
            None => self.entries.push(entry(section, item(Item::Table(vec![value])))),
        }
    }

    /// The whole file as a section; what is wrong goes to `faults`.
    pub fn root<'a>(&'a self, faults: &'a Faults) -> Section<'a> {
        Section::new(String::new(), self.place.clone(), &self.entries, faults)
    }
}

/// Finds lines of places in a text.
struct Lines {
    name: Arc<str>,
    /// Where each line ends.
    ends: Vec<usize>,
}

impl Lines {
    fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            ends: text.match_indices('\n').map(|(at, _)| at).collect(),
        }
    }

    fn whole(&self) -> Place {
        Place::whole(self.name.clone())
    }

    fn place(&self, at: usize) -> Place {
        Place::line(self.name.clone(), self.ends.partition_point(|end| *end < at) + 1)
    }

    fn table(&self, table: DeTable<'_>) -> Vec<Entry> {
        let mut entries: Vec<(usize, Entry)> = table
            .into_iter()
            .map(|(key, value)| {
                let at = key.span().start;
                let entry = Entry {
                    place: self.place(at),
                    key: key.into_inner().into_owned(),
                    node: self.node(value),
                };
                (at, entry)
            })
            .collect();
        // The parser sorts by key; people read in the order written.
        entries.sort_by_key(|(at, _)| *at);
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    fn node(&self, value: Spanned<DeValue<'_>>) -> Node {
        let place = self.place(value.span().start);
        let item = match value.into_inner() {
            DeValue::String(text) => Item::Text(text.into_owned()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Item::Integer(number),
                Err(_) => Item::Number(number.as_str().parse().unwrap_or(f64::INFINITY)),
            },
            DeValue::Float(number) => Item::Number(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Item::Flag(flag),
            DeValue::Datetime(date) => Item::Date(date.to_string()),
            DeValue::Array(values) => Item::List(values.into_iter().map(|value| self.node(value)).collect()),
            DeValue::Table(table) => Item::Table(self.table(table)),
        };
        Node { place, item }
    }
}
