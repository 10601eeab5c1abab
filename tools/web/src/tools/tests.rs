//! The tools over the offline corpus, and what every source has in common.

use super::*;
use crate::error::WebError;
use crate::page::Page;
use crate::search::{DirectAnswer, SearchHit, SearchQuery, SearchResults, Source};
use crate::testing::{call, call_at, clock};
use incar_core::{ErrorKind, Lang, Refusal, async_trait};
use serde_json::{Value, json};
use std::sync::Mutex;

async fn offline(name: &str, lang: Lang, arguments: Value) -> Result<incar_core::ToolOutput, Refusal> {
    call(&WebTools::offline().tools(), name, lang, &arguments).await
}

/// The address of the first page that a search finds, as a model picks it up.
async fn first(lang: Lang, query: &str) -> String {
    let found = offline("search_web", lang, json!({"query": query})).await.unwrap();
    found.value["results"][0]["url"].as_str().unwrap().to_owned()
}

#[test]
fn the_words_are_read_and_the_results_are_untrusted() {
    let tools = WebTools::offline().tools();
    let told = |tool: &Arc<dyn Tool>| {
        let spec = tool.spec();
        let arguments = spec.parameters["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        (
            spec.name.to_string(),
            arguments,
            spec.required().map(str::to_owned).collect(),
        )
    };
    let told: Vec<(String, Vec<String>, Vec<String>)> = tools.iter().map(told).collect();
    let expected = [
        ("search_web", vec!["count", "query"], vec!["query"]),
        ("read_page", vec!["url"], vec!["url"]),
    ];
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    assert_eq!(
        told,
        expected.map(|(name, arguments, required)| (name.to_owned(), owned(arguments), owned(required)))
    );
    for tool in tools {
        let spec = tool.spec();
        assert!(spec.untrusted && spec.effect == Effect::Read, "{}", spec.name);
        for argument in spec.required() {
            assert!(spec.words.ask.contains_key(argument), "{}: {argument}", spec.name);
        }
    }
}

#[tokio::test]
async fn a_question_of_several_hops_is_answered_without_a_network() {
    for (lang, hops) in [
        (
            Lang::Zh,
            [("武汉的湖", "东湖"), ("东湖绿道一期 开放", "2016年12月28日")],
        ),
        (Lang::Zh, [("杭州 西湖", "西湖"), ("西湖 世界遗产 列入", "2011年6月")]),
        (
            Lang::En,
            [("Las Vegas water", "Hoover Dam"), ("Hoover Dam dedicated", "1935")],
        ),
        (
            Lang::En,
            [("Chicago lake pier", "Navy Pier"), ("Navy Pier opened", "1916")],
        ),
    ] {
        for (query, says) in hops {
            let url = first(lang, query).await;
            let page = offline("read_page", lang, json!({"url": url})).await.unwrap();
            let text = page.value["text"].as_str().unwrap();
            assert!(text.contains(says), "{query}: {text}");
        }
    }
}

#[tokio::test]
async fn the_offline_corpus_says_that_it_is_one() {
    for (lang, query, begins) in [
        (Lang::Zh, "西湖", "离线资料里查到，西湖：西湖在杭州市区西面"),
        (Lang::En, "Hoover Dam", "From the offline articles: Hoover Dam: "),
    ] {
        let found = offline("search_web", lang, json!({"query": query})).await.unwrap();
        assert_eq!(found.value["source"], "offline_corpus");
        let said = found.say.unwrap();
        assert!(said.starts_with(begins), "{said}");
        let page = offline("read_page", lang, json!({"url": first(lang, query).await}))
            .await
            .unwrap();
        assert_eq!(page.value["source"], "offline_corpus");
        let said = page.say.unwrap();
        assert!(
            said.starts_with(lang.pick("离线资料，", "From the offline articles, ")),
            "{said}"
        );
    }
}

