//! What runs work with in the tests: a scripted or remembered model, the offline corpus or a web of the scenario's own,
//! tools that count what they fetch.

use crate::scenario::{Method, Scenario, Web};
use incar_core::{
    ChatModel, ManualClock, Refusal, Resolved, Timestamp, Tool, ToolContext, ToolError, ToolOutput, ToolSpec,
    async_trait,
};
use incar_research::{
    AnswerKind, Budget, MemoryStorage, ProgressListener, ResearchError, Researcher, Resources, RunRecord, Storage,
};
use incar_testkit::{ScriptedModel, ScriptedReply};
use incar_tools::knowledge::{self, Manual};
use incar_tools::places::GeoPoint;
use incar_tools::weather::{self, Locator, SimulatedWeather, WeatherService};
use incar_web::{Page, PageReader, SearchHit, SearchQuery, SearchResults, Source, WebError, WebSearch, WebTools};
use serde_json::Value;
use std::sync::{Arc, LazyLock, Mutex};

/// A run's surroundings: they outlive the process that works on it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) storage: Arc<dyn Storage>,
    web: Option<Web>,
    fetched: Arc<Mutex<Vec<String>>>,
    resources: Mutex<Option<Resources>>,
}

impl World {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        Self::with_storage(scenario, Arc::new(MemoryStorage::default()))
    }

    pub(crate) fn with_storage(scenario: &Scenario, storage: Arc<dyn Storage>) -> Self {
        Self {
            storage,
            web: scenario.web.clone(),
            fetched: Arc::default(),
            resources: Mutex::default(),
        }
    }

    pub(crate) fn scripted(&self, replies: &[ScriptedReply]) -> Arc<ScriptedModel> {
        let model = ScriptedModel::default();
        replies.iter().cloned().for_each(|reply| model.push(reply));
        Arc::new(model)
    }

    /// Everything that tools were run with.
    pub(crate) fn fetched(&self) -> Vec<String> {
        self.fetched.lock().unwrap().clone()
    }

    pub(crate) async fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for name in self.storage.names().await.unwrap() {
            let text = self.storage.get(&name).await.unwrap().unwrap();
            files.push((name.to_string(), text));
        }
        files
    }

    /// Resources over no model yet; made once, so that its listeners hear every run.
    fn resources(&self) -> Resources {
        let mut made = self.resources.lock().unwrap();
        made.get_or_insert_with(|| {
            let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_790_000_000_000)));
            Resources::new(Arc::new(ScriptedModel::default()), clock)
                .with_tools(self.tools())
                .unwrap()
                .with_storage(self.storage.clone())
        })
        .clone()
    }

    pub(crate) fn listen(&self) -> ProgressListener {
        self.resources().listen()
    }

    pub(crate) fn researcher(&self, scenario: &Scenario, model: Arc<dyn ChatModel>) -> Researcher {
        let bounds = &scenario.budget;
        let bounded = |budget: Budget| {
            budget
                .with_rounds(bounds.rounds.unwrap_or(budget.rounds))
                .with_calls(bounds.calls.unwrap_or(budget.calls))
                .with_tokens(bounds.tokens.unwrap_or(budget.tokens))
                .with_request_tokens(bounds.request_tokens.unwrap_or(budget.request_tokens))
        };
        Researcher::new(self.resources().with_model(model))
            .with_budget(bounded(Budget::default()))
            .with_deep_budget(bounded(Budget::deep()))
            .with_depth(scenario.depth.unwrap_or(3))
            .with_team_budget(bounded(Budget::team()))
            .with_team(scenario.team)
            .with_react(scenario.react)
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let web = match &self.web {
            Some(web) => {
                let web = Arc::new(OwnWeb(web.clone()));
                WebTools::new(web.clone(), web)
            }
            None => OFFLINE.clone(),
        };
        let counted = |tool| {
            Arc::new(Counted {
                tool,
                fetched: self.fetched.clone(),
            }) as Arc<dyn Tool>
        };
        let own = OWN.iter().cloned();
        web.tools().into_iter().chain(own).map(counted).collect()
    }
}

/// Read and indexed once for all tests: both take long in a debug build.
static OFFLINE: LazyLock<WebTools> = LazyLock::new(WebTools::offline);
static OWN: LazyLock<Vec<Arc<dyn Tool>>> = LazyLock::new(|| {
    let locator: Arc<dyn Locator> = Arc::new(Beijing);
    let forecast: Arc<dyn WeatherService> = Arc::new(SimulatedWeather::new(1));
    let manual = Arc::new(Manual::embedded().unwrap());
    let mut tools = knowledge::tools(&manual, &locator);
    tools.extend(weather::tools(&forecast, &locator));
    tools
});

/// Begins the run that a scenario is about.
pub(crate) async fn begin(
    researcher: &Researcher,
    scenario: &Scenario,
    question: &str,
) -> Result<RunRecord, ResearchError> {
    match scenario.method {
        Method::Rounds => researcher.research(question).await,
        Method::Deep => researcher.deep_research(question).await,
        Method::Team => {
            let kind = AnswerKind::asked_by(question).unwrap_or_default();
            researcher.team_research(question, kind).await
        }
        Method::React => researcher.react(question).await,
    }
}

#[derive(Debug)]
struct Beijing;

impl Locator for Beijing {
    fn position(&self) -> Option<GeoPoint> {
        GeoPoint::new(39.909, 116.397).ok()
    }
}

/// The web as the scenario has it. A query that it does not know finds nothing.
#[derive(Debug)]
struct OwnWeb(Web);

#[async_trait]
impl WebSearch for OwnWeb {
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError> {
        let known = self.0.search.iter().filter(|search| search.query == query.text);
        if known.clone().any(|search| search.fails) {
            return Err(WebError::Unreachable("test".to_owned()));
        }
        let hits = known
            .flat_map(|search| &search.results)
            .filter_map(|hit| Some(SearchHit::new(&hit.title, &hit.url, &hit.snippet)?.with_date(hit.date.as_deref())));
        Ok(SearchResults::new(Source::Web("test"), hits.collect()))
    }
}

#[async_trait]
impl PageReader for OwnWeb {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        let page = self.0.page.iter().find(|page| page.url == url);
        let page = page.ok_or(WebError::Status(404))?;
        Ok(Page::new(Source::Web("test"), url, &page.title, &page.text))
    }
}

/// A tool that remembers what it was run with.
struct Counted {
    tool: Arc<dyn Tool>,
    fetched: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Tool for Counted {
    fn spec(&self) -> &Arc<ToolSpec> {
        self.tool.spec()
    }

    fn resolve(&self, arguments: &Value, context: ToolContext<'_>) -> Result<Resolved, Refusal> {
        self.tool.resolve(arguments, context)
    }

    async fn run(&self, arguments: &Value, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let call = format!("{} {arguments}", self.spec().name);
        self.fetched.lock().unwrap().push(call);
        self.tool.run(arguments, context).await
    }
}
