//! A server asks in the middle of a call (elicitation): the question is the driver's.

use super::super::{Elicitation, ServerConfig};
use super::support::{Act, Case, Script, config, reader, resolve, text, tool};
use incar_agents::{AgentProfile, Assistant, ToolAgentBase, Utterance};
use incar_core::{AgentStatus, Bilingual, ErrorKind, Refusal, ToolCategory};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

fn elicit(schema: Value) -> Act {
    let params = json!({"message": "Which city?", "requestedSchema": schema});
    Act::Send(json!({"jsonrpc": "2.0", "id": 5, "method": "elicitation/create", "params": params}))
}

fn city() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
}

async fn asking(config: ServerConfig) -> Case {
    let script = Script::new(vec![reader("look")], vec![elicit(city()), Act::EchoAnswer]);
    Case::with(script, config, Arc::default()).await
}

#[tokio::test(start_paused = true)]
async fn the_call_waits_for_the_answer_and_goes_on_with_it() {
    let case = asking(config()).await;
    let look = case.tool("s__look");
    let question = case.call_in("one", &look, json!({"x": 1})).await.unwrap_err();
    assert_eq!(
        (question.kind, question.argument.as_deref(), question.message.as_str()),
        (ErrorKind::InvalidInput, Some("driver_answer"), "s asks: Which city?")
    );
    // A model cannot answer for the driver: not before the next utterance.
    let early = resolve("one", &look, &json!({"x": 1, "driver_answer": "Bonn"}));
    assert!(matches!(early, Err(Refusal::Misfit(wrong)) if wrong.contains("not heard")));
    let answered = case
        .call_in("two", &look, json!({"x": 1, "driver_answer": "Bonn"}))
        .await
        .unwrap();
    assert_eq!(
        answered.value["text"],
        r#"{"action":"accept","content":{"city":"Bonn"}}"#
    );
    // One call, from the first to the last.
    assert_eq!(case.script.calls(), 1);
    let late = resolve("three", &look, &json!({"driver_answer": "Bonn"}));
    assert!(matches!(late, Err(Refusal::Failed(error)) if error.kind == ErrorKind::NotFound));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_none_is_asked_for_again_and_a_refusal_is_told() {
    let yes_or_no = json!({"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]});
    for (said, action) in [("no", r#"{"action":"accept","content":{"sure":false}}"#)] {
        let script = Script::new(vec![reader("look")], vec![elicit(yes_or_no.clone()), Act::EchoAnswer]);
        let case = Case::new(script).await;
        let look = case.tool("s__look");
        let question = case.call_in("1", &look, json!({"x": 1})).await.unwrap_err();
        assert_eq!(question.choices, ["yes", "no"]);
        let again = case
            .call_in("2", &look, json!({"driver_answer": "perhaps"}))
            .await
            .unwrap_err();
        assert_eq!(again.message, question.message);
        let told = case.call_in("3", &look, json!({"driver_answer": said})).await.unwrap();
        assert_eq!(told.value["text"], action);
    }
    let case = asking(config()).await;
    let look = case.tool("s__look");
    case.call_in("1", &look, json!({"x": 1})).await.unwrap_err();
    let told = case
        .call_in("2", &look, json!({"driver_answer": "decline"}))
        .await
        .unwrap();
    assert_eq!(told.value["text"], r#"{"action":"decline"}"#);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_kept_waiting_for_an_answer_that_does_not_come() {
    let case = asking(config().with_question_wait(Duration::from_secs(60))).await;
    let look = case.tool("s__look");
    case.call_in("1", &look, json!({"x": 1})).await.unwrap_err();
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(case.script.answers()[0]["result"], json!({"action": "cancel"}));
    // What became of the call is not lost: it is told to whoever answers too late.
    let told = case
        .call_in("2", &look, json!({"driver_answer": "Bonn"}))
        .await
        .unwrap();
    assert_eq!(told.value["text"], r#"{"action":"cancel"}"#);
}

#[tokio::test(start_paused = true)]
async fn what_no_driver_can_be_asked_is_declined() {
    let address = json!({"mode": "url", "message": "Open this", "url": "https://evil.example", "elicitationId": "1"});
    let address = Act::Send(json!({"jsonrpc": "2.0", "id": 5, "method": "elicitation/create", "params": address}));
    let many =
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "enum": ["x"]}}}});
    for (asked, config) in [
        (address, config()),
        (elicit(many), config()),
        (elicit(city()), config().with_elicitation(Elicitation::Declined)),
    ] {
        let script = Script::new(vec![reader("look")], vec![asked, Act::EchoAnswer]);
        let case = Case::with(script, config, Arc::default()).await;
        let told = case.call(&case.tool("s__look")).await.unwrap();
        assert_eq!(told.value["text"], r#"{"action":"decline"}"#);
    }
}

#[derive(Debug)]
struct OutsideAgent(AgentProfile);

impl ToolAgentBase for OutsideAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

#[tokio::test]
async fn in_a_conversation_an_act_is_confirmed_once_and_the_answer_is_the_drivers() {
    let script = Script::new(vec![tool("book")], vec![elicit(city()), Act::EchoAnswer]);
    let case = Case::new(script).await;
    let model = Arc::new(ScriptedModel::default());
    let profile =
        AgentProfile::new("outside", Bilingual::new("外部工具", "Outside tools")).uses(ToolCategory::KNOWLEDGE);
    let assistant = Assistant::builder()
        .with_tool_agent(OutsideAgent(profile))
        .with_tools(case.client.tools())
        .with_model(model.clone())
        .build()
        .unwrap();
    let call = |arguments| ScriptedReply::call("s__book", arguments);
    let say = |text: &str| ScriptedReply::Text(text.to_owned());

    model.push(call(json!({"x": 1})));
    let asked = assistant.handle(Utterance::new("book number 1")).await;
    assert_eq!(asked.prompt.as_deref(), Some("Shall I have s do \"book\" (1)?"));
    assert_eq!(case.script.calls(), 0);

    // The question is code's to ask: the model gets no tools after a yes.
    let asked = assistant.handle(Utterance::new("yes")).await;
    assert_eq!(
        (
            asked.status,
            asked.data.tool_results[0].result["error"]["argument"].as_str()
        ),
        (AgentStatus::WaitingInput, Some("driver_answer"))
    );

    model.push(call(json!({"x": 1, "driver_answer": "Bonn"})));
    model.push(say("Booked in Bonn."));
    let done = assistant.handle(Utterance::new("Bonn")).await;
    assert_eq!(
        (done.status, done.message.as_str()),
        (AgentStatus::Completed, "Booked in Bonn."),
        "{done:?}"
    );
    assert_eq!(
        done.data.tool_results[0].result["text"],
        r#"{"action":"accept","content":{"city":"Bonn"}}"#
    );
    assert_eq!(case.script.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn of_two_calls_at_once_nobody_knows_who_asks_and_nobody_is_asked() {
    let script = Script::new(vec![reader("look")], vec![]);
    let case = Case::new(script).await;
    let look = case.tool("s__look");
    let waiting = async {
        let _ = tokio::time::timeout(Duration::from_secs(5), case.call(&look)).await;
    };
    let asking = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        case.script.then(vec![elicit(city()), Act::EchoAnswer]);
        let told = case.call(&look).await.unwrap();
        assert_eq!(told.value["text"], r#"{"action":"cancel"}"#);
    };
    tokio::join!(waiting, asking);
    case.script.then(vec![text("later")]);
    case.call(&look).await.unwrap();
}
