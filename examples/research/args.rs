//! The command line.

use crate::Failure;
use crate::view::Look;
use incar::research::{Budget, Method, ModelProfile, RunId};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const USAGE: &str = "\
usage: research [OPTIONS] [QUESTION]

Without a question each line of standard input is one, asked with the answers before it in view.

  --jsonl            each line is a request in JSON, answered with a line of JSON
  --serve PORT       answer POST /research on this machine (feature http); with CAR_RESEARCH_TOKEN
                     in the environment only to who shows it
  --deep             a plan, subtasks, intermediate reports and a detailed one
  --team             agents that plan, execute, verify with other sources, and abstain where that is
                     too little
  --react            thoughts and actions in text, for models without tool calling
  --replay [FILE]    play a recorded model (research/tests/scenarios/*.toml) on the offline
                     articles: no key, no network
  --runs FOLDER      keep runs and reports in FOLDER instead of in memory
  --resume [RUN]     go on with RUN, or with all that was broken off in --runs
  --rounds N, --calls N, --tokens N, --minutes N
                     the budget
  --depth N          with --deep: tasks stack so deep, the question included; 3 unless set
  --search NAME      serpapi, serper, tavily or searxng, with its key in the environment;
                     else the offline articles
  --config FILE      the configuration, instead of INCAR_CONFIG; its first service thinks
  --model NAME       the service's model; with dashscope qwen-max unless set
  --temperature T, --top-p P, --max-tokens N, --timeout SECONDS
                     how the model is asked: 0.1, 0.8, 2000, 30
  --plain            no symbols beyond ASCII, no line that is written over
  -h, --help         this text

environment: INCAR_CONFIG, INCAR_PROVIDER, INCAR_MODEL_URL, INCAR_MODEL, INCAR_API_KEY, DASHSCOPE_API_KEY,
DEEPSEEK_API_KEY, OPENAI_API_KEY; TAVILY_API_KEY, SERPER_API_KEY, SERPAPI_API_KEY";

#[derive(Debug)]
pub(crate) enum Task {
    Ask(String),
    Lines,
    /// Lines of JSON.
    Jsonl,
    /// On this port of this machine.
    Serve(u16),
    Replay(Option<PathBuf>),
    Resume(Option<RunId>),
    Help,
}

#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) task: Task,
    pub(crate) method: Method,
    pub(crate) runs: Option<PathBuf>,
    /// `None`: the method's own.
    pub(crate) budget: Option<Budget>,
    /// How deep tasks stack; `None`: as deep as usual.
    pub(crate) depth: Option<usize>,
    pub(crate) search: Option<String>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) profile: ModelProfile,
    /// The model that was named on the command line.
    pub(crate) model: Option<String>,
    pub(crate) look: Look,
}

impl Args {
    pub(crate) fn from_env() -> Result<Self, Failure> {
        use lexopt::prelude::{Long, Short, Value, ValueExt};
        let mut args = Self {
            task: Task::Lines,
            method: Method::default(),
            runs: None,
            budget: None,
            depth: None,
            search: None,
            config: std::env::var_os("INCAR_CONFIG")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            profile: ModelProfile::default(),
            model: None,
            look: if std::io::stderr().is_terminal() {
                Look::Live
            } else {
                Look::Lines
            },
        };
        let mut bounds: Vec<Box<dyn Fn(Budget) -> Budget>> = Vec::new();
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("jsonl") => args.task = Task::Jsonl,
                Long("serve") => args.task = Task::Serve(parser.value()?.parse()?),
                Long("deep") => args.method = Method::Deep,
                Long("team") => args.method = Method::Team,
                Long("react") => args.method = Method::React,
                Long("replay") => args.task = Task::Replay(parser.optional_value().map(PathBuf::from)),
                Long("resume") => args.task = Task::Resume(None),
                Long("runs") => args.runs = Some(parser.value()?.into()),
                Long("rounds") => bounds.push(bound(parser.value()?.parse()?, Budget::with_rounds)),
                Long("calls") => bounds.push(bound(parser.value()?.parse()?, Budget::with_calls)),
                Long("tokens") => bounds.push(bound(parser.value()?.parse()?, Budget::with_tokens)),
                Long("minutes") => {
                    let time = Duration::from_secs(60 * parser.value()?.parse::<u64>()?);
                    bounds.push(bound(time, Budget::with_time));
                }
                Long("depth") => args.depth = Some(parser.value()?.parse()?),
                Long("search") => args.search = Some(parser.value()?.string()?),
                Long("config") => args.config = Some(parser.value()?.into()),
                Long("model") => args.model = Some(parser.value()?.string()?),
                Long("temperature") => args.profile = args.profile.with_temperature(parser.value()?.parse()?),
                Long("top-p") => args.profile = args.profile.with_top_p(parser.value()?.parse()?),
                Long("max-tokens") => args.profile = args.profile.with_max_tokens(parser.value()?.parse()?),
                Long("timeout") => {
                    let timeout = Duration::from_secs(parser.value()?.parse()?);
                    args.profile = args.profile.with_timeout(timeout);
                }
                Long("plain") => args.look = Look::Plain,
                Short('h') | Long("help") => args.task = Task::Help,
                Value(value) => {
                    args.task = match args.task {
                        Task::Replay(None) => Task::Replay(Some(value.into())),
                        Task::Resume(None) => Task::Resume(Some(RunId::new(value.string()?)?)),
                        // Words that a shell took apart are one question.
                        Task::Ask(said) => Task::Ask(format!("{said} {}", value.string()?)),
                        Task::Lines => Task::Ask(value.string()?),
                        other => other,
                    }
                }
                other => return Err(other.unexpected().into()),
            }
        }
        if !bounds.is_empty() {
            args.budget = Some(
                bounds
                    .iter()
                    .fold(Budget::of(args.method), |budget, bound| bound(budget)),
            );
        }
        Ok(args)
    }
}

fn bound<T: Copy + 'static>(value: T, set: fn(Budget, T) -> Budget) -> Box<dyn Fn(Budget) -> Budget> {
    Box::new(move |budget| set(budget, value))
}
