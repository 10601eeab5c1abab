//! One call of a server's tool, from the request to its answer, with whatever the server asks on the way.

use super::dial::Dialled;
use super::handler::Asked;
use super::result::{self, Answer};
use super::server::Server;
use rmcp::model::{CallToolRequestParams, ErrorCode};
use rmcp::service::ServiceError;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How long a call may take with all that the driver is asked in it.
const LONGEST_CALL: Duration = Duration::from_secs(20 * 60);

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum End {
    /// The server answered.
    Answered(Answer),
    /// It refused the call as such; its reason.
    Refused(String),
    /// The arguments are not what it wants; its reason.
    Misfit(String),
    /// Nobody knows: the connection broke, or no sensible answer came.
    Lost,
}

/// A call under way; dropped, it is cancelled.
#[derive(Debug)]
pub(super) struct Running {
    task: JoinHandle<End>,
    asked: mpsc::Receiver<Asked>,
}

/// What happens next in a call.
#[derive(Debug)]
pub(super) enum Next {
    Asked(Asked),
    Ended(End),
}

impl Running {
    pub(super) fn start(
        server: &Arc<Server>,
        dialled: Arc<Dialled>,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Self {
        let (place, asked) = server.link.desk().enter();
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let server = server.clone();
        let task = tokio::spawn(async move {
            let _place = place;
            let calling = tokio::time::timeout(LONGEST_CALL, dialled.service.call_tool(params)).await;
            match calling {
                Ok(Ok(answer)) => End::Answered(result::read(answer, server.config.longest_result)),
                Ok(Err(ServiceError::McpError(error))) => {
                    let reason = error.message.chars().filter(|c| !c.is_control()).take(300).collect();
                    if error.code == ErrorCode::INVALID_PARAMS {
                        End::Misfit(reason)
                    } else {
                        End::Refused(reason)
                    }
                }
                Ok(Err(error)) => {
                    tracing::warn!(server = server.config.name, %error, "a call was lost");
                    server.link.give_up(&dialled).await;
                    End::Lost
                }
                Err(_elapsed) => End::Lost,
            }
        });
        Self { task, asked }
    }

    /// Waits until the server asks something or the call ends.
    pub(super) async fn next(&mut self) -> Next {
        tokio::select! {
            biased;
            Some(asked) = self.asked.recv() => Next::Asked(asked),
            end = &mut self.task => Next::Ended(end.unwrap_or(End::Lost)),
        }
    }

    /// Whether the call ended while nobody waited for it.
    pub(super) fn is_over(&self) -> bool {
        self.task.is_finished()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}
