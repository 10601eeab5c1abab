//! Host names looked up by the host's own resolver.

use futures_util::future::BoxFuture;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;
use tower_service::Service;

/// Looks host names up, instead of the system: a car's own resolver, or fixed addresses.
pub trait HostResolver: Debug + Send + Sync {
    /// The addresses of `host`.
    ///
    /// # Errors
    /// Where it has none, or nobody can tell.
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// Who looks names up.
#[derive(Clone)]
pub(crate) enum Names {
    System(GaiResolver),
    Host(Arc<dyn HostResolver>),
}

impl Names {
    /// The host's resolver, or the system.
    pub(crate) fn of(resolver: Option<Arc<dyn HostResolver>>) -> Self {
        resolver.map_or_else(|| Self::System(GaiResolver::new()), Self::Host)
    }
}

impl Service<Name> for Names {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        match self {
            Self::System(system) => {
                let looking = system.call(name);
                Box::pin(async move { Ok(looking.await?.collect::<Vec<_>>().into_iter()) })
            }
            Self::Host(host) => {
                let looking = host.resolve(name.as_str());
                Box::pin(async move {
                    // The port of the address in the URL replaces this one.
                    let addresses = looking.await?.into_iter().map(|address| SocketAddr::new(address, 0));
                    Ok(addresses.collect::<Vec<_>>().into_iter())
                })
            }
        }
    }
}
