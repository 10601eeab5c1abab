//! What goes wrong.

use crate::service::{End, Reply, Service, ask, config, custom, error_of, text_of};
use incar_core::{ErrorKind, ModelEvent};
use incar_openai::{Config, Provider, ReplyLimits, RetryPolicy, Timeouts};
use std::time::Duration;

const TEXT: &str = r#"{"choices":[{"index":0,"delta":{"content":"好的"}}]}"#;

fn once(service: &Service) -> Config {
    config(Provider::Custom, service).with_retry(RetryPolicy::never())
}

#[tokio::test]
async fn a_service_that_fails_first_is_asked_again() {
    for (what, replies) in [
        (
            "too many requests",
            vec![Reply::new(429, "{}").with_header("retry-after", "0")],
        ),
        ("twice", vec![Reply::new(500, "{}"), Reply::new(503, "{}")]),
        (
            "overloaded, in the stream",
            vec![Reply::events(&[r#"{"error":{"message":"overloaded","code":503}}"#])],
        ),
        (
            "an error event",
            vec![Reply::sse("event: error\ndata: {\"message\":\"try again\"}\n\n")],
        ),
        ("nothing at all", vec![Reply::new(200, "")]),
        ("only [DONE]", vec![Reply::events(&[])]),
        (
            "cut before the first token",
            vec![Reply::sse(": wait\n\n").with_end(End::Cut)],
        ),
    ] {
        let failures = replies.len();
        let service = Service::start(replies.into_iter().chain([Reply::saying("好")])).await;
        assert_eq!(text_of(&custom(&service)).await, "好", "{what}");
        let asked = service.asked();
        assert_eq!(asked.len(), failures + 1, "{what}");
        assert!(
            asked.iter().all(|again| again.body == asked[0].body),
            "{what}: the same request"
        );
    }
}

#[tokio::test]
async fn tries_are_bounded() {
    let service = Service::start((0..9).map(|_| Reply::new(500, r#"{"error":{"message":"down"}}"#))).await;
    let error = error_of(&custom(&service)).await;
    assert_eq!(
        (error.kind, error.retryable, error.status),
        (ErrorKind::ModelUnavailable, true, Some(500))
    );
    assert!(error.message.contains("down"), "{error}");
    assert_eq!(service.count(), 3);
}

#[tokio::test]
async fn a_service_that_wants_a_long_pause_is_left_alone() {
    let service = Service::start([
        Reply::new(429, "{}").with_header("Retry-After", "30"),
        Reply::saying("好"),
    ])
    .await;
    let error = error_of(&custom(&service)).await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(30)));
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn a_refusal_is_final() {
    for status in [400, 401, 403, 404, 422] {
        let service = Service::start([Reply::new(status, r#"{"error":{"message":"no"}}"#)]).await;
        let error = error_of(&custom(&service)).await;
        assert_eq!(
            (error.kind, error.retryable, error.status),
            (ErrorKind::ModelRejected, false, Some(status))
        );
        assert_eq!(service.count(), 1);
    }
}

#[tokio::test]
async fn what_was_said_is_never_said_again() {
    for (what, reply) in [
        ("cut", Reply::sse(&format!("data: {TEXT}\n\n")).with_end(End::Cut)),
        ("ended without a reason", Reply::sse(&format!("data: {TEXT}\n\n"))),
        (
            "ended inside an event",
            Reply::sse(&format!("data: {TEXT}\n\ndata: {{\"choices\":[{{\"del")),
        ),
        ("an error", Reply::events(&[TEXT, r#"{"error":"overloaded"}"#])),
        (
            "given up",
            Reply::events(&[
                TEXT,
                r#"{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}"#,
            ]),
        ),
    ] {
        let service = Service::start([reply, Reply::saying("好")]).await;
        let (events, error) = ask(&custom(&service)).await;
        assert_eq!(events, [ModelEvent::Text("好的".into())], "{what}");
        assert_eq!(error.unwrap().kind, ErrorKind::ModelUnavailable, "{what}");
        assert_eq!(service.count(), 1, "{what}");
    }
}

#[tokio::test]
async fn what_is_no_reply_is_an_error() {
    for (what, reply, says) in [
        (
            "a page",
            Reply::new(200, "\n<!DOCTYPE html><html>Sign in</html>"),
            "an HTML page",
        ),
        ("an event of something else", Reply::events(&["hello"]), "unreadable"),
        (
            "JSON of something else",
            Reply::new(200, r#"{"status":"ok"}"#),
            "cut off",
        ),
        (
            "an error",
            Reply::new(200, r#"{"error":{"message":"quota is used up"}}"#),
            "quota is used up",
        ),
        (
            "DashScope's own way",
            Reply::new(200, r#"{"code":"Busy","message":"server busy"}"#),
            "server busy",
        ),
        (
            "a page with a status",
            Reply::new(502, "<html>Bad gateway</html>"),
            "502: an HTML page",
        ),
    ] {
        let service = Service::start([reply]).await;
        let error = error_of(&once(&service).build().unwrap()).await;
        assert_eq!(error.kind, ErrorKind::ModelUnavailable, "{what}");
        assert!(error.message.contains(says), "{what}: {error}");
    }
}

#[tokio::test]
async fn an_endless_reply_ends_in_an_error() {
    let limits = ReplyLimits::new(1000, 4000);
    for (what, stream, says) in [
        ("a line", "data: ".to_owned() + &"x".repeat(2000), "a line"),
        ("an event", "data: xxxx\n".repeat(500), "a line"),
        ("comments", ": still thinking\n\n".repeat(500), "the whole"),
        ("text", format!("data: {TEXT}\n\n").repeat(500), "the whole"),
        ("JSON", "{".to_owned() + &" ".repeat(5000), "the whole"),
    ] {
        let service = Service::start([Reply::sse(&stream).in_pieces(100).with_end(End::Hang)]).await;
        let error = error_of(&custom_with(&service, limits)).await;
        assert_eq!(
            (error.kind, error.retryable),
            (ErrorKind::ModelUnavailable, false),
            "{what}"
        );
        assert!(error.message.contains(says), "{what}: {error}");
        assert_eq!(service.count(), 1, "{what}");
    }
}

fn custom_with(service: &Service, limits: ReplyLimits) -> incar_openai::OpenAiModel {
    config(Provider::Custom, service).with_limits(limits).build().unwrap()
}

#[tokio::test]
async fn a_service_that_does_not_begin_in_time_is_unavailable() {
    let short = Timeouts::new(
        Duration::from_secs(5),
        Duration::from_millis(150),
        Duration::from_secs(60),
    );
    for (what, reply) in [
        ("nothing", Reply::hang()),
        ("headers only", Reply::sse("").with_end(End::Hang)),
        ("comments only", Reply::sse(": queued\n\n").with_end(End::Hang)),
    ] {
        let service = Service::start([reply, Reply::saying("好")]).await;
        let model = config(Provider::Custom, &service).with_timeouts(short).build().unwrap();
        let error = error_of(&model).await;
        assert_eq!(
            (error.kind, error.retryable),
            (ErrorKind::ModelUnavailable, true),
            "{what}"
        );
        assert!(error.message.contains("150 ms"), "{what}: {error}");
        assert!(service.count() <= 1, "{what}: nobody waits twice");
    }
}

#[tokio::test]
async fn a_reply_that_does_not_end_in_time_is_over() {
    let short = Timeouts::new(
        Duration::from_secs(5),
        Duration::from_secs(5),
        Duration::from_millis(400),
    );
    let reply = Reply::sse(&format!("data: {TEXT}\n\n")).with_end(End::Hang);
    let service = Service::start([reply]).await;
    let model = config(Provider::Custom, &service).with_timeouts(short).build().unwrap();
    let (events, error) = ask(&model).await;
    assert_eq!(events, [ModelEvent::Text("好的".into())]);
    assert_eq!(error.unwrap().kind, ErrorKind::Deadline);

    let service = Service::start([Reply::hang()]).await;
    let model = config(Provider::Custom, &service).with_timeouts(short).build().unwrap();
    assert_eq!(error_of(&model).await.kind, ErrorKind::Deadline);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_unavailable() {
    let gone = Service::start([]).await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", nobody.local_addr().unwrap());
    drop(nobody);
    let error = error_of(&once(&gone).with_base_url(url).build().unwrap()).await;
    assert_eq!((error.kind, error.retryable), (ErrorKind::ModelUnavailable, true));
    assert!(error.message.contains("could not be reached"), "{error}");
}

#[tokio::test]
async fn a_dropped_stream_closes_its_connection() {
    use futures_util::StreamExt;
    use incar_core::{ChatModel, ChatRequest, Lang, Message, Seat, Speaker};
    let endless = Reply::sse(&format!("data: {TEXT}\n\n")).with_end(End::Hang);
    let service = Service::start([endless, Reply::saying("好")]).await;
    let model = custom(&service);
    let (speaker, messages) = (Speaker::new("car", Seat::Driver), [Message::user("x")]);
    let mut stream = model.stream(ChatRequest::new("", &messages, &speaker, Lang::En));
    assert!(matches!(stream.next().await, Some(Ok(ModelEvent::Text(_)))));
    drop(stream);
    assert_eq!(text_of(&model).await, "好");
    assert_eq!(service.connections(), 2, "the broken one is not used again");
}
