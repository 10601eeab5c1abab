//! What a client is made from.

use crate::client::OpenAiModel;
use crate::dialect::Dialect;
use crate::dns::HostResolver;
use crate::key::ApiKey;
use crate::provider::Provider;
use crate::retry::RetryPolicy;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a client is made from: a builder. [`Config::build`] makes the client.
///
/// ```
/// use incar_openai::{Config, Provider};
/// let model = Config::new(Provider::Ollama).with_model("qwen3:8b").with_max_tokens(512).build()?;
/// # Ok::<(), incar_openai::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Config {
    pub(crate) provider: Provider,
    pub(crate) base_url: String,
    pub(crate) model: String,
    pub(crate) key: Option<Result<ApiKey, ConfigError>>,
    pub(crate) dialect: Dialect,
    pub(crate) temperature: Option<f64>,
    pub(crate) top_p: Option<f64>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) thinking: Thinking,
    pub(crate) transport: Transport,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: RetryPolicy,
    pub(crate) limits: ReplyLimits,
    pub(crate) plain_http: PlainHttp,
    pub(crate) proxy: Proxy,
    pub(crate) resolver: Option<Arc<dyn HostResolver>>,
    pub(crate) extra_body: Map<String, Value>,
}

/// Why no client can be made from a [`Config`] or an environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The base URL is none, or not one of a service.
    #[error("`{url}` is no base URL: {reason}")]
    Url {
        /// The URL, without what may be secret in it.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The service has no base URL of its own and none was given.
    #[error("no base URL: set INCAR_MODEL_URL or with_base_url")]
    NoUrl,
    /// No model was named and the service has no usual one.
    #[error("no model: set INCAR_MODEL or with_model")]
    NoModel,
    /// The service needs a key and none was given.
    #[error("{provider} needs a key: set {variable} or INCAR_API_KEY")]
    NoKey {
        /// The service.
        provider: Provider,
        /// Where its users keep their key.
        variable: &'static str,
    },
    /// The key is empty or holds characters that no header may hold.
    #[error("the key is empty or holds characters that a key cannot have")]
    Key,
    /// The key would be readable by anybody on the way.
    #[error("a key is not sent over plain http to `{host}`: use https, or allow it (PlainHttp::Allowed)")]
    KeyOverPlainHttp {
        /// Where it would have been sent.
        host: String,
    },
    /// The environment names a service that is not known.
    #[error("INCAR_PROVIDER is `{0}`: use dashscope, deepseek, openai, ollama, llama.cpp, vllm or custom")]
    Provider(String),
    /// A setting is out of range.
    #[error("{name} is out of range: {range}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// The extra body would replace what the client writes itself.
    #[error("extra_body may not set `{0}`")]
    ExtraBody(String),
    /// TLS could not be set up (no trusted certificates on this system, for one).
    #[error("TLS could not be set up: {0}")]
    Tls(String),
    /// The proxy of the environment is of a kind that is not spoken.
    #[error("the environment names a `{0}` proxy: only http and https proxies are spoken")]
    Proxy(String),
}

/// How a reply comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Transport {
    /// As events, while it is made.
    #[default]
    Streaming,
    /// At once, when it is whole.
    Plain,
}

/// Whether the model thinks before it answers, where the service has a switch for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Thinking {
    /// As the service does by itself.
    #[default]
    Service,
    /// Yes.
    On,
    /// No: faster.
    Off,
}

/// Where a key may go unencrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PlainHttp {
    /// To this machine only.
    #[default]
    LoopbackOnly,
    /// Anywhere: the network is trusted.
    Allowed,
}

/// Whether the proxies of the environment are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Proxy {
    /// None are.
    #[default]
    None,
    /// Those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, but for the hosts of `NO_PROXY`; http and https proxies, not
    /// SOCKS.
    Environment,
}

/// How long is waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// For a connection, TLS included.
    pub connect: Duration,
    /// For the beginning of a streamed reply, from the request on. A plain reply comes at once and is
    /// bounded by `whole` alone.
    pub first_token: Duration,
    /// For the whole reply, retries and the waits between them included.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::new(Duration::from_secs(5), Duration::from_secs(20), Duration::from_secs(60))
    }
}

impl Timeouts {
    /// Timeouts.
    pub fn new(connect: Duration, first_token: Duration, whole: Duration) -> Self {
        Self {
            connect,
            first_token,
            whole,
        }
    }
}

/// How much of a reply is read: a service that never ends must not fill the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyLimits {
    /// The longest line or event of a stream, in bytes.
    pub line: usize,
    /// The longest reply, in bytes on the wire.
    pub reply: usize,
}

impl Default for ReplyLimits {
    fn default() -> Self {
        Self::new(1 << 20, 8 << 20)
    }
}

impl ReplyLimits {
    /// Limits, in bytes.
    pub fn new(line: usize, reply: usize) -> Self {
        Self { line, reply }
    }
}

