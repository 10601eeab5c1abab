//! Reading one policy.

use super::condition::{Comparison, Condition};
use super::facts::Facts;
use super::row::{Action, AddedCall, EachOpenWindow, Name, Row, Scope};
use crate::toml_file::{Code, Item, Node, Place, Section, choice};
use crate::vehicle::expand_pattern as expand;
use incar_core::{Bilingual, Seat};
use serde_json::Map;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Allow,
    Warn,
    Deny,
    Confirm,
    Amend,
}

const DECISIONS: [(&str, Decision); 5] = [
    ("allow", Decision::Allow),
    ("warn", Decision::Warn),
    ("deny", Decision::Deny),
    ("confirm", Decision::Confirm),
    ("amend", Decision::Amend),
];

/// How a condition is written.
const CONDITION: &str = "write one of { fact = \"..\" }, { signal = \"..\", above = 1 }, { argument = \"..\", is = \"..\" }, { all = [..] }, { any = [..] }, { not = {..} }; a comparison is one of above, below, is";

/// How words are written.
const SAY: &str = "say = { zh = \"..\", en = \"..\" }";

/// Tells that `name` is no seat, and which are.
pub(super) fn no_seat<'a>(section: &Section<'_>, name: &str, place: Place, known: impl IntoIterator<Item = &'a str>) {
    let message = format!("there is no seat `{name}`");
    section.fault_at(place, "seat", Code::UnknownValue, message, choice(name, known));
}

pub(super) fn row(section: Section<'_>, facts: &Facts) -> Option<Row> {
    let id = section.text("id");
    let scope = scope(&section);
    let seats = section.texts("seat").unwrap_or_default().into_iter();
    let seats: Vec<Seat> = seats
        .filter_map(|(name, place)| {
            let seat = Seat::from_name(&name);
            if seat.is_none() {
                no_seat(&section, &name, place, Seat::ALL.map(Seat::as_str));
            }
            seat
        })
        .collect();
    let when = when(&section, facts);
    if !section.has("decision") {
        section.missing("decision", "decision = \"deny\"");
    }
    let decision = section.one_of("decision", &DECISIONS);
    let said = say(&section);
    let calls: Vec<AddedCall> = section
        .sections("calls")
        .into_iter()
        .filter_map(|call| added(call, facts))
        .collect();
    let action = action(&section, decision, said, calls);
    let place = section.place_of("id");
    section.finish();
    Some(Row {
        id: id?,
        place,
        scope: scope?,
        seats,
        when: when?,
        action: action?,
    })
}

fn action(
    section: &Section<'_>,
    decision: Option<Decision>,
    said: Option<Bilingual>,
    calls: Vec<AddedCall>,
) -> Option<Action> {
    let decision = decision?;
    match (decision, calls.is_empty(), section.has("calls")) {
        (Decision::Amend, true, false) => section.missing("calls", "calls = [{ tool = \"..\", arguments = {..} }]"),
        (Decision::Amend, ..) | (_, true, _) => {}
        (_, false, _) => {
            let fix = "write decision = \"amend\", or leave the calls out";
            section.fault("calls", Code::Conflict, "only an amendment has calls", fix);
        }
    }
    if decision != Decision::Allow && !section.has("say") {
        section.missing("say", SAY);
    }
    Some(match decision {
        Decision::Allow => Action::Allow,
        Decision::Warn => Action::Warn(said?),
        Decision::Deny => Action::Deny(said?),
        Decision::Confirm => Action::Confirm(said?),
        Decision::Amend => Action::Amend(said?, calls),
    })
}

/// What is said, in both languages.
pub(super) fn say(section: &Section<'_>) -> Option<Bilingual> {
    let said = section.section("say")?;
    let zh = said.required_text("zh", SAY);
    let en = said.required_text("en", SAY);
    said.finish();
    Some(Bilingual::new(zh?, en?))
}

/// The calls that `tool` and `arguments` of a section are about.
pub(super) fn scope(section: &Section<'_>) -> Option<Scope> {
    let tools = section.texts("tool").unwrap_or_default().into_iter();
    let tools: Vec<Name> = tools.map(|(text, place)| Name { text, place }).collect();
    if !section.has("tool") {
        section.missing("tool", "tool = \"control_door\"");
    }
    let arguments = section.section("arguments").map_or_else(Vec::new, |arguments| {
        let each = arguments.each();
        each.map(|(key, place, node)| {
            let name = Name {
                text: key.to_owned(),
                place: place.clone(),
            };
            (name, one_of(node))
        })
        .collect()
    });
    (!tools.is_empty()).then_some(Scope { tools, arguments })
}

