use super::*;
use crate::id::FileName;
use crate::progress::PlanStep;
use crate::record::RunRecord;
use crate::testing::{now, run_with};
use incar_core::{Bilingual, Effect, ModelError, Seat, Speaker, ToolCategory};
use incar_testkit::{ScriptedModel, ScriptedReply};
use std::sync::Mutex;

/// Answers what it is made with, and notes how it was asked.
#[derive(Debug)]
struct Service {
    answer: Result<ResearchAnswer, ResearchError>,
    tells: Vec<Progress>,
    /// The runs that it knows.
    known: Vec<RunId>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl ResearchService for Service {
    async fn answer(
        &self,
        request: &ResearchRequest,
        progress: ProgressSender,
    ) -> Result<ResearchAnswer, ResearchError> {
        self.asked.lock().unwrap().push(format!("answer {}", request.question));
        self.tells.iter().cloned().for_each(|event| progress.send(event));
        tokio::task::yield_now().await;
        self.answer.clone()
    }

    async fn take_up(&self, run: &RunId, _: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
        self.asked.lock().unwrap().push(format!("take up {run}"));
        match self.known.contains(run) {
            true => self.answer.clone(),
            false => Err(ResearchError::UnknownRun(run.clone())),
        }
    }
}

fn answer(text: &str) -> ResearchAnswer {
    let record: RunRecord = serde_json::from_value(json!({
        "id": "r1", "method": "rounds", "question": "q", "lang": "zh", "answer": text,
        "sources": [{"number": 1, "title": "充电", "url": "incar://corpus/charging", "excerpt": "", "call": "c1"}],
        "cited": [1], "removed_citations": 0, "finish": "done",
        "spent": crate::budget::Spent::default(), "tools": [], "began": now(), "ended": now(),
    }))
    .unwrap();
    ResearchAnswer::of(record, crate::answer::AnswerKind::Text)
}

fn service(answer: Result<ResearchAnswer, ResearchError>) -> Service {
    Service {
        answer,
        tells: Vec::new(),
        known: Vec::new(),
        asked: Mutex::default(),
    }
}

fn navigation() -> Arc<ToolSpec> {
    let mut spec = ToolSpec::new(
        "start_navigation",
        ToolCategory::NAVIGATION,
        Effect::Act,
        Bilingual::new("导航去一个地方", "Navigate to a place"),
    );
    spec.parameters = json!({
        "type": "object", "properties": {"destination": {"type": "string"}}, "required": ["destination"],
        "additionalProperties": false,
    });
    Arc::new(spec)
}

/// What comes of a task, and what was told on the way.
async fn research(
    service: Service,
    script: &[ScriptedReply],
    task: ResearchTask,
) -> (
    Result<ResearchFindings, ResearchFailure>,
    Vec<ResearchProgress>,
    Vec<String>,
) {
    let model = Arc::new(ScriptedModel::default());
    script.iter().cloned().for_each(|reply| model.push(reply));
    let service = Arc::new(service);
    let in_car = InCar::new(service.clone(), run_with(model, now())).proposing([navigation()]);
    let told = Mutex::new(Vec::new());
    let listener = |progress: ResearchProgress| told.lock().unwrap().push(progress);
    let outcome = in_car.research(&task, &listener).await;
    let asked = service.asked.lock().unwrap().clone();
    (outcome, told.into_inner().unwrap(), asked)
}

fn task() -> ResearchTask {
    ResearchTask::new("job-1", "哪家充电最便宜", Lang::Zh, Speaker::new("car", Seat::Driver))
}

fn says(brief: Value) -> ScriptedReply {
    ScriptedReply::Text(brief.to_string())
}

const ANSWER: &str = "# 充电\n\n嘉兴服务区**最便宜**，一度一块二[1]。\n\n别处贵一些。";

#[tokio::test]
async fn the_driver_hears_a_brief_and_sees_the_sources() {
    let brief = json!({
        "spoken": "嘉兴服务区最便宜。",
        "actions": [{"tool": "start_navigation", "arguments": {"destination": "嘉兴服务区"}}],
    });
    let (outcome, ..) = research(service(Ok(answer(ANSWER))), &[says(brief)], task()).await;
    let findings = outcome.unwrap();
    assert_eq!(findings.spoken, "嘉兴服务区最便宜。");
    assert!(findings.display.unwrap().contains("[1] 充电 — incar://corpus/charging"));
    let call = CallShape::new("start_navigation", json!({"destination": "嘉兴服务区"}));
    assert_eq!(findings.actions, [call]);
}

#[tokio::test]
async fn a_brief_that_may_not_be_spoken_or_proposed_is_mended_once_and_else_the_answer_is_read() {
    let good = json!({"spoken": "嘉兴最便宜。", "actions": []});
    let call =
        |tool: &str, arguments: Value| json!({"spoken": "好。", "actions": [{"tool": tool, "arguments": arguments}]});
    let bad = [
        json!({"spoken": " ", "actions": []}),
        json!({"spoken": "嘉兴最便宜[1]。", "actions": []}),
        json!({"spoken": "见 https://example.com", "actions": []}),
        json!({"spoken": "长".repeat(500), "actions": []}),
        call("open_trunk", json!({})),
        call("start_navigation", json!({})),
        call("start_navigation", json!({"destination": "嘉兴", "fast": true})),
    ];
    for bad in bad {
        let (outcome, ..) = research(
            service(Ok(answer(ANSWER))),
            &[says(bad.clone()), says(good.clone())],
            task(),
        )
        .await;
        assert_eq!(outcome.unwrap().spoken, "嘉兴最便宜。", "{bad}");
        let (outcome, ..) = research(
            service(Ok(answer(ANSWER))),
            &[says(bad.clone()), says(bad.clone())],
            task(),
        )
        .await;
        let findings = outcome.unwrap();
        assert_eq!(
            (findings.spoken.as_str(), findings.actions.len()),
            ("嘉兴服务区最便宜，一度一块二。", 0),
            "{bad}"
        );
    }
}

#[tokio::test]
async fn what_the_service_tells_is_told_in_words_for_the_driver() {
    let mut service = service(Ok(answer(ANSWER)));
    let steps = |states: &[StepState]| {
        let steps = states.iter().map(|state| {
            let mut step = PlanStep::new("一步");
            step.state = *state;
            step
        });
        steps.collect::<Vec<_>>()
    };
    service.tells = vec![
        Progress::Started {
            id: RunId::new("r1").unwrap(),
            question: "q".into(),
            resumed: false,
        },
        Progress::Planned {
            objective: "q".into(),
            depth: 1,
            steps: steps(&[StepState::Done, StepState::Failed, StepState::Running, StepState::Open]),
        },
        Progress::Planned {
            objective: "below".into(),
            depth: 2,
            steps: steps(&[StepState::Open]),
        },
        Progress::Called {
            tool: "search_web".into(),
            about: "充电价格".into(),
        },
        Progress::Wrote {
            file: FileName::new("r1_report.md").unwrap(),
        },
    ];
    let (_, told, _) = research(service, &[], task()).await;
    let last = told.last().unwrap();
    assert_eq!((told.len(), last.run.as_deref()), (3, Some("r1")));
    assert_eq!((last.doing.as_str(), last.done, last.planned), ("查“充电价格”", 2, 4));
}

#[tokio::test]
async fn a_run_is_taken_up_and_begins_anew_where_nothing_is_left_of_it() {
    for (run, known, asked) in [
        (Some("r1"), true, vec!["take up r1"]),
        (Some("r1"), false, vec!["take up r1", "answer 哪家充电最便宜"]),
        (Some("../r1"), false, vec!["answer 哪家充电最便宜"]),
        (None, true, vec!["answer 哪家充电最便宜"]),
    ] {
        let mut service = service(Ok(answer(ANSWER)));
        if known {
            service.known.push(RunId::new("r1").unwrap());
        }
        let mut task = task();
        task.run = run.map(str::to_owned);
        assert_eq!(research(service, &[], task).await.2, asked, "{run:?} {known}");
    }
}

#[tokio::test]
async fn a_failure_is_told_by_its_kind_and_in_words() {
    for (error, kind, said) in [
        (ResearchError::NoQuestion, ErrorKind::InvalidInput, "没有听清要查什么。"),
        (
            ResearchError::Model(ModelError::unavailable("connection refused")),
            ErrorKind::ModelUnavailable,
            "现在连不上查询的服务。",
        ),
        (
            ResearchError::Model(ModelError::rejected("no")),
            ErrorKind::ModelRejected,
            "查询的服务没有给出能用的结果。",
        ),
    ] {
        let (outcome, ..) = research(service(Err(error)), &[], task()).await;
        let failure = outcome.unwrap_err();
        assert_eq!((failure.kind, failure.message.as_str()), (kind, said));
    }
}

#[test]
fn an_answer_without_words_is_no_answer() {
    for (text, abstained, spoken) in [
        ("", false, "没有查到可靠的答案。"),
        ("# 只有标题", false, "没有查到可靠的答案。"),
        ("可能是嘉兴。", true, "没有查到可靠的答案。"),
        ("是嘉兴【1】。", false, "是嘉兴。"),
    ] {
        assert_eq!(beginning(text, abstained, Lang::Zh), spoken, "{text}");
    }
}
