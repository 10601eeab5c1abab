//! A conversation that cannot be invalid.

use crate::message::{AssistantMessage, Message, ToolMessage};
use crate::private::{self, Private};
use serde::{Deserialize, Serialize};

/// The messages of a conversation, always valid: each tool call is answered exactly once, right
/// after the reply that made it, in the order called.
///
/// A reply with calls enters only together with its results ([`History::exchange`]), so no reader
/// ever sees half of one, and no placeholder is ever rewritten.
///
/// ```
/// use incar_core::{AssistantMessage, History, Outcome, ToolCall, ToolMessage};
/// let mut history = History::default();
/// history.user("open the window");
/// let call = ToolCall::new("c1", "control_window", r#"{"window":"driver","action":"open"}"#);
/// let result = ToolMessage::new(&call, r#"{"position":100}"#, Outcome::Ok);
/// history.exchange(AssistantMessage::calls(vec![call]), vec![result])?;
/// history.reply(AssistantMessage::text("Done."))?;
/// assert_eq!(history.messages().len(), 4);
/// # Ok::<(), incar_core::HistoryError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Message>", into = "Vec<Message>")]
pub struct History {
    messages: Vec<Message>,
}

/// Why messages are not a valid conversation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// A call without its answer, or answers out of order.
    #[error("the call `{call_id}` is not answered where it must be")]
    Unanswered {
        /// The call.
        call_id: String,
    },
    /// An answer to no call.
    #[error("the result for `{call_id}` answers no call")]
    Stray {
        /// The id it names.
        call_id: String,
    },
    /// A reply with calls was given as plain text, or the other way round.
    #[error("a reply with calls needs their results, and one without must have none")]
    Shape,
}

impl History {
    /// The messages, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds an utterance.
    pub fn user(&mut self, content: impl Into<String>) {
        self.messages.push(Message::user(content));
    }

    /// Adds the cabin context of the utterance that follows.
    pub fn context(&mut self, content: impl Into<String>) {
        self.messages.push(Message::context(content));
    }

    /// Adds a reply that calls no tool.
    ///
    /// # Errors
    /// [`HistoryError::Shape`] where it does.
    pub fn reply(&mut self, reply: AssistantMessage) -> Result<(), HistoryError> {
        if !reply.tool_calls.is_empty() {
            return Err(HistoryError::Shape);
        }
        self.messages.push(Message::Assistant(reply));
        Ok(())
    }

    /// Adds a reply with its calls and their results, all or nothing.
    ///
    /// # Errors
    /// Where the results are not exactly one for each call, in order.
    pub fn exchange(&mut self, reply: AssistantMessage, results: Vec<ToolMessage>) -> Result<(), HistoryError> {
        check_exchange(&reply, &results)?;
        self.messages.reserve(results.len() + 1);
        self.messages.push(Message::Assistant(reply));
        self.messages.extend(results.into_iter().map(Message::Tool));
        Ok(())
    }

    /// Keeps only `content` of the reply at `index`, marked as cut off; its calls stay as they are.
    pub(crate) fn cut(&mut self, index: usize, content: String) {
        if let Some(Message::Assistant(reply)) = self.messages.get_mut(index) {
            reply.content = content;
            reply.interrupted = true;
        }
    }

    /// Puts the last message in other words, if it is a reply without calls; whether it is.
    pub(crate) fn reword_last_reply(&mut self, reword: impl FnOnce(&str) -> String) -> bool {
        match self.messages.last_mut() {
            Some(Message::Assistant(reply)) if reply.tool_calls.is_empty() => {
                reply.content = reword(&reply.content);
                true
            }
            _ => false,
        }
    }

    /// The longest valid conversation in `messages`: replies whose calls are not all answered lose
    /// the unanswered ones, answers to no call are dropped, misplaced answers move to their call.
    /// Repairing a valid conversation changes nothing.
    pub fn repair(messages: Vec<Message>) -> Self {
        let mut history = Self::default();
        let mut pending: Option<(AssistantMessage, Vec<Option<ToolMessage>>)> = None;
        for message in messages {
            match message {
                Message::Tool(result) => {
                    if let Some((reply, results)) = &mut pending {
                        let open = reply.tool_calls.iter().zip(results.iter_mut());
                        for (call, slot) in open {
                            if call.id == result.call_id && slot.is_none() {
                                *slot = Some(result);
                                break;
                            }
                        }
                    }
                }
                Message::Assistant(reply) if !reply.tool_calls.is_empty() => {
                    history.close(pending.take());
                    let results = reply.tool_calls.iter().map(|_| None).collect();
                    pending = Some((reply, results));
                }
                other => {
                    history.close(pending.take());
                    history.messages.push(other);
                }
            }
        }
        history.close(pending);
        history
    }

