//! What a server may ask of us while it is connected: next to nothing.

use super::config::Elicitation;
use super::form::Form;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
    ErrorData, FormElicitationCapability, Implementation,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Answers a server's own requests. Sampling is refused and no folders are named, as rmcp does where nothing
/// else is said.
#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub(super) elicitation: Elicitation,
    pub(super) question_wait: Duration,
    pub(super) desk: Arc<Desk>,
}

/// What calls and the server's own messages share.
#[derive(Debug, Default)]
pub(super) struct Desk {
    calls: Mutex<Vec<OpenCall>>,
    next: AtomicU64,
    /// The server says that its tools are others now.
    relist: AtomicBool,
}

/// A call on its way.
#[derive(Debug)]
struct OpenCall {
    id: u64,
    asks: mpsc::Sender<Asked>,
    /// Whether it waits for the driver already.
    waits: bool,
}

/// A question for the driver, and where the answer goes; dropped, the question is called off.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) form: Form,
    pub(super) reply: oneshot::Sender<Reply>,
}

/// What the driver answered.
#[derive(Debug)]
pub(super) enum Reply {
    Content(Value),
    Declined,
}

/// A call's place at the desk, for as long as it is under way.
#[derive(Debug)]
pub(super) struct Place {
    desk: Arc<Desk>,
    id: u64,
}

impl Desk {
    /// A place for a call, and what the server asks during it.
    pub(super) fn enter(self: &Arc<Self>) -> (Place, mpsc::Receiver<Asked>) {
        let (asks, asked) = mpsc::channel(1);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.calls().push(OpenCall { id, asks, waits: false });
        let desk = self.clone();
        (Place { desk, id }, asked)
    }

    /// Whether the tools are to be listed again; asking settles it.
    pub(super) fn take_relist(&self) -> bool {
        self.relist.swap(false, Ordering::AcqRel)
    }

    /// The call that a question belongs to: the one that does not wait yet. The protocol does not say
    /// which of several asks; then nobody is asked, rather than the wrong person.
    fn asking(&self) -> Option<(u64, mpsc::Sender<Asked>)> {
        let mut calls = self.calls();
        let mut open = calls.iter_mut().filter(|call| !call.waits);
        match (open.next(), open.next()) {
            (Some(call), None) => {
                call.waits = true;
                Some((call.id, call.asks.clone()))
            }
            _ => None,
        }
    }

    fn answered(&self, id: u64) {
        if let Some(call) = self.calls().iter_mut().find(|call| call.id == id) {
            call.waits = false;
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<OpenCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.desk.calls().retain(|call| call.id != self.id);
    }
}

impl Handler {
    async fn ask(&self, form: Form, context: &RequestContext<RoleClient>) -> ElicitResult {
        let cancelled = || ElicitResult::new(ElicitationAction::Cancel);
        let Some((id, asks)) = self.desk.asking() else {
            return cancelled();
        };
        let (reply, answer) = oneshot::channel();
        let answer = async {
            asks.send(Asked { form, reply }).await.ok()?;
            answer.await.ok()
        };
        let answer = tokio::select! {
            answer = tokio::time::timeout(self.question_wait, answer) => answer.ok().flatten(),
            () = context.ct.cancelled() => None,
        };
        self.desk.answered(id);
        match answer {
            Some(Reply::Content(content)) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
            Some(Reply::Declined) => ElicitResult::new(ElicitationAction::Decline),
            None => cancelled(),
        }
    }
}

impl ClientHandler for Handler {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let form = match (self.elicitation, request) {
            (
                Elicitation::Asked,
                ElicitRequestParams::FormElicitationParams {
                    message,
                    requested_schema,
                    ..
                },
            ) => serde_json::to_value(requested_schema)
                .ok()
                .and_then(|schema| Form::read(&message, &schema)),
            // Nobody opens an address that a server names.
            _ => None,
        };
        Ok(match form {
            Some(form) => self.ask(form, &context).await,
            None => ElicitResult::new(ElicitationAction::Decline),
        })
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.desk.relist.store(true, Ordering::Release);
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.elicitation == Elicitation::Asked {
            capabilities.elicitation =
                Some(ElicitationCapability::new().with_form(FormElicitationCapability::default()));
        }
        ClientConfig::new(capabilities, Implementation::new("incar", env!("CARGO_PKG_VERSION")))
    }
}
