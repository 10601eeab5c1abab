//! Questions of other programs: lines of JSON, and over HTTP.

use crate::{Failure, out};
use incar::research::{ProgressSender, Researcher, answer_line};
use std::io::BufRead;
use std::process::ExitCode;

/// Answers each line of standard input with a line on standard output.
pub(crate) async fn lines(researcher: &Researcher) -> Result<ExitCode, Failure> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        out::answer(answer_line(researcher, &line, ProgressSender::default()).await)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Serves until it is interrupted.
#[cfg(feature = "http")]
pub(crate) async fn http(researcher: Researcher, port: u16) -> Result<ExitCode, Failure> {
    use incar::research::http::{BearerToken, HttpServer, HttpSettings};
    let mut settings = HttpSettings::at(([127, 0, 0, 1], port));
    if let Ok(token) = std::env::var("CAR_RESEARCH_TOKEN") {
        settings = settings.with_token(BearerToken::new(token)?);
    }
    let server = HttpServer::start(std::sync::Arc::new(researcher), settings).await?;
    out::note(format_args!("answering questions at {}", server.url()));
    tokio::signal::ctrl_c().await?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(feature = "http"))]
pub(crate) async fn http(_: Researcher, _: u16) -> Result<ExitCode, Failure> {
    Err("--serve needs the feature http: cargo run --example research --features http,web".into())
}