#[tokio::test]
async fn conflicting_articles_are_both_found_with_their_age() {
    let found = offline("search_web", Lang::Zh, json!({"query": "机油更换周期多少公里"}))
        .await
        .unwrap();
    let dates: Vec<&str> = found.value["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|hit| hit["date"].as_str())
        .collect();
    assert!(dates.contains(&"2024") && dates.contains(&"2008"), "{}", found.value);
}

#[tokio::test]
async fn what_cannot_be_looked_up_is_told() {
    for (tool, arguments, kind, argument) in [
        (
            "search_web",
            json!({"query": " \n"}),
            ErrorKind::InvalidInput,
            Some("query"),
        ),
        (
            "search_web",
            json!({"query": "x", "count": 11}),
            ErrorKind::OutOfRange,
            Some("count"),
        ),
        ("search_web", json!({"query": "qqq zyxwv"}), ErrorKind::NotFound, None),
        ("read_page", json!({"url": ""}), ErrorKind::InvalidInput, Some("url")),
        (
            "read_page",
            json!({"url": "https://example.com"}),
            ErrorKind::NotFound,
            None,
        ),
    ] {
        match offline(tool, Lang::En, arguments.clone()).await {
            Err(Refusal::Failed(error)) => {
                assert_eq!((error.kind, error.argument.as_deref()), (kind, argument), "{arguments}");
            }
            other => panic!("{arguments}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_search_and_a_page_are_asked_for_once_while_they_are_fresh() {
    let page = Page::new(WEB, "https://e.com/", "T", "text");
    let hits = SearchHit::new("T", "https://e.com/", "s").into_iter().collect();
    let service = Scripted::new(Ok(SearchResults::new(WEB, hits)), Ok(page));
    let tools = WebTools::new(service.clone(), service.clone()).tools();
    let clock = clock();
    for (minutes, tool, arguments, asked) in [
        (0, "search_web", json!({"query": "a"}), 1),
        (9, "search_web", json!({"query": " a ", "count": 5}), 1),
        (2, "search_web", json!({"query": "a"}), 2),
        (0, "read_page", json!({"url": "https://e.com/"}), 3),
        (59, "read_page", json!({"url": "https://e.com/#there"}), 3),
        (2, "read_page", json!({"url": "https://e.com/"}), 4),
    ] {
        clock.advance(Duration::from_secs(minutes * 60));
        assert!(call_at(&clock, &tools, tool, Lang::Zh, &arguments).await.is_ok());
        assert_eq!(service.asked.lock().unwrap().len(), asked, "{tool} {arguments}");
    }
    let forgetful = Lifetimes::new(Duration::ZERO, Duration::ZERO);
    let tools = WebTools::new(service.clone(), service.clone())
        .with_lifetimes(forgetful)
        .tools();
    for asked in [5, 6] {
        assert!(
            call_at(&clock, &tools, "search_web", Lang::Zh, &json!({"query": "a"}))
                .await
                .is_ok()
        );
        assert_eq!(service.asked.lock().unwrap().len(), asked);
    }
}

#[tokio::test]
async fn an_answer_of_the_corpus_does_not_outlive_the_outage() {
    let service = Scripted::down(WebError::Late);
    let tools = WebTools::new(service.clone(), service.clone())
        .with_corpus(Arc::new(Corpus::embedded()))
        .tools();
    for asked in [1, 2] {
        let found = call(&tools, "search_web", Lang::Zh, &json!({"query": "西湖"}))
            .await
            .unwrap();
        assert_eq!(found.value["source"], "offline_corpus");
        assert_eq!(service.asked.lock().unwrap().len(), asked);
    }
}

/// A service that answers with what it is given, and remembers what it was asked.
#[derive(Debug)]
struct Scripted {
    results: Result<SearchResults, WebError>,
    page: Result<Page, WebError>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(results: Result<SearchResults, WebError>, page: Result<Page, WebError>) -> Arc<Self> {
        Arc::new(Self {
            results,
            page,
            asked: Mutex::default(),
        })
    }

    fn down(error: WebError) -> Arc<Self> {
        Self::new(Err(error.clone()), Err(error))
    }
}

#[async_trait]
impl WebSearch for Scripted {
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError> {
        self.asked
            .lock()
            .unwrap()
            .push(format!("{} {}", query.text, query.count));
        self.results.clone()
    }
}

#[async_trait]
impl PageReader for Scripted {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        self.asked.lock().unwrap().push(url.to_owned());
        self.page.clone()
    }
}

const WEB: Source = Source::Web("test");

#[tokio::test]
async fn the_direct_answer_is_told_first_and_the_count_is_kept() {
    let hits = (0..9).filter_map(|n| SearchHit::new("T", &format!("https://e.com/{n}"), "s"));
    let answer = DirectAnswer::new("Opened in 1916.").map(|answer| answer.about(Some("Navy Pier")));
    let results = SearchResults::new(WEB, hits.collect()).with_answer(answer);
    let service = Scripted::new(Ok(results), Err(WebError::NoPage));
    let tools = WebTools::new(service.clone(), service.clone()).tools();
    for (arguments, asked, count) in [
        (json!({"query": " navy \n pier "}), "navy pier 5", 5),
        (json!({"query": "navy pier", "count": 2}), "navy pier 2", 2),
    ] {
        let found = call(&tools, "search_web", Lang::En, &arguments).await.unwrap();
        assert_eq!(found.say.as_deref(), Some("Opened in 1916."));
        assert_eq!(
            found.value["answer"],
            json!({"text": "Opened in 1916.", "title": "Navy Pier"})
        );
        assert_eq!(found.value["results"].as_array().unwrap().len(), count);
        assert_eq!(service.asked.lock().unwrap().pop().as_deref(), Some(asked));
    }
}

#[tokio::test]
async fn a_long_page_is_cut_by_words_with_a_notice() {
    for (lang, text, kept, notice) in [
        (Lang::Zh, "湖".repeat(12), "湖".repeat(10), "全文12词，这里只有前10词。"),
        (
            Lang::En,
            "lake ".repeat(12),
            "lake ".repeat(10).trim_end().to_owned(),
            "The page has 12 words; these are the first 10.",
        ),
    ] {
        let page = Page::new(WEB, "https://e.com/", "T", text);
        let service = Scripted::new(Err(WebError::Late), Ok(page));
        let tools = WebTools::new(service.clone(), service).with_page_words(10).tools();
        let page = call(&tools, "read_page", lang, &json!({"url": "https://e.com/#part"}))
            .await
            .unwrap();
        assert_eq!(page.value["text"], kept);
        assert_eq!(page.value["notice"], notice);
    }
}

#[tokio::test]
async fn the_corpus_answers_where_the_service_cannot_be_reached_and_only_there() {
    for (error, answered) in [
        (WebError::Unreachable("no such host".into()), true),
        (WebError::Late, true),
        (WebError::Status(503), true),
        (WebError::TooOften { retry_after: None }, true),
        (WebError::Key(401), false),
        (WebError::Unreadable("x".into()), false),
    ] {
        let service = Scripted::down(error.clone());
        let tools = WebTools::new(service.clone(), service)
            .with_corpus(Arc::new(Corpus::embedded()))
            .tools();
        let found = call(&tools, "search_web", Lang::Zh, &json!({"query": "西湖"})).await;
        assert_eq!(found.is_ok(), answered, "{error}: {found:?}");
        // What the corpus has nothing of stays the outage that it is.
        let nothing = call(&tools, "search_web", Lang::Zh, &json!({"query": "zyxwv"})).await;
        assert!(matches!(nothing, Err(Refusal::Failed(told)) if told == error.spoken(Lang::Zh)));
        let page = call(
            &tools,
            "read_page",
            Lang::Zh,
            &json!({"url": "incar://corpus/west-lake-zh"}),
        )
        .await;
        assert!(page.is_ok(), "{page:?}");
        let web = call(&tools, "read_page", Lang::Zh, &json!({"url": "https://e.com/"})).await;
        assert!(matches!(web, Err(Refusal::Failed(told)) if told == error.spoken(Lang::Zh)));
    }
}
