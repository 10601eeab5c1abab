//! Server-sent events, from bytes that were cut anywhere.
//!
//! A pull parser: bytes go in with [`Sse::push`], events come out of [`Sse::next_event`]. Lines end in
//! `\n`, `\r\n` or `\r`; nothing is decoded here, so a cut inside a character does not matter.

/// The parser.
#[derive(Debug)]
pub(crate) struct Sse {
    /// Bytes not yet read as lines.
    buffer: Vec<u8>,
    /// Where the unread part of `buffer` begins.
    start: usize,
    /// How far `buffer` is known to hold no line end.
    scanned: usize,
    /// Whether the last line ended in `\r`, so that a `\n` right after it belongs to that end.
    after_return: bool,
    /// The lines of data of the event being read.
    data: Vec<u8>,
    /// What is known of the event being read.
    state: State,
    max_line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No line of it yet.
    Empty,
    /// An `event: error` line, and no data yet.
    Named,
    /// Data.
    Data(EventKind),
}

/// What an event says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// Nothing special.
    Message,
    /// An error, by its name.
    Error,
}

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// What it says it is.
    pub(crate) kind: EventKind,
    /// Its data, the lines joined with `\n`.
    pub(crate) data: &'a [u8],
}

/// A line or an event grew beyond the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

impl Sse {
    /// A parser of lines and events of at most `max_line` bytes.
    pub(crate) fn new(max_line: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            after_return: false,
            data: Vec::new(),
            state: State::Empty,
            max_line,
        }
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The end of the stream: a last event may lack its empty line, and its last line the line end.
    pub(crate) fn finish(&mut self) {
        self.push(b"\n\n");
    }

    /// The next whole event.
    pub(crate) fn next_event(&mut self) -> Result<Option<Event<'_>>, TooLong> {
        // What was handed out last is let go only now.
        if self.state == State::Empty {
            self.data.clear();
        }
        loop {
            let Some(length) = self.line_length()? else {
                return Ok(None);
            };
            let end = self.start + length;
            let line = self.buffer.get(self.start..end).unwrap_or_default();
            if line.is_empty() {
                self.start = end + 1;
                self.scanned = self.start;
                if let State::Data(kind) = std::mem::replace(&mut self.state, State::Empty) {
                    return Ok(Some(Event { kind, data: &self.data }));
                }
                continue;
            }
            let state = read_line(line, self.state, &mut self.data);
            self.state = state;
            self.start = end + 1;
            self.scanned = self.start;
            if self.data.len() > self.max_line {
                return Err(TooLong);
            }
        }
    }

    /// The length of the next line without its end, or `None` while it is not whole.
    fn line_length(&mut self) -> Result<Option<usize>, TooLong> {
        if self.after_return && self.start < self.buffer.len() {
            self.after_return = false;
            if self.buffer.get(self.start) == Some(&b'\n') {
                self.start += 1;
                self.scanned = self.scanned.max(self.start);
            }
        }
        let unread = self.buffer.get(self.scanned..).unwrap_or_default();
        let found = memchr::memchr2(b'\n', b'\r', unread);
        let end = self.scanned + found.unwrap_or(unread.len());
        self.scanned = end;
        if end - self.start > self.max_line {
            return Err(TooLong);
        }
        if found.is_none() {
            return Ok(None);
        }
        self.after_return = self.buffer.get(end) == Some(&b'\r');
        Ok(Some(end - self.start))
    }
}

/// Reads one line that is not empty into the event.
fn read_line(line: &[u8], state: State, data: &mut Vec<u8>) -> State {
    let (field, value) = match memchr::memchr(b':', line) {
        Some(colon) => line.split_at(colon),
        None => (line, &[][..]),
    };
    let value = value.strip_prefix(b":").unwrap_or(value);
    let value = value.strip_prefix(b" ").unwrap_or(value);
    // Older servers of llama.cpp send `error: {…}` instead of an event of that name.
    let kind = match (field, state) {
        (b"error", _) | (b"data", State::Named | State::Data(EventKind::Error)) => EventKind::Error,
        (b"data", State::Empty | State::Data(EventKind::Message)) => EventKind::Message,
        (b"event", _) if value == b"error" => {
            return match state {
                State::Empty | State::Named => State::Named,
                State::Data(_) => State::Data(EventKind::Error),
            };
        }
        // A comment, an id, a retry time, another event's name.
        _ => return state,
    };
    if matches!(state, State::Data(_)) {
        data.push(b'\n');
    }
    data.extend_from_slice(value);
    State::Data(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&[u8]]) -> Vec<(EventKind, String)> {
        let mut sse = Sse::new(64);
        let mut events = Vec::new();
        let mut read = |sse: &mut Sse| {
            while let Some(event) = sse.next_event().unwrap() {
                events.push((event.kind, String::from_utf8(event.data.to_vec()).unwrap()));
            }
        };
        for piece in pieces {
            sse.push(piece);
            read(&mut sse);
        }
        sse.finish();
        read(&mut sse);
        events
    }

    fn check(stream: &str, expected: &[(EventKind, &str)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(kind, data)| (*kind, (*data).to_owned()))
            .collect();
        assert_eq!(events(&[stream.as_bytes()]), expected, "{stream:?} whole");
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(events(&bytes), expected, "{stream:?} byte by byte");
        for cut in 0..stream.len() {
            let (left, right) = stream.as_bytes().split_at(cut);
            assert_eq!(events(&[left, right]), expected, "{stream:?} cut at {cut}");
        }
    }

    #[test]
    fn events_come_whole_however_the_bytes_are_cut() {
        use EventKind::{Error, Message};
        check("data: a\n\ndata: b\n\n", &[(Message, "a"), (Message, "b")]);
        check("data: 北京\r\n\r\ndata:b\r\n\r\n", &[(Message, "北京"), (Message, "b")]);
        check("data: a\r\rdata: b\r\r", &[(Message, "a"), (Message, "b")]);
        check("data: a\r\n\ndata: b\n\r\n", &[(Message, "a"), (Message, "b")]);
        check("data:  two\ndata:lines\n\n", &[(Message, " two\nlines")]);
        check("data:\ndata: x\n\n", &[(Message, "\nx")]);
        check(": keep-alive\n\n:\n\ndata: a\n: inside\n\n", &[(Message, "a")]);
        check("id: 7\nretry: 10\nevent: message\ndata: a\n\n", &[(Message, "a")]);
        check("event: error\ndata: a\n\ndata: b\n\n", &[(Error, "a"), (Message, "b")]);
        check("data: a\nevent: error\n\n", &[(Error, "a")]);
        check("error: {\"code\":500}\n\n", &[(Error, "{\"code\":500}")]);
        check("event: error\n\ndata: a\n\n", &[(Message, "a")]);
        check("data\n\n", &[(Message, "")]);
        check("data: no empty line", &[(Message, "no empty line")]);
        check("\n\n\n", &[]);
        check("", &[]);
    }

    #[test]
    fn an_endless_line_or_event_is_an_error() {
        let mut sse = Sse::new(16);
        sse.push(&[b'x'; 17]);
        assert_eq!(sse.next_event(), Err(TooLong));
        let mut sse = Sse::new(16);
        sse.push(&b"data: 12345\n".repeat(4));
        assert_eq!(sse.next_event(), Err(TooLong));
        let mut sse = Sse::new(16);
        sse.push(&b": fine\n\ndata: 1\n\n".repeat(100));
        let mut count = 0;
        while sse.next_event().unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 100);
    }
}
