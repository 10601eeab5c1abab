//! The protocol as compiled from `proto/`.

#![allow(
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    clippy::all,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "generated"
)]

pub(crate) mod v2 {
    tonic::include_proto!("kuksa.val.v2");
}

#[cfg(feature = "server")]
pub(crate) mod v1 {
    tonic::include_proto!("kuksa.val.v1");
}
