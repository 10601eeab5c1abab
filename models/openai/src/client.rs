//! The client: one exchange with the service for each request.

use crate::body::Parts;
use crate::config::{Config, ConfigError, ReplyLimits, Timeouts, Transport};
use crate::dialect::Dialect;
use crate::key::ApiKey;
use crate::provider::Provider;
use crate::reply::{Progress, ReplyReader};
use crate::retry::RetryPolicy;
use crate::service::{Service, chunk};
use crate::tools::ToolCache;
use crate::written::Written;
use crate::{body, error};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::StatusCode;
use hyper::body::Incoming as Body;
use incar_core::{ChatModel, ChatRequest, Message, ModelError, ModelEvent, ModelStream};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tracing::debug;

/// How many system prompts are kept as they stand in bodies: an assistant has one a language.
const PROMPTS: usize = 8;
/// How long the end of the connection's message is awaited after the reply's own end: seen, it
/// leaves the connection open for the next request.
const DRAIN: Duration = Duration::from_millis(20);

/// A model behind an OpenAI-compatible service. Made by [`Config::build`].
pub struct OpenAiModel {
    service: Service,
    head: Vec<u8>,
    tools: ToolCache,
    prompts: Written<String>,
    model: String,
    provider: Provider,
    dialect: Dialect,
    transport: Transport,
    key: Option<ApiKey>,
    timeouts: Timeouts,
    retry: RetryPolicy,
    limits: ReplyLimits,
}

impl OpenAiModel {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self {
            service: Service::new(config)?,
            head: body::head(config),
            tools: ToolCache::default(),
            prompts: Written::new(PROMPTS),
            model: config.model.clone(),
            provider: config.provider,
            dialect: config.dialect,
            transport: config.transport,
            key: config.key.clone().transpose()?,
            timeouts: config.timeouts,
            retry: config.retry,
            limits: config.limits,
        })
    }

    /// Where its requests go, without what may be secret.
    pub fn address(&self) -> String {
        self.service.address()
    }

    fn body(&self, request: &ChatRequest<'_>) -> Bytes {
        let tools = request
            .tools
            .map(|tools| self.tools.get(tools, request.lang, &self.dialect))
            .unwrap_or_default();
        let parts = Parts {
            head: &self.head,
            system: &self.system(request.system),
            tools: &tools,
        };
        body::write(parts, request.messages, &self.dialect).into()
    }

    fn system(&self, prompt: &str) -> Bytes {
        self.prompts
            .get(|of| of == prompt, || prompt.to_owned(), || body::system(prompt))
    }
}

impl fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiModel")
            .field("model", &self.model)
            .field("address", &self.address())
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl ChatModel for OpenAiModel {
    fn name(&self) -> &str {
        &self.model
    }

    fn provider(&self) -> &str {
        self.provider.profile().name
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        // Boxed, for it is handed on from event to event.
        stream::unfold(Box::new(Exchange::new(self, request)), |mut exchange| async move {
            exchange.next().await.map(|event| (event, exchange))
        })
        .boxed()
    }
}

/// `wait` after `now`; a host that wants no bound gets a day.
fn after(now: Instant, wait: Duration) -> Instant {
    now + wait.min(Duration::from_secs(24 * 60 * 60))
}

/// One request, its retries and its reply.
struct Exchange<'a> {
    model: &'a OpenAiModel,
    body: Bytes,
    first_call: usize,
    /// When the whole must be over; set when it begins.
    deadline: Option<Instant>,
    retries: u32,
    events: VecDeque<ModelEvent>,
    /// Whether anything was told: then the request is not made again.
    told: bool,
    /// The reply that comes in. Beside the state, so that it stays where it is from chunk to chunk.
    incoming: Option<Incoming>,
    state: State,
}

/// What is to be done next.
enum State {
    /// Ask.
    Ask,
    /// Read the reply.
    Read,
    /// The reply is whole; the connection's message may have an end left to read.
    Drain,
    /// Tell the error.
    Fail(ModelError),
    /// Nothing: all is said.
    Over,
}

struct Incoming {
    status: StatusCode,
    body: Body,
    reader: ReplyReader,
    /// Until the reply has begun: by when it must.
    first_by: Option<Instant>,
}

