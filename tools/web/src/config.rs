//! Why a client cannot be made.

/// Why a client or the tools cannot be made from their settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The address of a service is none.
    #[error("`{0}` is no address of a service: it must begin with http:// or https:// and hold no key")]
    Url(String),
    /// The service has no address of its own and none was given.
    #[error("{0} needs the address of an instance")]
    NoUrl(&'static str),
    /// The service needs a key and none was given.
    #[error("{service} needs a key: set {variable}")]
    NoKey {
        /// The service.
        service: &'static str,
        /// The variable of the environment in which it is looked for.
        variable: String,
    },
    /// The key is empty or holds characters that no header may hold.
    #[error("the key is empty or holds characters that a key cannot have")]
    Key,
    /// The key would be readable by anybody on the way.
    #[error("a key is not sent over plain http to `{0}`: use https")]
    KeyOverPlainHttp(String),
    /// A setting is out of range.
    #[error("{name} is out of range: {range}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// A network that may be read from is none.
    #[error(transparent)]
    Network(#[from] crate::fetch::NetworkFault),
    /// TLS could not be set up (no trusted certificates on this system, for one).
    #[error("TLS could not be set up: {0}")]
    Tls(String),
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be made: {0}")]
    Http(String),
}
