//! Servers on this machine: a page that never ends, and what goes over the wire to a model's service.

use incar_core::{FinishReason, ManualClock, Outcome};
use incar_openai::{Config, Provider, Transport};
use incar_research::{ModelProfile, Researcher, Resources};
use incar_testkit::{ScriptedModel, ScriptedReply};
use incar_web::{Corpus, FetchConfig, Ports, WebTools};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// Reads a request: its head and body.
async fn request(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    loop {
        let mut more = [0; 4096];
        let read = stream.read(&mut more).await.unwrap();
        bytes.extend_from_slice(&more[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
        if read == 0 || bytes.len() >= end + 4 + length {
            return (head, bytes[end + 4..].to_vec());
        }
    }
}

#[tokio::test]
async fn a_page_that_never_ends_is_a_failed_call_and_the_run_goes_on() {
    let (listener, port) = listen().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        request(&mut stream).await;
        let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<p>";
        stream.write_all(head).await.unwrap();
        // Until nobody reads any more.
        while stream.write_all("no end of it. ".repeat(1000).as_bytes()).await.is_ok() {}
    });
    let reader = FetchConfig::default()
        .with_allowed("127.0.0.1".parse().unwrap())
        .with_ports(Ports::Any)
        .with_timeout(Duration::from_secs(5));
    let reader = Arc::new(reader.build().unwrap());
    let web = WebTools::new(Arc::new(Corpus::embedded()), reader);
    let model = Arc::new(ScriptedModel::default());
    let url = format!("http://127.0.0.1:{port}/endless");
    model.push(ScriptedReply::call("read_page", json!({ "url": &url })));
    model.push(ScriptedReply::Text("The page cannot be read.".into()));
    let resources = Resources::new(model.clone(), Arc::new(ManualClock::default()));
    let researcher = Researcher::new(resources.with_tools(web.tools()).unwrap());
    let record = researcher.research(&format!("what does {url} say?")).await.unwrap();
    server.await.unwrap();
    let [used] = record.tools.as_slice() else {
        panic!("{:?}", record.tools)
    };
    // It is left at the bound on bytes.
    assert_eq!(used.outcome, Outcome::Error);
    assert_eq!(record.finish, FinishReason::Done);
    let seen = serde_json::to_string(&model.take_asked().last().unwrap().messages).unwrap();
    assert!(seen.len() < 200_000, "{} bytes came to the model", seen.len());
}

#[tokio::test]
async fn a_service_is_asked_as_the_profile_says() {
    let (listener, port) = listen().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (_, body) = request(&mut stream).await;
        let reply = json!({"choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Because."}}], "usage": {"prompt_tokens": 5, "completion_tokens": 2}});
        let reply = reply.to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        stream.write_all((head + &reply).as_bytes()).await.unwrap();
        serde_json::from_slice::<Value>(&body).unwrap()
    });
    let config = Config::new(Provider::DashScope)
        .with_base_url(format!("http://127.0.0.1:{port}/v1"))
        .with_key("sk-test")
        .with_transport(Transport::Plain);
    let model = ModelProfile::default().configure(config).build().unwrap();
    let resources = Resources::new(Arc::new(model), Arc::new(ManualClock::default()));
    let record = Researcher::new(resources).research("why?").await.unwrap();
    assert_eq!(record.answer, "Because.");
    assert_eq!(
        (record.spent.usage.input_tokens, record.spent.usage.output_tokens),
        (5, 2)
    );
    let body = server.await.unwrap();
    for (parameter, value) in [
        ("model", json!("qwen-max")),
        ("temperature", json!(0.1)),
        ("top_p", json!(0.8)),
        ("max_tokens", json!(2000)),
    ] {
        assert_eq!(body[parameter], value, "{body}");
    }
    let said = body["messages"].to_string();
    assert!(
        said.contains("why?") && said.contains("You are the researcher of a car's assistant"),
        "{said}"
    );
}
