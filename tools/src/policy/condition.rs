//! Conditions: facts and comparisons, joined by all, any and not.

use super::facts::Facts;
use incar_core::PolicyQuery;
use serde_json::Value;

/// What is known of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    /// A signal or fact that it needs is not known.
    Unknown,
}

impl From<Option<bool>> for Truth {
    fn from(known: Option<bool>) -> Self {
        match known {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::Unknown,
        }
    }
}

/// A condition on the call and the state of the car.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// A fact that code computes, by name.
    Fact(String),
    /// One of these signals is such.
    Signal(Vec<String>, Comparison),
    /// The argument is there and such.
    Argument(String, Comparison),
}

/// What a value is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Comparison {
    Above(f64),
    Below(f64),
    OneOf(Vec<Value>),
}

impl Comparison {
    /// `None` where the value cannot be compared so.
    pub(super) fn holds(&self, value: &Value) -> Option<bool> {
        match self {
            Self::Above(bound) => value.as_f64().map(|number| number > *bound),
            Self::Below(bound) => value.as_f64().map(|number| number < *bound),
            Self::OneOf(values) => Some(values.iter().any(|other| same(other, value))),
        }
    }
}

/// Equal as JSON, numbers by their value.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

impl Condition {
    /// Whether it holds for `call` now.
    pub(super) fn judge(&self, facts: &Facts, call: &PolicyQuery<'_>) -> Truth {
        match self {
            Self::All(parts) => join(parts.iter().map(|part| part.judge(facts, call)), Truth::No, Truth::Yes),
            Self::Any(parts) => join(parts.iter().map(|part| part.judge(facts, call)), Truth::Yes, Truth::No),
            Self::Not(inner) => match inner.judge(facts, call) {
                Truth::Yes => Truth::No,
                Truth::No => Truth::Yes,
                Truth::Unknown => Truth::Unknown,
            },
            Self::Fact(name) => facts.judge(name, call).into(),
            Self::Signal(names, comparison) => {
                let each = names.iter().map(|name| {
                    let value = facts.signal(name);
                    value.and_then(|value| comparison.holds(&value)).into()
                });
                join(each, Truth::Yes, Truth::No)
            }
            Self::Argument(name, comparison) => match call.arguments.get(name) {
                Some(value) if !value.is_null() => comparison.holds(value).into(),
                _ => Truth::No,
            },
        }
    }
}

/// `settles` if any part is that, else unknown if any part is, else `rest`.
fn join(parts: impl Iterator<Item = Truth>, settles: Truth, rest: Truth) -> Truth {
    let mut result = rest;
    for part in parts {
        if part == settles {
            return settles;
        }
        if part == Truth::Unknown {
            result = Truth::Unknown;
        }
    }
    result
}
