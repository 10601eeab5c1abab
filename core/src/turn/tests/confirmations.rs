//! What waits for a yes, and what becomes of it.

use super::*;

#[test]
fn a_confirmed_call_runs_once_and_only_the_sentence_is_asked_for() {
    let (dialogue, ending, log) = once(&["! set_ac | trunk {\"open\":true}"]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::WaitingInput, "set_ac done. Open the trunk?")
    );
    assert_eq!(
        (ending.finish, log.last().unwrap().as_str()),
        (FinishReason::Confirm, "run set_ac")
    );
    assert!(matches!(&ending.pending, Some(Pending::Confirm { confirm }) if confirm.tool == "trunk"));
    assert!(
        !dialogue
            .history()
            .messages()
            .iter()
            .any(|message| matches!(message, Message::Tool(_))),
        "not in the history yet"
    );
    let (dialogue, ending, log) = consent(dialogue, Consent::Yes, &["The trunk opens."]);
    assert_eq!(log, ["run trunk", "ask Withheld"]);
    assert_eq!(
        (ending.status, outcomes(&ending)),
        (AgentStatus::Completed, vec![("trunk", Outcome::Ok)])
    );
    assert_eq!(
        dialogue
            .history()
            .messages()
            .iter()
            .filter(|message| matches!(message, Message::Tool(_)))
            .count(),
        2
    );
}

#[test]
fn a_no_cancels_without_asking_the_model() {
    let (dialogue, _, _) = once(&["! trunk"]);
    let (dialogue, ending, log) = consent(dialogue, Consent::No, &[]);
    assert_eq!(
        (ending.status, ending.finish, log.len()),
        (AgentStatus::Cancelled, FinishReason::Cancelled, 0)
    );
    let closed = dialogue
        .history()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result.outcome),
            _ => None,
        });
    assert_eq!(closed.collect::<Vec<_>>(), [Outcome::Cancelled]);
}

#[test]
fn an_unclear_answer_never_confirms_and_a_second_one_cancels() {
    let (dialogue, _, _) = once(&["! trunk"]);
    let (dialogue, ending, log) = say(dialogue, "perhaps", &["declined: ?"]);
    assert_eq!(
        (ending.status, ending.finish),
        (AgentStatus::WaitingInput, FinishReason::Confirm)
    );
    assert!(!log.iter().any(|step| step.starts_with("run")));
    let (dialogue, ending, _) = say(dialogue, "hm", &["declined: ?"]);
    assert_eq!(
        (ending.status, dialogue.open_question()),
        (AgentStatus::Cancelled, None)
    );
}

#[test]
fn talk_confirms_nothing_and_a_second_time_puts_the_call_aside() {
    let (dialogue, _, _) = once(&["! trunk"]);
    let (dialogue, ending, _) = say(dialogue, "perhaps", &["That is up to you."]);
    assert_eq!(
        (ending.status, ending.finish),
        (AgentStatus::WaitingInput, FinishReason::Confirm)
    );
    let (dialogue, ending, log) = say(dialogue, "hm", &["Take your time."]);
    assert_eq!(
        (ending.status, ending.message.as_str(), dialogue.open_question()),
        (
            AgentStatus::Cancelled,
            "Take your time. I have put that question aside.",
            None
        )
    );
    assert!(!log.iter().any(|step| step.starts_with("run")));
}

#[test]
fn a_changed_wish_asks_anew_and_the_old_call_is_cancelled() {
    let (dialogue, _, _) = once(&["! trunk {\"trunk\":\"rear\"}"]);
    let (dialogue, ending, _) = say(dialogue, "no the front one", &["! trunk {\"trunk\":\"front\"}"]);
    assert!(
        matches!(&ending.pending, Some(Pending::Confirm { confirm }) if confirm.arguments == json!({"trunk":"front"}))
    );
    let (_, ending, log) = consent(dialogue, Consent::Yes, &["It opens."]);
    assert_eq!((ending.calls.len(), log[0].as_str()), (1, "run trunk"));
}

#[test]
fn a_confirmed_call_is_amended_all_the_same() {
    let (dialogue, ending, log) = once(&["! sunroof_in_rain"]);
    assert_eq!((ending.prompt.as_deref(), log.len()), (Some("It rains. Open it?"), 1));
    let (_, ending, log) = consent(dialogue, Consent::Yes, &["It opens."]);
    assert_eq!(log, ["run shade", "run sunroof_in_rain", "ask Withheld"]);
    assert_eq!(ending.status, AgentStatus::Completed);
}

#[test]
fn a_call_that_waits_for_a_yes_is_shown_to_the_model_beside_the_next_utterance() {
    let (dialogue, _, _) = once(&["! trunk {\"trunk\":\"rear\"}"]);
    let context = Some(r#"{"seat":"driver"}"#.to_owned());
    let turn = Turn::open(
        dialogue,
        Opening::Utterance,
        "no, the front one",
        context,
        TurnSettings::new("t", Lang::En, NOW),
    );
    let shown = r#"{"pending":{"confirm":{"arguments":{"trunk":"rear"},"tool":"trunk"}},"seat":"driver"}"#;
    assert!(
        turn.messages().contains(&Message::context(shown)),
        "{:?}",
        turn.messages()
    );
}

#[test]
fn what_code_hands_over_is_done_and_told_without_a_model() {
    let handed = |tool: &str| {
        let call = CallShape::new(tool, json!({}));
        play(open(fresh(), Opening::HandOver(call), "please"), &[], |turn| turn)
    };
    let (dialogue, ending, log) = handed("act");
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::Success, "act done.")
    );
    assert_eq!((outcomes(&ending), ending.rounds), (vec![("act", Outcome::Ok)], 0));
    assert!(log.iter().all(|step| !step.starts_with("ask")), "{log:?}");
    assert_eq!(dialogue.last_said(), Some("act done."));
    let (_, ending, _) = handed("broken");
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::Error, "It broke.")
    );
    let (held, ending, _) = handed("trunk");
    assert_eq!(ending.finish, FinishReason::Confirm);
    let (_, ending, _) = consent(held, Consent::Yes, &["It opens."]);
    assert_eq!(outcomes(&ending), [("trunk", Outcome::Ok)]);
}

#[test]
fn what_code_made_of_the_drivers_words_is_the_drivers_call() {
    let call = || CallShape::new("trunk", json!({}));
    for opening in [Opening::HandOver(call()), Opening::Accept(call())] {
        let turn = open(fresh(), opening, "yes");
        let directive = turn.directive();
        assert!(
            matches!(
                directive,
                Directive::Resolve {
                    origin: Origin::Driver,
                    ..
                }
            ),
            "{directive:?}"
        );
    }
}

#[test]
fn an_offer_stands_behind_the_answer_and_is_what_was_said_last() {
    let (mut dialogue, ..) = once(&["It is sunny."]);
    dialogue.say_more("Shall I open the sunroof?");
    assert_eq!(dialogue.last_said(), Some("It is sunny. Shall I open the sunroof?"));
    let mut silent = fresh();
    silent.say_more("Shall I?");
    assert_eq!(silent.last_said(), Some("Shall I?"));
}
