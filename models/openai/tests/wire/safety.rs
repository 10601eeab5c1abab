//! Where the key goes, and where not.

use crate::service::{Reply, Service, ask, config, custom, error_of, text_of};
use incar_core::{ChatModel, ErrorKind};
use incar_openai::{Config, ConfigError, Provider, RetryPolicy};
use serde_json::json;

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let other = Service::start([Reply::saying("caught")]).await;
        let to = format!("{}/chat/completions", other.url);
        let service = Service::start([Reply::new(status, "").with_header("location", to)]).await;
        let error = error_of(&custom(&service)).await;
        assert_eq!((error.kind, error.status), (ErrorKind::ModelRejected, Some(status)));
        assert_eq!(
            (service.count(), other.connections()),
            (1, 0),
            "{status}: the other never heard of it"
        );
    }
}

#[tokio::test]
async fn a_redirect_within_the_service_is_followed() {
    let moved = Reply::new(307, "").with_header("location", "/v2/chat/completions");
    let service = Service::start([moved, Reply::saying("好")]).await;
    assert_eq!(text_of(&custom(&service)).await, "好");
    let asked = service.asked();
    let paths: Vec<&str> = asked.iter().map(|asked| asked.path.as_str()).collect();
    assert_eq!(paths, ["/v1/chat/completions", "/v2/chat/completions"]);
    assert_eq!(asked[0].body, asked[1].body);
}

#[tokio::test]
async fn a_service_that_redirects_in_a_circle_is_given_up() {
    let moved = || Reply::new(308, "").with_header("location", "/v1/chat/completions");
    let service = Service::start((0..9).map(|_| moved())).await;
    assert_eq!(error_of(&custom(&service)).await.kind, ErrorKind::ModelRejected);
    assert_eq!(service.count(), 4);
}

#[tokio::test]
async fn a_key_shows_itself_nowhere() {
    let echo = r#"{"error":{"message":"the key sk-secret is unknown"}}"#;
    let service = Service::start([Reply::new(401, echo)]).await;
    let settings = config(Provider::Custom, &service);
    let model = settings.clone().build().unwrap();
    let error = error_of(&model).await;
    assert!(error.message.contains("[key]"), "{error}");
    for text in [format!("{error:?}"), format!("{settings:?}"), format!("{model:?}")] {
        assert!(!text.contains("secret"), "{text}");
    }
    assert_eq!(model.name(), "test-model");
}

#[tokio::test]
async fn no_key_sends_no_header() {
    let service = Service::start([Reply::saying("好")]).await;
    let model = Config::new(Provider::Custom)
        .with_base_url(&service.url)
        .with_model("m");
    ask(&model.build().unwrap()).await;
    assert_eq!(service.asked()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_service_that_does_not_speak_tls_is_unavailable() {
    let service = Service::start([]).await;
    let model = config(Provider::Custom, &service)
        .with_base_url(service.url.replace("http:", "https:"))
        .with_retry(RetryPolicy::never());
    match model.build() {
        Ok(model) => assert_eq!(error_of(&model).await.kind, ErrorKind::ModelUnavailable),
        // A machine without any trusted certificate.
        Err(error) => assert!(matches!(error, ConfigError::Tls(_)), "{error}"),
    }
    assert_eq!(service.count(), 0);
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_sent() {
    let base = || Config::new(Provider::DashScope).with_base_url("http://127.0.0.1:1/v1");
    let extra = |name: &str| base().with_extra_body(json!({name: 1}).as_object().unwrap().clone());
    for (config, says) in [
        (base().with_temperature(2.5), "temperature"),
        (base().with_temperature(f64::NAN), "temperature"),
        (base().with_top_p(0.0), "top_p"),
        (base().with_max_tokens(0), "max_tokens"),
        (base().with_model(" "), "no model"),
        (base().with_base_url(""), "no base URL"),
        (base().with_base_url("dashscope.aliyuncs.com"), "no base URL"),
        (base().with_key("two words"), "key"),
        (
            base().with_base_url("http://10.0.0.7/v1").with_key("sk-1"),
            "plain http",
        ),
        (extra("messages"), "messages"),
        (extra("stream"), "stream"),
    ] {
        let error = config.build().unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
}

#[test]
fn a_client_for_this_machine_needs_no_runtime_and_no_certificates() {
    for provider in [Provider::LlamaCpp, Provider::Ollama, Provider::Vllm] {
        let model = Config::new(provider).with_model("m").build().unwrap();
        assert!(model.address().starts_with("http://127.0.0.1"), "{}", model.address());
    }
}
