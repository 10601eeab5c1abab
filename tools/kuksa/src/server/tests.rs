//! What the published broker does, so does this one.

use super::*;
use crate::proto::v2::val_client::ValClient;
use crate::proto::v2::{
    self, open_provider_stream_request as said, open_provider_stream_response as heard, value::TypedValue,
};
use incar_core::{ManualClock, Timestamp};
use incar_tools::vehicle::{SignalValue, Vehicle};
use std::collections::HashMap;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const REAR: &str = "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position";
const SPEED: &str = "Vehicle.Speed";
const MODE: &str = "Vehicle.Incar.DriveMode";
const DRIVER: &str = "Vehicle.Cabin.DriverPosition";
const SUNROOF: &str = "Vehicle.Cabin.Sunroof.Position";
const SWITCH: &str = "Vehicle.Cabin.Sunroof.Switch";

struct Bench {
    clock: Arc<ManualClock>,
    car: Arc<SimulatedCar>,
    client: ValClient<Channel>,
}

async fn bench(configure: impl FnOnce(CarServer) -> CarServer) -> Bench {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_250)));
    let car = Arc::new(SimulatedCar::new(clock.clone()).unwrap());
    let server = configure(CarServer::new(car.clone(), clock.clone()));
    let listening = server.bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let url = format!("http://{}", listening.address());
    tokio::spawn(listening.serve());
    let client = ValClient::connect(url).await.unwrap();
    Bench { clock, car, client }
}

fn path(path: &str) -> Option<v2::SignalId> {
    Some(v2::SignalId {
        signal: Some(v2::signal_id::Signal::Path(path.into())),
    })
}

fn typed(value: TypedValue) -> Option<v2::Value> {
    Some(v2::Value {
        typed_value: Some(value),
    })
}

fn to(signal: &str, value: TypedValue) -> v2::ActuateRequest {
    v2::ActuateRequest {
        signal_id: path(signal),
        value: typed(value),
    }
}

fn text(text: &str) -> TypedValue {
    TypedValue::String(text.into())
}

impl Bench {
    async fn actuate(&mut self, request: v2::ActuateRequest) -> Result<(), Status> {
        self.client.actuate(request).await.map(|_| ())
    }

    async fn get(&mut self, signal: &str) -> Result<v2::Datapoint, Status> {
        let request = v2::GetValueRequest {
            signal_id: path(signal),
        };
        Ok(self.client.get_value(request).await?.into_inner().data_point.unwrap())
    }

    async fn publish(&mut self, signal: &str, value: TypedValue) -> Result<(), Status> {
        let request = v2::PublishValueRequest {
            signal_id: path(signal),
            data_point: Some(v2::Datapoint {
                timestamp: None,
                value: typed(value),
            }),
        };
        self.client.publish_value(request).await.map(|_| ())
    }

    async fn list(&mut self, root: &str) -> Result<Vec<v2::Metadata>, Status> {
        let request = v2::ListMetadataRequest {
            root: root.into(),
            filter: String::new(),
        };
        Ok(self.client.list_metadata(request).await?.into_inner().metadata)
    }

    async fn subscribe(&mut self, signals: &[&str]) -> Streaming<v2::SubscribeResponse> {
        let request = v2::SubscribeRequest {
            signal_paths: signals.iter().map(|path| (*path).to_owned()).collect(),
            ..v2::SubscribeRequest::default()
        };
        self.client.subscribe(request).await.unwrap().into_inner()
    }
}

/// The next message of a subscription: values by path.
async fn next(stream: &mut Streaming<v2::SubscribeResponse>) -> HashMap<String, TypedValue> {
    let entries = stream.message().await.unwrap().unwrap().entries;
    let value = |point: v2::Datapoint| point.value.unwrap().typed_value.unwrap();
    entries.into_iter().map(|(path, point)| (path, value(point))).collect()
}

fn code<T: std::fmt::Debug>(result: Result<T, Status>) -> Code {
    result.unwrap_err().code()
}

