//! What of a car's signals a host allows speech to reach.

use super::place;
use super::vss::{Vss, VssSignal};
use super::words;
use crate::toml_file::{Code, Diagnostic, Diagnostics, Document, Faults, Item, Node, Place, Section, choice};
use crate::vehicle::{SignalInfo, SignalKind, SignalValue};
use std::collections::BTreeMap;

/// A path of a signal, or several: `*` stands for any one segment, `**` at the end for all below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    place: Place,
}

impl Pattern {
    /// A pattern, and where it was written.
    pub fn new(text: impl Into<String>, place: Place) -> Self {
        Self {
            text: text.into(),
            place,
        }
    }

    fn is_one(&self) -> bool {
        !self.text.contains('*')
    }

    fn fits(&self, path: &str) -> bool {
        let (mut wanted, mut segments) = (self.text.split('.'), path.split('.'));
        loop {
            match (wanted.next(), segments.next()) {
                (Some("**"), Some(_)) | (None, None) => return true,
                (Some("*"), Some(_)) => {}
                (Some(wanted), Some(segment)) if wanted == segment => {}
                _ => return false,
            }
        }
    }
}

/// What a host allows: signals that may be read, and actuators among them that may be set.
#[derive(Debug, Clone, Default)]
pub struct AllowedSignals {
    groups: Vec<Group>,
    /// Paths that the file has and that are not allowed are told apart from those that no car has.
    known: Vec<String>,
}

/// Signals that speech calls by one name, told apart by their places.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The path with its places left open.
    pub(super) path: String,
    /// What speech calls it, the usual name first.
    pub(super) zh: Vec<String>,
    pub(super) en: Vec<String>,
    /// What speech calls its values, by the value.
    pub(super) values: BTreeMap<String, Vec<String>>,
    pub(super) members: Vec<Member>,
}

/// One signal.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) info: SignalInfo,
    pub(super) may: May,
    start: SignalValue,
}

/// What may be done with a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum May {
    Read,
    Set,
}

impl AllowedSignals {
    /// What of `vss` is allowed: `set` may be set and read, `read` only read; `words` is a file of words for speech.
    ///
    /// # Errors
    /// Everything that is wrong: a pattern that no signal fits, one signal to be set that is no actuator, words for what is
    /// not allowed.
    pub fn new(vss: &Vss, set: &[Pattern], read: &[Pattern], words: Option<&Document>) -> Result<Self, Diagnostics> {
        let faults = Faults::default();
        let mut members: BTreeMap<String, Member> = BTreeMap::new();
        for (patterns, may) in [(read, May::Read), (set, May::Set)] {
            for pattern in patterns {
                allow(vss, pattern, may, &mut members, &faults);
            }
        }
        let mut groups: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        for (path, member) in members {
            groups.entry(place::group(&path)).or_default().push(member);
        }
        let described: Vec<(&str, &str)> = groups
            .iter()
            .map(|(path, members)| {
                let first = members.first().and_then(|member| vss.signal(&member.info.name));
                (path.as_str(), first.map_or("", |signal| signal.description.as_str()))
            })
            .collect();
        let names = words::english(&described);
        let mut groups: Vec<Group> = groups
            .into_iter()
            .zip(names)
            .map(|((path, members), en)| Group {
                path,
                zh: Vec::new(),
                en,
                values: BTreeMap::new(),
                members,
            })
            .collect();
        if let Some(document) = words {
            let root = document.root(&faults);
            for section in root.sections("signal") {
                name(&section, &mut groups);
                section.finish();
            }
            root.finish();
        }
        faults.into_result(Self {
            groups,
            known: vss.paths().map(str::to_owned).collect(),
        })
    }

    /// Each signal with the value that a simulated car starts with.
    pub fn signals(&self) -> impl Iterator<Item = (SignalInfo, SignalValue)> {
        let members = self.groups.iter().flat_map(|group| &group.members);
        members.map(|member| (member.info.clone(), member.start.clone()))
    }

