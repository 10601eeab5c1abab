//! Typed answers, mended once.

use super::*;
use crate::testing::{now, run_with};
use incar_core::ErrorKind;
use incar_testkit::{ScriptedModel, ScriptedReply};
use std::sync::Arc;

/// A plan.
#[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
struct Plan {
    /// What to do, in order.
    #[schemars(length(min = 3, max = 5))]
    steps: Vec<String>,
}

const GOOD: &str = r#"{"steps":["a","b","c"]}"#;

/// Asks a model that replies so; returns the answer, and what it was asked each time.
async fn ask(replies: &[&str]) -> (Asked<Plan>, Vec<incar_testkit::Asked>) {
    let model = Arc::new(ScriptedModel::default());
    for reply in replies {
        model.push(ScriptedReply::Text((*reply).to_owned()));
    }
    let messages = [Message::user("plan it")];
    let question = Question {
        run: "r",
        system: "You plan.",
        messages: &messages,
        lang: Lang::En,
    };
    let judge = |plan: &Plan| {
        plan.steps
            .contains(&"bad".to_owned())
            .then(|| "`bad` is no step".to_owned())
    };
    let asked = run_with(model.clone(), now()).ask(question, judge).await;
    (asked, model.take_asked())
}

#[tokio::test]
async fn a_model_is_shown_the_schema_and_its_answer_is_found_in_what_it_says() {
    for reply in [
        GOOD.to_owned(),
        format!("```json\n{GOOD}\n```"),
        format!("Sure! {{so}} {GOOD} Anything else?"),
        format!(r#"An example is {{"steps":["x"]}}. Mine: {GOOD}"#),
    ] {
        let (asked, requests) = ask(&[&reply]).await;
        assert_eq!(asked.answer.unwrap().steps, ["a", "b", "c"], "{reply}");
        assert!(asked.usage.output_tokens > 0);
        let [request] = requests.as_slice() else {
            panic!("{requests:?}")
        };
        for part in [
            "You plan.",
            r#""minItems":3"#,
            r#""maxItems":5"#,
            "What to do, in order.",
        ] {
            assert!(request.system.contains(part), "{}", request.system);
        }
        assert_eq!(request.tools, None);
    }
}

#[tokio::test]
async fn what_is_no_answer_is_shown_to_the_model_once_with_the_fault() {
    for (reply, fault) in [
        ("I would rather talk.", "there is no JSON object"),
        (r#"{"steps":["a","b","c"}"#, "the JSON cannot be read"),
        (r#"{"steps":["a"]}"#, "`steps` must have 3 to 5 items, not 1"),
        (r#"{"steps":"a, b, c"}"#, "`steps` must be of type array"),
        (r#"{"plan":["a","b","c"]}"#, "the required argument `steps` is missing"),
        (r#"{"steps":["a","b","bad"]}"#, "`bad` is no step"),
    ] {
        let (asked, requests) = ask(&[reply, GOOD]).await;
        assert!(asked.answer.is_ok(), "{reply}");
        let [_, repair] = requests.as_slice() else {
            panic!("{requests:?}")
        };
        let [question, shown, told] = repair.messages.as_slice() else {
            panic!("{:?}", repair.messages)
        };
        assert_eq!((question.content(), shown.content()), ("plan it", reply));
        assert!(told.content().contains(fault), "{}", told.content());
    }
}

#[tokio::test]
async fn a_second_reply_that_cannot_be_used_is_an_error_that_says_why() {
    let (asked, requests) = ask(&["no", "still no"]).await;
    assert_eq!(
        asked.answer,
        Err(AskError::Unusable {
            fault: "there is no JSON object".into(),
            reply: "still no".into()
        })
    );
    assert_eq!(requests.len(), 2, "there is one try to mend it");
    assert!(asked.usage.total() > 0, "what it cost is counted all the same");
}

#[tokio::test]
async fn a_model_that_does_not_answer_is_another_error() {
    let (asked, _) = ask(&["no"]).await;
    match asked.answer {
        Err(AskError::Model(error)) => assert_eq!(error.kind, ErrorKind::ModelRejected),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_empty_reply_is_not_repeated_to_the_model() {
    let (asked, requests) = ask(&["", GOOD]).await;
    assert!(asked.answer.is_ok());
    assert_eq!(requests.last().unwrap().messages.len(), 2);
}
