//! A server's tool as a tool of the registry.

use super::call::{End, Next, Running};
use super::config::Elicitation;
use super::definition::ToolDefinition;
use super::form::Heard;
use super::handler::{Asked, Reply};
use super::link::Down;
use super::name::local_name;
use super::result::Answer;
use super::schema::{Schema, plain_text};
use super::server::{Server, Standing};
use super::waiting::{Held, Open};
use async_trait::async_trait;
use incar_core::{
    Bilingual, Effect, ErrorKind, Lang, Refusal, Resolved, Tool, ToolContext, ToolError, ToolOutput, ToolSpec,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The argument with which a tool is called again to give the driver's answer to the server's question.
pub(super) const ANSWER: &str = "driver_answer";

#[derive(Debug)]
pub(super) struct OutsideTool {
    spec: Arc<ToolSpec>,
    server: Arc<Server>,
    /// The server's name for it.
    name: String,
    definition: ToolDefinition,
    schema: Schema,
    /// Whether the driver says yes to each call that changes something.
    attended: bool,
    /// Whether the server may ask the driver.
    asks: bool,
}

impl OutsideTool {
    /// The tool, unless its accepted definition cannot be checked (a file that somebody wrote).
    pub(super) fn new(server: &Arc<Server>, name: String, definition: ToolDefinition) -> Option<Self> {
        let schema = Schema::read(&definition.schema).ok()?;
        let config = &server.config;
        let effect = definition.effect(config.hints);
        let asks = config.elicitation == Elicitation::Asked && !schema.has_argument(ANSWER);
        let mut parameters = schema.as_value().clone();
        if asks && let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert(ANSWER.into(), answer_schema());
        }
        let text = &definition.description;
        let local = local_name(&config.name, &name);
        let mut spec = ToolSpec::new(local, config.category.clone(), effect, Bilingual::new(text, text))
            .with_timeout(config.call_timeout)
            .from_outside();
        spec.parameters = parameters;
        Some(Self {
            spec: Arc::new(spec),
            server: server.clone(),
            attended: effect != Effect::Read && !config.unattended.contains(&name),
            name,
            definition,
            schema,
            asks,
        })
    }

    /// What stands in a call for the server's question, where one does.
    fn answer<'a>(&self, arguments: &'a Value) -> Option<&'a str> {
        let answer = arguments.get(ANSWER).filter(|_| self.asks)?;
        answer.as_str().filter(|answer| !answer.trim().is_empty())
    }

    /// Goes on with a call until it ends or asks.
    async fn go_on(&self, mut running: Running, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        match running.next().await {
            Next::Ended(end) => self.ended(end, context.lang),
            Next::Asked(Asked { form, reply }) => {
                let held = Held {
                    running,
                    form,
                    reply,
                    asked_in: turn_of(context.idempotency_key).to_owned(),
                };
                Err(self.hold(held, context))
            }
        }
    }

    /// Keeps a call until the driver answers; the question is the call's failure of this turn.
    fn hold(&self, held: Held, context: ToolContext<'_>) -> ToolError {
        let (question, choices) = held.form.question(&self.server.config.name, context.lang);
        if self.server.waiting.keep(&self.name, context.speaker.owner(), held) {
            let mut error = ToolError::ask(ErrorKind::InvalidInput, ANSWER, question);
            error.choices = choices;
            return error;
        }
        let busy = context.lang.pick(
            "它还在等别的回答，请稍后再试。",
            "It still waits for other answers. Please try again later.",
        );
        ToolError::new(ErrorKind::Busy, busy)
    }

    async fn give_answer(&self, said: &str, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let owner = context.speaker.owner();
        let Some(mut held) = self.server.waiting.take(&self.name, &owner) else {
            return Err(no_question(context.lang));
        };
        let reply = match held.form.answer(said) {
            Heard::Complete(content) => Reply::Content(content),
            Heard::Declined => Reply::Declined,
            Heard::Next | Heard::Unclear => {
                held.asked_in = turn_of(context.idempotency_key).to_owned();
                return Err(self.hold(held, context));
            }
        };
        // Where the server does not wait any more, the call has ended meanwhile, and that is told.
        let _ = held.reply.send(reply);
        self.go_on(held.running, context).await
    }

    fn ended(&self, end: End, lang: Lang) -> Result<ToolOutput, ToolError> {
        let server = &self.server.config.name;
        let failed = |kind, reason: &str| {
            let message = lang.pick(
                format!("{server}没有办成：{reason}"),
                format!("{server} failed: {reason}"),
            );
            ToolError::new(kind, message)
        };
        match end {
            End::Answered(Answer::Result(value)) => ToolOutput::new(value),
            End::Answered(Answer::Failed(reason)) | End::Refused(reason) => Err(failed(ErrorKind::ToolFailed, &reason)),
            End::Misfit(reason) => Err(failed(ErrorKind::InvalidInput, &reason)),
            End::Lost if self.spec.effect == Effect::Read => Err(failed(
                ErrorKind::ToolFailed,
                lang.pick("没有收到回答。", "no answer came."),
            )),
            End::Lost => {
                let message = lang.pick(
                    format!("{server}没有回答，不确定这件事有没有办成。"),
                    format!("{server} did not answer; I can't tell whether that was done."),
                );
                Err(ToolError::new(ErrorKind::ToolFailed, message).in_doubt())
            }
        }
    }

    /// What the driver must say yes to: code's words, the host's name of the server, and the values. The
    /// server's own texts have no say in it.
    fn confirmation(&self, arguments: &Map<String, Value>, lang: Lang) -> String {
        let server = &self.server.config.name;
        let what = plain_text(&self.name, 60).replace(['_', '-', '.'], " ");
        let values: Vec<String> = arguments.values().map(spoken).take(6).collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            lang.pick(
                format!("（{}）", values.join("，")),
                format!(" ({})", values.join(", ")),
            )
        };
        lang.pick(
            format!("要让{server}执行“{what}”{values}吗？"),
            format!("Shall I have {server} do \"{what}\"{values}?"),
        )
    }
}

