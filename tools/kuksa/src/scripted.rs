//! A broker that answers what a test wants, wrong things too.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use crate::proto::v2::{self, val_server::Val, val_server::ValServer, value::TypedValue};
use crate::{KuksaConfig, KuksaError, KuksaVehicle};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use incar_tools::vehicle::{Command, Progress, Vehicle, VehicleError};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::{ReceiverStream, WatchStream};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Request, Response, Status, Streaming};

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const DRIVER: &str = "Vehicle.Cabin.DriverPosition";
const SPEED: &str = "Vehicle.Speed";

/// What it says to a command.
#[derive(Debug, Clone, Copy)]
enum Answer {
    /// Done, and these are the values of the window from then on.
    Then(&'static [u32]),
    /// An error.
    Error(Code),
    /// Nothing at all.
    Silence,
}

/// How a subscription ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subscription {
    /// It does not.
    Goes,
    /// At once, without a value.
    Ends,
    /// It does not, and there is no value.
    Hangs,
    /// It is refused.
    Refused(Code),
}

#[derive(Debug, Clone)]
struct Script {
    metadata: Vec<v2::Metadata>,
    first: HashMap<String, TypedValue>,
    answer: Answer,
    subscription: Subscription,
    /// What may not be read.
    secret: Option<&'static str>,
}

impl Default for Script {
    fn default() -> Self {
        let signal = |path: &str, data_type: v2::DataType, entry_type: v2::EntryType| v2::Metadata {
            path: path.into(),
            data_type: data_type.into(),
            entry_type: entry_type.into(),
            ..v2::Metadata::default()
        };
        let window = v2::Metadata {
            min: Some(value(TypedValue::Uint32(0))),
            max: Some(value(TypedValue::Uint32(100))),
            ..signal(WINDOW, v2::DataType::Uint8, v2::EntryType::Actuator)
        };
        let sides = v2::StringArray {
            values: vec!["LEFT".into(), "RIGHT".into()],
        };
        let driver = v2::Metadata {
            allowed_values: Some(value(TypedValue::StringArray(sides))),
            ..signal(DRIVER, v2::DataType::String, v2::EntryType::Attribute)
        };
        let speed = signal(SPEED, v2::DataType::Float, v2::EntryType::Sensor);
        Self {
            metadata: vec![window, driver, speed],
            first: HashMap::from([(WINDOW.into(), TypedValue::Uint32(0))]),
            answer: Answer::Then(&[]),
            subscription: Subscription::Goes,
            secret: None,
        }
    }
}

#[derive(Debug)]
struct Scripted {
    script: Script,
    window: watch::Sender<Vec<u32>>,
}

fn value(typed: TypedValue) -> v2::Value {
    v2::Value {
        typed_value: Some(typed),
    }
}

fn point(typed: TypedValue) -> v2::Datapoint {
    v2::Datapoint {
        timestamp: None,
        value: Some(value(typed)),
    }
}

impl Scripted {
    async fn answer(&self) -> Result<(), Status> {
        match self.script.answer {
            Answer::Then(values) => {
                self.window.send_replace(values.to_vec());
                Ok(())
            }
            Answer::Error(code) => Err(Status::new(code, format!("about {WINDOW}"))),
            Answer::Silence => std::future::pending().await,
        }
    }
}

fn unimplemented<T>() -> Result<Response<T>, Status> {
    Err(Status::unimplemented("not in this script"))
}

#[tonic::async_trait]
impl Val for Scripted {
    async fn get_value(&self, request: Request<v2::GetValueRequest>) -> Result<Response<v2::GetValueResponse>, Status> {
        let signal = request.into_inner().signal_id.and_then(|signal| signal.signal);
        match (signal, self.script.secret) {
            (Some(v2::signal_id::Signal::Path(path)), Some(secret)) if path == secret => {
                Err(Status::permission_denied(path))
            }
            _ => Ok(Response::new(v2::GetValueResponse::default())),
        }
    }

    async fn get_values(&self, _: Request<v2::GetValuesRequest>) -> Result<Response<v2::GetValuesResponse>, Status> {
        unimplemented()
    }

    type SubscribeStream = BoxStream<'static, Result<v2::SubscribeResponse, Status>>;

