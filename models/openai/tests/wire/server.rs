//! A scripted service: answers each request with the next reply of its script, bytes as given, and
//! remembers what it was asked.

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
    /// The last piece again and again, until nobody reads any more.
    Endless,
}

/// One reply.
#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Vec<u8>>,
    /// The wait before each piece.
    pace: Duration,
    end: End,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            pieces: vec![body.into()],
            pace: Duration::ZERO,
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
            pace: Duration::ZERO,
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

    /// The same with a wait before each piece.
    pub(crate) fn paced(mut self, pace: Duration) -> Self {
        self.pace = pace;
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
            End::Cut | End::Endless => return,
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
        if !reply.pace.is_zero() {
            stream.flush().await?;
            tokio::time::sleep(reply.pace).await;
        }
        chunk(stream, piece).await?;
    }
    match (reply.end, reply.pieces.last()) {
        (End::Whole, _) => stream.write_all(b"0\r\n\r\n").await?,
        (End::Endless, Some(piece)) => loop {
            chunk(stream, piece).await?;
        },
        (End::Hang | End::Cut | End::Endless, _) => {}
    }
    stream.flush().await
}

async fn chunk(stream: &mut BufStream<TcpStream>, piece: &[u8]) -> std::io::Result<()> {
    stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
    stream.write_all(piece).await?;
    stream.write_all(b"\r\n").await
}
