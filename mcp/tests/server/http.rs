//! HTTP: this machine, a token, and no browser.

use super::support::access;
use incar_core::Seat;
use incar_mcp::client::{McpClient, MemoryPins, ServerConfig};
use incar_mcp::server::{BearerToken, HttpServer, McpServer, ServeError};
use incar_testkit::Simulator;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const TOKEN: &str = "a-token-for-the-tests";

async fn serving() -> HttpServer {
    let simulator = Simulator::new().unwrap();
    let server = McpServer::new(simulator.assistant().clone(), access()).asking(simulator.speaker(Seat::Driver));
    let token = BearerToken::new(TOKEN).unwrap();
    server.serve_http(([127, 0, 0, 1], 0).into(), token).await.unwrap()
}

/// The status of a request as it was written.
async fn status_of(server: &HttpServer, request: String) -> String {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer)
        .split(' ')
        .nth(1)
        .unwrap_or("none")
        .to_owned()
}

fn post(path: &str, headers: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn a_request_is_heard_only_with_the_token_for_this_machine_and_from_no_page() {
    let server = serving().await;
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let here = format!("Host: {}\r\n", server.address());
    let token = format!("Authorization: Bearer {TOKEN}\r\n");
    let huge = "x".repeat(300 * 1024);
    for (path, headers, body, expected) in [
        ("/mcp", format!("{here}{token}"), list, "200"),
        ("/mcp", format!("Host: localhost\r\n{token}"), list, "200"),
        ("/mcp", here.clone(), list, "401"),
        (
            "/mcp",
            format!("{here}Authorization: Bearer a-token-for-the-testS\r\n"),
            list,
            "401",
        ),
        (
            "/mcp",
            format!("{here}Authorization: Bearer a-token-for-the-test\r\n"),
            list,
            "401",
        ),
        (&format!("/mcp?token={TOKEN}"), here.clone(), list, "401"),
        ("/mcp", format!("Host: evil.example\r\n{token}"), list, "403"),
        ("/mcp", format!("Host: 127.0.0.1.evil.example\r\n{token}"), list, "403"),
        (
            "/mcp",
            format!("{here}{token}Origin: https://evil.example\r\n"),
            list,
            "403",
        ),
        (
            "/mcp",
            format!("{here}{token}Origin: http://localhost\r\n"),
            list,
            "403",
        ),
        ("/mcp", format!("{here}{token}Origin: null\r\n"), list, "403"),
        ("/", format!("{here}{token}"), list, "404"),
        ("/mcp", format!("{here}{token}"), &huge, "413"),
        ("/mcp", format!("{here}{token}"), "no json", "415"),
    ] {
        let status = status_of(&server, post(path, &headers, body)).await;
        let refused = |code: &str| code.starts_with('4');
        // Which of its refusals a library chooses for what is no JSON is its own affair.
        let fits = status == expected || expected == "415" && refused(&status);
        assert!(fits, "{path} {headers} {}: {status}", body.get(..40).unwrap_or(body));
    }
}

#[tokio::test]
async fn other_machines_cannot_reach_it() {
    let simulator = Simulator::new().unwrap();
    let server = McpServer::new(simulator.assistant().clone(), access());
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let token = BearerToken::new(TOKEN).unwrap();
        let refused = server.clone().serve_http(address.parse().unwrap(), token).await;
        assert!(matches!(refused, Err(ServeError::NotLoopback(_))), "{address}");
    }
}

#[tokio::test]
async fn our_own_client_lists_the_car() {
    let server = serving().await;
    let config = |variable: &str| ServerConfig::http("car", server.url()).token_from_env(variable);
    // cargo sets this one; it is not the token.
    let stranger = McpClient::connect([config("CARGO_PKG_NAME")], Arc::new(MemoryPins::default()))
        .await
        .unwrap();
    assert!(
        stranger.tools().is_empty() && stranger.report()[0].fault.is_some(),
        "{stranger:?}"
    );
}
