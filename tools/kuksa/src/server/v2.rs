//! `kuksa.val.v2` on the simulated car.

use super::access::{Access, Action, Caller};
use super::broker::{Broker, ProviderLine};
use crate::proto::v2::{self, open_provider_stream_request, open_provider_stream_response, val_server::Val};
use futures_util::stream::{BoxStream, StreamExt};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status, Streaming};

/// How often a subscription looks for parts that moved.
const TICK: Duration = Duration::from_millis(20);
/// As many messages as a subscriber may ask to be kept.
const MAX_BUFFER: u32 = 1000;
/// Messages that a provider may leave unread.
const PROVIDER_BUFFER: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) broker: Arc<Broker>,
    pub(super) access: Arc<Access>,
}

/// What one subscription is told, by the signals' places in the broker.
type Changes = Vec<(usize, v2::Datapoint)>;

impl Service {
    fn caller<T>(&self, request: &Request<T>) -> Result<Caller, Status> {
        self.access.caller(request.metadata())
    }

    fn read(&self, caller: &Caller, signal: Option<&v2::SignalId>) -> Result<v2::Datapoint, Status> {
        let at = self.broker.find(signal)?;
        self.broker.may(caller, Action::Read, at)?;
        Ok(self.broker.point(at))
    }

    /// All values of `signals`, then what changes. Of several changes before the subscriber reads, the last counts.
    fn subscribe_to(
        &self,
        caller: &Caller,
        signals: Vec<usize>,
        buffer_size: u32,
        filter: Option<v2::Filter>,
    ) -> Result<BoxStream<'static, Changes>, Status> {
        if signals.is_empty() {
            return Err(Status::new(Code::InvalidArgument, "no signal"));
        }
        if buffer_size > MAX_BUFFER {
            return Err(Status::new(Code::InvalidArgument, "at most 1000 messages are kept"));
        }
        for at in &signals {
            self.broker.may(caller, Action::Read, *at)?;
        }
        let filter = filter.unwrap_or_default();
        let pause = filter.min_sample_interval.map_or(0, |interval| interval.interval_ms);
        let pause = Duration::from_millis(pause.into()).max(TICK);
        let end = (filter.duration_ms > 0).then(|| Instant::now() + Duration::from_millis(filter.duration_ms.into()));
        let (sender, receiver) = mpsc::channel(1);
        let told = tell(self.broker.clone(), signals, pause, sender);
        tokio::spawn(async move {
            match end {
                Some(end) => {
                    // Over when the time is: that is no failure.
                    let _over = timeout_at(end, told).await;
                }
                None => told.await,
            }
        });
        Ok(ReceiverStream::new(receiver).boxed())
    }
}

/// Tells a subscriber the values and what changes of them, until it goes.
async fn tell(broker: Arc<Broker>, signals: Vec<usize>, pause: Duration, to: mpsc::Sender<Changes>) {
    let mut touched = broker.changes();
    let mut told: HashMap<usize, Option<v2::Value>> = HashMap::new();
    loop {
        let changes: Changes = signals
            .iter()
            .map(|at| (*at, broker.point(*at)))
            .filter(|(at, point)| told.get(at) != Some(&point.value))
            .collect();
        told.extend(changes.iter().map(|(at, point)| (*at, point.value.clone())));
        if !changes.is_empty() && to.send(changes).await.is_err() {
            return;
        }
        let earliest = Instant::now() + pause;
        tokio::select! {
            () = to.closed() => return,
            () = sleep(pause) => {}
            changed = touched.changed() => match changed {
                // What was set is told at once, unless the subscriber wants it slower.
                Ok(()) if pause > TICK => sleep_until(earliest).await,
                Ok(()) => {}
                Err(_) => return,
            },
        }
    }
}

#[tonic::async_trait]
impl Val for Service {
    async fn get_value(&self, request: Request<v2::GetValueRequest>) -> Result<Response<v2::GetValueResponse>, Status> {
        let caller = self.caller(&request)?;
        let point = self.read(&caller, request.get_ref().signal_id.as_ref())?;
        Ok(Response::new(v2::GetValueResponse {
            data_point: Some(point),
        }))
    }

