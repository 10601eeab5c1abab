//! Tools that wait for each other, break, never answer, or would act; and policies that refuse.

use incar_core::{
    Bilingual, ChatModel, Effect, ErrorKind, FinishReason, Lang, ManualClock, Outcome, PolicyDecision, PolicyGate,
    PolicyQuery, Resolved, Tool, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, async_trait,
};
use incar_core::{ModelStream, Refusal};
use incar_research::{ModelProfile, ResearchError, Researcher, Resources, RunRecord, ToolFault};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;

/// What a tool does when it is run.
#[derive(Debug, Clone)]
enum Does {
    Answers,
    /// Waits until the others are there too.
    Meets(Arc<Barrier>),
    Breaks,
    Hangs,
    /// Takes as long as a run may last, by this clock.
    Takes(Arc<ManualClock>),
}

struct Odd {
    spec: Arc<ToolSpec>,
    does: Does,
    /// What a call turns out to do once it is looked at.
    effect: Effect,
}

fn odd(name: &'static str, does: Does) -> Arc<dyn Tool> {
    tool(name, does, Effect::Read, Effect::Read)
}

fn tool(name: &'static str, does: Does, spec: Effect, effect: Effect) -> Arc<dyn Tool> {
    let spec = ToolSpec::new(name, ToolCategory::KNOWLEDGE, spec, Bilingual::new(name, name));
    Arc::new(Odd {
        spec: Arc::new(spec),
        does,
        effect,
    })
}

#[async_trait]
impl Tool for Odd {
    fn spec(&self) -> &Arc<ToolSpec> {
        &self.spec
    }

    fn resolve(&self, arguments: &Value, _: ToolContext<'_>) -> Result<Resolved, Refusal> {
        Ok(Resolved::new(arguments.clone(), self.effect))
    }

    async fn run(&self, _: &Value, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        match &self.does {
            Does::Answers => {}
            Does::Meets(others) => {
                others.wait().await;
            }
            Does::Breaks => panic!("the tool breaks"),
            Does::Hangs => std::future::pending().await,
            Does::Takes(clock) => clock.advance(Duration::from_secs(15 * 60)),
        }
        ToolOutput::new(json!({"done": true}))
    }
}

/// Refuses what it is named for.
#[derive(Debug)]
struct No;

impl PolicyGate for No {
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        match &*call.tool.name {
            "denied" => vec![PolicyDecision::Deny {
                policy: "no".into(),
                reason: "not that".into(),
            }],
            "confirmed" => vec![PolicyDecision::Confirm {
                policy: "ask".into(),
                question: "really?".into(),
            }],
            "warned" => vec![PolicyDecision::Warn {
                policy: "careful".into(),
                say: "careful".into(),
            }],
            _ => Vec::new(),
        }
    }
}

fn resources(model: Arc<dyn ChatModel>) -> Resources {
    Resources::new(model, Arc::new(ManualClock::default())).with_policies(Arc::new(No))
}

/// A model that calls these tools in one reply, answers, and plans where it is asked to.
fn calling(names: &[&str], deep: bool) -> Arc<ScriptedModel> {
    let model = ScriptedModel::default();
    if deep {
        let plan = json!({"knowledge_gaps": [{"text": "g", "kind": "required"}], "working_plan": ["a", "b", "c"]});
        model.push(ScriptedReply::Text(plan.to_string()));
    }
    let calls: Vec<Value> = names.iter().map(|name| json!({*name: {}})).collect();
    model.push(serde_json::from_value(json!({ "calls": calls })).unwrap());
    model.push(ScriptedReply::Text("done".into()));
    if deep {
        model.push(ScriptedReply::Text("report".into()));
    }
    Arc::new(model)
}

