//! The services, as their sites say they answer.

use crate::site::{Answer, Site};
use incar_core::Lang;
use incar_web::{
    Access, ConfigError, JinaReader, PageReader, SearchClient, SearchQuery, SearchResults, SearchService, WebError,
    WebSearch,
};
use std::time::Duration;

const KEY: &str = "key-123";

async fn search(service: SearchService, site: &Site, query: &SearchQuery) -> Result<SearchResults, WebError> {
    let access = Access::new()
        .with_url(site.url("/"))
        .with_timeout(Duration::from_secs(20));
    let access = match service.key_variable() {
        Some(_) => access.with_key(KEY),
        None => access,
    };
    SearchClient::new(service, &access).unwrap().search(query).await
}

/// What a service answers to a query, told in lines: the answer, then the hits.
async fn check(service: SearchService, reply: &'static str, asked: &[&str], told: &[&str]) {
    let site = Site::start(move |_| Answer::json(reply)).await;
    let query = SearchQuery::new("武汉 东湖&a=b", Lang::Zh).with_count(2);
    let found = search(service, &site, &query).await.unwrap();
    assert_eq!(found.source.name(), service.name());
    let part = |text: Option<String>| text.unwrap_or_default();
    let answer = found
        .answer
        .map(|answer| format!("{} | {} | {}", part(answer.title), answer.text, part(answer.url)));
    let hits = found
        .hits
        .into_iter()
        .map(|hit| format!("{} | {} | {} | {}", hit.title, hit.url, hit.snippet, part(hit.date)));
    let lines: Vec<String> = answer.into_iter().chain(hits).collect();
    assert_eq!(lines, told, "{service:?}");
    let request = site.asked().remove(0);
    for piece in asked {
        assert!(request.contains(piece), "{service:?}: `{piece}` is not in {request}");
    }
}

#[tokio::test]
async fn tavily_is_asked_and_read() {
    check(
        SearchService::Tavily,
        r#"{"query":"q","follow_up_questions":null,"answer":"东湖绿道2016年开放。","images":[],"results":[
            {"title":"东湖","url":"https://e.com/1","content":"东湖在\n武汉。","score":0.9,"raw_content":null},
            {"title":"绿道","url":"https://e.com/2","content":"一期28.7公里","score":0.8,"published_date":"2024-01-02"},
            {"title":"third","url":"https://e.com/3","content":"over the count","score":0.1}],"response_time":1.2}"#,
        &[
            "POST /search HTTP",
            "authorization: Bearer key-123",
            r#""query":"武汉 东湖&a=b""#,
            r#""max_results":2"#,
            r#""include_answer":true"#,
        ],
        &[
            " | 东湖绿道2016年开放。 | ",
            "东湖 | https://e.com/1 | 东湖在 武汉。 | ",
            "绿道 | https://e.com/2 | 一期28.7公里 | 2024-01-02",
        ],
    )
    .await;
}

#[tokio::test]
async fn serper_is_asked_and_read() {
    check(
        SearchService::Serper,
        r#"{"searchParameters":{"q":"q","type":"search"},
            "knowledgeGraph":{"title":"东湖","type":"湖","description":"武汉的城中湖。","descriptionLink":"https://e.com/kg","attributes":{"面积":"33 km²"}},
            "organic":[{"title":"A","link":"https://e.com/1","snippet":"s","position":1,"date":"2023年5月1日"},
                       {"title":"no link","snippet":"left out"}],
            "relatedSearches":[{"query":"x"}],"credits":1}"#,
        &["POST /search HTTP", "x-api-key: key-123", r#""num":2"#, r#""hl":"zh-cn""#],
        &[
            "东湖 | 武汉的城中湖。 | https://e.com/kg",
            "A | https://e.com/1 | s | 2023年5月1日",
        ],
    )
    .await;
    // What is asked for exactly comes before what the thing is in general.
    check(
        SearchService::Serper,
        r#"{"answerBox":{"title":"东湖绿道 / 开放","answer":"2016年","link":"https://e.com/a"},
            "knowledgeGraph":{"title":"东湖","description":"武汉的城中湖。"},"organic":[]}"#,
        &[],
        &["东湖绿道 / 开放 | 2016年 | https://e.com/a"],
    )
    .await;
}

