//! Questions over HTTP: who is served, what is answered, and what becomes of a run whose asker hangs up. A client of its
//! own on loopback, so that what is not well-formed can be sent too.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar_core::{Lang, async_trait};
use incar_net::BearerToken;
use incar_research::http::{HttpServer, HttpSettings, Reach, ServeError};
use incar_research::{
    Progress, ProgressSender, ResearchAnswer, ResearchError, ResearchRequest, ResearchService, RunId,
};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};

const TOKEN: &str = "0123456789abcdef";

/// Echoes its question once it may; notes that a run began and that one was dropped.
#[derive(Debug)]
struct Echo {
    may_end: Semaphore,
    began: Notify,
    dropped: Arc<Notify>,
}

impl Echo {
    fn new(may_end: usize) -> Arc<Self> {
        Arc::new(Self {
            may_end: Semaphore::new(may_end),
            began: Notify::new(),
            dropped: Arc::default(),
        })
    }
}

struct Dropped(Arc<Notify>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

fn answer(request: &ResearchRequest) -> ResearchAnswer {
    serde_json::from_value(json!({
        "answer": request.question, "normalized": request.question, "kind": request.kind(), "abstained": false,
        "sources": [],
        "record": {
            "id": "r1", "method": request.method, "question": request.question, "lang": Lang::Zh,
            "answer": request.question, "sources": [], "cited": [], "removed_citations": 0, "finish": "done",
            "spent": incar_research::Spent::default(), "tools": [], "began": 0, "ended": 0,
        },
    }))
    .unwrap()
}

#[async_trait]
impl ResearchService for Echo {
    async fn answer(
        &self,
        request: &ResearchRequest,
        progress: ProgressSender,
    ) -> Result<ResearchAnswer, ResearchError> {
        if request.question.trim().is_empty() {
            return Err(ResearchError::NoQuestion);
        }
        let dropped = Dropped(self.dropped.clone());
        self.began.notify_one();
        progress.send(Progress::Round { number: 1 });
        self.may_end.acquire().await.unwrap().forget();
        std::mem::forget(dropped);
        Ok(answer(request))
    }

    async fn take_up(&self, run: &RunId, _: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
        Err(ResearchError::UnknownRun(run.clone()))
    }
}

async fn server(echo: &Arc<Echo>) -> HttpServer {
    let settings = HttpSettings::at(([127, 0, 0, 1], 0));
    HttpServer::start(echo.clone(), settings).await.unwrap()
}

fn post(headers: &str, body: &str) -> String {
    format!(
        "POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

async fn send(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // What is refused unread may be answered before it is sent to its end.
    let _ = stream.write_all(request.as_bytes()).await;
    stream
}

/// Status and body of what comes back.
async fn ask(address: SocketAddr, request: &str) -> (u16, String) {
    let mut stream = send(address, request).await;
    let mut reply = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut reply));
    let _ = read.await.unwrap_or_else(|_| panic!("no reply to {request}"));
    let reply = String::from_utf8(reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{reply:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

#[tokio::test]
async fn a_question_is_answered_with_json() {
    let echo = Echo::new(1);
    let server = server(&echo).await;
    let (status, body) = ask(server.address(), &post("", r#"{"question": "西湖有多大"}"#)).await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &body["answer"]), (200, &json!("西湖有多大")));
    assert_eq!(body["record"]["id"], "r1");
}

#[tokio::test]
async fn who_wants_events_gets_them_with_the_answer_as_the_last() {
    let echo = Echo::new(1);
    let server = server(&echo).await;
    let wants = post("Accept: text/event-stream\r\n", r#"{"question": "q"}"#);
    let (status, body) = ask(server.address(), &wants).await;
    assert_eq!(status, 200);
    let events = body.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = events.map(|event| serde_json::from_str(event).unwrap()).collect();
    assert_eq!(events[0], json!({"event": "round", "number": 1}));
    assert_eq!((events.len(), &events[1]["event"]), (2, &json!("answered")));
    assert_eq!(events[1]["answer"]["answer"], "q");
}

#[tokio::test]
async fn what_is_no_question_is_refused_with_a_typed_error() {
    let echo = Echo::new(0);
    let server = server(&echo).await;
    let long = json!({"question": "x".repeat(300_000)}).to_string();
    for (request, status, kind) in [
        (post("", "{"), 400, "invalid_input"),
        (post("", r#"{"question": "q", "depth": 3}"#), 400, "invalid_input"),
        (post("", r#"{"question": "  "}"#), 400, "invalid_input"),
        (post("", &long), 413, "invalid_input"),
        (
            post("", r#"{"question": "q"}"#).replace("application/json", "text/plain"),
            415,
            "invalid_input",
        ),
        (
            post("Accept: text/event-stream\r\n", r#"{"question": ""}"#),
            200,
            "invalid_input",
        ),
    ] {
        let (found, body) = ask(server.address(), &request).await;
        let shown: String = request.chars().take(200).collect();
        assert_eq!(found, status, "{shown}: {body}");
        assert!(body.contains(&format!(r#""kind":"{kind}""#)), "{shown}: {body}");
    }
    for (request, status) in [
        (
            "GET /research HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            405,
        ),
        (
            "POST /elsewhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            404,
        ),
    ] {
        assert_eq!(ask(server.address(), request).await.0, status, "{request}");
    }
}

#[tokio::test]
async fn pages_strangers_and_names_that_lead_here_are_refused_before_anything_is_read() {
    let echo = Echo::new(1);
    let settings = HttpSettings::at(([127, 0, 0, 1], 0)).with_token(BearerToken::new(TOKEN).unwrap());
    let server = HttpServer::start(echo, settings).await.unwrap();
    let shown = format!("Authorization: Bearer {TOKEN}\r\n");
    let body = r#"{"question": "q"}"#;
    for (request, status) in [
        (post("", body), 401),
        (post("Authorization: Bearer wrong\r\n", body), 401),
        (post(&format!("{shown}{shown}"), body), 401),
        (post(&format!("{shown}Origin: http://localhost\r\n"), body), 403),
        (post(&format!("{shown}Origin: null\r\n"), body), 403),
        (post(&shown, body).replace("Host: localhost", "Host: evil.example"), 403),
        (
            post(&shown, body).replace("Host: localhost", "Host: localhost.evil.example:80"),
            403,
        ),
        (post(&shown, body).replace("Host: localhost", "Host: 127.0.0.1:80"), 200),
    ] {
        assert_eq!(ask(server.address(), &request).await.0, status, "{request}");
    }
}

#[tokio::test]
async fn who_hangs_up_calls_the_run_off_and_frees_its_place() {
    for accept in ["", "Accept: text/event-stream\r\n"] {
        let echo = Echo::new(0);
        let settings = HttpSettings::at(([127, 0, 0, 1], 0)).with_most(1);
        let server = HttpServer::start(echo.clone(), settings).await.unwrap();
        let question = post(accept, r#"{"question": "q"}"#);
        let asking = send(server.address(), &question).await;
        echo.began.notified().await;
        let (status, body) = ask(server.address(), &question).await;
        assert_eq!(status, 429, "{accept}: {body}");
        drop(asking);
        let dropped = tokio::time::timeout(Duration::from_secs(20), echo.dropped.notified());
        assert!(dropped.await.is_ok(), "{accept}: the run goes on");
        echo.may_end.add_permits(1);
        assert_eq!(ask(server.address(), &question).await.0, 200, "{accept}");
    }
}

#[tokio::test]
async fn a_server_that_is_dropped_calls_its_runs_off() {
    let echo = Echo::new(0);
    let server = server(&echo).await;
    let _asking = send(server.address(), &post("", r#"{"question": "q"}"#)).await;
    echo.began.notified().await;
    drop(server);
    let dropped = tokio::time::timeout(Duration::from_secs(20), echo.dropped.notified());
    assert!(dropped.await.is_ok());
}

#[tokio::test]
async fn other_machines_are_served_only_where_the_host_says_so_and_only_with_a_token() {
    let echo = Echo::new(0);
    let everywhere = HttpSettings::at(([0, 0, 0, 0], 0));
    let refused = HttpServer::start(echo.clone(), everywhere.clone()).await;
    assert!(matches!(refused, Err(ServeError::NotLoopback(_))));
    let refused = HttpServer::start(echo.clone(), everywhere.clone().reaching(Reach::Network)).await;
    assert!(matches!(refused, Err(ServeError::NoToken)));
    let open = everywhere
        .reaching(Reach::Network)
        .with_token(BearerToken::new(TOKEN).unwrap());
    assert!(HttpServer::start(echo, open).await.is_ok());
}
