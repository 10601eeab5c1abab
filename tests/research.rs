//! Background research in the car: dialogues in files, and what only a clock or a second process shows.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar::{
    AgentResponse, Assistant, BackgroundAgent, JobState, NoticeWhen, Record, RecordStore, ResearchFailure,
    ResearchFindings, ResearchListener, ResearchProgress, ResearchSettings, ResearchTask, Seat, Speaker, Timestamp,
    Utterance, async_trait,
};
use incar_sessions::MemoryRecords;
use incar_testkit::{Mode, ResearchStep, Scenario, ScriptedResearcher, Simulator, Stage};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const ASK: &str = "调研一下杭州有哪些适合老人的景点";

/// A simulated car whose research does what it is told.
fn simulator(
    researcher: &Arc<ScriptedResearcher>,
    records: &Arc<MemoryRecords>,
    settings: ResearchSettings,
) -> Simulator {
    Simulator::builder()
        .with_records(records.clone())
        .customised(|builder, _| {
            Ok(builder
                .with_research(researcher.clone())
                .with_research_settings(settings))
        })
        .build()
        .unwrap()
}

fn plain() -> (Simulator, Arc<ScriptedResearcher>, Arc<MemoryRecords>) {
    let (researcher, records) = (
        Arc::new(ScriptedResearcher::default()),
        Arc::new(MemoryRecords::default()),
    );
    let simulator = simulator(&researcher, &records, ResearchSettings::default());
    (simulator, researcher, records)
}

fn driver(simulator: &Simulator) -> Speaker {
    simulator.speaker(Seat::Driver)
}

async fn say(simulator: &Simulator, text: &str) -> AgentResponse {
    let assistant: &Assistant = simulator.assistant();
    assistant.handle(Utterance::new(text).by(driver(simulator))).await
}

fn state(response: &AgentResponse) -> Option<JobState> {
    response.data.job.as_ref().map(|job| job.state)
}

fn told(simulator: &Simulator) -> Vec<String> {
    simulator.take_notices().into_iter().map(|notice| notice.text).collect()
}

