//! Turns that say anything, cut off anywhere: what was not heard is never remembered.

use crate::barge_in::paced;
use crate::paced::{Paced, lines};
use futures_util::StreamExt;
use incar::{SentenceKind, TurnEvent, Utterance};
use proptest::prelude::*;
use serde_json::json;

/// A turn of up to three replies, and how much of all that it says is spoken.
#[derive(Debug, Clone)]
struct Spoken {
    progress: Vec<String>,
    last: String,
    asks: bool,
    share: usize,
}

fn any_spoken() -> impl Strategy<Value = Spoken> {
    let text = |words: &'static [&'static str]| {
        let words = prop::sample::select(words);
        prop::collection::vec(words, 1..8).prop_map(|words| words.join(" "))
    };
    // One sentence beside a call: more than one are taken back as a reply first.
    let progress = text(&["The", "sun", "好的", "，", "22.5", " ", "**now**", "it's"]);
    let last = text(&[
        "The", "sun", "好的", "，", "22.5", "。", ". ", " ", "**now**", "!", "it's",
    ]);
    let parts = (prop::collection::vec(progress, 0..3), last, any::<bool>(), 0usize..=100);
    parts.prop_map(|(progress, last, asks, share)| Spoken {
        progress,
        last,
        asks,
        share,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_was_not_heard_is_never_remembered_and_the_conversation_stays_valid(spoken in any_spoken()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let model = Paced::new();
            let setup = paced(&model);
            for progress in &spoken.progress {
                model.reply().say(progress).call("look");
            }
            let question = json!({"question": "Which one?", "tool": "set", "slot": "what"});
            let last = model.reply();
            last.say(&spoken.last);
            if spoken.asks {
                last.ask(&question.to_string());
            } else {
                last.stop();
            }
            let events: Vec<TurnEvent> = setup.assistant.handle_streaming(Utterance::new("go")).collect().await;
            let Some(TurnEvent::Done { response }) = events.last() else { panic!("{events:?}") };
            let from = events.iter().rposition(|event| *event == TurnEvent::Retracted).map_or(0, |at| at + 1);
            let is_said = |(at, event): (usize, &TurnEvent)| match event {
                TurnEvent::Sentence { text, kind } if at >= from || *kind == SentenceKind::Progress => Some(text.clone()),
                _ => None,
            };
            let told: String = events.iter().enumerate().filter_map(is_said).collect();
            let heard: String = told.chars().take(told.chars().count() * spoken.share / 100).collect();
            let outcome = setup.assistant.interrupt(&response.turn_id, &heard).await.unwrap();
            let sounding = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).count();
            model.replies("Fine.");
            setup.assistant.handle(Utterance::new("something quite different")).await;
            // `seen` checks that it is valid.
            let remembered: usize = lines(&model.seen())
                .iter()
                .filter_map(|line| line.strip_prefix("said: ").or_else(|| line.strip_prefix("cut: ")))
                .map(sounding)
                .sum();
            prop_assert!(remembered <= sounding(&heard), "{outcome:?} {heard:?} {:?}", lines(&model.seen()));
            Ok(())
        })?;
    }
}
