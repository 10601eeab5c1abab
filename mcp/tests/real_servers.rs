//! Our client against a server of others, `@modelcontextprotocol/server-everything`, over both transports.
//!
//! Ignored: they need Node and the program, whose `dist/index.js` stands in `INCAR_MCP_EVERYTHING`; without it
//! they fail.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use incar_core::{
    Effect, Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, Tool, ToolContext, ToolError, ToolOutput,
};
use incar_mcp::client::{McpClient, MemoryPins, ServerConfig};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

fn program() -> String {
    std::env::var("INCAR_MCP_EVERYTHING").expect("INCAR_MCP_EVERYTHING: where server-everything's dist/index.js is")
}

struct Everything {
    client: McpClient,
    tools: BTreeMap<String, Arc<dyn Tool>>,
}

impl Everything {
    async fn at(config: ServerConfig) -> Self {
        let client = McpClient::connect([config], Arc::new(MemoryPins::default()))
            .await
            .unwrap();
        let tools = client
            .tools()
            .into_iter()
            .map(|tool| (tool.spec().name.to_string(), tool));
        let tools = tools.collect();
        Self { client, tools }
    }

    async fn call_in(&self, turn: &str, name: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        let tool = self
            .tools
            .get(name)
            .unwrap_or_else(|| panic!("{name}: {:?}", self.client.report()));
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let speaker = Speaker::new("car", Seat::Driver);
        let resolved = tool
            .resolve(&arguments, ToolContext::new(&speaker, Lang::En, &clock, turn))
            .unwrap();
        tool.run(&resolved.arguments, ToolContext::new(&speaker, Lang::En, &clock, turn))
            .await
    }

    async fn check(&self) {
        assert_eq!(self.client.changes(), []);
        let value = self
            .call_in("1", "all__get-sum", json!({"a": 2, "b": 3}))
            .await
            .unwrap()
            .value;
        assert_eq!(value, json!({"text": "The sum of 2 and 3 is 5."}));
        let value = self
            .call_in("2", "all__get-structured-content", json!({"location": "Chicago"}))
            .await
            .unwrap()
            .value;
        assert!(value["result"]["temperature"].is_number(), "{value}");
        let value = self.call_in("3", "all__get-tiny-image", json!({})).await.unwrap().value;
        assert_eq!(value["left_out"], json!(["image"]));
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let speaker = Speaker::new("car", Seat::Driver);
        let misses =
            self.tools["all__get-sum"].resolve(&json!({"a": 2}), ToolContext::new(&speaker, Lang::En, &clock, "4"));
        assert!(matches!(misses, Err(Refusal::Misfit(_))), "{misses:?}");
        // We sample for nobody: the tool for it is not even registered there.
        assert!(!self.tools.contains_key("all__trigger-sampling-request"));
        let asks = &self.tools["all__trigger-elicitation-request"];
        assert_eq!(asks.spec().effect, Effect::Act);
        let question = self
            .call_in("5", "all__trigger-elicitation-request", json!({}))
            .await
            .unwrap_err();
        assert_eq!(question.argument.as_deref(), Some("driver_answer"), "{question:?}");
        let answer = json!({"driver_answer": "Ada"});
        let told = self
            .call_in("6", "all__trigger-elicitation-request", answer)
            .await
            .unwrap();
        assert!(told.value.to_string().contains("Ada"), "{told:?}");
    }
}

#[tokio::test]
#[ignore = "needs Node and server-everything"]
async fn a_child_process_serves_and_sees_only_what_is_named() {
    let config = ServerConfig::stdio("all", "node")
        .args([program(), "stdio".into()])
        .pass_env(["PATH"]);
    let everything = Everything::at(config).await;
    everything.check().await;
    let environment = everything.call_in("7", "all__get-env", json!({})).await.unwrap().value;
    let environment: BTreeMap<String, String> = serde_json::from_str(environment["text"].as_str().unwrap()).unwrap();
    let names: Vec<&str> = environment.keys().map(String::as_str).collect();
    assert!(std::env::var("CARGO_PKG_NAME").is_ok());
    assert_eq!(names, ["PATH"]);
}

async fn serving() -> (Child, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let child = Command::new("node")
        .args([program(), "streamableHttp".into()])
        .env("PORT", port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    for _ in 0..300 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return (child, port);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("server-everything does not listen on port {port}");
}

#[tokio::test]
#[ignore = "needs Node and server-everything"]
async fn streamable_http_serves_and_a_server_that_ends_leaves_an_act_in_doubt() {
    let (mut child, port) = serving().await;
    let everything = Everything::at(ServerConfig::http("all", format!("http://127.0.0.1:{port}/mcp"))).await;
    everything.check().await;
    let long = everything.call_in(
        "8",
        "all__trigger-long-running-operation",
        json!({"duration": 60, "steps": 6}),
    );
    let end = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        child.kill().await.unwrap();
    };
    let (lost, ()) = tokio::join!(tokio::time::timeout(Duration::from_secs(30), long), end);
    let lost = lost.expect("a call outlived its server").unwrap_err();
    let effect = everything.tools["all__trigger-long-running-operation"].spec().effect;
    assert_eq!(lost.in_doubt, effect != Effect::Read, "{lost:?}");
    let down = everything
        .call_in("9", "all__get-sum", json!({"a": 2, "b": 3}))
        .await
        .unwrap_err();
    assert!(!down.in_doubt && down.message.contains("nothing was done"), "{down:?}");
}

#[tokio::test]
#[ignore = "needs Node and npm's registry"]
async fn tavily_needs_a_line_of_configuration() {
    let line = r#"{
        "name": "tavily",
        "transport": {"stdio": {"command": "npx", "args": ["-y", "tavily-mcp"], "pass_env": ["PATH", "HOME", "TAVILY_API_KEY"]}},
        "connect_timeout_s": 120
    }"#;
    let tavily = Everything::at(serde_json::from_str(line).unwrap()).await;
    let search = tavily.tools.get("tavily__tavily_search");
    assert!(search.is_some(), "{:?}", tavily.client.report());
}
