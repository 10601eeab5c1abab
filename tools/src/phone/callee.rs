//! Who is meant: from what was said to one number.

use crate::contacts::{Callee, Contact, NumberLabel, PhoneBook, PhoneNumber, ServiceNumber};
use incar_core::{ErrorKind, Lang, ToolError};
use incar_text::{NumberKind, Text, number_at};

/// Fewer digits are no telephone number.
const FEWEST_DIGITS: usize = 3;
const MOST_DIGITS: usize = 15;
/// So many names are offered to choose from.
const MOST_CHOICES: usize = 5;

/// Somebody to call or write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The name to speak; `None` for a bare number.
    pub(super) name: Option<String>,
    pub(super) number: String,
}

impl Target {
    /// The name, or a way to speak of the number without reading it out.
    pub(super) fn spoken(&self, lang: Lang) -> String {
        self.name.clone().unwrap_or_else(|| private(&self.number, lang))
    }
}

/// Somebody or something in the phone book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    Person(&'a Contact),
    Service(&'a ServiceNumber),
}

impl<'a> Entry<'a> {
    pub(super) fn name(self, lang: Lang) -> &'a str {
        match self {
            Self::Person(contact) => &contact.name,
            Self::Service(service) => {
                let names = lang.pick(&service.zh, &service.en);
                names.first().map_or(service.number.as_str(), String::as_str)
            }
        }
    }

    /// The name with what tells people of one name apart.
    pub(super) fn choice(self, lang: Lang) -> String {
        match self {
            Self::Person(contact) if contact.note.is_empty() => contact.name.clone(),
            Self::Person(contact) => lang.pick(
                format!("{}（{}）", contact.name, contact.note),
                format!("{} ({})", contact.name, contact.note),
            ),
            Self::Service(_) => self.name(lang).to_owned(),
        }
    }

    /// Which number the words beside the name and the note ask for.
    fn label_asked(self, said: &str) -> Option<NumberLabel> {
        match self {
            Self::Person(contact) if !contact.note.is_empty() => label_in(&said.replace(&contact.note, "")),
            Self::Person(_) | Self::Service(_) => label_in(said),
        }
    }

    fn target(self, wanted: Option<NumberLabel>, lang: Lang) -> Option<Target> {
        let name = Some(self.name(lang).to_owned());
        match self {
            Self::Person(contact) => Some(Target {
                name,
                number: pick(contact, wanted)?.number.clone(),
            }),
            Self::Service(service) => Some(Target {
                name,
                number: service.number.clone(),
            }),
        }
    }
}

/// The number that was asked for, else the mobile one, else the first.
fn pick(contact: &Contact, wanted: Option<NumberLabel>) -> Option<&PhoneNumber> {
    let labelled = |label| contact.numbers.iter().find(|number| number.label == label);
    wanted
        .and_then(labelled)
        .or_else(|| labelled(NumberLabel::Mobile))
        .or_else(|| contact.numbers.first())
}

/// Everybody whom `said` may mean, by name. People of one name are told apart by their note where it was said too.
pub(super) fn entries<'a>(book: &'a PhoneBook, said: &str) -> Vec<Entry<'a>> {
    // A choice that was offered comes back with its note: "David Miller (colleague)".
    let name = said.split(['(', '（']).next().unwrap_or(said);
    match book.lookup(name.trim()) {
        Some(Callee::People { contacts, .. }) => {
            let noted: Vec<Entry<'_>> = contacts
                .iter()
                .filter(|contact| !contact.note.is_empty() && said.contains(&contact.note))
                .map(|contact| Entry::Person(contact))
                .collect();
            if noted.is_empty() {
                contacts.into_iter().map(Entry::Person).collect()
            } else {
                noted
            }
        }
        Some(Callee::Services { services, .. }) => services.into_iter().map(Entry::Service).collect(),
        None => Vec::new(),
    }
}

