//! Questions over HTTP, on this machine alone unless told: `POST /research` takes a [`ResearchRequest`] as JSON and answers
//! with a [`ResearchAnswer`](crate::ResearchAnswer), or with the run's events and the answer as the last of them to who accepts
//! `text/event-stream`. Who hangs up calls the run off.
//!
//! Pages of a browser are refused (any `Origin`), and so are names of other hosts that lead here (rebinding).

mod door;
mod reply;

use crate::lines::LONGEST_REQUEST;
use crate::request::{ResearchRequest, ResearchService};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::post;
use door::Door;
pub use incar_net::{BearerToken, WeakToken};
use reply::{Refusal, answered, told};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;

/// Where questions go.
const PATH: &str = "/research";
/// How long it may take to arrive.
const ARRIVES_WITHIN: Duration = Duration::from_secs(10);
/// How many questions are researched at once, unless set.
const MOST_RUNS: usize = 4;

/// Where a server listens, and for whom.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpSettings {
    /// Where it listens. With port 0 it is given one.
    pub address: SocketAddr,
    /// Whom it serves. Default: this machine.
    pub reach: Reach,
    /// The secret that a client has to show; `None`: whoever reaches it is served. Other machines must show one.
    pub token: Option<BearerToken>,
    /// How many questions are researched at once. Default 4.
    pub most: usize,
}

/// Whom a server serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reach {
    /// Programs on this machine.
    #[default]
    ThisMachine,
    /// Other machines too: they must show a token.
    Network,
}

impl HttpSettings {
    /// A server for this machine, at `address`.
    pub fn at(address: impl Into<SocketAddr>) -> Self {
        Self {
            address: address.into(),
            reach: Reach::default(),
            token: None,
            most: MOST_RUNS,
        }
    }

    /// The same for whoever shows `token`.
    #[must_use]
    pub fn with_token(mut self, token: BearerToken) -> Self {
        self.token = Some(token);
        self
    }

    /// The same, serving `reach`.
    #[must_use]
    pub fn reaching(mut self, reach: Reach) -> Self {
        self.reach = reach;
        self
    }

    /// The same with so many questions at once.
    #[must_use]
    pub fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached from other machines, and those are not to be served.
    #[error("{0} can be reached from other machines; listen on 127.0.0.1 or ::1, or serve the network")]
    NotLoopback(SocketAddr),
    /// Other machines are to be served without a token.
    #[error("other machines are served only with a token")]
    NoToken,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A server that listens; dropped, it stops, and what it was researching is called off.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    running: JoinHandle<()>,
    /// Dropped, it ends the runs.
    _open: watch::Sender<()>,
}

/// What every request meets.
#[derive(Debug, Clone)]
struct Served {
    service: Arc<dyn ResearchService>,
    places: Arc<Semaphore>,
    closed: watch::Receiver<()>,
}

impl HttpServer {
    /// Begins to serve. Must be called within a tokio runtime with time and I/O enabled.
    ///
    /// ```no_run
    /// # async fn example(service: std::sync::Arc<dyn incar_research::ResearchService>) -> Result<(), Box<dyn std::error::Error>> {
    /// use incar_research::http::{HttpServer, HttpSettings};
    ///
    /// let server = HttpServer::start(service, HttpSettings::at(([127, 0, 0, 1], 8738))).await?;
    /// println!("{}", server.url());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`ServeError`] where others could reach it that are not to be served, or the address cannot be listened on.
    pub async fn start(service: Arc<dyn ResearchService>, settings: HttpSettings) -> Result<Self, ServeError> {
        match settings.reach {
            Reach::ThisMachine if !settings.address.ip().is_loopback() => {
                return Err(ServeError::NotLoopback(settings.address));
            }
            Reach::Network if settings.token.is_none() => return Err(ServeError::NoToken),
            Reach::ThisMachine | Reach::Network => {}
        }
        let listener = TcpListener::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let (open, closed) = watch::channel(());
        let served = Served {
            service,
            places: Arc::new(Semaphore::new(settings.most.max(1))),
            closed,
        };
        let door = Door {
            reach: settings.reach,
            token: settings.token,
        };
        let router = Router::new()
            .route(PATH, post(research))
            .with_state(served)
            .layer(from_fn_with_state(Arc::new(door), door::pass));
        let running = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the endpoint for research ended");
            }
        });
        Ok(Self {
            address,
            running,
            _open: open,
        })
    }

    /// Where it listens; with port 0, which port it was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that questions go to.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn research(State(served): State<Served>, request: Request) -> Response {
    match begin(&served, request).await {
        Ok((request, place, true)) => told(served.service, request, place, served.closed),
        Ok((request, place, false)) => answered(&*served.service, &request, place, served.closed).await,
        Err(refusal) => refusal.into(),
    }
}

/// A question, a place for its run, and whether its events are wanted.
async fn begin(served: &Served, request: Request) -> Result<(ResearchRequest, OwnedSemaphorePermit, bool), Refusal> {
    let (parts, body) = request.into_parts();
    if !is(&parts.headers, CONTENT_TYPE.as_str(), "application/json") {
        return Err(Refusal::NotJson);
    }
    let streamed = is(&parts.headers, ACCEPT.as_str(), "text/event-stream");
    let request = read(body).await?;
    let place = served.places.clone().try_acquire_owned();
    Ok((request, place.map_err(|_full| Refusal::Busy)?, streamed))
}

fn is(headers: &HeaderMap, name: &str, media: &str) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| {
        let mut kinds = value.split(',').filter_map(|kind| kind.split(';').next());
        kinds.any(|kind| kind.trim().eq_ignore_ascii_case(media))
    })
}

async fn read(body: Body) -> Result<ResearchRequest, Refusal> {
    let reading = tokio::time::timeout(ARRIVES_WITHIN, to_bytes(body, LONGEST_REQUEST));
    let read = reading.await.map_err(|_elapsed| Refusal::Late)?;
    let bytes = read.map_err(|_error| Refusal::TooLong)?;
    serde_json::from_slice(&bytes).map_err(|error| Refusal::Invalid(error.to_string()))
}