    async fn get_values(
        &self,
        request: Request<v2::GetValuesRequest>,
    ) -> Result<Response<v2::GetValuesResponse>, Status> {
        let caller = self.caller(&request)?;
        let signals = &request.get_ref().signal_ids;
        if signals.is_empty() {
            return Err(Status::new(Code::InvalidArgument, "no signal"));
        }
        let data_points = signals
            .iter()
            .map(|signal| self.read(&caller, Some(signal)))
            .collect::<Result<_, _>>()?;
        Ok(Response::new(v2::GetValuesResponse { data_points }))
    }

    type SubscribeStream = BoxStream<'static, Result<v2::SubscribeResponse, Status>>;

    async fn subscribe(
        &self,
        request: Request<v2::SubscribeRequest>,
    ) -> Result<Response<Self::SubscribeStream>, Status> {
        let caller = self.caller(&request)?;
        let request = request.into_inner();
        let signals = request
            .signal_paths
            .iter()
            .map(|path| self.broker.by_path(path))
            .collect::<Result<_, _>>()?;
        let changes = self.subscribe_to(&caller, signals, request.buffer_size, request.filter)?;
        let broker = self.broker.clone();
        let messages = changes.map(move |changes| {
            let named = changes
                .into_iter()
                .filter_map(|(at, point)| Some((broker.signal(at)?.info.name.clone(), point)));
            Ok(v2::SubscribeResponse {
                entries: named.collect(),
            })
        });
        Ok(Response::new(messages.boxed()))
    }

    type SubscribeByIdStream = BoxStream<'static, Result<v2::SubscribeByIdResponse, Status>>;

    async fn subscribe_by_id(
        &self,
        request: Request<v2::SubscribeByIdRequest>,
    ) -> Result<Response<Self::SubscribeByIdStream>, Status> {
        let caller = self.caller(&request)?;
        let request = request.into_inner();
        let signals = request
            .signal_ids
            .iter()
            .map(|id| self.broker.by_id(*id))
            .collect::<Result<_, _>>()?;
        let changes = self.subscribe_to(&caller, signals, request.buffer_size, request.filter)?;
        let broker = self.broker.clone();
        let messages = changes.map(move |changes| {
            let numbered = changes
                .into_iter()
                .filter_map(|(at, point)| Some((broker.signal(at)?.id, point)));
            Ok(v2::SubscribeByIdResponse {
                entries: numbered.collect(),
            })
        });
        Ok(Response::new(messages.boxed()))
    }

    async fn actuate(&self, request: Request<v2::ActuateRequest>) -> Result<Response<v2::ActuateResponse>, Status> {
        let caller = self.caller(&request)?;
        self.broker.actuate(&caller, vec![request.into_inner()]).await?;
        Ok(Response::new(v2::ActuateResponse {}))
    }

    async fn batch_actuate(
        &self,
        request: Request<v2::BatchActuateRequest>,
    ) -> Result<Response<v2::BatchActuateResponse>, Status> {
        let caller = self.caller(&request)?;
        self.broker
            .actuate(&caller, request.into_inner().actuate_requests)
            .await?;
        Ok(Response::new(v2::BatchActuateResponse {}))
    }

    async fn list_metadata(
        &self,
        request: Request<v2::ListMetadataRequest>,
    ) -> Result<Response<v2::ListMetadataResponse>, Status> {
        self.caller(&request)?;
        let found = self.broker.below(&request.get_ref().root)?;
        let signals = found.into_iter().filter_map(|at| self.broker.signal(at));
        let metadata = signals.map(super::broker::Signal::metadata).collect();
        Ok(Response::new(v2::ListMetadataResponse { metadata }))
    }

