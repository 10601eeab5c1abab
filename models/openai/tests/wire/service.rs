//! A scripted service: answers each request with the next reply of its script, bytes as given, and
//! remembers what it was asked.

use futures_util::StreamExt;
use incar_core::{ChatModel, ChatRequest, Lang, Message, ModelError, ModelEvent, Seat, Speaker, ToolSet};
use incar_openai::{Config, OpenAiModel, Provider, RetryPolicy};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};

/// What follows the last piece.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// The end of the message.
    Whole,
    /// Nothing, for ever.
    Hang,
    /// The connection closes in the middle of the message.
    Cut,
}

/// One reply.
#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Vec<u8>>,
    end: End,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            pieces: vec![body.into()],
            end: End::Whole,
        }
    }

    /// A stream of these events and `[DONE]`.
    pub(crate) fn events(data: &[&str]) -> Self {
        let events: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
        Self::sse(&(events + "data: [DONE]\n\n"))
    }

    /// A stream of this text.
    pub(crate) fn sse(stream: &str) -> Self {
        Self::new(200, stream).with_header("content-type", "text/event-stream")
    }

    /// A stream that says `text`.
    pub(crate) fn saying(text: &str) -> Self {
        let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}}]});
        let stop = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
        Self::events(&[&delta.to_string(), stop])
    }

    pub(crate) fn hang() -> Self {
        Self {
            status: 0,
            headers: Vec::new(),
            pieces: Vec::new(),
            end: End::Hang,
        }
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn with_end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// The same bytes, `size` at a time.
    pub(crate) fn in_pieces(mut self, size: usize) -> Self {
        let whole = self.pieces.concat();
        self.pieces = whole.chunks(size).map(<[u8]>::to_vec).collect();
        self
    }
}

/// What was asked.
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The service.
pub(crate) struct Service {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
}

impl Service {
    pub(crate) async fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let script: Arc<Mutex<VecDeque<Reply>>> = Arc::new(Mutex::new(script.into_iter().collect()));
        let service = Self {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            asked: Arc::default(),
            connections: Arc::default(),
        };
        let (asked, connections) = (service.asked.clone(), service.connections.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, script.clone(), asked.clone()));
            }
        });
        service
    }

    /// How often it was asked.
    pub(crate) fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// What it was asked, and forgets it.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// The body of the only request.
    pub(crate) fn body(&self) -> Value {
        let mut asked = self.asked();
        assert_eq!(asked.len(), 1);
        asked.remove(0).body
    }
}

async fn serve(stream: TcpStream, script: Arc<Mutex<VecDeque<Reply>>>, asked: Arc<Mutex<Vec<Asked>>>) {
    let mut stream = BufStream::new(stream);
    while let Some(request) = read(&mut stream).await {
        asked.lock().unwrap().push(request);
        let next = script.lock().unwrap().pop_front();
        let reply = next.unwrap_or_else(|| Reply::new(500, "not in the script"));
        if write(&mut stream, &reply).await.is_err() {
            return;
        }
        match reply.end {
            End::Whole => {}
            End::Hang => std::future::pending().await,
            End::Cut => return,
        }
    }
}

async fn read(stream: &mut BufStream<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")?
        .1
        .parse()
        .ok()?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let body = serde_json::from_slice(&body).expect("the body is JSON");
    Some(Asked { path, headers, body })
}

async fn write(stream: &mut BufStream<TcpStream>, reply: &Reply) -> std::io::Result<()> {
    if reply.status == 0 {
        return Ok(());
    }
    let mut head = format!("HTTP/1.1 {} X\r\ntransfer-encoding: chunked\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all((head + "\r\n").as_bytes()).await?;
    for piece in reply.pieces.iter().filter(|piece| !piece.is_empty()) {
        stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
        stream.write_all(piece).await?;
        stream.write_all(b"\r\n").await?;
    }
    if let End::Whole = reply.end {
        stream.write_all(b"0\r\n\r\n").await?;
    }
    stream.flush().await
}

/// A configuration for `service` that loses no time between retries.
pub(crate) fn config(provider: Provider, service: &Service) -> Config {
    Config::new(provider)
        .with_base_url(&service.url)
        .with_model("test-model")
        .with_key("sk-secret")
        .with_retry(RetryPolicy::new(2, Duration::from_millis(1), Duration::from_millis(10)))
}

pub(crate) fn custom(service: &Service) -> OpenAiModel {
    config(Provider::Custom, service).build().unwrap()
}

/// What a model says to `messages`: its events, and the error that ended them.
pub(crate) async fn ask_with(
    model: &OpenAiModel,
    system: &str,
    messages: &[Message],
    tools: Option<&ToolSet>,
    lang: Lang,
) -> (Vec<ModelEvent>, Option<ModelError>) {
    let speaker = Speaker::new("car", Seat::Driver);
    let mut request = ChatRequest::new(system, messages, &speaker, lang);
    if let Some(tools) = tools {
        request = request.with_tools(tools);
    }
    let mut stream = model.stream(request);
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// What a model says to a plain utterance.
pub(crate) async fn ask(model: &OpenAiModel) -> (Vec<ModelEvent>, Option<ModelError>) {
    ask_with(model, "Be brief.", &[Message::user("打开车窗")], None, Lang::Zh).await
}

/// The error that a plain utterance ends in.
pub(crate) async fn error_of(model: &OpenAiModel) -> ModelError {
    ask(model).await.1.expect("an error")
}

/// The text that a plain utterance is answered with.
pub(crate) async fn text_of(model: &OpenAiModel) -> String {
    let (events, error) = ask(model).await;
    assert_eq!(error, None);
    let text = events.iter().filter_map(|event| match event {
        ModelEvent::Text(text) => Some(text.as_str()),
        _ => None,
    });
    text.collect()
}
