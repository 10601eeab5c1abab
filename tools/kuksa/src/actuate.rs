//! One set of commands: sent, and watched until the car shows that it obeys.

use crate::client::{Client, Failure};
use crate::error::{KuksaError, never_sent};
use crate::mirror::{Answer, Mirror};
use crate::proto::v2;
use crate::routes::Place;
use crate::wire;
use incar_tools::vehicle::{Actuation, Command, Order, Progress, SignalKind, SignalValue, VehicleError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tonic::Code;

/// What came of commands.
pub(crate) type Outcome = Result<Vec<Actuation>, VehicleError>;

/// Commands on their way to the link.
#[derive(Debug)]
pub(crate) struct Job {
    commands: Vec<Command>,
    reply: oneshot::Sender<Outcome>,
}

/// One command as the car takes it.
#[derive(Debug)]
struct Plan {
    signal: String,
    /// What is sent.
    path: String,
    value: v2::Value,
    expect: Expect,
}

/// What shows that the car obeys.
#[derive(Debug)]
enum Expect {
    /// The signal goes there.
    Value(SignalValue),
    /// The switch that moves it says so.
    Switch { path: String, word: SignalValue },
}

/// A plan that was noted in the mirror.
#[derive(Debug)]
struct Sent {
    plan: Plan,
    order: Option<u64>,
    before: Option<SignalValue>,
}

impl Job {
    pub(crate) fn new(commands: Vec<Command>) -> (Self, oneshot::Receiver<Outcome>) {
        let (reply, outcome) = oneshot::channel();
        (Self { commands, reply }, outcome)
    }

    /// Answers that the car cannot be reached.
    pub(crate) fn refuse(self) {
        let signal = self.commands.first().map(|command| command.signal.clone());
        self.answer(Err(VehicleError::Unreachable(signal.unwrap_or_default())));
    }

    /// Sends the commands and waits until the car shows that it obeys, at most for `confirm`.
    pub(crate) async fn run(self, client: Client, mirror: Arc<Mirror>, confirm: Duration) {
        let outcome = carry_out(&self.commands, &client, &mirror, confirm).await;
        self.answer(outcome);
    }

    fn answer(self, outcome: Outcome) {
        if self.reply.send(outcome).is_err() {
            tracing::debug!("nobody waits for the outcome of commands any more");
        }
    }
}

async fn carry_out(commands: &[Command], client: &Client, mirror: &Mirror, confirm: Duration) -> Outcome {
    let mut plans = Vec::with_capacity(commands.len());
    for command in commands {
        plans.push(plan(command, client, mirror).await?);
    }
    let sent: Vec<Sent> = plans.into_iter().map(|plan| note(plan, mirror)).collect();
    let requests = sent
        .iter()
        .map(|sent| (sent.plan.path.clone(), sent.plan.value.clone()))
        .collect();
    let outcome = match client.actuate(requests).await {
        Ok(()) => confirmed(&sent, mirror, confirm).await,
        Err(failure) => Err(error_of(failure, &sent)),
    };
    if outcome.is_err() {
        for sent in &sent {
            if let Some(order) = sent.order {
                mirror.withdraw(&sent.plan.signal, order);
            }
        }
    }
    outcome
}

/// What `command` is to this car.
async fn plan(command: &Command, client: &Client, mirror: &Mirror) -> Result<Plan, VehicleError> {
    let signal = &command.signal;
    let place = mirror
        .place(signal)
        .ok_or_else(|| VehicleError::UnknownSignal(signal.clone()))?;
    if place.info.kind != SignalKind::Actuator {
        return Err(VehicleError::NotActuatable(signal.clone()));
    }
    match &command.order {
        Order::Set(value) => {
            place.info.check(value)?;
            plan_set(signal, &place, value)
        }
        Order::Stop => plan_stop(signal, &place, client).await,
        order => Err(VehicleError::Refused {
            signal: signal.clone(),
            reason: format!("this back end cannot do {order:?}"),
        }),
    }
}

fn plan_set(signal: &str, place: &Place, value: &SignalValue) -> Result<Plan, VehicleError> {
    let not_allowed = || VehicleError::NotAllowed {
        signal: signal.to_owned(),
        allowed: place.info.allowed.clone(),
        value: value.to_string(),
    };
    if let Some(switch) = &place.switch {
        let word = value
            .as_number()
            .and_then(|target| switch.word(target))
            .ok_or_else(not_allowed)?;
        return Ok(Plan {
            signal: signal.to_owned(),
            path: switch.path.clone(),
            value: text(word),
            expect: Expect::Value(value.clone()),
        });
    }
    let theirs = place.write(value).ok_or_else(not_allowed)?;
    place.car.check(&theirs)?;
    let wrong_type = || VehicleError::WrongType {
        signal: signal.to_owned(),
        expected: place.car.datatype,
        value: value.clone(),
    };
    let sent = wire::to_wire(&theirs, place.car.datatype).ok_or_else(wrong_type)?;
    // What will be read when the part is there.
    let target = wire::from_wire(Some(&sent)).and_then(|theirs| place.read(theirs));
    Ok(Plan {
        signal: signal.to_owned(),
        path: place.path.clone(),
        value: sent,
        expect: Expect::Value(target.ok_or_else(wrong_type)?),
    })
}

/// A stop is a word of the switch, or else a way to where the part is now, which the broker is asked.
async fn plan_stop(signal: &str, place: &Place, client: &Client) -> Result<Plan, VehicleError> {
    if let Some(switch) = &place.switch {
        let word = switch.stop.as_deref();
        let word = word.ok_or_else(|| VehicleError::NotActuatable(signal.to_owned()))?;
        return Ok(Plan {
            signal: signal.to_owned(),
            path: switch.path.clone(),
            value: text(word),
            expect: Expect::Switch {
                path: switch.path.clone(),
                word: word.into(),
            },
        });
    }
    let here = match client.value(&place.path).await {
        Ok(value) => wire::from_wire(value.as_ref()).and_then(|value| place.read(value)),
        Err(KuksaError::PermissionDenied(_) | KuksaError::Unauthenticated(_)) => {
            return Err(VehicleError::NotPermitted(signal.to_owned()));
        }
        // Nothing was sent yet that moves anything.
        Err(_) => return Err(VehicleError::Unreachable(signal.to_owned())),
    };
    let here = here.ok_or_else(|| VehicleError::Unavailable(signal.to_owned()))?;
    plan_set(signal, place, &here)
}

fn note(plan: Plan, mirror: &Mirror) -> Sent {
    let (order, before) = match &plan.expect {
        Expect::Value(to) => {
            let (order, before) = mirror.order(&plan.signal, to.clone());
            (Some(order), before)
        }
        Expect::Switch { .. } => (None, mirror.target(&plan.signal)),
    };
    Sent { plan, order, before }
}

/// Waits until every command is answered by the car's own values.
async fn confirmed(sent: &[Sent], mirror: &Mirror, confirm: Duration) -> Outcome {
    let until = Instant::now() + confirm;
    let mut changes = mirror.watch();
    loop {
        let silent = sent.iter().find(|sent| sent.answer(mirror) == Answer::None);
        let Some(silent) = silent else {
            return sent.iter().map(|sent| sent.report(mirror)).collect();
        };
        let changed = timeout_at(until, changes.changed()).await;
        if !matches!(changed, Ok(Ok(()))) || !mirror.is_up() {
            return Err(VehicleError::NoAnswer(silent.plan.signal.clone()));
        }
    }
}

impl Sent {
    fn answer(&self, mirror: &Mirror) -> Answer {
        match &self.plan.expect {
            Expect::Value(to) => mirror.answer(&self.plan.signal, self.order.unwrap_or_default(), to),
            Expect::Switch { path, word } if mirror.switch(path).as_ref() == Some(word) => Answer::Done,
            Expect::Switch { .. } => Answer::None,
        }
    }

    fn report(&self, mirror: &Mirror) -> Result<Actuation, VehicleError> {
        let signal = self.plan.signal.clone();
        let value = mirror
            .value(&signal)
            .ok_or_else(|| VehicleError::NoAnswer(signal.clone()))?;
        let (target, progress) = match (&self.plan.expect, self.answer(mirror)) {
            (Expect::Value(to), Answer::Done) => (to.clone(), Progress::Done),
            (Expect::Value(to), Answer::Moving | Answer::None) => (to.clone(), Progress::Moving),
            (Expect::Switch { .. }, _) => (value.clone(), Progress::Done),
        };
        Ok(Actuation::new(signal, self.before.clone(), target, value, progress))
    }
}

/// What a failed call says of the commands: whether they were refused, not sent, or may have moved something.
fn error_of(failure: Failure, sent: &[Sent]) -> VehicleError {
    let first = || sent.first().map(|sent| sent.plan.signal.clone()).unwrap_or_default();
    let status = match failure {
        Failure::Late => return VehicleError::NoAnswer(first()),
        Failure::Status(status) => status,
    };
    if never_sent(&status) {
        return VehicleError::Unreachable(first());
    }
    if std::error::Error::source(&status).is_some() {
        // The line broke while the command was on it.
        return VehicleError::NoAnswer(first());
    }
    // The broker says which of several it was, if at all, in words.
    let named = sent.iter().find(|sent| status.message().contains(&sent.plan.path));
    let signal = named.map_or_else(first, |sent| sent.plan.signal.clone());
    match status.code() {
        Code::NotFound => VehicleError::UnknownSignal(signal),
        Code::PermissionDenied | Code::Unauthenticated => VehicleError::NotPermitted(signal),
        Code::Unavailable => VehicleError::Unavailable(signal),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange | Code::Unimplemented | Code::Aborted => {
            VehicleError::Refused {
                signal,
                reason: status.message().to_owned(),
            }
        }
        // A loss on the way to the part, a fault inside the broker: it may have gone out.
        _ => VehicleError::NoAnswer(signal),
    }
}

fn text(word: &str) -> v2::Value {
    v2::Value {
        typed_value: Some(v2::value::TypedValue::String(word.to_owned())),
    }
}
