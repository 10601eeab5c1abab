//! Host names, looked up and checked in one step: the connection is made to the very addresses that were checked, so no
//! second look-up can put another in their place.

use super::address::{Network, is_public};
use incar_core::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Looks host names up.
#[async_trait]
pub trait HostResolver: Debug + Send + Sync {
    /// The addresses of `host`.
    ///
    /// # Errors
    /// Where it has none, or nobody can tell.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SystemResolver;

#[async_trait]
impl HostResolver for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// Which addresses may be connected to.
#[derive(Debug, Clone, Default)]
pub(super) struct Gate(pub(super) Vec<Network>);

impl Gate {
    pub(super) fn admits(&self, address: IpAddr) -> bool {
        is_public(address) || self.0.iter().any(|network| network.contains(address))
    }
}

/// A host whose addresses may not be connected to. Travels inside the HTTP client's error.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not on the public web")]
pub(super) struct NotAdmitted(pub(super) String);

/// The resolver that the HTTP client connects by.
#[derive(Debug, Clone)]
pub(super) struct CheckedDns {
    pub(super) resolver: Arc<dyn HostResolver>,
    pub(super) gate: Arc<Gate>,
}

impl Resolve for CheckedDns {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { resolver, gate } = self.clone();
        Box::pin(async move {
            let host = name.as_str();
            let addresses = resolver.resolve(host).await?;
            // One inner address among public ones is a name that somebody plays with.
            if !addresses.iter().all(|address| gate.admits(*address)) {
                return Err(NotAdmitted(host.to_owned()).into());
            }
            // The port of the address in the URL replaces this one.
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
