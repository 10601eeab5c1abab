//! Tools: typed outside, erased inside.

use crate::clock::Clock;
use crate::error::ErrorKind;
use crate::lang::Lang;
use crate::outcome::Outcome;
use crate::private::Private;
use crate::speaker::Speaker;
use crate::spec::{Effect, ToolSpec};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// What a tool is told beside its arguments.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ToolContext<'a> {
    /// Who asked.
    pub speaker: &'a Speaker,
    /// The language to speak.
    pub lang: Lang,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The same for each try of one call, different for every other call. While a call is only being
    /// made exact ([`TypedTool::resolve`]) it is the turn's id.
    pub idempotency_key: &'a str,
    /// What the tool's spec says that its calls do, where that is at hand: a spec is not made again for each call.
    effect: Option<Effect>,
}

impl fmt::Debug for ToolContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("speaker", &self.speaker)
            .field("lang", &self.lang)
            .field("idempotency_key", &self.idempotency_key)
            .finish_non_exhaustive()
    }
}

impl<'a> ToolContext<'a> {
    /// A context.
    pub fn new(speaker: &'a Speaker, lang: Lang, clock: &'a dyn Clock, idempotency_key: &'a str) -> Self {
        Self {
            speaker,
            lang,
            clock,
            idempotency_key,
            effect: None,
        }
    }
}

/// What a tool answers when it did its work.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolOutput {
    /// The result, for the model and the host.
    pub value: Value,
    /// One short spoken sentence about it, in the language of the context.
    pub say: Option<String>,
    /// What `value` has handles of, and `say` may have in full: no model's service reads it.
    pub private: Vec<Private>,
}

impl From<Value> for ToolOutput {
    /// The result `value`, as it is.
    fn from(value: Value) -> Self {
        Self {
            value,
            say: None,
            private: Vec::new(),
        }
    }
}

impl ToolOutput {
    /// The result `value`.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where it cannot be written as JSON.
    pub fn new(value: impl Serialize) -> Result<Self, ToolError> {
        match serde_json::to_value(value) {
            Ok(value) => Ok(value.into()),
            Err(error) => Err(ToolError::new(ErrorKind::Internal, error.to_string())),
        }
    }

    /// The same result, in which handles stand for what no model's service is to read.
    ///
    /// ```
    /// use incar_core::{Private, ToolOutput};
    /// let output = ToolOutput::new(serde_json::json!({"door": "code-1"}))?
    ///     .say("The code is 4711.")
    ///     .private([Private::new("code-1", "4711")]);
    /// assert_eq!(output.private.len(), 1);
    /// # Ok::<(), incar_core::ToolError>(())
    /// ```
    #[must_use]
    pub fn private(mut self, private: impl IntoIterator<Item = Private>) -> Self {
        self.private.extend(private);
        self
    }

    /// The same result with what to say of it.
    #[must_use]
    pub fn say(mut self, sentence: impl Into<String>) -> Self {
        self.say = Some(sentence.into());
        self
    }
}

/// Why a tool did not do its work. The model and the driver hear of it in this shape:
/// `{"error":{"kind","message","argument"?,"choices"?}}`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
#[non_exhaustive]
pub struct ToolError {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// One speakable sentence in the speaker's language.
    pub message: String,
    /// The argument to ask the driver about, where an answer would help.
    pub argument: Option<String>,
    /// What that argument could be: names the driver can say.
    pub choices: Vec<String>,
    /// Whether the effect may have happened all the same (a time-out after sending).
    pub in_doubt: bool,
}

impl ToolError {
    /// A failure of `kind`, with a speakable sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            argument: None,
            choices: Vec::new(),
            in_doubt: false,
        }
    }

    /// The value of `argument` must be asked for again; `message` is the question.
    pub fn ask(kind: ErrorKind, argument: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            argument: Some(argument.into()),
            ..Self::new(kind, message)
        }
    }

    /// Several things fit `argument`; `message` is the question that names them.
    pub fn choose(argument: impl Into<String>, choices: Vec<String>, message: impl Into<String>) -> Self {
        Self {
            choices,
            ..Self::ask(ErrorKind::InvalidInput, argument, message)
        }
    }

    /// The same failure; the effect may have happened.
    #[must_use]
    pub fn in_doubt(mut self) -> Self {
        self.in_doubt = true;
        self
    }

    /// How a call that failed so ended.
    pub fn outcome(&self) -> Outcome {
        match (self.in_doubt, self.kind) {
            (true, _) => Outcome::Unknown,
            (false, ErrorKind::Denied) => Outcome::Denied,
            (false, _) => Outcome::Error,
        }
    }

    /// The failure as the model reads it.
    pub fn to_value(&self) -> Value {
        let mut error = Map::new();
        error.insert("kind".into(), self.kind.as_str().into());
        error.insert("message".into(), self.message.as_str().into());
        if let Some(argument) = &self.argument {
            error.insert("argument".into(), argument.as_str().into());
        }
        if !self.choices.is_empty() {
            error.insert("choices".into(), self.choices.clone().into());
        }
        let mut object = Map::new();
        object.insert("error".into(), Value::Object(error));
        Value::Object(object)
    }
}

