//! Host names looked up by the host's own resolver.

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Looks host names up, instead of the system: a car's own resolver, or fixed addresses.
pub trait HostResolver: Debug + Send + Sync {
    /// The addresses of `host`.
    ///
    /// # Errors
    /// Where it has none, or nobody can tell.
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The resolver as the HTTP client wants it.
pub(crate) struct Adapter(pub(crate) Arc<dyn HostResolver>);

impl Resolve for Adapter {
    fn resolve(&self, name: Name) -> Resolving {
        let looking = self.0.resolve(name.as_str());
        Box::pin(async move {
            let found = looking.await?;
            // The port of the address in the URL replaces this one.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
