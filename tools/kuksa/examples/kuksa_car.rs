//! The simulated car as a broker, so that the KUKSA back end can be tried without one.
//!
//! `cargo run -p incar-kuksa --features server --example kuksa_car` listens on 127.0.0.1:55555;
//! `-- --listen 127.0.0.1:0` on a free port, which it prints. `--token-file FILE` asks for that token, `--cert FILE
//! --key FILE` (PEM) serves with TLS, and `--without-provider PATH` leaves what is below a path to other providers.

#![allow(clippy::print_stdout, reason = "it prints where it listens")]

use incar_core::{Clock, Timestamp};
use incar_kuksa::server::{Access, CarServer, Grant};
use incar_tools::vehicle::SimulatedCar;
use std::error::Error;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug)]
struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kuksa_car: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let mut listen: SocketAddr = ([127, 0, 0, 1], 55555).into();
    let (mut certificate, mut key) = (None, None);
    let clock = Arc::new(WallClock);
    let mut server = CarServer::new(Arc::new(SimulatedCar::new(clock.clone())?), clock);
    let mut args = std::env::args().skip(1);
    while let Some(option) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{option} needs a value"));
        match option.as_str() {
            "--listen" => listen = value()?.parse()?,
            "--token-file" => {
                let token = std::fs::read_to_string(value()?)?;
                let grant = Grant::new(token.trim(), "read actuate provide")?;
                server = server.with_access(Access::Tokens(vec![grant]));
            }
            "--cert" => certificate = Some(std::fs::read(value()?)?),
            "--key" => key = Some(std::fs::read(value()?)?),
            "--without-provider" => server = server.without_provider([value()?]),
            _ => return Err(format!("there is no option {option}; the head of its source lists them").into()),
        }
    }
    server = match (certificate, key) {
        (Some(certificate), Some(key)) => server.with_tls(certificate, key),
        (None, None) => server,
        _ => return Err("--cert and --key go together".into()),
    };
    let listening = server.bind(listen).await?;
    println!("listening on {}", listening.address());
    tokio::select! {
        served = listening.serve() => Ok(served?),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}
