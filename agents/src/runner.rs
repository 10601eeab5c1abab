//! The only async loop: it carries out what the turn machine says.

mod call;
mod execute;
mod flow;
mod interrupted;
mod outside;
mod patience;
mod progress;
mod told;

pub(crate) use interrupted::in_short;
pub(crate) use patience::{HoldingOn, deadline, without_holding};
pub(crate) use progress::{GivingBack, Orphans, Progress, SavedTurn};

use crate::assistant::{Interrupt, OutsideConsent};
use crate::flow::Flows;
use crate::guards::{Evidence, Guards, Heard, Hearing, Spoken, judge_reply};
use crate::notices::Notices;
use crate::stream::Events;
use crate::telemetry::{self, Chat, Execution, TracedContents};
use call::Look;
use futures_util::StreamExt;
use incar_core::turn::{CallResult, CutOff, Deed, Dialogue, Directive, Ending, Objection, ToolUse, Turn, Unbegun};
use incar_core::{
    ASK_USER, ChatModel, ChatRequest, Clock, Effect, ErrorKind, Journal, Lang, ModelChoice, ModelError, ModelReply,
    PolicyGate, PolicyQuery, Preferences, ReplyClass, ReplyClassifier, ReplyContext, Speaker, StoreError, Timings,
    ToolRegistry, ToolSet, ToolSpec, TurnEvent, UtteranceReader,
};
use incar_sessions::flow::FlowInput;
use patience::{Patience, Waiting};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use told::Told;
use tracing::Instrument;

/// Everything a turn needs of the outside.
#[derive(Debug)]
pub(crate) struct TurnRunner {
    pub(crate) registry: ToolRegistry,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) gate: Arc<dyn PolicyGate>,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) classifier: Arc<dyn ReplyClassifier>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) flows: Flows,
    pub(crate) guards: Guards,
    /// Who reads utterances for the guards.
    pub(crate) reader: Option<Arc<dyn UtteranceReader>>,
    /// All tools that agents have.
    pub(crate) tools: ToolSet,
    pub(crate) holding: HoldingOn,
    /// The longest that a call may take, whatever its tool says.
    pub(crate) tool_timeout: Option<Duration>,
    pub(crate) traced: TracedContents,
    /// Where what is said unasked goes.
    pub(crate) notices: Arc<Notices>,
}

/// What belongs to one turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnScope<'a> {
    /// The turn's id.
    pub(crate) turn: &'a str,
    pub(crate) system: &'a str,
    pub(crate) tools: &'a ToolSet,
    pub(crate) speaker: &'a Speaker,
    pub(crate) preferences: &'a Preferences,
    pub(crate) lang: Lang,
    pub(crate) utterance: &'a str,
    /// How the utterance steers the flow that waits, where code decided that.
    pub(crate) steer: Option<&'a FlowInput>,
    pub(crate) events: &'a Events,
    pub(crate) interrupt: &'a Interrupt,
    /// By when the turn must be answered.
    pub(crate) deadline: tokio::time::Instant,
    pub(crate) origin: Origin,
}

impl<'a> TurnScope<'a> {
    /// What the policies are asked about a call.
    fn query<'q>(&self, tool: &'q ToolSpec, arguments: &'q Value) -> PolicyQuery<'q>
    where
        'a: 'q,
    {
        PolicyQuery::new(tool, arguments, self.speaker, self.lang, self.utterance)
    }
}

/// Where a turn comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Origin {
    /// It was opened for an utterance.
    Utterance,
    /// It was saved on its way; nobody knows what of its calls was done but the journal.
    Interrupted(Unbegun),
    /// A program outside the car wants a call.
    Outside(OutsideConsent),
}

/// Why there is no reply of the model.
#[derive(Debug)]
enum Unanswered {
    Failed(ModelError),
    /// The driver talked over it; this much had come, where that matters.
    Interrupted(String),
    /// The turn's time is up.
    Late,
}

