//! Models that reply anything at all: every run ends, within its budget, and ends the same wherever its process died.

use crate::crash::{Deadly, Death};
use crate::scenario::Scenario;
use crate::world::{self, World};
use futures_util::{StreamExt, stream};
use incar_core::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelFinish, ModelStream, ToolCall};
use incar_research::{MemoryStorage, ResearchError, Researcher, RunId, RunRecord};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Replies by chance, but always the same to the same request.
#[derive(Debug)]
struct Whim {
    seed: u64,
    asked: AtomicUsize,
}

/// What a model may say in words: answers of every kind, and none.
fn texts() -> Vec<String> {
    let gap = json!({"text": "多长", "kind": "required"});
    let url = "incar://corpus/duku-zh";
    let answers = [
        json!({"knowledge_gaps": [gap], "working_plan": ["查", "核对", "汇总"]}),
        json!({"reasoning": "够", "need_more_information": false}),
        json!({"reasoning": "不够", "need_more_information": true, "url": url, "subtask": "再查"}),
        json!({"reasoning": "不够", "need_more_information": true, "subtask": "再查"}),
        json!({"reasoning": "不够", "is_sufficient": false}),
        json!({"reasoning": "够", "is_sufficient": true}),
        json!({"reasoning": "换", "remedy": "rephrase", "step": 1, "text": "换个说法"}),
        json!({"reasoning": "拆", "remedy": "decompose", "step": 2, "text": "细查"}),
        json!({"reasoning": "算了", "remedy": "neither", "step": 3}),
    ];
    let quote = json!([{"source": 1, "quote": "独库公路"}]);
    let team = [
        json!({"steps": [{"id": "a", "task": "查"}, {"id": "b", "task": "算", "after": ["a"]}, {"id": "c", "task": "汇总"}]}),
        json!({"steps": [{"id": "d", "task": "查"}, {"id": "e", "task": "算", "after": ["d", "a"]}]}),
        json!({"call": {"tool": "search_web", "arguments": {"query": "独库公路", "count": 1}}}),
        json!({"call": {"tool": "search_web", "arguments": {"query": "xyzzy"}}}),
        json!({"call": {"tool": "calculate", "arguments": {"expression": "1+1"}}}),
        json!({"finding": {"answer": "独库公路长561公里", "value": "561公里", "about": "独库公路的长度", "evidence": quote}}),
        json!({"finding": {"answer": "2", "value": "2", "events": [{"what": "建", "when": "1983"}, {"what": "修", "when": "1974"}]}}),
        json!({"stuck": "查不到"}),
        json!({"sources": [{"source": 1, "stance": "refutes", "value": "700公里", "quote": "独库公路"}]}),
        json!({"sources": [{"source": 2, "stance": "supports", "quote": "公路"}, {"source": 9, "stance": "silent"}]}),
        json!({"known": true, "answer": "561公里[1][9]", "value": "561公里", "steps": ["a"]}),
    ];
    let react = [
        "Thought: t\nAction: search_web|独库公路",
        "Action: calculate|1+1\nObservation: 3\nAnswer: 3",
        "Thought: t\nAction: None",
        "Answer: 561公里",
    ];
    let words = ["", "五百六十一公里[1]。", "不知道[9]", "{", "{}"];
    let answers = answers.iter().map(Value::to_string);
    let team = team.iter().map(Value::to_string);
    let words = words.into_iter().chain(react).map(str::to_owned);
    answers.chain(team).chain(words).collect()
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("search_web", json!({"query": "独库公路", "count": 2})),
        ("search_web", json!({"query": "国道318", "count": 1})),
        ("search_web", json!({"query": "xyzzy"})),
        ("search_web", json!({})),
        ("read_page", json!({"url": "incar://corpus/duku-zh"})),
        ("read_page", json!({"url": "https://nowhere.example/"})),
        ("calculate", json!({"expression": "1+1"})),
        ("open_window", json!({})),
        (
            "summarize_intermediate_results",
            json!({"done_steps": [1, 7], "closed_gaps": [1]}),
        ),
        ("reflect_failure", json!({"trouble": "查不到"})),
        ("finish_subtask", json!({"done_steps": [2]})),
        ("finish_subtask", json!({"done_steps": "all"})),
    ]
}