/// The one meant by `said`, a name or a number, for the argument of that name.
///
/// # Errors
/// A question where several are meant or the number is none; [`ErrorKind::NotFound`] where nobody is.
pub(super) fn find(book: &PhoneBook, argument: &str, said: &str, lang: Lang) -> Result<Target, ToolError> {
    if let Some(number) = as_number(said) {
        return of_number(book, argument, &number, lang);
    }
    let found = entries(book, said);
    match found.as_slice() {
        [] => Err(ToolError::new(
            ErrorKind::NotFound,
            lang.pick(
                format!("通讯录里没有“{said}”。"),
                format!("I can't find {said} in your contacts."),
            ),
        )),
        [only] => only
            .target(only.label_asked(said), lang)
            .ok_or_else(|| no_number(said, lang)),
        several => Err(choose(argument, several, lang)),
    }
}

/// The number as a target, with the name of whose it is.
///
/// # Errors
/// A question where it has too few or too many digits.
pub(super) fn of_number(book: &PhoneBook, argument: &str, said: &str, lang: Lang) -> Result<Target, ToolError> {
    let number =
        as_number(said).filter(|number| (FEWEST_DIGITS..=MOST_DIGITS).contains(&number.trim_start_matches('+').len()));
    let Some(number) = number else {
        return Err(ToolError::ask(
            ErrorKind::InvalidInput,
            argument,
            lang.pick(
                "这个号码好像不完整，请再说一遍号码。",
                "That number looks incomplete. Please say it again.",
            ),
        ));
    };
    Ok(Target {
        name: name_of(book, &number, lang),
        number,
    })
}

/// Whose number it is.
pub(super) fn name_of(book: &PhoneBook, number: &str, lang: Lang) -> Option<String> {
    let person = book.contact_with_number(number).map(Entry::Person);
    let entry = person.or_else(|| book.service_with_number(number).map(Entry::Service))?;
    Some(entry.name(lang).to_owned())
}

fn choose(argument: &str, several: &[Entry<'_>], lang: Lang) -> ToolError {
    let choices: Vec<String> = several
        .iter()
        .take(MOST_CHOICES)
        .map(|entry| entry.choice(lang))
        .collect();
    let question = lang.pick(
        format!("有{}个联系人：{}，要哪一个？", several.len(), choices.join("、")),
        format!(
            "There are {} contacts: {}. Which one?",
            several.len(),
            choices.join(", ")
        ),
    );
    ToolError::choose(argument, choices, question)
}

fn no_number(said: &str, lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::NotFound,
        lang.pick(format!("{said}没有存号码。"), format!("There is no number for {said}.")),
    )
}

/// The digits, where `said` is a number and nothing else: `138 0013 8000`, 一三八零零…, `+1 202…`.
pub(super) fn as_number(said: &str) -> Option<String> {
    let text = Text::new(said);
    let mut digits = String::new();
    let mut at = usize::from(text.word(0) == "+");
    if at == text.len() {
        return None;
    }
    while at < text.len() {
        let (number, units) = number_at(&text, at)?;
        match number.kind {
            NumberKind::Cardinal | NumberKind::Digits => digits.push_str(&number.spelled()),
            _ => return None,
        }
        at += units;
    }
    let plus = if text.word(0) == "+" { "+" } else { "" };
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| format!("{plus}{digits}"))
}

/// Which number of somebody these words ask for.
fn label_in(said: &str) -> Option<NumberLabel> {
    let said = said.to_lowercase();
    let named = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if named(&["手机", "移动电话", "mobile", "cell"]) {
        Some(NumberLabel::Mobile)
    } else if named(&["公司", "单位", "办公", "work", "office"]) {
        Some(NumberLabel::Work)
    } else if named(&["家里", "家中", "座机", "住宅", "home"]) {
        Some(NumberLabel::Home)
    } else {
        None
    }
}

/// A label's name.
pub(super) fn label_name(label: NumberLabel, lang: Lang) -> &'static str {
    match label {
        NumberLabel::Mobile => lang.pick("手机", "mobile"),
        NumberLabel::Work => lang.pick("公司电话", "work number"),
        NumberLabel::Home => lang.pick("家里电话", "home number"),
    }
}

/// A number that nobody is known by, spoken of by its end. Short ones belong to services and are no secret.
pub(super) fn private(number: &str, lang: Lang) -> String {
    if number.len() <= 6 {
        return number.to_owned();
    }
    let skip = number.chars().count().saturating_sub(4);
    let end: String = number.chars().skip(skip).collect();
    lang.pick(format!("尾号{end}的号码"), format!("the number ending in {end}"))
}
