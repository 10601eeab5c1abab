//! Patterns of whole phrases: `(导航|开车)[去|到]{destination}`.

use crate::symbols::units_of;

/// One part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A unit of text that must stand there, in its folded form.
    Unit(String),
    /// Any word of a class or list.
    Class(String),
    /// A place for an argument, and the list that its words are limited to.
    Slot(String, Option<String>),
    /// One of several sequences; an empty one makes the part optional.
    OneOf(Vec<Vec<Part>>),
}

/// Why a pattern is none: a bracket is not closed or not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}`: a bracket is not closed or not opened")]
pub(crate) struct TemplateError(String);

/// Reads a pattern.
pub(crate) fn parse(pattern: &str) -> Result<Vec<Part>, TemplateError> {
    let mut reader = Reader { rest: pattern, pattern };
    let parts = reader.one_of()?;
    if reader.rest.is_empty() {
        Ok(parts)
    } else {
        Err(TemplateError(pattern.to_owned()))
    }
}

struct Reader<'a> {
    rest: &'a str,
    pattern: &'a str,
}

impl Reader<'_> {
    /// `a|b|c` up to a closing bracket or the end.
    fn one_of(&mut self) -> Result<Vec<Part>, TemplateError> {
        let mut choices = vec![self.sequence()?];
        while let Some(rest) = self.rest.strip_prefix('|') {
            self.rest = rest;
            choices.push(self.sequence()?);
        }
        Ok(match choices.len() {
            1 => choices.pop().unwrap_or_default(),
            _ => vec![Part::OneOf(choices)],
        })
    }

    fn sequence(&mut self) -> Result<Vec<Part>, TemplateError> {
        let mut parts = Vec::new();
        loop {
            match self.rest.chars().next() {
                None | Some('|' | ')' | ']') => return Ok(parts),
                Some('(') => parts.extend(self.bracket(')')?),
                Some('[') => {
                    let choices = match self.bracket(']')?.as_slice() {
                        [Part::OneOf(choices)] => [choices.as_slice(), &[Vec::new()]].concat(),
                        inner => vec![inner.to_vec(), Vec::new()],
                    };
                    parts.push(Part::OneOf(choices));
                }
                Some('{') => {
                    let named = self.named('}')?;
                    parts.push(match named.split_once(':') {
                        Some((name, list)) => Part::Slot(name.to_owned(), Some(list.to_owned())),
                        None => Part::Slot(named, None),
                    });
                }
                Some('<') => parts.push(Part::Class(self.named('>')?)),
                Some(_) => parts.extend(self.plain()),
            }
        }
    }

    fn bracket(&mut self, close: char) -> Result<Vec<Part>, TemplateError> {
        self.rest = self.rest.get(1..).unwrap_or_default();
        let inner = self.one_of()?;
        self.rest = self.rest.strip_prefix(close).ok_or_else(|| self.broken())?;
        Ok(inner)
    }

    fn plain(&mut self) -> Vec<Part> {
        let end = self
            .rest
            .find(['(', ')', '[', ']', '{', '<', '|'])
            .unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        units_of(text).into_iter().map(Part::Unit).collect()
    }

    fn named(&mut self, close: char) -> Result<String, TemplateError> {
        let end = self.rest.find(close).ok_or_else(|| self.broken())?;
        let name = self.rest.get(1..end).unwrap_or_default().to_owned();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Ok(name)
    }

    fn broken(&self) -> TemplateError {
        TemplateError(self.pattern.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(parts: &[Part]) -> String {
        let part = |part: &Part| match part {
            Part::Unit(unit) => unit.clone(),
            Part::Class(class) => format!("<{class}>"),
            Part::Slot(slot, None) => format!("{{{slot}}}"),
            Part::Slot(slot, Some(list)) => format!("{{{slot}:{list}}}"),
            Part::OneOf(choices) => {
                let choices: Vec<String> = choices.iter().map(|choice| written(choice)).collect();
                format!("({})", choices.join("|"))
            }
        };
        parts.iter().map(part).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_pattern_is_read_into_its_parts() {
        for (pattern, parts) in [
            ("(去|到){place}", "(去|到) {place}"),
            ("play [some] {song}", "play (some|) {song}"),
            ("<open> the [big|small] windows", "<open> the (big|small|) window"),
            ("from {theme:era}", "from {theme:era}"),
            ("a|b c", "(a|b c)"),
        ] {
            assert_eq!(written(&parse(pattern).unwrap()), parts, "{pattern}");
        }
    }

    #[test]
    fn a_broken_pattern_is_refused() {
        for pattern in ["(a", "a)", "[a", "{a", "(a|b]"] {
            assert!(parse(pattern).is_err(), "{pattern}");
        }
    }
}
