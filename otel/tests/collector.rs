//! A turn on the simulated car, as a collector on this machine receives it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar_agents::Utterance;
use incar_core::Seat;
use incar_otel::{ExportError, Exporter};
use incar_testkit::Simulator;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::{Span, status::StatusCode};
use prost::Message;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use tracing_subscriber::layer::SubscriberExt;

/// What a collector was sent.
struct Sent {
    path: String,
    content_type: String,
    request: ExportTraceServiceRequest,
}

/// A collector that answers every request with `status`.
fn collector(status: &'static str) -> (String, mpsc::Receiver<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, sent) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            std::thread::spawn(move || while take(stream.as_ref().unwrap(), status, &sender).is_some() {});
        }
    });
    (address, sent)
}

fn take(stream: &TcpStream, status: &str, sender: &mpsc::Sender<Sent>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let header = |name: &str| {
        let headers = lines.iter().filter_map(|line| line.split_once(": "));
        let mut found = headers.filter(|(header, _)| header.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.to_owned())
    };
    let mut body = vec![0; header("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let sent = Sent {
        path: lines[0].clone(),
        content_type: header("content-type")?,
        request: ExportTraceServiceRequest::decode(body.as_slice()).unwrap(),
    };
    sender.send(sent).ok()?;
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").ok()
}

fn attribute<'a>(span: &'a Span, name: &str) -> Option<&'a Value> {
    let found = span.attributes.iter().find(|attribute| attribute.key == name)?;
    found.value.as_ref()?.value.as_ref()
}

fn text(text: &str) -> Option<Value> {
    Some(Value::StringValue(text.into()))
}

/// Turns of a simulated car, traced to `exporter`.
fn drive(exporter: &Exporter, said: &[&str]) {
    let subscriber = tracing_subscriber::registry().with(exporter.layer());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    tracing::subscriber::with_default(subscriber, || {
        runtime.block_on(async {
            let simulator = Simulator::new().unwrap();
            for said in said {
                let speaker = simulator.speaker(Seat::Driver);
                simulator.assistant().handle(Utterance::new(*said).by(speaker)).await;
            }
        });
    });
}

#[test]
fn a_collector_gets_a_turn_with_its_rounds_and_calls_below_it() {
    let (address, sent) = collector("200 OK");
    let exporter = Exporter::to_collector(&address, "test-car").unwrap();
    drive(&exporter, &["打开主驾车窗"]);
    exporter.flush().unwrap();

    let Sent {
        path,
        content_type,
        request,
    } = sent.recv().unwrap();
    assert_eq!(
        (path.as_str(), content_type.as_str()),
        ("POST /v1/traces HTTP/1.1", "application/x-protobuf")
    );
    let resource = request.resource_spans[0].resource.as_ref().unwrap();
    assert_eq!(resource.attributes[0].key, "service.name");
    assert_eq!(resource.attributes[0].value.as_ref().unwrap().value, text("test-car"));

    let spans: Vec<&Span> = request
        .resource_spans
        .iter()
        .flat_map(|resource| &resource.scope_spans)
        .flat_map(|scope| &scope.spans)
        .collect();
    let named = |name: &str| -> Vec<&Span> { spans.iter().copied().filter(|span| span.name == name).collect() };
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    let [turn] = named("invoke_agent")[..] else {
        panic!("{names:?}")
    };
    let chats = named("chat embedded");
    let calls = named("execute_tool control_window");
    assert_eq!((chats.len(), calls.len(), spans.len()), (2, 1, 4), "{names:?}");
    assert!(turn.parent_span_id.is_empty());
    for span in chats.iter().chain(&calls) {
        assert_eq!(
            (&span.parent_span_id, &span.trace_id),
            (&turn.span_id, &turn.trace_id),
            "{}",
            span.name
        );
        assert!(turn.start_time_unix_nano <= span.start_time_unix_nano, "{}", span.name);
        assert!(span.end_time_unix_nano <= turn.end_time_unix_nano, "{}", span.name);
    }
    for (span, kind) in [
        (turn, SpanKind::Internal),
        (chats[0], SpanKind::Client),
        (calls[0], SpanKind::Internal),
    ] {
        assert_eq!(span.kind(), kind, "{}", span.name);
    }
    for (span, name, value) in [
        (turn, "gen_ai.operation.name", text("invoke_agent")),
        (turn, "gen_ai.agent.name", text("car_control")),
        (chats[0], "gen_ai.operation.name", text("chat")),
        (chats[0], "gen_ai.provider.name", text("incar")),
        (chats[0], "gen_ai.request.model", text("embedded")),
        (chats[0], "gen_ai.request.stream", Some(Value::BoolValue(true))),
        (calls[0], "gen_ai.operation.name", text("execute_tool")),
        (calls[0], "gen_ai.tool.name", text("control_window")),
        (calls[0], "gen_ai.tool.call.arguments", None),
    ] {
        assert_eq!(attribute(span, name), value.as_ref(), "{}: {name}", span.name);
    }
    assert!(matches!(
        attribute(chats[0], "gen_ai.response.time_to_first_chunk"),
        Some(Value::DoubleValue(_))
    ));
}

#[test]
fn a_turn_that_fails_is_an_error_of_its_kind() {
    let (address, sent) = collector("200 OK");
    let exporter = Exporter::to_collector(&address, "test-car").unwrap();
    // Longer than an utterance may be: an error, whoever thinks.
    drive(&exporter, &["开窗".repeat(3_000).as_str()]);
    drop(exporter);
    let request = sent.recv().unwrap().request;
    let turn = &request.resource_spans[0].scope_spans[0].spans[0];
    assert_eq!(turn.status.as_ref().unwrap().code(), StatusCode::Error);
    assert_eq!(attribute(turn, "error.type"), text("invalid_input").as_ref());
}

#[test]
fn a_collector_that_is_gone_or_refuses_harms_no_turn_and_is_told_at_the_flush() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (refusing, _sent) = collector("403 Forbidden");
    for address in [format!("http://{free}"), refusing] {
        let exporter = Exporter::to_collector(&address, "test-car").unwrap();
        drive(&exporter, &["打开主驾车窗"]);
        assert!(matches!(exporter.flush(), Err(ExportError::Unsent(_))), "{address}");
    }
}