    async fn subscribe(
        &self,
        request: Request<v2::SubscribeRequest>,
    ) -> Result<Response<Self::SubscribeStream>, Status> {
        let paths = request.into_inner().signal_paths;
        if self
            .script
            .secret
            .is_some_and(|secret| paths.iter().any(|path| path == secret))
        {
            return Err(Status::permission_denied("one of them"));
        }
        let first = self
            .script
            .first
            .iter()
            .map(|(path, typed)| (path.clone(), point(typed.clone())));
        let first = Ok(v2::SubscribeResponse {
            entries: first.collect(),
        });
        let changes = WatchStream::from_changes(self.window.subscribe()).flat_map(|values| {
            let messages = values.into_iter().map(|at| {
                let entries = HashMap::from([(WINDOW.to_owned(), point(TypedValue::Uint32(at)))]);
                Ok(v2::SubscribeResponse { entries })
            });
            futures_util::stream::iter(messages)
        });
        let messages = futures_util::stream::once(async { first });
        Ok(Response::new(match self.script.subscription {
            Subscription::Goes => messages.chain(changes).boxed(),
            Subscription::Ends => futures_util::stream::empty().boxed(),
            Subscription::Hangs => futures_util::stream::pending().boxed(),
            Subscription::Refused(code) => return Err(Status::new(code, "as the script says")),
        }))
    }

    type SubscribeByIdStream = BoxStream<'static, Result<v2::SubscribeByIdResponse, Status>>;

    async fn subscribe_by_id(
        &self,
        _: Request<v2::SubscribeByIdRequest>,
    ) -> Result<Response<Self::SubscribeByIdStream>, Status> {
        unimplemented()
    }

    async fn actuate(&self, _: Request<v2::ActuateRequest>) -> Result<Response<v2::ActuateResponse>, Status> {
        self.answer().await?;
        Ok(Response::new(v2::ActuateResponse {}))
    }

    async fn batch_actuate(
        &self,
        _: Request<v2::BatchActuateRequest>,
    ) -> Result<Response<v2::BatchActuateResponse>, Status> {
        self.answer().await?;
        Ok(Response::new(v2::BatchActuateResponse {}))
    }

    async fn list_metadata(
        &self,
        _: Request<v2::ListMetadataRequest>,
    ) -> Result<Response<v2::ListMetadataResponse>, Status> {
        let metadata = self.script.metadata.clone();
        Ok(Response::new(v2::ListMetadataResponse { metadata }))
    }

    async fn publish_value(
        &self,
        _: Request<v2::PublishValueRequest>,
    ) -> Result<Response<v2::PublishValueResponse>, Status> {
        unimplemented()
    }

    type OpenProviderStreamStream = ReceiverStream<Result<v2::OpenProviderStreamResponse, Status>>;

    async fn open_provider_stream(
        &self,
        _: Request<Streaming<v2::OpenProviderStreamRequest>>,
    ) -> Result<Response<Self::OpenProviderStreamStream>, Status> {
        let (_, nothing) = mpsc::channel(1);
        Ok(Response::new(ReceiverStream::new(nothing)))
    }

    async fn get_server_info(
        &self,
        _: Request<v2::GetServerInfoRequest>,
    ) -> Result<Response<v2::GetServerInfoResponse>, Status> {
        unimplemented()
    }
}

/// A vehicle on a broker of this script. Bounds are short where the script keeps somebody waiting.
async fn vehicle(script: Script) -> Result<KuksaVehicle, KuksaError> {
    let waits =
        matches!(script.answer, Answer::Silence | Answer::Then(_)) || script.subscription == Subscription::Hangs;
    let bound = Duration::from_millis(if waits { 500 } else { 5_000 });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let scripted = Scripted {
        script,
        window: watch::channel(Vec::new()).0,
    };
    let service = ValServer::from_arc(Arc::new(scripted));
    tokio::spawn(
        Server::builder()
            .add_service(service)
            .serve_with_incoming(TcpIncoming::from(listener)),
    );
    KuksaVehicle::connect(KuksaConfig::new(url).with_deadline(bound).with_confirm(bound)).await
}

