//! One request on its way through the chain.

use crate::breaker::Permit;
use crate::chain::{Chain, Passed};
use crate::fault::{Cure, cure};
use crate::link::Link;
use futures_util::StreamExt;
use incar_core::{
    ChatRequest, ErrorKind, ModelChoice, ModelError, ModelEvent, ModelFinish, ModelReason, ModelStream, PassedModel,
    PassedReason,
};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// A deadline that a host set out of reach is this far away.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// One request on its way through the chain.
pub(crate) struct Run<'a> {
    chain: &'a Chain,
    request: ChatRequest<'a>,
    /// The links that are yet to be asked.
    order: VecDeque<usize>,
    /// Why the next one is asked.
    why: ModelReason,
    passed: Vec<Passed>,
    state: State<'a>,
    /// What is to be told before anything else happens.
    events: VecDeque<ModelEvent>,
    /// The last fault.
    fault: Option<ModelError>,
}

enum State<'a> {
    /// Ask the next link.
    Next,
    /// This one answers.
    Answering(Box<Answer<'a>>),
    /// All is said.
    Over,
}

/// A link's answer as it comes.
struct Answer<'a> {
    index: usize,
    link: &'a Link,
    permit: Permit<'a>,
    stream: ModelStream<'a>,
    first_by: Instant,
    whole_by: Instant,
    retries: u32,
    /// Whether anything came.
    begun: bool,
    /// Whether it said or called anything.
    said: bool,
}

/// What came of waiting for a link.
enum Came {
    Event(ModelEvent),
    Fault(ModelError),
}

impl<'a> Run<'a> {
    pub(crate) fn new(chain: &'a Chain, request: ChatRequest<'a>) -> Self {
        let plan = chain.plan(request);
        Self {
            chain,
            request,
            order: plan.order,
            why: plan.why,
            passed: plan.passed,
            state: State::Next,
            events: VecDeque::with_capacity(2),
            fault: None,
        }
    }

