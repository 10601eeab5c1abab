//! The client of incar for OpenAI-compatible model services.
//!
//! [`OpenAiModel`] implements [`incar_core::ChatModel`] over `POST {base}/chat/completions`, streamed
//! or plain. What differs between services is data: a [`Provider`] names a service, its [`Dialect`]
//! says how that service wants to be talked to, a [`Config`] says the rest.
//!
//! ```no_run
//! use incar_openai::{Config, Provider};
//!
//! // From INCAR_MODEL_URL, INCAR_MODEL, INCAR_API_KEY, INCAR_PROVIDER, DASHSCOPE_API_KEY, …
//! let from_environment = Config::from_env()?.map(Config::build).transpose()?;
//!
//! // Or by hand.
//! let model = Config::new(Provider::DashScope).with_key("sk-…").with_temperature(0.3).build()?;
//! # Ok::<(), incar_openai::ConfigError>(())
//! ```
//!
//! # What it does with the network
//! - The proxies of the environment (`HTTPS_PROXY`, …) are **not** used unless
//!   [`Proxy::Environment`] says so: a proxy that nobody thought of would hear the cabin.
//! - Certificates are judged by the system's trust store; TLS is set up for an `https` address only.
//! - A key is sent to the configured scheme, host and port and nowhere else. Redirects to another
//!   origin are errors; a key over plain `http` to another machine is refused ([`PlainHttp`]).
//! - It needs a tokio runtime with its I/O and time drivers.
//! - HTTP/1.1 with keep-alive, `TCP_NODELAY`. Dropping a stream closes its connection.

mod address;
mod body;
mod calls;
mod chunk;
mod client;
mod config;
mod connect;
mod dialect;
mod dns;
mod env;
mod error;
mod key;
mod provider;
mod reply;
mod retry;
mod schema;
mod service;
mod sse;
mod tools;
mod written;

pub use client::OpenAiModel;
pub use config::{Config, ConfigError, PlainHttp, Proxy, ReplyLimits, Thinking, Timeouts, Transport};
pub use dialect::{
    ContextPlace, Dialect, HistoryArguments, MaxTokensField, Nulls, ParallelCalls, ReasoningBack, SchemaRules,
    ThinkingField, UsageInStream,
};
pub use dns::HostResolver;
pub use key::ApiKey;
pub use provider::{Profile, Provider};
pub use retry::RetryPolicy;
pub use schema::adapt as adapt_schema;
