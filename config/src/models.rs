//! `[models]`: who thinks, in which order.

use crate::environment::Environment;
use crate::reading::Reading;
use crate::secret;
use crate::settings::put;
use incar_chain::{Chain, Deadlines, Link as ChainLink, Mode, Retry};
use incar_core::{ChatModel, Clock, DeviceModel};
use incar_openai::{
    Config as Client, ConfigError, PlainHttp, Provider, Proxy, RetryPolicy, Thinking, Timeouts, Transport,
};
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Item, Node, Place, Section, choice};
use std::sync::Arc;

/// Who thinks.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Models {
    /// Which of them are asked first.
    pub mode: Mode,
    /// The models, the first first; never empty. By default the embedded brain.
    pub chain: Vec<Link>,
}

/// One model of the chain.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Link {
    /// The embedded brain.
    Brain,
    /// A service on a network, or a server on this machine.
    Service(Box<Service>),
}

/// A service, and how patient the chain is with it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Service {
    /// What its client is made from; holds its key, and does not show it.
    pub client: Client,
    /// By when it must answer.
    pub deadlines: Deadlines,
    /// How often it is asked again before the next one is.
    pub retry: Retry,
}

impl Default for Models {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            chain: vec![Link::Brain],
        }
    }
}

const MODES: [(&str, Mode); 3] = [
    ("cloud-first", Mode::CloudFirst),
    ("device-first", Mode::DEVICE_FIRST),
    ("device-only", Mode::DeviceOnly),
];
const THINKING: [(&str, Thinking); 3] = [
    ("service", Thinking::Service),
    ("on", Thinking::On),
    ("off", Thinking::Off),
];
const TRANSPORT: [(&str, Transport); 2] = [("streaming", Transport::Streaming), ("plain", Transport::Plain)];
const PLAIN_HTTP: [(&str, PlainHttp); 2] = [("loopback", PlainHttp::LoopbackOnly), ("allowed", PlainHttp::Allowed)];
const PROXY: [(&str, Proxy); 2] = [("none", Proxy::None), ("environment", Proxy::Environment)];

/// The name of the embedded brain among the providers.
const BRAIN: &str = "brain";

impl Models {
    /// The models that the environment asks for (`INCAR_PROVIDER`, `INCAR_MODEL_URL`, `INCAR_MODEL`, `INCAR_API_KEY`), with
    /// the brain behind them; the brain alone where it names neither provider nor address: a key that lies in the
    /// environment is no wish to send what is said to its service.
    ///
    /// # Errors
    /// What is wrong with the variables.
    pub fn from_environment(environment: &Environment) -> Result<Self, Diagnostics> {
        let asked_for = ["INCAR_PROVIDER", "INCAR_MODEL_URL"].map(|name| environment.get(name).is_some());
        if asked_for.contains(&true) {
            Self::of_client(Client::from_lookup(|name| environment.get(name).map(str::to_owned)))
        } else {
            Ok(Self::default())
        }
    }

    /// `brain`, or a service by its provider's name with the brain behind it; the rest as the environment says.
    ///
    /// # Errors
    /// What is wrong with the name or the variables.
    pub fn named(name: &str, environment: &Environment) -> Result<Self, Diagnostics> {
        if name == BRAIN {
            return Ok(Self::default());
        }
        Self::of_client(Client::from_lookup(|variable| match variable {
            "INCAR_PROVIDER" => Some(name.to_owned()),
            _ => environment.get(variable).map(str::to_owned),
        }))
    }

    fn of_client(client: Result<Option<Client>, ConfigError>) -> Result<Self, Diagnostics> {
        let fault = |error: ConfigError| {
            let place = Place::whole("the environment");
            let fix = "docs/host-integration.md lists the variables";
            Diagnostic::new(place, "", Code::Unusable, error.to_string(), fix)
        };
        let Some(client) = client.map_err(fault)? else {
            return Ok(Self::default());
        };
        client.clone().build().map_err(fault)?;
        // Who chose a model by hand is more patient than a driver, and one on this machine may have to be loaded first.
        let Timeouts { first_token, whole, .. } = Timeouts::default();
        let service = Service {
            client: client.with_retry(RetryPolicy::never()),
            deadlines: Deadlines::new(first_token, whole),
            retry: Retry::default(),
        };
        Ok(Self {
            mode: Mode::default(),
            chain: vec![Link::Service(Box::new(service)), Link::Brain],
        })
    }

