//! A server that does what a case wants, on a pipe in memory.

use super::super::dial::{Dial, DialError, Dialled};
use super::super::handler::Handler;
use super::super::{McpClient, MemoryPins, ServerConfig};
use async_trait::async_trait;
use incar_core::{
    Lang, ManualClock, Refusal, Resolved, Seat, Speaker, Timestamp, Tool, ToolContext, ToolError, ToolOutput,
};
use rmcp::service::serve_client;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::{Value, json};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// What a server does about a call.
#[derive(Debug, Clone)]
pub(super) enum Act {
    /// Answers with this result.
    Result(Value),
    /// Answers with a protocol error.
    Error(i64, &'static str),
    /// Sends a message of its own.
    Send(Value),
    /// Sends bytes as they are.
    Raw(String),
    /// Sends this until nobody reads any more.
    Endless(&'static str),
    /// Waits for our answer to its last request, and answers the call with it as text.
    EchoAnswer,
    /// Ends.
    Die,
}

/// A server: its tools, and what it does when one is called.
pub(super) struct Script {
    pub(super) tools: Mutex<Vec<Value>>,
    pub(super) on_call: Mutex<Vec<Act>>,
    /// All that it was sent.
    pub(super) heard: Mutex<Vec<Value>>,
    pub(super) starts: AtomicUsize,
    /// Whether it can be reached at all.
    pub(super) reachable: Mutex<bool>,
    /// Lists a page more each time it is asked for one.
    pub(super) endless_list: bool,
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

pub(super) fn tool(name: &str) -> Value {
    json!({"name": name, "description": "does it", "inputSchema": {"type": "object",
        "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false}})
}

pub(super) fn reader(name: &str) -> Value {
    let mut tool = tool(name);
    tool["annotations"] = json!({"readOnlyHint": true});
    tool
}

pub(super) fn text(text: impl Into<String>) -> Act {
    Act::Result(json!({"content": [{"type": "text", "text": text.into()}]}))
}

impl Script {
    pub(super) fn new(tools: Vec<Value>, on_call: Vec<Act>) -> Arc<Self> {
        Arc::new(Self::plain(tools, on_call))
    }

    pub(super) fn plain(tools: Vec<Value>, on_call: Vec<Act>) -> Self {
        Self {
            tools: Mutex::new(tools),
            on_call: Mutex::new(on_call),
            heard: Mutex::default(),
            starts: AtomicUsize::new(0),
            reachable: Mutex::new(true),
            endless_list: false,
        }
    }

    pub(super) fn then(&self, on_call: Vec<Act>) {
        *self.on_call.lock().unwrap() = on_call;
    }

    /// The answers that it got to requests of its own.
    pub(super) fn answers(&self) -> Vec<Value> {
        let heard = self.heard.lock().unwrap();
        heard
            .iter()
            .filter(|message| message.get("method").is_none())
            .cloned()
            .collect()
    }

    pub(super) fn calls(&self) -> usize {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter(|message| message["method"] == "tools/call").count()
    }

    async fn serve(self: Arc<Self>, ours: DuplexStream) {
        let (read, mut write) = tokio::io::split(ours);
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            self.heard.lock().unwrap().push(message.clone());
            let Some(method) = message["method"].as_str() else {
                continue;
            };
            let result = match method {
                "initialize" => {
                    json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "scripted", "version": "1"}})
                }
                "tools/list" if self.endless_list => {
                    let page = message["params"]["cursor"]
                        .as_str()
                        .map_or(0, |cursor| cursor.parse::<u32>().unwrap());
                    json!({"tools": [tool(&format!("t{page}"))], "nextCursor": (page + 1).to_string()})
                }
                "tools/list" => json!({"tools": *self.tools.lock().unwrap()}),
                "tools/call" => {
                    if self.called(&message["id"], &mut write, &mut lines).await.is_none() {
                        return;
                    }
                    continue;
                }
                _ => continue,
            };
            send(
                &mut write,
                &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}),
            )
            .await;
        }
    }