    async fn publish_value(
        &self,
        request: Request<v2::PublishValueRequest>,
    ) -> Result<Response<v2::PublishValueResponse>, Status> {
        let caller = self.caller(&request)?;
        let request = request.into_inner();
        let at = self.broker.find(request.signal_id.as_ref())?;
        let value = request.data_point.and_then(|point| point.value);
        self.broker.publish(&caller, at, value.as_ref())?;
        Ok(Response::new(v2::PublishValueResponse {}))
    }

    type OpenProviderStreamStream = BoxStream<'static, Result<v2::OpenProviderStreamResponse, Status>>;

    async fn open_provider_stream(
        &self,
        request: Request<Streaming<v2::OpenProviderStreamRequest>>,
    ) -> Result<Response<Self::OpenProviderStreamStream>, Status> {
        let caller = self.caller(&request)?;
        let (line, receiver) = mpsc::channel(PROVIDER_BUFFER);
        tokio::spawn(serve_provider(self.broker.clone(), caller, request.into_inner(), line));
        Ok(Response::new(ReceiverStream::new(receiver).boxed()))
    }

    async fn get_server_info(
        &self,
        request: Request<v2::GetServerInfoRequest>,
    ) -> Result<Response<v2::GetServerInfoResponse>, Status> {
        self.caller(&request)?;
        Ok(Response::new(v2::GetServerInfoResponse {
            name: super::NAME.into(),
            version: super::VERSION.into(),
            commit_hash: String::new(),
        }))
    }
}

/// Serves one provider until it goes. One that has said all it has to say still listens.
async fn serve_provider(
    broker: Arc<Broker>,
    caller: Caller,
    mut said: Streaming<v2::OpenProviderStreamRequest>,
    line: ProviderLine,
) {
    while let Ok(Some(request)) = said.message().await {
        let answer = match request.action {
            Some(open_provider_stream_request::Action::ProvideActuationRequest(request)) => {
                broker.claim(&caller, &request.actuator_identifiers, &line).map(|()| {
                    let answer = v2::ProvideActuationResponse {};
                    Some(open_provider_stream_response::Action::ProvideActuationResponse(answer))
                })
            }
            Some(open_provider_stream_request::Action::PublishValuesRequest(request)) => {
                Ok(published(&broker, &caller, &request))
            }
            Some(open_provider_stream_request::Action::BatchActuateStreamResponse(answer)) => {
                tracing::debug!(?answer, "a provider answered a command");
                Ok(None)
            }
            None => Ok(None),
        };
        let message = match answer {
            Ok(None) => continue,
            Ok(action) => Ok(v2::OpenProviderStreamResponse { action }),
            Err(status) => Err(status),
        };
        let failed = message.is_err();
        if line.send(message).await.is_err() || failed {
            break;
        }
    }
    line.closed().await;
    broker.release(&line);
}

/// Publishes several values; what is wrong is answered, what is right is not.
fn published(
    broker: &Broker,
    caller: &Caller,
    request: &v2::PublishValuesRequest,
) -> Option<open_provider_stream_response::Action> {
    let publish = |id: i32, point: &v2::Datapoint| {
        let at = broker.by_id(id)?;
        broker.publish(caller, at, point.value.as_ref())
    };
    let status: HashMap<i32, v2::Error> = request
        .data_points
        .iter()
        .filter_map(|(id, point)| Some((*id, error_of(&publish(*id, point).err()?))))
        .collect();
    if status.is_empty() {
        return None;
    }
    Some(open_provider_stream_response::Action::PublishValuesResponse(
        v2::PublishValuesResponse {
            request_id: request.request_id,
            status,
        },
    ))
}

fn error_of(status: &Status) -> v2::Error {
    let code = match status.code() {
        Code::NotFound => v2::ErrorCode::NotFound,
        Code::PermissionDenied | Code::Unauthenticated => v2::ErrorCode::PermissionDenied,
        _ => v2::ErrorCode::InvalidArgument,
    };
    v2::Error {
        code: code.into(),
        message: status.message().to_owned(),
    }
}
