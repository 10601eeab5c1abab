//! Conditions: facts and comparisons, joined by all, any and not.

use super::facts::Facts;
use super::row::Name;
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
    /// A fact that code computes.
    Fact(Name),
    /// One of these signals is such.
    Signal(Vec<Name>, Comparison),
    /// The argument is there and such.
    Argument(Name, Comparison),
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

    /// Whether whatever is `other` is such too.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Above(wide), Self::Above(narrow)) => wide <= narrow,
            (Self::Below(wide), Self::Below(narrow)) => wide >= narrow,
            (_, Self::OneOf(values)) => values.iter().all(|value| self.holds(value) == Some(true)),
            _ => false,
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
    /// The condition that always holds.
    pub(super) fn always() -> Self {
        Self::All(Vec::new())
    }

    /// Whether it holds whatever the state.
    pub(super) fn is_always(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::is_always),
            Self::Any(parts) => parts.iter().any(Self::is_always),
            Self::Not(inner) => inner.is_never(),
            Self::Fact(_) | Self::Signal(..) | Self::Argument(..) => false,
        }
    }

    /// Whether it holds in no state.
    pub(super) fn is_never(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().any(Self::is_never),
            Self::Any(parts) => parts.iter().all(Self::is_never),
            Self::Not(inner) => inner.is_always(),
            Self::Fact(_) | Self::Signal(..) | Self::Argument(..) => false,
        }
    }

    /// Whether it is written like `other`.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        let each = |own: &[Self], others: &[Self]| {
            own.len() == others.len() && own.iter().zip(others).all(|(own, other)| own.same_as(other))
        };
        match (self, other) {
            (Self::All(own), Self::All(others)) | (Self::Any(own), Self::Any(others)) => each(own, others),
            (Self::Not(own), Self::Not(other)) => own.same_as(other),
            (Self::Fact(own), Self::Fact(other)) => own.text == other.text,
            (Self::Signal(own, comparison), Self::Signal(others, compared)) => {
                let texts = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
                texts(own) == texts(others) && comparison == compared
            }
            (Self::Argument(own, comparison), Self::Argument(other, compared)) => {
                own.text == other.text && comparison == compared
            }
            _ => false,
        }
    }

    /// Shows each of its leaves to `look`.
    pub(super) fn each_leaf<'a>(&'a self, look: &mut dyn FnMut(&'a Self)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.each_leaf(look)),
            Self::Not(inner) => inner.each_leaf(look),
            Self::Fact(_) | Self::Signal(..) | Self::Argument(..) => look(self),
        }
    }

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
            Self::Fact(name) => facts.judge(&name.text, call).into(),
            Self::Signal(names, comparison) => {
                let each = names.iter().map(|name| {
                    let value = facts.signal(&name.text);
                    value.and_then(|value| comparison.holds(&value)).into()
                });
                join(each, Truth::Yes, Truth::No)
            }
            Self::Argument(name, comparison) => match call.arguments.get(&name.text) {
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
