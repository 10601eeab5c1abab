//! `[vehicle]`: what drives.

use crate::reading::{self, Reading};
use crate::secret::{self, Secret};
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Place, Section};
use incar_tools::vehicle::Vehicle as Car;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What drives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Vehicle {
    /// The simulated car.
    #[default]
    Simulated,
    /// A car behind a KUKSA databroker.
    Kuksa(Kuksa),
}

/// A KUKSA databroker.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kuksa {
    /// Its address: `http://host:port`, or `https://` with TLS.
    pub url: String,
    /// The token that it is shown.
    pub token: Option<Secret>,
    /// Who vouches for its certificate, where it is not the system's trust store.
    pub ca_file: Option<PathBuf>,
    /// The name in its certificate, where it is not the one in the address.
    pub server_name: Option<String>,
    /// How long one call may take, connecting too. Default 1 s.
    pub deadline: Duration,
    /// How long the car has, after it accepted a command, to show that it obeys. Default 2 s.
    pub confirm: Duration,
    /// A maker's own signals, laid over the table of paths.
    pub overlay: Option<PathBuf>,
    place: Place,
}

#[derive(Debug, Clone, Copy)]
enum BackEnd {
    Simulated,
    Kuksa,
}

const BACK_ENDS: [(&str, BackEnd); 2] = [("simulated", BackEnd::Simulated), ("kuksa", BackEnd::Kuksa)];

/// The keys that say how a databroker is reached.
const OF_KUKSA: [&str; 8] = [
    "url",
    "token_env",
    "token_file",
    "ca_file",
    "server_name",
    "deadline_ms",
    "confirm_ms",
    "overlay",
];

/// The address that a databroker listens on where nothing else is said.
const USUAL: &str = "http://127.0.0.1:55555";

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>) -> Vehicle {
    let back_end = section.one_of("backend", &BACK_ENDS);
    let url = section.text("url");
    let token = secret::read(&section, reading, secret::TOKEN);
    let ca_file = reading.file(&section, "ca_file");
    let server_name = section.text("server_name");
    let (deadline, confirm) = (section.millis("deadline_ms"), section.millis("confirm_ms"));
    let overlay = reading.file(&section, "overlay");
    let vehicle = match back_end {
        Some(BackEnd::Kuksa) => {
            let url = url.unwrap_or_else(|| USUAL.to_owned());
            check(&section, &url, token.is_some(), ca_file.is_some());
            Vehicle::Kuksa(Kuksa {
                url,
                token,
                ca_file,
                server_name,
                deadline: deadline.unwrap_or(Duration::from_secs(1)),
                confirm: confirm.unwrap_or(Duration::from_secs(2)),
                overlay,
                place: section.place_of("backend"),
            })
        }
        Some(BackEnd::Simulated) | None => {
            let fix = "write backend = \"kuksa\", or leave it out";
            reading::unused(&section, &OF_KUKSA, "the simulated car", fix);
            Vehicle::Simulated
        }
    };
    section.finish();
    vehicle
}

fn check(section: &Section<'_>, url: &str, token: bool, ca: bool) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let loopback = ["localhost", "127.0.0.1", "[::1]"].contains(&host) || rest.starts_with("[::1]");
    match scheme {
        _ if rest.contains('@') => {
            let fix = "write the token into a variable or a file, and token_env or token_file";
            section.fault(
                "url",
                Code::InlineSecret,
                "there is a name or a password in the address",
                fix,
            );
        }
        "http" | "https" if host.is_empty() => {
            section.fault(
                "url",
                Code::UnknownValue,
                "it names no host",
                format!("write: url = \"{USUAL}\""),
            );
        }
        "http" if token && !loopback => {
            let message = format!("the token would go to `{host}` unencrypted");
            section.fault("url", Code::Conflict, message, "use https");
        }
        "http" if ca => {
            section.fault(
                "ca_file",
                Code::Conflict,
                "the address is without TLS",
                "use https in url, or leave it out",
            );
        }
        "http" | "https" => {}
        _ => {
            let fix = format!("write: url = \"{USUAL}\"");
            section.fault("url", Code::UnknownValue, "it must begin with http:// or https://", fix);
        }
    }
}

impl Vehicle {
    /// The car, where it is another than the simulated one; `heard` are signals to hear besides those of the tools. It is
    /// returned at once: until the car is heard, a driver is told that it does not answer.
    ///
    /// # Errors
    /// Where it cannot be reached so, or this program was built without it.
    pub fn start(&self, heard: impl IntoIterator<Item = String>) -> Result<Option<Arc<dyn Car>>, Diagnostics> {
        match self {
            Self::Simulated => Ok(None),
            Self::Kuksa(kuksa) => kuksa.start(heard.into_iter().collect()).map(Some),
        }
    }
}

impl Kuksa {
    fn fault(&self, key: &str, code: Code, message: String, fix: &str) -> Diagnostics {
        Diagnostic::new(self.place.clone(), format!("vehicle.{key}"), code, message, fix).into()
    }

    #[cfg(feature = "kuksa")]
    fn start(&self, heard: Vec<String>) -> Result<Arc<dyn Car>, Diagnostics> {
        use incar_kuksa::{KuksaConfig, KuksaVehicle, Overlay, Token};
        let read = |key: &str, path: &std::path::Path| {
            let unreadable = |error: std::io::Error| {
                let message = format!("`{}` cannot be read: {error}", path.display());
                self.fault(key, Code::Unreadable, message, "check the file")
            };
            std::fs::read_to_string(path).map_err(unreadable)
        };
        let mut config = KuksaConfig::new(&self.url)
            .with_deadline(self.deadline)
            .with_confirm(self.confirm)
            .with_signals(heard);
        if let Some(token) = &self.token {
            let token = Token::new(token.expose());
            let unfit = |error: incar_kuksa::KuksaError| {
                let fix = "put the token there and nothing else";
                self.fault("token_env", Code::Unusable, error.to_string(), fix)
            };
            config = config.with_token(token.map_err(unfit)?);
        }
        if let Some(path) = &self.ca_file {
            config = config.with_ca(read("ca_file", path)?);
        }
        if let Some(name) = &self.server_name {
            config = config.with_server_name(name);
        }
        if let Some(path) = &self.overlay {
            let overlay = Overlay::from_toml(&read("overlay", path)?).map_err(|error| {
                let message = format!("`{}`: {error}", path.display());
                self.fault("overlay", Code::Unusable, message, "mend the line that it names")
            })?;
            config = config.with_overlay(overlay);
        }
        let car = KuksaVehicle::start(config).map_err(|error| {
            let fix = "check the address and the certificates";
            self.fault("url", Code::Unusable, error.to_string(), fix)
        })?;
        Ok(Arc::new(car))
    }

    #[cfg(not(feature = "kuksa"))]
    fn start(&self, _: Vec<String>) -> Result<Arc<dyn Car>, Diagnostics> {
        let message = "this program was built without kuksa".to_owned();
        Err(self.fault(
            "backend",
            Code::Unsupported,
            message,
            "build it with --features config,kuksa",
        ))
    }
}