#[tokio::test]
async fn serpapi_is_asked_and_read() {
    check(
        SearchService::SerpApi,
        r#"{"search_metadata":{"status":"Success"},"answer_box":{"type":"organic_result","title":"East Lake","snippet":"A snippet.","link":"https://e.com/a"},
            "organic_results":[{"position":1,"title":"A","link":"https://e.com/1","snippet":"s","date":"May 1, 2023"}]}"#,
        &[
            "GET /search.json?engine=google&",
            "num=2&hl=zh-cn&api_key=key-123 HTTP",
            "q=%E6%AD%A6%E6%B1%89+%E4%B8%9C%E6%B9%96%26a%3Db&",
        ],
        &[
            "East Lake | A snippet. | https://e.com/a",
            "A | https://e.com/1 | s | May 1, 2023",
        ],
    )
    .await;
    let nothing =
        r#"{"search_metadata":{"status":"Success"},"error":"Google hasn't returned any results for this query."}"#;
    check(SearchService::SerpApi, nothing, &[], &[]).await;
}

#[tokio::test]
async fn searxng_is_asked_and_read() {
    check(
        SearchService::SearXng,
        r#"{"query":"q","number_of_results":0,"results":[{"url":"https://e.com/1","title":"A","content":"s","engine":"bing","publishedDate":null}],
            "answers":[],"infoboxes":[{"infobox":"东湖","content":"武汉的湖。","urls":[{"title":"W","url":"https://e.com/w"}]}],"suggestions":[]}"#,
        &["GET /search?q=", "&format=json&language=zh-CN HTTP"],
        &["东湖 | 武汉的湖。 | https://e.com/w", "A | https://e.com/1 | s | "],
    )
    .await;
    for answers in [r#"["42"]"#, r#"[{"answer":"42","url":null,"engine":"x"}]"#] {
        let reply: &'static str = format!(r#"{{"results":[],"answers":{answers}}}"#).leak();
        check(SearchService::SearXng, reply, &[], &[" | 42 | "]).await;
    }
}

