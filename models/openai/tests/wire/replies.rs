//! What comes in.

use crate::service::{End, Reply, Service, ask, ask_with, config, custom, text_of};
use incar_core::{AssistantMessage, Lang, Message, ModelEvent, ModelFinish, Outcome, ToolCall, ToolMessage, Usage};
use incar_openai::{Provider, Transport};

const TEXT: &str = r#"{"choices":[{"index":0,"delta":{"content":"好的"},"finish_reason":null}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const COUNT: &str = r#"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}"#;

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

fn call(id: &str, name: &str, arguments: &str) -> ModelEvent {
    ModelEvent::ToolCall(ToolCall::new(id, name, arguments))
}

async fn check(what: &str, reply: Reply, expected: &[ModelEvent]) {
    let service = Service::start([reply]).await;
    let (events, error) = ask(&custom(&service)).await;
    assert_eq!((events.as_slice(), error), (expected, None), "{what}");
}

#[tokio::test]
async fn a_stream_says_its_text_its_count_and_its_end() {
    let said = [
        text("好的"),
        ModelEvent::Usage(Usage::new(12, 3)),
        ModelEvent::Finish(ModelFinish::Stop),
    ];
    check("the standard", Reply::events(&[TEXT, STOP, COUNT]), &said).await;
    check(
        "one byte at a time",
        Reply::events(&[TEXT, STOP, COUNT]).in_pieces(1),
        &said,
    )
    .await;
    check(
        "a byte order mark, carriage returns, comments, no spaces",
        Reply::sse(&format!(
            "\u{feff}: hello\r\n\r\ndata:{TEXT}\r\n\r\n: still here\r\n\r\nevent: message\r\ndata:{STOP}\r\n\r\ndata:{COUNT}\r\n\r\ndata:[DONE]\r\n\r\n"
        ))
        .in_pieces(3),
        &said,
    )
    .await;
    check(
        "JSON over several lines of data",
        Reply::sse(&format!(
            "data: {}\n\ndata: {STOP}\n\ndata: {COUNT}\n\n",
            TEXT.replace("\"delta\"", "\ndata: \"delta\"")
        )),
        &said,
    )
    .await;
    check(
        "no [DONE]",
        Reply::sse(&format!("data: {TEXT}\n\ndata: {STOP}\n\ndata: {COUNT}\n\n")),
        &said,
    )
    .await;
    check(
        "the connection breaks after the end was told",
        Reply::sse(&format!("data: {TEXT}\n\ndata: {STOP}\n\ndata: {COUNT}\n\n")).with_end(End::Cut),
        &said,
    )
    .await;
    check(
        "the connection stays open after [DONE]",
        Reply::events(&[TEXT, STOP, COUNT]).with_end(End::Hang),
        &said,
    )
    .await;
}

