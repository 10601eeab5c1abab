//! Questions that wait: asked, answered, left for something else, called off.

use super::*;

#[test]
fn a_question_through_ask_user_waits_and_the_answer_completes() {
    let (dialogue, ending, _) = once(&[&format!("! set_ac | {ASK_WINDOW}")]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::WaitingInput, "set_ac done. Which window?")
    );
    assert_eq!(ending.prompt.as_deref(), Some("Which window?"));
    let Some(Pending::Missing {
        tool,
        arguments,
        missing,
        ..
    }) = &ending.pending
    else {
        panic!("{:?}", ending.pending)
    };
    assert_eq!(
        (tool.as_str(), missing.as_slice()),
        ("set_window", ["window".to_owned()].as_slice())
    );
    assert_eq!(arguments.get("action"), Some(&json!("open")));
    let (dialogue, ending, _) = say(
        dialogue,
        "the driver's",
        &[r#"! set_window {"window":"driver"}"#, "It opens."],
    );
    assert_eq!(
        (ending.status, outcomes(&ending)),
        (AgentStatus::Completed, vec![("set_window", Outcome::Ok)])
    );
    assert_eq!(dialogue.open_question(), None);
}

#[test]
fn several_questions_are_asked_one_after_another() {
    let second = r#"ask_user {"question":"Which song?","tool":"play","slot":"song"}"#;
    let (dialogue, ending, _) = once(&[&format!("! {ASK_WINDOW} | {second}")]);
    assert_eq!(
        (ending.prompt.as_deref(), ending.queued.len()),
        (Some("Which window?"), 1)
    );
    let (dialogue, ending, _) = say(dialogue, "left", &["! set_window", "It opens."]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::WaitingInput, "It opens. Which song?")
    );
    let (_, ending, _) = say(dialogue, "any", &["! play", "Playing."]);
    assert_eq!(ending.status, AgentStatus::Completed);
}

