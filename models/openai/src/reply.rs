//! Reads a reply from its bytes, cut anywhere: an event stream or one whole JSON object, whichever the
//! service sends. No network here.

use crate::calls::Calls;
use crate::chunk::{Choices, Chunk, Delta};
use crate::config::ReplyLimits;
use crate::error;
use crate::sse::{Event, EventKind, Sse};
use incar_core::{ModelError, ModelEvent, ModelFinish, Reasoning, Usage};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Reads one reply.
#[derive(Debug)]
pub(crate) struct ReplyReader {
    form: Form,
    reply: Reply,
    received: usize,
    limits: ReplyLimits,
}

/// What the bytes are; their first ones tell.
#[derive(Debug)]
enum Form {
    Unknown,
    Events(Sse),
    Whole(Vec<u8>),
}

/// Whether there is more to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There may be.
    More,
    /// The service said that this was all.
    Done,
}

impl ReplyReader {
    /// A reader; `first_call` numbers the ids of calls that come without one.
    pub(crate) fn new(limits: ReplyLimits, first_call: usize) -> Self {
        Self {
            form: Form::Unknown,
            reply: Reply {
                first_call,
                ..Reply::default()
            },
            received: 0,
            limits,
        }
    }

    /// Reads more bytes; what they say is added to `events`.
    pub(crate) fn push(&mut self, bytes: &[u8], events: &mut VecDeque<ModelEvent>) -> Result<Progress, ModelError> {
        self.received = self.received.saturating_add(bytes.len());
        if self.received > self.limits.reply {
            return Err(error::too_large("the whole", self.limits.reply));
        }
        let bytes = match self.form {
            Form::Unknown => self.recognise(bytes)?,
            Form::Events(_) | Form::Whole(_) => bytes,
        };
        match &mut self.form {
            Form::Unknown => Ok(Progress::More),
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(Progress::More)
            }
            Form::Events(sse) => {
                sse.push(bytes);
                self.reply.read(sse, self.limits.line, events)
            }
        }
    }

    /// The end: of the bytes, or because the service said so. The last event is the finish.
    pub(crate) fn finish(&mut self, events: &mut VecDeque<ModelEvent>) -> Result<(), ModelError> {
        match &mut self.form {
            Form::Unknown => return Err(error::cut()),
            Form::Events(sse) => {
                self.reply.ending = true;
                sse.finish();
                self.reply.read(sse, self.limits.line, events)?;
            }
            Form::Whole(body) => {
                self.reply.chunk(&text_of(body), events)?;
                self.reply.done = true;
            }
        }
        self.reply.finish(events)
    }

    /// Whether anything of the reply itself is here.
    pub(crate) fn has_begun(&self) -> bool {
        self.reply.begun || matches!(self.form, Form::Whole(_))
    }

    /// Whether the reply is whole although its end was not seen: a reason to finish came.
    pub(crate) fn may_end_here(&self) -> bool {
        self.reply.finish.is_some()
    }

    /// Finds out what the bytes are; answers with those that matter.
    fn recognise<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], ModelError> {
        // A byte order mark and white space mean nothing to either form.
        let noise = |byte: &u8| matches!(byte, 0xef | 0xbb | 0xbf) || byte.is_ascii_whitespace();
        let Some(start) = bytes.iter().position(|byte| !noise(byte)) else {
            return Ok(&[]);
        };
        let rest = bytes.get(start..).unwrap_or_default();
        self.form = match rest.first() {
            Some(b'{' | b'[') => Form::Whole(Vec::new()),
            Some(b'<') => return Err(error::unreadable("an HTML page")),
            _ => Form::Events(Sse::new(self.limits.line)),
        };
        Ok(rest)
    }
}

/// What is known of the reply.
#[derive(Debug, Default)]
struct Reply {
    calls: Calls,
    first_call: usize,
    usage: Option<Usage>,
    finish: Option<ModelFinish>,
    reasoning: Option<ReasoningField>,
    /// Whether any choice came.
    begun: bool,
    /// Whether the service said that this was all.
    done: bool,
    /// Whether the bytes have ended, so that what is being read may be the half of something.
    ending: bool,
}

/// The field reasoning comes in. Some services send both with the same text: the first one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReasoningField {
    ReasoningContent,
    Reasoning,
}

impl ReasoningField {
    fn name(self) -> &'static str {
        match self {
            Self::ReasoningContent => "reasoning_content",
            Self::Reasoning => "reasoning",
        }
    }
}

impl Reply {
    fn read(&mut self, sse: &mut Sse, limit: usize, events: &mut VecDeque<ModelEvent>) -> Result<Progress, ModelError> {
        while !self.done {
            match sse.next_event() {
                Ok(Some(event)) => self.event(event, events)?,
                Ok(None) => return Ok(Progress::More),
                Err(_) => return Err(error::too_large("a line", limit)),
            }
        }
        Ok(Progress::Done)
    }