#[tokio::test]
async fn all_values_come_before_the_changes() {
    let mut bench = bench(|server| server).await;
    let mut stream = bench.subscribe(&[WINDOW, DRIVER]).await;
    let first = HashMap::from([
        (WINDOW.to_owned(), TypedValue::Uint32(0)),
        (DRIVER.to_owned(), text("LEFT")),
    ]);
    assert_eq!(next(&mut stream).await, first);
    bench.actuate(to(WINDOW, TypedValue::Uint32(50))).await.unwrap();
    // It takes two seconds, and is heard while it moves.
    bench.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(
        next(&mut stream).await,
        HashMap::from([(WINDOW.to_owned(), TypedValue::Uint32(25))])
    );
    bench.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(
        next(&mut stream).await,
        HashMap::from([(WINDOW.to_owned(), TypedValue::Uint32(50))])
    );
}

#[tokio::test]
async fn values_have_the_time_of_the_car() {
    let mut bench = bench(|server| server).await;
    let point = bench.get(SPEED).await.unwrap();
    let timestamp = point.timestamp.unwrap();
    assert_eq!((timestamp.seconds, timestamp.nanos), (1_780_279_200, 250_000_000));
    assert_eq!(point.value, typed(TypedValue::Float(0.0)));
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_refused() {
    let mut bench = bench(|server| server).await;
    let mut check = async |paths: &[&str], buffer_size, wanted| {
        let request = v2::SubscribeRequest {
            signal_paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            buffer_size,
            filter: None,
        };
        assert_eq!(
            code(bench.client.subscribe(request).await),
            wanted,
            "{paths:?} {buffer_size}"
        );
    };
    check(&[], 0, Code::InvalidArgument).await;
    check(&[WINDOW, "Vehicle.Wings"], 0, Code::NotFound).await;
    check(&["Vehicle.Cabin"], 0, Code::NotFound).await;
    check(&[&"V".repeat(1001)], 0, Code::InvalidArgument).await;
    check(&[WINDOW], 1001, Code::InvalidArgument).await;
}

#[tokio::test]
async fn a_wrong_command_is_refused_by_its_kind() {
    let mut bench = bench(|server| server).await;
    for (request, wanted) in [
        (to("Vehicle.Wings", TypedValue::Bool(true)), Code::NotFound),
        (to(WINDOW, TypedValue::Uint32(101)), Code::InvalidArgument),
        (to(WINDOW, TypedValue::Int32(50)), Code::InvalidArgument),
        (to(WINDOW, text("open")), Code::InvalidArgument),
        (
            to(WINDOW, TypedValue::Uint32Array(v2::Uint32Array { values: vec![1] })),
            Code::InvalidArgument,
        ),
        (to(MODE, text("FLY")), Code::InvalidArgument),
        (to(SPEED, TypedValue::Float(50.0)), Code::InvalidArgument),
        (to(SUNROOF, TypedValue::Int32(50)), Code::InvalidArgument),
        (to(SWITCH, text("HALFWAY")), Code::InvalidArgument),
        (v2::ActuateRequest::default(), Code::InvalidArgument),
    ] {
        let told = format!("{request:?}");
        assert_eq!(code(bench.actuate(request.clone()).await), wanted, "{told}");
        // A batch with one of them moves nothing.
        let batch = v2::BatchActuateRequest {
            actuate_requests: vec![to(REAR, TypedValue::Uint32(100)), request],
        };
        assert_eq!(code(bench.client.batch_actuate(batch).await), wanted, "{told}");
        assert_eq!(bench.car.target(REAR), Ok(0.0.into()), "{told}");
    }
    assert_eq!(code(bench.get("Vehicle.Wings").await), Code::NotFound);
}

#[tokio::test]
async fn a_command_is_accepted_whether_the_part_obeys_or_not() {
    let mut bench = bench(|server| server).await;
    let power = "Vehicle.LowVoltageSystemState";
    bench.car.set(power, "OFF".into()).unwrap();
    let ac = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
    bench.actuate(to(ac, TypedValue::Bool(true))).await.unwrap();
    assert_eq!(bench.get(ac).await.unwrap().value, typed(TypedValue::Bool(false)));
}

#[tokio::test]
async fn the_sunroof_is_a_sensor_and_a_switch() {
    let mut bench = bench(|server| server).await;
    let listed = bench.list("Vehicle.Cabin.Sunroof").await.unwrap();
    let kind = |path: &str| {
        listed
            .iter()
            .find(|metadata| metadata.path == path)
            .map(v2::Metadata::entry_type)
    };
    assert_eq!(
        (kind(SUNROOF), kind(SWITCH)),
        (Some(v2::EntryType::Sensor), Some(v2::EntryType::Actuator))
    );
    let mut check = async |word: &str, seconds, position, says: &str| {
        bench.actuate(to(SWITCH, text(word))).await.unwrap();
        bench.clock.advance(std::time::Duration::from_secs(seconds));
        assert_eq!(
            bench.get(SUNROOF).await.unwrap().value,
            typed(TypedValue::Int32(position)),
            "{word}"
        );
        assert_eq!(bench.get(SWITCH).await.unwrap().value, typed(text(says)), "{word}");
    };
    check("ONE_SHOT_OPEN", 3, 50, "ONE_SHOT_OPEN").await;
    check("INACTIVE", 3, 50, "INACTIVE").await;
    check("TILT_UP", 30, -100, "INACTIVE").await;
    check("ONE_SHOT_CLOSE", 30, 0, "INACTIVE").await;
}

#[tokio::test]
async fn metadata_says_what_signals_are() {
    let mut bench = bench(|server| server).await;
    let [window] = <[_; 1]>::try_from(bench.list(WINDOW).await.unwrap()).unwrap();
    assert_eq!(
        (window.data_type(), window.entry_type()),
        (v2::DataType::Uint8, v2::EntryType::Actuator)
    );
    assert_eq!(
        (window.min, window.max),
        (typed(TypedValue::Uint32(0)), typed(TypedValue::Uint32(100)))
    );
    assert_eq!(window.unit, "percent");
    let [driver] = <[_; 1]>::try_from(bench.list(DRIVER).await.unwrap()).unwrap();
    let sides = ["LEFT", "MIDDLE", "RIGHT"].map(String::from).to_vec();
    assert_eq!(
        driver.allowed_values,
        typed(TypedValue::StringArray(v2::StringArray { values: sides }))
    );
    assert_eq!(
        bench
            .list("Vehicle.Cabin.Door.*.*.Window.Position")
            .await
            .unwrap()
            .len(),
        4
    );
    assert!(bench.list("Vehicle").await.unwrap().len() > 300);
    assert_eq!(code(bench.list("Vehicle.Wings").await), Code::NotFound);
    assert_eq!(code(bench.list("Vehicle..Wings").await), Code::InvalidArgument);

    // A signal is found by its number too.
    let by_id = v2::SubscribeByIdRequest {
        signal_ids: vec![window.id],
        ..v2::SubscribeByIdRequest::default()
    };
    let mut stream = bench.client.subscribe_by_id(by_id).await.unwrap().into_inner();
    let first = stream.message().await.unwrap().unwrap().entries;
    assert_eq!(first.into_keys().collect::<Vec<_>>(), [window.id]);
}

#[tokio::test]
async fn values_are_published_within_their_bounds() {
    let mut bench = bench(|server| server).await;
    bench.publish(SPEED, TypedValue::Float(50.0)).await.unwrap();
    assert_eq!(bench.car.value(SPEED), Ok(SignalValue::from(50.0)));
    assert_eq!(
        code(bench.publish(SPEED, TypedValue::Double(50.0)).await),
        Code::InvalidArgument
    );
    assert_eq!(
        code(bench.publish(SPEED, TypedValue::Float(-1.0)).await),
        Code::InvalidArgument
    );
    assert_eq!(
        code(bench.publish("Vehicle.Wings", TypedValue::Float(1.0)).await),
        Code::NotFound
    );
    // It follows the speed.
    assert_eq!(
        code(bench.publish("Vehicle.IsMoving", TypedValue::Bool(false)).await),
        Code::InvalidArgument
    );
}

#[tokio::test]
async fn an_actuator_without_a_provider_is_unavailable_until_one_claims_it() {
    let mut bench = bench(|server| server.without_provider(["Vehicle.Cabin.Door.**.Window.Position"])).await;
    assert_eq!(
        code(bench.actuate(to(WINDOW, TypedValue::Uint32(50))).await),
        Code::Unavailable
    );

    let provide = |path_of: &str| v2::OpenProviderStreamRequest {
        action: Some(said::Action::ProvideActuationRequest(v2::ProvideActuationRequest {
            actuator_identifiers: path(path_of).into_iter().collect(),
        })),
    };
    let mut client = bench.client.clone();
    let mut open = async |first: v2::OpenProviderStreamRequest| {
        let (line, lines) = mpsc::channel(4);
        line.send(first).await.unwrap();
        (
            line,
            client
                .open_provider_stream(ReceiverStream::new(lines))
                .await
                .unwrap()
                .into_inner(),
        )
    };
    let (line, mut orders) = open(provide(WINDOW)).await;
    let claimed = orders.message().await.unwrap().unwrap().action;
    assert!(
        matches!(claimed, Some(heard::Action::ProvideActuationResponse(_))),
        "{claimed:?}"
    );

    bench.actuate(to(WINDOW, TypedValue::Uint32(50))).await.unwrap();
    let order = orders.message().await.unwrap().unwrap().action;
    let Some(heard::Action::BatchActuateStreamRequest(batch)) = order else {
        panic!("{order:?}");
    };
    assert_eq!(batch.actuate_requests[0].value, typed(TypedValue::Uint32(50)));
    assert_eq!(
        bench.car.target(WINDOW),
        Ok(0.0.into()),
        "the simulated car leaves it to the provider"
    );

    // What another has claimed, or the car moves itself, is taken.
    for taken in [WINDOW, MODE] {
        let (_line, mut answers) = open(provide(taken)).await;
        assert_eq!(
            answers.message().await.unwrap_err().code(),
            Code::AlreadyExists,
            "{taken}"
        );
    }

    // It publishes by number; what is wrong is told, what is right is not.
    let id = bench.list(WINDOW).await.unwrap()[0].id;
    let point = |value| v2::Datapoint {
        timestamp: None,
        value: typed(TypedValue::Uint32(value)),
    };
    for value in [50, 250] {
        let data_points = HashMap::from([(id, point(value))]);
        let publish = v2::PublishValuesRequest {
            request_id: value,
            data_points,
        };
        let action = Some(said::Action::PublishValuesRequest(publish));
        line.send(v2::OpenProviderStreamRequest { action }).await.unwrap();
    }
    let answer = orders.message().await.unwrap().unwrap().action;
    let Some(heard::Action::PublishValuesResponse(answer)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(answer.request_id, 250);
    assert_eq!(answer.status[&id].code(), v2::ErrorCode::InvalidArgument);
    assert_eq!(bench.car.value(WINDOW), Ok(50.0.into()));
}

#[tokio::test]
async fn a_token_allows_what_it_says() {
    let grant = Grant::new("t", "read:Vehicle.Cabin actuate:Vehicle.Cabin.Door.Row1").unwrap();
    let mut bench = bench(|server| server.with_access(Access::Tokens(vec![grant]))).await;
    assert_eq!(code(bench.get(WINDOW).await), Code::Unauthenticated);
    assert_eq!(
        code(bench.actuate(to(WINDOW, TypedValue::Uint32(1))).await),
        Code::Unauthenticated
    );
    assert_eq!(code(bench.list("Vehicle").await), Code::Unauthenticated);
    fn with<T>(message: T) -> Request<T> {
        let mut request = Request::new(message);
        request
            .metadata_mut()
            .insert("authorization", "Bearer t".parse().unwrap());
        request
    }
    let client = &mut bench.client;
    let read = |signal: &str| {
        with(v2::GetValueRequest {
            signal_id: path(signal),
        })
    };
    assert!(client.get_value(read(WINDOW)).await.is_ok());
    assert_eq!(code(client.get_value(read(SPEED)).await), Code::PermissionDenied);
    let one = TypedValue::Uint32(1);
    assert!(client.actuate(with(to(WINDOW, one.clone()))).await.is_ok());
    assert_eq!(code(client.actuate(with(to(REAR, one))).await), Code::PermissionDenied);
    let both = v2::SubscribeRequest {
        signal_paths: vec![WINDOW.into(), SPEED.into()],
        ..v2::SubscribeRequest::default()
    };
    assert_eq!(code(client.subscribe(with(both)).await), Code::PermissionDenied);
}
