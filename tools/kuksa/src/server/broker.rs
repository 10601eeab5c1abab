//! The simulated car as a broker sees it: signals with numbers, values, and who moves what.

use super::access::{Action, Caller, covers};
use crate::proto::v2::{self, open_provider_stream_response, signal_id::Signal as SignalRef, value::TypedValue};
use crate::routes::{Overlay, OverlayError, Switch};
use crate::wire;
use incar_core::Clock;
use incar_tools::vehicle::{
    Command, DataType, SignalInfo, SignalKind, SignalValue, SimulatedCar, Vehicle, VehicleError,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, watch};
use tonic::{Code, Status};

/// The longest path that is looked at.
const MAX_PATH: usize = 1000;

/// Where a provider is told what to do.
pub(super) type ProviderLine = mpsc::Sender<Result<v2::OpenProviderStreamResponse, Status>>;

#[derive(Debug)]
pub(super) struct Broker {
    car: Arc<SimulatedCar>,
    clock: Arc<dyn Clock>,
    signals: Vec<Signal>,
    index: HashMap<String, usize>,
    /// Actuators that the simulated car does not move: a provider may claim them.
    unprovided: BTreeSet<usize>,
    claims: Mutex<HashMap<usize, ProviderLine>>,
    changed: watch::Sender<u64>,
}

/// A signal as the broker lists it.
#[derive(Debug)]
pub(super) struct Signal {
    pub(super) id: i32,
    pub(super) info: Arc<SignalInfo>,
    source: Source,
}

/// What of the simulated car a signal is.
#[derive(Debug)]
enum Source {
    /// The signal of that name.
    Same,
    /// What moves the signal of that name.
    Moves { part: String, switch: Switch },
}

impl Broker {
    /// A broker of `car` with the signals of VSS: what a switch moves there is a sensor, and the switch an actuator.
    pub(super) fn new(
        car: Arc<SimulatedCar>,
        clock: Arc<dyn Clock>,
        unprovided: &[String],
    ) -> Result<Self, OverlayError> {
        let table = Overlay::shipped()?;
        let infos: Vec<Arc<SignalInfo>> = car.snapshot().keys().filter_map(|name| car.info(name)).collect();
        let switches: HashMap<&str, Switch> = table.switches().filter(|(part, _)| car.info(part).is_some()).collect();
        let plain = infos.iter().map(|info| {
            let mut info = SignalInfo::clone(info);
            if switches.contains_key(info.name.as_str()) {
                info.kind = SignalKind::Sensor;
            }
            (info, Source::Same)
        });
        let moving = switches.iter().map(|(part, switch)| {
            let mut info = SignalInfo::new(switch.path.as_str(), SignalKind::Actuator, DataType::String);
            info.allowed = switch
                .to
                .iter()
                .map(|(_, word)| word.clone())
                .chain(switch.stop.clone())
                .collect();
            let source = Source::Moves {
                part: (*part).to_owned(),
                switch: switch.clone(),
            };
            (info, source)
        });
        let signals: Vec<Signal> = (1..)
            .zip(plain.chain(moving))
            .map(|(id, (info, source))| Signal {
                id,
                info: Arc::new(info),
                source,
            })
            .collect();
        let index: HashMap<String, usize> = signals
            .iter()
            .enumerate()
            .map(|(at, signal)| (signal.info.name.clone(), at))
            .collect();
        let unprovided = signals
            .iter()
            .enumerate()
            .filter(|(_, signal)| unprovided.iter().any(|pattern| covers(pattern, &signal.info.name)))
            .map(|(at, _)| at)
            .collect();
        Ok(Self {
            car,
            clock,
            signals,
            index,
            unprovided,
            claims: Mutex::default(),
            changed: watch::channel(0).0,
        })
    }

