//! What a run tells on its way.

use crate::scenario::Scenario;
use crate::world::{self, World};
use incar_research::{PlanStep, Progress, StepState};

fn marks(steps: &[PlanStep]) -> String {
    let mark = |step: &PlanStep| match step.state {
        StepState::Done => 'x',
        StepState::Running => '>',
        StepState::Failed => '!',
        _ => '.',
    };
    steps.iter().map(mark).collect()
}

/// An event in a word or two.
fn word(event: &Progress) -> String {
    match event {
        Progress::Started { resumed, .. } => format!("started, resumed: {resumed}"),
        Progress::Planned { depth, steps, .. } => format!("plan {depth} {}", marks(steps)),
        Progress::Round { number } => format!("round {number}"),
        Progress::Working { step } => format!("at {step}"),
        Progress::Called { tool, about } => format!("call {tool} {about}"),
        Progress::Answered { tool, outcome } => format!("{} {tool}", outcome.as_str()),
        Progress::Found { sources } => format!("found {}", sources.len()),
        Progress::Spent { left, .. } => format!("spent, {} rounds and {} calls left", left.rounds, left.calls),
        Progress::Wrote { file } => format!("wrote {}", file.as_str().rsplit_once('_').unwrap().1),
        Progress::Finished { reason } => format!("finished {reason:?}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_run_tells_its_plan_its_step_its_sources_and_what_is_left_and_waits_for_nobody() {
    let all = Scenario::all();
    let (_, scenario) = all.iter().find(|(name, _)| name == "002_plan_to_report.toml").unwrap();
    let world = World::new(scenario);
    let model = world.scripted(&scenario.asks[0].model);
    // Nobody reads what this one hears before the run is over.
    let mut listener = world.listen();
    let researcher = world.researcher(scenario, model);
    world::begin(&researcher, scenario, &scenario.asks[0].question)
        .await
        .unwrap();
    let told: Vec<String> = std::iter::from_fn(|| listener.try_next())
        .map(|event| word(&event))
        .collect();
    assert_eq!(
        told,
        [
            "started, resumed: false",
            "at 制定计划",
            "spent, 30 rounds and 80 calls left",
            "plan 1 ....",
            "plan 1 >...",
            "round 1",
            "at 查川藏南线的里程、天数和季节",
            "spent, 29 rounds and 80 calls left",
            "call search_web 川藏南线 国道318 成都 拉萨",
            "ok search_web",
            "found 1",
            "spent, 29 rounds and 79 calls left",
            "call read_page incar://corpus/g318-zh",
            "ok read_page",
            "spent, 29 rounds and 78 calls left",
            "round 2",
            "at 查川藏南线的里程、天数和季节",
            "spent, 28 rounds and 78 calls left",
            "plan 1 x.x.",
            "at 整理中间报告",
            "spent, 28 rounds and 78 calls left",
            "wrote 1.md",
            "plan 1 x>x.",
            "round 3",
            "at 查高原反应的预防",
            "spent, 27 rounds and 78 calls left",
            "call search_web 高原反应 预防",
            "ok search_web",
            "call calculate 2100/8",
            "ok calculate",
            "found 1",
            "spent, 27 rounds and 76 calls left",
            "call read_page incar://corpus/altitude-zh",
            "ok read_page",
            "spent, 27 rounds and 75 calls left",
            "round 4",
            "at 查高原反应的预防",
            "spent, 26 rounds and 75 calls left",
            "plan 1 xxxx",
            "at 撰写最终报告",
            "spent, 26 rounds and 75 calls left",
            "wrote report.md",
            "finished Done",
        ]
    );
}
