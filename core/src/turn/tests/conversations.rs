//! Conversations drawn at random.

use super::*;
use proptest::prelude::*;

fn any_reply() -> impl Strategy<Value = String> {
    let call = prop_oneof![
        Just("read_a".to_owned()),
        Just("set_a {\"x\":1}".to_owned()),
        Just("act".to_owned()),
        Just("trunk".to_owned()),
        Just("door".to_owned()),
        Just("broken".to_owned()),
        Just("bad".to_owned()),
        Just("sunroof".to_owned()),
        Just("read_b not json".to_owned()),
        Just(ASK_WINDOW.to_owned()),
        Just("table {\"day\":5}".to_owned()),
        Just("table {\"people\":2}".to_owned()),
    ];
    prop_oneof![
        3 => prop::collection::vec(call, 1..4).prop_map(|calls| format!("! {}", calls.join(" | "))),
        1 => Just("Done.".to_owned()), 1 => Just("Which one?".to_owned()), 1 => Just("declined: no".to_owned()),
        1 => Just("down".to_owned()), 1 => Just(String::new()),
    ]
}

fn any_opening() -> impl Strategy<Value = Opening> {
    prop_oneof![
        4 => Just(Opening::Utterance), 1 => Just(Opening::Consent(Consent::Yes)),
        1 => Just(Opening::Consent(Consent::No)), 1 => Just(Opening::CallOff), 1 => Just(Opening::Repeat),
        1 => Just(Opening::Steer), 1 => Just(Opening::TurnDown), 1 => Just(Opening::Accept(CallShape::new("trunk", json!({})))),
        1 => Just(Opening::HandOver(CallShape::new("trunk", json!({})))),
        1 => Just(Opening::Instead { called_off: "no".into(), wish: "x".into() }),
    ]
}

/// The opening that code could really choose, given what is open.
fn fitting(opening: Opening, dialogue: &Dialogue) -> Opening {
    match (opening, dialogue.open_question()) {
        (opening @ (Opening::Accept(_) | Opening::TurnDown), None) | (opening @ Opening::HandOver(_), _) => opening,
        (Opening::Utterance | Opening::Accept(_) | Opening::TurnDown, Some(_)) | (_, None) => Opening::Utterance,
        (Opening::Consent(_), Some(OpenQuestion::Value | OpenQuestion::Words)) => Opening::Utterance,
        (Opening::Steer, _) if dialogue.waiting_tool() != Some("table") => Opening::Utterance,
        (opening, Some(_)) => opening,
    }
}

proptest! {
    /// Whatever model and driver do: the machine ends, its history is valid at every step, it can be
    /// written and read at every step without a difference, and what waits is asked.
    #[test]
    fn any_conversation_is_valid_and_survives_being_written_down_at_every_step(
        turns in prop::collection::vec((any_opening(), prop::collection::vec(any_reply(), 7..8)), 1..5)
    ) {
        let (mut straight, mut broken) = (fresh(), fresh());
        for (opening, script) in &turns {
            let opening = fitting(opening.clone(), &straight);
            let script: Vec<&str> = script.iter().map(String::as_str).collect();
            let a = play(open(straight, opening.clone(), "x"), &script, |turn| turn);
            let b = play(open(broken, opening.clone(), "x"), &script, |turn| {
                let json = serde_json::to_string(&turn).unwrap();
                let read: Turn = serde_json::from_str(&json).unwrap();
                assert_eq!(read, turn);
                assert!(History::try_from(read.messages().to_vec()).is_ok());
                read
            });
            prop_assert_eq!(&a, &b);
            prop_assert_eq!(a.1.status == AgentStatus::WaitingInput, a.1.prompt.is_some() && a.1.error.is_none());
            prop_assert!(!a.1.message.is_empty());
            if a.1.status != AgentStatus::Error {
                prop_assert_eq!(a.1.status == AgentStatus::WaitingInput, a.0.open_question().is_some());
            }
            let json = b.0.to_json().unwrap();
            (straight, broken) = (a.0, Dialogue::from_json(&json).unwrap());
            prop_assert_eq!(&straight, &broken);
        }
    }

    /// A confirmation's call runs only on a yes, and once.
    #[test]
    fn a_held_call_runs_only_on_a_yes(openings in prop::collection::vec(any_opening(), 1..8)) {
        let (mut dialogue, _, _) = once(&["! trunk"]);
        for opening in openings {
            let opening = fitting(opening.clone(), &dialogue);
            let held = dialogue.open_question() == Some(OpenQuestion::Confirm);
            let (next, ending, _) = play(open(dialogue, opening.clone(), "x"), &["declined: ?"], |turn| turn);
            let ran = outcomes(&ending).contains(&("trunk", Outcome::Ok));
            prop_assert_eq!(ran, held && opening == Opening::Consent(Consent::Yes));
            dialogue = next;
        }
    }
}