/// What a turn came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) dialogue: Dialogue,
    pub(crate) ending: Ending,
    pub(crate) timings: Timings,
    /// Who answered last, if a model was asked and says so.
    pub(crate) model: Option<ModelChoice>,
}

/// Waiting times of a turn, in microseconds.
#[derive(Debug, Default)]
struct Spent {
    model: u64,
    tools: u64,
}

fn micros_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
}

impl TurnRunner {
    /// Runs a turn to its end.
    pub(crate) async fn run(
        &self,
        mut turn: Turn,
        scope: TurnScope<'_>,
        progress: &mut Progress<'_>,
        started: Instant,
    ) -> Ran {
        let mut spent = Spent::default();
        let mut model = None;
        let mut bound = None;
        let heard = Heard::default();
        let timer = Patience::timer(scope);
        tokio::pin!(timer);
        let mut patience = Patience::new(timer, &self.holding, scope);
        loop {
            turn.advance(self.clock.now());
            // A call that the driver has just said yes to is not talked over before it began.
            if scope.interrupt.is_raised() && turn.round() > 0 {
                turn.interrupt(cut_off("", scope));
            } else if patience.is_over() {
                turn.out_of_time();
            }
            let indexes = match turn.directive() {
                Directive::AskModel { tools } => {
                    if turn.bound() != bound {
                        bound = turn.bound();
                        if let Some(reason) = bound {
                            tracing::warn!(
                                turn = turn.id(),
                                ?reason,
                                "a bound was reached; asking for a reply without tools"
                            );
                            scope.events.send(|| TurnEvent::Bound { reason });
                        }
                    }
                    let asked = Instant::now();
                    let mut chat = Chat::begin(&*self.model, &turn, scope.system, self.traced);
                    let span = chat.span.clone();
                    let asking = self.ask(&turn, tools, &heard, &mut patience, &mut chat, scope);
                    let answer = asking.instrument(span).await;
                    spent.model += micros_since(asked);
                    match answer {
                        Err(Unanswered::Interrupted(so_far)) => {
                            chat.broken_off("interrupted");
                            turn.interrupt(cut_off(&so_far, scope));
                        }
                        Err(Unanswered::Late) => {
                            chat.broken_off(ErrorKind::Deadline.as_str());
                            tracing::warn!(turn = turn.id(), "the model had not answered by the turn's deadline");
                            turn.out_of_time();
                        }
                        Ok(mut reply) => {
                            chat.replied(&reply);
                            model = reply.model.take();
                            let calls = reply.message.tool_calls.iter();
                            let calls = calls.map(|call| telemetry::loggable(&call.name, &self.registry));
                            tracing::info!(turn = turn.id(), round = turn.round(), pending_calls = calls.clone().count(),
                                calls = ?calls.collect::<Vec<_>>(), "round");
                            turn.model_replied(reply);
                        }
                        Err(Unanswered::Failed(error)) => {
                            chat.failed(&error);
                            tracing::warn!(turn = turn.id(), error = %error.loggable(), "the model did not answer");
                            turn.model_failed(&error);
                        }
                    }
                    continue;
                }
                Directive::Resolve { index, call, origin } => {
                    let evidence = self.evidence(&turn, &heard, scope);
                    let looked = self.look_at(Look { index, call, origin }, &turn, &evidence, scope);
                    call::trace(turn.id(), call, &looked.verdict, &self.registry);
                    if let Some((tool, state, heard)) = looked.gathered {
                        turn.gather(&tool, state, heard);
                    }
                    turn.resolved(index, looked.arguments, looked.verdict);
                    continue;
                }
                Directive::Judge { reply, acted } => {
                    let judgement = self
                        .classifier
                        .classify(&ReplyContext::new(reply).after(Some(scope.utterance), acted));
                    if let Some(objection) = self.object(reply, judgement.class, &turn, &heard, scope) {
                        turn.objected(objection);
                        continue;
                    }
                    turn.judged(judgement);
                    continue;
                }
                Directive::Run { indexes } => indexes,
                // A directive of a newer machine cannot be carried out here: the turn ends unfinished.
                _ => break,
            };
            let ran = Instant::now();
            if let Err(error) = self.save(&turn, &indexes, progress).await {
                tracing::error!(turn = turn.id(), %error, "the turn could not be saved; its calls do not run");
                for index in indexes {
                    turn.ran(index, call::unsafe_now(scope));
                }
                continue;
            }
            // Boxed, for it is larger than all else of a turn, and most rounds run nothing.
            let running = Box::pin(self.run_together(&turn, &indexes, &mut patience, scope));
            for (index, result) in running.await {
                turn.ran(index, result);
            }
            spent.tools += micros_since(ran);
        }
        let (dialogue, ending) = turn.into_end();
        Ran {
            dialogue,
            ending,
            timings: Timings::new(micros_since(started), spent.model, spent.tools),
            model,
        }
    }

