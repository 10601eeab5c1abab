//! Puts tool calls together from their pieces, in every dialect that services speak.
//!
//! The standard: the first piece of a call has its `index`, `id` and name, the others its index and
//! more arguments. What is seen besides: no index, the same index for all, no id, an id that comes
//! late, another id in each piece, one id for two calls, the name again in each piece or in parts.
//! A piece belongs to the call that its index, else its id, else its place after the last piece names;
//! it begins a new one where it names a function and the call it would belong to is another's or done.

use crate::chunk::CallDelta;
use incar_core::{ModelError, ToolCall};
use serde::de::IgnoredAny;

/// The calls so far.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    calls: Vec<Partial>,
}

#[derive(Debug)]
struct Partial {
    index: Option<u64>,
    call: ToolCall,
}

impl Calls {
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: CallDelta<'_>) {
        let (index, id) = (piece.index.0, piece.id.0);
        let (name, arguments) = piece
            .function
            .map(|function| (function.name.0, function.arguments.0))
            .unwrap_or_default();
        if self.is_repeated(&id, &name, &arguments) {
            return;
        }
        match self.owner(index, &id, &name, &arguments) {
            Some(owner) => owner.extend(index, &id, &name, &arguments),
            None => self.calls.push(Partial {
                index,
                call: ToolCall::new(id, name, arguments),
            }),
        }
    }

    /// A proxy sent a whole call twice: same id, same function, same arguments.
    fn is_repeated(&self, id: &str, name: &str, arguments: &str) -> bool {
        !id.is_empty()
            && self.calls.iter().any(|Partial { call, .. }| {
                call.id == id
                    && (name.is_empty() || call.name == name)
                    && call.arguments == arguments
                    && is_whole(arguments)
            })
    }

    /// The call that a piece belongs to; `None`: it begins a new one.
    fn owner(&mut self, index: Option<u64>, id: &str, name: &str, arguments: &str) -> Option<&mut Partial> {
        let place = match index {
            Some(index) => self.calls.iter().rposition(|partial| partial.index == Some(index)),
            None if !id.is_empty() => self.calls.iter().rposition(|partial| partial.call.id == id),
            None => self.calls.len().checked_sub(1),
        };
        let place = match place {
            Some(place) => place,
            // A piece without a name goes on with what was last said, whatever it is numbered.
            None if name.is_empty() => self
                .calls
                .iter()
                .rposition(|partial| !id.is_empty() && partial.call.id == id)
                .or_else(|| self.calls.len().checked_sub(1))?,
            // The name once more, and the id or the index for the first time.
            None => self.calls.iter().rposition(|partial| {
                partial.call.name == name
                    && (partial.call.id.is_empty() || partial.call.id == id)
                    && (partial.index.is_none() || index.is_none())
            })?,
        };
        let partial = self.calls.get_mut(place)?;
        (!partial.is_other(id, name, arguments)).then_some(partial)
    }

    /// The calls, whole, in the order in which they began. A call without an id gets one; two calls
    /// with the same id get different ones. `first` numbers the ids made here.
    ///
    /// # Errors
    /// A call that never named its function.
    pub(crate) fn finish(&mut self, first: usize) -> Result<Vec<ToolCall>, ModelError> {
        let mut whole: Vec<ToolCall> = Vec::with_capacity(self.calls.len());
        for (number, Partial { mut call, .. }) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            if call.name.is_empty() {
                return Err(ModelError::unavailable("the service sent a tool call without a name"));
            }
            let taken = |id: &str| id.is_empty() || whole.iter().any(|other| other.id == id);
            let mut next = first + number;
            while taken(&call.id) {
                call.id = format!("call_{next}");
                next += 1;
            }
            whole.push(call);
        }
        Ok(whole)
    }
}

impl Partial {
    /// Whether a piece that names this call by index, id or place is nevertheless another call.
    fn is_other(&self, id: &str, name: &str, arguments: &str) -> bool {
        let call = &self.call;
        if name.is_empty() || call.name.is_empty() {
            return false;
        }
        let same_id = !id.is_empty() && id == call.id;
        let other_id = !id.is_empty() && !call.id.is_empty() && id != call.id;
        if name != call.name {
            // Either another function or the rest of this one's name, which comes before arguments.
            return other_id || (!same_id && !call.arguments.is_empty());
        }
        !same_id && (other_id || !arguments.is_empty()) && is_whole(&call.arguments)
    }

    fn extend(&mut self, index: Option<u64>, id: &str, name: &str, arguments: &str) {
        let call = &mut self.call;
        self.index = self.index.or(index);
        if call.id.is_empty() {
            call.id.push_str(id);
        }
        if call.name != name && call.arguments.is_empty() {
            call.name.push_str(name);
        }
        call.arguments.push_str(arguments);
    }
}

