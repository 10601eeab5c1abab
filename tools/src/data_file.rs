//! The data files that ship with the crate: what may be wrong with one, and the reader of tables.

use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr;

use thiserror::Error;

/// What is wrong with a data file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, {place}: {problem}")]
#[non_exhaustive]
pub struct DataError {
    /// The file's name.
    pub file: &'static str,
    /// The line, or the entry's name.
    pub place: String,
    /// What is wrong there.
    pub problem: DataProblem,
}

impl DataError {
    pub(crate) fn new(file: &'static str, place: impl Display, problem: DataProblem) -> Self {
        Self {
            file,
            place: place.to_string(),
            problem,
        }
    }

    /// A file that its own format's reader refuses.
    pub(crate) fn syntax(file: &'static str, error: &toml::de::Error) -> Self {
        let place = error
            .span()
            .map_or_else(|| "whole file".to_owned(), |span| format!("byte {}", span.start));
        Self::new(file, place, DataProblem::Syntax(error.message().to_owned()))
    }
}

/// The kinds of fault in a data file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DataProblem {
    /// The file is not in its format.
    #[error("not well formed: {0}")]
    Syntax(String),
    /// The heading of a table is not the one expected.
    #[error("the heading should be {expected:?}")]
    Heading {
        /// The column names expected.
        expected: &'static [&'static str],
    },
    /// A row has too few or too many cells.
    #[error("{found} cells where {expected} are expected")]
    Cells {
        /// Columns of the heading.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// A value that must be there is empty.
    #[error("{column} is empty")]
    Empty {
        /// The column or key.
        column: &'static str,
    },
    /// A value cannot be read, or is not sane.
    #[error("{column} cannot be {value:?}")]
    Value {
        /// The column or key.
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// A name or key is there twice.
    #[error("{name:?} is taken already by {owner:?}")]
    Duplicate {
        /// The name.
        name: String,
        /// Whose it is.
        owner: String,
    },
    /// A reference to an entry that is not there.
    #[error("{column} names {value:?}, which is not known")]
    Unknown {
        /// The column or key.
        column: &'static str,
        /// The name that leads nowhere.
        value: String,
    },
}

/// A row of a table: tab separated cells under the columns of the heading.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    file: &'static str,
    line: usize,
    columns: &'static [&'static str],
    cells: Vec<&'a str>,
}

/// Reads a table. Lines that begin with `#` and empty lines are left out; the first other line is the heading.
pub(crate) fn rows<'a>(
    file: &'static str,
    text: &'a str,
    columns: &'static [&'static str],
) -> Result<Vec<Row<'a>>, DataError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let heading = DataProblem::Heading { expected: columns };
    match lines.next() {
        Some((_, line)) if line.split('\t').eq(columns.iter().copied()) => {}
        Some((number, _)) => return Err(DataError::new(file, format_args!("line {number}"), heading)),
        None => return Err(DataError::new(file, "line 1", heading)),
    }
    lines
        .map(|(line, text)| {
            let cells: Vec<&str> = text.split('\t').map(str::trim).collect();
            let row = Row {
                file,
                line,
                columns,
                cells,
            };
            let (expected, found) = (columns.len(), row.cells.len());
            if expected == found {
                Ok(row)
            } else {
                Err(row.error(DataProblem::Cells { expected, found }))
            }
        })
        .collect()
}

impl<'a> Row<'a> {
    /// An error at this row.
    pub(crate) fn error(&self, problem: DataProblem) -> DataError {
        DataError::new(self.file, format_args!("line {}", self.line), problem)
    }

    /// A cell as it stands; empty for a column that is not in the heading.
    pub(crate) fn text(&self, column: &'static str) -> &'a str {
        let index = self.columns.iter().position(|known| *known == column);
        index
            .and_then(|index| self.cells.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// A cell that must not be empty.
    pub(crate) fn required(&self, column: &'static str) -> Result<&'a str, DataError> {
        match self.text(column) {
            "" => Err(self.error(DataProblem::Empty { column })),
            text => Ok(text),
        }
    }

    /// The values of a cell, separated by `|`.
    pub(crate) fn list(&self, column: &'static str) -> Vec<String> {
        self.text(column)
            .split('|')
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// A cell that may be empty, read as a value that `sane` accepts.
    pub(crate) fn optional<T: FromStr>(
        &self,
        column: &'static str,
        sane: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, DataError> {
        match self.text(column) {
            "" => Ok(None),
            text => match text.parse().ok().filter(sane) {
                Some(value) => Ok(Some(value)),
                None => Err(self.value_error(column)),
            },
        }
    }

    /// As [`Row::optional`], but the cell must not be empty.
    pub(crate) fn parsed<T: FromStr>(&self, column: &'static str, sane: impl Fn(&T) -> bool) -> Result<T, DataError> {
        self.optional(column, sane)?
            .ok_or_else(|| self.error(DataProblem::Empty { column }))
    }

    pub(crate) fn value_error(&self, column: &'static str) -> DataError {
        self.error(DataProblem::Value {
            column,
            value: self.text(column).to_owned(),
        })
    }
}

/// Which names are taken, and by whom: for data where one name must lead to one thing.
#[derive(Debug, Default)]
pub(crate) struct Owners(HashMap<String, String>);

impl Owners {
    /// Takes a name for its owner.
    pub(crate) fn claim(&mut self, name: &str, owner: &str) -> Result<(), DataProblem> {
        match self.0.insert(name.to_lowercase(), owner.to_owned()) {
            Some(owner) => Err(DataProblem::Duplicate {
                name: name.to_owned(),
                owner,
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[&str] = &["name", "year"];

    #[test]
    fn a_table_is_read_and_its_faults_are_placed() {
        let text = "# comment\nname\tyear\n\n晴天\t2003\nx\t\n";
        let rows = rows("t.tsv", text, COLUMNS).unwrap();
        assert_eq!(rows[0].text("name"), "晴天");
        assert_eq!(rows[0].parsed("year", |year: &u16| *year > 1900).unwrap(), 2003);
        let error = rows[0].parsed("year", |year: &u16| *year > 2100).unwrap_err();
        assert_eq!(error.to_string(), "t.tsv, line 4: year cannot be \"2003\"");
        assert_eq!(rows[1].optional("year", |_: &u16| true).unwrap(), None);
        assert_eq!(
            rows[1].required("year").unwrap_err().problem,
            DataProblem::Empty { column: "year" }
        );
    }

    #[test]
    fn a_wrong_heading_or_row_is_refused() {
        for (text, place) in [
            ("", "line 1"),
            ("name\n", "line 1"),
            ("name\tyear\na\n", "line 2"),
            ("name\tyear\na\tb\tc\n", "line 2"),
        ] {
            assert_eq!(rows("t.tsv", text, COLUMNS).unwrap_err().place, place, "{text:?}");
        }
    }
}
