//! How services that all call themselves compatible want to be talked to: plain data.

/// How one service wants to be talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dialect {
    /// The parameter that bounds the reply.
    pub max_tokens: MaxTokensField,
    /// Whether a stream is asked to count its tokens.
    pub usage_in_stream: UsageInStream,
    /// Which earlier reasoning is sent back.
    pub reasoning_back: ReasoningBack,
    /// The parameter that switches thinking.
    pub thinking: ThinkingField,
    /// Where the cabin context goes.
    pub context: ContextPlace,
    /// How earlier arguments that are not JSON are sent.
    pub history_arguments: HistoryArguments,
    /// Whether several calls in one reply must be asked for.
    pub parallel_calls: ParallelCalls,
    /// What the schemas of arguments may hold.
    pub schema: SchemaRules,
}

/// The parameter that bounds the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaxTokensField {
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's newer models refuse the other.
    MaxCompletionTokens,
}

/// Whether a stream is asked to count its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageInStream {
    /// `stream_options: {"include_usage": true}` is sent.
    Asked,
    /// It is not: the service refuses the parameter or counts anyway.
    NotAsked,
}

/// Which earlier reasoning is sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningBack {
    /// None.
    Never,
    /// That of turns with tool calls, as `reasoning_content`; a reply with calls and no reasoning
    /// sends an empty one. DeepSeek refuses the request otherwise.
    ToolTurns,
}

/// The parameter that switches thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThinkingField {
    /// There is none.
    None,
    /// `enable_thinking: bool` (DashScope, which refuses to think in a plain reply: there it is
    /// always `false`).
    EnableThinking,
    /// `thinking: {"type": "enabled" | "disabled"}` (DeepSeek).
    ThinkingType,
    /// `chat_template_kwargs: {"enable_thinking": bool}` (vLLM, llama.cpp).
    ChatTemplate,
}

/// Where the cabin context goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextPlace {
    /// As the first lines of the utterance it belongs to. Understood by every service: many chat
    /// templates refuse a second system message or two user messages in a row.
    BeforeUser,
    /// As a system message of its own.
    System,
}

/// How earlier arguments that are not JSON are sent. What the history holds never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryArguments {
    /// Byte for byte.
    AsWritten,
    /// As `{"invalid_json": "…"}`: the service parses them for its chat template and fails
    /// otherwise.
    Object,
}

/// Whether several calls in one reply must be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParallelCalls {
    /// The service allows them anyway, or the parameter is unknown to it.
    NotAsked,
    /// `parallel_tool_calls: true` is sent with the tools (DashScope allows one call otherwise).
    Asked,
}

/// What the schemas of arguments may hold. Local references are always inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaRules {
    /// What becomes of null types.
    pub nulls: Nulls,
    /// Keywords that are left out.
    pub refused: &'static [&'static str],
}

/// What becomes of null types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nulls {
    /// They go: an optional argument is left out instead.
    Dropped,
    /// They stay.
    Kept,
}

impl Dialect {
    /// What services of no known dialect understand.
    pub const COMMON: Self = Self {
        max_tokens: MaxTokensField::MaxTokens,
        usage_in_stream: UsageInStream::Asked,
        reasoning_back: ReasoningBack::Never,
        thinking: ThinkingField::None,
        context: ContextPlace::BeforeUser,
        history_arguments: HistoryArguments::AsWritten,
        parallel_calls: ParallelCalls::NotAsked,
        schema: SchemaRules {
            nulls: Nulls::Dropped,
            refused: &[],
        },
    };

    /// Alibaba Cloud's DashScope (Model Studio).
    pub const DASHSCOPE: Self = Self {
        thinking: ThinkingField::EnableThinking,
        parallel_calls: ParallelCalls::Asked,
        ..Self::COMMON
    };

    /// DeepSeek.
    pub const DEEPSEEK: Self = Self {
        reasoning_back: ReasoningBack::ToolTurns,
        thinking: ThinkingField::ThinkingType,
        ..Self::COMMON
    };

    /// OpenAI.
    pub const OPENAI: Self = Self {
        max_tokens: MaxTokensField::MaxCompletionTokens,
        context: ContextPlace::System,
        ..Self::COMMON
    };

    /// Ollama.
    pub const OLLAMA: Self = Self {
        history_arguments: HistoryArguments::Object,
        ..Self::COMMON
    };

    /// llama.cpp's server. Its grammars refuse patterns that are not anchored.
    pub const LLAMA_CPP: Self = Self {
        history_arguments: HistoryArguments::Object,
        thinking: ThinkingField::ChatTemplate,
        schema: SchemaRules {
            refused: &["pattern"],
            ..Self::COMMON.schema
        },
        ..Self::COMMON
    };

    /// vLLM.
    pub const VLLM: Self = Self {
        history_arguments: HistoryArguments::Object,
        thinking: ThinkingField::ChatTemplate,
        ..Self::COMMON
    };
}
