//! Patterns of whole phrases: `(导航|开车)[去|到]{destination}`.

use crate::symbols::units_of;

/// One step of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// A unit of text that must stand there, in its folded form.
    Unit(String),
    /// Any word of a class.
    Class(String),
    /// A place for an argument.
    Slot(String),
}

/// Why a pattern is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TemplateError {
    #[error("`{0}`: a bracket is not closed or not opened")]
    Bracket(String),
    #[error("`{0}`: more than {MOST} wordings")]
    Many(String),
}

/// The most wordings one pattern may stand for.
const MOST: usize = 4096;

/// All wordings that a pattern stands for.
pub(crate) fn expand(pattern: &str) -> Result<Vec<Vec<Step>>, TemplateError> {
    let mut reader = Reader { rest: pattern, pattern };
    let wordings = reader.alternatives()?;
    if !reader.rest.is_empty() {
        return Err(TemplateError::Bracket(pattern.to_owned()));
    }
    Ok(wordings)
}

struct Reader<'a> {
    rest: &'a str,
    pattern: &'a str,
}

impl Reader<'_> {
    /// `a|b|c` up to a closing bracket or the end.
    fn alternatives(&mut self) -> Result<Vec<Vec<Step>>, TemplateError> {
        let mut all = self.sequence()?;
        while let Some(rest) = self.rest.strip_prefix('|') {
            self.rest = rest;
            all.extend(self.sequence()?);
            self.bounded(all.len())?;
        }
        Ok(all)
    }

    fn sequence(&mut self) -> Result<Vec<Vec<Step>>, TemplateError> {
        let mut wordings = vec![Vec::new()];
        loop {
            let parts = match self.rest.chars().next() {
                None | Some('|' | ')' | ']') => return Ok(wordings),
                Some('(') => {
                    self.rest = self.rest.get(1..).unwrap_or_default();
                    let parts = self.alternatives()?;
                    self.close(')')?;
                    parts
                }
                Some('[') => {
                    self.rest = self.rest.get(1..).unwrap_or_default();
                    let mut parts = self.alternatives()?;
                    self.close(']')?;
                    parts.push(Vec::new());
                    parts
                }
                Some('{') => vec![vec![Step::Slot(self.named('}')?)]],
                Some('<') => vec![vec![Step::Class(self.named('>')?)]],
                Some(_) => vec![self.plain()],
            };
            self.bounded(wordings.len() * parts.len())?;
            wordings = wordings
                .iter()
                .flat_map(|before| parts.iter().map(move |part| [before.as_slice(), part].concat()))
                .collect();
        }
    }

    fn plain(&mut self) -> Vec<Step> {
        let end = self
            .rest
            .find(['(', ')', '[', ']', '{', '<', '|'])
            .unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        units_of(text).into_iter().map(Step::Unit).collect()
    }

    fn named(&mut self, close: char) -> Result<String, TemplateError> {
        let end = self.rest.find(close).ok_or_else(|| self.broken())?;
        let name = self.rest.get(1..end).unwrap_or_default().to_owned();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Ok(name)
    }

    fn close(&mut self, bracket: char) -> Result<(), TemplateError> {
        self.rest = self.rest.strip_prefix(bracket).ok_or_else(|| self.broken())?;
        Ok(())
    }

    fn broken(&self) -> TemplateError {
        TemplateError::Bracket(self.pattern.to_owned())
    }

    fn bounded(&self, wordings: usize) -> Result<(), TemplateError> {
        if wordings > MOST {
            return Err(TemplateError::Many(self.pattern.to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pattern: &str) -> Vec<String> {
        let step = |step: &Step| match step {
            Step::Unit(unit) => unit.clone(),
            Step::Class(class) => format!("<{class}>"),
            Step::Slot(slot) => format!("{{{slot}}}"),
        };
        expand(pattern)
            .unwrap()
            .iter()
            .map(|wording| wording.iter().map(step).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn a_pattern_stands_for_all_its_wordings() {
        assert_eq!(written("(去|到){place}"), ["去 {place}", "到 {place}"]);
        assert_eq!(written("play [some] {song}"), ["play some {song}", "play {song}"]);
        assert_eq!(
            written("<open> the [big|small] windows"),
            ["<open> the big window", "<open> the small window", "<open> the window"]
        );
    }

    #[test]
    fn a_broken_pattern_is_refused() {
        for pattern in ["(a", "a)", "[a", "{a", "(a|b]"] {
            assert!(expand(pattern).is_err(), "{pattern}");
        }
    }
}