    async fn called(
        &self,
        id: &Value,
        write: &mut WriteHalf<DuplexStream>,
        lines: &mut tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    ) -> Option<()> {
        let acts = self.on_call.lock().unwrap().clone();
        for act in acts {
            match act {
                Act::Result(result) => send(write, &json!({"jsonrpc": "2.0", "id": id, "result": result})).await,
                Act::Error(code, message) => {
                    send(
                        write,
                        &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
                    )
                    .await;
                }
                Act::Send(message) => send(write, &message).await,
                Act::Raw(text) => {
                    let _ = write.write_all(text.as_bytes()).await;
                }
                Act::Endless(text) => while write.write_all(text.as_bytes()).await.is_ok() {},
                Act::EchoAnswer => {
                    let line = lines.next_line().await.ok()??;
                    let message: Value = serde_json::from_str(&line).unwrap();
                    self.heard.lock().unwrap().push(message.clone());
                    let result = json!({"content": [{"type": "text", "text": message["result"].to_string()}]});
                    send(write, &json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
                }
                Act::Die => return None,
            }
        }
        Some(())
    }
}

async fn send(write: &mut WriteHalf<DuplexStream>, message: &Value) {
    let _ = write.write_all(format!("{message}\n").as_bytes()).await;
}

#[derive(Debug)]
pub(super) struct InMemory(pub(super) Arc<Script>, pub(super) usize);

#[async_trait]
impl Dial for InMemory {
    async fn dial(&self, handler: Handler) -> Result<Dialled, DialError> {
        self.0.starts.fetch_add(1, Ordering::Relaxed);
        if !*self.0.reachable.lock().unwrap() {
            return Err(DialError::new("nobody is there"));
        }
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        tokio::spawn(self.0.clone().serve(theirs));
        let (read, write) = tokio::io::split(ours);
        let transport = AsyncRwTransport::new_client(read, write).with_max_line_length(self.1);
        let service = serve_client(handler, transport).await.map_err(DialError::new)?;
        Ok(Dialled::new(service, None).await)
    }
}

/// A client of one scripted server, and the time it is.
pub(super) struct Case {
    pub(super) script: Arc<Script>,
    pub(super) client: McpClient,
    pub(super) pins: Arc<MemoryPins>,
}

pub(super) fn config() -> ServerConfig {
    ServerConfig::stdio("s", "in-memory")
}

impl Case {
    pub(super) async fn new(script: Arc<Script>) -> Self {
        Self::with(script, config(), Arc::default()).await
    }

    pub(super) async fn with(script: Arc<Script>, config: ServerConfig, pins: Arc<MemoryPins>) -> Self {
        let dial: Box<dyn Dial> = Box::new(InMemory(script.clone(), config.longest_message));
        let client = McpClient::connect_with(vec![(dial, config)], pins.clone())
            .await
            .unwrap();
        Self { script, client, pins }
    }

    pub(super) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let tools = self.client.tools();
        let named = tools.into_iter().find(|tool| tool.spec().name == name);
        named.unwrap_or_else(|| panic!("no tool {name}: {:?}", self.client.report()))
    }

    /// Resolves and runs a call in the turn `turn`, as the runner does.
    pub(super) async fn call_in(
        &self,
        turn: &str,
        tool: &Arc<dyn Tool>,
        arguments: Value,
    ) -> Result<ToolOutput, ToolError> {
        let resolved = resolve(turn, tool, &arguments).map_err(|refusal| match refusal {
            Refusal::Failed(error) => error,
            Refusal::Misfit(wrong) => panic!("{wrong}"),
        })?;
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let speaker = Speaker::new("car", Seat::Driver);
        let key = format!("{turn}:{}:0:0", tool.spec().name);
        tool.run(&resolved.arguments, ToolContext::new(&speaker, Lang::En, &clock, &key))
            .await
    }

    pub(super) async fn call(&self, tool: &Arc<dyn Tool>) -> Result<ToolOutput, ToolError> {
        self.call_in("turn", tool, json!({"x": 1})).await
    }
}

pub(super) fn resolve(turn: &str, tool: &Arc<dyn Tool>, arguments: &Value) -> Result<Resolved, Refusal> {
    let clock = ManualClock::at(Timestamp::from_millis(0));
    let speaker = Speaker::new("car", Seat::Driver);
    tool.resolve(arguments, ToolContext::new(&speaker, Lang::En, &clock, turn))
}