/// How the keys of a turn's calls begin; while a call is resolved, its key is the turn's id.
fn turn_of(key: &str) -> &str {
    key.split(':').next().unwrap_or(key)
}

fn answer_schema() -> Value {
    json!({"type": "string", "description": "Leave it out, unless an earlier call of this tool failed with a question \
        (argument `driver_answer`) that the driver was asked and has answered: then call it again with the answer here, in \
        the driver's words or one of the choices; `decline` where the driver would not answer."})
}

fn spoken(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let cut = plain_text(&text, 60);
    if cut.len() < text.len() { cut + "…" } else { cut }
}

fn no_question(lang: Lang) -> ToolError {
    let message = lang.pick(
        "那个问题已经过去了，什么都没有做。",
        "That question is not open any more; nothing was done.",
    );
    ToolError::new(ErrorKind::NotFound, message)
}

#[async_trait]
impl Tool for OutsideTool {
    fn spec(&self) -> &Arc<ToolSpec> {
        &self.spec
    }

    fn resolve(&self, arguments: &Value, context: ToolContext<'_>) -> Result<Resolved, Refusal> {
        let lang = context.lang;
        if self.server.standing(&self.name, &self.definition) == Standing::Off {
            let message = lang.pick(
                "这项外部功能变了，车主确认之前不能用。",
                "That outside function has changed; it is off until it is accepted.",
            );
            return Err(ToolError::new(ErrorKind::Unsupported, message).into());
        }
        let effect = self.spec.effect;
        if let Some(answer) = self.answer(arguments) {
            let turn = turn_of(context.idempotency_key);
            return match self.server.waiting.asks(&self.name, &context.speaker.owner(), turn) {
                // What was confirmed when the call began is not confirmed again.
                Open::Yes => Ok(Resolved::new(json!({ ANSWER: answer }), effect)),
                Open::No => Err(no_question(lang).into()),
                Open::Unheard => Err(Refusal::Misfit(
                    "the driver has not heard the question yet: ask it with `ask_user`, and wait for the answer".into(),
                )),
            };
        }
        let Value::Object(given) = arguments else {
            return Err(Refusal::Misfit("the arguments must be one JSON object".into()));
        };
        let mut exact = given.clone();
        if self.asks {
            exact.remove(ANSWER);
        }
        // A value that a model leaves empty is left out, unless the server wants to hear that it is empty.
        exact.retain(|name, value| !value.is_null() || self.schema.takes_null(name));
        let question = self.attended.then(|| self.confirmation(&exact, lang));
        let exact = Value::Object(exact);
        self.schema.check(&exact).map_err(Refusal::Misfit)?;
        let resolved = Resolved::new(exact, effect);
        Ok(match question {
            Some(question) => resolved.confirm(question),
            None => resolved,
        })
    }

    async fn run(&self, arguments: &Value, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        if let Some(answer) = self.answer(arguments) {
            return self.give_answer(answer, context).await;
        }
        let dialled = self.server.ready().await.map_err(|down| {
            let server = &self.server.config.name;
            let (Down::Pausing | Down::Failed(_)) = down;
            let message = context.lang.pick(
                format!("现在连不上{server}，什么都没有做。"),
                format!("{server} cannot be reached now; nothing was done."),
            );
            ToolError::new(ErrorKind::ToolFailed, message)
        })?;
        // The list may have come in only now.
        self.resolve(arguments, context).map_err(|refusal| match refusal {
            Refusal::Failed(error) => error,
            Refusal::Misfit(wrong) => ToolError::new(ErrorKind::InvalidInput, wrong),
        })?;
        let given = arguments.as_object().cloned().unwrap_or_default();
        let running = Running::start(&self.server, dialled, &self.name, given);
        self.go_on(running, context).await
    }
}
