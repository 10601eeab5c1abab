//! Who may do what: permissions by seat, person and role, as data, asked before every policy.

use super::condition::{Condition, Truth};
use super::facts::Facts;
use super::lint::Linter;
use super::read;
use super::row::{Name, Scope};
use super::signal;
use crate::toml_file::{Code, Diagnostic, Diagnostics, Document, Faults, Item, Node, Place, Section};
use incar_core::{Bilingual, Effect, PolicyDecision, PolicyGate, PolicyQuery, QueryStage, Seat, Speaker, ToolRegistry};
use std::sync::Arc;

/// The decision's id where a speaker's role is in no permission.
const UNKNOWN_ROLE: &str = "unknown-role";

/// Who may do what. The file's format is in `docs/policies.md`.
///
/// A speaker whose role ([`Speaker::with_role`]) no permission names may only look: least privilege for callers that the
/// maker did not think of. Without a role the seat and the person count, and what is not denied is allowed.
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_tools::policy::{Facts, Permissions};
/// use incar_tools::vehicle::SimulatedCar;
/// use std::sync::Arc;
///
/// let car = Arc::new(SimulatedCar::new(Arc::new(ManualClock::at(Timestamp::from_millis(0))))?);
/// let file = r#"
/// [[permission]]
/// id = "rear-doors"
/// seat = "rear"
/// deny = ["control_door", "set_drive_mode"]
/// "#;
/// let permissions = Permissions::from_toml("permissions.toml", file, Facts::of(car))?;
/// assert_eq!(permissions.ids().collect::<Vec<_>>(), ["rear-doors"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Permissions {
    rules: Vec<Rule>,
    roles: Vec<Role>,
    facts: Facts,
}

/// One permission.
#[derive(Debug)]
struct Rule {
    id: String,
    place: Place,
    who: Who,
    when: Condition,
    denied: Vec<Calls>,
    /// What alone is allowed, where the rule says so.
    allowed: Option<Vec<Calls>>,
    say: Option<Bilingual>,
}

/// Whom a permission is about: all that is given must be so.
#[derive(Debug, Default)]
struct Who {
    seats: Vec<Seat>,
    persons: Vec<String>,
    role: Option<Name>,
}

/// Who counts as something: from one of these seats, or one of these persons.
#[derive(Debug)]
struct Role {
    name: String,
    seats: Vec<Seat>,
    persons: Vec<String>,
}

/// Some calls.
#[derive(Debug)]
enum Calls {
    /// Of tools, by their arguments.
    Of(Scope),
    /// Whatever does this to the world.
    Doing(Effect),
}

const EFFECTS: [(&str, Effect); 3] = [("read", Effect::Read), ("set", Effect::Set), ("act", Effect::Act)];

/// Who sits anywhere, and who is outside.
const EVERYWHERE: [Seat; 6] = [
    Seat::Driver,
    Seat::Passenger,
    Seat::RearLeft,
    Seat::RearRight,
    Seat::ThirdRow,
    Seat::Outside,
];

/// Seats that have a name together.
const GROUPS: [(&str, &[Seat]); 3] = [
    ("front", &[Seat::Driver, Seat::Passenger]),
    ("rear", &[Seat::RearLeft, Seat::RearRight, Seat::ThirdRow]),
    ("all", &EVERYWHERE),
];

impl Permissions {
    /// No permissions: every seat may do everything, and a role nothing but look.
    pub fn none(facts: Facts) -> Self {
        Self {
            rules: Vec::new(),
            roles: Vec::new(),
            facts,
        }
    }

    /// Reads permissions; `name` is the file's name in what is told of it.
    ///
    /// # Errors
    /// Everything that is wrong, with its line.
    pub fn from_toml(name: &str, text: &str, facts: Facts) -> Result<Self, Diagnostics> {
        let document = Document::parse(name, text)?;
        let faults = Faults::default();
        let root = document.root(&faults);
        let roles: Vec<Role> = root.sections("role").into_iter().filter_map(role).collect();
        let mut rules: Vec<Rule> = Vec::new();
        for section in root.sections("permission") {
            let place = section.place_of("id");
            if let Some(rule) = rule(section, &facts) {
                if rules.iter().any(|other| other.id == rule.id) {
                    let message = format!("another permission has the id `{}`", rule.id);
                    let fix = "give each an id of its own";
                    faults.push(Diagnostic::new(place, "permission.id", Code::DuplicateId, message, fix));
                }
                rules.push(rule);
            }
        }
        root.finish();
        faults.into_result(Self { rules, roles, facts })
    }

