//! Measures the embedded path: how long the assistant takes from an utterance to its response, with the embedded brain
//! and every tool on the simulated car, on one core.
//!
//! ```sh
//! cargo run --release --example measure_turns              # fails where p99 is 2 ms or more
//! cargo run --release --example measure_turns -- 5 0.5     # other rounds and another bound, in ms
//! ```
//!
//! What is said is every step of the scenario files, in their order and surroundings, so every tool is among it; and
//! names that no map knows, which are the longest to look for. The shortest time of some rounds counts, as the others
//! measure what else the machine did. The bound is on the turns, not on building the assistant.
#![allow(clippy::print_stdout, reason = "what it prints is what it is for")]

use incar::{Lang, Utterance};
use incar_testkit::{Mode, Scenario, Simulator, Step};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const BOUND_MS: f64 = 2.0;
const SLOWEST_SHOWN: usize = 10;

/// Places that are nowhere, and places that are said or heard wrong.
const HARD_TO_FIND: &[&str] = &[
    "导航到紫禁之巅大饭店",
    "去星海云端创意产业园",
    "导航去秦岭北麓老王家农家乐",
    "导航到上海迪斯尼乐圆",
    "去首都机厂三号航站楼",
    "附近有没有卖手工皂的店",
    "沿途找一家川菜馆",
    "带我去最近的机场",
    "翡翠谷的天气怎么样",
    "雾隐山庄明天会下雨吗",
    "那边叫桃花源的地方现在几点",
    "navigate to Zanzibarbarella Gardens",
    "take me to the Grand Xylophone Hotel in Beijing",
    "navigate to Sherwood Lane Business Centre",
    "drive to Tianamen Sqare",
    "take me to the nearest train station",
    "add a stop at the Blue Pelican Diner",
    "find a vegan bakery nearby",
    "what's the weather in Xanadu Springs",
    "what's the weather in Barcelonna",
    "what time is it in Shangrila Falls",
];

/// What was said and the shortest time that it took.
struct Timed {
    said: String,
    took: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().map_or(Ok(ROUNDS), |rounds| rounds.parse())?;
    let bound_ms = arguments.next().map_or(Ok(BOUND_MS), |bound| bound.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let _within = runtime.enter();
    let dialogues = dialogues()?;

    let started = Instant::now();
    let mut simulator = Simulator::new()?;
    println!("assistant built in {:.1?}", started.elapsed());
    let first = Instant::now();
    let utterance = Utterance::new("打开空调").by(simulator.speaker(incar::Seat::Driver));
    runtime.block_on(simulator.assistant().handle(utterance));
    println!("first turn in {:.2?}", first.elapsed());

    let mut turns: Vec<Timed> = Vec::new();
    for round in 0..rounds {
        let mut shortest = turns.iter_mut();
        let mut new = Vec::new();
        for dialogue in &dialogues {
            simulator.reset();
            for step in dialogue {
                let Some((said, took)) = play(&simulator, &runtime, step)? else {
                    continue;
                };
                match shortest.next() {
                    Some(turn) => turn.took = turn.took.min(took),
                    None => new.push(Timed {
                        said: said.to_owned(),
                        took,
                    }),
                }
            }
        }
        if round == 0 {
            turns = new;
        }
    }
    report(turns, bound_ms)
}

/// The steps of every scenario file for the brain; then each text that is hard to find something for, alone.
fn dialogues() -> Result<Vec<Vec<Step>>, Box<dyn Error>> {
    let scenarios = Scenario::read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios"))?;
    let for_brain = scenarios
        .into_iter()
        .map(|(_, scenario)| scenario)
        .filter(|scenario| scenario.modes.contains(&Mode::Brain))
        .map(|scenario| scenario.steps);
    let alone = HARD_TO_FIND.iter().map(|said| {
        let mut step = Step::default();
        step.say = Some((*said).to_owned());
        vec![step]
    });
    Ok(for_brain.chain(alone).collect())
}

/// What is said in a step, and how long its turn took; `None` where nothing is said.
fn play<'a>(
    simulator: &Simulator,
    runtime: &tokio::runtime::Runtime,
    step: &'a Step,
) -> Result<Option<(&'a str, Duration)>, Box<dyn Error>> {
    for (signal, value) in &step.set {
        simulator.set(signal, value)?;
    }
    simulator.advance(Duration::from_secs(step.advance));
    if let Some(number) = &step.ring {
        simulator.phone().ring(number)?;
    }
    let Some(said) = &step.say else { return Ok(None) };
    let mut utterance = Utterance::new(said.clone()).by(simulator.speaker(step.seat.unwrap_or_default()));
    if let Some(lang) = step.locale.as_deref().and_then(Lang::from_tag) {
        utterance = utterance.in_lang(lang);
    }
    let started = Instant::now();
    runtime.block_on(simulator.assistant().handle(utterance));
    Ok(Some((said, started.elapsed())))
}

fn report(mut turns: Vec<Timed>, bound_ms: f64) -> Result<(), Box<dyn Error>> {
    turns.sort_by_key(|turn| turn.took);
    let at = |share: f64| {
        let rank = (turns.len().saturating_sub(1) as f64 * share).round() as usize;
        turns.get(rank).map_or(0.0, |turn| ms(turn.took))
    };
    let (median, p99, longest) = (at(0.5), at(0.99), at(1.0));
    println!(
        "{} turns: median {median:.3} ms, p99 {p99:.3} ms, longest {longest:.3} ms",
        turns.len()
    );
    for turn in turns.iter().rev().take(SLOWEST_SHOWN) {
        println!("{:>9.3} ms  {}", ms(turn.took), turn.said);
    }
    if p99 < bound_ms {
        Ok(())
    } else {
        Err(format!("p99 is {p99:.3} ms; the bound is {bound_ms} ms").into())
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
