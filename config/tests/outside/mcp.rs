//! `[mcp]`

use crate::support::{Car, body, calls, configured, refusal, says, service};
use incar_core::{AgentStatus, Outcome};
use incar_mcp::server::{Access, BearerToken, HttpServer, McpServer};
use incar_testkit::Simulator;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A server of somebody else's: a shell that speaks the protocol. It knows the row that its environment names.
const GARAGE: &str = r#"
while IFS= read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"garage","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[
      {"name":"where_parked","description":"Where the car is parked.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"level":{"type":"string"}}}},
      {"name":"open_gate","description":"Opens the gate.","inputSchema":{"type":"object","properties":{"gate":{"type":"string"}}}}]}' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"parked in '$PARKING_ROW'; home is '${HOME-unknown}'"}]}' ;;
    *) continue ;;
  esac
  printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":'"$(echo $result)"'}'
done
"#;

/// A folder with the shell's program in it, and the section that starts it.
pub(crate) fn garage(more: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("garage.sh");
    std::fs::write(&program, GARAGE).unwrap();
    let section = format!(
        "[mcp]\npins = \"pins.json\"\n\n[[mcp.servers]]\nname = \"garage\"\ncommand = \"/bin/sh\"\nargs = [{:?}]\n\
         pass_env = [\"PARKING_ROW\"]\n{more}\n",
        program.display().to_string()
    );
    (folder, section)
}

fn pinned(folder: &Path) -> Vec<String> {
    let pins = std::fs::read_to_string(folder.join("pins.json")).unwrap();
    let pins: serde_json::Value = serde_json::from_str(&pins).unwrap();
    pins["garage"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_program_is_started_with_what_it_is_given_and_what_it_does_waits_for_a_yes() {
    let model = service([
        calls("garage__where_parked", &json!({"level": "2"})),
        says("You are in row seven."),
        calls("garage__open_gate", &json!({"gate": "north"})),
    ])
    .await;
    let (folder, section) = garage("");
    let car = Car::new(&configured(folder.path(), &model, &section)).await;
    assert_eq!(car.faults, [""; 0]);
    assert_eq!(pinned(folder.path()), ["open_gate", "where_parked"]);
    let response = car.say("where in the garage did I park?").await;
    assert_eq!(
        response.data.tools_used,
        ["garage__where_parked"],
        "{}",
        response.message
    );
    let heard = body(&model, 1)["messages"].to_string();
    assert!(heard.contains("parked in row seven; home is unknown"), "{heard}");
    let response = car.say("open the north gate of the garage").await;
    assert_eq!(response.status, AgentStatus::WaitingInput, "{}", response.message);
    assert_eq!(response.data.tools_used, [""; 0]);
}

#[tokio::test]
async fn only_what_is_named_is_taken_and_what_is_unattended_needs_no_yes() {
    let model = service([calls("garage__open_gate", &json!({"gate": "north"})), says("It opens.")]).await;
    let (folder, section) = garage("only = [\"open_gate\"]\nunattended = [\"open_gate\"]\n");
    let car = Car::new(&configured(folder.path(), &model, &section)).await;
    let tools = car.tools();
    assert!(tools.contains(&"garage__open_gate".to_owned()) && !tools.contains(&"garage__where_parked".to_owned()));
    let response = car.say("open the north gate of the garage").await;
    assert_eq!(response.data.tools_used, ["garage__open_gate"], "{}", response.message);
}

#[tokio::test]
async fn what_a_server_lists_otherwise_than_it_was_accepted_is_off_and_told() {
    let model = service([]).await;
    let (folder, section) = garage("");
    let config = configured(folder.path(), &model, &section);
    Car::new(&config).await;
    let changed = GARAGE.replace("Opens the gate.", "Opens every gate.");
    std::fs::write(folder.path().join("garage.sh"), changed).unwrap();
    let car = Car::new(&config).await;
    assert!(!car.tools().contains(&"garage__open_gate".to_owned()));
    assert_eq!(
        car.faults,
        ["the MCP server `garage`: its tool `open_gate` has changed and is off until that is accepted"]
    );
}

const TOKEN: &str = "must-not-be-shown-token";

/// A car of ours, whose tools another one has.
async fn other_car(folder: &Path) -> (HttpServer, String) {
    let simulator = Simulator::new().unwrap();
    let server = McpServer::new(simulator.assistant().clone(), Access::default());
    let token = BearerToken::new(TOKEN).unwrap();
    let server = server.serve_http(([127, 0, 0, 1], 0).into(), token).await.unwrap();
    let token: PathBuf = folder.join("other.token");
    std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
    let section = format!(
        "[mcp]\npins = \"pins.json\"\n\n[[mcp.servers]]\nname = \"other-car\"\nurl = \"{}\"\ntoken_file = \"other.token\"\n\
         call_timeout_s = 5\n",
        server.url()
    );
    (server, section)
}

#[tokio::test]
async fn a_server_at_an_address_is_shown_the_token_of_the_file() {
    let model = service([
        calls("other-car__calculate", &json!({"expression": "6*7"})),
        says("The other car says 42."),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let (_server, section) = other_car(folder.path()).await;
    let config = configured(folder.path(), &model, &section);
    assert!(!format!("{config:?}").contains(TOKEN));
    let car = Car::new(&config).await;
    assert_eq!(car.faults, [""; 0]);
    let response = car.say("let the other car work out six times seven").await;
    assert_eq!(
        response.data.tools_used,
        ["other-car__calculate"],
        "{}",
        response.message
    );
    let call = &response.data.tool_results[0];
    assert_eq!(call.outcome, Outcome::Ok);
    assert!(call.result.to_string().contains("42"), "{}", call.result);
}

#[tokio::test]
async fn a_server_that_does_not_let_us_in_is_told_and_the_car_drives_on() {
    let model = service([]).await;
    let folder = tempfile::tempdir().unwrap();
    let (_server, section) = other_car(folder.path()).await;
    std::fs::write(folder.path().join("other.token"), "another-token-than-that").unwrap();
    let car = Car::new(&configured(folder.path(), &model, &section)).await;
    let [fault] = car.faults.as_slice() else {
        panic!("{:?}", car.faults)
    };
    assert!(
        fault.starts_with("the MCP server `other-car`: ") && !fault.contains("another-token"),
        "{fault}"
    );
    assert!(!car.tools().iter().any(|tool| tool.starts_with("other-car")));
    let response = car.say("打开空调").await;
    assert_eq!(response.data.tools_used, ["set_ac_power"], "{}", response.message);
}

#[tokio::test]
async fn servers_that_the_host_forgot_to_connect_are_an_error() {
    let model = service([]).await;
    let (folder, section) = garage("");
    let config = configured(folder.path(), &model, &section);
    assert_eq!(
        refusal(&config),
        "car.toml:11: mcp.servers: the servers are not connected; in the host: \
         Surroundings::with_connections(config.connect().await?)"
    );
    assert!(config.without_servers().mcp.is_none());
}
