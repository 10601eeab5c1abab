//! A flow in the machine's world: `table` gathers a day and a number of people.

use super::*;

/// What the flow of `table` makes of a call, or of a question about one: its state, whether it heard
/// anything, and what comes next. `{"back":true}` stands for being steered.
pub(super) fn gathered(turn: &Turn, call: &ToolCall) -> Option<(Value, Heard, Value, Verdict)> {
    let said: Value = serde_json::from_str(&call.arguments).ok()?;
    let said = match call.name.as_str() {
        "table" => said,
        ASK_USER if said["tool"] == "table" => said["arguments"].clone(),
        _ => return None,
    };
    let mut state = turn.gathered("table").cloned().unwrap_or_else(|| json!({}));
    let before = state.clone();
    for slot in ["day", "people"] {
        if !said[slot].is_null() {
            state[slot] = said[slot].clone();
        }
    }
    // Time passes: day 7 becomes day 8 when it is looked at again.
    if before["day"] == 7 {
        state["day"] = 8.into();
    }
    let missing = ["day", "people"].into_iter().find(|slot| state[*slot].is_null());
    let heard = if before == state {
        Heard::Nothing
    } else {
        Heard::Understood
    };
    let verdict = match missing {
        Some(slot) => {
            let mut ask = AskUser::new(format!("Which {slot}?"));
            ask.tool = Some("table".into());
            ask.slot = Some(slot.into());
            ask.arguments = state.as_object().cloned().unwrap_or_default();
            Verdict::Ask(ask)
        }
        None => Verdict::Decided {
            resolved: Resolved::new(state.clone(), Effect::Act),
            concurrency: Concurrency::Serial,
            findings: Findings::default(),
            decisions: vec![PolicyDecision::Confirm {
                policy: "flow-summary".into(),
                question: format!("A table for {} on {}?", state["people"], state["day"]),
            }],
        },
    };
    Some((state.clone(), heard, state, verdict))
}

fn check(ending: &Ending, status: AgentStatus, message: &str) {
    assert_eq!((ending.status, ending.message.as_str()), (status, message));
}

/// The calls of the history, each with its arguments.
fn calls(dialogue: &Dialogue) -> Vec<(String, Value)> {
    let replies = dialogue
        .history()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Assistant(reply) => Some(&reply.tool_calls),
            _ => None,
        });
    replies
        .flatten()
        .map(|call| (call.name.clone(), serde_json::from_str(&call.arguments).unwrap()))
        .collect()
}

