//! What goes to the model: every place of every prompt is filled, in every request of every scenario.

use crate::scenario::Scenario;
use crate::world::{self, World};
use std::collections::BTreeSet;

/// Words in braces, which no JSON has: places that nobody filled.
fn unfilled(text: &str) -> Vec<&str> {
    let after = text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
    after
        .filter(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
        .collect()
}

#[tokio::test]
async fn no_request_has_an_empty_place_and_every_conversation_begins_with_what_was_asked() {
    let mut systems = BTreeSet::new();
    for (name, scenario) in Scenario::all() {
        let world = World::new(&scenario);
        let Some(first) = scenario.asks.first() else {
            panic!("{name}")
        };
        let model = world.scripted(&first.model);
        let researcher = world.researcher(&scenario, model.clone());
        // What comes of it is another test's.
        let _came = world::begin(&researcher, &scenario, &first.question).await;
        for (number, request) in model.take_asked().iter().enumerate() {
            let place = format!("{name}, request {}", number + 1);
            assert!(!request.system.is_empty(), "{place}");
            assert_eq!(unfilled(&request.system), Vec::<&str>::new(), "{place}");
            for message in &request.messages {
                if let incar_core::Message::User(text) = message {
                    assert_eq!(unfilled(&text.content), Vec::<&str>::new(), "{place}");
                }
            }
            let begins = request.messages.first();
            assert!(
                matches!(begins, Some(incar_core::Message::User(_))),
                "{place}: {begins:?}"
            );
            systems.insert(request.system.lines().next().unwrap_or_default().to_owned());
        }
    }
    // Rounds, decompose, reason, extend, suffice, summarize, reflect, report; some of them in English too.
    assert!(systems.len() >= 8 + 4, "{systems:#?}");
}
