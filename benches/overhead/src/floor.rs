//! The floor: the exchanges by hand on reqwest, the client that a host without a framework would take, with JSON put
//! together as text and searched for what matters.

use crate::scripts::{TOOL, TOOL_ABOUT, TOOL_QUERY_ABOUT, Transport, found};
use crate::{Client, Outcome};
use incar_net::Trust;

pub(crate) struct Floor {
    http: reqwest::Client,
    url: String,
    transport: Transport,
    /// What stands behind the messages in every request.
    tail: String,
}

impl Floor {
    pub(crate) fn new(url: &str, transport: Transport) -> Outcome<Self> {
        let stream = match transport {
            Transport::Plain => "",
            Transport::Stream => r#","stream":true,"stream_options":{"include_usage":true}"#,
        };
        Ok(Self {
            http: reqwest::Client::builder()
                .tls_backend_preconfigured(incar_net::tls(Trust::Nobody)?)
                .tcp_nodelay(true)
                .build()?,
            url: format!("{url}/chat/completions"),
            transport,
            tail: format!(
                r#"],"tools":[{{"type":"function","function":{{"name":"{TOOL}","description":"{TOOL_ABOUT}","parameters":{{"type":"object","properties":{{"query":{{"type":"string","description":"{TOOL_QUERY_ABOUT}"}}}},"required":["query"]}}}}}}]{stream}}}"#
            ),
        })
    }
}

/// The text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(between, _)| between)
}

/// What a reply says, or the id and the query of the call that it makes.
enum Reply {
    Text(String),
    Call(String, String),
}

impl Client for Floor {
    /// The messages so far, as they stand in a request.
    type Conversation = String;

    fn begin(&self, _: usize) -> String {
        r#"{"model":"bench","messages":[{"role":"system","content":"You are the voice of a car."}"#.to_owned()
    }

    async fn turn(&self, messages: &mut String, said: &str) -> Outcome<String> {
        messages.push_str(r#",{"role":"user","content":""#);
        messages.push_str(said);
        messages.push_str(r#""}"#);
        loop {
            let mut body = String::with_capacity(messages.len() + self.tail.len());
            body.push_str(messages);
            body.push_str(&self.tail);
            let request = self
                .http
                .post(&self.url)
                .header("content-type", "application/json")
                .header("authorization", "Bearer none")
                .body(body);
            let response = request.send().await?.error_for_status()?;
            let reply = match self.transport {
                Transport::Plain => whole(response).await?,
                Transport::Stream => streamed(response).await?,
            };
            match reply {
                Reply::Call(id, query) => {
                    let result = found(&query).replace('"', "\\\"");
                    messages.push_str(&format!(
                        r#",{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"{TOOL}","arguments":"{{\"query\":\"{query}\"}}"}}}}]}},{{"role":"tool","tool_call_id":"{id}","content":"{result}"}}"#
                    ));
                }
                Reply::Text(text) => {
                    messages.push_str(r#",{"role":"assistant","content":""#);
                    messages.push_str(&text);
                    messages.push_str(r#""}"#);
                    return Ok(text);
                }
            }
        }
    }
}

async fn whole(response: reqwest::Response) -> Outcome<Reply> {
    let body = response.bytes().await?;
    let body = std::str::from_utf8(&body)?;
    if let Some(id) = between(body, r#""tool_calls":[{"id":""#, "\"") {
        let query = between(body, r#"\"query\":\""#, r#"\""#).ok_or("a call without a query")?;
        return Ok(Reply::Call(id.to_owned(), query.to_owned()));
    }
    let text = between(body, r#""content":""#, "\"").ok_or("a reply without a text")?;
    Ok(Reply::Text(text.to_owned()))
}

async fn streamed(mut response: reqwest::Response) -> Outcome<Reply> {
    let mut received: Vec<u8> = Vec::with_capacity(4096);
    let (mut text, mut id, mut arguments, mut read) = (String::new(), None, String::new(), 0);
    while let Some(bytes) = response.chunk().await? {
        received.extend_from_slice(&bytes);
        let rest = std::str::from_utf8(received.get(read..).unwrap_or_default())?;
        for event in rest.split_inclusive("\n\n").filter(|event| event.ends_with("\n\n")) {
            if let Some(more) = between(event, r#""arguments":""#, r#""}"#) {
                id = id.or_else(|| between(event, r#""id":"call"#, "\"").map(|number| format!("call{number}")));
                arguments.push_str(&more.replace("\\\"", "\""));
            } else if let Some(more) = between(event, r#""content":""#, "\"") {
                text.push_str(more);
            }
            read += event.len();
        }
    }
    match id {
        Some(id) => {
            let query = between(&arguments, r#""query":""#, "\"").ok_or("a call without a query")?;
            Ok(Reply::Call(id, query.to_owned()))
        }
        None => Ok(Reply::Text(text)),
    }
}