fn one_of(node: &Node) -> Comparison {
    Comparison::OneOf(match node.item() {
        Item::List(nodes) => nodes.iter().map(Node::to_json).collect(),
        _ => vec![node.to_json()],
    })
}

fn added(section: Section<'_>, facts: &Facts) -> Option<AddedCall> {
    let tool = section
        .required_text("tool", "tool = \"set_fan_speed\"")
        .map(|text| Name {
            text,
            place: section.place_of("tool"),
        });
    let arguments = section.section("arguments").map_or_else(Map::new, |arguments| {
        let each = arguments.each();
        each.map(|(key, _, node)| (key.to_owned(), node.to_json())).collect()
    });
    let when = when(&section, facts);
    let each_open_window = section.section("each_open_window").and_then(|each| {
        let argument = each.required_text("argument", "argument = \"window\"");
        if !each.has("above") {
            each.missing("above", "above = 20");
        }
        let above = each.number("above", 0.0..=100.0);
        each.finish();
        Some(EachOpenWindow {
            argument: argument?,
            above: above?,
        })
    });
    section.finish();
    Some(AddedCall {
        tool: tool?,
        arguments,
        when: when?,
        each_open_window,
    })
}

/// The condition of a section; one that is not there always holds.
pub(super) fn when(section: &Section<'_>, facts: &Facts) -> Option<Condition> {
    match section.node("when") {
        None => Some(Condition::always()),
        Some(_) => condition(section.section("when")?, facts),
    }
}

fn condition(section: Section<'_>, facts: &Facts) -> Option<Condition> {
    let name = |key: &'static str| {
        section.text(key).map(|text| Name {
            text,
            place: section.place_of(key),
        })
    };
    let comparison = comparison(&section);
    let parts = |key: &'static str| {
        let parts = section.sections(key).into_iter().map(|part| condition(part, facts));
        parts.collect::<Option<Vec<_>>>()
    };
    let forms: Vec<&str> = ["all", "any", "not", "fact", "signal", "argument"]
        .into_iter()
        .filter(|form| section.has(form))
        .collect();
    let read = match (forms.as_slice(), comparison) {
        (["all"], None) => parts("all").map(Condition::All),
        (["any"], None) => parts("any").map(Condition::Any),
        (["not"], None) => {
            let inner = section.section("not").and_then(|inner| condition(inner, facts));
            inner.map(|inner| Condition::Not(Box::new(inner)))
        }
        (["fact"], None) => name("fact").and_then(|fact| known(&section, fact, facts)),
        (["signal"], Some(comparison)) => name("signal").map(|signal| {
            let names = expand(&signal.text).into_iter();
            let names = names.map(|text| Name {
                text,
                place: signal.place.clone(),
            });
            Condition::Signal(names.collect(), comparison)
        }),
        (["argument"], Some(comparison)) => name("argument").map(|name| Condition::Argument(name, comparison)),
        _ => {
            section.fault("", Code::Conflict, "it is no condition, or several at once", CONDITION);
            None
        }
    };
    section.finish();
    read
}

fn comparison(section: &Section<'_>) -> Option<Comparison> {
    let above = section.number("above", f64::MIN..=f64::MAX);
    let below = section.number("below", f64::MIN..=f64::MAX);
    let is = section.node("is").map(one_of);
    match (above, below, is) {
        (Some(bound), None, None) => Some(Comparison::Above(bound)),
        (None, Some(bound), None) => Some(Comparison::Below(bound)),
        (None, None, is) => is,
        _ => {
            section.fault("", Code::Conflict, "it compares in several ways at once", CONDITION);
            None
        }
    }
}

fn known(section: &Section<'_>, fact: Name, facts: &Facts) -> Option<Condition> {
    if facts.has(&fact.text) {
        return Some(Condition::Fact(fact));
    }
    let fix = choice(&fact.text, facts.names());
    section.fault(
        "fact",
        Code::UnknownFact,
        format!("there is no fact `{}`", fact.text),
        fix,
    );
    None
}
