//! The phone book: people, and the numbers of emergency and other services.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::data_file::{DataError, DataProblem, Owners};
use crate::names::{Fit, Found, NameIndex, Partial, Role};

const FILE: &str = "contacts.toml";

/// Somebody in the phone book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Contact {
    /// The id.
    pub id: String,
    /// The name. Two people may share it.
    pub name: String,
    /// Nicknames and other spellings.
    pub aliases: Vec<String>,
    /// What tells people of one name apart.
    pub note: String,
    /// Numbers; never empty.
    pub numbers: Vec<PhoneNumber>,
}

/// A number of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PhoneNumber {
    /// What it is for.
    pub label: NumberLabel,
    /// The number: digits, a plus sign perhaps in front.
    pub number: String,
}

/// What a number is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NumberLabel {
    /// The phone carried about.
    Mobile,
    /// At work.
    Work,
    /// At home.
    Home,
}

/// A number everybody may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ServiceNumber {
    /// The number.
    pub number: String,
    /// What kind of service answers.
    pub kind: ServiceKind,
    /// Chinese names, the one to speak first; never empty.
    pub zh: Vec<String>,
    /// English names, the one to speak first; never empty.
    pub en: Vec<String>,
}

/// What kind of service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ServiceKind {
    /// Police, fire brigade, ambulance.
    Emergency,
    /// Any other: banks, carriers, hotlines.
    Service,
}

/// What a name led to: never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Callee<'a> {
    /// People, in the order of the phone book; several where the name fits several equally.
    People {
        /// How the name fitted.
        fit: Fit,
        /// Who they are.
        contacts: Vec<&'a Contact>,
    },
    /// Services, emergency numbers first.
    Services {
        /// How the name fitted.
        fit: Fit,
        /// Which they are.
        services: Vec<&'a ServiceNumber>,
    },
}

/// The phone book.
///
/// ```
/// use incar_tools::contacts::{Callee, PhoneBook};
///
/// let book = PhoneBook::embedded()?;
/// let Some(Callee::People { contacts, .. }) = book.lookup("李明") else { panic!("known") };
/// assert_eq!(contacts.len(), 2); // Two people share the name: ask which.
/// # Ok::<(), incar_tools::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PhoneBook {
    contacts: Vec<Contact>,
    services: Vec<ServiceNumber>,
    people: NameIndex<usize>,
    service_names: NameIndex<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    contact: Vec<Contact>,
    service: Vec<ServiceNumber>,
}

impl PhoneBook {
    /// The sample phone book that ships with the crate.
    ///
    /// # Errors
    /// [`DataError`] where the data file is at fault; the crate's tests hold that it is not.
    pub fn embedded() -> Result<Self, DataError> {
        Self::parse(include_str!("../data/contacts.toml"))
    }

    /// Reads a phone book in the format of `contacts.toml`.
    ///
    /// # Errors
    /// [`DataError`] names the entry and what is wrong with it: an id, nickname or number used twice, nobody to tell two
    /// people of one name apart by, no number, or what is no number.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let File {
            contact: contacts,
            service: services,
        } = toml::from_str(text).map_err(|error| DataError::syntax(FILE, &error))?;
        check_contacts(&contacts)?;
        check_services(&services)?;
        let people = contacts.iter().enumerate().flat_map(|(place, contact)| {
            let aliases = contact.aliases.iter().map(move |alias| (place, Role::Alias, alias));
            [(place, Role::Main, &contact.name)].into_iter().chain(aliases)
        });
        let people = people.collect();
        let service_names = services.iter().enumerate().flat_map(|(place, service)| {
            let names = service.zh.iter().chain(&service.en).chain([&service.number]);
            names.map(move |name| (place, Role::Main, name))
        });
        let service_names = service_names.collect();
        Ok(Self {
            contacts,
            services,
            people,
            service_names,
        })
    }

    /// All people.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// All services, emergency numbers first.
    pub fn services(&self) -> &[ServiceNumber] {
        &self.services
    }

    /// Somebody by the id.
    pub fn contact(&self, id: &str) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.id == id)
    }

    /// Whose number this is.
    pub fn contact_with_number(&self, number: &str) -> Option<&Contact> {
        let number = digits(number);
        self.contacts
            .iter()
            .find(|contact| contact.numbers.iter().any(|known| digits(&known.number) == number))
    }

    /// The service that has this number.
    pub fn service_with_number(&self, number: &str) -> Option<&ServiceNumber> {
        let number = digits(number);
        self.services.iter().find(|service| service.number == number)
    }

    /// Whether this is an emergency number.
    pub fn is_emergency(&self, number: &str) -> bool {
        self.service_with_number(number)
            .is_some_and(|service| service.kind == ServiceKind::Emergency)
    }

    /// The people or services a spoken name fits best: exactly, by nickname, by a part, nearly spelled, by sound. Of
    /// equal fits people go before services.
    pub fn lookup(&self, said: &str) -> Option<Callee<'_>> {
        // Services are not found by a part of their name: nobody is to call the police by half a word.
        let services = self.service_names.lookup(said, Partial::Never);
        match (self.people(said), services) {
            (Some(people), Some(services)) if services.fit < people.fit => Some(self.as_services(services)),
            (Some(people), _) => {
                let contacts = people
                    .ids
                    .into_iter()
                    .filter_map(|place| self.contacts.get(place))
                    .collect();
                Some(Callee::People {
                    fit: people.fit,
                    contacts,
                })
            }
            (None, Some(services)) => Some(self.as_services(services)),
            (None, None) => None,
        }
    }

    /// People by name; by a part of it, all who have it: `张` among two people is not enough, `张伟` or `Smith` is.
    /// A surname that is not theirs is another person's: `Emily Chen` is not Emily Davis.
    fn people(&self, said: &str) -> Option<Found<usize>> {
        let mut found = self.people.lookup(said, Partial::Anywhere)?;
        if found.fit == Fit::Part {
            found
                .ids
                .retain(|&place| self.contacts.get(place).is_some_and(|contact| is_part(contact, said)));
        }
        (!found.ids.is_empty()).then_some(found)
    }

    fn as_services(&self, found: Found<usize>) -> Callee<'_> {
        let services = found
            .ids
            .into_iter()
            .filter_map(|place| self.services.get(place))
            .collect();
        Callee::Services {
            fit: found.fit,
            services,
        }
    }
}