async fn run(tools: Vec<Arc<dyn Tool>>, deep: bool) -> RunRecord {
    let names: Vec<String> = tools.iter().map(|tool| tool.spec().name.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let researcher = Researcher::new(resources(calling(&names, deep)).with_tools(tools).unwrap());
    let came = if deep {
        researcher.deep_research("why?").await
    } else {
        researcher.research("why?").await
    };
    came.unwrap()
}

fn outcomes(record: &RunRecord) -> Vec<(&str, Outcome)> {
    record
        .tools
        .iter()
        .map(|used| (used.name.as_str(), used.outcome))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_calls_of_one_reply_run_beside_each_other() {
    for deep in [false, true] {
        let others = Arc::new(Barrier::new(3));
        let tools = ["a", "b", "c"].map(|name| odd(name, Does::Meets(others.clone())));
        let record = run(tools.to_vec(), deep).await;
        // Alone each would wait for the others until its time is up.
        assert_eq!(outcomes(&record), ["a", "b", "c"].map(|name| (name, Outcome::Ok)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_breaks_or_hangs_fails_alone() {
    for deep in [false, true] {
        let tools = vec![
            odd("breaks", Does::Breaks),
            odd("hangs", Does::Hangs),
            odd("works", Does::Answers),
        ];
        let record = run(tools, deep).await;
        assert_eq!(
            outcomes(&record),
            [
                ("breaks", Outcome::Error),
                ("hangs", Outcome::Error),
                ("works", Outcome::Ok)
            ]
        );
    }
}

#[tokio::test]
async fn what_policies_refuse_or_want_a_yes_for_does_not_run() {
    for deep in [false, true] {
        let tools = ["denied", "confirmed", "warned"].map(|name| odd(name, Does::Answers));
        let record = run(tools.to_vec(), deep).await;
        assert_eq!(
            outcomes(&record),
            [("warned", Outcome::Ok)],
            "nobody is there to say yes"
        );
    }
}

#[tokio::test]
async fn a_tool_that_acts_is_no_tool_of_research_and_a_call_that_turns_out_to_act_does_not_run() {
    let model = calling(&[], false);
    for effect in [Effect::Set, Effect::Act] {
        let refused = resources(model.clone()).with_tools([tool("acts", Does::Answers, effect, effect)]);
        assert_eq!(refused.unwrap_err(), ToolFault::Acts("acts".into()));
    }
    let twice = [odd("same", Does::Answers), odd("same", Does::Answers)];
    assert!(matches!(
        resources(model).with_tools(twice).unwrap_err(),
        ToolFault::Name(_)
    ));
    for deep in [false, true] {
        let record = run(vec![tool("sly", Does::Answers, Effect::Read, Effect::Act)], deep).await;
        assert_eq!(outcomes(&record), []);
    }
}

/// A model that never answers.
#[derive(Debug)]
struct Silent;

impl ChatModel for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn stream<'a>(&'a self, _: incar_core::ChatRequest<'a>) -> ModelStream<'a> {
        Box::pin(futures_util::stream::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_is_left_at_the_profiles_time() {
    let begun = tokio::time::Instant::now();
    let profile = ModelProfile::default().with_timeout(Duration::from_secs(7));
    let researcher = Researcher::new(resources(Arc::new(Silent)).with_profile(profile));
    match researcher.research("why?").await {
        Err(ResearchError::Model(error)) => assert!(error.kind == ErrorKind::Deadline && error.retryable),
        other => panic!("{other:?}"),
    }
    assert_eq!(begun.elapsed(), Duration::from_secs(7));
}

#[tokio::test]
async fn the_languages_of_question_and_run_are_the_same() {
    for (question, lang) in [("为什么？", Lang::Zh), ("why?", Lang::En), ("42", Lang::Zh)] {
        let researcher = Researcher::new(resources(calling(&[], false)));
        let came = researcher.research(question).await;
        assert_eq!(came.unwrap().lang, lang, "{question}");
    }
}

#[tokio::test]
async fn when_the_time_is_over_what_is_known_becomes_the_answer() {
    for deep in [false, true] {
        let clock = Arc::new(ManualClock::default());
        let resources = Resources::new(calling(&["slow"], deep), clock.clone())
            .with_tools([odd("slow", Does::Takes(clock))])
            .unwrap();
        let researcher = Researcher::new(resources);
        let came = if deep {
            researcher.deep_research("why?").await
        } else {
            researcher.research("why?").await
        };
        let record = came.unwrap();
        assert_eq!(record.finish, FinishReason::TimeLimit);
        assert_eq!(
            (record.answer.as_str(), outcomes(&record)),
            ("done", vec![("slow", Outcome::Ok)])
        );
        assert_eq!(record.ended.since(record.began), Duration::from_secs(15 * 60));
    }
}
