//! The Redis store against a real server, which the tests start themselves:
//! `cargo test -p incar-sessions --features redis,testkit --test redis_server -- --ignored`
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use incar_core::{
    Conclusion, Effect, Intent, Journal, Outcome, Owner, Seat, SessionRecord, SessionStore, Speaker, StoreError,
    Timestamp,
};
use incar_sessions::{RedisSettings, RedisStore, new_session_id, testkit};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const START: Timestamp = Timestamp::from_millis(1_700_000_000_000);
const WAIT: Duration = Duration::from_secs(300);

/// A server of one test; it ends with it.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start() -> Self {
        // Another process may take the port that was free.
        for _ in 0..10 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if let Some(server) = Self::start_at(port) {
                return server;
            }
        }
        panic!("redis-server did not start on any of ten ports");
    }

    /// `None`: the port is taken.
    fn start_at(port: u16) -> Option<Self> {
        let mut process = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--daemonize", "no"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("these tests need redis-server (package redis-server): {error}"));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.unwrap().contains("Ready to accept connections"));
        if !ready {
            process.wait().unwrap();
            return None;
        }
        // The server goes on writing; nobody must stop it by not reading.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { process, port })
    }

    fn store(&self, settings: RedisSettings) -> RedisStore {
        RedisStore::new(&format!("redis://127.0.0.1:{}/", self.port), settings).unwrap()
    }

    /// A command as the server's own client would send it, and its answer up to the end of the first line.
    fn command(&self, words: &[&str]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut sent = format!("*{}\r\n", words.len());
        words
            .iter()
            .for_each(|word| sent += &format!("${}\r\n{word}\r\n", word.len()));
        stream.write_all(sent.as_bytes()).unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).unwrap();
        answer.trim().to_owned()
    }

    fn keys(&self) -> usize {
        self.command(&["DBSIZE"]).trim_start_matches(':').parse().unwrap()
    }

    fn stop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn owner() -> Owner {
    Speaker::new("京A·12345", Seat::Driver).owner()
}

fn session(state: &str) -> SessionRecord {
    SessionRecord::new(new_session_id(), owner(), START.plus(WAIT), state)
}

