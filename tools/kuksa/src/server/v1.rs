//! What KUKSA's Python client still asks by `kuksa.val.v1`: reading, setting, and who answers.

use super::access::{Access, Action, Caller};
use super::broker::{Broker, Signal};
use crate::proto::v1::{self, datapoint, val_server::Val, value_restriction};
use crate::proto::v2::{self, value::TypedValue};
use crate::wire;
use incar_tools::vehicle::{DataType, SignalInfo};
use std::sync::Arc;
use tonic::{Code, Request, Response, Status};

#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) broker: Arc<Broker>,
    pub(super) access: Arc<Access>,
}

/// What of an entry is asked for.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    value: bool,
    target: bool,
    metadata: bool,
}

impl Wanted {
    fn of(view: v1::View, fields: &[i32]) -> Self {
        match view {
            v1::View::All => Self {
                value: true,
                target: true,
                metadata: true,
            },
            v1::View::TargetValue => Self {
                target: true,
                ..Self::default()
            },
            v1::View::Metadata => Self {
                metadata: true,
                ..Self::default()
            },
            v1::View::CurrentValue => Self {
                value: true,
                ..Self::default()
            },
            v1::View::Unspecified if fields.is_empty() => Self {
                value: true,
                ..Self::default()
            },
            v1::View::Unspecified | v1::View::Fields => {
                fields
                    .iter()
                    .fold(Self::default(), |wanted, field| match v1::Field::try_from(*field) {
                        Ok(v1::Field::Value) => Self { value: true, ..wanted },
                        Ok(v1::Field::ActuatorTarget) => Self { target: true, ..wanted },
                        Ok(v1::Field::Path) => wanted,
                        Ok(v1::Field::Unspecified) => Self::of(v1::View::All, &[]),
                        Ok(v1::Field::Metadata) | Err(_) => Self {
                            metadata: true,
                            ..wanted
                        },
                    })
            }
        }
    }
}

impl Service {
    fn read(&self, caller: &Caller, at: usize, wanted: Wanted) -> Result<v1::DataEntry, Status> {
        self.broker.may(caller, Action::Read, at)?;
        let signal = self
            .broker
            .signal(at)
            .ok_or_else(|| Status::new(Code::NotFound, "no such signal"))?;
        let timestamp = self.broker.point(at).timestamp;
        let point = |value: Option<v2::Value>| v1::Datapoint {
            timestamp,
            value: value.and_then(value_of),
        };
        let target = self.broker.target(at).filter(|_| wanted.target);
        let target = target.and_then(|value| wire::to_wire(&value, signal.info.datatype));
        Ok(v1::DataEntry {
            path: signal.info.name.clone(),
            value: wanted.value.then(|| point(self.broker.point(at).value)),
            actuator_target: target.map(|value| point(Some(value))),
            metadata: wanted.metadata.then(|| metadata(signal)),
        })
    }

    async fn update(&self, caller: &Caller, update: v1::EntryUpdate) -> Result<(), Status> {
        let entry = update.entry.unwrap_or_default();
        let has = |field: v1::Field| update.fields.is_empty() || update.fields.contains(&field.into());
        let at = self.broker.by_path(&entry.path)?;
        if let Some(target) = entry.actuator_target.filter(|_| has(v1::Field::ActuatorTarget)) {
            let signal = v2::signal_id::Signal::Path(entry.path.clone());
            let request = v2::ActuateRequest {
                signal_id: Some(v2::SignalId { signal: Some(signal) }),
                value: value_to_v2(target),
            };
            self.broker.actuate(caller, vec![request]).await?;
        }
        if let Some(value) = entry.value.filter(|_| has(v1::Field::Value)) {
            self.broker.publish(caller, at, value_to_v2(value).as_ref())?;
        }
        Ok(())
    }
}

#[tonic::async_trait]
impl Val for Service {
    async fn get(&self, request: Request<v1::GetRequest>) -> Result<Response<v1::GetResponse>, Status> {
        let caller = self.access.caller(request.metadata())?;
        let mut response = v1::GetResponse::default();
        for entry in &request.get_ref().entries {
            let wanted = Wanted::of(entry.view(), &entry.fields);
            let read = self.broker.below(&entry.path).and_then(|found| {
                let read = found.into_iter().map(|at| self.read(&caller, at, wanted));
                read.collect::<Result<Vec<_>, _>>()
            });
            match read {
                Ok(read) => response.entries.extend(read),
                Err(status) => response.errors.push(entry_error(&entry.path, &status)),
            }
        }
        response.error = response.errors.first().and_then(|first| first.error.clone());
        Ok(Response::new(response))
    }