    /// Saves the turn where one of the calls changes something and the store can.
    async fn save(&self, turn: &Turn, indexes: &[usize], progress: &mut Progress<'_>) -> Result<(), StoreError> {
        let changes = |&index: &usize| {
            turn.call(index)
                .is_some_and(|call| call.resolved.effect != Effect::Read)
        };
        if progress.is_kept() && indexes.iter().any(changes) {
            progress.save(turn, self.clock.now()).await?;
        }
        Ok(())
    }

    fn evidence<'a>(&'a self, turn: &'a Turn, heard: &'a Heard, scope: TurnScope<'a>) -> Evidence<'a> {
        let hearing = Hearing {
            reader: self.reader.as_deref(),
            tools: &self.tools,
            offered: scope.tools,
            speaker: scope.speaker,
            preferences: scope.preferences,
            lang: scope.lang,
            utterance: scope.utterance,
        };
        Evidence::new(hearing, heard, turn.messages())
    }

    /// What the guards have against a reply.
    fn object(
        &self,
        reply: &str,
        class: ReplyClass,
        turn: &Turn,
        heard: &Heard,
        scope: TurnScope<'_>,
    ) -> Option<Objection> {
        let deeds: Vec<Deed<'_>> = turn.deeds().collect();
        let spoken = Spoken {
            reply,
            class,
            deeds: &deeds,
        };
        let objection = judge_reply(&self.guards, spoken, &self.evidence(turn, heard, scope))?;
        tracing::info!(turn = turn.id(), guard = %objection.guard, "a reply is not spoken");
        Some(objection)
    }

    /// Whether the guards let a reply be spoken that is not whole yet.
    fn is_fair(&self, so_far: &str, turn: &Turn, heard: &Heard, scope: TurnScope<'_>) -> bool {
        if turn.has_handle(so_far) {
            return false;
        }
        let context = ReplyContext::new(so_far).after(Some(scope.utterance), turn.acted());
        let class = self.classifier.classify(&context).class;
        self.object(so_far, class, turn, heard, scope).is_none()
    }

