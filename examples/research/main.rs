//! Answers a hard question: searches, reads, calculates, and writes a report with its sources.
//!
//! ```text
//! research --replay                            see it work: a recorded model, the offline articles, no key, no network
//! research "川藏南线自驾要几天？"                with the model that the environment or INCAR_CONFIG names
//! research --deep --runs reports "…"           a plan, subtasks, intermediate reports; kept in a folder
//! research --team "…"                          agents that plan, execute, verify, and abstain where they must
//! research --runs reports --resume             goes on with what was broken off there
//! ```

mod args;
mod model;
mod out;
mod replay;
mod serve;
mod view;

use args::{Args, Task, USAGE};
use incar::research::{
    Budget, FolderStorage, ProgressSender, ResearchAnswer, ResearchError, ResearchRequest, ResearchService, Researcher,
    Resources, RunId,
};
use incar::tools::knowledge::{self, Manual};
use incar::tools::places::GeoPoint;
use incar::tools::weather::Locator;
use incar::web::WebTools;
use incar::{ChatModel, SystemClock};
use out::note;
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
            note(format_args!("research: {error}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    match run(args).await {
        Ok(code) => code,
        Err(error) if out::is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!("research: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(mut args: Args) -> Result<ExitCode, Failure> {
    let (model, web): (Arc<dyn ChatModel>, WebTools) = match &args.task {
        Task::Help => {
            out::answer(USAGE)?;
            return Ok(ExitCode::SUCCESS);
        }
        Task::Replay(file) => {
            let replay = replay::read(file.as_deref())?;
            note(format_args!(
                "replaying a recorded model on the offline articles: {}",
                replay.about
            ));
            args.method = replay.method;
            args.budget = Some(replay.bounds.of(Budget::of(replay.method)));
            args.depth = replay.depth;
            args.task = Task::Ask(replay.question.clone());
            (replay.model(), WebTools::offline())
        }
        Task::Ask(_) | Task::Lines | Task::Jsonl | Task::Serve(_) | Task::Resume(_) => {
            match model::configured(&args)? {
                Some(model) => (model, model::web(args.search.as_deref())?),
                None => {
                    note(model::WHAT_TO_SET);
                    return Ok(ExitCode::FAILURE);
                }
            }
        }
    };
    let researcher = researcher(&args, model, &web)?;
    match &args.task {
        Task::Ask(question) => told(ask(&researcher, &args, question, None).await?),
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
        researcher = researcher
            .with_budget(budget)
            .with_deep_budget(budget)
            .with_team_budget(budget)
            .with_react(budget.into());
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
    earlier: Option<RunId>,
) -> Result<ResearchAnswer, ResearchError> {
    let mut request = ResearchRequest::new(question).by(args.method);
    if let Some(earlier) = earlier {
        request = request.following(earlier);
    }
    let progress = ProgressSender::default();
    let listener = progress.listen();
    View::new(args.look)
        .show(listener, researcher.answer(&request, progress))
        .await
}

async fn resume(researcher: &Researcher, args: &Args, id: Option<&RunId>) -> Result<ExitCode, Failure> {
    let open = match id {
        Some(id) => vec![id.clone()],
        None => researcher.unfinished().await?,
    };
    if open.is_empty() {
        note("nothing was broken off there");
    }
    for id in open {
        let progress = ProgressSender::default();
        let listener = progress.listen();
        told(
            View::new(args.look)
                .show(listener, researcher.take_up(&id, progress))
                .await?,
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
        match ask(researcher, args, &line, earlier.clone()).await {
            Ok(answer) => {
                earlier = Some(answer.record.id.clone());
                told(answer)?;
            }
            Err(error) => note(format_args!("research: {error}")),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn told(answer: ResearchAnswer) -> Result<ExitCode, Failure> {
    out::answer(answer.record.with_sources())?;
    if let Some(confidence) = answer.confidence.filter(|_| !answer.abstained) {
        let sure = (confidence * 100.0).round();
        note(format_args!("{} ({sure} % sure)", answer.normalized));
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