    /// Wakes when something was set; what moves by itself is seen by looking again.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(super) fn signal(&self, at: usize) -> Option<&Signal> {
        self.signals.get(at)
    }

    pub(super) fn by_path(&self, path: &str) -> Result<usize, Status> {
        if path.is_empty() || path.len() > MAX_PATH {
            return Err(Status::new(
                Code::InvalidArgument,
                "a path is needed, of at most 1000 bytes",
            ));
        }
        self.index.get(path).copied().ok_or_else(|| not_found(path))
    }

    pub(super) fn by_id(&self, id: i32) -> Result<usize, Status> {
        let at = id.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        at.filter(|at| *at < self.signals.len())
            .ok_or_else(|| not_found(&format!("id {id}")))
    }

    pub(super) fn find(&self, signal: Option<&v2::SignalId>) -> Result<usize, Status> {
        match signal.and_then(|signal| signal.signal.as_ref()) {
            Some(SignalRef::Path(path)) => self.by_path(path),
            Some(SignalRef::Id(id)) => self.by_id(*id),
            None => Err(Status::new(Code::InvalidArgument, "a signal is needed")),
        }
    }

    /// The signals below `root`, or that fit it as a pattern; all where it is empty.
    pub(super) fn below(&self, root: &str) -> Result<Vec<usize>, Status> {
        if root.len() > MAX_PATH || root.split('.').any(|part| part.is_empty() && !root.is_empty()) {
            return Err(Status::new(Code::InvalidArgument, "that is no path and no pattern"));
        }
        let fits = |signal: &Signal| root.is_empty() || covers(root, &signal.info.name);
        let found: Vec<usize> = self
            .signals
            .iter()
            .enumerate()
            .filter(|(_, signal)| fits(signal))
            .map(|(at, _)| at)
            .collect();
        if found.is_empty() {
            Err(not_found(root))
        } else {
            Ok(found)
        }
    }

    pub(super) fn may(&self, caller: &Caller, action: Action, at: usize) -> Result<(), Status> {
        self.signal(at)
            .map_or(Ok(()), |signal| caller.may(action, &signal.info.name))
    }

    /// The value now; `None` where there is none.
    pub(super) fn value(&self, at: usize) -> Option<SignalValue> {
        let signal = self.signal(at)?;
        match &signal.source {
            Source::Same => self.car.value(&signal.info.name).ok(),
            Source::Moves { part, switch } => {
                let (at, to) = (self.car.value(part).ok()?, self.car.target(part).ok()?);
                let word = to.as_number().filter(|_| at != to).and_then(|to| switch.word(to));
                word.or(switch.stop.as_deref()).map(SignalValue::from)
            }
        }
    }

    /// Where an actuator goes, or stands.
    pub(super) fn target(&self, at: usize) -> Option<SignalValue> {
        let signal = self.signal(at)?;
        match &signal.source {
            Source::Same => self.car.target(&signal.info.name).ok(),
            Source::Moves { .. } => self.value(at),
        }
    }

    pub(super) fn point(&self, at: usize) -> v2::Datapoint {
        let signal = self.signal(at);
        let value = signal.and_then(|signal| wire::to_wire(&self.value(at)?, signal.info.datatype));
        v2::Datapoint {
            timestamp: Some(self.now()),
            value,
        }
    }

    fn now(&self) -> prost_types::Timestamp {
        let millis = self.clock.now().as_millis();
        prost_types::Timestamp {
            seconds: i64::try_from(millis / 1000).unwrap_or_default(),
            nanos: i32::try_from(millis % 1000 * 1_000_000).unwrap_or_default(),
        }
    }

    /// Hands on commands, all or none.
    pub(super) async fn actuate(&self, caller: &Caller, requests: Vec<v2::ActuateRequest>) -> Result<(), Status> {
        if requests.is_empty() {
            return Err(Status::new(Code::InvalidArgument, "no command"));
        }
        let mut own = Vec::new();
        let mut others: Vec<(ProviderLine, Vec<v2::ActuateRequest>)> = Vec::new();
        for request in requests {
            let at = self.find(request.signal_id.as_ref())?;
            let signal = self.signal(at).ok_or_else(|| not_found("?"))?;
            caller.may(Action::Actuate, &signal.info.name)?;
            if signal.info.kind != SignalKind::Actuator {
                return Err(invalid(&signal.info, "is no actuator"));
            }
            let value = checked(&signal.info, request.value.as_ref())?;
            if !self.unprovided.contains(&at) {
                own.extend(signal.command(value));
                continue;
            }
            let line = self.lock().get(&at).filter(|line| !line.is_closed()).cloned();
            let line =
                line.ok_or_else(|| Status::new(Code::Unavailable, format!("nobody provides {}", signal.info.name)))?;
            let by_id = v2::ActuateRequest {
                signal_id: Some(v2::SignalId {
                    signal: Some(SignalRef::Id(signal.id)),
                }),
                value: request.value,
            };
            match others.iter_mut().find(|(other, _)| other.same_channel(&line)) {
                Some((_, batch)) => batch.push(by_id),
                None => others.push((line, vec![by_id])),
            }
        }
        for (line, actuate_requests) in others {
            let batch = v2::BatchActuateStreamRequest { actuate_requests };
            let message = v2::OpenProviderStreamResponse {
                action: Some(open_provider_stream_response::Action::BatchActuateStreamRequest(batch)),
            };
            line.try_send(Ok(message))
                .map_err(|_| Status::new(Code::DataLoss, "the provider did not take the command"))?;
        }
        if !own.is_empty()
            && let Err(error) = self.car.actuate(&own).await
        {
            // As with a part of a real car: the command was handed on, and it is the part that does not obey.
            tracing::info!(%error, "the simulated car did not obey");
        }
        self.touch();
        Ok(())
    }

    /// Puts a current value, as the part that measures it does.
    pub(super) fn publish(&self, caller: &Caller, at: usize, value: Option<&v2::Value>) -> Result<(), Status> {
        let signal = self.signal(at).ok_or_else(|| not_found("?"))?;
        caller.may(Action::Provide, &signal.info.name)?;
        let value = checked(&signal.info, value)?;
        match &signal.source {
            Source::Same => self
                .car
                .set(&signal.info.name, value)
                .map_err(|error| refused(&error))?,
            Source::Moves { .. } => return Err(invalid(&signal.info, "follows the part that it moves")),
        }
        self.touch();
        Ok(())
    }

    /// Notes that commands for these signals go to `line`.
    pub(super) fn claim(&self, caller: &Caller, signals: &[v2::SignalId], line: &ProviderLine) -> Result<(), Status> {
        let mut claimed = Vec::new();
        let mut claims = self.lock();
        for signal in signals {
            let at = self.find(Some(signal))?;
            self.may(caller, Action::Provide, at)?;
            let taken = !self.unprovided.contains(&at) || claims.get(&at).is_some_and(|line| !line.is_closed());
            if taken {
                let name = self
                    .signal(at)
                    .map(|signal| signal.info.name.clone())
                    .unwrap_or_default();
                return Err(Status::new(Code::AlreadyExists, format!("{name} is provided already")));
            }
            claimed.push(at);
        }
        claims.extend(claimed.into_iter().map(|at| (at, line.clone())));
        Ok(())
    }

    pub(super) fn release(&self, line: &ProviderLine) {
        self.lock().retain(|_, other| !other.same_channel(line));
    }

    fn touch(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, ProviderLine>> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signal {
    /// What the simulated car is told.
    fn command(&self, value: SignalValue) -> Option<Command> {
        match &self.source {
            Source::Same => Some(Command::set(self.info.name.as_str(), value)),
            Source::Moves { part, switch } => {
                let word = value.as_text()?;
                let to = switch.to.iter().find(|(_, other)| other == word);
                Some(to.map_or_else(
                    || Command::stop(part.as_str()),
                    |(to, _)| Command::set(part.as_str(), *to),
                ))
            }
        }
    }

    pub(super) fn metadata(&self) -> v2::Metadata {
        let info = &self.info;
        let bound = |bound: Option<f64>| wire::to_wire(&bound?.into(), info.datatype);
        let named = info.datatype == DataType::String && !info.allowed.is_empty();
        let names = named.then(|| v2::StringArray {
            values: info.allowed.clone(),
        });
        v2::Metadata {
            path: info.name.clone(),
            id: self.id,
            data_type: wire::data_type(info.datatype).into(),
            entry_type: wire::entry_type(info.kind).into(),
            unit: info.unit.clone().unwrap_or_default(),
            allowed_values: names.map(|names| v2::Value {
                typed_value: Some(TypedValue::StringArray(names)),
            }),
            min: bound(info.min),
            max: bound(info.max),
            ..v2::Metadata::default()
        }
    }
}

/// The value, if the signal may have it: its type to the letter, its range, its names.
fn checked(info: &SignalInfo, value: Option<&v2::Value>) -> Result<SignalValue, Status> {
    let read = wire::from_wire(value).ok_or_else(|| invalid(info, "needs one value"))?;
    info.check(&read).map_err(|error| refused(&error))?;
    let as_typed = wire::to_wire(&read, info.datatype);
    let same_type = as_typed.as_ref().zip(value).is_some_and(|(typed, value)| {
        let kind = |value: &v2::Value| value.typed_value.as_ref().map(std::mem::discriminant);
        kind(typed) == kind(value)
    });
    if same_type {
        Ok(read)
    } else {
        Err(invalid(info, &format!("is of type {}", info.datatype)))
    }
}

fn refused(error: &VehicleError) -> Status {
    let problem = match error {
        VehicleError::NotActuatable(signal) => format!("{signal} follows another signal"),
        other => other.to_string(),
    };
    Status::new(Code::InvalidArgument, problem)
}

fn invalid(info: &SignalInfo, problem: &str) -> Status {
    Status::new(Code::InvalidArgument, format!("{} {problem}", info.name))
}

fn not_found(path: &str) -> Status {
    Status::new(Code::NotFound, format!("no such signal: {path}"))
}