    fn close(&mut self, pending: Option<(AssistantMessage, Vec<Option<ToolMessage>>)>) {
        let Some((mut reply, results)) = pending else { return };
        let mut answered = results.iter();
        reply
            .tool_calls
            .retain(|_| answered.next().is_some_and(Option::is_some));
        if reply.tool_calls.is_empty() && reply.content.is_empty() {
            return;
        }
        self.messages.push(Message::Assistant(reply));
        self.messages.extend(results.into_iter().flatten().map(Message::Tool));
    }

    /// Keeps the last `utterances` utterances with all that followed each.
    pub fn keep_last(&mut self, utterances: usize) {
        let mut seen = 0;
        let mut cut = self.messages.len();
        for (index, message) in self.messages.iter().enumerate().rev() {
            match message {
                Message::User(_) if seen == utterances => break,
                Message::User(_) => {
                    seen += 1;
                    cut = index;
                }
                Message::Context(_) if cut == index + 1 => cut = index,
                _ => {}
            }
        }
        self.messages.drain(..cut);
    }

    /// Drops the cabin contexts: what the car knew when something was said is of no use later.
    pub fn forget_contexts(&mut self) {
        self.messages.retain(|message| !matches!(message, Message::Context(_)));
    }

    fn private(&self) -> impl Iterator<Item = &Private> {
        self.messages.iter().flat_map(|message| match message {
            Message::Tool(result) => result.private.as_slice(),
            Message::Context(_) | Message::User(_) | Message::Assistant(_) => &[],
        })
    }

    /// Whether a result has handles of what is private.
    pub(crate) fn has_private(&self) -> bool {
        self.private().next().is_some()
    }

    /// Whether a text has such a handle: it is to be spoken otherwise than it stands.
    pub(crate) fn has_handle(&self, text: &str) -> bool {
        self.private().any(|private| text.contains(&private.handle))
    }

    /// A text as it is spoken: with what handles stand for.
    pub(crate) fn revealed(&self, text: &str) -> String {
        private::reveal(text, self.private())
    }

    /// Has handles stand for what is private in all replies.
    pub(crate) fn conceal(&mut self) {
        let private: Vec<Private> = self.private().cloned().collect();
        for message in &mut self.messages {
            if let Message::Assistant(reply) = message {
                reply.content = private::conceal(&reply.content, private.iter());
            }
        }
    }

    /// How many utterances it holds.
    pub fn utterances(&self) -> usize {
        self.messages
            .iter()
            .filter(|message| matches!(message, Message::User(_)))
            .count()
    }
}

fn check_exchange(reply: &AssistantMessage, results: &[ToolMessage]) -> Result<(), HistoryError> {
    if reply.tool_calls.is_empty() {
        return Err(HistoryError::Shape);
    }
    let mut rest = results.iter();
    for call in &reply.tool_calls {
        match rest.next() {
            Some(result) if result.call_id == call.id => {}
            _ => {
                return Err(HistoryError::Unanswered {
                    call_id: call.id.clone(),
                });
            }
        }
    }
    match rest.next() {
        Some(stray) => Err(HistoryError::Stray {
            call_id: stray.call_id.clone(),
        }),
        None => Ok(()),
    }
}

impl TryFrom<Vec<Message>> for History {
    type Error = HistoryError;

    fn try_from(messages: Vec<Message>) -> Result<Self, HistoryError> {
        let mut rest = messages.iter().peekable();
        while let Some(message) = rest.next() {
            match message {
                Message::Assistant(reply) => {
                    for call in &reply.tool_calls {
                        match rest.next() {
                            Some(Message::Tool(result)) if result.call_id == call.id => {}
                            _ => {
                                return Err(HistoryError::Unanswered {
                                    call_id: call.id.clone(),
                                });
                            }
                        }
                    }
                }
                Message::Tool(result) => {
                    return Err(HistoryError::Stray {
                        call_id: result.call_id.clone(),
                    });
                }
                Message::Context(_) | Message::User(_) => {}
            }
        }
        Ok(Self { messages })
    }
}

