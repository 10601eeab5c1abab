//! `[web]`

use crate::support::{Car, body, calls, configured, says, service};
use incar_config::{Config, Environment};
use incar_web::{Reader, SearchService};
use serde_json::json;
use std::path::Path;

#[tokio::test]
async fn a_question_goes_to_the_configured_service_with_its_key() {
    let search = service([json!({"answer": "The Jinping-I Dam is 305 metres tall.",
        "results": [{"title": "Tallest dams", "url": "https://dams.example/", "content": "Jinping-I: 305 m"}]})])
    .await;
    let model = service([
        calls("search_web", &json!({"query": "tallest dam"})),
        says("It is the Jinping-I Dam, 305 metres."),
    ])
    .await;
    let text = format!(
        "[web]\nsearch = \"tavily\"\nurl = \"{}\"\nkey_env = \"SEARCH_KEY\"\n",
        search.url("")
    );
    let car = Car::new(&configured(Path::new(""), &model, &text)).await;
    let response = car.say("what is the tallest dam in the world?").await;
    assert_eq!(response.data.tools_used, ["search_web"], "{}", response.message);
    assert_eq!(response.message, "It is the Jinping-I Dam, 305 metres.");
    let asked = search.asked();
    let [request] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert!(request.starts_with("POST /search "), "{request}");
    assert!(
        request.contains("authorization: Bearer key-must-not-be-shown"),
        "{request}"
    );
    assert_eq!(body(&search, 0)["query"], "tallest dam");
    assert!(body(&model, 1)["messages"].to_string().contains("Jinping-I: 305 m"));
}

#[tokio::test]
async fn a_service_that_is_gone_leaves_the_offline_articles_unless_they_are_off() {
    for (fallback, source) in [("true", "offline_corpus"), ("false", "unreachable")] {
        let model = service([calls("search_web", &json!({"query": "西湖"})), says("查到了。")]).await;
        let text =
            format!("[web]\nsearch = \"searxng\"\nurl = \"http://127.0.0.1:1\"\noffline_fallback = {fallback}\n");
        let car = Car::new(&configured(Path::new(""), &model, &text)).await;
        let response = car.say("上网查一下西湖").await;
        let result = response.data.tool_results[0].result.to_string();
        assert_eq!(
            result.contains("offline_corpus"),
            source == "offline_corpus",
            "{result}"
        );
    }
}

#[test]
fn settings_are_what_the_file_says() {
    let environment = Environment::from_iter([("SERPER_API_KEY", "s"), ("JINA_API_KEY", "j")]);
    let read = |text: &str| Config::from_toml("c.toml", text, Path::new(""), &environment).map(|config| config.web);
    assert!(read("").unwrap().is_none());
    let offline = read("[web]\n").unwrap().unwrap();
    assert_eq!((offline.settings().search, offline.settings().timeout), (None, 10));
    let text = "[web]\nsearch = \"serper\"\nreader = \"jina\"\ntimeout_s = 5\npage_words = 800\nkeep_search_s = 0\n\
        keep_page_s = 60\noffline_fallback = false\n";
    let web = read(text).unwrap().unwrap();
    let settings = web.settings();
    assert_eq!(
        (settings.search, settings.reader),
        (Some(SearchService::Serper), Reader::Jina)
    );
    assert_eq!((settings.timeout, settings.page_words), (5, 800));
    assert_eq!(
        (settings.keep_search, settings.keep_page, settings.offline_fallback),
        (0, 60, false)
    );
    let fetch = read("[web]\nsearch = \"serper\"\npage_bytes = 20000\nallow = [\"10.0.0.0/8\"]\n");
    let fetch = fetch.unwrap().unwrap();
    assert_eq!(fetch.settings().page_bytes, 20_000);
    assert_eq!(fetch.settings().allow, ["10.0.0.0/8"]);
    assert!(fetch.build().is_ok());
}

#[test]
fn a_variable_turns_the_web_on() {
    let environment = Environment::from_iter([("INCAR_WEB_SEARCH", "offline")]);
    assert!(Config::from_environment(&environment).unwrap().web.is_some());
}
