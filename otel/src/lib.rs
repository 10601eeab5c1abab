//! Sends traces to an OpenTelemetry collector: OTLP as protobuf over http.
//!
//! incar's spans are `tracing` spans with OpenTelemetry's names, so a host with an exporter of its own
//! needs none of this. This is one for those who have none; no type of OpenTelemetry is in its signatures.

use incar_net::{Trust, tls};
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use reqwest::{Url, blocking, redirect};
use std::fmt;
use std::time::Duration;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

/// Where a collector takes traces, below its address.
const PATH: &str = "/v1/traces";
/// How long a collector has to take a batch.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Sends traces to a collector, in batches, from a thread of its own: a collector that is slow or gone
/// holds no turn up, and what it does not take is lost.
///
/// Dropping it sends what is left. Do neither that nor [`Exporter::flush`] from async code that must
/// not block.
///
/// ```no_run
/// use incar_otel::Exporter;
/// use tracing_subscriber::layer::SubscriberExt;
/// use tracing_subscriber::util::SubscriberInitExt;
///
/// let exporter = Exporter::to_collector("http://localhost:4318", "head-unit")?;
/// tracing_subscriber::registry().with(exporter.layer()).init();
/// # Ok::<(), incar_otel::ExportError>(())
/// ```
pub struct Exporter {
    provider: SdkTracerProvider,
}

impl fmt::Debug for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exporter").finish_non_exhaustive()
    }
}

/// Why traces cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The collector's address is none.
    #[error("`{address}` is no collector's address: {reason}")]
    Address {
        /// The address.
        address: String,
        /// Why.
        reason: String,
    },
    /// The sender cannot be set up.
    #[error("traces cannot be sent: {0}")]
    Setup(String),
    /// The collector did not take all that was left.
    #[error("the collector did not take the traces: {0}")]
    Unsent(String),
}

fn setup(error: &dyn fmt::Display) -> ExportError {
    ExportError::Setup(error.to_string())
}

impl Exporter {
    /// Sends to the collector at `address` (`http://localhost:4318`; certificates of https are judged by the system's
    /// trust store), as `service`.
    ///
    /// # Errors
    /// [`ExportError`] where the address is none or no client can be made. Whether a collector is there is not tried.
    pub fn to_collector(address: &str, service: &str) -> Result<Self, ExportError> {
        let url = endpoint(address)?;
        let client = client(&url)?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(url)
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| setup(&error))?;
        let resource = Resource::builder_empty().with_attribute(KeyValue::new("service.name", service.to_owned()));
        let provider = SdkTracerProvider::builder()
            .with_resource(resource.build())
            .with_batch_exporter(exporter)
            .build();
        Ok(Self { provider })
    }

    /// What hands spans and their events over, for a subscriber of `tracing`.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("incar"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
    }

    /// Sends what has not been sent yet.
    ///
    /// # Errors
    /// [`ExportError::Unsent`] where the collector does not take it.
    pub fn flush(&self) -> Result<(), ExportError> {
        let flushed = self.provider.force_flush();
        flushed.map_err(|error| ExportError::Unsent(error.to_string()))
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.provider.shutdown();
    }
}

fn endpoint(address: &str) -> Result<String, ExportError> {
    let refused = |reason: &str| ExportError::Address {
        address: address.to_owned(),
        reason: reason.to_owned(),
    };
    let url = Url::parse(address.trim()).map_err(|error| refused(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused("it must begin with http:// or https://"));
    }
    let base = url.as_str().trim_end_matches('/');
    Ok(format!("{}{PATH}", base.strip_suffix(PATH).unwrap_or(base)))
}

/// A client that blocks is made and used on threads without a runtime.
fn client(url: &str) -> Result<blocking::Client, ExportError> {
    let scheme = url.split(':').next().unwrap_or_default();
    let tls = tls(Trust::for_scheme(scheme)).map_err(|error| setup(&error))?;
    let build = move || {
        let client = blocking::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(redirect::Policy::none())
            .timeout(TIMEOUT);
        client.build().map_err(|error| setup(&error))
    };
    let built = std::thread::spawn(build).join();
    built.unwrap_or_else(|_| Err(setup(&"the client's thread broke")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_found_by_its_address_or_its_whole_path() {
        for address in [
            "http://localhost:4318",
            "http://localhost:4318/",
            "http://localhost:4318/v1/traces",
            " http://localhost:4318 ",
        ] {
            assert_eq!(
                endpoint(address).unwrap(),
                "http://localhost:4318/v1/traces",
                "{address}"
            );
        }
        assert_eq!(
            endpoint("https://c.example/otlp").unwrap(),
            "https://c.example/otlp/v1/traces"
        );
        for address in ["", "localhost:4318", "grpc://localhost:4317"] {
            assert!(
                matches!(endpoint(address), Err(ExportError::Address { .. })),
                "{address}"
            );
        }
    }
}