    pub(crate) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return None,
                State::Next => {
                    let Some(index) = self.order.pop_front() else {
                        return Some(Err(self.nobody()));
                    };
                    self.ask(index);
                }
                State::Answering(mut answer) => {
                    let ended = match answer.next().await {
                        Came::Event(event) => self.told(answer, event),
                        Came::Fault(error) => self.failed(answer, error).await,
                    };
                    if let Some(error) = ended {
                        return Some(Err(error));
                    }
                }
            }
        }
    }

    /// Asks a link, unless it is left alone.
    fn ask(&mut self, index: usize) {
        let chain = self.chain;
        self.state = State::Next;
        let Some(link) = chain.links.get(index) else { return };
        let permit = match link.breaker.admit(&*chain.clock) {
            Ok(permit) => permit,
            Err(rest) => {
                tracing::debug!(model = link.model().name(), ?rest, "left alone");
                self.fault.get_or_insert_with(|| {
                    let error = ModelError::unavailable(format!("{} is left alone for a while", link.model().name()));
                    error.with_retry_after(Some(rest))
                });
                return self.pass(index, PassedReason::Resting);
            }
        };
        let now = Instant::now();
        self.state = State::Answering(Box::new(Answer {
            index,
            link,
            permit,
            stream: link.model().stream(link.fitted(self.request)),
            first_by: now + link.deadlines.first.min(A_DAY),
            whole_by: now + link.deadlines.whole.min(A_DAY),
            retries: 0,
            begun: false,
            said: false,
        }));
    }

    /// An event came: it is passed on.
    fn told(&mut self, mut answer: Box<Answer<'a>>, event: ModelEvent) -> Option<ModelError> {
        if !answer.begun {
            answer.begun = true;
            self.events.push_back(ModelEvent::Started(self.choice(&answer)));
        }
        answer.said |= match &event {
            ModelEvent::Text(text) => !text.trim().is_empty(),
            ModelEvent::ToolCall(_) => true,
            _ => false,
        };
        let is_last = matches!(event, ModelEvent::Finish(_));
        self.events.push_back(event);
        if is_last {
            let Answer { index, permit, .. } = *answer;
            permit.succeeded();
            self.chain
                .answered(self.request.turn, index, self.why, std::mem::take(&mut self.passed));
        } else {
            self.state = State::Answering(answer);
        }
        None
    }

    /// The link failed: it is asked again, passed over, or its error is the answer.
    async fn failed(&mut self, mut answer: Box<Answer<'a>>, error: ModelError) -> Option<ModelError> {
        let Answer { link, index, .. } = *answer;
        let name = link.model().name();
        tracing::warn!(model = name, status = error.status, error = %error.loggable(), "a model failed");
        if let Some(wait) = answer.retry_after(&error) {
            sleep(wait).await;
            answer.stream = link.model().stream(link.fitted(self.request));
            self.state = State::Answering(answer);
            return None;
        }
        let why = match cure(&error) {
            Cure::None => {
                answer.permit.succeeded();
                return Some(error);
            }
            Cure::Another(why) => {
                answer.permit.failed(&*self.chain.clock, error.retry_after);
                why
            }
            Cure::AnotherForThis(why) => {
                answer.permit.succeeded();
                why
            }
        };
        self.fault = Some(error);
        self.pass(index, why);
        None
    }

    fn pass(&mut self, link: usize, why: PassedReason) {
        self.passed.push(Passed { link, why });
        self.why = ModelReason::Fallback;
        self.state = State::Next;
    }

    fn choice(&self, answer: &Answer<'_>) -> ModelChoice {
        let passed = self.passed.iter().filter_map(|passed| {
            let link = self.chain.links.get(passed.link)?;
            Some(PassedModel::new(link.model().name(), passed.why))
        });
        ModelChoice::new(answer.link.model().name(), self.why).after(passed.collect())
    }

    /// Nobody answered: the last fault says why.
    fn nobody(&mut self) -> ModelError {
        let fault = self.fault.take();
        fault.unwrap_or_else(|| ModelError::unavailable("there is no model to ask"))
    }
}

impl Answer<'_> {
    async fn next(&mut self) -> Came {
        let by = if self.begun {
            self.whole_by
        } else {
            self.first_by.min(self.whole_by)
        };
        // A stream that always has more is never late to the timer alone.
        if Instant::now() >= by {
            return Came::Fault(self.late());
        }
        match timeout_at(by, self.stream.next()).await {
            Err(_) => Came::Fault(self.late()),
            Ok(None) => Came::Fault(ModelError::unavailable("the reply broke off")),
            Ok(Some(Err(error))) => Came::Fault(error),
            Ok(Some(Ok(event))) if self.is_empty_end(&event) => {
                Came::Fault(ModelError::unavailable("the model said nothing"))
            }
            Ok(Some(Ok(event))) => Came::Event(event),
        }
    }

    fn late(&self) -> ModelError {
        let what = if self.begun { "ended" } else { "begun" };
        let mut error = ModelError::unavailable(format!("the reply had not {what} in time"));
        error.kind = ErrorKind::Deadline;
        error
    }

    /// Whether `event` ends a reply in which nothing was said.
    fn is_empty_end(&self, event: &ModelEvent) -> bool {
        let ends = matches!(
            event,
            ModelEvent::Finish(ModelFinish::Stop | ModelFinish::ToolCalls | ModelFinish::Length)
        );
        ends && !self.said
    }

    /// The wait before the model is asked again; `None`: it is not.
    fn retry_after(&mut self, error: &ModelError) -> Option<Duration> {
        if self.begun || !error.retryable || error.kind == ErrorKind::Deadline {
            return None;
        }
        let wait = self.link.retry.wait(self.retries, error.retry_after)?;
        self.retries += 1;
        (Instant::now() + wait < self.first_by.min(self.whole_by)).then_some(wait)
    }
}
