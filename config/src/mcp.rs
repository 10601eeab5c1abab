//! `[mcp]`: servers whose tools the assistant has.

use crate::environment::Environment;
use crate::reading::{self, Reading};
use crate::secret::{self, TOKEN};
use crate::settings::put;
use incar_core::ToolCategory;
use incar_mcp::client::{ConfigError, Elicitation, FilePins, Hints, McpClient, ServerConfig};
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Faults, Item, Place, Section};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// MCP servers, and where what was accepted of them is kept.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Mcp {
    /// The servers, in the order written; never empty.
    pub servers: Vec<ServerConfig>,
    /// The file in which it is kept what each server's tools were when they were accepted.
    pub pins: PathBuf,
    /// What the servers' configurations name in the environment, and their tokens.
    variables: Environment,
    place: Place,
}

const HINTS: [(&str, Hints); 2] = [("believed", Hints::Believed), ("ignored", Hints::Ignored)];
const ELICITATION: [(&str, Elicitation); 2] = [("asked", Elicitation::Asked), ("declined", Elicitation::Declined)];

/// The keys of a server that is a child process, and of one at an address.
const OF_STDIO: [&str; 2] = ["args", "pass_env"];
const OF_HTTP: [&str; 3] = [TOKEN.env, TOKEN.file, "headers_env"];

/// What a server's tools may be bounded by, whatever it is asked for: more is no bound.
const MOST_TOOLS: u32 = 1_000;
const LONGEST_RESULT: u32 = 1_000_000;
const LONGEST_MESSAGE: u32 = 64 << 20;

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>, faults: &Faults) -> Option<Mcp> {
    let told = faults.count();
    let pins = pins(&section, reading);
    let mut variables = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut servers = Vec::new();
    for server in section.sections("servers") {
        let place = server.place_of("name");
        let Some(config) = read_server(server, reading, faults, &mut variables) else {
            continue;
        };
        if !names.insert(config.name.clone()) {
            let message = format!("another server is named `{}`", config.name);
            let fix = "give it another name: its tools are named after it";
            section.fault_at(place, "servers.name", Code::DuplicateId, message, fix);
        }
        servers.push(config);
    }
    let empty = |item: &Item| matches!(item, Item::List(servers) if servers.is_empty());
    if section.node("servers").is_none_or(|node| empty(node.item())) {
        section.missing("servers", "[[mcp.servers]] with name and command, or name and url");
    }
    let place = section.place().clone();
    section.finish();
    let pins = pins.filter(|_| faults.count() == told)?;
    Some(Mcp {
        servers,
        pins,
        variables: variables.into_iter().collect(),
        place,
    })
}

/// The file of pins, which need not be there yet; its folder must.
fn pins(section: &Section<'_>, reading: Reading<'_>) -> Option<PathBuf> {
    if !section.has("pins") {
        section.missing("pins", "pins = \"mcp-pins.json\"");
    }
    let path = reading.path(section, "pins")?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if folder.is_dir() {
        return Some(path);
    }
    let message = format!("there is no folder `{}`", folder.display());
    section.fault("pins", Code::Unreadable, message, "make it, or write another path");
    None
}

