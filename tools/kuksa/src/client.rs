//! The calls to the broker: each with the token and within the deadline.

use crate::config::{KuksaConfig, Token};
use crate::error::{KuksaError, root_cause};
use crate::proto::v2::val_client::ValClient;
use crate::proto::v2::{self, signal_id::Signal};
use std::time::Duration;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status, Streaming};

/// As many messages as a broker keeps for a slow subscriber. With fewer, what changed meanwhile would be lost: a broker
/// drops whole messages, and each names only the signals that changed.
const BUFFER: u32 = 1000;

/// What lists all signals of a car.
const MAX_MESSAGE: usize = 64 * 1024 * 1024;

/// A connection to the broker.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    stub: ValClient<Channel>,
    token: Option<Token>,
    deadline: Duration,
}

/// What came of a call that changes something.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The broker said no, or could not be reached.
    Status(Status),
    /// No answer within the deadline.
    Late,
}

impl Client {
    pub(crate) async fn connect(endpoint: &Endpoint, config: &KuksaConfig) -> Result<Self, KuksaError> {
        let channel = timeout(config.deadline, endpoint.connect())
            .await
            .map_err(|_| KuksaError::Late)?
            .map_err(|error| KuksaError::Unreachable(root_cause(&error)))?;
        Ok(Self {
            stub: ValClient::new(channel).max_decoding_message_size(MAX_MESSAGE),
            token: config.token.clone(),
            deadline: config.deadline,
        })
    }

    /// What the signals below `root` are; nothing where there is no such branch.
    pub(crate) async fn metadata(&self, root: &str) -> Result<Vec<v2::Metadata>, KuksaError> {
        let request = self.request(v2::ListMetadataRequest {
            root: root.to_owned(),
            filter: String::new(),
        });
        let mut stub = self.stub.clone();
        match self.within(stub.list_metadata(request)).await {
            Ok(answer) => Ok(answer.metadata),
            Err(Failure::Status(status)) if status.code() == tonic::Code::NotFound => Ok(Vec::new()),
            Err(failure) => Err(failure.into()),
        }
    }

    /// The value of one signal now.
    pub(crate) async fn value(&self, path: &str) -> Result<Option<v2::Value>, KuksaError> {
        let request = self.request(v2::GetValueRequest {
            signal_id: Some(by_path(path)),
        });
        let mut stub = self.stub.clone();
        let answer = self.within(stub.get_value(request)).await?;
        Ok(answer.data_point.and_then(|point| point.value))
    }

    /// All values, then each change. The first message has to come within the deadline like any answer: see the link.
    pub(crate) async fn subscribe(&self, paths: Vec<String>) -> Result<Streaming<v2::SubscribeResponse>, KuksaError> {
        let request = self.request(v2::SubscribeRequest {
            signal_paths: paths,
            buffer_size: BUFFER,
            filter: None,
        });
        let mut stub = self.stub.clone();
        Ok(self.within(stub.subscribe(request)).await?)
    }

    /// Hands on commands, all or none.
    pub(crate) async fn actuate(&self, commands: Vec<(String, v2::Value)>) -> Result<(), Failure> {
        let mut requests: Vec<v2::ActuateRequest> = commands
            .into_iter()
            .map(|(path, value)| v2::ActuateRequest {
                signal_id: Some(by_path(&path)),
                value: Some(value),
            })
            .collect();
        let mut stub = self.stub.clone();
        match (requests.pop(), requests.is_empty()) {
            (None, _) => Ok(()),
            (Some(only), true) => self.within(stub.actuate(self.request(only))).await.map(|_| ()),
            (Some(last), false) => {
                requests.push(last);
                let request = self.request(v2::BatchActuateRequest {
                    actuate_requests: requests,
                });
                self.within(stub.batch_actuate(request)).await.map(|_| ())
            }
        }
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.header());
        }
        request
    }

    async fn within<T>(&self, call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Failure> {
        match timeout(self.deadline, call).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(Failure::Status(status)),
            Err(_) => Err(Failure::Late),
        }
    }
}

impl From<Failure> for KuksaError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Status(status) => status.into(),
            Failure::Late => Self::Late,
        }
    }
}

fn by_path(path: &str) -> v2::SignalId {
    v2::SignalId {
        signal: Some(Signal::Path(path.to_owned())),
    }
}