fn is_backend(result: &Result<impl Sized, StoreError>) -> bool {
    matches!(result, Err(StoreError::Backend(_)))
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn it_conforms() {
    let server = Server::start();
    let settings = RedisSettings::default().with_deadline(Duration::from_secs(30));
    let store = server.store(settings.clone());
    testkit::conforms(async || store.clone(), settings.claim_age).await;
    testkit::checkpoints(async || store.clone(), settings.claim_age).await;
    testkit::journals(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn workers_with_connections_of_their_own_exclude_each_other() {
    let server = Server::start();
    let settings = RedisSettings::default().with_deadline(Duration::from_secs(30));
    let (one, other) = (server.store(settings.clone()), server.store(settings));
    let record = session("0");
    one.insert(record.clone()).await.unwrap();
    let count = async |store: RedisStore, id: incar_core::SessionId| {
        for _ in 0..100 {
            let lease = loop {
                match store.claim(&id, &owner(), START).await {
                    Ok(lease) => break lease,
                    Err(StoreError::Busy) => tokio::task::yield_now().await,
                    Err(error) => panic!("{error}"),
                }
            };
            let next = lease.record.state.parse::<u32>().unwrap() + 1;
            store
                .put_back(lease, START.plus(WAIT), next.to_string().into())
                .await
                .unwrap();
        }
    };
    tokio::join!(count(one.clone(), record.id.clone()), count(other, record.id.clone()));
    let lease = one.claim(&record.id, &owner(), START).await.unwrap();
    assert_eq!(&*lease.record.state, "200", "no write may be lost");
}

#[tokio::test]
#[ignore = "needs redis-server"]
async fn prefixes_keep_stores_apart() {
    let server = Server::start();
    let a = server.store(RedisSettings::default().with_prefix("a"));
    let b = server.store(RedisSettings::default().with_prefix("b"));
    let record = session("state");
    a.insert(record.clone()).await.unwrap();
    assert_eq!(b.waiting(&owner()).await, Ok(None));
    assert_eq!(
        b.claim(&record.id, &owner(), START).await.unwrap_err(),
        StoreError::Unknown
    );
    b.insert(record).await.unwrap();
}

/// Every key but the counter has an end, and what is left after it is only the counter.
#[tokio::test]
#[ignore = "needs redis-server"]
async fn the_server_clears_away_what_nobody_came_for() {
    let server = Server::start();
    let moment = Duration::from_millis(1);
    let settings = RedisSettings::default()
        .with_expired_age(moment)
        .with_journal_age(moment);
    let store = server.store(settings);
    // By the server's time these waits ended years ago.
    store.insert(session("one")).await.unwrap();
    let checkpoints = store.checkpoints().unwrap();
    checkpoints.begin(session("two"), START).await.unwrap();
    let arguments = serde_json::json!({});
    let intent = Intent::new(
        "key".into(),
        owner(),
        "turn".into(),
        "tool".into(),
        arguments,
        Effect::Act,
        START,
    );
    store.intend(intent).await.unwrap();
    let patience = Instant::now();
    // The counter, and the set of turns under way until someone looks at it.
    while server.keys() > 2 && patience.elapsed() < Duration::from_secs(20) {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.keys(), 2);
    assert!(checkpoints.interrupted(START).await.unwrap().is_empty());
    assert_eq!(server.keys(), 1);
    assert_eq!(store.waiting(&owner()).await, Ok(None));
    assert_eq!(store.find(&owner(), "key").await, Ok(None));
}

#[tokio::test]
#[ignore = "needs redis-server"]
async fn a_wait_that_is_not_over_outlives_the_slack() {
    let server = Server::start();
    let store = server.store(RedisSettings::default().with_expired_age(Duration::ZERO));
    let clock = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let now = Timestamp::from_millis(u64::try_from(clock.as_millis()).unwrap());
    for end in [now.plus(WAIT), Timestamp::from_millis(u64::MAX)] {
        let record = SessionRecord::new(new_session_id(), owner(), end, "state");
        store.insert(record.clone()).await.unwrap();
        let lease = store.claim(&record.id, &owner(), now).await.unwrap();
        assert_eq!(lease.record, record);
        store.put_back(lease, end, "more".into()).await.unwrap();
        assert_eq!(store.waiting(&owner()).await, Ok(Some(record.id)));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server"]
async fn a_server_that_is_gone_is_an_error_in_time_and_used_again_when_it_is_back() {
    let mut server = Server::start();
    let deadline = Duration::from_millis(500);
    let store = server.store(RedisSettings::default().with_deadline(deadline));
    store.insert(session("state")).await.unwrap();
    server.stop();
    let asked = Instant::now();
    assert!(is_backend(&store.waiting(&owner()).await));
    assert!(is_backend(&store.claim("any", &owner(), START).await));
    assert!(store.find(&owner(), "key").await.is_err());
    assert!(asked.elapsed() < deadline * 4, "{:?}", asked.elapsed());
    let Some(_server) = Server::start_at(server.port) else {
        panic!("the port was taken in between");
    };
    let patience = Instant::now();
    while is_backend(&store.waiting(&owner()).await) && patience.elapsed() < Duration::from_secs(20) {}
    assert_eq!(store.waiting(&owner()).await, Ok(None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers_is_an_error_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // Takes everything and says nothing.
            let mut stream = stream.unwrap();
            std::thread::spawn(move || while stream.read(&mut [0; 1024]).is_ok_and(|count| count > 0) {});
        }
    });
    let deadline = Duration::from_millis(300);
    let settings = RedisSettings::default().with_deadline(deadline);
    let store = RedisStore::new(&format!("redis://127.0.0.1:{port}/"), settings).unwrap();
    let asked = Instant::now();
    assert!(is_backend(&store.waiting(&owner()).await));
    let conclusion = Conclusion::new(Outcome::Ok, "{}");
    assert!(store.conclude(&owner(), "key", conclusion).await.is_err());
    assert!(asked.elapsed() < deadline * 4, "{:?}", asked.elapsed());
}

#[tokio::test]
async fn an_address_that_is_none_is_an_error_and_a_password_is_never_shown() {
    assert!(is_backend(&RedisStore::new("nowhere", RedisSettings::default())));
    let store = RedisStore::new("redis://user:secret@127.0.0.1:1/", RedisSettings::default()).unwrap();
    assert!(!format!("{store:?}").contains("secret"));
    let Err(StoreError::Backend(message)) = store.waiting(&owner()).await else {
        panic!("nobody is there");
    };
    assert!(!message.contains("secret"), "{message}");
}
