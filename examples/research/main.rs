//! Answers a hard question: searches, reads, calculates, and writes a report with its sources.
//!
//! ```text
//! research --replay                            see it work: a recorded model, the offline articles, no key, no network
//! research "川藏南线自驾要几天？"                with the model that the environment or INCAR_CONFIG names
//! research --deep --runs reports "…"           a plan, subtasks, intermediate reports; kept in a folder
//! research --team "…"                          agents that plan, execute, verify, and abstain where they must
//! research --runs reports --resume             goes on with what was broken off there
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

mod args;
mod model;
mod replay;
mod serve;
mod view;

use args::{Args, Method, Task, USAGE};
use incar::research::{
    AnswerKind, FolderStorage, ReactLimits, ResearchError, Researcher, Resources, RunId, RunRecord, normalize,
};
use incar::tools::knowledge::{self, Manual};
use incar::tools::places::GeoPoint;
use incar::tools::weather::Locator;
use incar::web::WebTools;
use incar::{ChatModel, SystemClock};
use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;
use view::View;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args = match Args::from_env() {
        Ok(args) => args,
        Err(error) => {
            eprintln!("research: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(args).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("research: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(mut args: Args) -> Result<ExitCode, Failure> {
    let (model, web): (Arc<dyn ChatModel>, WebTools) = match &args.task {
        Task::Help => {
            println!("{USAGE}");
            return Ok(ExitCode::SUCCESS);
        }
        Task::Replay(file) => {
            let replay = replay::read(file.as_deref())?;
            eprintln!("replaying a recorded model on the offline articles: {}", replay.about);
            args.method = replay.method;
            args.budget = Some(replay.bounds.of(replay.method.budget()));
            args.depth = replay.depth;
            args.task = Task::Ask(replay.question.clone());
            (replay.model(), WebTools::offline())
        }
        Task::Ask(_) | Task::Lines | Task::Jsonl | Task::Serve(_) | Task::Resume(_) => {
            match model::configured(&args)? {
                Some(model) => (model, model::web(args.search.as_deref())?),
                None => {
                    eprintln!("{}", model::WHAT_TO_SET);
                    return Ok(ExitCode::FAILURE);
                }
            }
        }
    };
    let researcher = researcher(&args, model, &web)?;
    match &args.task {
        Task::Ask(question) => told(ask(&researcher, &args, question, None).await),
        Task::Resume(id) => resume(&researcher, &args, id.as_ref()).await,
        Task::Lines => lines(&researcher, &args).await,
        Task::Jsonl => serve::lines(&researcher).await,
        Task::Serve(port) => serve::http(researcher, *port).await,
        Task::Replay(_) | Task::Help => Ok(ExitCode::SUCCESS),
    }
}

fn researcher(args: &Args, model: Arc<dyn ChatModel>, web: &WebTools) -> Result<Researcher, Failure> {
    let locator: Arc<dyn Locator> = Arc::new(Nowhere);
    let manual = Arc::new(Manual::embedded()?);
    let mut resources = Resources::new(model, Arc::new(SystemClock))
        .with_profile(args.profile.clone())
        .with_tools(web.tools())?
        .with_tools(knowledge::tools(&manual, &locator))?;
    if let Some(folder) = &args.runs {
        resources = resources.with_storage(Arc::new(FolderStorage::open(folder)?));
    }
    let mut researcher = Researcher::new(resources);
    if let Some(budget) = args.budget {
        let react = ReactLimits::default()
            .with_iterations(budget.rounds)
            .with_tool_calls(budget.calls)
            .with_time(budget.time);
        researcher = researcher
            .with_budget(budget)
            .with_deep_budget(budget)
            .with_team_budget(budget)
            .with_react(react);
    }
    if let Some(depth) = args.depth {
        researcher = researcher.with_depth(depth);
    }
    Ok(researcher)
}

/// Answers a question while its progress is shown; one that follows an answer is asked with that in view.
async fn ask(
    researcher: &Researcher,
    args: &Args,
    question: &str,
    earlier: Option<&RunId>,
) -> Result<RunRecord, ResearchError> {
    let working = async {
        match (args.method, earlier) {
            (Method::Rounds, Some(earlier)) => researcher.follow_up(earlier, question).await,
            (Method::Rounds, None) => researcher.research(question).await,
            (Method::Deep, _) => researcher.deep_research(question).await,
            (Method::Team, _) => {
                let kind = AnswerKind::asked_by(question).unwrap_or_default();
                researcher.team_research(question, kind).await
            }
            (Method::React, _) => researcher.react(question).await,
        }
    };
    View::new(args.look)
        .show(researcher.resources().listen(), working)
        .await
}

async fn resume(researcher: &Researcher, args: &Args, id: Option<&RunId>) -> Result<ExitCode, Failure> {
    let open = match id {
        Some(id) => vec![id.clone()],
        None => researcher.unfinished().await?,
    };
    if open.is_empty() {
        eprintln!("nothing was broken off there");
    }
    for id in open {
        let working = researcher.resume(&id);
        told(
            View::new(args.look)
                .show(researcher.resources().listen(), working)
                .await,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A question a line; each is asked with the answers before it in view.
async fn lines(researcher: &Researcher, args: &Args) -> Result<ExitCode, Failure> {
    let mut earlier: Option<RunId> = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match ask(researcher, args, &line, earlier.as_ref()).await {
            Ok(record) => {
                earlier = Some(record.id.clone());
                told(Ok(record))?;
            }
            Err(error) => eprintln!("research: {error}"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn told(came: Result<RunRecord, ResearchError>) -> Result<ExitCode, Failure> {
    let record = came?;
    println!("{}", record.with_sources());
    if let Some(verified) = &record.verified
        && !verified.abstained
    {
        let kind = AnswerKind::asked_by(&record.question).unwrap_or_default();
        let sure = (verified.confidence * 100.0).round();
        eprintln!("{} ({sure} % sure)", normalize(&verified.value, kind));
    }
    Ok(ExitCode::SUCCESS)
}

/// The machine that this runs on is in no car.
#[derive(Debug)]
struct Nowhere;

impl Locator for Nowhere {
    fn position(&self) -> Option<GeoPoint> {
        None
    }
}