    pub(super) fn any_to_set(&self) -> bool {
        let mut members = self.groups.iter().flat_map(|group| &group.members);
        members.any(|member| member.may == May::Set)
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group with the signal of that path.
    pub(super) fn of_path(&self, path: &str) -> Option<(&Group, &Member)> {
        self.groups.iter().find_map(|group| {
            let member = group.members.iter().find(|member| member.info.name == path)?;
            Some((group, member))
        })
    }

    /// Whether the file has signals of that path or group.
    pub(super) fn is_known(&self, path: &str) -> bool {
        self.known
            .iter()
            .any(|known| known == path || place::group(known) == path)
    }
}

fn allow(vss: &Vss, pattern: &Pattern, may: May, members: &mut BTreeMap<String, Member>, faults: &Faults) {
    let fault = |code: Code, message: String, fix: String| {
        faults.push(Diagnostic::new(pattern.place.clone(), "signals", code, message, fix));
    };
    let paths: Vec<&str> = vss.paths().filter(|path| pattern.fits(path)).collect();
    if paths.is_empty() {
        let message = format!("`{}` has no signal `{}`", vss.name(), pattern.text);
        fault(Code::UnknownSignal, message, choice(&pattern.text, vss.paths()));
    }
    let mut allowed = 0;
    for path in &paths {
        let Some(VssSignal { info: Some(info), .. }) = vss.signal(path) else {
            continue;
        };
        if may == May::Set && info.kind != SignalKind::Actuator {
            continue;
        }
        allowed += 1;
        let start = vss.signal(path).map(|signal| signal.start(info));
        members.insert(
            (*path).to_owned(),
            Member {
                info: info.clone(),
                may,
                start: start.unwrap_or(SignalValue::Bool(false)),
            },
        );
    }
    if allowed == 0 && !paths.is_empty() {
        let kind = if pattern.is_one() { "it is" } else { "each of them is" };
        let message = match may {
            May::Set => format!("{kind} a sensor, an attribute or a list: it cannot be set"),
            May::Read => format!("{kind} a list: no tool can speak of it"),
        };
        fault(
            Code::Conflict,
            message,
            "write what is read under `read`, and take lists out".to_owned(),
        );
    }
}

/// Gives a group the names of one section of the words.
fn name(section: &Section<'_>, groups: &mut [Group]) {
    let path = section.required_text("path", "path = \"Vehicle.Cabin.Seat.*.*.Tilt\"");
    let texts = |key: &'static str| {
        let texts = section.texts(key).unwrap_or_default().into_iter();
        texts.map(|(text, _)| text).collect::<Vec<_>>()
    };
    let (zh, en) = (texts("zh"), texts("en"));
    let values = section.section("values").map_or_else(BTreeMap::new, |values| {
        let each = values.each();
        each.map(|(value, _, node)| (value.to_owned(), texts_of(node)))
            .collect()
    });
    let Some(path) = path.map(|path| place::group(&path)) else {
        return;
    };
    let known: Vec<String> = groups.iter().map(|group| group.path.clone()).collect();
    let Some(group) = groups.iter_mut().find(|group| group.path == path) else {
        let fix = choice(&path, known.iter().map(String::as_str));
        section.fault("path", Code::UnknownSignal, format!("`{path}` is not allowed"), fix);
        return;
    };
    group.zh = zh;
    if !en.is_empty() {
        // The host's name is the usual one; those of the path stay beside it.
        group.en.retain(|name| !en.contains(name));
        group.en.splice(0..0, en);
    }
    group.values = values;
}

fn texts_of(node: &Node) -> Vec<String> {
    match node.item() {
        Item::Text(text) => vec![text.clone()],
        Item::List(nodes) => nodes.iter().flat_map(texts_of).collect(),
        _ => Vec::new(),
    }
}