    /// The first service of the chain, for work beside the driver's turns; none where nothing may leave the car.
    pub fn service(&self) -> Option<&Service> {
        if self.mode == Mode::DeviceOnly {
            return None;
        }
        self.chain.iter().find_map(|link| match link {
            Link::Service(service) => Some(&**service),
            Link::Brain => None,
        })
    }

    /// The models as one: a chain, or the only one. `brain` is the embedded brain; breakers go by `clock`.
    ///
    /// # Errors
    /// Where no client can be made, which was tried when the configuration was read.
    pub fn build(&self, brain: Arc<dyn DeviceModel>, clock: Arc<dyn Clock>) -> Result<Arc<dyn ChatModel>, Diagnostics> {
        if let [Link::Brain] = self.chain.as_slice() {
            return Ok(brain);
        }
        let link = |link: &Link| match link {
            Link::Brain => Ok(ChainLink::device(brain.clone())),
            Link::Service(service) => {
                let model = service.client.clone().build()?;
                let link = ChainLink::cloud(Arc::new(model));
                Ok(link.with_deadlines(service.deadlines).with_retry(service.retry))
            }
        };
        let links: Result<Vec<ChainLink>, ConfigError> = self.chain.iter().map(link).collect();
        let links = links.map_err(|error| {
            let place = Place::whole("the configuration");
            let fix = "docs/configuration.md describes every key";
            Diagnostic::new(place, "models.chain", Code::Unusable, error.to_string(), fix)
        })?;
        Ok(Arc::new(Chain::new(clock, links).with_mode(self.mode)))
    }
}

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>) -> Models {
    let mut models = Models::default();
    put(&mut models.mode, section.one_of("mode", &MODES));
    if let Some(least) = section.number("sure", 0.0..=1.0) {
        match &mut models.mode {
            #[expect(clippy::cast_possible_truncation, reason = "a share of one")]
            Mode::DeviceFirst { sure } => *sure = least as f32,
            _ => section.fault(
                "sure",
                Code::Conflict,
                "it counts only where the device is asked first",
                "write mode = \"device-first\", or leave it out",
            ),
        }
    }
    let chain = section.sections("chain");
    let written = chain.len();
    let links: Vec<Link> = chain.into_iter().filter_map(|link| read_link(link, reading)).collect();
    let whole = links.len() == written;
    let empty = |node: &Node| matches!(node.item(), Item::List(models) if models.is_empty());
    if section.node("chain").is_some_and(empty) {
        section.fault(
            "chain",
            Code::Missing,
            "there is no model in it",
            "write [[models.chain]] and provider = \"brain\"",
        );
    } else if !links.is_empty() {
        models.chain = links;
    }
    let has_brain = models.chain.iter().any(|link| matches!(link, Link::Brain));
    if whole && !has_brain && models.mode != Mode::CloudFirst {
        let message = "the device is to be asked, and no model of the chain is on it";
        section.fault(
            "mode",
            Code::Conflict,
            message,
            "add [[models.chain]] with provider = \"brain\"",
        );
    }
    section.finish();
    models
}

