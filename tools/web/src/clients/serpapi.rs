//! SerpAPI: `GET /search.json`, the key among the parameters.

use super::service::{ApiKey, Service};
use super::{Found, google_language, json};
use crate::search::SearchQuery;
use reqwest::RequestBuilder;
use serde_json::Value;

pub(super) fn request(service: &Service, query: &SearchQuery) -> RequestBuilder {
    let count = query.count.to_string();
    service.get(
        "search.json",
        &[
            ("engine", "google"),
            ("q", &query.text),
            ("num", &count),
            ("hl", google_language(query.lang)),
            ("api_key", service.key().map(ApiKey::plain).unwrap_or_default()),
        ],
    )
}

pub(super) fn read(reply: &Value) -> Option<Found> {
    // That nothing was found comes as an error with status 200.
    if json::text(reply, "error").contains("hasn't returned any results") {
        return Some(Found::default());
    }
    let hits = reply
        .get("organic_results")
        .and_then(|list| json::hits(list, ["title", "link", "snippet", "date"]));
    let graph = reply.get("knowledge_graph");
    let answer_box = reply.get("answer_box").map(|found| match found.as_array() {
        Some(several) => several.first().unwrap_or(&Value::Null),
        None => found,
    });
    if hits.is_none() && graph.is_none() && answer_box.is_none() {
        return None;
    }
    let answer = |names: &[&str]| json::answer(answer_box?, names, "title", &["link"]);
    Some(Found {
        answer: answer(&["answer", "result"])
            .or_else(|| json::answer(graph?, &["description"], "title", &["website"]))
            .or_else(|| answer(&["snippet"])),
        hits: hits.unwrap_or_default(),
    })
}
