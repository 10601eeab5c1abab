//! The simulated car's tools for any MCP client.
//!
//! ```text
//! mcp_server                                   one client, on standard input and output
//! mcp_server --http 127.0.0.1:8737             clients with the token that stands in CAR_MCP_TOKEN; lines on
//!                                              standard input are what the driver says
//!   --allow TOOL                               offers a tool that changes something; each call needs a yes
//!   --unattended TOOL                          offers one that needs a yes only where the policies say so
//! ```

use incar::mcp::server::{Access, BearerToken, McpServer};
use incar::{OutsideConsent, Seat, Utterance};
use incar_testkit::Simulator;
use lexopt::prelude::{Long, ValueExt};
use std::io::Write;
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, BufReader};

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Options {
    http: Option<SocketAddr>,
    access: Access,
}

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        http: None,
        access: Access::default(),
    };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        let Options { http, access } = options;
        options = match argument {
            Long("http") => Options {
                http: Some(arguments.value()?.parse()?),
                access,
            },
            Long("allow") => Options {
                http,
                access: access.with_tool(arguments.value()?.string()?, OutsideConsent::EachChange),
            },
            Long("unattended") => Options {
                http,
                access: access.with_tool(arguments.value()?.string()?, OutsideConsent::AsPolicies),
            },
            other => return Err(other.unexpected().into()),
        };
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let Options { http, access } = options()?;
    let simulator = Simulator::new()?;
    let driver = simulator.speaker(Seat::Driver);
    let server = McpServer::new(simulator.assistant().clone(), access).asking(driver);
    let Some(address) = http else {
        // Standard output is the protocol's; nobody sits in the car to say yes.
        return Ok(server.serve_stdio().await?);
    };
    let token = BearerToken::new(std::env::var("CAR_MCP_TOKEN").unwrap_or_default())?;
    let server = server.on_question(|_, question| say(&format!("[waits] {question}")));
    let listening = server.serve_http(address, token).await?;
    say(&format!("[ready] {}", listening.url()));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    // An empty line is silence: it hears what waits.
    while let Some(line) = lines.next_line().await? {
        let utterance = Utterance::new(line).by(simulator.speaker(Seat::Driver));
        let response = simulator.assistant().handle(utterance).await;
        say(&format!("[{}] {}", response.status.as_str(), response.message));
    }
    Ok(())
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // Whoever closed the pipe does not want to hear it.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