fn read_server(
    section: Section<'_>,
    reading: Reading<'_>,
    faults: &Faults,
    variables: &mut BTreeMap<String, String>,
) -> Option<ServerConfig> {
    let told = faults.count();
    let name = section.required_text("name", "name = \"tavily\"").unwrap_or_default();
    let (command, url) = (section.text("command"), section.text("url"));
    // All keys are known, whichever kind of server it is: one that does not go with it is told so.
    for key in OF_HTTP.iter().chain(&OF_STDIO) {
        section.has(key);
    }
    values_in_file(&section);
    let mut named = Named {
        section: &section,
        reading,
        found: variables,
    };
    let server = match (command, url) {
        (Some(_), Some(_)) => {
            let message = "`command` and `url` are both there";
            section.fault("url", Code::Conflict, message, "keep one of them");
            None
        }
        (Some(command), None) => {
            let fix = "write url in place of command, or leave it out";
            reading::unused(&section, &OF_HTTP, "a server that is started", fix);
            Some(named.process(name, &command))
        }
        (None, Some(url)) => {
            let fix = "write command in place of url, or leave it out";
            reading::unused(&section, &OF_STDIO, "a server at an address", fix);
            Some(named.address(name, &url))
        }
        (None, None) => {
            if !section.has("command") && !section.has("url") {
                section.missing("command", "command = \"npx\", or url = \"https://host/mcp\"");
            }
            None
        }
    };
    let server = server.map(|server| bounded(&section, server));
    if let Some(server) = server.as_ref().filter(|_| faults.count() == told)
        && let Err(error) = server.check(|variable| variables.get(variable).cloned())
    {
        unusable(&section, &error);
    }
    section.finish();
    server.filter(|_| faults.count() == told)
}

/// What a server may do, and how much.
fn bounded(section: &Section<'_>, mut server: ServerConfig) -> ServerConfig {
    let texts = |key: &'static str| section.texts(key);
    put(&mut server.category, section.text("category").map(ToolCategory::new));
    put(&mut server.hints, section.one_of("hints", &HINTS));
    put(&mut server.elicitation, section.one_of("elicitation", &ELICITATION));
    put(&mut server.call_timeout, section.seconds("call_timeout_s"));
    put(&mut server.connect_timeout, section.seconds("connect_timeout_s"));
    put(&mut server.question_wait, section.seconds("question_wait_s"));
    put(
        &mut server.most_tools,
        reading::size(section, "most_tools", 1..=MOST_TOOLS),
    );
    let longest = reading::size(section, "longest_result", 100..=LONGEST_RESULT);
    put(&mut server.longest_result, longest);
    let longest = reading::size(section, "longest_message", 1_000..=LONGEST_MESSAGE);
    put(&mut server.longest_message, longest);
    server.only = texts("only").map(|tools| tools.into_iter().map(|(tool, _)| tool).collect());
    for (tool, place) in texts("unattended").unwrap_or_default() {
        if server.only.as_ref().is_some_and(|only| !only.contains(&tool)) {
            let message = format!("`{tool}` is none of the tools in `only`");
            section.fault_at(
                place,
                "unattended",
                Code::Conflict,
                message,
                "add it to `only`, or take it out here",
            );
        }
        server.unattended.push(tool);
    }
    server
}

/// Other clients' files have values in `env` and `headers`: here they would be secrets in the file.
fn values_in_file(section: &Section<'_>) {
    for (key, fix) in [
        (
            "env",
            "write the names of variables of the environment: pass_env = [\"ITS_NAME\"]",
        ),
        (
            "headers",
            "write the name of a variable of the environment: headers_env = { name = \"ITS_NAME\" }",
        ),
    ] {
        // Only what is there becomes a known key, so that no other one is taken for it.
        if section.each().any(|(written, ..)| written == key) && section.has(key) {
            let message = "a secret must not stand in the file";
            section.fault(key, Code::InlineSecret, message, fix);
        }
    }
}

/// Reads a server's section, and looks up what it names in the environment.
struct Named<'a> {
    section: &'a Section<'a>,
    reading: Reading<'a>,
    found: &'a mut BTreeMap<String, String>,
}

