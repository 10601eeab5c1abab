//! Serper: `POST /search`, the key in a header of its own.

use super::service::Service;
use super::{Found, google_language, json};
use crate::search::SearchQuery;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

pub(super) fn request(service: &Service, query: &SearchQuery) -> RequestBuilder {
    let body = json!({"q": query.text, "num": query.count, "hl": google_language(query.lang)});
    let request = service.post("search", &body);
    match service.key() {
        Some(key) => request.header("x-api-key", key.header()),
        None => request,
    }
}

pub(super) fn read(reply: &Value) -> Option<Found> {
    let hits = reply
        .get("organic")
        .and_then(|list| json::hits(list, ["title", "link", "snippet", "date"]));
    let (graph, answer_box) = (reply.get("knowledgeGraph"), reply.get("answerBox"));
    if hits.is_none() && graph.is_none() && answer_box.is_none() {
        return None;
    }
    let answer = |names: &[&str]| json::answer(answer_box?, names, "title", &["link"]);
    Some(Found {
        answer: answer(&["answer"])
            .or_else(|| json::answer(graph?, &["description"], "title", &["descriptionLink", "website"]))
            .or_else(|| answer(&["snippet"])),
        hits: hits.unwrap_or_default(),
    })
}