    fn event(&mut self, event: Event<'_>, events: &mut VecDeque<ModelEvent>) -> Result<(), ModelError> {
        let data = text_of(event.data.trim_ascii());
        match event.kind {
            EventKind::Message if data.is_empty() => Ok(()),
            EventKind::Message if data == "[DONE]" => {
                self.done = true;
                Ok(())
            }
            EventKind::Message => self.chunk(&data, events),
            EventKind::Error => Err(error::in_band(
                &serde_json::from_str(&data).unwrap_or_else(|_| Value::from(data)),
            )),
        }
    }

    fn chunk(&mut self, data: &str, events: &mut VecDeque<ModelEvent>) -> Result<(), ModelError> {
        let chunk: Chunk<'_> = match serde_json::from_str(data) {
            Ok(chunk) => chunk,
            Err(_) if self.ending && self.finish.is_some() => return Ok(()),
            Err(_) if self.ending => return Err(error::cut()),
            Err(_) => return Err(error::unreadable("something unreadable")),
        };
        if let Some(fault) = chunk.error {
            return Err(error::in_band(&fault));
        }
        let choice = match chunk.choices {
            Choices::First(choice) => Some(choice),
            Choices::Empty => None,
            // DashScope's own way to say that something is wrong.
            Choices::Absent => match serde_json::from_str::<Value>(data) {
                Ok(fault) if fault.get("message").is_some() && fault.get("code").is_some() => {
                    return Err(error::in_band(&fault));
                }
                _ => None,
            },
        };
        if let Some(usage) = chunk.usage.and_then(|usage| usage.counted()) {
            self.usage = Some(usage);
        }
        if let Some(choice) = choice {
            self.begun = true;
            if let Some(delta) = choice.delta {
                self.delta(delta, events);
            }
            self.finish = finish_of(&choice.finish_reason.0)?.or(self.finish);
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta<'_>, events: &mut VecDeque<ModelEvent>) {
        let reasoning = match self.reasoning {
            Some(ReasoningField::ReasoningContent) => Some((ReasoningField::ReasoningContent, delta.reasoning_content)),
            Some(ReasoningField::Reasoning) => Some((ReasoningField::Reasoning, delta.reasoning)),
            None if !delta.reasoning_content.0.is_empty() => {
                Some((ReasoningField::ReasoningContent, delta.reasoning_content))
            }
            None if !delta.reasoning.0.is_empty() => Some((ReasoningField::Reasoning, delta.reasoning)),
            None => None,
        };
        if let Some((field, text)) = reasoning {
            self.reasoning = Some(field);
            if !text.0.is_empty() {
                events.push_back(ModelEvent::Reasoning(Reasoning {
                    field: field.name().to_owned(),
                    text: text.0.into_owned(),
                }));
            }
        }
        for text in [delta.content, delta.refusal] {
            if !text.0.is_empty() {
                events.push_back(ModelEvent::Text(text.0.into_owned()));
            }
        }
        for piece in delta.tool_calls.into_iter().flatten() {
            self.calls.push(piece);
        }
    }

    fn finish(&mut self, events: &mut VecDeque<ModelEvent>) -> Result<(), ModelError> {
        if !self.begun || (!self.done && self.finish.is_none()) {
            return Err(error::cut());
        }
        let finish = match self.finish {
            // Services say "stop" beside calls, or call and say nothing.
            None | Some(ModelFinish::Stop) if !self.calls.is_empty() => ModelFinish::ToolCalls,
            Some(ModelFinish::ToolCalls) if self.calls.is_empty() => ModelFinish::Stop,
            Some(finish) => finish,
            None => ModelFinish::Stop,
        };
        let calls = self.calls.finish(self.first_call)?;
        events.extend(calls.into_iter().map(ModelEvent::ToolCall));
        events.extend(self.usage.map(ModelEvent::Usage));
        events.push_back(ModelEvent::Finish(finish));
        Ok(())
    }
}

/// The text of `bytes`. Services that cut their tokens inside a character send halves of it: better a
/// replacement character than no reply.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    // The lossy conversion alone would look at each byte, in text that is nearly always whole.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn finish_of(reason: &str) -> Result<Option<ModelFinish>, ModelError> {
    Ok(Some(match reason {
        "" => return Ok(None),
        "tool_calls" | "function_call" => ModelFinish::ToolCalls,
        "length" | "max_tokens" => ModelFinish::Length,
        "content_filter" => ModelFinish::ContentFilter,
        "error" | "insufficient_system_resource" => {
            return Err(ModelError::unavailable(format!("the service gave up: {reason}")));
        }
        _ => ModelFinish::Stop,
    }))
}

#[cfg(test)]
mod tests;