    /// What they name that is not there: tools, arguments, values, signals.
    pub fn lint(&self, tools: &ToolRegistry) -> Diagnostics {
        let faults = Faults::default();
        for rule in &self.rules {
            let linter = Linter {
                key: format!("permission `{}`", rule.id),
                vehicle: self.facts.vehicle(),
                tools,
                faults: &faults,
            };
            let mut specs = Vec::new();
            for calls in rule.denied.iter().chain(rule.allowed.iter().flatten()) {
                if let Calls::Of(scope) = calls {
                    specs.extend(linter.scope(scope));
                }
            }
            linter.condition(&rule.when, &specs);
            if let Some(say) = &rule.say {
                linter.say(say, &rule.place, &specs);
            }
        }
        faults.into_diagnostics()
    }

    /// The ids of the permissions, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.id.as_str())
    }

    /// These permissions, and `policies` for what they let through.
    pub fn before(self, policies: Arc<dyn PolicyGate>) -> Permitted {
        Permitted {
            permissions: self,
            policies,
        }
    }

    /// Whether the speaker counts as that role.
    fn counts_as(&self, speaker: &Speaker, role: &str) -> bool {
        let here = |known: &Role| sits_on(&known.seats, speaker) || is_one_of(&known.persons, speaker);
        speaker.role.as_deref() == Some(role) || self.roles.iter().any(|known| known.name == role && here(known))
    }

    fn concerns(&self, rule: &Rule, call: &PolicyQuery<'_>) -> bool {
        let (who, speaker) = (&rule.who, call.speaker);
        let seated = who.seats.is_empty() || sits_on(&who.seats, speaker);
        seated
            && (who.persons.is_empty() || is_one_of(&who.persons, speaker))
            && who.role.as_ref().is_none_or(|role| self.counts_as(speaker, &role.text))
    }

    /// The permissions that have a say in the call, and what is known of when they have.
    fn asked(&self, call: &PolicyQuery<'_>) -> impl Iterator<Item = (&Rule, Truth)> {
        let concerned = self.rules.iter().filter(|rule| self.concerns(rule, call));
        let judged = concerned.map(|rule| (rule, rule.when.judge(&self.facts, call)));
        judged.filter(|(_, truth)| *truth != Truth::No && (*truth == Truth::Yes || call.stage == QueryStage::Call))
    }

    /// The permission that names the call among those that it denies.
    fn denial(&self, call: &PolicyQuery<'_>) -> Option<PolicyDecision> {
        let (rule, _) = self.asked(call).find(|(rule, _)| have(&rule.denied, call))?;
        Some(denied(&rule.id, rule.say.as_ref(), call))
    }

    /// The permission that refuses the call, if one does.
    fn refusal(&self, call: &PolicyQuery<'_>) -> Option<PolicyDecision> {
        if let Some(role) = &call.speaker.role {
            let named = |rule: &Rule| rule.who.role.as_ref().is_some_and(|named| named.text == **role);
            if call.tool.effect != Effect::Read && !self.rules.iter().any(named) {
                return Some(denied(UNKNOWN_ROLE, None, call));
            }
        }
        let deeds = signal::deeds_of(call, &self.facts);
        let others = signal::queries(call, &deeds);
        if let Some(denial) = std::iter::once(call).chain(&others).find_map(|call| self.denial(call)) {
            return Some(denial);
        }
        let rules: Vec<(&Rule, Truth)> = self.asked(call).collect();
        let mut lists = rules.iter().filter_map(|(rule, truth)| {
            let allowed = rule.allowed.as_deref()?;
            // What would allow counts only where it surely holds.
            Some((*rule, *truth == Truth::Yes && have(allowed, call)))
        });
        let (first, allowed) = lists.next()?;
        let allowed = if is_outside(call.speaker) {
            allowed && lists.all(|(_, allowed)| allowed)
        } else {
            allowed || lists.any(|(_, allowed)| allowed)
        };
        // Before an argument is asked for, a call that some of its arguments would allow is not refused yet.
        let open = call.stage == QueryStage::Question && rules.iter().any(|(rule, _)| rule.may_allow(call));
        (!allowed && !open).then(|| denied(&first.id, first.say.as_ref(), call))
    }
}

impl Rule {
    /// Whether the tool is on its list of what is allowed, with whatever arguments.
    fn may_allow(&self, call: &PolicyQuery<'_>) -> bool {
        self.allowed.iter().flatten().any(|calls| match calls {
            Calls::Of(scope) => scope.tools.iter().any(|tool| tool.text == call.tool.name),
            Calls::Doing(effect) => *effect == call.tool.effect,
        })
    }
}

/// Whether the call is one of these.
fn have(calls: &[Calls], call: &PolicyQuery<'_>) -> bool {
    calls.iter().any(|calls| calls.has(call))
}

impl Calls {
    fn has(&self, call: &PolicyQuery<'_>) -> bool {
        match self {
            Self::Of(scope) => scope.fits(&call.tool.name, call.arguments),
            Self::Doing(effect) => *effect == call.tool.effect,
        }
    }
}

