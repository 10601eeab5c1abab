//! Values and metadata between incar's terms and the protocol's.

use crate::proto::v2::value::TypedValue;
use crate::proto::v2::{self, Metadata};
use incar_tools::vehicle::{DataType, SignalInfo, SignalKind, SignalValue};

/// What a value from the wire is; `None` for arrays and for nothing at all.
pub(crate) fn from_wire(value: Option<&v2::Value>) -> Option<SignalValue> {
    Some(match value?.typed_value.as_ref()? {
        TypedValue::String(text) => SignalValue::from(text.as_str()),
        TypedValue::Bool(value) => SignalValue::Bool(*value),
        number => SignalValue::Number(number_of(number)?),
    })
}

/// The number that a value is, if it is one.
#[allow(
    clippy::cast_precision_loss,
    reason = "signals are numbers of 64 bits with a fraction; see DataType"
)]
fn number_of(value: &TypedValue) -> Option<f64> {
    Some(match value {
        TypedValue::Int32(number) => f64::from(*number),
        TypedValue::Int64(number) => *number as f64,
        TypedValue::Uint32(number) => f64::from(*number),
        TypedValue::Uint64(number) => *number as f64,
        TypedValue::Float(number) => shortest(*number),
        TypedValue::Double(number) => *number,
        _ => return None,
    })
}

/// 21.3, where a plain conversion gives 21.299999237060547.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

/// A value as its type travels; `None` where it is of another type.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked against the type's bounds"
)]
pub(crate) fn to_wire(value: &SignalValue, datatype: DataType) -> Option<v2::Value> {
    let info = SignalInfo::new("", SignalKind::Actuator, datatype);
    info.check(value).ok()?;
    let typed = match (value, datatype) {
        (SignalValue::Bool(value), _) => TypedValue::Bool(*value),
        (SignalValue::Text(text), _) => TypedValue::String(text.clone()),
        (SignalValue::Number(number), DataType::Int8 | DataType::Int16 | DataType::Int32) => {
            TypedValue::Int32(*number as i32)
        }
        (SignalValue::Number(number), DataType::Uint8 | DataType::Uint16 | DataType::Uint32) => {
            TypedValue::Uint32(*number as u32)
        }
        (SignalValue::Number(number), DataType::Int64) => TypedValue::Int64(*number as i64),
        (SignalValue::Number(number), DataType::Uint64) => TypedValue::Uint64(*number as u64),
        (SignalValue::Number(number), DataType::Float) => TypedValue::Float(*number as f32),
        (SignalValue::Number(number), DataType::Double) => TypedValue::Double(*number),
        _ => return None,
    };
    Some(v2::Value {
        typed_value: Some(typed),
    })
}

/// The value as the wire gives it back: what a float of 32 bits leaves of it.
#[cfg(test)]
pub(crate) fn as_sent(value: &SignalValue, datatype: DataType) -> Option<SignalValue> {
    from_wire(to_wire(value, datatype).as_ref())
}

/// What a signal is, by the broker; `None` where incar cannot use it (an array) or it is not sound.
pub(crate) fn info(metadata: &Metadata) -> Option<SignalInfo> {
    let datatype = match metadata.data_type() {
        v2::DataType::String => DataType::String,
        v2::DataType::Boolean => DataType::Boolean,
        v2::DataType::Int8 => DataType::Int8,
        v2::DataType::Int16 => DataType::Int16,
        v2::DataType::Int32 => DataType::Int32,
        v2::DataType::Int64 => DataType::Int64,
        v2::DataType::Uint8 => DataType::Uint8,
        v2::DataType::Uint16 => DataType::Uint16,
        v2::DataType::Uint32 => DataType::Uint32,
        v2::DataType::Uint64 => DataType::Uint64,
        v2::DataType::Float => DataType::Float,
        v2::DataType::Double => DataType::Double,
        v2::DataType::Unspecified => return None,
    };
    let kind = match metadata.entry_type() {
        v2::EntryType::Attribute => SignalKind::Attribute,
        v2::EntryType::Sensor => SignalKind::Sensor,
        v2::EntryType::Actuator => SignalKind::Actuator,
        v2::EntryType::Unspecified => return None,
    };
    let bound = |value: &Option<v2::Value>| number_of(value.as_ref()?.typed_value.as_ref()?);
    let mut info = SignalInfo::new(metadata.path.as_str(), kind, datatype);
    info.unit = Some(metadata.unit.clone()).filter(|unit| !unit.is_empty());
    info.min = bound(&metadata.min);
    info.max = bound(&metadata.max);
    info.allowed = allowed(metadata.allowed_values.as_ref());
    let (low, high) = info.range();
    (low <= high).then_some(info)
}

