//! `[research]`: questions that are looked into in the background.

use crate::reading::{self, Reading};
use crate::settings::put;
use crate::{Models, Stores, Surroundings};
use incar_agents::{AssistantBuilder, Handover, ResearchSettings};
use incar_chain::Mode;
use incar_core::{Effect, PolicyGate, Tool, ToolSpec};
use incar_openai::RetryPolicy;
use incar_research::{Budget, FolderStorage, InCar, Method, ModelProfile, Researcher, Resources, TeamSettings};
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Faults, Place, Section, choice};
use std::path::PathBuf;
use std::sync::Arc;

/// Research in the background.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Research {
    /// How questions are answered. By default by a team that verifies.
    pub method: Method,
    /// How the model is asked; by default that of the first service in the chain, under its own name.
    pub profile: ModelProfile,
    /// What one question may spend. By default what its method may.
    pub budget: Budget,
    /// How deep subtasks stack, with [`Method::Deep`].
    pub depth: usize,
    /// The bounds of a team's work, with [`Method::Team`].
    pub team: TeamSettings,
    /// Where runs and their reports are kept; `None`: in memory.
    pub folder: Option<PathBuf>,
    /// How many questions are looked into at once, how long, and who hands them over.
    pub settings: ResearchSettings,
    /// The MCP servers whose reading tools are sources beside the web.
    servers: Vec<(String, Place)>,
    /// What an answer may propose; `None`: the usual, where it is there.
    proposes: Option<Vec<(String, Place)>>,
    place: Place,
}

const METHODS: [(&str, Method); 4] = [
    ("team", Method::Team),
    ("deep", Method::Deep),
    ("rounds", Method::Rounds),
    ("react", Method::React),
];
const HANDOVER: [(&str, Handover); 2] = [("rules", Handover::Rules), ("model", Handover::Model)];

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>, faults: &Faults) -> Option<Research> {
    let told = faults.count();
    let chosen = section.one_of("method", &METHODS);
    let method = chosen.unwrap_or(Method::Team);
    let mut research = Research {
        method,
        profile: profile(&section),
        budget: Budget::of(method),
        depth: Researcher::DEPTH,
        team: TeamSettings::default(),
        folder: reading.path(&section, "folder"),
        settings: ResearchSettings::default(),
        servers: section.texts("servers").unwrap_or_default(),
        proposes: section.texts("proposes"),
        place: section.place().clone(),
    };
    let Budget {
        rounds,
        calls,
        tokens,
        request_tokens,
        time,
        ..
    } = &mut research.budget;
    put(rounds, section.integer("rounds", 1..=1_000_u32));
    put(calls, section.integer("calls", 1..=1_000_u32));
    put(
        tokens,
        section.integer("tokens", 1_000..=100_000_000_u32).map(u64::from),
    );
    put(
        request_tokens,
        section.integer("request_tokens", 1_000..=10_000_000_u32).map(u64::from),
    );
    put(time, section.seconds("time_s"));
    put(&mut research.depth, reading::size(&section, "depth", 1..=8));
    put(&mut research.team.checks, section.integer("checks", 0..=10_u32));
    put(
        &mut research.team.abstain_below,
        section.number("abstain_below", 0.0..=1.0),
    );
    put(&mut research.team.parallel, reading::size(&section, "parallel", 1..=32));
    put(&mut research.settings.budget, section.seconds("job_s"));
    put(
        &mut research.settings.most,
        reading::size(&section, "at_once", 1..=1_000),
    );
    put(&mut research.settings.handover, section.one_of("handover", &HANDOVER));
    if chosen.is_some() || !section.has("method") {
        check_use(&section, method);
    }
    section.finish();
    (faults.count() == told).then_some(research)
}

fn profile(section: &Section<'_>) -> ModelProfile {
    let mut profile = ModelProfile::default().with_model(section.text("model"));
    put(&mut profile.temperature, section.number("temperature", 0.0..=2.0));
    put(
        &mut profile.max_tokens,
        section.integer("max_tokens", 100..=1_000_000_u32),
    );
    put(&mut profile.timeout, section.millis("reply_ms"));
    profile
}

/// Tells of keys that the method has no use for.
fn check_use(section: &Section<'_>, method: Method) {
    let team = ["checks", "abstain_below", "parallel"];
    let unused: &[&[&'static str]] = match method {
        Method::Team => &[&["request_tokens", "depth"]],
        Method::Deep => &[&team],
        Method::React => &[&["tokens", "request_tokens", "depth"], &team],
        _ => &[&["depth"], &team],
    };
    let who = format!("the method {}", method.as_str());
    for keys in unused {
        reading::unused(section, keys, &who, "leave it out, or write another method");
    }
}

/// What research rests on of the other sections; `None` where their own faults are told already.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    /// Who thinks.
    pub(crate) models: Option<&'a Models>,
    /// Whether the web is searched.
    pub(crate) searches: bool,
    /// The names of the MCP servers.
    pub(crate) servers: Option<Vec<&'a str>>,
}