/// Whether a speaker is on one of these seats. One with a role of the host's making sits nowhere. Who is not in
/// the car counts for every seat: what is denied to any is denied to them, and they may do only what all may.
fn sits_on(seats: &[Seat], speaker: &Speaker) -> bool {
    speaker.role.is_none() && (seats.contains(&speaker.seat) || is_outside(speaker) && !seats.is_empty())
}

fn is_outside(speaker: &Speaker) -> bool {
    speaker.role.is_none() && speaker.seat == Seat::Outside
}

fn is_one_of(persons: &[String], speaker: &Speaker) -> bool {
    let person = speaker.person.as_deref();
    person.is_some_and(|person| persons.iter().any(|known| known == person))
}

fn denied(id: &str, say: Option<&Bilingual>, call: &PolicyQuery<'_>) -> PolicyDecision {
    let reason = match say {
        Some(say) => super::fill(say.get(call.lang), call.arguments),
        None => call
            .lang
            .pick("这个座位没有这个权限。", "That is not allowed from this seat.")
            .to_owned(),
    };
    PolicyDecision::Deny {
        policy: id.to_owned(),
        reason,
    }
}

impl PolicyGate for Permissions {
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        self.refusal(call).into_iter().collect()
    }
}

/// Permissions first, policies for what those let through: no policy allows what a permission denies.
#[derive(Debug)]
pub struct Permitted {
    permissions: Permissions,
    policies: Arc<dyn PolicyGate>,
}

impl PolicyGate for Permitted {
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        match self.permissions.refusal(call) {
            Some(refusal) => vec![refusal],
            None => self.policies.decide(call),
        }
    }
}

fn role(section: Section<'_>) -> Option<Role> {
    let name = section.required_text("name", "name = \"child\"");
    let (seats, persons) = (seats(&section), persons(&section));
    if !section.has("seat") && !section.has("person") {
        section.missing("seat", "seat = [\"rear_left\"]");
    }
    section.finish();
    Some(Role {
        name: name?,
        seats,
        persons,
    })
}

fn rule(section: Section<'_>, facts: &Facts) -> Option<Rule> {
    let id = section.required_text("id", "id = \"a-name\"");
    let place = section.place_of("id");
    let role = section.text("role").map(|text| Name {
        text,
        place: section.place_of("role"),
    });
    let who = Who {
        seats: seats(&section),
        persons: persons(&section),
        role,
    };
    if !["seat", "person", "role"].iter().any(|key| section.has(key)) {
        section.missing("seat", "seat = \"rear\", person = \"..\" or role = \"..\"");
    }
    let when = read::when(&section, facts);
    let (denied, allowed) = (calls(&section, "deny"), calls(&section, "allow"));
    if !section.has("deny") && !section.has("allow") {
        section.missing("deny", "deny = [\"control_door\"]");
    }
    let say = read::say(&section);
    section.finish();
    Some(Rule {
        id: id?,
        place,
        who,
        when: when?,
        denied: denied.unwrap_or_default(),
        allowed,
        say,
    })
}

fn persons(section: &Section<'_>) -> Vec<String> {
    let persons = section.texts("person").unwrap_or_default();
    persons.into_iter().map(|(person, _)| person).collect()
}

fn seats(section: &Section<'_>) -> Vec<Seat> {
    let mut seats = Vec::new();
    for (name, place) in section.texts("seat").unwrap_or_default() {
        let group = GROUPS.iter().find(|(group, _)| *group == name);
        match (group, Seat::from_name(&name)) {
            (Some((_, group)), _) => seats.extend_from_slice(group),
            (None, Some(seat)) => seats.push(seat),
            (None, None) => {
                let groups = GROUPS.iter().map(|(group, _)| *group);
                read::no_seat(section, &name, place, groups.chain(EVERYWHERE.map(Seat::as_str)));
            }
        }
    }
    seats
}

/// A list of calls: tools' names, `{ tool, arguments }`, or `{ effect }`.
fn calls(section: &Section<'_>, key: &'static str) -> Option<Vec<Calls>> {
    let node = section.node(key)?;
    let nodes = match node.item() {
        Item::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    Some(nodes.iter().filter_map(|node| one(section, key, node)).collect())
}

fn one(section: &Section<'_>, key: &str, node: &Node) -> Option<Calls> {
    if let Item::Text(text) = node.item() {
        let name = Name {
            text: text.clone(),
            place: node.place.clone(),
        };
        return Some(Calls::Of(Scope {
            tools: vec![name],
            arguments: Vec::new(),
        }));
    }
    let table = section.table(key, node)?;
    let calls = if table.has("effect") {
        table.one_of("effect", &EFFECTS).map(Calls::Doing)
    } else {
        read::scope(&table).map(Calls::Of)
    };
    table.finish();
    calls
}