#[test]
fn a_digression_is_served_and_the_question_asked_again_as_often_as_it_takes() {
    let (mut dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    for _ in 0..4 {
        let (next, ending, _) = say(dialogue, "first the ac", &["! set_ac", "The AC is on."]);
        assert_eq!(
            (ending.status, ending.message.as_str()),
            (AgentStatus::WaitingInput, "The AC is on. Which window?")
        );
        assert_eq!(outcomes(&ending), [("set_ac", Outcome::Ok)]);
        dialogue = next;
    }
    let Some(Message::Tool(last)) = dialogue.history().messages().last() else {
        panic!()
    };
    assert_eq!(
        (last.name.as_str(), last.content.as_str()),
        (ASK_USER, r#"{"asked":true}"#)
    );
}

#[test]
fn a_second_unclear_answer_ends_the_question() {
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let (dialogue, ending, _) = say(dialogue, "blah", &["declined: ?"]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::WaitingInput, "Sorry, I didn't get that. Which window?")
    );
    let (dialogue, ending, _) = say(dialogue, "first the ac", &["! set_ac", "The AC is on."]);
    assert_eq!(
        ending.status,
        AgentStatus::WaitingInput,
        "a digression is no unclear answer"
    );
    let (dialogue, ending, _) = say(dialogue, "blah", &[&format!("! {ASK_WINDOW}")]);
    assert_eq!(
        (ending.status, dialogue.open_question()),
        (AgentStatus::Cancelled, None)
    );
}

#[test]
fn talk_beside_a_question_is_answered_and_neither_loses_the_question_nor_holds_the_driver_to_it() {
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let talk = |dialogue, left: bool| {
        let (dialogue, ending, _) = say(dialogue, "lovely day", &["It is sunny."]);
        let wanted = match left {
            false => (AgentStatus::WaitingInput, "It is sunny. Which window?"),
            true => (AgentStatus::Cancelled, "It is sunny. I have put that question aside."),
        };
        assert_eq!((ending.status, ending.message.as_str()), wanted);
        dialogue
    };
    let twice = talk(talk(dialogue, false), false);
    // Something done in between: the driver has not turned away.
    let (busy, ending, _) = say(twice.clone(), "first the ac", &["! set_ac", "The AC is on."]);
    assert_eq!(ending.status, AgentStatus::WaitingInput);
    talk(talk(busy, false), false);
    let (_, ending, _) = say(twice.clone(), "left", &["! set_window", "It opens."]);
    assert_eq!(ending.status, AgentStatus::Completed);
    assert_eq!(talk(twice, true).open_question(), None);
}

#[test]
fn a_question_that_is_put_aside_uncovers_the_one_below_it() {
    let second = r#"ask_user {"question":"Which song?","tool":"play","slot":"song"}"#;
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let (mut dialogue, _, _) = say(dialogue, "play something", &[&format!("! {second}")]);
    for _ in 0..2 {
        dialogue = say(dialogue, "lovely day", &["It is sunny."]).0;
    }
    let (_, ending, _) = say(dialogue, "lovely day", &["It is sunny."]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (
            AgentStatus::WaitingInput,
            "It is sunny. I have put that question aside. Which window?"
        )
    );
}

#[test]
fn a_partial_answer_asks_on_and_forgets_the_unclear_ones() {
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let (dialogue, _, _) = say(dialogue, "blah", &["declined: ?"]);
    let more = r#"! ask_user {"question":"Left or right?","tool":"set_window","slot":"window","arguments":{"action":"open","row":"rear"}}"#;
    let (dialogue, ending, _) = say(dialogue, "a rear one", &[more]);
    assert_eq!(ending.prompt.as_deref(), Some("Left or right?"));
    let (_, ending, _) = say(dialogue, "blah", &["declined: ?"]);
    assert_eq!(ending.status, AgentStatus::WaitingInput);
}

#[test]
fn what_a_tool_asks_is_waited_for_even_if_the_model_is_silent_or_gone() {
    for end in ["", "down"] {
        let (dialogue, ending, _) = once(&["! set_ac | set_fan {\"fan\":15}", end]);
        assert_eq!(
            (ending.status, ending.message.as_str()),
            (AgentStatus::WaitingInput, "set_ac done. From 1 to 10. Which?")
        );
        assert_eq!(
            (dialogue.waiting_tool(), ending.prompt.as_deref()),
            (Some("set_fan"), Some("From 1 to 10. Which?"))
        );
    }
}

#[test]
fn what_a_policy_adds_answers_no_question() {
    let ask = r#"! ask_user {"question":"Which shade?","tool":"shade","slot":"shade"}"#;
    let (dialogue, _, _) = once(&[ask]);
    let (_, ending, _) = say(dialogue, "open the sunroof", &["! sunroof", "It opens."]);
    assert_eq!(
        (ending.status, ending.prompt.as_deref()),
        (AgentStatus::WaitingInput, Some("Which shade?"))
    );
}

#[test]
fn what_a_policy_refuses_anyway_is_not_asked_about() {
    let ask = r#"! ask_user {"question":"Which door?","tool":"door","slot":"door","arguments":{"action":"open"}}"#;
    let (_, ending, _) = once(&[ask, "Not while moving."]);
    assert_eq!(
        (ending.status, outcomes(&ending)),
        (AgentStatus::Error, vec![("door", Outcome::Denied)])
    );
}

#[test]
fn calling_off_ends_the_inner_question_first() {
    let (dialogue, _, _) = once(&["! trunk"]);
    let (dialogue, ending, _) = say(dialogue, "open a window", &[&format!("! {ASK_WINDOW}")]);
    assert_eq!(ending.prompt.as_deref(), Some("Which window?"));
    let (dialogue, ending, _) = play(open(dialogue, Opening::CallOff, "never mind"), &[], |turn| turn);
    assert_eq!(
        (ending.status, ending.prompt.as_deref()),
        (AgentStatus::WaitingInput, Some("Open the trunk?"))
    );
    let (dialogue, ending, _) = play(open(dialogue, Opening::CallOff, "never mind"), &[], |turn| turn);
    assert_eq!(
        (ending.status, dialogue.open_question()),
        (AgentStatus::Cancelled, None)
    );
}

#[test]
fn another_wish_instead_of_an_answer_drops_the_question_for_good() {
    let (dialogue, _, _) = once(&["! trunk"]);
    let instead = Opening::Instead {
        called_off: "never mind".into(),
        wish: "open the left window".into(),
    };
    let said = "never mind, open the left window";
    let (dialogue, ending, log) = play(
        open(dialogue, instead, said),
        &["! set_window", "It is open."],
        |turn| turn,
    );
    assert!(!log.iter().any(|call| call.contains("trunk")), "{log:?}");
    assert_eq!(outcomes(&ending), [("set_window", Outcome::Ok)]);
    assert_eq!(
        (ending.status, dialogue.open_question()),
        (AgentStatus::Completed, None)
    );
    let spoken: Vec<&str> = dialogue
        .history()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::User(_) => Some(message.content()),
            _ => None,
        })
        .collect();
    assert!(spoken.ends_with(&["never mind", "open the left window"]), "{spoken:?}");
}

#[test]
fn a_repeat_changes_nothing_and_asks_nobody() {
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let (again, ending, log) = play(open(dialogue.clone(), Opening::Repeat, ""), &[], |turn| turn);
    assert_eq!((ending.message.as_str(), log.len()), ("Which window?", 0));
    assert_eq!(again, dialogue);
}

#[test]
fn a_sixth_question_closes_the_oldest_and_says_so() {
    let mut dialogue = fresh();
    for n in 0..6 {
        let ask = format!(r#"! ask_user {{"question":"Q{n}?","tool":"t{n}","slot":"x"}}"#);
        let (next, ending, _) = say(dialogue, "and", &[&ask]);
        assert_eq!(ending.message.contains("oldest"), n == 5, "{}", ending.message);
        dialogue = next;
    }
    assert_eq!(dialogue.waits.len(), 5);
}
