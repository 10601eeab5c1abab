//! Cars that are put together from a configuration, and services that answer as a test says.

use crate::site::{Answer, Site};
use incar_agents::{SystemClock, Utterance};
use incar_config::{Config, Diagnostics, Environment, Stores, Surroundings};
use incar_core::{AgentResponse, Notice, Seat, Timestamp};
use incar_testkit::{Simulator, SimulatorError};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What stands in the environment; every value must be seen nowhere but where it belongs.
pub(crate) const ENVIRONMENT: [(&str, &str); 2] =
    [("SEARCH_KEY", "key-must-not-be-shown"), ("PARKING_ROW", "row seven")];

/// A service that gives these replies, one after the other; any more are errors.
pub(crate) async fn service(replies: impl IntoIterator<Item = Value>) -> Site {
    let replies: Mutex<VecDeque<Value>> = Mutex::new(replies.into_iter().collect());
    Site::start(move |_| match replies.lock().unwrap().pop_front() {
        Some(reply) => Answer::json(&reply.to_string()),
        None => Answer::new(500, &[], "there is no more"),
    })
    .await
}

/// A reply of a model that calls `tool`.
pub(crate) fn calls(tool: &str, arguments: &Value) -> Value {
    let call = json!({"id": "c1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}});
    reply(
        "tool_calls",
        &json!({"role": "assistant", "content": null, "tool_calls": [call]}),
    )
}

/// A reply of a model in words.
pub(crate) fn says(text: impl Into<String>) -> Value {
    reply("stop", &json!({"role": "assistant", "content": text.into()}))
}

fn reply(finish: &str, message: &Value) -> Value {
    json!({"choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
}

/// What was sent in the `nth` request.
pub(crate) fn body(site: &Site, nth: usize) -> Value {
    let asked = site.asked();
    serde_json::from_str(asked[nth].split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// The configuration of `text` in `folder`, thinking with the model at `model`.
pub(crate) fn configured(folder: &Path, model: &Site, text: &str) -> Config {
    let url = model.url("/v1");
    let chain = format!(
        "[[models.chain]]\nprovider = \"custom\"\nurl = \"{url}\"\nmodel = \"m\"\ntransport = \"plain\"\nretries = 0\n\n\
         [[models.chain]]\nprovider = \"brain\"\n\n"
    );
    let config = Config::from_toml(
        "car.toml",
        &(chain + text),
        folder,
        &Environment::from_iter(ENVIRONMENT),
    )
    .unwrap();
    let shown = format!("{config:?}");
    for (_, secret) in ENVIRONMENT {
        assert!(!shown.contains(secret), "{shown}");
    }
    config
}

/// A car with all that is configured.
pub(crate) struct Car {
    pub(crate) simulator: Simulator,
    /// What is wrong with its servers.
    pub(crate) faults: Vec<String>,
}

impl Car {
    pub(crate) async fn new(config: &Config) -> Self {
        let stores = config.open_stores(Timestamp::from_millis(0)).unwrap();
        let connections = config.connect().await.unwrap();
        let faults = connections.faults();
        let simulator = Simulator::builder()
            .customised(|builder, parts| {
                let surroundings = Surroundings::new(parts.vehicle.clone(), parts.brain.clone(), Arc::new(SystemClock));
                let surroundings = surroundings.with_connections(connections);
                config.apply(builder, &stores, &surroundings).map_err(wrong)
            })
            .build()
            .unwrap();
        Self { simulator, faults }
    }

    pub(crate) async fn say(&self, text: &str) -> AgentResponse {
        let utterance = Utterance::new(text).by(self.simulator.speaker(Seat::Driver));
        self.simulator.assistant().handle(utterance).await
    }

    /// The next thing that is said unasked.
    pub(crate) async fn notice(&self) -> Notice {
        let waiting = async {
            loop {
                if let Some(notice) = self.simulator.hear_notices().await.pop() {
                    break notice;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waiting).await.unwrap()
    }

    pub(crate) fn tools(&self) -> Vec<String> {
        let tools = self.simulator.assistant().tools().iter();
        tools.map(|tool| tool.spec().name.to_string()).collect()
    }
}

/// Why no car can be put together of a configuration whose servers are not connected.
pub(crate) fn refusal(config: &Config) -> String {
    let outcome = Simulator::builder()
        .customised(|builder, parts| {
            let surroundings = Surroundings::new(parts.vehicle.clone(), parts.brain.clone(), Arc::new(SystemClock));
            config
                .apply(builder, &Stores::in_memory(), &surroundings)
                .map_err(wrong)
        })
        .build();
    outcome.map(drop).unwrap_err().to_string()
}

fn wrong(wrong: Diagnostics) -> SimulatorError {
    SimulatorError::Customise(wrong.into())
}
