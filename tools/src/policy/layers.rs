//! Files of policies, one laid over the other.

use super::Policies;
use super::cycle::refuse_cycles;
use super::facts::Facts;
use super::lint;
use super::read;
use super::row::Row;
use crate::toml_file::{Code, Diagnostics, Document, Entry, Faults, Item, Node, Place, Section, choice};
use incar_core::ToolRegistry;

/// Files of policies, one laid over the other: a maker's over those that ship with incar.
///
/// A file adds policies (`[[policy]]`), changes fields of those below it (`[[override]]` with the `id`), and takes some
/// of them away (`remove = [..]`).
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_tools::policy::{Facts, PolicyLayers};
/// use incar_tools::vehicle::SimulatedCar;
/// use std::sync::Arc;
///
/// let car = Arc::new(SimulatedCar::new(Arc::new(ManualClock::at(Timestamp::from_millis(0))))?);
/// let acme = r#"
/// remove = ["window-ac"]
///
/// [[override]]
/// id = "window-speed"
/// decision = "deny"
/// say = { zh = "车速太快，不能开窗。", en = "We are too fast to open a window." }
/// "#;
/// let policies = PolicyLayers::shipped().over("acme.toml", acme).load(Facts::of(car))?;
/// assert!(policies.ids().all(|id| id != "window-ac"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PolicyLayers(Vec<(String, String)>);

/// A policy as it was written.
struct Written {
    id: String,
    node: Node,
}

impl PolicyLayers {
    /// The policies that ship with incar.
    pub fn shipped() -> Self {
        Self::default().over("the shipped policies", include_str!("../../data/policies.toml"))
    }

    /// The same with those that ship for `set_signal`, which is off unless a host turns it on: while the car moves, a yes
    /// comes first.
    #[must_use]
    pub fn with_signals(self) -> Self {
        let text = include_str!("../../data/signal_policies.toml");
        self.over("the shipped policies of signals", text)
    }

    /// The same with `text` laid over them; `name` is the file's name in what is told of it.
    #[must_use]
    pub fn over(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.0.push((name.into(), text.into()));
        self
    }

    /// The policies, for the facts and the car given.
    ///
    /// # Errors
    /// Everything that is wrong, with its line.
    pub fn load(&self, facts: Facts) -> Result<Policies, Diagnostics> {
        let faults = Faults::default();
        let rows = self.rows(&facts, &faults);
        faults.into_result(Policies { rows, facts })
    }

    /// Everything that is wrong, and what a policy that loads would still never do: name a tool, an argument, a value or a
    /// signal that is not there, or come to be asked.
    pub fn lint(&self, facts: &Facts, tools: &ToolRegistry) -> Diagnostics {
        let faults = Faults::default();
        let rows = self.rows(facts, &faults);
        lint::rows(&rows, facts, tools, &faults);
        faults.into_diagnostics()
    }

    fn rows(&self, facts: &Facts, faults: &Faults) -> Vec<Row> {
        let mut written: Vec<Written> = Vec::new();
        for (name, text) in &self.0 {
            if let Some(document) = faults.take(Document::parse(name, text)) {
                lay(&document.root(faults), &mut written);
            }
        }
        let rows = written.iter().filter_map(|policy| {
            let key = format!("policy `{}`", policy.id);
            let section = Section::of(key, policy.node.place.clone(), policy.node.entries(), faults);
            read::row(section, facts)
        });
        let rows: Vec<Row> = rows.collect();
        refuse_cycles(&rows, faults);
        rows
    }
}