impl<'a> Exchange<'a> {
    fn new(model: &'a OpenAiModel, request: ChatRequest<'a>) -> Self {
        let is_result = |message: &&Message| matches!(message, Message::Tool(_));
        Self {
            body: model.body(&request),
            // Ids made here differ from those made earlier in the conversation.
            first_call: request.messages.iter().filter(is_result).count() + 1,
            model,
            deadline: None,
            retries: 0,
            events: VecDeque::new(),
            told: false,
            incoming: None,
            state: State::Ask,
        }
    }

    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            // The finish is told only after the connection was drained.
            let holds_back = matches!(self.state, State::Drain) && self.events.len() == 1;
            if !holds_back && let Some(event) = self.events.pop_front() {
                self.told = true;
                return Some(Ok(event));
            }
            self.state = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return None,
                State::Fail(error) => return Some(Err(error)),
                State::Ask => self.ask().await,
                State::Read => self.read().await,
                State::Drain => self.drain().await,
            };
        }
    }

    async fn ask(&mut self) -> State {
        let now = Instant::now();
        let timeouts = self.model.timeouts;
        let deadline = *self.deadline.get_or_insert(after(now, timeouts.whole));
        let first_by = match self.model.transport {
            Transport::Streaming => after(now, timeouts.first_token),
            Transport::Plain => deadline,
        };
        debug!(
            model = self.model.model,
            retries = self.retries,
            bytes = self.body.len(),
            "asking"
        );
        match timeout_at(first_by.min(deadline), self.model.service.post(&self.body)).await {
            Ok(Ok(response)) => {
                self.incoming = Some(Incoming {
                    status: response.status(),
                    body: response.into_body(),
                    reader: ReplyReader::new(self.model.limits, self.first_call),
                    first_by: Some(first_by),
                });
                State::Read
            }
            Ok(Err(error)) => self.failed(error).await,
            Err(_) => self.late(first_by < deadline),
        }
    }

    async fn read(&mut self) -> State {
        let deadline = self.deadline.unwrap_or_else(Instant::now);
        let Some(incoming) = &mut self.incoming else {
            return State::Over;
        };
        let by = incoming.first_by.map_or(deadline, |first_by| first_by.min(deadline));
        let Ok(bytes) = timeout_at(by, chunk(&mut incoming.body)).await else {
            return self.late(by < deadline);
        };
        let progress = match bytes {
            Ok(Some(bytes)) => {
                let progress = incoming.reader.push(&bytes, &mut self.events);
                // Comments that keep the connection alive are no beginning.
                incoming.first_by = incoming.first_by.filter(|_| !incoming.reader.has_begun());
                progress
            }
            Ok(None) => Ok(Progress::Done),
            Err(_) if incoming.reader.may_end_here() => Ok(Progress::Done),
            Err(error) => Err(error::broken(&error)),
        };
        let whole = match progress {
            Ok(Progress::More) => return State::Read,
            Ok(Progress::Done) => incoming.reader.finish(&mut self.events),
            Err(error) => Err(error),
        };
        match whole {
            Ok(()) => {
                self.log();
                State::Drain
            }
            Err(error) => self.failed(error).await,
        }
    }

    async fn drain(&mut self) -> State {
        if let Some(Incoming { mut body, .. }) = self.incoming.take() {
            while let Ok(Ok(Some(_))) = timeout(DRAIN, chunk(&mut body)).await {}
        }
        State::Over
    }

    /// An error: the request is made again, if it brought nothing yet and that may help.
    async fn failed(&mut self, mut error: ModelError) -> State {
        self.incoming = None;
        if let Some(key) = &self.model.key {
            error.message = key.redact(error.message);
        }
        debug!(
            model = self.model.model,
            status = error.status,
            kind = %error.kind,
            retryable = error.retryable,
            "failed"
        );
        let may_help = error.retryable && !self.told && self.events.is_empty();
        let wait = self.model.retry.wait(self.retries, error.retry_after);
        let deadline = self.deadline.unwrap_or_else(Instant::now);
        match wait {
            Some(wait) if may_help && after(Instant::now(), wait) < deadline => {
                self.retries += 1;
                sleep(wait).await;
                State::Ask
            }
            _ => State::Fail(error),
        }
    }

    /// Out of time. The first token is not awaited twice: the driver has waited long enough.
    fn late(&mut self, for_first_token: bool) -> State {
        self.incoming = None;
        let timeouts = &self.model.timeouts;
        let error = if for_first_token {
            error::no_first_token(timeouts.first_token)
        } else {
            error::out_of_time(timeouts.whole)
        };
        debug!(model = self.model.model, kind = %error.kind, "timed out");
        State::Fail(error)
    }

    fn log(&self) {
        let status = self.incoming.as_ref().map(|incoming| incoming.status.as_u16());
        let usage = self.events.iter().rev().find_map(|event| match event {
            ModelEvent::Usage(usage) => Some(*usage),
            _ => None,
        });
        debug!(
            model = self.model.model,
            status,
            input_tokens = usage.map(|usage| usage.input_tokens),
            output_tokens = usage.map(|usage| usage.output_tokens),
            "answered"
        );
    }
}
