//! What is known of the car: signals, their values, and where parts are on their way to.

use crate::error::KuksaError;
use crate::routes::Place;
use incar_tools::vehicle::{Catalogue, SignalInfo, SignalValue};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The car as it was last heard: read at once from anywhere, written by the link alone.
#[derive(Debug)]
pub(crate) struct Mirror {
    state: Mutex<State>,
    changed: watch::Sender<u64>,
    /// How long a part may stand still on its way and still count as moving.
    patience: Duration,
}

#[derive(Debug)]
struct State {
    link: Link,
    /// Where the tools' signals are; those of the shipped catalogue before a car has said what it has.
    places: Places,
    /// By the tools' names.
    values: HashMap<String, SignalValue>,
    /// What the switches that move other signals say, by the car's names.
    switches: HashMap<String, SignalValue>,
    orders: HashMap<String, Order>,
    next_order: u64,
}

/// Whether the car is heard.
#[derive(Debug, Clone)]
pub(crate) enum Link {
    /// Not yet, and nothing went wrong yet.
    Connecting,
    /// Its values are here.
    Up,
    /// Not any more, or still not, and why.
    Down(KuksaError),
}

#[derive(Debug)]
enum Places {
    /// What a car is expected to have.
    Expected(Catalogue),
    /// What this one has.
    Found(HashMap<String, Arc<Place>>),
}

/// A part that was told to go somewhere.
#[derive(Debug)]
struct Order {
    number: u64,
    to: SignalValue,
    /// When it last came nearer, or was told to.
    nearer: Instant,
    /// Whether it has come nearer since it was told to.
    obeyed: bool,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing seen of it.
    None,
    /// It comes nearer.
    Moving,
    /// It is there.
    Done,
}

impl Mirror {
    pub(crate) fn new(expected: Catalogue, patience: Duration) -> Self {
        Self {
            state: Mutex::new(State {
                link: Link::Connecting,
                places: Places::Expected(expected),
                values: HashMap::new(),
                switches: HashMap::new(),
                orders: HashMap::new(),
                next_order: 0,
            }),
            changed: watch::channel(0).0,
            patience,
        }
    }

