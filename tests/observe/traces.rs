//! The spans of a turn.

use crate::capture::Capture;
use crate::setup::{Setup, call, driver, scripted, text};
use futures_util::StreamExt;
use incar::{TracedContents, Utterance};
use serde_json::{Value, json};

#[tokio::test]
async fn a_turn_is_a_span_with_its_rounds_and_its_calls_in_it() {
    let setup = Setup::new();
    setup.script([
        scripted(json!({"calls": [{"look": {"words": "a"}}, {"fail": {"words": "b"}}], "usage": [100, 7]})),
        scripted(json!({"text": "Done.", "usage": [120, 3]})),
    ]);
    let (capture, _guard) = Capture::start();
    let response = setup.say("look at it").await;

    let tree: Vec<(String, String)> = capture
        .spans()
        .iter()
        .map(|span| (span.shown().to_owned(), span.parent.clone().unwrap_or_default()))
        .collect();
    let inside = |name: &str| (name.to_owned(), "invoke_agent".to_owned());
    assert_eq!(
        tree,
        [
            ("invoke_agent".to_owned(), String::new()),
            inside("chat scripted"),
            inside("execute_tool look"),
            inside("execute_tool fail"),
            inside("chat scripted"),
        ]
    );

    let turn = &capture.named("invoke_agent")[0];
    for (field, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.agent.name", "echoes"),
        ("gen_ai.usage.input_tokens", "220"),
        ("gen_ai.usage.output_tokens", "10"),
        ("otel.kind", "internal"),
        ("incar.turn.id", response.turn_id.as_str()),
        ("incar.status", "SUCCESS"),
        ("incar.rounds", "2"),
        ("error.type", ""),
    ] {
        assert_eq!(turn.field(field), value, "{field}");
    }
    let chat = &capture.named("chat")[0];
    for (field, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "custom"),
        ("gen_ai.request.model", "scripted"),
        ("gen_ai.usage.input_tokens", "100"),
        ("gen_ai.usage.output_tokens", "7"),
        ("otel.kind", "client"),
        ("incar.round", "1"),
    ] {
        assert_eq!(chat.field(field), value, "{field}");
    }
    let first: f64 = chat.field("gen_ai.response.time_to_first_chunk").parse().unwrap();
    assert!((0.0..60.0).contains(&first), "seconds: {first}");
    let calls = capture.named("execute_tool");
    let of_call = |index: usize| {
        let call = &calls[index];
        [
            "gen_ai.tool.name",
            "gen_ai.tool.call.id",
            "incar.outcome",
            "otel.status_code",
            "error.type",
        ]
        .map(|field| call.field(field))
    };
    assert_eq!(of_call(0), ["look", "call_0", "ok", "", ""]);
    assert_eq!(of_call(1), ["fail", "call_1", "error", "ERROR", "not_found"]);
}

#[tokio::test]
async fn a_model_that_fails_is_told_by_its_kind() {
    let setup = Setup::new();
    setup.script([scripted(json!({"error": "rejected"}))]);
    let (capture, _guard) = Capture::start();
    setup.say("anything").await;
    let spans = ["chat", "invoke_agent"].map(|name| capture.named(name)[0].clone());
    for span in spans {
        assert_eq!(
            [span.field("otel.status_code"), span.field("error.type")],
            ["ERROR", "model_rejected"],
            "{}",
            span.name
        );
    }
}

#[tokio::test]
async fn a_streamed_turn_stands_in_the_span_of_who_started_it() {
    let setup = Setup::new();
    setup.script([text("Hello.")]);
    let (capture, _guard) = Capture::start();
    let events = {
        let _around = tracing::info_span!("host").entered();
        setup.assistant.handle_streaming(Utterance::new("hello").by(driver()))
    };
    events.collect::<Vec<_>>().await;
    assert_eq!(capture.named("invoke_agent")[0].parent.as_deref(), Some("host"));
    assert_eq!(capture.named("chat")[0].parent.as_deref(), Some("invoke_agent"));
}

#[tokio::test]
async fn a_waiting_conversation_is_told_by_its_id_before_and_after() {
    let setup = Setup::new();
    setup.script([crate::setup::ask("look", "At what?"), call("look", "it"), text("Seen.")]);
    let (capture, _guard) = Capture::start();
    let asked = setup.say("look").await;
    let id = asked.session_id.unwrap();
    setup
        .assistant
        .handle(Utterance::new("at it").by(driver()).resuming(id.as_str()))
        .await;
    let turns = capture.named("invoke_agent");
    let of_turn = |index: usize| ["gen_ai.conversation.id", "incar.status"].map(|field| turns[index].field(field));
    assert_eq!(of_turn(0), [id.as_str(), "WAITING_INPUT"]);
    assert_eq!(of_turn(1), [id.as_str(), "COMPLETED"]);
}

#[tokio::test]
async fn contents_are_recorded_where_the_host_wants_them() {
    let setup = Setup::with(|builder| builder.with_traced_contents(TracedContents::Recorded));
    setup.script([call("look", "the road"), text("It is clear.")]);
    let (capture, _guard) = Capture::start();
    setup.say("how is the road").await;
    let field = |span: &str, field: &str| -> Value {
        serde_json::from_str(capture.named(span).last().unwrap().field(field)).unwrap()
    };
    let text = |role: &str, text: &str| json!({"role": role, "parts": [{"type": "text", "content": text}]});
    assert_eq!(
        field("invoke_agent", "gen_ai.input.messages"),
        json!([text("user", "how is the road")])
    );
    assert_eq!(
        field("invoke_agent", "gen_ai.output.messages"),
        json!([text("assistant", "It is clear.")])
    );
    assert_eq!(
        field("execute_tool", "gen_ai.tool.call.arguments"),
        json!({"words": "the road"})
    );
    assert_eq!(
        field("execute_tool", "gen_ai.tool.call.result"),
        json!({"heard": "the road"})
    );
    let asked = field("chat", "gen_ai.input.messages");
    assert_eq!(asked[1], text("user", "how is the road"));
    assert_eq!(asked[3]["parts"][0]["result"], json!({"heard": "the road"}));
    assert_eq!(
        field("chat", "gen_ai.output.messages"),
        json!([text("assistant", "It is clear.")])
    );
}