impl Named<'_> {
    fn process(&mut self, name: String, command: &str) -> ServerConfig {
        let args = self.section.texts("args").unwrap_or_default();
        let passed = self.section.texts("pass_env").unwrap_or_default();
        for (nth, (variable, place)) in passed.iter().enumerate() {
            // It is not shown: somebody may have written the value.
            let unset = format!("number {} names no environment variable that is set", nth + 1);
            self.look_up(variable, place, "pass_env", unset);
        }
        ServerConfig::stdio(name, self.program(command))
            .args(args.into_iter().map(|(argument, _)| argument))
            .pass_env(passed.into_iter().map(|(variable, _)| variable))
    }

    /// A program's path begins at the file's folder; its bare name is looked for where programs are.
    fn program(&self, command: &str) -> String {
        if !command.contains('/') {
            return command.to_owned();
        }
        self.reading.folder.join(command).display().to_string()
    }

    fn address(&mut self, name: String, url: &str) -> ServerConfig {
        if url.contains('@') {
            let message = "there is a name or a password in the address";
            let fix = "put it in an environment variable and write `token_env = \"ITS_NAME\"`";
            self.section.fault("url", Code::InlineSecret, message, fix);
        }
        let mut server = ServerConfig::http(&name, url);
        if let Some(token) = secret::read(self.section, self.reading, TOKEN) {
            // No variable has such a name.
            let slot = format!("mcp.servers.{name}.token");
            self.found.insert(slot.clone(), token.expose().to_owned());
            server = server.token_from_env(slot);
        }
        for (header, place, node) in self.section.section("headers_env").iter().flat_map(Section::each) {
            let key = format!("headers_env.{header}");
            if let Item::Text(variable) = node.item() {
                let unset = "the environment variable that it names is not set".to_owned();
                self.look_up(variable, place, &key, unset);
                server = server.header_from_env(header, variable);
            } else {
                let message = "it must be the name of an environment variable";
                self.section
                    .fault_at(place.clone(), &key, Code::WrongType, message, "write it in quotes");
            }
        }
        server
    }

    fn look_up(&mut self, variable: &str, place: &Place, key: &str, unset: String) {
        match self.reading.environment.get(variable) {
            Some(value) => {
                self.found.insert(variable.to_owned(), value.to_owned());
            }
            None => {
                let fix = "set it before the program starts, or take it out";
                self.section
                    .fault_at(place.clone(), key, Code::MissingSecret, unset, fix);
            }
        }
    }
}

/// Tells why a server cannot be one, at the key that it is about.
fn unusable(section: &Section<'_>, error: &ConfigError) {
    match error {
        ConfigError::Name(name) => {
            let message = format!("`{name}` is no name of a server");
            let fix = "write 1 to 24 of a-z, 0-9, `-` and single `_`";
            section.fault("name", Code::UnknownValue, message, fix);
        }
        ConfigError::Url { reason, .. } => {
            let message = format!("it cannot be used: {reason}");
            section.fault("url", Code::UnknownValue, message, "write: url = \"https://host/mcp\"");
        }
        ConfigError::Header { header, .. } => {
            let message = format!("`{header}` is no header, or its value none");
            section.fault("headers_env", Code::UnknownValue, message, "mend its name or its value");
        }
        other => {
            let fix = "docs/configuration.md describes every key";
            section.fault("", Code::Unusable, other.to_string(), fix);
        }
    }
}

impl Mcp {
    /// Starts and calls the servers. One that cannot be reached is no error: it is tried again when one of its tools is
    /// called.
    ///
    /// # Errors
    /// Where a server cannot be one, which was tried when the configuration was read.
    pub async fn connect(&self) -> Result<McpClient, Diagnostics> {
        let pins = Arc::new(FilePins::new(&self.pins));
        let variable = |name: &str| self.variables.get(name).map(str::to_owned);
        let client = McpClient::connect_in(self.servers.iter().cloned(), pins, variable).await;
        client.map_err(|error| self.unusable(error.to_string(), "docs/configuration.md describes every key"))
    }

    /// The host did not connect them.
    pub(crate) fn not_connected(&self) -> Diagnostics {
        let message = "the servers are not connected".to_owned();
        let fix = "in the host: Surroundings::with_connections(config.connect().await?)";
        self.unusable(message, fix)
    }

    fn unusable(&self, message: String, fix: &str) -> Diagnostics {
        Diagnostic::new(self.place.clone(), "mcp.servers", Code::Unusable, message, fix).into()
    }
}