#[tokio::test]
async fn a_services_faults_are_told_apart() {
    let site = Site::start(|path| match path.split('?').next().unwrap() {
        "/401/search" => Answer::new(401, &[], r#"{"detail":{"error":"Unauthorized"}}"#),
        "/403/search" => Answer::new(403, &[], ""),
        "/429/search" => Answer::new(429, &["retry-after: 7"], ""),
        "/432/search" => Answer::new(432, &[], ""),
        "/500/search" => Answer::new(500, &[], "oops"),
        "/302/search" => Answer::redirect("http://127.0.0.1:9/"),
        "/html/search" => Answer::html("<p>Log in to the hotspot"),
        "/cut/search" => Answer::json(r#"{"results":[{"title":"#),
        "/other/search" => Answer::json(r#"{"ok":true}"#),
        "/list/search" => Answer::json("[]"),
        "/long/search" => Answer::endless(&["content-type: application/json"], " "),
        "/short/search" => Answer::Whole(b"HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\n{}".to_vec()),
        _ => Answer::Hang(Vec::new()),
    })
    .await;
    let ask = async |path: &str, timeout: Duration| {
        let access = Access::new()
            .with_url(site.url(path))
            .with_key(KEY)
            .with_timeout(timeout);
        let client = SearchClient::new(SearchService::Tavily, &access).unwrap();
        client.search(&SearchQuery::new("q", Lang::En)).await.unwrap_err()
    };
    let unreadable = |what: &str| WebError::Unreadable(what.to_owned());
    let retry_after = Some(Duration::from_secs(7));
    for (path, error) in [
        ("/401", WebError::Key(401)),
        ("/403", WebError::Key(403)),
        ("/429", WebError::TooOften { retry_after }),
        ("/432", WebError::UsedUp),
        ("/500", WebError::Status(500)),
        ("/302", WebError::Redirects),
        ("/html", unreadable("the reply is no JSON")),
        ("/cut", unreadable("the reply is no JSON")),
        ("/other", unreadable("no results in the reply")),
        ("/list", unreadable("no results in the reply")),
        ("/long", WebError::TooLarge { limit: 4 << 20 }),
    ] {
        assert_eq!(ask(path, Duration::from_secs(20)).await, error, "{path}");
    }
    assert!(matches!(
        ask("/short", Duration::from_secs(20)).await,
        WebError::Unreachable(_)
    ));
    assert_eq!(ask("/hang", Duration::from_millis(200)).await, WebError::Late);
    // Each was asked once, and the redirect was not followed.
    assert_eq!(site.asked().len(), 13);
}

#[tokio::test]
async fn a_key_follows_no_redirect() {
    let other = Site::start(|_| Answer::json(r#"{"results":[]}"#)).await;
    let to = other.url("/search");
    let site = Site::start(move |_| Answer::redirect(&to)).await;
    for service in SearchService::ALL {
        let found = search(service, &site, &SearchQuery::new("q", Lang::En)).await;
        assert_eq!(found, Err(WebError::Redirects), "{service:?}");
    }
    let jina = JinaReader::new(&Access::new().with_url(site.url("/")).with_key(KEY)).unwrap();
    assert_eq!(jina.read("https://example.com/").await, Err(WebError::Redirects));
    assert_eq!(other.asked().len(), 0);
}

#[tokio::test]
async fn what_cannot_be_reached_tells_no_key() {
    let gone = Access::new().with_key(KEY).with_url("http://127.0.0.1:9");
    let client = SearchClient::new(SearchService::SerpApi, &gone).unwrap();
    let error = client.search(&SearchQuery::new("q", Lang::En)).await.unwrap_err();
    assert!(matches!(error, WebError::Unreachable(_)));
    assert!(!format!("{error} {error:?} {client:?}").contains(KEY));
}

#[tokio::test]
async fn jina_reads_pages_of_the_public_web() {
    let site = Site::start(|_| {
        Answer::json(
            r#"{"code":200,"status":20000,"data":{"title":"Lake","description":"","url":"https://example.com/lake",
                "content":"Dammed in 1934.","publishedTime":"2024-05-01","usage":{"tokens":9}}}"#,
        )
    })
    .await;
    let jina = JinaReader::new(&Access::new().with_url(site.url("/")).with_key(KEY)).unwrap();
    let page = jina.read("https://example.com/lake?a=b").await.unwrap();
    assert_eq!(
        (
            page.title.as_str(),
            page.text.as_str(),
            page.updated.as_deref(),
            page.source.name()
        ),
        ("Lake", "Dammed in 1934.", Some("2024-05-01"), "jina")
    );
    let request = site.asked().remove(0);
    for piece in [
        "POST / HTTP",
        "authorization: Bearer key-123",
        r#"{"url":"https://example.com/lake?a=b"}"#,
    ] {
        assert!(request.contains(piece), "{request}");
    }
    for inner in [
        "http://10.0.0.1/",
        "http://localhost/",
        "http://nas/",
        "file:///x",
        "http://me:x@example.com/",
    ] {
        assert!(jina.read(inner).await.is_err(), "{inner}");
    }
    assert_eq!(site.asked().len(), 1);
}

#[test]
fn a_client_is_not_made_from_what_cannot_be() {
    for (service, access, says) in [
        (SearchService::Tavily, Access::new(), "TAVILY_API_KEY"),
        (SearchService::SearXng, Access::new(), "address"),
        (SearchService::Serper, Access::new().with_key("two words"), "key"),
        (
            SearchService::Serper,
            Access::new().with_key("k").with_url("serper"),
            "http",
        ),
        (
            SearchService::Serper,
            Access::new().with_key("k").with_url("http://example.com"),
            "plain http",
        ),
    ] {
        let error: ConfigError = SearchClient::new(service, &access).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    for service in SearchService::ALL {
        assert_eq!(SearchService::from_name(service.name()), Some(service));
    }
    assert_eq!(SearchService::from_name("bing"), None);
}
