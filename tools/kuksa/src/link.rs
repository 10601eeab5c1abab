//! The link to the broker: it connects, asks what the car has, hears its values, and begins again when it breaks.

use crate::actuate::Job;
use crate::client::Client;
use crate::config::KuksaConfig;
use crate::error::KuksaError;
use crate::mirror::Mirror;
use crate::proto::v2::Datapoint;
use crate::routes::{Overlay, Place};
use crate::wire;
use incar_tools::vehicle::{Catalogue, SignalInfo};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tonic::transport::Endpoint;

/// The wait before the second attempt; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// All that the link needs.
pub(crate) struct Link {
    pub(crate) config: KuksaConfig,
    pub(crate) endpoint: Endpoint,
    pub(crate) shipped: Overlay,
    /// The signals that the tools use.
    pub(crate) catalogue: Catalogue,
    pub(crate) mirror: Arc<Mirror>,
}

/// The host let go of the car.
struct Released;

/// What is heard: where each path of the car goes.
struct Heard {
    places: HashMap<String, Arc<Place>>,
    /// The tools' signals that a path of the car is.
    signals: HashMap<String, Vec<Arc<Place>>>,
    switches: BTreeSet<String>,
}

impl Link {
    /// Keeps the link up until the host lets go of the car.
    pub(crate) async fn run(self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        let mut wait = FIRST_WAIT;
        loop {
            let error = match self.session(&mut jobs, &mut wait).await {
                Ok(Err(error)) => error,
                Err(Released) => return,
            };
            tracing::warn!(%error, retry_in_ms = wait.as_millis(), "no link to the car");
            self.mirror.lost(error);
            if refuse_during(&mut jobs, sleep(wait)).await.is_err() {
                return;
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// One connection, from its beginning to its end.
    async fn session(
        &self,
        jobs: &mut mpsc::UnboundedReceiver<Job>,
        wait: &mut Duration,
    ) -> Result<Result<Infallible, KuksaError>, Released> {
        let opened = refuse_during(jobs, self.open()).await?;
        let (client, heard, mut stream, first) = match opened {
            Ok(opened) => opened,
            Err(error) => return Ok(Err(error)),
        };
        self.mirror.found(heard.places.clone());
        self.hear(&heard, first);
        *wait = FIRST_WAIT;
        tracing::info!(url = %self.config.url, signals = heard.places.len(), "linked to the car");
        loop {
            tokio::select! {
                message = stream.message() => match message {
                    Ok(Some(message)) => self.hear(&heard, message.entries),
                    Ok(None) => return Ok(Err(KuksaError::Closed)),
                    Err(status) => return Ok(Err(status.into())),
                },
                job = jobs.recv() => match job {
                    Some(job) => {
                        tokio::spawn(job.run(client.clone(), self.mirror.clone(), self.config.confirm));
                    }
                    None => return Err(Released),
                },
            }
        }
    }

    /// Connects, learns what the car has, and hears all values for the first time.
    #[allow(clippy::type_complexity, reason = "the four things a session begins with")]
    async fn open(
        &self,
    ) -> Result<
        (
            Client,
            Heard,
            tonic::Streaming<crate::proto::v2::SubscribeResponse>,
            HashMap<String, Datapoint>,
        ),
        KuksaError,
    > {
        let client = Client::connect(&self.endpoint, &self.config).await?;
        let known = self.known(&client).await?;
        let mut heard = self.places(&known);
        let mut stream = match client.subscribe(heard.paths()).await {
            // One signal that the token may not read spoils the whole subscription.
            Err(KuksaError::PermissionDenied(_)) => {
                heard.keep(&permitted(&client, heard.paths()).await?);
                client.subscribe(heard.paths()).await?
            }
            subscribed => subscribed?,
        };
        let first = timeout(self.config.deadline, stream.message())
            .await
            .map_err(|_| KuksaError::Late)??
            .ok_or(KuksaError::Closed)?;
        Ok((client, heard, stream, first.entries))
    }

    /// All that the car has, by its own names.
    async fn known(&self, client: &Client) -> Result<HashMap<String, Arc<SignalInfo>>, KuksaError> {
        let names = self.catalogue.iter().map(|info| info.name.as_str());
        let named = names.chain(self.config.overlay.paths()).chain(self.shipped.paths());
        let named = named.chain(self.config.signals.iter().map(String::as_str));
        let roots: BTreeSet<&str> = named.map(root_of).collect();
        let mut known = HashMap::new();
        for root in roots {
            for metadata in client.metadata(root).await? {
                match wire::info(&metadata) {
                    Some(info) => {
                        known.insert(metadata.path, Arc::new(info));
                    }
                    None => tracing::debug!(path = %metadata.path, "a signal that incar cannot use"),
                }
            }
        }
        if known.is_empty() {
            return Err(KuksaError::Broker("it lists no signal that incar can use".into()));
        }
        Ok(known)
    }

    fn places(&self, known: &HashMap<String, Arc<SignalInfo>>) -> Heard {
        let find = |path: &str| known.get(path).cloned();
        let also = known
            .keys()
            .filter(|path| self.config.signals.iter().any(|branch| is_below(path, branch)));
        let names: BTreeSet<&str> = self
            .catalogue
            .iter()
            .map(|info| info.name.as_str())
            .chain(also.map(String::as_str))
            .collect();
        let placed = names.into_iter().filter_map(|name| {
            let place = self.config.overlay.resolve(&self.shipped, name, &find)?;
            Some((name.to_owned(), Arc::new(place)))
        });
        Heard::new(placed.collect())
    }

    fn hear(&self, heard: &Heard, entries: HashMap<String, Datapoint>) {
        let (mut values, mut switches) = (Vec::new(), Vec::new());
        for (path, point) in entries {
            let value = wire::from_wire(point.value.as_ref());
            for place in heard.signals.get(&path).into_iter().flatten() {
                let read = value.clone().and_then(|value| place.read(value));
                if read.is_none() && point.value.is_some() {
                    tracing::warn!(%path, "a value that the signal cannot have: taken as not known");
                }
                values.push((place.info.name.clone(), read));
            }
            if heard.switches.contains(&path) {
                switches.push((path, value));
            }
        }
        self.mirror.heard(values, switches);
    }
}

impl Heard {
    fn new(places: HashMap<String, Arc<Place>>) -> Self {
        let mut signals: HashMap<String, Vec<Arc<Place>>> = HashMap::new();
        let mut switches = BTreeSet::new();
        for place in places.values() {
            signals.entry(place.path.clone()).or_default().push(place.clone());
            switches.extend(place.switch.as_ref().map(|switch| switch.path.clone()));
        }
        Self {
            places,
            signals,
            switches,
        }
    }

    fn paths(&self) -> Vec<String> {
        let paths: BTreeSet<&String> = self.signals.keys().chain(&self.switches).collect();
        paths.into_iter().cloned().collect()
    }

    /// Hears these paths only.
    fn keep(&mut self, paths: &BTreeSet<String>) {
        self.signals.retain(|path, _| paths.contains(path));
        self.switches.retain(|path| paths.contains(path));
    }
}

/// Which of these the token may read.
async fn permitted(client: &Client, paths: Vec<String>) -> Result<BTreeSet<String>, KuksaError> {
    let mut permitted = BTreeSet::new();
    for path in paths {
        match client.value(&path).await {
            Ok(_) => {
                permitted.insert(path);
            }
            Err(KuksaError::PermissionDenied(_)) => tracing::warn!(%path, "the token may not read a signal"),
            Err(error) => return Err(error),
        }
    }
    if permitted.is_empty() {
        return Err(KuksaError::PermissionDenied("to read any signal".into()));
    }
    Ok(permitted)
}

/// Answers jobs that the car cannot be reached, until `work` is done.
async fn refuse_during<T>(
    jobs: &mut mpsc::UnboundedReceiver<Job>,
    work: impl Future<Output = T>,
) -> Result<T, Released> {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Ok(done),
            job = jobs.recv() => job.ok_or(Released)?.refuse(),
        }
    }
}

fn root_of(path: &str) -> &str {
    path.split_once('.').map_or(path, |(root, _)| root)
}

fn is_below(path: &str, branch: &str) -> bool {
    path.strip_prefix(branch)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
