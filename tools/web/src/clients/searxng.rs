//! SearXNG: `GET /search` with `format=json`, which an instance must have switched on.

use super::service::Service;
use super::{Found, json};
use crate::search::{DirectAnswer, SearchQuery};
use reqwest::RequestBuilder;
use serde_json::Value;

pub(super) fn request(service: &Service, query: &SearchQuery) -> RequestBuilder {
    let language = query.lang.pick("zh-CN", "en");
    let request = service.get(
        "search",
        &[("q", &query.text), ("format", "json"), ("language", language)],
    );
    service.bearer(request)
}

pub(super) fn read(reply: &Value) -> Option<Found> {
    let first = |name: &str| reply.get(name).and_then(Value::as_array).and_then(|list| list.first());
    let infobox = first("infoboxes").and_then(|found| {
        let url = found
            .get("urls")
            .and_then(|urls| urls.get(0))
            .map(|url| json::text(url, "url"));
        Some(json::answer(found, &["content"], "infobox", &[])?.at(url))
    });
    // An answer is a text, or in newer versions an object.
    let answer = first("answers").and_then(|found| match found.as_str() {
        Some(text) => DirectAnswer::new(text),
        None => json::answer(found, &["answer"], "title", &["url"]),
    });
    Some(Found {
        hits: json::hits(reply.get("results")?, ["title", "url", "content", "publishedDate"])?,
        answer: answer.or(infobox),
    })
}
