//! Who speaks: the host's word, never the model's.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A seat of the car.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Seat {
    /// The driver's seat.
    #[default]
    Driver,
    /// The front passenger's seat.
    Passenger,
    /// The second row, left.
    RearLeft,
    /// The second row, right.
    RearRight,
    /// The third row.
    ThirdRow,
    /// None: who asks is not in the car, such as a program that calls over MCP. No default goes by where
    /// somebody sits, and nothing that only a seat may do is done.
    Outside,
}

impl Seat {
    /// All seats in the car, front to back.
    pub const ALL: [Self; 5] = [
        Self::Driver,
        Self::Passenger,
        Self::RearLeft,
        Self::RearRight,
        Self::ThirdRow,
    ];

    /// The seat's name in JSON, tools and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Driver => "driver",
            Self::Passenger => "passenger",
            Self::RearLeft => "rear_left",
            Self::RearRight => "rear_right",
            Self::ThirdRow => "third_row",
            Self::Outside => "outside",
        }
    }

    /// The seat with that name, [`Seat::Outside`] included.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain([Self::Outside]);
        all.find(|seat| seat.as_str() == name)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who said an utterance. Sessions and waiting questions belong to car and seat.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Speaker {
    /// The car, as the host names it. One process may serve many.
    pub car: Arc<str>,
    /// The seat the voice came from.
    pub seat: Seat,
    /// The person, where the host knows (face, key, voice print).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Arc<str>>,
    /// What the caller counts as, where the host says so: `remote` for a phone or a program, which sits [`Seat::Outside`].
    /// A role that the permissions do not name may only look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Arc<str>>,
}

impl Speaker {
    /// A speaker on `seat` of `car`.
    pub fn new(car: impl Into<Arc<str>>, seat: Seat) -> Self {
        Self {
            car: car.into(),
            seat,
            person: None,
            role: None,
        }
    }

    /// The same speaker, known to be `person`.
    #[must_use]
    pub fn with_person(mut self, person: impl Into<Arc<str>>) -> Self {
        self.person = Some(person.into());
        self
    }

    /// The same speaker, counted as `role`.
    #[must_use]
    pub fn with_role(mut self, role: impl Into<Arc<str>>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// What owns this speaker's sessions.
    pub fn owner(&self) -> Owner {
        Owner {
            car: self.car.clone(),
            seat: self.seat,
        }
    }

    /// Whose this speaker's preferences and bookings are.
    pub fn holder(&self) -> Holder {
        match &self.person {
            Some(person) => Holder::Person {
                car: self.car.clone(),
                person: person.clone(),
            },
            None => Holder::Seat(self.owner()),
        }
    }
}

/// Whose a lasting fact is: the person's where the host knows one, else the seat's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A person, on whatever seat.
    Person {
        /// The car.
        car: Arc<str>,
        /// Who.
        person: Arc<str>,
    },
    /// Whoever sits there.
    Seat(Owner),
}

/// What a session belongs to: one seat of one car.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Owner {
    /// The car.
    pub car: Arc<str>,
    /// The seat.
    pub seat: Seat,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.car, self.seat)
    }
}