impl Research {
    /// Tells what is missing of the other sections: somebody who thinks, and something to search in.
    pub(crate) fn check(&self, beside: &Beside<'_>, faults: &Faults) {
        let fault = |place: &Place, key: &str, code: Code, message: &str, fix: &str| {
            faults.push(Diagnostic::new(place.clone(), key, code, message, fix));
        };
        match beside.models {
            Some(models) if models.mode == Mode::DeviceOnly => fault(
                &self.place,
                "research",
                Code::Conflict,
                "it asks a model's service, and in the mode device-only none is asked",
                "write another mode in [models], or leave [research] out",
            ),
            Some(models) if models.service().is_none() => fault(
                &self.place,
                "research",
                Code::Missing,
                "it needs a model's service: the embedded brain understands commands, not research",
                "add [[models.chain]] with provider = \"dashscope\" or another, or leave [research] out",
            ),
            _ => {}
        }
        if !beside.searches && self.servers.is_empty() {
            let message = "it needs something to search in";
            let fix = "add [web], or write servers = [\"a server of [mcp]\"]";
            fault(&self.place, "research", Code::Missing, message, fix);
        }
        let Some(known) = &beside.servers else { return };
        for (name, place) in self.servers.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            let message = format!("[mcp] has no server `{name}`");
            let fix = choice(name, known.iter().copied());
            fault(place, "research.servers", Code::UnknownId, &message, &fix);
        }
    }

    /// The stores with what research keeps in its folder.
    pub(crate) fn open(&self, mut stores: Stores) -> Result<Stores, Diagnostics> {
        if let Some(folder) = &self.folder {
            let opened = FolderStorage::open(folder).map_err(|error| {
                let message = format!("`{}` cannot be opened: {error}", folder.display());
                self.unusable("folder", message, "check the path")
            })?;
            stores.runs = Arc::new(opened);
        }
        Ok(stores)
    }

    fn unusable(&self, key: &str, message: String, fix: &str) -> Diagnostics {
        Diagnostic::new(
            self.place.clone(),
            format!("research.{key}"),
            Code::Unusable,
            message,
            fix,
        )
        .into()
    }

    /// The assistant with somebody who looks into things; as it is where no service may be asked, or there is nothing to
    /// search in because no server was ever reached.
    pub(crate) fn put_into(
        &self,
        builder: AssistantBuilder,
        models: &Models,
        stores: &Stores,
        surroundings: &Surroundings,
        sources: Vec<Arc<dyn Tool>>,
        gate: Arc<dyn PolicyGate>,
    ) -> Result<AssistantBuilder, Diagnostics> {
        let Some(service) = models.service() else {
            return Ok(builder);
        };
        let sources: Vec<_> = sources.into_iter().chain(self.of_servers(surroundings)).collect();
        if sources.is_empty() {
            return Ok(builder);
        }
        // In the chain the next model is asked; here it is this one or none.
        let client = service.client.clone().with_retry(RetryPolicy::default());
        let model = self.profile.configure(client).build().map_err(|error| {
            let fix = "docs/configuration.md describes every key";
            self.unusable("model", error.to_string(), fix)
        })?;
        let resources = Resources::new(Arc::new(model), surroundings.clock.clone())
            .with_profile(self.profile.clone())
            .with_policies(gate)
            .with_storage(stores.runs.clone())
            .with_tools(sources)
            .map_err(|error| {
                let fix = "name no server twice in `servers`";
                self.unusable("servers", error.to_string(), fix)
            })?;
        let proposed = self.proposed(&builder)?;
        let researcher = Arc::new(self.researcher(resources.clone()));
        let in_car = InCar::new(researcher, resources).by(self.method).proposing(proposed);
        Ok(builder
            .with_research(Arc::new(in_car))
            .with_research_settings(self.settings.clone()))
    }

    fn researcher(&self, resources: Resources) -> Researcher {
        let researcher = Researcher::new(resources);
        let budget = self.budget;
        match self.method {
            Method::Deep => researcher.with_deep_budget(budget).with_depth(self.depth),
            Method::Team => researcher.with_team_budget(budget).with_team(self.team),
            Method::React => researcher.with_react(budget.into()),
            _ => researcher.with_budget(budget),
        }
    }

    /// The tools by which servers are read. What else they have is the assistant's, which asks the driver.
    fn of_servers(&self, surroundings: &Surroundings) -> Vec<Arc<dyn Tool>> {
        let named = self.servers.iter();
        let tools = named.flat_map(|(server, _)| surroundings.connections.tools_of(server));
        tools.filter(|tool| tool.spec().effect == Effect::Read).collect()
    }

    fn proposed(&self, builder: &AssistantBuilder) -> Result<Vec<Arc<ToolSpec>>, Diagnostics> {
        let tools = builder.tools();
        let Some(named) = &self.proposes else {
            let usual = InCar::PROPOSED.iter().filter_map(|name| tools.get(name));
            return Ok(usual.map(|tool| tool.spec().clone()).collect());
        };
        let faults = Faults::default();
        let found = named.iter().filter_map(|(name, place)| {
            let tool = tools.get(name);
            if tool.is_none() {
                let fix = choice(name, tools.iter().map(|tool| &*tool.spec().name));
                let message = format!("there is no tool `{name}`");
                faults.push(Diagnostic::new(
                    place.clone(),
                    "research.proposes",
                    Code::UnknownTool,
                    message,
                    fix,
                ));
            }
            tool.map(|tool| tool.spec().clone())
        });
        let found = found.collect();
        faults.into_result(found)
    }
}