fn open() -> [Command; 1] {
    [Command::set(WINDOW, 100.0)]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_command_is_told_from_one_in_doubt() {
    let window = || WINDOW.to_owned();
    let refused = |_: Code| VehicleError::Refused {
        signal: window(),
        reason: format!("about {WINDOW}"),
    };
    for (code, wanted) in [
        (Code::NotFound, VehicleError::UnknownSignal(window())),
        (Code::InvalidArgument, refused(Code::InvalidArgument)),
        (Code::OutOfRange, refused(Code::OutOfRange)),
        (Code::FailedPrecondition, refused(Code::FailedPrecondition)),
        (Code::Unimplemented, refused(Code::Unimplemented)),
        (Code::PermissionDenied, VehicleError::NotPermitted(window())),
        (Code::Unauthenticated, VehicleError::NotPermitted(window())),
        (Code::Unavailable, VehicleError::Unavailable(window())),
        // It may have gone out.
        (Code::DataLoss, VehicleError::NoAnswer(window())),
        (Code::Internal, VehicleError::NoAnswer(window())),
        (Code::DeadlineExceeded, VehicleError::NoAnswer(window())),
        (Code::Cancelled, VehicleError::NoAnswer(window())),
        (Code::Unknown, VehicleError::NoAnswer(window())),
    ] {
        let script = Script {
            answer: Answer::Error(code),
            ..Script::default()
        };
        let vehicle = vehicle(script).await.unwrap();
        assert_eq!(vehicle.actuate(&open()).await, Err(wanted), "{code:?}");
        assert_eq!(vehicle.target(WINDOW), Ok(0.0.into()), "{code:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_is_not_done() {
    let check = async |values: &'static [u32], wanted: Option<Progress>| {
        let answer = Answer::Then(values);
        let vehicle = vehicle(Script {
            answer,
            ..Script::default()
        })
        .await
        .unwrap();
        let outcome = vehicle.actuate(&open()).await;
        match wanted {
            Some(progress) => assert_eq!(outcome.unwrap()[0].progress, progress, "{values:?}"),
            None => assert_eq!(outcome, Err(VehicleError::NoAnswer(WINDOW.into())), "{values:?}"),
        }
    };
    check(&[], None).await;
    check(&[0, 0], None).await;
    // No value that a window can have.
    check(&[250], None).await;
    check(&[100], Some(Progress::Done)).await;
    check(&[3], Some(Progress::Moving)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_does_not_answer_leaves_a_doubt() {
    let answer = Answer::Silence;
    let vehicle = vehicle(Script {
        answer,
        ..Script::default()
    })
    .await
    .unwrap();
    assert_eq!(
        vehicle.actuate(&open()).await,
        Err(VehicleError::NoAnswer(WINDOW.into()))
    );
    assert_eq!(vehicle.target(WINDOW), Ok(0.0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_signal_cannot_be_is_not_known() {
    for (path, typed) in [
        (WINDOW, TypedValue::String("open".into())),
        (WINDOW, TypedValue::Uint32(101)),
        (WINDOW, TypedValue::Float(12.5)),
        (WINDOW, TypedValue::Bool(true)),
        (WINDOW, TypedValue::Uint32Array(v2::Uint32Array { values: vec![1] })),
        (SPEED, TypedValue::Float(f32::NAN)),
        (SPEED, TypedValue::Float(f32::INFINITY)),
        (DRIVER, TypedValue::String("ABOVE".into())),
        (DRIVER, TypedValue::Uint32(0)),
    ] {
        let first = HashMap::from([
            (path.to_owned(), typed.clone()),
            ("Vehicle.Not.Asked".into(), typed.clone()),
        ]);
        let vehicle = vehicle(Script {
            first,
            ..Script::default()
        })
        .await
        .unwrap();
        assert_eq!(
            vehicle.value(path),
            Err(VehicleError::NoAnswer(path.into())),
            "{typed:?}"
        );
        assert!(vehicle.snapshot().is_empty(), "{typed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_makes_no_sense_is_a_typed_error() {
    let nonsense = v2::Metadata {
        path: WINDOW.into(),
        ..v2::Metadata::default()
    };
    let subscription = |subscription| Script {
        subscription,
        ..Script::default()
    };
    let metadata = |metadata: Vec<v2::Metadata>| Script {
        metadata,
        ..Script::default()
    };
    let nothing = KuksaError::Broker("it lists no signal that incar can use".into());
    for (script, wanted) in [
        (metadata(Vec::new()), nothing.clone()),
        (metadata(vec![nonsense]), nothing),
        (subscription(Subscription::Ends), KuksaError::Closed),
        (subscription(Subscription::Hangs), KuksaError::Late),
        (
            subscription(Subscription::Refused(Code::Unauthenticated)),
            KuksaError::Unauthenticated("as the script says".into()),
        ),
        (
            subscription(Subscription::Refused(Code::Internal)),
            KuksaError::Broker("Internal: as the script says".into()),
        ),
    ] {
        let told = format!("{script:?}");
        assert_eq!(vehicle(script).await.err(), Some(wanted), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_that_may_not_be_read_spoils_no_other() {
    let secret = Some(SPEED);
    let vehicle = vehicle(Script {
        secret,
        ..Script::default()
    })
    .await
    .unwrap();
    assert_eq!(vehicle.value(WINDOW), Ok(0.0.into()));
    assert_eq!(vehicle.value(SPEED), Err(VehicleError::NoAnswer(SPEED.into())));
}
