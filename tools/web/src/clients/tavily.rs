//! Tavily: `POST /search`, the key as a bearer's.

use super::service::Service;
use super::{Found, json};
use crate::search::{DirectAnswer, SearchQuery};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

pub(super) fn request(service: &Service, query: &SearchQuery) -> RequestBuilder {
    let body = json!({
        "query": query.text,
        "max_results": query.count,
        "search_depth": "basic",
        "include_answer": true,
    });
    service.bearer(service.post("search", &body))
}

pub(super) fn read(reply: &Value) -> Option<Found> {
    Some(Found {
        hits: json::hits(reply.get("results")?, ["title", "url", "content", "published_date"])?,
        answer: DirectAnswer::new(json::text(reply, "answer")),
    })
}