/// Lays one file over what is there.
fn lay(root: &Section<'_>, below: &mut Vec<Written>) {
    let ids = |below: &[Written]| below.iter().map(|policy| policy.id.clone()).collect::<Vec<_>>();
    let unknown = |below: &[Written], key: &str, id: &str, place: Place| {
        let known = ids(below);
        let fix = choice(id, known.iter().map(String::as_str));
        root.fault_at(
            place,
            key,
            Code::UnknownId,
            format!("there is no policy `{id}` below this file"),
            fix,
        );
    };
    for (id, place) in root.texts("remove").unwrap_or_default() {
        if below.iter().any(|policy| policy.id == id) {
            below.retain(|policy| policy.id != id);
        } else {
            unknown(below, "remove", &id, place);
        }
    }
    for section in root.sections("override") {
        let Some(id) = section.required_text("id", "id = \"the policy to change\"") else {
            continue;
        };
        match below.iter_mut().find(|policy| policy.id == id) {
            Some(policy) => policy.put(&section),
            None => unknown(below, "override", &id, section.place_of("id")),
        }
    }
    let own = below.len();
    for section in root.sections("policy") {
        let Some(id) = section.required_text("id", "id = \"a-name\"") else {
            continue;
        };
        match below.iter().position(|policy| policy.id == id) {
            Some(at) => {
                let fix = if at < own {
                    "write [[override]] to change it, or give this one another id"
                } else {
                    "give each an id of its own"
                };
                section.fault(
                    "id",
                    Code::DuplicateId,
                    format!("another policy has the id `{id}`"),
                    fix,
                );
            }
            None => below.push(Written::new(id, &section)),
        }
    }
    let mut keys = root.each();
    let known = ["remove", "override", "policy"];
    if let Some((key, place, _)) = keys.find(|(key, ..)| !known.contains(key)) {
        let fix = choice(key, known);
        root.fault_at(place.clone(), key, Code::UnknownKey, "there is no such key", fix);
    }
}

impl Written {
    fn new(id: String, section: &Section<'_>) -> Self {
        let entries = section.each().map(|(key, place, node)| Entry {
            key: key.to_owned(),
            place: place.clone(),
            node: node.clone(),
        });
        Self {
            id,
            node: Node::new(section.place().clone(), Item::Table(entries.collect())),
        }
    }

    /// Puts the fields of `section` in the place of its own.
    fn put(&mut self, section: &Section<'_>) {
        for (key, place, node) in section.each() {
            self.node.put(Entry {
                key: key.to_owned(),
                place: place.clone(),
                node: node.clone(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Policies;
    use super::*;
    use crate::car_control::testing::Bench;

    #[test]
    fn a_makers_file_adds_changes_and_removes() {
        let bench = Bench::new();
        let base = PolicyLayers::default().over(
            "base.toml",
            "[[policy]]\nid = \"a\"\ntool = \"set_volume\"\ndecision = \"warn\"\nsay = { zh = \"甲。\", en = \"A.\" }\n[[policy]]\nid = \"b\"\ntool = \"set_volume\"\ndecision = \"allow\"\n",
        );
        let load = |text: &str| base.clone().over("own.toml", text).load(Facts::of(bench.car.clone()));
        let ids = |policies: &Policies| policies.ids().map(str::to_owned).collect::<Vec<_>>();
        let policies = load(
            "remove = [\"b\"]\n[[override]]\nid = \"a\"\ndecision = \"deny\"\n[[policy]]\nid = \"c\"\ntool = \"set_volume\"\ndecision = \"allow\"\n",
        )
        .unwrap();
        assert_eq!(ids(&policies), ["a", "c"]);
        assert!(matches!(policies.rows[0].action, super::super::Action::Deny(_)));
        for (text, wanted) in [
            (
                "remove = [\"d\"]",
                "own.toml:1: remove: there is no policy `d` below this file; there is a, b",
            ),
            (
                "[[override]]\nid = \"aa\"\n",
                "own.toml:2: override: there is no policy `aa` below this file; did you mean `a`?",
            ),
            (
                "[[policy]]\nid = \"a\"\ntool = \"t\"\ndecision = \"allow\"\n",
                "own.toml:2: policy.id: another policy has the id `a`; write [[override]] to change it, or give this one another id",
            ),
            (
                "[[override]]\nid = \"a\"\nwhen = { fact = \"movin\" }\n",
                "own.toml:3: policy `a`.when.fact: there is no fact `movin`; did you mean `moving`?",
            ),
            (
                "[[polcy]]\nid = \"a\"\n",
                "own.toml:1: polcy: there is no such key; did you mean `policy`?",
            ),
        ] {
            assert_eq!(load(text).unwrap_err().to_string(), wanted, "{text}");
        }
    }
}
