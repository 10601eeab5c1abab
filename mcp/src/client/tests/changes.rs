//! A tool that is not what was accepted is off.

use super::super::{FilePins, MemoryPins, PinError, PinStore, Pins};
use super::support::{Act, Case, Script, config, reader, resolve, text, tool};
use incar_core::{ErrorKind, Refusal};
use serde_json::{Value, json};
use std::sync::Arc;

const CHANGED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n";

fn changed(change: impl Fn(&mut Value)) -> Value {
    let mut tool = reader("look");
    change(&mut tool);
    tool
}

#[tokio::test]
async fn whatever_changes_in_mid_session_turns_the_tool_off() {
    for new in [
        changed(|tool| tool["description"] = json!("it does something else")),
        changed(|tool| tool["inputSchema"]["properties"]["secret"] = json!({"type": "string"})),
        changed(|tool| tool["annotations"] = json!({})),
        changed(|tool| tool["name"] = json!("look2")),
    ] {
        let case = Case::new(Script::new(
            vec![reader("look")],
            vec![Act::Raw(CHANGED.into()), text("one")],
        ))
        .await;
        let look = case.tool("s__look");
        case.call(&look).await.unwrap();
        *case.script.tools.lock().unwrap() = vec![new.clone()];
        // It is looked at before the next call, and that call does not leave.
        let error = case.call(&look).await.unwrap_err();
        assert_eq!((error.kind, case.script.calls()), (ErrorKind::Unsupported, 1), "{new}");
        let refused = resolve("t", &look, &json!({"x": 1}));
        assert!(matches!(refused, Err(Refusal::Failed(error)) if error.kind == ErrorKind::Unsupported));
        let tools: Vec<String> = case.client.changes().into_iter().map(|change| change.tool).collect();
        assert!(tools.contains(&"look".to_owned()), "{tools:?}");
        assert!(case.client.tools().is_empty());
    }
}

#[tokio::test]
async fn what_the_host_accepts_is_on_for_the_next_assistant() {
    let script = Script::new(vec![tool("do")], vec![text("done")]);
    let pins = Case::new(script.clone()).await.pins;
    script.tools.lock().unwrap()[0]["description"] = json!("better");
    script.tools.lock().unwrap().push(tool("more"));
    let case = Case::with(script, config(), pins).await;
    assert!(case.client.tools().is_empty());
    let changes = case.client.changes();
    let told: Vec<_> = changes
        .iter()
        .map(|change| (change.tool.as_str(), change.accepted.is_some(), change.listed.is_some()))
        .collect();
    assert_eq!(told, [("do", true, true), ("more", false, true)]);
    case.client.accept(&changes[0]).unwrap();
    assert_eq!(case.client.report()[0].tools, ["s__do"]);
    case.call(&case.tool("s__do")).await.unwrap();
    assert_eq!(case.client.changes().len(), 1);
}

#[tokio::test]
async fn what_is_accepted_is_what_was_shown_and_not_what_is_listed_since() {
    let script = Script::new(vec![tool("do")], vec![Act::Raw(CHANGED.into()), text("done")]);
    let case = Case::new(script).await;
    let act = case.tool("s__do");
    case.call(&act).await.unwrap();
    case.script.tools.lock().unwrap()[0]["description"] = json!("harmless");
    case.call(&act).await.unwrap_err();
    let shown = case.client.changes();
    case.script.then(vec![text("done")]);
    case.script.tools.lock().unwrap()[0]["description"] = json!("harmful");
    case.client.accept(&shown[0]).unwrap();
    // It is met again as harmful: off.
    let again = Case::with(case.script.clone(), config(), case.pins.clone()).await;
    assert!(again.client.tools().is_empty());
}

#[derive(Debug)]
struct BrokenPins;

impl PinStore for BrokenPins {
    fn load(&self, _: &str) -> Result<Option<Pins>, PinError> {
        Err(PinError("no disk".into()))
    }

    fn save(&self, _: &str, _: &Pins) -> Result<(), PinError> {
        Err(PinError("no disk".into()))
    }
}

#[tokio::test]
async fn without_what_was_accepted_every_tool_is_off() {
    let script = Script::new(vec![tool("do")], vec![]);
    let dial = Box::new(super::support::InMemory(script, 100_000));
    let client = super::super::McpClient::connect_with(vec![(dial, config())], Arc::new(BrokenPins));
    let client = client.await.unwrap();
    assert!(client.tools().is_empty());
    // A store that fails is no first meeting: nothing is trusted anew.
    assert_eq!(client.changes().len(), 1);
}

#[tokio::test]
async fn a_file_keeps_what_was_accepted_of_each_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pins.json");
    let case = Case::new(Script::new(vec![tool("do")], vec![])).await;
    let pins = case.pins.load("s").unwrap().unwrap();
    let file = FilePins::new(&path);
    assert_eq!(file.load("s"), Ok(None));
    file.save("s", &pins).unwrap();
    file.save("other", &Pins::new()).unwrap();
    assert_eq!(FilePins::new(&path).load("s"), Ok(Some(pins)));
    std::fs::write(&path, "{").unwrap();
    assert!(FilePins::new(&path).load("s").is_err());
    assert_eq!(MemoryPins::default().load("s"), Ok(None));
}
