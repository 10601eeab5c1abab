//! Reading policies, and refusing those that make no sense.

use super::condition::{Comparison, Condition};
use super::facts::Facts;
use super::row::{Action, AddedCall, EachOpenWindow, Row};
use crate::vehicle::expand_pattern as expand;
use incar_core::{Bilingual, Seat};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Policies that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The file is no list of policies in TOML.
    #[error("the policies cannot be read: {0}")]
    Syntax(String),
    /// One policy is at fault.
    #[error("policy `{id}`: {problem}")]
    Row {
        /// Its id, or its place in the file (`#3`) where it has none.
        id: String,
        /// What is wrong.
        problem: RowProblem,
    },
}

/// What is wrong with a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// A field is missing, unknown or of the wrong type.
    #[error("{0}")]
    Schema(String),
    /// Another policy has its id.
    #[error("the id is used twice")]
    Twice,
    /// It needs something to say.
    #[error("a decision to {0} must say something in both languages")]
    Silent(&'static str),
    /// A condition is empty, or says several things at once.
    #[error("a condition is one of all, any, not, fact, or a signal or argument with one comparison")]
    Condition,
    /// There is no fact of that name.
    #[error("there is no fact `{0}`")]
    Fact(String),
    /// Calls stand with a decision other than amend, or are missing from it.
    #[error("calls belong to amend, and amend needs them")]
    Calls,
    /// Its amendments lead back to itself.
    #[error("its amendments go round in a circle: {0}")]
    Cycle(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    policy: Vec<toml::Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    tool: OneOrMore<String>,
    #[serde(default)]
    arguments: BTreeMap<String, OneOrMore<Value>>,
    #[serde(default)]
    seat: Vec<Seat>,
    when: Option<WrittenCondition>,
    decision: Decision,
    say: Option<Bilingual>,
    #[serde(default)]
    calls: Vec<WrittenCall>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Allow,
    Warn,
    Deny,
    Confirm,
    Amend,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    More(Vec<T>),
    One(T),
}

impl<T> OneOrMore<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            Self::More(values) => values,
            Self::One(value) => vec![value],
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct WrittenCondition {
    all: Option<Vec<WrittenCondition>>,
    any: Option<Vec<WrittenCondition>>,
    not: Option<Box<WrittenCondition>>,
    fact: Option<String>,
    signal: Option<String>,
    argument: Option<String>,
    above: Option<f64>,
    below: Option<f64>,
    is: Option<OneOrMore<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    when: Option<WrittenCondition>,
    each_open_window: Option<WrittenEach>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEach {
    argument: String,
    above: f64,
}

pub(super) fn rows(text: &str, facts: &Facts) -> Result<Vec<Row>, PolicyError> {
    let file: File = toml::from_str(text).map_err(|error| PolicyError::Syntax(error.to_string()))?;
    let mut rows: Vec<Row> = Vec::with_capacity(file.policy.len());
    for (index, table) in file.policy.into_iter().enumerate() {
        let named = table.get("id").and_then(toml::Value::as_str).map(str::to_owned);
        let id = named.unwrap_or_else(|| format!("#{}", index + 1));
        let fault = |problem| PolicyError::Row {
            id: id.clone(),
            problem,
        };
        let written: Written = table
            .try_into()
            .map_err(|error: toml::de::Error| fault(RowProblem::Schema(error.message().to_owned())))?;
        if rows.iter().any(|row| row.id == written.id) {
            return Err(fault(RowProblem::Twice));
        }
        rows.push(row(written, facts).map_err(fault)?);
    }
    refuse_cycles(&rows)?;
    Ok(rows)
}

fn row(written: Written, facts: &Facts) -> Result<Row, RowProblem> {
    if matches!(written.decision, Decision::Amend) == written.calls.is_empty() {
        return Err(RowProblem::Calls);
    }
    let say = |decision: &'static str| {
        let said = written
            .say
            .clone()
            .filter(|say| !say.zh.trim().is_empty() && !say.en.trim().is_empty());
        said.ok_or(RowProblem::Silent(decision))
    };
    let action = match written.decision {
        Decision::Allow => Action::Allow,
        Decision::Warn => Action::Warn(say("warn")?),
        Decision::Deny => Action::Deny(say("deny")?),
        Decision::Confirm => Action::Confirm(say("confirm")?),
        Decision::Amend => {
            let calls = written.calls.into_iter().map(|call| added(call, facts));
            Action::Amend(say("amend")?, calls.collect::<Result<_, _>>()?)
        }
    };
    let arguments = written.arguments.into_iter();
    Ok(Row {
        id: written.id,
        tools: written.tool.into_vec(),
        arguments: arguments
            .map(|(name, values)| (name, Comparison::OneOf(values.into_vec())))
            .collect(),
        seats: written.seat,
        when: optional(written.when, facts)?,
        action,
    })
}

fn added(call: WrittenCall, facts: &Facts) -> Result<AddedCall, RowProblem> {
    Ok(AddedCall {
        tool: call.tool,
        arguments: call.arguments,
        when: optional(call.when, facts)?,
        each_open_window: call.each_open_window.map(|each| EachOpenWindow {
            argument: each.argument,
            above: each.above,
        }),
    })
}

/// No condition always holds.
fn optional(written: Option<WrittenCondition>, facts: &Facts) -> Result<Condition, RowProblem> {
    written.map_or(Ok(Condition::All(Vec::new())), |written| condition(written, facts))
}

fn condition(written: WrittenCondition, facts: &Facts) -> Result<Condition, RowProblem> {
    let comparison = match (written.above, written.below, written.is) {
        (Some(bound), None, None) => Some(Comparison::Above(bound)),
        (None, Some(bound), None) => Some(Comparison::Below(bound)),
        (None, None, Some(values)) => Some(Comparison::OneOf(values.into_vec())),
        (None, None, None) => None,
        _ => return Err(RowProblem::Condition),
    };
    let each = |parts: Vec<WrittenCondition>| {
        let parts = parts.into_iter().map(|part| condition(part, facts));
        parts.collect::<Result<Vec<_>, _>>()
    };
    let joins = (written.all, written.any, written.not);
    let leaves = (written.fact, written.signal, written.argument);
    match (joins, leaves, comparison) {
        ((Some(parts), None, None), (None, None, None), None) => Ok(Condition::All(each(parts)?)),
        ((None, Some(parts), None), (None, None, None), None) => Ok(Condition::Any(each(parts)?)),
        ((None, None, Some(inner)), (None, None, None), None) => {
            Ok(Condition::Not(Box::new(condition(*inner, facts)?)))
        }
        ((None, None, None), (Some(name), None, None), None) => {
            if facts.has(&name) {
                Ok(Condition::Fact(name))
            } else {
                Err(RowProblem::Fact(name))
            }
        }
        ((None, None, None), (None, Some(pattern), None), Some(comparison)) => {
            Ok(Condition::Signal(expand(&pattern), comparison))
        }
        ((None, None, None), (None, None, Some(name)), Some(comparison)) => Ok(Condition::Argument(name, comparison)),
        _ => Err(RowProblem::Condition),
    }
}

/// Refuses amendments whose calls are amended in turn, back to where they began.
fn refuse_cycles(rows: &[Row]) -> Result<(), PolicyError> {
    for start in rows {
        let mut path = vec![start.id.as_str()];
        let mut seen = BTreeSet::new();
        if leads_back(rows, start, start, &mut path, &mut seen) {
            path.push(&start.id);
            return Err(PolicyError::Row {
                id: start.id.clone(),
                problem: RowProblem::Cycle(path.join(" → ")),
            });
        }
    }
    Ok(())
}

fn leads_back<'a>(
    rows: &'a [Row],
    from: &'a Row,
    start: &Row,
    path: &mut Vec<&'a str>,
    seen: &mut BTreeSet<&'a str>,
) -> bool {
    let Action::Amend(_, calls) = &from.action else {
        return false;
    };
    for call in calls {
        let arguments = Value::Object(call.arguments.clone());
        let amended = |row: &&Row| matches!(row.action, Action::Amend(..)) && row.fits(&call.tool, &arguments);
        for next in rows.iter().filter(amended) {
            if next.id == start.id {
                return true;
            }
            if seen.insert(&next.id) {
                path.push(&next.id);
                if leads_back(rows, next, start, path, seen) {
                    return true;
                }
                path.pop();
            }
        }
    }
    false
}