    async fn set(&self, request: Request<v1::SetRequest>) -> Result<Response<v1::SetResponse>, Status> {
        let caller = self.access.caller(request.metadata())?;
        let mut response = v1::SetResponse::default();
        for update in request.into_inner().updates {
            let path = update
                .entry
                .as_ref()
                .map(|entry| entry.path.clone())
                .unwrap_or_default();
            if let Err(status) = self.update(&caller, update).await {
                response.errors.push(entry_error(&path, &status));
            }
        }
        response.error = response.errors.first().and_then(|first| first.error.clone());
        Ok(Response::new(response))
    }

    async fn get_server_info(
        &self,
        request: Request<v1::GetServerInfoRequest>,
    ) -> Result<Response<v1::GetServerInfoResponse>, Status> {
        self.access.caller(request.metadata())?;
        Ok(Response::new(v1::GetServerInfoResponse {
            name: super::NAME.into(),
            version: super::VERSION.into(),
        }))
    }
}

fn entry_error(path: &str, status: &Status) -> v1::DataEntryError {
    let (code, reason) = match status.code() {
        Code::NotFound => (404, "not_found"),
        Code::PermissionDenied => (403, "forbidden"),
        Code::Unauthenticated => (401, "unauthorized"),
        Code::Unavailable => (503, "unavailable"),
        _ => (400, "bad_request"),
    };
    v1::DataEntryError {
        path: path.to_owned(),
        error: Some(v1::Error {
            code,
            reason: reason.to_owned(),
            message: status.message().to_owned(),
        }),
    }
}

fn value_of(value: v2::Value) -> Option<datapoint::Value> {
    Some(match value.typed_value? {
        TypedValue::String(text) => datapoint::Value::String(text),
        TypedValue::Bool(value) => datapoint::Value::Bool(value),
        TypedValue::Int32(number) => datapoint::Value::Int32(number),
        TypedValue::Int64(number) => datapoint::Value::Int64(number),
        TypedValue::Uint32(number) => datapoint::Value::Uint32(number),
        TypedValue::Uint64(number) => datapoint::Value::Uint64(number),
        TypedValue::Float(number) => datapoint::Value::Float(number),
        TypedValue::Double(number) => datapoint::Value::Double(number),
        _ => return None,
    })
}

fn value_to_v2(point: v1::Datapoint) -> Option<v2::Value> {
    let typed = match point.value? {
        datapoint::Value::String(text) => TypedValue::String(text),
        datapoint::Value::Bool(value) => TypedValue::Bool(value),
        datapoint::Value::Int32(number) => TypedValue::Int32(number),
        datapoint::Value::Int64(number) => TypedValue::Int64(number),
        datapoint::Value::Uint32(number) => TypedValue::Uint32(number),
        datapoint::Value::Uint64(number) => TypedValue::Uint64(number),
        datapoint::Value::Float(number) => TypedValue::Float(number),
        datapoint::Value::Double(number) => TypedValue::Double(number),
    };
    Some(v2::Value {
        typed_value: Some(typed),
    })
}

fn metadata(signal: &Signal) -> v1::Metadata {
    let info = &signal.info;
    v1::Metadata {
        data_type: wire::data_type(info.datatype).into(),
        entry_type: wire::entry_type(info.kind).into(),
        description: None,
        unit: info.unit.clone(),
        value_restriction: Some(v1::ValueRestriction {
            r#type: Some(restriction(info)),
        }),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds of integer types are whole and fit"
)]
fn restriction(info: &SignalInfo) -> value_restriction::Type {
    match info.datatype {
        DataType::Boolean | DataType::String => value_restriction::Type::String(v1::ValueRestrictionString {
            allowed_values: info.allowed.clone(),
        }),
        DataType::Uint8 | DataType::Uint16 | DataType::Uint32 | DataType::Uint64 => {
            value_restriction::Type::Unsigned(v1::ValueRestrictionUint {
                min: info.min.map(|min| min as u64),
                max: info.max.map(|max| max as u64),
            })
        }
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            value_restriction::Type::Signed(v1::ValueRestrictionInt {
                min: info.min.map(|min| min as i64),
                max: info.max.map(|max| max as i64),
            })
        }
        _ => value_restriction::Type::FloatingPoint(v1::ValueRestrictionFloat {
            min: info.min,
            max: info.max,
        }),
    }
}