#[tokio::test]
async fn every_dialogue_with_research_comes_out_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/research");
    let researcher = Arc::new(ScriptedResearcher::default());
    let mut stage = Stage::customised(&|builder| builder.with_research(researcher.clone()))
        .unwrap()
        .with_researcher(researcher);
    let mut failures = Vec::new();
    for (path, scenario) in Scenario::read_all(&folder).unwrap() {
        for &mode in &scenario.modes {
            if let Err(failure) = stage.play(&scenario, mode).await {
                failures.push(format!("{}: {failure}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn nothing_that_the_other_scenarios_say_is_taken_for_research() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let researcher = Arc::new(ScriptedResearcher::default());
    let mut stage = Stage::customised(&|builder| builder.with_research(researcher.clone())).unwrap();
    for (path, scenario) in Scenario::read_all(&folder).unwrap() {
        if scenario.modes.contains(&Mode::Brain)
            && let Err(failure) = stage.play(&scenario, Mode::Brain).await
        {
            panic!("{}: {failure}", path.display());
        }
    }
    assert_eq!(researcher.asked(), []);
}

#[tokio::test]
async fn an_answer_is_a_notice_for_a_calm_moment_and_a_yes_counts_only_once_it_was_heard() {
    let (simulator, researcher, _) = plain();
    let started = say(&simulator, ASK).await;
    let mut answer = ResearchStep::answer("去**西湖**边走走。");
    answer.display = Some("去西湖边走走。[1]\n[1] https://example.com/lake".into());
    answer.actions = vec![serde_json::from_value(json!({"start_navigation": {"destination": "天坛公园"}})).unwrap()];
    assert!(researcher.tell(answer).await);
    let [notice] = simulator.take_notices().try_into().unwrap();
    assert_eq!(
        (notice.id.as_str(), notice.when),
        (started.data.job.unwrap().id.as_str(), NoticeWhen::Calm)
    );
    assert!(
        notice.text.ends_with("去西湖边走走。要导航去天坛公园吗？"),
        "{}",
        notice.text
    );
    assert!(!notice.text.contains("example.com"), "{}", notice.text);
    assert_eq!(
        notice.display.as_deref(),
        Some("去西湖边走走。[1]\n[1] https://example.com/lake")
    );

    let unheard = say(&simulator, "好的").await;
    assert_eq!(unheard.data.tool_results, [], "{}", unheard.message);
    simulator.assistant().heard(&notice.id).await;
    let heard = say(&simulator, "好的").await;
    assert_eq!(heard.data.tools_used, ["start_navigation"], "{}", heard.message);
}

#[tokio::test]
async fn an_answer_that_is_heard_while_a_question_is_open_does_not_take_its_yes() {
    let (simulator, researcher, _) = plain();
    say(&simulator, ASK).await;
    let asked = say(&simulator, "打开后备箱").await;
    assert!(asked.prompt.is_some(), "{}", asked.message);
    let mut answer = ResearchStep::answer("看完了。");
    answer.actions = vec![serde_json::from_value(json!({"start_navigation": {"destination": "天坛公园"}})).unwrap()];
    researcher.tell(answer).await;
    for notice in simulator.take_notices() {
        simulator.assistant().heard(&notice.id).await;
    }
    let yes = say(&simulator, "好的").await;
    assert_eq!(yes.data.tools_used, ["control_trunk"], "{}", yes.message);
}

#[tokio::test(start_paused = true)]
async fn a_researcher_that_never_ends_is_stopped_at_its_budget_and_that_is_told() {
    let (researcher, records) = (
        Arc::new(ScriptedResearcher::default()),
        Arc::new(MemoryRecords::default()),
    );
    let settings = ResearchSettings::default().with_budget(Duration::from_secs(120));
    let simulator = simulator(&researcher, &records, settings);
    say(&simulator, ASK).await;
    tokio::time::sleep(Duration::from_secs(119)).await;
    assert_eq!((researcher.running(), told(&simulator)), (1, vec![]));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(researcher.running(), 0);
    assert_eq!(
        told(&simulator),
        [format!("“{ASK}”没有查成。用的时间太久了，我停下了。")]
    );
    assert_eq!(state(&say(&simulator, "查得怎么样了").await), Some(JobState::Failed));
}

#[tokio::test]
async fn so_many_at_once_and_no_more() {
    let (researcher, records) = (
        Arc::new(ScriptedResearcher::default()),
        Arc::new(MemoryRecords::default()),
    );
    let simulator = simulator(&researcher, &records, ResearchSettings::default().with_most(1));
    say(&simulator, ASK).await;
    let passenger = Utterance::new("对比特来电和星星充电的价格").by(simulator.speaker(Seat::Passenger));
    let refused = simulator.assistant().handle(passenger).await;
    assert_eq!(refused.message, "现在在查的事情太多了，请过一会儿再说。");
    assert_eq!(refused.error.map(|error| error.retryable), Some(false));
}

#[tokio::test]
async fn what_runs_ends_with_its_assistant_with_its_speaker_or_when_it_is_called_off() {
    let (simulator, researcher, records) = plain();
    for end in ["cancel", "forget", "drop"] {
        say(&simulator, ASK).await;
        tokio::task::yield_now().await;
        assert_eq!(researcher.running(), 1, "{end}");
        match end {
            "cancel" => drop(say(&simulator, "别查了").await),
            "forget" => simulator.assistant().forget(&driver(&simulator)).await.unwrap(),
            _ => break,
        }
        tokio::task::yield_now().await;
        assert_eq!(researcher.running(), 0, "{end}");
        let left = records
            .list(&driver(&simulator).owner().into(), "research")
            .await
            .unwrap();
        assert_eq!(left, [], "{end}");
    }
    let jobs = simulator.assistant().counters().jobs;
    assert_eq!((jobs.started, jobs.cancelled, jobs.done, jobs.failed), (3, 1, 0, 0));
    drop(simulator);
    tokio::task::yield_now().await;
    assert_eq!(researcher.running(), 0);
}

#[tokio::test]
async fn what_a_process_left_that_died_is_told_gone_on_with_or_told_to_be_lost() {
    let records = Arc::new(MemoryRecords::default());
    let dead = Arc::new(ScriptedResearcher::default());
    let first = simulator(&dead, &records, ResearchSettings::default());
    let car = driver(&first).car;
    say(&first, ASK).await;
    let passenger = Utterance::new("对比特来电和星星充电的价格").by(first.speaker(Seat::Passenger));
    first.assistant().handle(passenger).await;
    dead.tell(ResearchStep::answer("去西湖边走走。")).await;
    // It dies: what the driver's job found was not told, the passenger's goes on.
    drop(first);

    let second = simulator(
        &Arc::new(ScriptedResearcher::default()),
        &records,
        ResearchSettings::default(),
    );
    let states = |jobs: Vec<incar::Job>| jobs.into_iter().map(|job| job.state).collect::<Vec<_>>();
    let resumed = second.assistant().resume_research(&car).await.unwrap();
    assert_eq!(states(resumed), [JobState::Done, JobState::Lost]);
    let notices = second.take_notices();
    assert!(notices[0].text.ends_with("去西湖边走走。"), "{}", notices[0].text);
    assert!(notices[1].text.contains("中断了，没有结果"), "{}", notices[1].text);
    second.assistant().heard(&notices[0].id).await;
    assert_eq!(second.assistant().resume_research(&car).await.unwrap(), [], "told once");
}

#[tokio::test]
async fn a_run_that_can_goes_on_under_its_name_and_what_cannot_be_read_is_left_alone() {
    let (before, records) = (
        Arc::new(ScriptedResearcher::default()),
        Arc::new(MemoryRecords::default()),
    );
    let first = simulator(&before, &records, ResearchSettings::default());
    let (car, holder) = (driver(&first).car, driver(&first).owner().into());
    let id = say(&first, ASK).await.data.job.unwrap().id;
    let mut begun = ResearchStep::default();
    begun.run = Some("run-7".into());
    before.tell(begun).await;
    drop(first);
    let broken = Record::new("broken", json!({"task": 1}), Timestamp::from_millis(0));
    records.put(&holder, "research", broken).await.unwrap();

    let again = Arc::new(ScriptedResearcher::default());
    let second = simulator(&again, &records, ResearchSettings::default());
    let resumed = second.assistant().resume_research(&car).await.unwrap();
    assert_eq!(resumed.len(), 1);
    assert_eq!(
        (resumed[0].id.as_str(), resumed[0].state),
        (id.as_str(), JobState::Running)
    );
    again.tell(ResearchStep::answer("去西湖边走走。")).await;
    let asked = &again.asked()[0];
    assert_eq!((asked.id.as_str(), asked.run.as_deref()), (id.as_str(), Some("run-7")));
    assert!(told(&second)[0].contains("去西湖边走走。"));
}

/// Says what is not to be said: markup, an essay.
#[derive(Debug)]
struct Essayist;

#[async_trait]
impl BackgroundAgent for Essayist {
    async fn research(
        &self,
        _: &ResearchTask,
        listener: &dyn ResearchListener,
    ) -> Result<ResearchFindings, ResearchFailure> {
        listener.progressed(ResearchProgress::new("x".repeat(10_000)).counted(9, 3));
        Ok(ResearchFindings::new("One more sentence of many. ".repeat(1_000)))
    }
}

#[tokio::test]
async fn an_essay_is_cut_to_what_can_be_listened_to() {
    let simulator = Simulator::builder()
        .customised(|builder, _| Ok(builder.with_research(Arc::new(Essayist))))
        .build()
        .unwrap();
    say(&simulator, "research the history of the wheel in five volumes").await;
    tokio::task::yield_now().await;
    let told = told(&simulator);
    assert!(
        told[0].chars().count() < 700 && told[0].ends_with("of many."),
        "{}",
        told[0]
    );
    let progress = simulator.assistant().research(&driver(&simulator)).unwrap().progress;
    assert!(progress.doing.chars().count() <= 81, "{}", progress.doing);
}
