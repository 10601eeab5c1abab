//! A turn that is stopped at each of its steps: talked over, or out of time.

use super::*;

/// Turns, each with a conversation before it.
fn turns() -> Vec<(Turn, &'static [&'static str])> {
    const ASK: &str = r#"! ask_user {"question":"Which?","tool":"set_ac","slot":"x"}"#;
    let plain: &[&[&str]] = &[
        &["! read_1 | set_ac", "! act", "All done."],
        &["! sunroof", "! broken", "So so."],
        &["! set_ac | trunk"],
        &["! set_fan", ""],
        &[ASK],
        &["! door | bad | read", "Which one?"],
    ];
    let mut turns: Vec<_> = plain
        .iter()
        .map(|script| (open(fresh(), Opening::Utterance, "please"), *script))
        .collect();
    let (held, _, _) = once(&["! set_ac | trunk"]);
    turns.push((
        open(held.clone(), Opening::Consent(Consent::Yes), "yes"),
        &["It opens."],
    ));
    turns.push((open(held.clone(), Opening::Consent(Consent::No), "no"), &[]));
    turns.push((open(held, Opening::Utterance, "and the ac?"), &["! read", "It is on."]));
    turns
}

/// Stops every turn before each of its steps; `check` looks at the turn before that, and at what came of it.
fn at_every_step(stop: impl Fn(&mut Turn), check: impl Fn(&Turn, &Dialogue, &Ending)) {
    for (turn, script) in turns() {
        let mut steps = 0;
        play(turn.clone(), script, |turn| {
            steps += 1;
            turn
        });
        for step in 0..steps {
            let (mut at, mut before) = (0, None);
            let (dialogue, ending, _) = play(turn.clone(), script, |mut turn| {
                if at == step {
                    turn.advance(NOW);
                    before = Some(turn.clone());
                    stop(&mut turn);
                }
                at += 1;
                turn
            });
            let valid = History::try_from(dialogue.history().messages().to_vec());
            assert!(valid.is_ok(), "step {step} of {script:?}");
            if let Some(before) = before.filter(|turn| turn.directive() != Directive::Finish) {
                check(&before, &dialogue, &ending);
            }
        }
    }
}

#[test]
fn a_turn_that_is_talked_over_keeps_what_was_done_and_says_nothing_new() {
    at_every_step(
        |turn| turn.interrupt(CutOff::Unsaid),
        |before, dialogue, ending| {
            if ending.finish == FinishReason::Interrupted {
                let waits = dialogue.open_question().is_some();
                let expected = if waits {
                    AgentStatus::WaitingInput
                } else {
                    AgentStatus::Cancelled
                };
                assert_eq!(ending.status, expected);
            }
            let done = |calls: usize| calls <= ending.calls.len();
            assert!(done(before.records.len()), "nothing that was done is left out");
        },
    );
}

#[test]
fn what_had_come_of_a_reply_stays_marked_until_it_is_known_what_was_heard() {
    at_every_step(
        |turn| turn.interrupt(CutOff::SoFar("The sun")),
        |before, dialogue, ending| {
            if ending.finish != FinishReason::Interrupted {
                return;
            }
            let (at, reply) = dialogue.last_reply().unwrap();
            assert!(reply.interrupted);
            match &before.phase {
                Phase::Judge(whole) => assert_eq!(reply.content, whole.content),
                _ => assert_eq!(reply.content, "The sun"),
            }
            let mut cut = dialogue.clone();
            cut.cut(at, "The".into());
            assert_eq!(cut.last_reply().unwrap().1.content, "The");
            assert_eq!(cut.history().messages().len(), dialogue.history().messages().len());
        },
    );
}

#[test]
fn a_turn_that_is_out_of_time_ends_in_an_error_that_tells_what_was_done() {
    at_every_step(Turn::out_of_time, |before, _, ending| {
        if before.only_words && !before.records.is_empty() || ending.finish != FinishReason::TimeLimit {
            // A question, a refusal or a confirmed call that ran says it all.
            return;
        }
        let error = ending.error.as_ref().unwrap();
        assert_eq!((ending.status, error.kind), (AgentStatus::Error, ErrorKind::Deadline));
        for record in before
            .records
            .iter()
            .filter(|record| !record.spoken && record.policy.is_none())
        {
            let said = record.result.say.as_deref().unwrap_or_default();
            assert!(ending.message.contains(said), "{}", ending.message);
        }
    });
}

#[test]
fn calls_that_had_not_begun_at_the_deadline_are_reported_as_cancelled() {
    let mut turn = open(fresh(), Opening::Utterance, "please");
    turn.advance(NOW);
    turn.model_replied(reply("! set_ac | act"));
    turn.out_of_time();
    let (_, ending) = turn.into_end();
    assert_eq!(
        outcomes(&ending),
        [("set_ac", Outcome::Cancelled), ("act", Outcome::Cancelled)]
    );
    assert_eq!(ending.finish, FinishReason::TimeLimit);
}

#[test]
fn a_question_that_was_not_heard_is_so_until_it_is_asked_again() {
    let (mut dialogue, _, _) = once(&["! trunk"]);
    dialogue.leave_unheard();
    let json = dialogue.to_json().unwrap();
    assert!(Dialogue::from_json(&json).unwrap().is_unheard());
    let (dialogue, _, _) = play(open(dialogue, Opening::Repeat, ""), &[], |turn| turn);
    assert!(!dialogue.is_unheard());
    let mut nothing = fresh();
    nothing.leave_unheard();
    assert!(!nothing.is_unheard(), "nothing was asked");
}