    async fn ask(
        &self,
        turn: &Turn,
        tools: ToolUse,
        heard: &Heard,
        patience: &mut Patience<'_>,
        chat: &mut Chat,
        scope: TurnScope<'_>,
    ) -> Result<ModelReply, Unanswered> {
        // Whatever was said before was not the end of it.
        scope.events.retract();
        scope.events.send(|| TurnEvent::Round { number: turn.round() });
        let mut request = ChatRequest::new(scope.system, turn.messages(), scope.speaker, scope.lang)
            .with_preferences(scope.preferences)
            .in_turn(turn.id());
        if tools == ToolUse::Offered {
            request = request.with_tools(scope.tools).with_all_tools(&self.tools);
        }
        let mut told = Told::new(scope.events);
        let mut stream = self.model.stream(request);
        let mut reply = ModelReply::default();
        loop {
            if scope.interrupt.is_raised() {
                return Err(Unanswered::Interrupted(reply.message.content));
            }
            // The stream first: what is there needs no waiting for anything else.
            let next = tokio::select! {
                biased;
                next = stream.next() => next,
                () = scope.interrupt.raised() => continue,
                () = patience.end(Waiting::Model, &self.holding, &*self.clock, scope) => {
                    return Err(Unanswered::Late);
                }
            };
            let Some(event) = next else { break };
            let event = event.map_err(Unanswered::Failed)?;
            chat.heard(&event);
            told.tell(&event, |so_far| self.is_fair(so_far, turn, heard, scope));
            reply.push(event);
        }
        if reply.finish.is_none() {
            return Err(Unanswered::Failed(ModelError::unavailable("the reply broke off")));
        }
        let calls = &reply.message.tool_calls;
        // What is said beside a question belongs to it.
        let asks = calls.iter().any(|call| call.name == ASK_USER);
        if tools == ToolUse::Offered && !calls.is_empty() && !asks {
            told.was_progress();
        } else {
            told.was_reply();
        }
        Ok(reply)
    }

    /// Runs calls together. Each ends by the turn's deadline.
    async fn run_together(
        &self,
        turn: &Turn,
        indexes: &[usize],
        patience: &mut Patience<'_>,
        scope: TurnScope<'_>,
    ) -> Vec<(usize, CallResult)> {
        let effects = indexes
            .iter()
            .filter_map(|&index| Some(turn.call(index)?.resolved.effect));
        let waiting = Waiting::Calls(effects.max().unwrap_or(Effect::Read));
        let run = |index| async move { (index, self.run_one(turn, index, scope).await) };
        let running = async {
            match indexes {
                [] => Vec::new(),
                [index] => vec![run(*index).await],
                many => futures_util::future::join_all(many.iter().copied().map(run)).await,
            }
        };
        tokio::pin!(running);
        tokio::select! {
            biased;
            ran = &mut running => return ran,
            () = patience.end(waiting, &self.holding, &*self.clock, scope) => {}
        }
        running.await
    }

    async fn run_one(&self, turn: &Turn, index: usize, scope: TurnScope<'_>) -> CallResult {
        let Some(runnable) = turn.call(index) else {
            return CallResult::failed(&incar_core::ToolError::new(
                ErrorKind::Internal,
                "the call is not there",
            ));
        };
        let call = runnable.call;
        scope.events.send(|| TurnEvent::ToolStarted {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: runnable.resolved.arguments.clone(),
        });
        let key = call::idempotency_key(turn.id(), &runnable);
        let execution = Execution::begin(&runnable, self.traced);
        let running = async {
            match (runnable.resolved.effect, scope.origin) {
                (Effect::Read, _) => self.execute(&runnable, &key, scope).await,
                // Boxed, so that a call that only reads is not moved about with room for a journal.
                (Effect::Set | Effect::Act, Origin::Utterance | Origin::Outside(_)) => {
                    Box::pin(self.execute_journaled(turn.id(), &runnable, &key, scope)).await
                }
                (Effect::Set | Effect::Act, Origin::Interrupted(unbegun)) => {
                    Box::pin(self.finish(turn.id(), &runnable, &key, unbegun, scope)).await
                }
            }
        };
        let result = running.instrument(execution.span.clone()).await;
        execution.ended(&result);
        scope.events.send(|| TurnEvent::ToolFinished {
            id: call.id.clone(),
            name: call.name.clone(),
            outcome: result.outcome,
        });
        result
    }
}

/// What becomes of a reply of which `so_far` has come: it may have been spoken only where the host says
/// that anything was.
fn cut_off<'a>(so_far: &'a str, scope: TurnScope<'_>) -> CutOff<'a> {
    match scope.interrupt.spoken() {
        Some(spoken) if spoken.chars().any(char::is_alphanumeric) => CutOff::SoFar(so_far),
        _ => CutOff::Unsaid,
    }
}