/// A list of names or numbers, written out.
#[allow(clippy::cast_precision_loss, reason = "as in number_of")]
fn allowed(values: Option<&v2::Value>) -> Vec<String> {
    fn written(numbers: impl Iterator<Item = f64>) -> Vec<String> {
        numbers.map(|number| number.to_string()).collect()
    }
    match values.and_then(|value| value.typed_value.as_ref()) {
        Some(TypedValue::StringArray(list)) => list.values.clone(),
        Some(TypedValue::Int32Array(list)) => written(list.values.iter().map(|number| f64::from(*number))),
        Some(TypedValue::Int64Array(list)) => written(list.values.iter().map(|number| *number as f64)),
        Some(TypedValue::Uint32Array(list)) => written(list.values.iter().map(|number| f64::from(*number))),
        Some(TypedValue::Uint64Array(list)) => written(list.values.iter().map(|number| *number as f64)),
        Some(TypedValue::FloatArray(list)) => written(list.values.iter().map(|number| shortest(*number))),
        Some(TypedValue::DoubleArray(list)) => written(list.values.iter().copied()),
        _ => Vec::new(),
    }
}

/// A type as the protocol numbers it.
#[cfg(feature = "server")]
pub(crate) fn data_type(datatype: DataType) -> v2::DataType {
    match datatype {
        DataType::Boolean => v2::DataType::Boolean,
        DataType::Uint8 => v2::DataType::Uint8,
        DataType::Int8 => v2::DataType::Int8,
        DataType::Uint16 => v2::DataType::Uint16,
        DataType::Int16 => v2::DataType::Int16,
        DataType::Uint32 => v2::DataType::Uint32,
        DataType::Int32 => v2::DataType::Int32,
        DataType::Uint64 => v2::DataType::Uint64,
        DataType::Int64 => v2::DataType::Int64,
        DataType::Float => v2::DataType::Float,
        DataType::Double => v2::DataType::Double,
        DataType::String => v2::DataType::String,
        _ => v2::DataType::Unspecified,
    }
}

/// A kind as the protocol numbers it.
#[cfg(feature = "server")]
pub(crate) fn entry_type(kind: SignalKind) -> v2::EntryType {
    match kind {
        SignalKind::Sensor => v2::EntryType::Sensor,
        SignalKind::Actuator => v2::EntryType::Actuator,
        SignalKind::Attribute => v2::EntryType::Attribute,
        _ => v2::EntryType::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were_sent() {
        let check = |value: SignalValue, datatype| {
            assert_eq!(as_sent(&value, datatype), Some(value.clone()), "{value} as {datatype}");
        };
        check(true.into(), DataType::Boolean);
        check("SPORT".into(), DataType::String);
        check((-40.0).into(), DataType::Int8);
        check(65_535.0.into(), DataType::Uint16);
        check((-2_147_483_648.0).into(), DataType::Int32);
        check(9_007_199_254_740_992.0.into(), DataType::Uint64);
        check((-9_007_199_254_740_992.0).into(), DataType::Int64);
        check(21.3.into(), DataType::Float);
        check(39.909_187_123.into(), DataType::Double);
    }

    #[test]
    fn a_value_of_another_type_is_not_sent() {
        let check = |value: SignalValue, datatype| assert_eq!(to_wire(&value, datatype), None, "{value} as {datatype}");
        check(1.0.into(), DataType::Boolean);
        check(true.into(), DataType::Uint8);
        check(256.0.into(), DataType::Uint8);
        check(0.5.into(), DataType::Int32);
        check(f64::NAN.into(), DataType::Float);
        check(1.0.into(), DataType::String);
    }

    #[test]
    fn metadata_that_makes_no_sense_is_no_signal() {
        let uint = |number| {
            Some(v2::Value {
                typed_value: Some(TypedValue::Uint32(number)),
            })
        };
        let metadata = |data_type: v2::DataType, entry_type: v2::EntryType, min, max| Metadata {
            path: "Vehicle.X".into(),
            data_type: data_type.into(),
            entry_type: entry_type.into(),
            min: uint(min),
            max: uint(max),
            ..Metadata::default()
        };
        let check = |metadata: Metadata, sound: bool| assert_eq!(info(&metadata).is_some(), sound, "{metadata:?}");
        check(metadata(v2::DataType::Uint8, v2::EntryType::Actuator, 1, 5), true);
        check(metadata(v2::DataType::Uint8, v2::EntryType::Actuator, 5, 1), false);
        check(metadata(v2::DataType::Uint8, v2::EntryType::Actuator, 300, 400), false);
        check(
            metadata(v2::DataType::Unspecified, v2::EntryType::Actuator, 1, 5),
            false,
        );
        check(metadata(v2::DataType::Uint8, v2::EntryType::Unspecified, 1, 5), false);
    }
}