impl Config {
    /// The defaults of `provider`. One without a usual base URL or model needs
    /// [`Config::with_base_url`] and [`Config::with_model`].
    pub fn new(provider: Provider) -> Self {
        let profile = provider.profile();
        Self {
            provider,
            base_url: profile.base_url.unwrap_or_default().to_owned(),
            model: profile.model.unwrap_or_default().to_owned(),
            key: None,
            dialect: profile.dialect,
            temperature: None,
            top_p: None,
            max_tokens: Some(8192),
            thinking: Thinking::default(),
            transport: Transport::default(),
            timeouts: Timeouts::default(),
            retry: RetryPolicy::default(),
            limits: ReplyLimits::default(),
            plain_http: PlainHttp::default(),
            proxy: Proxy::default(),
            resolver: None,
            extra_body: Map::new(),
        }
    }

    /// Another base URL: what stands before `/chat/completions`, such as `http://127.0.0.1:8000/v1`.
    #[must_use]
    pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// Another model.
    #[must_use]
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        self.model = model.into();
        self
    }

    /// A key. One that cannot be sent fails [`Config::build`].
    #[must_use]
    pub fn with_key(mut self, key: impl AsRef<str>) -> Self {
        self.key = Some(ApiKey::new(key.as_ref()));
        self
    }

    /// How the service wants to be talked to, where it is not as its provider.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// The temperature, 0 to 2. Not sent unless set.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The nucleus, above 0 to 1. Not sent unless set.
    #[must_use]
    pub fn with_top_p(mut self, top_p: f64) -> Self {
        self.top_p = Some(top_p);
        self
    }

    /// The most tokens of a reply; 8192 unless set.
    #[must_use]
    pub fn with_max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }

    /// Whether the model thinks first, where the service has a switch for it. A plain reply of
    /// DashScope never does: it refuses to.
    #[must_use]
    pub fn with_thinking(mut self, thinking: Thinking) -> Self {
        self.thinking = thinking;
        self
    }

    /// How replies come.
    #[must_use]
    pub fn with_transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// How long is waited.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// When a request is made again.
    #[must_use]
    pub fn with_retry(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }

    /// How much of a reply is read.
    #[must_use]
    pub fn with_limits(mut self, limits: ReplyLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Where a key may go unencrypted.
    #[must_use]
    pub fn with_plain_http(mut self, plain_http: PlainHttp) -> Self {
        self.plain_http = plain_http;
        self
    }

    /// Whether the proxies of the environment are used.
    #[must_use]
    pub fn with_proxy(mut self, proxy: Proxy) -> Self {
        self.proxy = proxy;
        self
    }

    /// Sets who looks up host names. By default the system.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn HostResolver>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// More parameters of the body, merged into the client's own (RFC 7396: objects merge, `null`
    /// takes a parameter out). `messages`, `tools` and `stream` are the client's alone.
    #[must_use]
    pub fn with_extra_body(mut self, extra: Map<String, Value>) -> Self {
        self.extra_body = extra;
        self
    }

    /// The client.
    ///
    /// # Errors
    /// [`ConfigError`] where something is missing, out of range or unsafe.
    pub fn build(self) -> Result<OpenAiModel, ConfigError> {
        self.check()?;
        OpenAiModel::new(&self)
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.base_url.trim().is_empty() {
            return Err(ConfigError::NoUrl);
        }
        if self.model.trim().is_empty() {
            return Err(ConfigError::NoModel);
        }
        for (name, fits, range) in [
            (
                "temperature",
                self.temperature.is_none_or(|t| (0.0..=2.0).contains(&t)),
                "0 to 2",
            ),
            (
                "top_p",
                self.top_p.is_none_or(|p| p > 0.0 && p <= 1.0),
                "above 0, at most 1",
            ),
            ("max_tokens", self.max_tokens != Some(0), "1 or more"),
            ("timeouts.connect", !self.timeouts.connect.is_zero(), "above 0"),
            ("timeouts.first_token", !self.timeouts.first_token.is_zero(), "above 0"),
            ("timeouts.whole", !self.timeouts.whole.is_zero(), "above 0"),
            ("limits.line", self.limits.line > 0, "1 or more"),
            ("limits.reply", self.limits.reply > 0, "1 or more"),
        ] {
            if !fits {
                return Err(ConfigError::OutOfRange { name, range });
            }
        }
        match ["messages", "tools", "stream"]
            .iter()
            .find(|name| self.extra_body.contains_key(**name))
        {
            Some(name) => Err(ConfigError::ExtraBody((*name).to_owned())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("provider", &self.provider)
            .field("base_url", &crate::address::shown(&self.base_url))
            .field("model", &self.model)
            .field("key", &self.key)
            .field("transport", &self.transport)
            .field("timeouts", &self.timeouts)
            .field("retry", &self.retry)
            .field("extra_body", &self.extra_body.keys())
            .finish_non_exhaustive()
    }
}
