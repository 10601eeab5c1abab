//! The client under test, and what it says.

pub(crate) use crate::server::{End, Reply, Service};
use futures_util::StreamExt;
use incar_core::{ChatModel, ChatRequest, Lang, Message, ModelError, ModelEvent, Seat, Speaker, ToolSet};
use incar_openai::{Config, OpenAiModel, Provider, RetryPolicy};
use std::time::Duration;

/// A configuration for `service` that loses no time between retries.
pub(crate) fn config(provider: Provider, service: &Service) -> Config {
    Config::new(provider)
        .with_base_url(&service.url)
        .with_model("test-model")
        .with_key("sk-secret")
        .with_retry(RetryPolicy::new(2, Duration::from_millis(1), Duration::from_millis(10)))
}

pub(crate) fn custom(service: &Service) -> OpenAiModel {
    config(Provider::Custom, service).build().unwrap()
}

/// What a model says to `messages`: its events, and the error that ended them.
pub(crate) async fn ask_with(
    model: &OpenAiModel,
    system: &str,
    messages: &[Message],
    tools: Option<&ToolSet>,
    lang: Lang,
) -> (Vec<ModelEvent>, Option<ModelError>) {
    let speaker = Speaker::new("car", Seat::Driver);
    let mut request = ChatRequest::new(system, messages, &speaker, lang);
    if let Some(tools) = tools {
        request = request.with_tools(tools);
    }
    let mut stream = model.stream(request);
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// What a model says to a plain utterance.
pub(crate) async fn ask(model: &OpenAiModel) -> (Vec<ModelEvent>, Option<ModelError>) {
    ask_with(model, "Be brief.", &[Message::user("打开车窗")], None, Lang::Zh).await
}

/// The error that a plain utterance ends in.
pub(crate) async fn error_of(model: &OpenAiModel) -> ModelError {
    ask(model).await.1.expect("an error")
}

/// The text that a plain utterance is answered with.
pub(crate) async fn text_of(model: &OpenAiModel) -> String {
    let (events, error) = ask(model).await;
    assert_eq!(error, None);
    let text = events.iter().filter_map(|event| match event {
        ModelEvent::Text(text) => Some(text.as_str()),
        _ => None,
    });
    text.collect()
}