/// Words beside a name that say which number, not which person.
const BESIDE: [&str; 16] = [
    "at", "work", "home", "office", "mobile", "cell", "phone", "number", "on", "my", "the", "his", "her", "their", "s",
    "please",
];

/// Whether `said` is part of one of the names, or one of the names with no other name beside it.
fn is_part(contact: &Contact, said: &str) -> bool {
    let said = said.to_lowercase();
    let no_name = |rest: &str| {
        let mut words = rest
            .split(|c: char| !c.is_ascii_alphabetic())
            .filter(|word| !word.is_empty());
        words.all(|word| BESIDE.contains(&word))
    };
    let names = std::iter::once(&contact.name).chain(&contact.aliases);
    names
        .map(|name| name.to_lowercase())
        .any(|name| name.contains(&said) || said.contains(&name) && no_name(&said.replacen(&name, " ", 1)))
}

fn check_contacts(contacts: &[Contact]) -> Result<(), DataError> {
    let (mut ids, mut nicknames, mut numbers) = (Owners::default(), Owners::default(), Owners::default());
    let mut described = HashSet::new();
    for contact in contacts {
        let at = |problem| DataError::new(FILE, &contact.id, problem);
        ids.claim(&contact.id, &contact.id).map_err(at)?;
        for alias in &contact.aliases {
            nicknames.claim(alias, &contact.id).map_err(at)?;
        }
        if contact.name.trim().is_empty() {
            return Err(at(DataProblem::Empty { column: "name" }));
        }
        if contact.numbers.is_empty() {
            return Err(at(DataProblem::Empty { column: "numbers" }));
        }
        if !described.insert((&contact.name, &contact.note)) {
            let owner = contact.name.clone();
            return Err(at(DataProblem::Duplicate {
                name: contact.note.clone(),
                owner,
            }));
        }
        for PhoneNumber { number, .. } in &contact.numbers {
            let rest = number.strip_prefix('+').unwrap_or(number);
            if !(7..=15).contains(&rest.len()) || !is_digits(rest) {
                return Err(at(DataProblem::Value {
                    column: "numbers",
                    value: number.clone(),
                }));
            }
            numbers.claim(number, &contact.id).map_err(at)?;
        }
    }
    Ok(())
}

fn check_services(services: &[ServiceNumber]) -> Result<(), DataError> {
    let (mut names, mut numbers) = (Owners::default(), Owners::default());
    for service in services {
        let at = |problem| DataError::new(FILE, &service.number, problem);
        if !(3..=6).contains(&service.number.len()) || !is_digits(&service.number) {
            return Err(at(DataProblem::Value {
                column: "number",
                value: service.number.clone(),
            }));
        }
        numbers.claim(&service.number, &service.number).map_err(at)?;
        for (column, spoken) in [("zh", &service.zh), ("en", &service.en)] {
            if spoken.is_empty() {
                return Err(at(DataProblem::Empty { column }));
            }
            for name in spoken {
                names.claim(name, &service.number).map_err(at)?;
            }
        }
    }
    Ok(())
}

fn is_digits(text: &str) -> bool {
    text.chars().all(|ch| ch.is_ascii_digit())
}

/// A number without the signs people write into it.
fn digits(number: &str) -> String {
    number.chars().filter(|ch| ch.is_ascii_digit() || *ch == '+').collect()
}

#[cfg(test)]
#[path = "contacts_tests.rs"]
mod tests;