/// A call made exact: relative wishes resolved to absolute targets, defaults filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Resolved {
    /// The arguments that the policies judge, the journal keeps and the tool runs with.
    pub arguments: Value,
    /// What this very call does.
    pub effect: Effect,
    /// The question to be answered with yes before this very call runs, whatever the policies say: for tools
    /// that nobody wrote policies for, such as those of an MCP server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

impl Resolved {
    /// A call that does `effect` with `arguments`.
    pub fn new(arguments: Value, effect: Effect) -> Self {
        Self {
            arguments,
            effect,
            confirm: None,
        }
    }

    /// The same call, which runs only after a yes to `question`.
    #[must_use]
    pub fn confirm(mut self, question: impl Into<String>) -> Self {
        self.confirm = Some(question.into());
        self
    }
}

/// Why a call was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The arguments miss the schema: the model hears what is wrong, the driver nothing.
    #[error("{0}")]
    Misfit(String),
    /// The call as such cannot be made: out of range, nothing by that name, several.
    #[error(transparent)]
    Failed(#[from] ToolError),
}

/// A tool as the runner sees it. Write a [`TypedTool`] instead: each is one.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What it is.
    fn spec(&self) -> &Arc<ToolSpec>;

    /// Checks the arguments and makes the call exact. No effect on the world; reads state.
    ///
    /// # Errors
    /// [`Refusal`] where the arguments miss the schema or the call cannot be made.
    fn resolve(&self, arguments: &Value, context: ToolContext<'_>) -> Result<Resolved, Refusal>;

    /// Runs a resolved call.
    ///
    /// # Errors
    /// [`ToolError`] where the work was not done.
    async fn run(&self, arguments: &Value, context: ToolContext<'_>) -> Result<ToolOutput, ToolError>;
}

/// A tool with typed arguments: what hosts write.
///
/// ```
/// use incar_core::{async_trait, Bilingual, Effect, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};
///
/// /// Sets the fridge.
/// #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
/// #[schemars(crate = "schemars")]
/// struct FridgeArgs {
///     /// Degrees Celsius.
///     #[schemars(range(min = -6, max = 15))]
///     temperature: f64,
/// }
///
/// struct Fridge;
///
/// #[async_trait]
/// impl TypedTool for Fridge {
///     type Args = FridgeArgs;
///     fn spec(&self) -> ToolSpec {
///         ToolSpec::new("set_fridge", ToolCategory::CAR_CONTROL, Effect::Set, Bilingual::new("设置车载冰箱温度", "Set the fridge"))
///     }
///     async fn run(&self, args: FridgeArgs, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
///         ToolOutput::new(serde_json::json!({"temperature": args.temperature}))
///     }
/// }
/// ```
#[async_trait]
pub trait TypedTool: Send + Sync + 'static {
    /// The arguments. Fields that may be left out are `Option`s.
    type Args: DeserializeOwned + Serialize + JsonSchema + Send + Sync + 'static;

    /// What it is. `parameters` is filled in from `Args`.
    fn spec(&self) -> ToolSpec;

    /// Makes a call exact: what is relative becomes absolute, what was left out gets its default.
    /// By default the call is exact as it is and does what the spec says.
    ///
    /// # Errors
    /// [`ToolError`] where the call cannot be made.
    fn resolve(&self, args: Self::Args, context: ToolContext<'_>) -> Result<(Self::Args, Effect), ToolError> {
        Ok((args, context.effect.unwrap_or_else(|| self.spec().effect)))
    }

    /// Runs a resolved call.
    ///
    /// # Errors
    /// [`ToolError`] where the work was not done.
    async fn run(&self, args: Self::Args, context: ToolContext<'_>) -> Result<ToolOutput, ToolError>;
}

/// A [`TypedTool`] with its types erased.
pub struct Erased<T> {
    spec: Arc<ToolSpec>,
    tool: T,
}

impl<T> fmt::Debug for Erased<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erased")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

impl<T: TypedTool> Erased<T> {
    /// Erases `tool`.
    pub fn new(tool: T) -> Self {
        let mut spec = tool.spec();
        spec.parameters = crate::schema::schema_of::<T::Args>();
        Self {
            spec: Arc::new(spec),
            tool,
        }
    }

    fn parse(arguments: &Value) -> Result<T::Args, Refusal> {
        T::Args::deserialize(arguments).map_err(|error| Refusal::Misfit(error.to_string()))
    }
}

#[async_trait]
impl<T: TypedTool> Tool for Erased<T> {
    fn spec(&self) -> &Arc<ToolSpec> {
        &self.spec
    }

    fn resolve(&self, arguments: &Value, context: ToolContext<'_>) -> Result<Resolved, Refusal> {
        crate::schema::check(&self.spec.parameters, arguments, context.lang)?;
        let context = ToolContext {
            effect: Some(self.spec.effect),
            ..context
        };
        let (args, effect) = self.tool.resolve(Self::parse(arguments)?, context)?;
        match serde_json::to_value(args) {
            Ok(arguments) => Ok(Resolved::new(arguments, effect)),
            Err(error) => Err(ToolError::new(ErrorKind::Internal, error.to_string()).into()),
        }
    }

    async fn run(&self, arguments: &Value, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let args = Self::parse(arguments).map_err(|refusal| match refusal {
            Refusal::Misfit(message) => ToolError::new(ErrorKind::InvalidInput, message),
            Refusal::Failed(error) => error,
        })?;
        self.tool.run(args, context).await
    }
}
