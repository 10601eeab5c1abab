//! A model service on loopback that answers at once: what it says follows from the messages of the request.

use crate::Outcome;
use crate::scripts::{Script, TOOL};
use serde::Deserialize;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

static CALLS: AtomicU64 = AtomicU64::new(0);

#[derive(Deserialize)]
struct Request {
    messages: Vec<Message>,
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Option<String>,
}

/// A reply of the model.
enum Reply {
    Text(&'static str),
    /// A call, by the place that it looks up.
    Call(&'static str),
}

pub(crate) async fn serve() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/v1", listener.local_addr()?);
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(async move {
            if let Err(error) = answer_all(socket).await {
                eprintln!("{error}");
            }
        });
    }
}

/// Answers the requests of one connection until it is closed.
async fn answer_all(socket: TcpStream) -> std::io::Result<()> {
    let mut socket = BufReader::new(socket);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if socket.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            if line.trim().is_empty() {
                break;
            }
            let header = line.split_once(':');
            if let Some((_, value)) = header.filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        socket.read_exact(&mut body).await?;
        let response = match serde_json::from_slice(&body).map_err(|error| error.to_string()) {
            Ok(request) => answer(&request),
            Err(error) => Err(error),
        };
        let response = response.unwrap_or_else(|error| {
            let body = format!(r#"{{"error":{{"message":{error:?}}}}}"#);
            framed("400 Bad Request", "application/json", &body)
        });
        socket.write_all(response.as_bytes()).await?;
    }
}

fn answer(request: &Request) -> Result<String, String> {
    let reply = reply_to(&request.messages)?;
    Ok(if request.stream {
        chunked(&events(&reply))
    } else {
        framed("200 OK", "application/json", &whole(&reply))
    })
}

fn framed(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
}

/// Server-sent events, each in a chunk of its own.
fn chunked(events: &[String]) -> String {
    let chunks = events.iter().map(|event| format!("{:x}\r\n{event}\r\n", event.len()));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let end = "0\r\n\r\n".to_owned();
    [head.to_owned()].into_iter().chain(chunks).chain([end]).collect()
}

/// The last turn of a script calls the tool before its reply, as often as the script says; each call must have its result.
fn reply_to(messages: &[Message]) -> Result<Reply, String> {
    let said = |message: &&Message| message.role == "user";
    let first = messages
        .iter()
        .find(said)
        .and_then(|message| message.content.as_deref());
    let script = Script::opened_by(first.unwrap_or_default()).ok_or("no script begins so")?;
    let turn = messages.iter().filter(said).count();
    let (_, text) = script.turns.get(turn - 1).ok_or("the script is over")?;
    let results: Vec<&Message> = messages.iter().filter(|message| message.role == "tool").collect();
    let found = |result: &&Message| {
        result
            .content
            .as_deref()
            .is_some_and(|content| content.contains("48.4747"))
    };
    if !results.iter().all(found) {
        return Err("a result is not the tool's".into());
    }
    match script.looked_up.get(results.len()) {
        Some(place) if turn == script.turns.len() => Ok(Reply::Call(place)),
        _ => Ok(Reply::Text(text)),
    }
}

const USAGE: &str = r#"{"prompt_tokens":210,"completion_tokens":12,"total_tokens":222,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}"#;

fn call_id() -> String {
    format!("call_{:020}", CALLS.fetch_add(1, Ordering::Relaxed))
}

fn whole(reply: &Reply) -> String {
    let (message, finish) = match reply {
        Reply::Text(text) => (
            format!(r#"{{"role":"assistant","content":"{text}","refusal":null}}"#),
            "stop",
        ),
        Reply::Call(query) => (
            format!(
                r#"{{"role":"assistant","content":null,"refusal":null,"tool_calls":[{{"id":"{}","type":"function","function":{{"name":"{TOOL}","arguments":"{{\"query\":\"{query}\"}}"}}}}]}}"#,
                call_id()
            ),
            "tool_calls",
        ),
    };
    format!(
        r#"{{"id":"chatcmpl-bench","object":"chat.completion","created":1780000000,"model":"bench","choices":[{{"index":0,"message":{message},"logprobs":null,"finish_reason":"{finish}"}}],"usage":{USAGE}}}"#
    )
}

fn events(reply: &Reply) -> Vec<String> {
    let mut deltas: Vec<String> = Vec::new();
    let finish = match reply {
        Reply::Text(text) => {
            deltas.push(r#"{"role":"assistant","content":""}"#.to_owned());
            let words = text.split_inclusive(' ');
            deltas.extend(words.map(|word| format!(r#"{{"content":"{word}"}}"#)));
            "stop"
        }
        Reply::Call(query) => {
            deltas.push(format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"index":0,"id":"{}","type":"function","function":{{"name":"{TOOL}","arguments":""}}}}]}}"#,
                call_id()
            ));
            let pieces = [r#"{\"query\":"#.to_owned(), format!(r#"\"{query}\""#), "}".to_owned()];
            deltas.extend(
                pieces
                    .iter()
                    .map(|piece| format!(r#"{{"tool_calls":[{{"index":0,"function":{{"arguments":"{piece}"}}}}]}}"#)),
            );
            "tool_calls"
        }
    };
    let chunk = |choices: &str, usage: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1780000000,\"model\":\"bench\",\"choices\":[{choices}]{usage}}}\n\n"
        )
    };
    let choice = |delta: &str, finish: &str| {
        let choice = format!(r#"{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}"#);
        chunk(&choice, "")
    };
    let mut events: Vec<String> = deltas.iter().map(|delta| choice(delta, "null")).collect();
    events.push(choice("{}", &format!("\"{finish}\"")));
    events.push(chunk("", &format!(",\"usage\":{USAGE}")));
    events.push("data: [DONE]\n\n".to_owned());
    events
}