    /// A receiver that wakes at each change.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn link(&self) -> Link {
        self.lock().link.clone()
    }

    pub(crate) fn is_up(&self) -> bool {
        matches!(self.lock().link, Link::Up)
    }

    pub(crate) fn info(&self, signal: &str) -> Option<Arc<SignalInfo>> {
        match &self.lock().places {
            Places::Expected(catalogue) => catalogue.info(signal).cloned(),
            Places::Found(places) => places.get(signal).map(|place| place.info.clone()),
        }
    }

    /// Where `signal` is in this car; `None` where it has none, or has not said yet.
    pub(crate) fn place(&self, signal: &str) -> Option<Arc<Place>> {
        match &self.lock().places {
            Places::Expected(_) => None,
            Places::Found(places) => places.get(signal).cloned(),
        }
    }

    pub(crate) fn value(&self, signal: &str) -> Option<SignalValue> {
        self.lock().values.get(signal).cloned()
    }

    pub(crate) fn switch(&self, path: &str) -> Option<SignalValue> {
        self.lock().switches.get(path).cloned()
    }

    /// Where `signal` goes or stands.
    pub(crate) fn target(&self, signal: &str) -> Option<SignalValue> {
        let state = self.lock();
        let value = state.values.get(signal)?;
        let order = state
            .orders
            .get(signal)
            .filter(|order| order.nearer.elapsed() < self.patience);
        Some(order.map_or_else(|| value.clone(), |order| order.to.clone()))
    }

    pub(crate) fn values(&self) -> BTreeMap<String, SignalValue> {
        let state = self.lock();
        state
            .values
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The car said what it has; its values follow.
    pub(crate) fn found(&self, places: HashMap<String, Arc<Place>>) {
        self.update(|state| {
            state.places = Places::Found(places);
            state.values.clear();
            state.switches.clear();
            state.orders.clear();
        });
    }

    /// Values came, all of the same moment: `None` where the car does not know, or said what cannot be.
    pub(crate) fn heard(
        &self,
        values: Vec<(String, Option<SignalValue>)>,
        switches: Vec<(String, Option<SignalValue>)>,
    ) {
        self.update(|state| {
            state.link = Link::Up;
            for (signal, value) in values {
                state.hear(signal, value);
            }
            for (path, value) in switches {
                match value {
                    Some(value) => state.switches.insert(path, value),
                    None => state.switches.remove(&path),
                };
            }
        });
    }

    /// The car is not heard any more: what is not known is not told.
    pub(crate) fn lost(&self, error: KuksaError) {
        self.update(|state| {
            state.link = Link::Down(error);
            state.values.clear();
            state.switches.clear();
            state.orders.clear();
        });
    }

    /// Notes where `signal` is sent, and answers the order's number and where it stood or was going.
    pub(crate) fn order(&self, signal: &str, to: SignalValue) -> (u64, Option<SignalValue>) {
        let before = self.target(signal);
        let mut number = 0;
        self.update(|state| {
            state.next_order += 1;
            number = state.next_order;
            let order = Order {
                number,
                to,
                nearer: Instant::now(),
                obeyed: false,
            };
            state.orders.insert(signal.to_owned(), order);
        });
        (number, before)
    }

    /// Forgets an order, unless another one took its place.
    pub(crate) fn withdraw(&self, signal: &str, number: u64) {
        self.update(|state| {
            if state.orders.get(signal).is_some_and(|order| order.number == number) {
                state.orders.remove(signal);
            }
        });
    }

    /// What the car's values say of an order.
    pub(crate) fn answer(&self, signal: &str, number: u64, to: &SignalValue) -> Answer {
        let state = self.lock();
        if state.values.get(signal) == Some(to) {
            return Answer::Done;
        }
        match state.orders.get(signal) {
            Some(order) if order.number == number && order.obeyed => Answer::Moving,
            _ => Answer::None,
        }
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.send_modify(|version| *version += 1);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every update is a whole one, so what a panic left behind is still sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn hear(&mut self, signal: String, value: Option<SignalValue>) {
        let Some(value) = value else {
            self.values.remove(&signal);
            return;
        };
        if let Some(order) = self.orders.get_mut(&signal) {
            if order.to == value {
                self.orders.remove(&signal);
            } else if let (Some(to), Some(now)) = (order.to.as_number(), value.as_number())
                && let Some(was) = self.values.get(&signal).and_then(SignalValue::as_number)
                && (to - now).abs() < (to - was).abs()
            {
                order.nearer = Instant::now();
                order.obeyed = true;
            }
        }
        self.values.insert(signal, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire;

    const WINDOW: &str = "Vehicle.Window";

    fn mirror_with(patience: Duration) -> Mirror {
        Mirror::new(Catalogue::from_toml("").unwrap(), patience)
    }

    fn mirror() -> Mirror {
        mirror_with(Duration::MAX)
    }

    fn hear(mirror: &Mirror, value: Option<f64>) {
        mirror.heard(vec![(WINDOW.to_owned(), value.map(SignalValue::Number))], Vec::new());
    }

    #[test]
    fn an_order_is_answered_by_what_the_part_does() {
        let mirror = mirror();
        hear(&mirror, Some(50.0));
        let (number, before) = mirror.order(WINDOW, 100.0.into());
        let answer = || mirror.answer(WINDOW, number, &100.0.into());
        assert_eq!((before, answer()), (Some(50.0.into()), Answer::None));
        // Still on its way down, from before.
        hear(&mirror, Some(48.0));
        assert_eq!(answer(), Answer::None);
        hear(&mirror, Some(49.0));
        assert_eq!((answer(), mirror.target(WINDOW)), (Answer::Moving, Some(100.0.into())));
        hear(&mirror, Some(100.0));
        assert_eq!((answer(), mirror.target(WINDOW)), (Answer::Done, Some(100.0.into())));
    }

    #[test]
    fn a_part_that_stands_still_is_not_on_its_way() {
        let check = |patience, target: f64| {
            let mirror = mirror_with(patience);
            hear(&mirror, Some(0.0));
            mirror.order(WINDOW, 100.0.into());
            hear(&mirror, Some(30.0));
            assert_eq!(mirror.target(WINDOW), Some(target.into()), "{patience:?}");
        };
        check(Duration::MAX, 100.0);
        check(Duration::ZERO, 30.0);
    }

    #[test]
    fn a_later_order_takes_the_place_of_an_earlier_one() {
        let mirror = mirror();
        hear(&mirror, Some(0.0));
        let (first, _) = mirror.order(WINDOW, 100.0.into());
        let (second, before) = mirror.order(WINDOW, 50.0.into());
        assert_eq!(before, Some(100.0.into()));
        mirror.withdraw(WINDOW, first);
        assert_eq!(mirror.target(WINDOW), Some(50.0.into()));
        mirror.withdraw(WINDOW, second);
        assert_eq!(mirror.target(WINDOW), Some(0.0.into()));
    }

    #[test]
    fn nothing_is_known_of_a_car_that_is_not_heard() {
        let mirror = mirror();
        hear(&mirror, Some(30.0));
        mirror.order(WINDOW, 100.0.into());
        mirror.lost(KuksaError::Closed);
        assert_eq!((mirror.value(WINDOW), mirror.target(WINDOW)), (None, None));
        assert!(!mirror.is_up());
        hear(&mirror, None);
        assert_eq!((mirror.value(WINDOW), mirror.is_up()), (None, true));
    }

    #[test]
    fn a_float_of_32_bits_reaches_the_target_it_was_sent_to() {
        let to = wire::as_sent(&21.3.into(), incar_tools::vehicle::DataType::Float).unwrap();
        let mirror = mirror();
        let (number, before) = mirror.order(WINDOW, to.clone());
        mirror.heard(vec![(WINDOW.to_owned(), Some(to.clone()))], Vec::new());
        assert_eq!((before, mirror.answer(WINDOW, number, &to)), (None, Answer::Done));
    }
}