/// Whether `arguments` are a whole JSON object.
fn is_whole(arguments: &str) -> bool {
    arguments.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(arguments).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `pieces` as the JSON of a `tool_calls` list each; `expected` as id, name, arguments.
    fn check(what: &str, pieces: &[&str], expected: &[(&str, &str, &str)]) {
        let mut calls = Calls::default();
        for piece in pieces {
            let list: Vec<CallDelta<'_>> = serde_json::from_str(piece).unwrap();
            list.into_iter().for_each(|piece| calls.push(piece));
        }
        let expected: Vec<_> = expected
            .iter()
            .map(|(id, name, args)| ToolCall::new(*id, *name, *args))
            .collect();
        assert_eq!(calls.finish(1), Ok(expected), "{what}");
    }

    const AB: &[(&str, &str, &str)] = &[("a", "open", r#"{"x":1}"#), ("b", "shut", r#"{"y":2}"#)];

    #[test]
    fn two_calls_are_two_calls_in_every_dialect() {
        check(
            "the standard",
            &[
                r#"[{"index":0,"id":"a","type":"function","function":{"name":"open","arguments":""}}]"#,
                r#"[{"index":0,"function":{"arguments":"{\"x\""}}]"#,
                r#"[{"index":0,"function":{"arguments":":1}"}}]"#,
                r#"[{"index":1,"id":"b","type":"function","function":{"name":"shut","arguments":""}}]"#,
                r#"[{"index":1,"function":{"arguments":"{\"y\":2}"}}]"#,
            ],
            AB,
        );
        check(
            "interleaved",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open"}},{"index":1,"id":"b","function":{"name":"shut"}}]"#,
                r#"[{"index":0,"function":{"arguments":"{\"x\""}},{"index":1,"function":{"arguments":"{\"y\""}}]"#,
                r#"[{"index":1,"function":{"arguments":":2}"}},{"index":0,"function":{"arguments":":1}"}}]"#,
            ],
            AB,
        );
        check(
            "counted from one",
            &[
                r#"[{"index":1,"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
                r#"[{"index":2,"id":"b","function":{"name":"shut","arguments":"{\"y\":"}}]"#,
                r#"[{"index":2,"function":{"arguments":"2}"}}]"#,
            ],
            AB,
        );
        check(
            "no index, one piece each",
            &[
                r#"[{"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
                r#"[{"id":"b","function":{"name":"shut","arguments":"{\"y\":2}"}}]"#,
            ],
            AB,
        );
        check(
            "no index, several pieces",
            &[
                r#"[{"id":"a","function":{"name":"open","arguments":"{\"x\""}}]"#,
                r#"[{"function":{"arguments":":1}"}}]"#,
                r#"[{"id":"b","function":{"name":"shut","arguments":""}}]"#,
                r#"[{"id":"","function":{"name":null,"arguments":"{\"y\":2}"}}]"#,
            ],
            AB,
        );
        check(
            "one index for all",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\":"}}]"#,
                r#"[{"index":0,"function":{"arguments":"1}"}}]"#,
                r#"[{"index":0,"id":"b","function":{"name":"shut","arguments":"{\"y\":"}}]"#,
                r#"[{"index":0,"function":{"arguments":"2}"}}]"#,
            ],
            AB,
        );
        check(
            "one index for all, whole calls",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}},
                    {"index":0,"id":"b","function":{"name":"shut","arguments":"{\"y\":2}"}}]"#,
            ],
            AB,
        );
        check(
            "arguments as objects",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":{"x":1}}}]"#,
                r#"[{"index":1,"id":"b","function":{"name":"shut","arguments":{"y":2}}}]"#,
            ],
            AB,
        );
        check(
            "name, id and index in each piece",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\""}}]"#,
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":":1}"}}]"#,
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":""}}]"#,
                r#"[{"index":1,"id":"b","function":{"name":"shut","arguments":"{\"y\""}}]"#,
                r#"[{"index":1,"id":"b","function":{"name":"shut","arguments":":2}"}}]"#,
            ],
            AB,
        );
        check(
            "the index comes late",
            &[
                r#"[{"id":"a","function":{"name":"open","arguments":""}}]"#,
                r#"[{"index":0,"function":{"arguments":"{\"x\":1}"}}]"#,
                r#"[{"index":1,"id":"b","function":{"name":"shut","arguments":"{\"y\":2}"}}]"#,
            ],
            AB,
        );
    }

    #[test]
    fn a_name_may_come_in_parts_or_again() {
        let expected = &[("a", "control_window", r#"{"x":1}"#)];
        check(
            "in parts",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"control_"}}]"#,
                r#"[{"index":0,"function":{"name":"window"}}]"#,
                r#"[{"index":0,"function":{"arguments":"{\"x\":1}"}}]"#,
            ],
            expected,
        );
        check(
            "again, without an id",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"control_window","arguments":"{\"x\""}}]"#,
                r#"[{"index":0,"function":{"name":"control_window","arguments":":1}"}}]"#,
            ],
            expected,
        );
        check(
            "after the arguments began",
            &[
                r#"[{"index":0,"id":"a","function":{"arguments":""}}]"#,
                r#"[{"index":0,"function":{"name":"control_window","arguments":"{\"x\":1}"}}]"#,
            ],
            expected,
        );
    }

    #[test]
    fn every_call_has_an_id_of_its_own() {
        check(
            "an id that comes late",
            &[
                r#"[{"index":0,"function":{"name":"open","arguments":"{"}}]"#,
                r#"[{"index":0,"id":"a","function":{"arguments":"}"}}]"#,
            ],
            &[("a", "open", "{}")],
        );
        check(
            "an id that comes late, with the name again",
            &[
                r#"[{"function":{"name":"open","arguments":"{"}}]"#,
                r#"[{"id":"a","function":{"name":"open","arguments":"}"}}]"#,
            ],
            &[("a", "open", "{}")],
        );
        check(
            "no ids, no indexes",
            &[
                r#"[{"function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
                r#"[{"function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
            ],
            &[("call_1", "open", r#"{"x":1}"#), ("call_2", "open", r#"{"x":1}"#)],
        );
        check(
            "one id for two calls",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
                r#"[{"index":1,"id":"a","function":{"name":"open","arguments":"{\"x\":2}"}}]"#,
            ],
            &[("a", "open", r#"{"x":1}"#), ("call_2", "open", r#"{"x":2}"#)],
        );
        check(
            "one id for two calls, in pieces",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":""}}]"#,
                r#"[{"index":0,"function":{"arguments":"{\"x\":1}"}}]"#,
                r#"[{"index":1,"id":"a","function":{"name":"shut","arguments":""}}]"#,
                r#"[{"index":1,"function":{"arguments":"{}"}}]"#,
            ],
            &[("a", "open", r#"{"x":1}"#), ("call_2", "shut", "{}")],
        );
        check(
            "another id in each piece",
            &[
                r#"[{"index":0,"id":"r1","function":{"name":"open","arguments":""}}]"#,
                r#"[{"index":0,"id":"r2","function":{"arguments":"{\"x\""}}]"#,
                r#"[{"index":0,"id":"r3","function":{"arguments":":1}"}}]"#,
            ],
            &[("r1", "open", r#"{"x":1}"#)],
        );
        check(
            "an id that was made is taken already",
            &[r#"[{"index":0,"id":"call_2","function":{"name":"open"}},{"index":1,"function":{"name":"shut"}}]"#],
            &[("call_2", "open", ""), ("call_3", "shut", "")],
        );
    }

    #[test]
    fn a_call_sent_twice_is_one_call_only_if_it_is_the_same_whole_one() {
        check(
            "the same chunk again",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
                r#"[{"index":0,"id":"a","function":{"name":"open","arguments":"{\"x\":1}"}}]"#,
            ],
            &[("a", "open", r#"{"x":1}"#)],
        );
        check(
            "other ids: the driver wants it twice",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"next","arguments":"{}"}}]"#,
                r#"[{"index":1,"id":"b","function":{"name":"next","arguments":"{}"}}]"#,
            ],
            &[("a", "next", "{}"), ("b", "next", "{}")],
        );
        check(
            "pieces that happen to be equal",
            &[
                r#"[{"index":0,"id":"a","function":{"name":"say","arguments":"{\"x\":\"ha"}}]"#,
                r#"[{"index":0,"id":"a","function":{"arguments":"ha"}}]"#,
                r#"[{"index":0,"id":"a","function":{"arguments":"ha"}}]"#,
                r#"[{"index":0,"id":"a","function":{"arguments":"\"}"}}]"#,
            ],
            &[("a", "say", r#"{"x":"hahaha"}"#)],
        );
    }

    #[test]
    fn a_call_without_a_name_is_an_error() {
        let mut calls = Calls::default();
        calls.push(serde_json::from_str(r#"{"index":0,"id":"a","function":{"arguments":"{}"}}"#).unwrap());
        let error = calls.finish(1).unwrap_err();
        assert!(error.retryable && error.message.contains("without a name"), "{error}");
    }
}
