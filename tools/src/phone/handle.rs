//! People's numbers as a model reads them: handles that stand for them in this process alone.
//!
//! The numbers of services are in every directory and stay as they are.

use super::PhoneService;
use incar_core::Private;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Keys the handles: without it no handle tells its number, and one from another process fits none.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Numbers no longer than this are services'.
const LONGEST_SHORT: usize = 6;

const PREFIX: &str = "tel-";

fn handle(number: &str) -> String {
    format!("{PREFIX}{:016x}", KEY.hash_one(number))
}

/// `number` as a result may have it, and what is private about it.
pub(super) fn told(phone: &dyn PhoneService, number: &str) -> (String, Option<Private>) {
    let is_public = number.len() <= LONGEST_SHORT || phone.book().service_with_number(number).is_some();
    if is_public {
        return (number.to_owned(), None);
    }
    let handle = handle(number);
    (handle.clone(), Some(Private::new(handle, number)))
}

/// The number that `said` is a handle of, if it is one: of somebody in the phone book, or of somebody
/// who called or was called.
pub(super) fn number(phone: &dyn PhoneService, said: &str) -> Option<String> {
    let said = said.trim();
    if !said.starts_with(PREFIX) {
        return None;
    }
    let book = phone.book();
    let in_book = book.contacts().iter().flat_map(|contact| &contact.numbers);
    let in_book = in_book.map(|number| number.number.clone());
    let (calls, messages) = (phone.calls(), phone.messages());
    let called = calls.into_iter().map(|call| call.number);
    let written = messages.into_iter().map(|message| message.number);
    let on_line = phone.line().call.map(|call| call.number);
    let mut known = in_book.chain(called).chain(written).chain(on_line);
    known.find(|number| handle(number) == said)
}
