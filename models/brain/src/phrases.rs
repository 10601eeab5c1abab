//! The search for phrases: carriers of free text, and idioms.

use crate::generic::Class;
use crate::lattice::{Capture, Ear, Edge, Lattice, Mend, Reading, SLIP};
use crate::lexicon::{Lexicon, Limit, Node, Slot, Use};
use incar_core::words::{Force, ValueKind};
use incar_text::{Gap, UnitKind, sum_at};
use std::ops::Range;

/// The longest free text, in units.
const LONGEST_TEXT: usize = 24;
/// The most phrase steps that are tried in one utterance.
const MOST_STEPS: usize = 40_000;
/// The most phrases that are found in one utterance.
const MOST_PHRASES: usize = 1_500;

/// How many of a phrase's own words may be misheard.
const MOST_SLIPS: usize = 2;

/// How much dearer than the cheapest phrase of its tool over the same words a phrase may be.
const NEEDLESS: f32 = 0.5;

/// Which phrases are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Those without a place for an argument.
    Idioms,
    /// Those with one.
    Carriers,
}

/// How free text must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// In any way.
    Any,
    /// In the possessive: "Adele's".
    Possessive,
}

/// The search for phrases.
pub(crate) struct Finder<'l, 'a> {
    lexicon: &'l Lexicon,
    lattice: &'l Lattice<'a>,
    symbols: &'l [Option<u32>],
    kind: Kind,
    pub(crate) steps: usize,
    pub(crate) found: Vec<Edge>,
    /// How surely each unit belongs to what carries free text: 导航到, "play".
    pub(crate) carriers: Vec<f32>,
    start: usize,
    /// Whether a phrase counts only if it takes all that is said.
    whole: bool,
    /// What each unit may be by its sound.
    ears: &'l [Ear],
}

/// Where the search stands.
struct Spot<'s> {
    node: u32,
    at: usize,
    cost: f32,
    /// How many units were taken as the phrase's own words, and where the last of them ends.
    literal: usize,
    literal_end: usize,
    /// How many of them are more than carrier words.
    telling: usize,
    /// How many other words of its own it only sounds like, and which.
    slips: usize,
    slipped: Option<&'s Slipped<'s>>,
    captures: Option<&'s Captured<'s>>,
}

/// The units of a phrase that were misheard so far, last first.
struct Slipped<'s> {
    heard: Misheard<'s>,
    before: Option<&'s Slipped<'s>>,
}

/// What was misheard.
#[derive(Clone, Copy)]
enum Misheard<'s> {
    /// A unit for a symbol.
    Unit { at: usize, symbol: u32 },
    /// A word.
    Word(&'s [Mend]),
}

/// What the places of a phrase took so far, last first.
struct Captured<'s> {
    slot: Slot,
    capture: Capture,
    before: Option<&'s Captured<'s>>,
}

/// What a phrase says, and of which words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    span: (usize, usize),
    tool: Option<usize>,
    arguments: Vec<usize>,
    whole: bool,
}

impl Claim {
    fn of(lexicon: &Lexicon, edge: &Edge) -> Self {
        let mut claim = Self {
            span: (edge.start, edge.end),
            tool: None,
            arguments: Vec::new(),
            whole: false,
        };
        if let Reading::Phrase { entry, captures, .. } = &edge.reading
            && let Some(entry) = lexicon.entries.get(*entry)
        {
            claim.tool = Some(entry.tool);
            claim.whole = entry.force == Force::Wish;
            let set = entry.set.iter().map(|(argument, _)| *argument);
            claim.arguments = captures.iter().map(|(argument, _)| *argument).chain(set).collect();
            claim.arguments.sort_unstable();
        }
        claim
    }
}

impl<'l, 'a> Finder<'l, 'a> {
    pub(crate) fn new(lexicon: &'l Lexicon, lattice: &'l Lattice<'a>, symbols: &'l [Option<u32>], kind: Kind) -> Self {
        Self {
            lexicon,
            lattice,
            symbols,
            kind,
            steps: 0,
            found: Vec::new(),
            carriers: vec![0.0; lattice.len],
            start: 0,
            whole: false,
            ears: &[],
        }
    }

    /// Lets the phrases' own words be misheard. Of idioms only those are found that were.
    pub(crate) fn listening(mut self, ears: &'l [Ear]) -> Self {
        self.ears = ears;
        self
    }

