//! Replies of services: what is there is taken, whatever else is not as documented.

use crate::search::{DirectAnswer, SearchHit};
use serde_json::Value;

/// A text of an object; empty where it has none.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The first of these texts of an object that is not empty.
pub(super) fn first_text<'a>(object: &'a Value, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .map(|name| text(object, name))
        .find(|text| !text.trim().is_empty())
}

/// The hits of a list: each with its title, address, snippet and date under these names.
pub(super) fn hits(list: &Value, names: [&str; 4]) -> Option<Vec<SearchHit>> {
    let [title, url, snippet, date] = names;
    let hit = |item: &Value| {
        let hit = SearchHit::new(text(item, title), text(item, url), text(item, snippet))?;
        Some(hit.with_date(first_text(item, &[date])))
    };
    Some(list.as_array()?.iter().filter_map(hit).collect())
}

/// An answer with its title and address under these names.
pub(super) fn answer(object: &Value, texts: &[&str], title: &str, urls: &[&str]) -> Option<DirectAnswer> {
    let answer = DirectAnswer::new(first_text(object, texts)?)?;
    Some(answer.about(first_text(object, &[title])).at(first_text(object, urls)))
}
