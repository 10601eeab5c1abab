//! A line between two ends that can be held and cut.

use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the line does with what the far end says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// It passes.
    Open,
    /// It is held back; what goes to the far end still passes.
    Deaf,
    /// Both ends find it broken.
    Cut,
}

#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    line: Arc<watch::Sender<Line>>,
}

impl Proxy {
    pub(crate) async fn to(far: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let line = Arc::new(watch::channel(Line::Open).0);
        let lines = line.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let watched = lines.subscribe();
                if *watched.borrow() == Line::Cut {
                    continue;
                }
                let Ok(far) = TcpStream::connect(far).await else {
                    continue;
                };
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                tokio::spawn(pass(near_in, far_out, watched.clone(), false));
                tokio::spawn(pass(far_in, near_out, watched, true));
            }
        });
        Self { address, line }
    }

    pub(crate) fn set(&self, line: Line) {
        self.line.send_replace(line);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut line: watch::Receiver<Line>, from_far: bool) {
    let mut bytes = vec![0; 65_536];
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read,
            _ = line.wait_for(|line| *line == Line::Cut) => return,
        };
        let Ok(count @ 1..) = read else { return };
        if from_far {
            let held = line.wait_for(|line| *line != Line::Deaf).await.map(|line| *line);
            if !matches!(held, Ok(Line::Open)) {
                return;
            }
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
