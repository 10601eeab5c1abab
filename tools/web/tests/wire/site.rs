//! A site on this machine: answers each request with what a function of its path says, and remembers what was asked.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a request is answered with, byte for byte.
pub(crate) enum Answer {
    /// These bytes; the connection ends.
    Whole(Vec<u8>),
    /// The first bytes, then the second again and again until nobody reads any more.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes, and nothing more for ever.
    Hang(Vec<u8>),
}

impl Answer {
    /// A reply with these header lines, and a body.
    pub(crate) fn new(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut bytes = head(status, headers);
        bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).bytes());
        bytes.extend(body);
        Self::Whole(bytes)
    }

    pub(crate) fn html(body: impl AsRef<[u8]>) -> Self {
        Self::new(200, &["content-type: text/html; charset=utf-8"], body)
    }

    pub(crate) fn json(body: &str) -> Self {
        Self::new(200, &["content-type: application/json"], body)
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self::new(302, &[&format!("location: {to}")], "")
    }

    /// A reply whose body never ends.
    pub(crate) fn endless(headers: &[&str], piece: &str) -> Self {
        let mut bytes = head(200, headers);
        bytes.extend(b"\r\n");
        Self::Endless(bytes, piece.repeat(1000).into_bytes())
    }
}

fn head(status: u16, headers: &[&str]) -> Vec<u8> {
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{lines}").into_bytes()
}

/// The site.
pub(crate) struct Site {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub(crate) async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", answer).await
    }

    pub(crate) async fn at(address: &str, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let site = Self {
            port: listener.local_addr().unwrap().port(),
            asked: Arc::default(),
        };
        let (asked, answer) = (site.asked.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, asked.clone(), answer.clone()));
            }
        });
        site
    }

    /// Its address.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What it was asked, head and body of each request.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths that it was asked for.
    pub(crate) fn paths(&self) -> Vec<String> {
        let path = |request: &String| request.split(' ').nth(1).unwrap().to_owned();
        self.asked().iter().map(path).collect()
    }
}

async fn serve<F: Fn(&str) -> Answer>(mut stream: TcpStream, asked: Arc<Mutex<Vec<String>>>, answer: Arc<F>) {
    let mut request = Vec::new();
    while !is_whole(&request) {
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend(&piece[..read]),
        }
    }
    let request = String::from_utf8(request).unwrap();
    let path = request.split(' ').nth(1).unwrap().to_owned();
    asked.lock().unwrap().push(request);
    match answer(&path) {
        Answer::Whole(bytes) => drop(stream.write_all(&bytes).await),
        Answer::Hang(bytes) => {
            drop(stream.write_all(&bytes).await);
            std::future::pending::<()>().await;
        }
        Answer::Endless(bytes, piece) => {
            drop(stream.write_all(&bytes).await);
            while stream.write_all(&piece).await.is_ok() {}
        }
    }
}

/// Whether a request's head and body are there.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}
