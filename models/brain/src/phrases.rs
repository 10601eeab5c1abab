//! The search for phrases: carriers of free text, and idioms.

mod slots;
mod spot;

use crate::generic::Class;
use crate::lattice::{Ear, Edge, Lattice, Reading, SLIP};
use crate::lexicon::{Lexicon, Link, Node, Use};
use incar_text::{Gap, UnitKind};
use spot::{Claim, Misheard, Slipped, Spot, captures, mends};

/// The most phrase steps that are tried in one utterance.
const MOST_STEPS: usize = 6_000;
/// The most phrases that are found in one utterance.
const MOST_PHRASES: usize = 1_500;

/// How many of a phrase's own words may be misheard.
const MOST_SLIPS: usize = 2;

/// How much dearer than the cheapest phrase of its tool over the same words a phrase may be.
const NEEDLESS: f32 = 0.5;

/// What it costs to end a phrase between a verb and its value.
const CUT: f32 = 0.5;

/// Which phrases are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Those without a place for an argument.
    Idioms,
    /// Those with one.
    Carriers,
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
            for start in self.heads() {
                self.begin(tool.elliptical, start);
            }
            self.whole = false;
        }
        for start in 0..self.lattice.len {
            // 听我说 opens talk; its 听 asks for no song. "My phone" is a thing, and calls nobody.
            let owned = self.kind == Kind::Carriers && start > 0 && OWNERS.contains(&self.lattice.text.word(start - 1));
            if !self.is_talk(start) && !owned {
                self.begin(0, start);
            }
        }
        self.drop_needless();
        self
    }

    /// Where what is said in short may begin: at the head, or behind words that lead up to it, 我说的是, "um, make it".
    fn heads(&self) -> Vec<usize> {
        let mut heads = vec![0];
        let mut next = 0;
        while let Some(at) = heads.get(next).copied() {
            next += 1;
            for (word, end) in self.lattice.words_at(at) {
                // A carrier of one character may as well be part of a name.
                if end > at + 1 && end < self.lattice.len && self.light(word) && !heads.contains(&end) {
                    heads.push(end);
                }
            }
        }
        heads
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

    /// Whether a phrase that ends here ends with the verb of a value that follows: 打开空调设置26度.
    fn cuts_a_setting(&self, at: usize) -> bool {
        let value = |edge: &Edge| matches!(edge.reading, Reading::Number { .. });
        let sets = |edge: &Edge| match edge.reading {
            Reading::Word(word) => edge.end == at && self.lexicon.uses(word).contains(&Use::Class(Class::Set)),
            _ => false,
        };
        self.lattice.at(at).iter().any(value)
            && (at.saturating_sub(3)..at).any(|from| self.lattice.at(from).iter().any(sets))
    }

    /// Whether a whole turn of speech that says nothing begins at a unit.
    fn is_talk(&self, at: usize) -> bool {
        let filler = |edge: &Edge| match edge.reading {
            Reading::Word(word) => edge.end > at + 2 && self.lexicon.uses(word).contains(&Use::Class(Class::Filler)),
            _ => false,
        };
        let han = self.lattice.text.kind(at) == Some(UnitKind::Han);
        han && self.lattice.at(at).iter().any(filler)
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
        if self.steps > MOST_STEPS || self.found.len() > MOST_PHRASES || self.is_futile(place) {
            return;
        }
        let node = self.lexicon.phrases.node(place.node);
        let wanted = (self.kind == Kind::Idioms) == place.captures.is_none() && self.is_heard_well(place);
        if place.at > self.start && (!self.whole || self.rest_is_light(place.at)) && (wanted || self.whole) {
            let cut = if self.cuts_a_setting(place.at) { CUT } else { 0.0 };
            for entry in node.ends() {
                let entry = *entry as usize;
                let doubt = cut + self.lexicon.entries.get(entry).map_or(0.0, |entry| entry.doubt);
                self.found.push(Edge {
                    start: self.start,
                    end: place.at,
                    cost: place.cost + doubt,
                    plural: false,
                    mends: mends(self.lexicon, place),
                    reading: Reading::Phrase {
                        entry,
                        captures: captures(place),
                        telling: place.telling,
                    },
                });
            }
        }
        for next in node.silent() {
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
            .and_then(|symbol| node.unit(symbol))
        {
            let written = Spot {
                node: next,
                at: place.at + 1,
                literal: place.literal + 1,
                literal_end: place.at + 1,
                telling: place.telling + telling(self.lattice.text.word(place.at)),
                ..*place
            };
            self.walk(&written);
            // 听听广播: a verb said twice is said lightly.
            if self.is_doubled(place.at) {
                self.walk(&Spot {
                    at: place.at + 2,
                    literal_end: place.at + 2,
                    ..written
                });
            }
        }
        self.walk_by_sound(place, node);
        let lattice = self.lattice;
        let named = node.has_words();
        let begun = place.at > self.start || self.whole && place.node != 0;
        // A carrier word may stand between any two parts of a phrase; before free text it rather
        // belongs to it.
        let passing = if self.leads_to_text(place.node) { 0.16 } else { 0.06 };
        for edge in lattice.at(place.at) {
            let Reading::Word(word) = edge.reading else { continue };
            for meaning in self.lexicon.uses(word) {
                let next = match meaning {
                    _ if !named => None,
                    meaning => step_of(meaning).and_then(|link| node.link(link)),
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
                // 我跟他说了: what is told of the past carries no free text.
                let told = lattice.text.word(place.at) == "了" && self.leads_to_text(place.node);
                if begun && !told && matches!(meaning, Use::Class(Class::Glue | Class::Filler)) {
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
        if !node.has_slots() || (place.node == 0 && !self.whole && !self.may_lead(place.at)) {
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
        for (slot, next) in node.slots() {
            self.fill(place, slot, next);
        }
    }

    /// Whether a character stands twice.
    fn is_doubled(&self, at: usize) -> bool {
        let text = self.lattice.text;
        text.kind(at) == Some(UnitKind::Han) && text.word(at) == text.word(at + 1)
    }

    /// Goes on by words that a unit only sounds like.
    fn walk_by_sound(&mut self, place: &Spot<'_>, node: Node<'_>) {
        let Some(ear) = self.ears.get(place.at) else { return };
        if place.slips >= MOST_SLIPS || !node.has_units() {
            return;
        }
        for (symbol, cost) in &ear.near {
            if let Some(next) = node.unit(*symbol) {
                let slipped = Slipped {
                    heard: Misheard::Unit {
                        at: place.at,
                        symbol: *symbol,
                    },
                    before: place.slipped,
                };
                self.walk(&Spot {
                    node: next,
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

    /// Whether an idiom that must hold something misheard can no longer do so.
    fn is_futile(&self, place: &Spot<'_>) -> bool {
        let misheard = |ear: &Ear| !ear.near.is_empty();
        let ahead = self.ears.get(place.at..).unwrap_or_default();
        self.kind == Kind::Idioms && !self.ears.is_empty() && place.slips == 0 && !ahead.iter().any(misheard)
    }

    /// Whether enough of a phrase's own words was written to believe those that were only heard.
    fn is_heard_well(&self, place: &Spot<'_>) -> bool {
        if place.slips == 0 {
            return self.kind != Kind::Idioms || self.ears.is_empty();
        }
        // Of 渴了 only a carrier word was written.
        place.literal >= place.slips && place.telling > 0
    }

    fn leads_to_text(&self, node: u32) -> bool {
        self.lexicon.phrases.node(node).leads_to_text()
    }

    /// Whether a phrase at `node` ends, or can go on at a unit.
    fn goes_on(&self, node: u32, at: usize) -> bool {
        let node = self.lexicon.phrases.node(node);
        if !node.ends().is_empty() || node.has_slots() {
            return true;
        }
        if node.silent().iter().any(|next| self.goes_on(*next, at)) {
            return true;
        }
        let unit = self.symbols.get(at).copied().flatten();
        let steps = |meaning: &Use| step_of(meaning).is_some_and(|link| node.link(link).is_some());
        unit.is_some_and(|symbol| node.unit(symbol).is_some())
            || self.lattice.at(at).iter().any(|edge| match edge.reading {
                Reading::Word(word) => self.lexicon.uses(word).iter().any(steps),
                _ => false,
            })
    }
}

/// Words behind which a thing stands, and no verb.
const OWNERS: &[&str] = &["my", "your", "his", "her", "our", "their"];

/// Units of a phrase that may as well lead up to anything else.
const CARRIERS: &[&str] = &[
    "我", "要", "想", "给", "找", "就", "那", "的", "吧", "了", "the", "my", "a", "an", "to",
];

/// The step in the trie that a word makes by what it may mean.
fn step_of(meaning: &Use) -> Option<Link> {
    match meaning {
        Use::Class(class) => Some(Link::Class(*class)),
        Use::Place(place) => Some(Link::Place(*place)),
        Use::List(list) => Some(Link::List(*list)),
        _ => None,
    }
}

/// How much a phrase's own unit tells: carrier words may lead up to anything.
fn telling(unit: &str) -> usize {
    usize::from(!CARRIERS.contains(&unit))
}
