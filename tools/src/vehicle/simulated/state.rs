//! What each signal holds, and where it is while it moves.

use super::rules;
use super::{Catalogue, Link, SignalKind, SignalValue};
use crate::vehicle::catalogue::Entry;
use incar_core::Timestamp;
use std::time::Duration;

/// What one signal holds.
#[derive(Debug, Clone)]
enum Held {
    At(SignalValue),
    Moving { from: f64, to: f64, since: Timestamp },
}

/// The state of a car, at one time.
#[derive(Debug)]
pub(super) struct State {
    held: Vec<Held>,
    /// Which of them are on their way.
    moving: Vec<usize>,
    now: Timestamp,
}

impl State {
    pub(super) fn new(catalogue: &Catalogue, now: Timestamp) -> Self {
        let held = catalogue
            .entries()
            .iter()
            .map(|entry| Held::At(entry.default.clone()))
            .collect();
        Self {
            held,
            moving: Vec::new(),
            now,
        }
    }

    /// Brings the state to `now`: what has arrived stands, and the car has driven on.
    pub(super) fn settle(&mut self, catalogue: &Catalogue, now: Timestamp) {
        let elapsed = now.since(self.now);
        self.now = now;
        let held = &mut self.held;
        self.moving.retain(|index| {
            let (Some(held), Some(entry)) = (held.get_mut(*index), catalogue.entries().get(*index)) else {
                return false;
            };
            let Held::Moving { from, to, since } = held else {
                return false;
            };
            let on_the_way = !arrived(*from, *to, *since, now, entry);
            if !on_the_way {
                *held = Held::At(SignalValue::Number(*to));
            }
            on_the_way
        });
        if !elapsed.is_zero() {
            rules::drive(self, catalogue, elapsed);
        }
    }

    /// The value now, as the signal's type shows it.
    pub(super) fn value(&self, catalogue: &Catalogue, index: usize) -> SignalValue {
        match base(catalogue, index) {
            (link, Some((base, entry))) => through(link, entry, self.exact(base, entry)),
            (_, None) => SignalValue::Bool(false),
        }
    }

    /// Where the signal goes, or stands.
    pub(super) fn target(&self, catalogue: &Catalogue, index: usize) -> SignalValue {
        let (link, Some((base, entry))) = base(catalogue, index) else {
            return SignalValue::Bool(false);
        };
        let held = match self.held.get(base) {
            Some(Held::Moving { to, .. }) => SignalValue::Number(*to),
            _ => self.exact(base, entry),
        };
        through(link, entry, held)
    }

    /// Puts a signal to `value` at once; `false` where it is a sensor that follows another.
    pub(super) fn jump(&mut self, catalogue: &Catalogue, index: usize, value: SignalValue) -> bool {
        let (link, Some((base, entry))) = base(catalogue, index) else {
            return false;
        };
        let follows = matches!(link, Link::Opens(_)) && entry.info.kind != SignalKind::Actuator;
        if !follows {
            self.put(base, back(link, entry, value));
        }
        !follows
    }

    /// Sends a signal to `value`, over the time it takes.
    pub(super) fn send(&mut self, catalogue: &Catalogue, index: usize, value: SignalValue) {
        let (link, Some((base, entry))) = base(catalogue, index) else {
            return;
        };
        let value = back(link, entry, value);
        match (self.exact(base, entry), &value) {
            (SignalValue::Number(from), SignalValue::Number(to)) if !entry.travel.is_zero() && from != *to => {
                let already =
                    matches!(self.held.get(base), Some(Held::Moving { to: on_the_way, .. }) if on_the_way == to);
                if !already && let Some(held) = self.held.get_mut(base) {
                    *held = Held::Moving {
                        from,
                        to: *to,
                        since: self.now,
                    };
                    if !self.moving.contains(&base) {
                        self.moving.push(base);
                    }
                }
            }
            _ => self.put(base, value),
        }
    }

    /// Stops a signal where it is.
    pub(super) fn stop(&mut self, catalogue: &Catalogue, index: usize) {
        if let (_, Some((base, entry))) = base(catalogue, index) {
            let here = shown(entry, self.exact(base, entry));
            self.put(base, here);
        }
    }

    fn put(&mut self, index: usize, value: SignalValue) {
        if let Some(held) = self.held.get_mut(index) {
            *held = Held::At(value);
        }
    }

    /// The value now, with the fraction that an integer signal does not show.
    fn exact(&self, index: usize, entry: &Entry) -> SignalValue {
        match self.held.get(index) {
            Some(Held::At(value)) => value.clone(),
            Some(Held::Moving { from, to, since }) => {
                let part = fraction(*from, *to, *since, self.now, entry);
                SignalValue::Number(from + (to - from) * part)
            }
            None => entry.default.clone(),
        }
    }

    /// A number by name, with its fraction.
    pub(super) fn number(&self, catalogue: &Catalogue, signal: &str) -> Option<f64> {
        let index = catalogue.position(signal)?;
        self.exact(index, catalogue.entries().get(index)?).as_number()
    }

    /// Puts a signal by name to a value at once, where this car has it.
    pub(super) fn force(&mut self, catalogue: &Catalogue, signal: &str, value: impl Into<SignalValue>) {
        if let Some(index) = catalogue.position(signal) {
            self.put(index, value.into());
        }
    }
}

/// The signal that holds the value of `index`, and how `index` hangs on it.
fn base(catalogue: &Catalogue, index: usize) -> (Link, Option<(usize, &Entry)>) {
    let link = catalogue.entries().get(index).map_or(Link::None, |entry| entry.link);
    let base = match link {
        Link::None => index,
        Link::Opens(other) | Link::Same(other) => other,
    };
    (link, catalogue.entries().get(base).map(|entry| (base, entry)))
}

/// The value of a linked signal from that of its base.
fn through(link: Link, entry: &Entry, value: SignalValue) -> SignalValue {
    match (link, &value) {
        (Link::Opens(_), SignalValue::Number(number)) => SignalValue::Bool(*number > 0.0),
        _ => shown(entry, value),
    }
}

/// The value of the base from that of a linked signal.
fn back(link: Link, entry: &Entry, value: SignalValue) -> SignalValue {
    match (link, &value) {
        (Link::Opens(_), SignalValue::Bool(open)) => {
            SignalValue::Number(if *open { entry.info.range().1 } else { 0.0 })
        }
        _ => value,
    }
}

fn shown(entry: &Entry, value: SignalValue) -> SignalValue {
    match value {
        SignalValue::Number(number) if entry.info.datatype.is_integer() => SignalValue::Number(number.round()),
        SignalValue::Number(number) => SignalValue::Number((number * 1e6).round() / 1e6),
        other => other,
    }
}

/// The part of the way that is done, 0 to 1.
fn fraction(from: f64, to: f64, since: Timestamp, now: Timestamp, entry: &Entry) -> f64 {
    let (low, high) = entry.info.range();
    let whole = entry.travel.as_secs_f64() * (to - from).abs() / (high - low);
    let elapsed: Duration = now.since(since);
    if whole <= 0.0 || !whole.is_finite() {
        1.0
    } else {
        (elapsed.as_secs_f64() / whole).clamp(0.0, 1.0)
    }
}

fn arrived(from: f64, to: f64, since: Timestamp, now: Timestamp, entry: &Entry) -> bool {
    fraction(from, to, since, now, entry) >= 1.0
}
