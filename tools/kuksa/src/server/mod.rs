//! The simulated car as a broker: `kuksa.val.v2`, and of `kuksa.val.v1` what KUKSA's Python client still asks.
//!
//! It is for trying the back end and for tests, and keeps to what the published broker does: values before changes on
//! a subscription; UNAVAILABLE for an actuator that nobody provides, INVALID_ARGUMENT for a wrong type, name or range,
//! NOT_FOUND, PERMISSION_DENIED and UNAUTHENTICATED; a command is answered once it is handed on, whether the part obeys
//! or not. A plain car by VSS has a sensor and a switch where incar's has a sunroof that goes to a percentage: so has
//! this one.

mod access;
mod broker;
#[cfg(test)]
mod tests;
mod v1;
mod v2;

pub use access::{Access, Grant, ScopeError};

use crate::proto::v1::val_server::ValServer as ValServerV1;
use crate::proto::v2::val_server::ValServer as ValServerV2;
use crate::routes::OverlayError;
use broker::Broker;
use incar_core::Clock;
use incar_tools::vehicle::SimulatedCar;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Identity, Server, ServerTlsConfig};

/// What it says of itself.
const NAME: &str = "incar-kuksa";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The simulated car as a broker.
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_kuksa::server::CarServer;
/// use incar_kuksa::{KuksaConfig, KuksaVehicle};
/// use incar_tools::vehicle::{SimulatedCar, Vehicle};
/// use std::sync::Arc;
///
/// # #[tokio::main(flavor = "multi_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
/// let car = Arc::new(SimulatedCar::new(clock.clone())?);
/// let server = CarServer::new(car.clone(), clock).bind("127.0.0.1:0".parse()?).await?;
/// let url = format!("http://{}", server.address());
/// tokio::spawn(server.serve());
///
/// let vehicle = KuksaVehicle::connect(KuksaConfig::new(url)).await?;
/// assert_eq!(vehicle.value("Vehicle.Speed")?, 0.0.into());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CarServer {
    car: Arc<SimulatedCar>,
    clock: Arc<dyn Clock>,
    access: Access,
    unprovided: Vec<String>,
    identity: Option<Identity>,
}

/// Why the car is not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        cause: std::io::Error,
    },
    /// The shipped table of signals cannot be used; a test holds that it can.
    #[error(transparent)]
    Table(#[from] OverlayError),
    /// The certificate or its key cannot be used, or the connection to the network broke.
    #[error("cannot serve: {0}")]
    Transport(String),
}

impl CarServer {
    /// A server of `car`, for everybody; `clock` dates its values.
    pub fn new(car: Arc<SimulatedCar>, clock: Arc<dyn Clock>) -> Self {
        Self {
            car,
            clock,
            access: Access::Open,
            unprovided: Vec::new(),
            identity: None,
        }
    }

    /// Asks who speaks.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Leaves these actuators to others: nobody moves them until a provider claims them. Paths, branches and patterns.
    #[must_use]
    pub fn without_provider(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.unprovided.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Serves with TLS: a certificate and its key, both as PEM.
    #[must_use]
    pub fn with_tls(mut self, certificate: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> Self {
        self.identity = Some(Identity::from_pem(certificate, key));
        self
    }

    /// Listens on `address`; port 0 takes a free one.
    ///
    /// # Errors
    /// [`ServeError`] where that is not possible.
    pub async fn bind(self, address: SocketAddr) -> Result<Listening, ServeError> {
        let listen = |cause| ServeError::Listen { address, cause };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let broker = Arc::new(Broker::new(self.car, self.clock, &self.unprovided)?);
        Ok(Listening {
            listener,
            address,
            broker,
            access: Arc::new(self.access),
            identity: self.identity,
        })
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    broker: Arc<Broker>,
    access: Arc<Access>,
    identity: Option<Identity>,
}

impl Listening {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the future is dropped.
    ///
    /// # Errors
    /// [`ServeError::Transport`].
    pub async fn serve(self) -> Result<(), ServeError> {
        let failed = |error: tonic::transport::Error| ServeError::Transport(crate::error::root_cause(&error));
        let (broker, access) = (self.broker, self.access);
        let v1 = v1::Service {
            broker: broker.clone(),
            access: access.clone(),
        };
        let v2 = v2::Service { broker, access };
        let mut server = Server::builder();
        if let Some(identity) = self.identity {
            server = server
                .tls_config(ServerTlsConfig::new().identity(identity))
                .map_err(failed)?;
        }
        server
            .add_service(ValServerV2::new(v2))
            .add_service(ValServerV1::new(v1))
            .serve_with_incoming(TcpIncoming::from(self.listener).with_nodelay(Some(true)))
            .await
            .map_err(failed)
    }
}