#[tokio::test]
async fn why_it_stopped_is_told_once_and_last() {
    let reason = |reason: &str| format!(r#"{{"choices":[{{"delta":{{}},"finish_reason":{reason}}}]}}"#);
    for (last, finish) in [
        (r#""stop""#, ModelFinish::Stop),
        (r#""length""#, ModelFinish::Length),
        (r#""content_filter""#, ModelFinish::ContentFilter),
        (r#""eos""#, ModelFinish::Stop),
        (r#""tool_calls""#, ModelFinish::Stop),
        ("null", ModelFinish::Stop),
    ] {
        let reply = Reply::events(&[TEXT, &reason(last)]);
        check(last, reply, &[text("好的"), ModelEvent::Finish(finish)]).await;
    }
    let twice = Reply::events(&[TEXT, &reason(r#""length""#), &reason("null"), &reason(r#""""#)]);
    check(
        "a reason, then none",
        twice,
        &[text("好的"), ModelEvent::Finish(ModelFinish::Length)],
    )
    .await;
}

#[tokio::test]
async fn calls_come_whole_and_in_order_whatever_the_dialect() {
    let delta = |calls: &str| {
        format!(r#"{{"choices":[{{"index":0,"delta":{{"content":null,"tool_calls":{calls}}},"finish_reason":null}}]}}"#)
    };
    let expected = [
        call("a", "search_location", r#"{"q":"故宫"}"#),
        call("b", "play_music", "{}"),
        ModelEvent::Finish(ModelFinish::ToolCalls),
    ];
    let standard = [
        delta(r#"[{"index":0,"id":"a","type":"function","function":{"name":"search_location","arguments":""}}]"#),
        delta(r#"[{"index":0,"function":{"arguments":"{\"q\":\"故"}}]"#),
        delta("null"),
        delta(r#"[{"index":0,"function":{"arguments":"宫\"}"}}]"#),
        delta(r#"[{"index":1,"id":"b","type":"function","function":{"name":"play_music","arguments":"{}"}}]"#),
        STOP.to_owned(),
    ];
    let standard: Vec<&str> = standard.iter().map(String::as_str).collect();
    check(
        "cut inside characters, finished with stop",
        Reply::events(&standard).in_pieces(7),
        &expected,
    )
    .await;
    let whole = delta(
        r#"[{"id":"a","function":{"name":"search_location","arguments":"{\"q\":\"故宫\"}"}},{"id":"b","function":{"name":"play_music","arguments":{}}}]"#,
    );
    check("whole, no index, no reason", Reply::events(&[&whole]), &expected).await;
    let same = delta(r#"[{"index":0,"id":"b","function":{"name":"play_music","arguments":"{}"}}]"#);
    let one = delta(r#"[{"index":0,"id":"a","function":{"name":"search_location","arguments":"{\"q\":\"故宫\"}"}}]"#);
    check(
        "one index for all, one chunk sent twice",
        Reply::events(&[&one, &same, &same, STOP]),
        &expected,
    )
    .await;
}

#[tokio::test]
async fn a_call_without_an_id_gets_one_that_is_new_to_the_conversation() {
    let nameless = r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"next","arguments":"{}"}}]}}]}"#;
    let service = Service::start([Reply::events(&[nameless])]).await;
    let earlier = ToolCall::new("call_1", "next", "{}");
    let result = ToolMessage::new(&earlier, "{}", Outcome::Ok);
    let history = [
        Message::user("下一首"),
        Message::Assistant(AssistantMessage::calls(vec![earlier])),
        Message::Tool(result),
    ];
    let (events, _) = ask_with(&custom(&service), "", &history, None, Lang::Zh).await;
    assert_eq!(events[0], call("call_2", "next", "{}"));
}

#[tokio::test]
async fn reasoning_keeps_the_name_of_its_field() {
    let reasoning = |field: &str, text: &str| {
        ModelEvent::Reasoning(incar_core::Reasoning {
            field: field.into(),
            text: text.into(),
        })
    };
    let finish = ModelEvent::Finish(ModelFinish::Stop);
    check(
        "reasoning_content",
        Reply::events(&[
            r#"{"choices":[{"delta":{"reasoning_content":"想","content":null}}]}"#,
            TEXT,
            STOP,
        ]),
        &[reasoning("reasoning_content", "想"), text("好的"), finish.clone()],
    )
    .await;
    check(
        "reasoning",
        Reply::events(&[r#"{"choices":[{"delta":{"reasoning":"想"}}]}"#, TEXT, STOP]),
        &[reasoning("reasoning", "想"), text("好的"), finish.clone()],
    )
    .await;
    check(
        "both: told once",
        Reply::events(&[
            r#"{"choices":[{"delta":{"reasoning":"想","reasoning_content":"想"}}]}"#,
            TEXT,
            STOP,
        ]),
        &[reasoning("reasoning_content", "想"), text("好的"), finish],
    )
    .await;
}

#[tokio::test]
async fn a_plain_reply_says_the_same() {
    let body = r#"{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"好的","reasoning_content":null,
        "tool_calls":[{"id":"a","type":"function","function":{"name":"next","arguments":"{\"n\":1}"}}]},"finish_reason":"tool_calls"}],
        "usage":{"prompt_tokens":12,"completion_tokens":3}}"#;
    let said = [
        text("好的"),
        call("a", "next", r#"{"n":1}"#),
        ModelEvent::Usage(Usage::new(12, 3)),
        ModelEvent::Finish(ModelFinish::ToolCalls),
    ];
    let service = Service::start([Reply::new(200, body)]).await;
    let model = config(Provider::Custom, &service)
        .with_transport(Transport::Plain)
        .build()
        .unwrap();
    assert_eq!(ask(&model).await, (said.to_vec(), None));
    assert_eq!(service.body()["stream"], false);
    check(
        "a service that does not stream although asked to",
        Reply::new(200, body).in_pieces(5),
        &said,
    )
    .await;
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let service = Service::start((0..4).map(|_| Reply::saying("好"))).await;
    let model = custom(&service);
    for _ in 0..4 {
        assert_eq!(text_of(&model).await, "好");
    }
    assert_eq!((service.count(), service.connections()), (4, 1));
}