    pub(crate) fn find(mut self, about: Option<usize>) -> Self {
        if let Some(tool) = about.and_then(|tool| self.lexicon.tools.get(tool)) {
            self.whole = true;
            self.begin(tool.elliptical, 0);
            self.whole = false;
        }
        for start in 0..self.lattice.len {
            self.begin(0, start);
        }
        self.drop_needless();
        self
    }

    /// Drops the phrases that another one makes needless: over the same words, saying the same arguments, and cheaper.
    fn drop_needless(&mut self) {
        let mut ranked: Vec<(Claim, Edge)> = std::mem::take(&mut self.found)
            .into_iter()
            .map(|edge| (Claim::of(self.lexicon, &edge), edge))
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.cost.total_cmp(&b.1.cost)));
        let mut cheapest: Option<(Claim, f32)> = None;
        for (claim, edge) in ranked {
            let needless = match &cheapest {
                Some((other, cost)) if *other == claim => {
                    let alike = |known: &Edge| known.reading == edge.reading;
                    edge.cost > cost + NEEDLESS || self.found.last().is_some_and(alike)
                }
                _ => {
                    cheapest = Some((claim, edge.cost));
                    false
                }
            };
            if !needless {
                self.found.push(edge);
            }
        }
    }

    fn begin(&mut self, node: u32, start: usize) {
        self.start = start;
        self.walk(&Spot {
            node,
            at: start,
            cost: 0.0,
            literal: 0,
            literal_end: start,
            telling: 0,
            slips: 0,
            slipped: None,
            captures: None,
        });
    }

    /// Whether a phrase that begins with free text may begin here: only where an utterance or a
    /// part of it does.
    fn may_lead(&self, at: usize) -> bool {
        at == 0 || self.lattice.text.gap_before(at) >= Gap::Comma || {
            let ends_here = |start: usize| {
                self.lattice.at(start).iter().any(|edge| match edge.reading {
                    Reading::Date => edge.end == at,
                    Reading::Word(word) => edge.end == at && self.light(word),
                    _ => false,
                })
            };
            (at.saturating_sub(3)..at).any(ends_here)
        }
    }

    /// Whether nothing but carrier words follows.
    fn rest_is_light(&self, mut at: usize) -> bool {
        while at < self.lattice.len {
            let light = |edge: &&Edge| matches!(edge.reading, Reading::Word(word) if self.light(word));
            match self.lattice.at(at).iter().filter(light).map(|edge| edge.end).max() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    fn light(&self, word: usize) -> bool {
        let light = |meaning: &Use| matches!(meaning, Use::Class(Class::Glue | Class::Filler | Class::Join));
        self.lexicon.uses(word).iter().any(light)
    }

    fn walk(&mut self, place: &Spot<'_>) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() > MOST_PHRASES {
            return;
        }
        let Some(node) = self.lexicon.phrases.get(place.node as usize) else {
            return;
        };
        let wanted = (self.kind == Kind::Idioms) == place.captures.is_none() && self.is_heard_well(place);
        if place.at > self.start && (!self.whole || self.rest_is_light(place.at)) && (wanted || self.whole) {
            for entry in &node.ends {
                let doubt = self.lexicon.entries.get(*entry).map_or(0.0, |entry| entry.doubt);
                self.found.push(Edge {
                    start: self.start,
                    end: place.at,
                    cost: place.cost + doubt,
                    plural: false,
                    mends: mends(self.lexicon, place),
                    reading: Reading::Phrase {
                        entry: *entry,
                        captures: captures(place),
                        telling: place.telling,
                    },
                });
            }
        }
        for next in &node.silent {
            self.walk(&Spot { node: *next, ..*place });
        }
        if place.at >= self.lattice.len {
            return;
        }
        let broken = place.at > self.start && self.lattice.text.gap_before(place.at) >= Gap::Stop;
        if broken {
            return;
        }
        if let Some(next) = self
            .symbols
            .get(place.at)
            .copied()
            .flatten()
            .and_then(|symbol| node.units.get(&symbol))
        {
            self.walk(&Spot {
                node: *next,
                at: place.at + 1,
                literal: place.literal + 1,
                literal_end: place.at + 1,
                telling: place.telling + telling(self.lattice.text.word(place.at)),
                ..*place
            });
        }
        self.walk_by_sound(place, node);
        let lattice = self.lattice;
        let named = !node.classes.is_empty() || !node.places.is_empty() || !node.lists.is_empty();
        let begun = place.at > self.start || self.whole && place.node != 0;
        // A carrier word may stand between any two parts of a phrase; before free text it rather
        // belongs to it.
        let passing = if self.leads_to_text(place.node) { 0.16 } else { 0.06 };
        for edge in lattice.at(place.at) {
            let Reading::Word(word) = edge.reading else { continue };
            for meaning in self.lexicon.uses(word) {
                let next = match meaning {
                    Use::Class(class) if named => link(&node.classes, class),
                    Use::Place(position) if named => link(&node.places, position),
                    Use::List(list) if named => link(&node.lists, list),
                    _ => None,
                };
                if let Some(next) = next {
                    let written = if edge.mends.is_empty() {
                        edge.end - edge.start
                    } else {
                        0
                    };
                    let slipped = Slipped {
                        heard: Misheard::Word(&edge.mends),
                        before: place.slipped,
                    };
                    self.walk(&Spot {
                        node: next,
                        at: edge.end,
                        cost: place.cost + edge.cost,
                        literal: place.literal + written,
                        literal_end: edge.end,
                        telling: place.telling + telling(&lattice.text.normal(place.at..edge.end)),
                        slips: place.slips + usize::from(!edge.mends.is_empty()),
                        slipped: Some(&slipped),
                        ..*place
                    });
                }
                if begun && matches!(meaning, Use::Class(Class::Glue | Class::Filler)) {
                    self.walk(&Spot {
                        at: edge.end,
                        cost: place.cost + edge.cost + passing,
                        ..*place
                    });
                }
            }
        }
        // 打 of 打开 carries no name.
        if lattice.splits_a_word(place.at) {
            return;
        }
        if node.slots.is_empty() || (place.node == 0 && !self.whole && !self.may_lead(place.at)) {
            return;
        }
        if self.kind == Kind::Idioms {
            // Here free text begins: what led up to it is its carrier.
            let latin = lattice.text.kind(self.start) == Some(UnitKind::Latin);
            if place.literal > 1 || latin && place.literal == 1 && !lattice.is_light(self.lexicon, self.start) {
                for strong in self.carriers.iter_mut().take(place.literal_end).skip(self.start) {
                    *strong = strong.max(0.6);
                }
            }
            return;
        }
        for (slot, next) in &node.slots {
            self.fill(place, *slot, *next);
        }
    }

    /// Goes on by words that a unit only sounds like.
    fn walk_by_sound(&mut self, place: &Spot<'_>, node: &Node) {
        let Some(ear) = self.ears.get(place.at) else { return };
        if place.slips >= MOST_SLIPS || node.units.is_empty() {
            return;
        }
        for (symbol, cost) in &ear.near {
            if let Some(next) = node.units.get(symbol) {
                let slipped = Slipped {
                    heard: Misheard::Unit {
                        at: place.at,
                        symbol: *symbol,
                    },
                    before: place.slipped,
                };
                self.walk(&Spot {
                    node: *next,
                    at: place.at + 1,
                    cost: place.cost + SLIP + cost,
                    literal_end: place.at + 1,
                    slips: place.slips + 1,
                    slipped: Some(&slipped),
                    ..*place
                });
            }
        }
    }

    /// Whether enough of a phrase's own words was written to believe those that were only heard.
    fn is_heard_well(&self, place: &Spot<'_>) -> bool {
        if place.slips == 0 {
            return self.kind != Kind::Idioms || self.ears.is_empty();
        }
        place.literal >= place.slips
    }

    fn fill(&mut self, place: &Spot<'_>, slot: Slot, next: u32) {
        let Slot { tool, argument, limit } = slot;
        let Some(entry) = self
            .lexicon
            .tools
            .get(tool)
            .and_then(|tool| tool.arguments.get(argument))
        else {
            return;
        };
        let lattice = self.lattice;
        match (limit, entry.kind) {
            (Limit::List(list), _) => {
                for edge in lattice.at(place.at) {
                    let Reading::Word(word) = edge.reading else { continue };
                    if self.lexicon.uses(word).contains(&Use::List(list)) {
                        self.capture(
                            place,
                            next,
                            edge.end,
                            place.cost,
                            (slot, Capture::Text(edge.start..edge.end)),
                        );
                    }
                }
            }
            (Limit::Number | Limit::Year, _) => {
                for edge in lattice.at(place.at) {
                    let Reading::Number { number, unit: None } = &edge.reading else {
                        continue;
                    };
                    let digits = number.spelled();
                    let fits = match limit {
                        Limit::Year => digits.len() == 4 && (1900.0..2100.0).contains(&number.value),
                        _ => digits.len() >= 3,
                    };
                    if fits {
                        self.capture(place, next, edge.end, place.cost, (slot, Capture::Figures(digits)));
                    }
                }
            }
            (Limit::Sum, _) => {
                if let Some((bytes, units)) = sum_at(lattice.text, place.at)
                    && let Some(sum) = lattice.text.source().get(bytes)
                    && place.at + units <= lattice.len
                {
                    let capture = Capture::Figures(sum.to_owned());
                    self.capture(place, next, place.at + units, place.cost, (slot, capture));
                }
            }
            (Limit::Owner, _) => self.fill_text(place, slot, next, Ending::Possessive),
            (Limit::Kind | Limit::Whole, ValueKind::Text | ValueKind::Name | ValueKind::Texts) => {
                self.fill_text(place, slot, next, Ending::Any);
            }
            (Limit::Kind, ValueKind::Date) => {
                for edge in lattice.at(place.at) {
                    if edge.reading == Reading::Date {
                        let capture = Capture::Text(edge.start..edge.end);
                        self.capture(place, next, edge.end, place.cost, (slot, capture));
                    }
                }
            }
            (
                Limit::Kind,
                kind @ (ValueKind::Number
                | ValueKind::Percent
                | ValueKind::Level
                | ValueKind::Seconds
                | ValueKind::Change),
            ) => {
                for edge in lattice.at(place.at) {
                    let Reading::Number { number, unit } = &edge.reading else {
                        continue;
                    };
                    let fits = match unit {
                        Some(unit) => self.lexicon.uses(*unit).contains(&Use::Unit { tool, argument }),
                        None => kind != ValueKind::Seconds,
                    };
                    if fits {
                        let capture = Capture::Number(number.clone(), *unit);
                        self.capture(place, next, edge.end, place.cost, (slot, capture));
                    }
                }
            }
            (Limit::Kind, kind @ (ValueKind::Position | ValueKind::Word)) => {
                for edge in lattice.at(place.at) {
                    let Reading::Word(word) = edge.reading else { continue };
                    for meaning in self.lexicon.uses(word) {
                        let capture = match meaning {
                            Use::Place(position) if kind == ValueKind::Position => Capture::Place(*position),
                            Use::Value {
                                tool: t,
                                argument: a,
                                value,
                            } if *t == tool && *a == argument => Capture::Value(*value),
                            _ => continue,
                        };
                        self.capture(place, next, edge.end, place.cost, (slot, capture));
                    }
                }
            }
            (Limit::Kind | Limit::Whole, _) => {}
        }
    }

    fn fill_text(&mut self, place: &Spot<'_>, slot: Slot, next: u32, ending: Ending) {
        let lattice = self.lattice;
        let last = (place.at + LONGEST_TEXT).min(lattice.len);
        let adjoins = self.leads_to_text(next);
        for end in place.at + 1..=last {
            if end - 1 > place.at && lattice.text.gap_before(end - 1) >= Gap::Stop {
                break;
            }
            if end < lattice.len && !self.goes_on(next, end) {
                continue;
            }
            let possessive = lattice.text.word(end - 1).ends_with("'s");
            if ending == Ending::Possessive && !possessive {
                continue;
            }
            let range = lattice.trimmed(place.at..end);
            if range.is_empty() || self.is_all_light(&range) {
                continue;
            }
            let mut cost = place.cost + 0.1 + lattice.free_cost(&range);
            let number = |edge: &Edge| edge.end == range.end && matches!(edge.reading, Reading::Number { .. });
            if lattice.at(range.start).iter().any(number) {
                cost += 0.12;
            }
            if adjoins && end < lattice.len && ending == Ending::Any {
                cost += self.seam(&range, end);
            }
            self.capture(place, next, end, cost, (slot, Capture::Text(range)));
        }
    }

    /// Whether a range holds nothing but carrier words.
    fn is_all_light(&self, range: &Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let light = |edge: &&Edge| matches!(edge.reading, Reading::Word(word) if self.light(word));
            match self.lattice.at(at).iter().filter(light).map(|edge| edge.end).max() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    /// What it costs to end one free text where another begins with nothing between them: names are
    /// short, and a pronoun begins what is told.
    fn seam(&self, range: &Range<usize>, end: usize) -> f32 {
        let usual = if self.lattice.text.kind(range.start) == Some(UnitKind::Latin) {
            1
        } else {
            2
        };
        let odd = range.len().abs_diff(usual) as f32 * 0.06;
        // "Tell me about …" tells nobody of a contact.
        let nobody = if NOBODY.contains(&self.lattice.text.word(range.start)) {
            0.8
        } else {
            0.0
        };
        let odd = odd + nobody;
        let pronoun = PRONOUNS.contains(&self.lattice.text.word(end));
        let latin = self.lattice.text.kind(end) == Some(UnitKind::Latin);
        match (pronoun, latin) {
            (true, _) => odd,
            (false, true) => odd + 0.9,
            (false, false) => odd + 0.5,
        }
    }

    fn leads_to_text(&self, node: u32) -> bool {
        let node = self.lexicon.phrases.get(node as usize);
        node.is_some_and(|node| node.leads_to_text)
    }

    /// Whether a phrase at `node` ends, or can go on at a unit.
    fn goes_on(&self, node: u32, at: usize) -> bool {
        let Some(node) = self.lexicon.phrases.get(node as usize) else {
            return false;
        };
        if !node.ends.is_empty() || !node.slots.is_empty() {
            return true;
        }
        if node.silent.iter().any(|next| self.goes_on(*next, at)) {
            return true;
        }
        let unit = self.symbols.get(at).copied().flatten();
        unit.is_some_and(|symbol| node.units.contains_key(&symbol))
            || self.lattice.at(at).iter().any(|edge| match edge.reading {
                Reading::Word(word) => self.lexicon.uses(word).iter().any(|meaning| match meaning {
                    Use::Class(class) => link(&node.classes, class).is_some(),
                    Use::Place(place) => link(&node.places, place).is_some(),
                    Use::List(list) => link(&node.lists, list).is_some(),
                    _ => false,
                }),
                _ => false,
            })
    }

    fn capture(&mut self, place: &Spot<'_>, next: u32, end: usize, cost: f32, taken: (Slot, Capture)) {
        let (slot, capture) = taken;
        let captured = Captured {
            slot,
            capture,
            before: place.captures,
        };
        self.walk(&Spot {
            node: next,
            at: end,
            cost,
            captures: Some(&captured),
            ..*place
        });
    }
}

/// Words that begin what is told rather than end a name.
const PRONOUNS: &[&str] = &[
    "我", "你", "他", "她", "我们", "咱", "i", "i'm", "i'll", "i've", "we", "we're", "we'll", "he", "she", "they",
    "you", "that", "to", "it", "my", "not", "晚", "今", "明", "别", "快",
];

/// Units of a phrase that may as well lead up to anything else.
const CARRIERS: &[&str] = &[
    "我", "要", "想", "给", "找", "就", "那", "的", "吧", "the", "my", "a", "an", "to",
];

/// Words that name no contact.
const NOBODY: &[&str] = &["me", "us", "it", "a", "the", "about", "我", "你", "我们"];

fn link<K: PartialEq>(links: &[(K, u32)], key: &K) -> Option<u32> {
    links.iter().find(|(other, _)| other == key).map(|(_, next)| *next)
}

/// How much a phrase's own unit tells: carrier words may lead up to anything.
fn telling(unit: &str) -> usize {
    usize::from(!CARRIERS.contains(&unit))
}

fn mends(lexicon: &Lexicon, end: &Spot<'_>) -> Vec<Mend> {
    let mut all = Vec::new();
    let mut next = end.slipped;
    while let Some(slipped) = next {
        match slipped.heard {
            Misheard::Unit { at, symbol } => all.push(Mend {
                at,
                said: lexicon.spelled(symbol).to_owned(),
            }),
            Misheard::Word(mends) => all.extend_from_slice(mends),
        }
        next = slipped.before;
    }
    all
}

fn captures(end: &Spot<'_>) -> Vec<(usize, Capture)> {
    let mut all = Vec::new();
    let mut at = end.captures;
    while let Some(captured) = at {
        let capture = match (captured.slot.limit, &captured.capture) {
            (Limit::Whole, Capture::Text(range)) => Capture::Text(range.start..range.end.max(end.literal_end)),
            (_, capture) => capture.clone(),
        };
        all.push((captured.slot.argument, capture));
        at = captured.before;
    }
    all.reverse();
    all
}