fn read_link(section: Section<'_>, reading: Reading<'_>) -> Option<Link> {
    let name = section.required_text("provider", "provider = \"brain\"")?;
    if name == BRAIN {
        section.finish();
        return Some(Link::Brain);
    }
    let Some(provider) = Provider::from_name(&name) else {
        let names = Provider::ALL.iter().map(|provider| provider.profile().name);
        let fix = choice(&name, names.chain([BRAIN]));
        section.fault(
            "provider",
            Code::UnknownValue,
            format!("there is no provider `{name}`"),
            fix,
        );
        return None;
    };
    let mut client = Client::new(provider).with_retry(RetryPolicy::never());
    let url = section.text("url");
    client = with(client, section.text("model"), Client::with_model);
    client = with(
        client,
        key(&section, reading, provider, url.is_some()),
        |client, key| client.with_key(key.expose()),
    );
    client = with(client, url, Client::with_base_url);
    client = with(
        client,
        section.integer("max_tokens", 1..=1_000_000_u32),
        Client::with_max_tokens,
    );
    client = with(
        client,
        section.number("temperature", 0.0..=2.0),
        Client::with_temperature,
    );
    client = with(client, section.one_of("thinking", &THINKING), Client::with_thinking);
    client = with(client, section.one_of("transport", &TRANSPORT), Client::with_transport);
    client = with(
        client,
        section.one_of("plain_http", &PLAIN_HTTP),
        Client::with_plain_http,
    );
    client = with(client, section.one_of("proxy", &PROXY), Client::with_proxy);
    let (mut deadlines, mut retry) = (Deadlines::default(), Retry::default());
    put(&mut deadlines.first, section.millis("first_ms"));
    put(&mut deadlines.whole, section.millis("whole_ms"));
    put(&mut retry.times, section.integer("retries", 0..=5_u32));
    let mut timeouts = Timeouts::default();
    put(&mut timeouts.connect, section.millis("connect_ms"));
    // The chain's deadlines count; the client must not give up before.
    (timeouts.first_token, timeouts.whole) = (deadlines.first, deadlines.whole);
    if deadlines.first > deadlines.whole {
        let message = "the first words may come later than the last ones";
        section.fault(
            "first_ms",
            Code::Conflict,
            message,
            "write a first_ms that is at most whole_ms",
        );
    }
    client = client.with_timeouts(timeouts);
    match client.clone().build() {
        Ok(_) => {}
        Err(error) => unusable(&section, &error),
    }
    section.finish();
    Some(Link::Service(Box::new(Service {
        client,
        deadlines,
        retry,
    })))
}

fn with<T>(client: Client, value: Option<T>, set: impl FnOnce(Client, T) -> Client) -> Client {
    match value {
        Some(value) => set(client, value),
        None => client,
    }
}

/// The key that the section points at, else the one that the provider's users keep in its own variable: that one goes to
/// the provider's own address alone.
fn key(section: &Section<'_>, reading: Reading<'_>, provider: Provider, elsewhere: bool) -> Option<secret::Secret> {
    let usual = provider.profile().key_variable.filter(|_| !elsewhere);
    let key = secret::read_or_usual(section, reading, secret::KEY, usual);
    if key.is_none() && usual.is_some() {
        secret::missing_key(section, "provider", &provider.to_string(), usual);
    }
    key
}

/// Tells why no client can be made of the section, at the key that it is about.
fn unusable(section: &Section<'_>, error: &ConfigError) {
    let (key, code, fix) = match error {
        ConfigError::NoUrl => ("url", Code::Missing, "write: url = \"http://host:port/v1\""),
        ConfigError::Url { .. } => ("url", Code::UnknownValue, "write: url = \"https://host/v1\""),
        ConfigError::NoModel => ("model", Code::Missing, "write: model = \"its name at the service\""),
        ConfigError::Key => ("key_env", Code::Unusable, "put the key there and nothing else"),
        ConfigError::KeyOverPlainHttp { .. } => (
            "url",
            Code::Conflict,
            "use https, or write plain_http = \"allowed\" where the network is trusted",
        ),
        _ => ("provider", Code::Unusable, "docs/configuration.md describes every key"),
    };
    let message = match error {
        ConfigError::NoUrl => "it is missing: this provider has no address of its own".to_owned(),
        ConfigError::NoModel => "it is missing: this provider has no usual model".to_owned(),
        ConfigError::KeyOverPlainHttp { host } => format!("the key would go to `{host}` unencrypted"),
        ConfigError::Url { reason, .. } => format!("it is no address of a service: {reason}"),
        other => other.to_string(),
    };
    section.fault(key, code, message, fix);
}
