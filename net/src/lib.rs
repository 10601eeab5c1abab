//! What every HTTP client of incar shares, and with the feature `server` every HTTP server.
//!
//! TLS is rustls with ring: of the two providers that rustls keeps, it is the one that builds without
//! CMake or an assembler of its own and in a few seconds. Certificates are judged by the platform's
//! trust store, which a fleet can manage, so no list of authorities is built in. The configuration is
//! made here and handed to the HTTP client: reqwest would otherwise take a provider from the process and
//! panic where the host has installed none.

#[cfg(feature = "server")]
mod bearer;

#[cfg(feature = "server")]
pub use bearer::{BearerToken, WeakToken};

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;

/// Why TLS could not be set up.
pub use rustls::Error as TlsError;

/// Whose word a client takes for who a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The platform's trust store.
    Platform,
    /// Nobody's: for a client that never comes to need TLS; it costs nothing.
    Nobody,
}

impl Trust {
    /// What a client needs that stays at addresses of a scheme.
    pub fn for_scheme(scheme: &str) -> Self {
        match scheme {
            "https" => Self::Platform,
            _ => Self::Nobody,
        }
    }
}

/// The TLS of a client, to be handed to it.
///
/// # Errors
/// Where the platform's trust store cannot be used.
pub fn tls(trust: Trust) -> Result<ClientConfig, TlsError> {
    let ring = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(ring).with_safe_default_protocol_versions()?;
    let builder = match trust {
        Trust::Platform => builder.with_platform_verifier()?,
        Trust::Nobody => builder.with_root_certificates(RootCertStore::empty()),
    };
    Ok(builder.with_no_client_auth())
}

/// The innermost cause of an error: the outer ones say less, and may repeat an address with a key in it.
pub fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause
}

/// Whether a URL's host is this machine, so that what is sent there in the clear stays in it. A name other than
/// `localhost` is not, wherever it may lead.
///
/// ```
/// assert!(incar_net::is_this_machine("localhost") && incar_net::is_this_machine("[::1]"));
/// assert!(!incar_net::is_this_machine("localhost.example.com"));
/// ```
pub fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
