//! What may be done, and when: policies as data.
//!
//! A policy names a tool, arguments, a condition on the state of the car, and a decision. [`Policies`] reads them from
//! TOML and is the [`PolicyGate`] of an assistant. There is no expression language: a condition is a named fact that
//! code computes, a comparison of a signal or an argument, or `all` / `any` / `not` of those.
//!
//! A signal or fact that is not known counts as the unsafe value: what would restrict a call does so, what would allow
//! it does not. Signals are judged by where they are going, not where they are.
//!
//! What a policy or a permission says of a tool of the car holds for `set_signal` too, which sets a signal directly
//! ([`generic_signals`](crate::generic_signals)): the call is judged as what it is, and as the calls that it comes to.

mod condition;
mod cycle;
mod facts;
mod layers;
mod lint;
mod permission;
mod read;
mod row;
mod shadow;
mod signal;
#[cfg(test)]
mod tests;

pub use facts::{Fact, Facts};
pub use layers::PolicyLayers;
pub use permission::{Permissions, Permitted};

use crate::toml_file::Diagnostics;
use condition::Truth;
use incar_core::{PolicyDecision, PolicyGate, PolicyQuery, QueryStage, ToolCall};
use row::{Action, AddedCall, Row};
use serde_json::{Map, Value};

/// Policies in order, ready to decide.
///
/// Where several concern a call, the first `allow` settles it; else all of them decide, the strictest first: deny, confirm,
/// amend, warn, and of equals the one that stands first.
#[derive(Debug)]
pub struct Policies {
    rows: Vec<Row>,
    facts: Facts,
}

impl Policies {
    /// The policies that ship with incar, for the facts and the car given.
    ///
    /// # Errors
    /// Where they name a fact that is not there; with [`Facts::of`] none is.
    pub fn shipped(facts: Facts) -> Result<Self, Diagnostics> {
        PolicyLayers::shipped().load(facts)
    }

    /// A whole set of policies, without those that ship; [`PolicyLayers`] lays a file over those. The head of the shipped
    /// file says how policies are written.
    ///
    /// # Errors
    /// Everything that is wrong, with its line; a cycle of amendments is refused.
    pub fn from_toml(text: &str, facts: Facts) -> Result<Self, Diagnostics> {
        PolicyLayers::default().over("policies.toml", text).load(facts)
    }

    /// The ids of the policies, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.id.as_str())
    }

    fn decision(&self, id: &str, action: &Action, call: &PolicyQuery<'_>) -> Option<(u8, PolicyDecision)> {
        let policy = id.to_owned();
        let spoken = |say: &incar_core::Bilingual| fill(say.get(call.lang), call.arguments);
        Some(match action {
            Action::Allow => return None,
            Action::Deny(say) => (
                0,
                PolicyDecision::Deny {
                    policy,
                    reason: spoken(say),
                },
            ),
            Action::Confirm(say) => (
                1,
                PolicyDecision::Confirm {
                    policy,
                    question: spoken(say),
                },
            ),
            Action::Amend(say, added) => {
                let calls: Vec<ToolCall> = added.iter().flat_map(|added| self.added(added, call)).collect();
                if calls.is_empty() {
                    return None;
                }
                (
                    2,
                    PolicyDecision::Amend {
                        policy,
                        calls,
                        say: spoken(say),
                    },
                )
            }
            Action::Warn(say) => (
                3,
                PolicyDecision::Warn {
                    policy,
                    say: spoken(say),
                },
            ),
        })
    }

    /// The calls that one line of an amendment makes: one, or one for each place where a part is past its bound.
    fn added(&self, added: &AddedCall, call: &PolicyQuery<'_>) -> Vec<ToolCall> {
        if added.when.judge(&self.facts, call) == Truth::No {
            return Vec::new();
        }
        let with = |extra: Option<(&str, Value)>| {
            let mut arguments: Map<String, Value> = added.arguments.clone();
            arguments.extend(extra.map(|(name, value)| (name.to_owned(), value)));
            ToolCall::new("", added.tool.text.as_str(), Value::Object(arguments).to_string())
        };
        match &added.each_open_window {
            None => vec![with(None)],
            Some(each) => self
                .facts
                .windows_above(each.above)
                .into_iter()
                .map(|place| with(Some((each.argument.as_str(), place))))
                .collect(),
        }
    }
}

impl PolicyGate for Policies {
    /// Every decision about `call`, the strictest first; none where no policy concerns it.
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        let deeds = signal::deeds_of(call, &self.facts);
        let others = signal::queries(call, &deeds);
        let mut decisions: Vec<(u8, PolicyDecision)> = Vec::new();
        for row in &self.rows {
            let truth = |call: &PolicyQuery<'_>| {
                if row.concerns(call) {
                    row.when.judge(&self.facts, call)
                } else {
                    Truth::No
                }
            };
            let surely = |call: &PolicyQuery<'_>| truth(call) == Truth::Yes;
            if let Action::Allow = row.action {
                // One of several calls that it may be does not settle the others.
                if surely(call) || !others.is_empty() && others.iter().all(surely) {
                    return vec![PolicyDecision::Allow { policy: row.id.clone() }];
                }
                continue;
            }
            let mut calls = std::iter::once(call).chain(&others);
            decisions.extend(calls.find_map(|call| match (truth(call), call.stage) {
                (Truth::No, _) | (Truth::Unknown, QueryStage::Question) => None,
                (Truth::Yes, _) | (Truth::Unknown, QueryStage::Call) => self.decision(&row.id, &row.action, call),
            }));
        }
        decisions.sort_by_key(|(rank, _)| *rank);
        decisions.into_iter().map(|(_, decision)| decision).collect()
    }
}

/// Puts arguments into a sentence: `{text}` is the argument `text`.
fn fill(sentence: &str, arguments: &Value) -> String {
    let mut filled = sentence.to_owned();
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let place = format!("{{{name}}}");
        if filled.contains(&place) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            filled = filled.replace(&place, &text);
        }
    }
    filled
}
