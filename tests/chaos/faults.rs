//! A service that fails when it is asked first: the brain does what was said, once.

use crate::server::{End, Reply, Service};
use crate::support::{Car, answered, calls, client};
use futures_util::future::{BoxFuture, FutureExt};
use incar::openai::HostResolver;
use incar::{AgentStatus, PassedReason};
use serde_json::json;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

const SAID: &str = "打开主驾车窗";
const TEXT: &str = r#"{"choices":[{"index":0,"delta":{"content":"好的，马上"}}]}"#;
const HALF_A_CALL: &str = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"control_window","arguments":"{\"action\":\"op"}}]}}]}"#;

/// The driver's window opens once, and the brain says so.
async fn check(what: &str, car: &Car, why: &[PassedReason]) {
    let response = car.say(SAID).await;
    assert_eq!(response.status, AgentStatus::Success, "{what}: {}", response.message);
    assert_eq!(calls(&response), ["control_window:ok"], "{what}");
    let (name, passed) = answered(&response);
    assert_eq!((name, passed.len()), ("embedded", 1), "{what}");
    assert!(why.contains(&passed[0]), "{what}: {passed:?}");
    assert!(response.message.contains("主驾车窗"), "{what}: {}", response.message);
    let says_half = response.message.contains("马上");
    assert!(!says_half, "{what}: nothing half-said is kept: {}", response.message);
}

fn stream(data: &[&str]) -> Reply {
    let events: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    Reply::sse(&events)
}

#[tokio::test]
async fn whatever_a_service_does_the_driver_is_served() {
    use PassedReason::{Late, Refused, Unavailable};
    let status = |status| vec![Reply::new(status, r#"{"error":{"message":"no"}}"#); 2];
    let garbage: Vec<u8> = (0..4096u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[1])
        .collect();
    let fifty_megabytes = format!("data: {TEXT}\n\n").repeat((50 << 20) / (TEXT.len() + 8));
    for (what, replies, why) in [
        (
            "401",
            vec![Reply::new(401, r#"{"error":{"message":"wrong key"}}"#)],
            &[Refused][..],
        ),
        ("429", status(429), &[Unavailable][..]),
        (
            "429 that wants a pause",
            vec![Reply::new(429, "{}").with_header("retry-after", "20")],
            &[Unavailable][..],
        ),
        ("500", status(500), &[Unavailable][..]),
        ("529", status(529), &[Unavailable][..]),
        ("a hang before the headers", vec![Reply::hang()], &[Late][..]),
        (
            "a hang in the middle",
            vec![stream(&[TEXT]).with_end(End::Hang)],
            &[Late][..],
        ),
        (
            "cut in the middle of a token",
            vec![Reply::new(200, [b"data: ", &TEXT.as_bytes()[..50]].concat()).with_end(End::Cut); 2],
            &[Unavailable][..],
        ),
        (
            "cut after a token",
            vec![stream(&[TEXT]).with_end(End::Cut)],
            &[Unavailable][..],
        ),
        ("garbage", vec![Reply::new(200, garbage); 2], &[Unavailable][..]),
        (
            "half a call",
            vec![stream(&[HALF_A_CALL]).with_end(End::Cut); 2],
            &[Unavailable][..],
        ),
        (
            "a hotspot's page",
            vec![Reply::new(200, "<!DOCTYPE html><html>Sign in to this network</html>"); 2],
            &[Unavailable][..],
        ),
        (
            "a hotspot's redirect",
            vec![Reply::new(302, "").with_header("location", "http://portal.example/login")],
            &[Refused][..],
        ),
        ("nothing said", vec![Reply::saying(""); 2], &[Unavailable][..]),
        (
            "an endless stream",
            vec![stream(&[TEXT]).with_end(End::Endless)],
            &[Unavailable, Late][..],
        ),
        ("50 MB", vec![Reply::sse(&fifty_megabytes)], &[Unavailable, Late][..]),
        (
            "a slow loris",
            vec![stream(&[TEXT; 9]).in_pieces(1).paced(Duration::from_millis(40))],
            &[Late][..],
        ),
    ] {
        let service = Service::start(replies).await;
        check(what, &Car::on(&service), why).await;
        assert!(service.count() <= 2, "{what}: one retry at most");
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_is_no_reason_not_to_serve() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", nobody.local_addr().unwrap());
    drop(nobody);
    check("refused", &Car::with(client(&url)), &[PassedReason::Unavailable]).await;
}

/// A resolver that knows no name.
#[derive(Debug)]
struct NoNames;

impl HostResolver for NoNames {
    fn resolve(&self, host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let host = host.to_owned();
        async move {
            Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("no address for {host}"),
            ))
        }
        .boxed()
    }
}

/// A resolver that never answers.
#[derive(Debug)]
struct SilentNames;

impl HostResolver for SilentNames {
    fn resolve(&self, _: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        std::future::pending().boxed()
    }
}

#[tokio::test]
async fn a_name_that_cannot_be_looked_up_is_no_reason_not_to_serve() {
    let config = || client("https://models.example/v1");
    let unknown = Car::with(config().with_resolver(Arc::new(NoNames)));
    check("no such name", &unknown, &[PassedReason::Unavailable]).await;
    let silent = Car::with(config().with_resolver(Arc::new(SilentNames)));
    check("no answer of the name service", &silent, &[PassedReason::Late]).await;
}

#[tokio::test]
async fn a_service_that_nobody_vouches_for_is_not_talked_to() {
    let certificate = CertificateDer::from(include_bytes!("self_signed.cert.der").to_vec());
    let key = PrivateKeyDer::try_from(include_bytes!("self_signed.key.der").to_vec()).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let greeted = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = greeted.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            let seen = seen.clone();
            tokio::spawn(async move {
                let trusted = acceptor.accept(stream).await.is_ok();
                seen.fetch_or(trusted, std::sync::atomic::Ordering::SeqCst);
            });
        }
    });
    check("self-signed", &Car::with(client(&url)), &[PassedReason::Unavailable]).await;
    assert!(
        !greeted.load(std::sync::atomic::Ordering::SeqCst),
        "the key was not sent"
    );
}

#[tokio::test]
async fn what_the_service_refuses_is_an_error_and_nothing_is_done() {
    let service = Service::start([Reply::new(400, r#"{"error":{"message":"bad request"}}"#)]).await;
    let car = Car::on(&service);
    let before = car.simulator.state();
    let response = car.say(SAID).await;
    assert_eq!(response.status, AgentStatus::Error);
    assert_eq!(response.error.unwrap().kind, incar::ErrorKind::ModelRejected);
    assert_eq!((service.count(), car.simulator.state()), (1, before));
}

#[tokio::test]
async fn a_service_that_is_well_again_is_asked_again() {
    let down = || Reply::new(503, "{}");
    let say = json!({"choices": [{"index": 0, "delta": {"content": "我在。"}, "finish_reason": "stop"}]}).to_string();
    let replies = (0..6).map(|_| down()).chain([Reply::events(&[&say])]);
    let service = Service::start(replies).await;
    let car = Car::on(&service);
    for _ in 0..5 {
        assert_eq!(answered(&car.say("你好").await).0, "embedded");
    }
    assert_eq!(
        service.count(),
        6,
        "three turns with a retry each; then it is left alone"
    );
    car.clock.advance(Duration::from_secs(30));
    let response = car.say("你好").await;
    assert_eq!(
        (answered(&response), response.message.as_str()),
        (("cloud", vec![]), "我在。")
    );
}