#[test]
fn a_call_with_less_than_all_becomes_the_question_for_the_rest() {
    let (dialogue, ending, log) = once(&[r#"! table {"day":5}"#]);
    check(&ending, AgentStatus::WaitingInput, "Which people?");
    assert_eq!(log, ["ask Offered"], "no further round, and nothing ran");
    assert!(ending.calls.is_empty());
    let [(name, arguments)] = calls(&dialogue).try_into().unwrap();
    assert_eq!(name, ASK_USER);
    assert_eq!(arguments["arguments"], json!({"day": 5}));
    assert_eq!(dialogue.gathered("table"), Some(&json!({"day": 5})));
}

#[test]
fn a_model_that_gives_only_the_new_value_makes_the_whole_call() {
    let (dialogue, _, _) = once(&[r#"! table {"day":5}"#]);
    let (dialogue, ending, _) = say(dialogue, "two", &[r#"! table {"people":2}"#]);
    check(&ending, AgentStatus::WaitingInput, "A table for 2 on 5?");
    assert!(
        matches!(&ending.pending, Some(Pending::Confirm { confirm }) if confirm.arguments == json!({"day": 5, "people": 2}))
    );
    let (dialogue, ending, log) = consent(dialogue, Consent::Yes, &["Booked."]);
    assert_eq!(log, ["run table", "ask Withheld"]);
    assert_eq!(ending.calls[0].arguments, json!({"day": 5, "people": 2}));
    assert_eq!(
        calls(&dialogue).last(),
        Some(&("table".to_owned(), json!({"day": 5, "people": 2})))
    );
    assert_eq!(dialogue.gathered("table"), None, "it waits for nothing any more");
}

#[test]
fn a_yes_is_to_exactly_the_call_that_was_read_out() {
    let (dialogue, ending, _) = once(&[r#"! table {"day":7,"people":2}"#]);
    check(&ending, AgentStatus::WaitingInput, "A table for 2 on 7?");
    let (dialogue, ending, log) = consent(dialogue, Consent::Yes, &[]);
    check(&ending, AgentStatus::WaitingInput, "A table for 2 on 8?");
    assert!(log.is_empty(), "nothing ran: {log:?}");
    let (_, ending, _) = consent(dialogue, Consent::Yes, &["Booked."]);
    assert_eq!(ending.calls[0].arguments, json!({"day": 8, "people": 2}));
}

#[test]
fn several_calls_of_one_flow_in_a_reply_are_one() {
    for (script, message) in [
        (r#"! table {"day":5} | table {"people":2}"#, "A table for 2 on 5?"),
        (
            r#"! table {"day":5,"people":2} | table {"people":3}"#,
            "A table for 3 on 5?",
        ),
        ("! table | table {\"people\":2}", "Which day?"),
    ] {
        let (dialogue, ending, _) = once(&[script]);
        check(&ending, AgentStatus::WaitingInput, message);
        assert!(ending.queued.is_empty(), "{script}");
        if dialogue.open_question() == Some(OpenQuestion::Confirm) {
            let (_, ending, _) = consent(dialogue, Consent::Yes, &["Booked."]);
            let booked = ending.calls.iter().filter(|call| call.outcome == Outcome::Ok).count();
            assert_eq!((ending.status, booked), (AgentStatus::Completed, 1), "{script}");
        }
    }
}

#[test]
fn a_value_changed_at_the_confirmation_asks_anew_and_the_question_stands_last() {
    let (dialogue, _, _) = once(&[r#"! table {"day":5,"people":2}"#]);
    let (dialogue, ending, _) = say(dialogue, "three", &[r#"! table {"people":3}"#]);
    check(&ending, AgentStatus::WaitingInput, "A table for 3 on 5?");
    let mut dialogue = dialogue;
    dialogue.flows.insert("table".into(), json!({"people": 3}));
    let (dialogue, ending, _) = play(open(dialogue, Opening::Steer, "back"), &[], |turn| turn);
    check(&ending, AgentStatus::WaitingInput, "Which day?");
    let all = calls(&dialogue);
    assert_eq!(all.last().unwrap().0, ASK_USER, "{all:?}");
}

#[test]
fn only_what_brings_nothing_counts_against_the_question() {
    let (dialogue, _, _) = once(&["! table"]);
    let (dialogue, ending, _) = say(dialogue, "two", &[r#"! table {"people":2}"#]);
    check(&ending, AgentStatus::WaitingInput, "Which day?");
    let (dialogue, ending, _) = say(dialogue, "blah", &["! table"]);
    check(&ending, AgentStatus::WaitingInput, "Which day?");
    let (dialogue, ending, _) = say(dialogue, "blah", &["! table"]);
    assert_eq!(ending.status, AgentStatus::Cancelled);
    assert_eq!(dialogue.gathered("table"), None);
}

#[test]
fn other_questions_come_and_go_above_a_flow() {
    let (dialogue, _, _) = once(&[r#"! table {"day":5}"#]);
    let (dialogue, ending, _) = say(dialogue, "the window", &[&format!("! {ASK_WINDOW}")]);
    check(&ending, AgentStatus::WaitingInput, "Which window?");
    let (dialogue, ending, _) = play(open(dialogue, Opening::CallOff, "never mind"), &[], |turn| turn);
    check(&ending, AgentStatus::WaitingInput, "Okay, cancelled. Which people?");
    let (dialogue, ending, _) = play(open(dialogue, Opening::CallOff, "never mind"), &[], |turn| turn);
    check(&ending, AgentStatus::Cancelled, "Okay, cancelled.");
    assert!(dialogue.flows.is_empty());
}

#[test]
fn what_waits_above_a_flow_expires_in_its_own_time() {
    let wait = Duration::from_secs(300);
    for inner in [format!("! {ASK_WINDOW}"), "! trunk".to_owned(), "Where to?".to_owned()] {
        let (dialogue, _, _) = once(&[r#"! table {"day":5}"#]);
        let (dialogue, _, _) = say(dialogue, "something else", &[&inner]);
        let mut early = dialogue.clone();
        early.expire(NOW.plus(wait - Duration::from_millis(1)), wait);
        assert_eq!(early, dialogue, "{inner}");
        let mut late = dialogue;
        late.expire(NOW.plus(wait), wait);
        assert_eq!((late.prompt(), late.waits.len()), (Some("Which people?"), 1), "{inner}");
        assert_eq!(calls(&late).last().unwrap().0, ASK_USER, "{inner}");
    }
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let mut alone = dialogue.clone();
    alone.expire(NOW.plus(wait * 2), wait);
    assert_eq!(alone, dialogue, "without a flow the store's own expiry decides");
}