impl From<History> for Vec<Message> {
    fn from(history: History) -> Self {
        history.messages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ToolCall;
    use crate::outcome::Outcome;
    use proptest::prelude::*;

    fn call(id: u8) -> ToolCall {
        ToolCall::new(format!("c{id}"), "tool", "{}")
    }

    fn result(id: u8) -> ToolMessage {
        ToolMessage::new(&call(id), "{}", Outcome::Ok)
    }

    fn any_message() -> impl Strategy<Value = Message> {
        prop_oneof![
            "[a-c]{0,3}".prop_map(Message::user),
            "[a-c]{0,3}".prop_map(Message::context),
            ("[a-c]{0,3}", prop::collection::vec(0u8..4, 0..3)).prop_map(|(text, ids)| {
                Message::Assistant(AssistantMessage::calls(ids.into_iter().map(call).collect()).with_content(text))
            }),
            (0u8..4).prop_map(|id| Message::Tool(result(id))),
        ]
    }

    proptest! {
        #[test]
        fn repaired_is_valid_and_repairing_again_changes_nothing(messages in prop::collection::vec(any_message(), 0..20)) {
            let once = History::repair(messages);
            prop_assert_eq!(History::try_from(once.messages.clone()), Ok(once.clone()));
            prop_assert_eq!(History::repair(once.messages.clone()), once);
        }

        #[test]
        fn a_valid_history_survives_repair_and_serde_and_trimming(messages in prop::collection::vec(any_message(), 0..20), keep in 0usize..5) {
            let mut history = History::repair(messages);
            let json = serde_json::to_string(&history).unwrap();
            prop_assert_eq!(&serde_json::from_str::<History>(&json).unwrap(), &history);
            let before = history.utterances();
            history.keep_last(keep);
            prop_assert_eq!(history.utterances(), before.min(keep));
            prop_assert!(History::try_from(history.messages.clone()).is_ok());
        }
    }

    #[test]
    fn an_exchange_with_a_missing_a_wrong_or_a_stray_result_is_refused_whole() {
        for results in [
            vec![],
            vec![result(2), result(1)],
            vec![result(1)],
            vec![result(1), result(2), result(3)],
        ] {
            let mut history = History::default();
            assert!(
                history
                    .exchange(AssistantMessage::calls(vec![call(1), call(2)]), results)
                    .is_err()
            );
            assert!(history.is_empty());
        }
        assert_eq!(
            History::default().exchange(AssistantMessage::text("hi"), vec![]),
            Err(HistoryError::Shape)
        );
        assert_eq!(
            History::default().reply(AssistantMessage::calls(vec![call(1)])),
            Err(HistoryError::Shape)
        );
    }

    #[test]
    fn a_stored_history_that_is_broken_is_refused() {
        let stray = r#"[{"role":"tool","call_id":"x","name":"t","content":"{}","outcome":"ok"}]"#;
        assert!(serde_json::from_str::<History>(stray).is_err());
    }

    #[test]
    fn what_is_private_is_spoken_in_full_and_kept_as_its_handle() {
        let mut history = History::default();
        let mut found = ToolMessage::new(&call(1), r#"{"number":"tel-1"}"#, Outcome::Ok);
        found.private = vec![Private::new("tel-1", "13800138000")];
        history
            .exchange(AssistantMessage::calls(vec![call(1)]), vec![found])
            .unwrap();
        history.reply(AssistantMessage::text("It is 13800138000.")).unwrap();
        assert!(history.has_private() && history.has_handle("so tel-1 it is"));
        assert_eq!(history.revealed("It is tel-1."), "It is 13800138000.");
        history.conceal();
        assert_eq!(history.messages().last().unwrap().content(), "It is tel-1.");
        let kept = history.clone();
        history.conceal();
        assert_eq!(history, kept, "what is concealed stays so");
    }

    #[test]
    fn trimming_keeps_the_context_of_the_first_utterance_kept() {
        let mut history = History::default();
        for text in ["a", "b"] {
            history.context(format!("context {text}"));
            history.user(text);
        }
        history.keep_last(1);
        assert_eq!(history.messages(), [Message::context("context b"), Message::user("b")]);
    }
}
