//! One way in for every method: JSON in, JSON out, listeners of the caller's own.

use crate::scenario::Scenario;
use crate::world::World;
use incar_core::{ErrorKind, FinishReason, Seat, Speaker, Timestamp, async_trait};
use incar_research::{
    FileName, LongTermMemory, MemoryStorage, Method, Progress, ProgressSender, ResearchAnswer, ResearchError,
    ResearchRequest, ResearchService, Researcher, Resources, Storage, StorageError,
};
use incar_sessions::{DurableSettings, DurableStore};
use incar_testkit::ScriptedModel;
use serde_json::json;
use std::sync::Arc;

fn scenario(name: &str) -> Scenario {
    let (_, scenario) = Scenario::all().into_iter().find(|(file, _)| file == name).unwrap();
    scenario
}

/// Asks as a program would: a line of JSON in, a line of JSON out.
async fn ask(service: &dyn ResearchService, request: serde_json::Value) -> Result<serde_json::Value, ResearchError> {
    let request: ResearchRequest = serde_json::from_value(request).unwrap();
    let answer = service.answer(&request, ProgressSender::default()).await?;
    let written = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        serde_json::from_value::<ResearchAnswer>(written.clone()).unwrap(),
        answer
    );
    Ok(written)
}

#[tokio::test]
async fn every_method_is_asked_and_answers_in_the_same_way() {
    for (file, method, normalized, confidence, abstained) in [
        ("001_one_tool.toml", "rounds", None, None, false),
        ("002_plan_to_report.toml", "deep", None, None, false),
        ("003_team_bridges.toml", "team", Some("19"), Some(0.75), false),
        ("003_team_never_calls.toml", "team", Some(""), Some(0.324), true),
        ("003_react_capital.toml", "react", Some("巴黎"), None, false),
    ] {
        let scenario = scenario(file);
        let world = World::new(&scenario);
        let first = &scenario.asks[0];
        let researcher = world.researcher(&scenario, world.scripted(&first.model));
        let answer = ask(&researcher, json!({"question": first.question, "method": method}))
            .await
            .unwrap();
        assert_eq!(answer["record"]["method"], method, "{file}");
        assert_eq!(answer["abstained"], abstained, "{file}");
        assert!(answer["answer"].as_str().is_some_and(|text| !text.is_empty()), "{file}");
        if let Some(normalized) = normalized {
            assert_eq!(answer["normalized"], normalized, "{file}");
        }
        let sure = answer["confidence"]
            .as_f64()
            .map(|sure| (sure * 1000.0).round() / 1000.0);
        assert_eq!(sure, confidence, "{file}");
        let run = serde_json::from_value(answer["record"]["id"].clone()).unwrap();
        let again = researcher.take_up(&run, ProgressSender::default()).await.unwrap();
        assert_eq!(
            serde_json::to_value(again).unwrap(),
            answer,
            "{file}: what ended is told again"
        );
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_told_whatever_the_method() {
    let scenario = scenario("003_react_unknown.toml");
    let world = World::new(&scenario);
    let researcher = world.researcher(&scenario, world.scripted(&[]));
    for method in [Method::Rounds, Method::Deep, Method::Team, Method::React] {
        for (question, kind) in [
            ("", ErrorKind::InvalidInput),
            (&"字".repeat(100_000), ErrorKind::InvalidInput),
        ] {
            let error = ask(&researcher, json!({"question": question, "method": method}))
                .await
                .unwrap_err();
            assert_eq!(error.kind(), kind, "{method:?}");
        }
        let error = ask(
            &researcher,
            json!({"question": "?", "method": method, "follows": "run-1"}),
        )
        .await
        .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{method:?}");
    }
    assert!(world.files().await.is_empty(), "nothing was begun");
}

/// Storage that lets others go on before it answers, as a disk does.
#[derive(Debug, Default)]
struct Slow(MemoryStorage);

#[async_trait]
impl Storage for Slow {
    async fn put(&self, name: &FileName, text: &str) -> Result<(), StorageError> {
        tokio::task::yield_now().await;
        self.0.put(name, text).await
    }

    async fn get(&self, name: &FileName) -> Result<Option<String>, StorageError> {
        tokio::task::yield_now().await;
        self.0.get(name).await
    }

    async fn remove(&self, name: &FileName) -> Result<(), StorageError> {
        tokio::task::yield_now().await;
        self.0.remove(name).await
    }

    async fn names(&self) -> Result<Vec<FileName>, StorageError> {
        tokio::task::yield_now().await;
        self.0.names().await
    }
}

#[tokio::test]
async fn the_same_question_twice_at_one_moment_is_two_runs() {
    for (file, method) in [
        ("001_one_tool.toml", Method::Rounds),
        ("002_plan_to_report.toml", Method::Deep),
        ("003_team_bridges.toml", Method::Team),
        ("003_react_capital.toml", Method::React),
    ] {
        let scenario = scenario(file);
        let world = World::new(&scenario);
        let first = &scenario.asks[0];
        let request = ResearchRequest::new(&first.question).by(method);
        let patient = world.researcher(&scenario, world.scripted(&[]));
        let shared = patient.resources().clone().with_storage(Arc::new(Slow::default()));
        let on = |model| Researcher::new(shared.clone().with_model(model));
        let one = on(world.scripted(&first.model));
        let other = on(world.scripted(&first.model));
        let (one, other) = futures_util::future::join(
            one.answer(&request, ProgressSender::default()),
            other.answer(&request, ProgressSender::default()),
        )
        .await;
        let (one, other) = (one.unwrap().record, other.unwrap().record);
        assert_ne!(one.id, other.id, "{file}");
        assert_eq!(one.answer, other.answer, "{file}");
    }
}

#[tokio::test]
async fn a_caller_hears_its_own_run_and_no_other() {
    let scenario = scenario("003_team_cycle.toml");
    let world = World::new(&scenario);
    let researcher = world.researcher(&scenario, world.scripted(&scenario.asks[0].model));
    let (mine, others) = (ProgressSender::default(), researcher.resources().listen());
    let mut listener = mine.listen();
    let request = ResearchRequest::new(&scenario.asks[0].question).by(Method::Team);
    researcher.answer(&request, mine).await.unwrap();
    let mut heard = Vec::new();
    while let Some(event) = listener.next().await {
        heard.push(event);
    }
    assert!(
        matches!(heard.first(), Some(Progress::Started { resumed: false, .. })),
        "{heard:?}"
    );
    let finished = Progress::Finished {
        reason: FinishReason::Done,
    };
    assert_eq!(heard.last(), Some(&finished), "{heard:?}");
    assert!(
        heard
            .iter()
            .any(|event| matches!(event, Progress::Planned { steps, .. } if steps.len() == 3))
    );
    let mut others = others;
    assert_eq!(others.try_next(), None);
}

/// A question after others: the last answer is in view.
#[tokio::test]
async fn a_question_that_follows_another_sees_its_answer() {
    for (file, method) in [("003_team_cycle.toml", "team"), ("003_react_capital.toml", "react")] {
        let scenario = scenario(file);
        let world = World::new(&scenario);
        let first = &scenario.asks[0];
        let researcher = world.researcher(&scenario, world.scripted(&first.model));
        let answer = ask(&researcher, json!({"question": first.question, "method": method}))
            .await
            .unwrap();
        let model = world.scripted(&["Answer: unknown".to_owned()].map(incar_testkit::ScriptedReply::Text));
        let researcher = world.researcher(&scenario, model.clone());
        let further = json!({"question": "还有呢？", "method": method, "follows": answer["record"]["id"]});
        // The team cannot use that reply; what it was asked counts here.
        let _came = ask(&researcher, further).await;
        let asked = model.take_asked();
        let said: String = asked[0].messages.iter().map(|message| message.content()).collect();
        for part in [&first.question, answer["answer"].as_str().unwrap()] {
            assert!(said.contains(part), "{file}: {part} is not in {said}");
        }
    }
}

/// Long-term memory on a store in a file: another process recalls what this one found.
#[tokio::test]
async fn the_team_recalls_what_it_found_before_the_car_was_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = scenario("003_team_cycle.toml");
    let holder = Speaker::new("car", Seat::Driver).holder();
    let mut plans = Vec::new();
    for _ in 0..2 {
        let store = DurableStore::open(
            folder.path().join("facts.redb"),
            DurableSettings::default(),
            Timestamp::default(),
        )
        .unwrap();
        let world = World::new(&scenario);
        let model: Arc<ScriptedModel> = world.scripted(&scenario.asks[0].model);
        let researcher = world.researcher(&scenario, model.clone());
        let memory = LongTermMemory::new(Arc::new(store), holder.clone());
        let resources: Resources = researcher.resources().clone().with_memory(memory);
        let question = &scenario.asks[0].question;
        let request = ResearchRequest::new(question).by(Method::Team);
        let researcher = Researcher::new(resources).with_team(scenario.team);
        researcher.answer(&request, ProgressSender::default()).await.unwrap();
        plans.push(model.take_asked()[0].messages[0].content().to_owned());
    }
    let recalled = "3加4再乘以2等于几个？ → 3加4再乘以2等于14。 (0.85)";
    assert_eq!(
        plans.iter().map(|plan| plan.contains(recalled)).collect::<Vec<_>>(),
        [false, true],
        "{plans:?}"
    );
}
