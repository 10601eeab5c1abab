//! How a car is reached.

use crate::error::KuksaError;
use crate::routes::Overlay;
use std::fmt;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

/// How a car is reached: the broker's address, and what is different from the defaults.
///
/// ```
/// use incar_kuksa::{KuksaConfig, Token};
/// use std::time::Duration;
///
/// let config = KuksaConfig::new("https://databroker.car:55555")
///     .with_token(Token::new("eyJhbGciOi…".replace('…', ""))?)
///     .with_deadline(Duration::from_millis(500));
/// # Ok::<(), incar_kuksa::KuksaError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KuksaConfig {
    /// The broker: `http://host:port`, or `https://host:port` for TLS.
    pub url: String,
    /// What says who speaks; none for a broker that asks for none.
    pub token: Option<Token>,
    /// The certificates that are trusted, as PEM, instead of the system's.
    pub ca: Option<Vec<u8>>,
    /// The name in the broker's certificate, where it is not the one in the address.
    pub server_name: Option<String>,
    /// How long one call may take, connecting too. One second by default.
    pub deadline: Duration,
    /// How long the car has, after a command was accepted, to show that it obeys. Two seconds by default.
    pub confirm: Duration,
    /// A maker's own signals.
    pub overlay: Overlay,
    /// Branches and signals to hear besides those that incar's tools use.
    pub signals: Vec<String>,
}

impl KuksaConfig {
    /// A car behind the broker at `url`, with the defaults.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            token: None,
            ca: None,
            server_name: None,
            deadline: Duration::from_secs(1),
            confirm: Duration::from_secs(2),
            overlay: Overlay::default(),
            signals: Vec::new(),
        }
    }

    /// Sends this token with each call.
    #[must_use]
    pub fn with_token(mut self, token: Token) -> Self {
        self.token = Some(token);
        self
    }

    /// Trusts these certificates (PEM) instead of the system's.
    #[must_use]
    pub fn with_ca(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.ca = Some(pem.into());
        self
    }

    /// Expects this name in the broker's certificate.
    #[must_use]
    pub fn with_server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    /// Bounds each call.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Bounds the wait for the car to show that it obeys. A tool has five seconds for all of it.
    #[must_use]
    pub fn with_confirm(mut self, confirm: Duration) -> Self {
        self.confirm = confirm;
        self
    }

    /// Takes a maker's own signals.
    #[must_use]
    pub fn with_overlay(mut self, overlay: Overlay) -> Self {
        self.overlay = overlay;
        self
    }

    /// Hears these branches (`Vehicle.Cabin`) and signals too.
    #[must_use]
    pub fn with_signals(mut self, signals: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.signals.extend(signals.into_iter().map(Into::into));
        self
    }

    /// The endpoint of the link.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, KuksaError> {
        let url = |problem: String| KuksaError::Url {
            url: self.url.clone(),
            problem,
        };
        let secure = match self.url.split_once("://") {
            Some(("https", _)) => true,
            Some(("http", _)) => false,
            _ => return Err(url("it begins with neither http:// nor https://".into())),
        };
        let endpoint =
            Endpoint::from_shared(self.url.clone()).map_err(|error| url(crate::error::root_cause(&error)))?;
        // A broker that hangs without closing is noticed by pings that it does not answer.
        let endpoint = endpoint
            .connect_timeout(self.deadline)
            .http2_keep_alive_interval(self.deadline)
            .keep_alive_timeout(self.deadline)
            .keep_alive_while_idle(true)
            .tcp_nodelay(true);
        if !secure {
            if self.ca.is_some() || self.server_name.is_some() {
                return Err(KuksaError::Tls("certificates are for https:// addresses".into()));
            }
            return Ok(endpoint);
        }
        let mut tls = ClientTlsConfig::new();
        tls = match &self.ca {
            Some(pem) if !pem.windows(BEGIN.len()).any(|part| part == BEGIN) => {
                return Err(KuksaError::Tls("the certificates are no PEM".into()));
            }
            Some(pem) => tls.ca_certificate(Certificate::from_pem(pem)),
            None => tls.with_native_roots(),
        };
        if let Some(name) = &self.server_name {
            tls = tls.domain_name(name);
        }
        endpoint
            .tls_config(tls)
            .map_err(|error| KuksaError::Tls(crate::error::root_cause(&error)))
    }
}

const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// What says who speaks: a JSON Web Token, as KUKSA's broker wants it. It is never shown or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(MetadataValue<Ascii>);

impl Token {
    /// A token, without the word `Bearer`. Blanks around it are dropped, as from a file.
    ///
    /// # Errors
    /// [`KuksaError::Token`] where it has characters that cannot be sent.
    pub fn new(token: impl AsRef<str>) -> Result<Self, KuksaError> {
        let token = token.as_ref().trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KuksaError::Token);
        }
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse().map_err(|_| KuksaError::Token)?;
        value.set_sensitive(true);
        Ok(Self(value))
    }

    pub(crate) fn header(&self) -> MetadataValue<Ascii> {
        self.0.clone()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_address_is_told_at_once() {
        let check = |config: KuksaConfig, wanted: &str| {
            let error = config.endpoint().unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        };
        check(KuksaConfig::new("localhost:55555"), "neither http:// nor https://");
        check(
            KuksaConfig::new("grpc://localhost:55555"),
            "neither http:// nor https://",
        );
        check(KuksaConfig::new("http://"), "no address");
        check(KuksaConfig::new("http://a b"), "no address");
        check(
            KuksaConfig::new("http://localhost:1").with_ca("x"),
            "certificates are for https:// addresses",
        );
        check(KuksaConfig::new("https://localhost:1").with_ca("x"), "no PEM");
    }

    #[test]
    fn a_token_is_not_shown() {
        let token = Token::new(" eyJ.secret\n").unwrap();
        let config = KuksaConfig::new("http://localhost:1").with_token(token.clone());
        assert!(!format!("{config:?} {token:?} {:?}", token.header()).contains("secret"));
        assert_eq!(Token::new(" "), Err(KuksaError::Token));
        assert_eq!(Token::new("a b"), Err(KuksaError::Token));
        assert_eq!(Token::new("口令"), Err(KuksaError::Token));
    }
}
