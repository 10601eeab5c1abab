//! What is wrong with a file, where, and what to do about it.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// Where something was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    source: Arc<str>,
    line: Option<usize>,
}

impl Place {
    /// A whole file, or an environment variable, by its name.
    pub fn whole(source: impl Into<Arc<str>>) -> Self {
        Self {
            source: source.into(),
            line: None,
        }
    }

    /// A line of a file, the first being 1.
    pub fn line(source: impl Into<Arc<str>>, line: usize) -> Self {
        Self {
            source: source.into(),
            line: Some(line),
        }
    }

    /// The file's or variable's name.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The line, where it is a line's.
    pub fn line_number(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.source),
            None => f.write_str(&self.source),
        }
    }
}

/// The kinds of fault, for tools that read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// It is no TOML.
    Syntax,
    /// A file cannot be read.
    Unreadable,
    /// There is no such key.
    UnknownKey,
    /// A value is of the wrong type.
    WrongType,
    /// A key must be there and is not.
    Missing,
    /// A value is none of those that it may be.
    UnknownValue,
    /// A number is out of its bounds.
    OutOfRange,
    /// Two things do not go together.
    Conflict,
    /// A secret stands in the file itself.
    InlineSecret,
    /// A secret is not where the file says.
    MissingSecret,
    /// An id is taken.
    DuplicateId,
    /// An id that is named is not there.
    UnknownId,
    /// There is no such tool.
    UnknownTool,
    /// The tool has no such argument.
    UnknownArgument,
    /// The car has no such signal.
    UnknownSignal,
    /// There is no such fact.
    UnknownFact,
    /// What stands there never comes to be asked.
    NeverReached,
    /// It leads back to itself.
    Cycle,
    /// This build cannot do it.
    Unsupported,
    /// What the file asks for could not be made.
    Unusable,
}

impl Code {
    /// Its name: `unknown-key`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Unreadable => "unreadable",
            Self::UnknownKey => "unknown-key",
            Self::WrongType => "wrong-type",
            Self::Missing => "missing",
            Self::UnknownValue => "unknown-value",
            Self::OutOfRange => "out-of-range",
            Self::Conflict => "conflict",
            Self::InlineSecret => "inline-secret",
            Self::MissingSecret => "missing-secret",
            Self::DuplicateId => "duplicate-id",
            Self::UnknownId => "unknown-id",
            Self::UnknownTool => "unknown-tool",
            Self::UnknownArgument => "unknown-argument",
            Self::UnknownSignal => "unknown-signal",
            Self::UnknownFact => "unknown-fact",
            Self::NeverReached => "never-reached",
            Self::Cycle => "cycle",
            Self::Unsupported => "unsupported",
            Self::Unusable => "unusable",
        }
    }
}

/// One thing that is wrong, where, and what to do about it. Its text is one line:
/// `car.toml:12: vehicle.backend: it cannot be `kuska`; did you mean `kuksa`?`
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// The key, with those it stands below (`vehicle.url`), or the policy's id; may be empty.
    pub key: String,
    /// What kind of fault.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub fix: String,
}

impl Diagnostic {
    /// A fault.
    pub fn new(
        place: Place,
        key: impl Into<String>,
        code: Code,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            place,
            key: key.into(),
            code,
            message: message.into(),
            fix: fix.into(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}; {}", self.message, self.fix)
    }
}

/// Everything that is wrong, in the order found. As an error it is never empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, thiserror::Error)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Each of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, diagnostic) in self.0.iter().enumerate() {
            if nth > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(diagnostics: I) -> Self {
        Self(diagnostics.into_iter().collect())
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Where faults are gathered while a file is read, so that all are told at once.
#[derive(Debug, Default)]
pub struct Faults(RefCell<Vec<Diagnostic>>);

impl Faults {
    /// Adds one.
    pub fn push(&self, diagnostic: Diagnostic) {
        self.0.borrow_mut().push(diagnostic);
    }

    /// Adds those of `result`, if it failed.
    pub fn take<T>(&self, result: Result<T, Diagnostics>) -> Option<T> {
        result
            .map_err(|diagnostics| self.0.borrow_mut().extend(diagnostics))
            .ok()
    }

    /// How many there are so far.
    pub fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// What was gathered.
    pub fn into_diagnostics(self) -> Diagnostics {
        Diagnostics(self.0.into_inner())
    }

    /// `value` where nothing was wrong.
    ///
    /// # Errors
    /// What was wrong.
    pub fn into_result<T>(self, value: T) -> Result<T, Diagnostics> {
        let found = self.into_diagnostics();
        if found.is_empty() { Ok(value) } else { Err(found) }
    }
}

/// How alike names must be for one to be offered for the other.
const NEAR: f64 = 0.8;

/// How many names are listed where none is near.
const LISTED: usize = 20;

/// What to write instead of `said`: the nearest of `known`, else what there is.
pub fn choice<'a>(said: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut ranked: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(said, name), name))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    match ranked.first() {
        Some((alike, name)) if *alike > NEAR => format!("did you mean `{name}`?"),
        Some(_) => {
            let rest = ranked.len().saturating_sub(LISTED);
            let mut names: Vec<&str> = ranked.into_iter().take(LISTED).map(|(_, name)| name).collect();
            names.sort_unstable();
            let more = if rest > 0 {
                format!(" and {rest} more")
            } else {
                String::new()
            };
            format!("there is {}{more}", names.join(", "))
        }
        None => "there is none to choose".to_owned(),
    }
}