impl ChatModel for Whim {
    fn name(&self) -> &str {
        "whim"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let chance = |salt: u64, of: usize| {
            let mut hasher = DefaultHasher::new();
            (self.seed, salt, request.system, format!("{:?}", request.messages)).hash(&mut hasher);
            usize::try_from(hasher.finish() % of as u64).unwrap()
        };
        let mut events = Vec::new();
        if request.tools.is_some() && chance(0, 5) > 0 {
            let all = calls();
            for number in 0..=chance(1, 3) {
                let (name, arguments) = &all[chance(2 + number as u64, all.len())];
                let call = ToolCall::new(format!("call_{number}"), *name, arguments.to_string());
                events.push(Ok(ModelEvent::ToolCall(call)));
            }
            events.push(Ok(ModelEvent::Finish(ModelFinish::ToolCalls)));
        } else if chance(9, 40) == 0 {
            events.push(Err(ModelError::unavailable("by chance")));
        } else {
            let all = texts();
            // In half of the cases an answer of the kind that was asked for.
            let fits = |text: &&String| {
                let keys = [
                    "working_plan",
                    "need_more_information",
                    "is_sufficient",
                    "remedy",
                    "steps",
                    "finding",
                    "call",
                    "stance",
                    "known",
                ];
                let asks = |key: &str| {
                    request.system.contains(&format!("\"{key}\":")) && text.contains(&format!("\"{key}\":"))
                };
                keys.into_iter().any(asks) || request.system.contains("Action: None") && text.contains("Action")
            };
            let fitting: Vec<&String> = all.iter().filter(fits).collect();
            let text = match fitting.as_slice() {
                [] => &all[chance(10, all.len())],
                fitting if chance(11, 2) == 0 => fitting[chance(12, fitting.len())],
                _ => &all[chance(13, all.len())],
            };
            events.push(Ok(ModelEvent::Text(text.clone())));
            events.push(Ok(ModelEvent::Finish(ModelFinish::Stop)));
        }
        stream::iter(events).boxed()
    }
}

fn scenario(method: &str) -> Scenario {
    let text = format!("about = \"chance\"\nmethod = \"{method}\"\nask = []\nbudget = {{ rounds = 6, calls = 9 }}");
    toml::from_str(&text).unwrap()
}

const QUESTION: &str = "独库公路有多长？";

/// A researcher whose process dies at a writing.
fn researcher(scenario: &Scenario, seed: u64, storage: Arc<Deadly>) -> (Researcher, Arc<Whim>) {
    let model = Arc::new(Whim {
        seed,
        asked: AtomicUsize::new(0),
    });
    (
        World::with_storage(scenario, storage).researcher(scenario, model.clone()),
        model,
    )
}

/// Errors without what names the run.
fn told(came: &Result<RunRecord, ResearchError>) -> Result<RunRecord, String> {
    came.clone().map_err(|error| error.to_string())
}

async fn check(method: &str, seed: u64, at: usize, death: Death) -> Result<(), TestCaseError> {
    let scenario = scenario(method);
    let (whole, model) = researcher(
        &scenario,
        seed,
        Arc::new(Deadly::new(Arc::default(), usize::MAX, death)),
    );
    let whole = world::begin(&whole, &scenario, QUESTION).await;
    // Each round brings a few requests about what it found, each of which may be mended once, and a report or two.
    let asked = model.asked.load(Ordering::SeqCst);
    prop_assert!(asked <= 60, "{} requests", asked);
    if let Ok(record) = &whole {
        prop_assert!(
            // What the steps of a plan found is put together once more after the bound.
            record.spent.rounds <= 7 && record.spent.calls <= 9,
            "{:?}",
            record.spent
        );
        prop_assert!(record.cited_sources().count() == record.cited.len());
    }
    let kept: Arc<MemoryStorage> = Arc::default();
    let dying = Arc::new(Deadly::new(kept.clone(), at, death));
    let (first, _) = researcher(&scenario, seed, dying);
    let died = world::begin(&first, &scenario, QUESTION).await;
    let living = Arc::new(Deadly::new(kept.clone(), usize::MAX, death));
    let (second, _) = researcher(&scenario, seed, living);
    let ids: Vec<RunId> = second.unfinished().await.unwrap();
    let again = match (died, ids.as_slice()) {
        (Err(ResearchError::Storage(_)), [id]) => second.resume(id).await,
        // It ended before it died, was over when it did, or was lost before anything was kept.
        _ => return Ok(()),
    };
    prop_assert_eq!(told(&again), told(&whole));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_a_model_replies_a_run_ends_and_ends_the_same_after_a_crash(
        method in prop::sample::select(vec!["rounds", "deep", "team", "react"]),
        seed in any::<u64>(), at in 0usize..14, before in any::<bool>()
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let death = if before { Death::Before } else { Death::After };
        runtime.block_on(check(method, seed, at, death))?;
    }
}
