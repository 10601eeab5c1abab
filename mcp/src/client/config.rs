//! Which server, how it is reached, and what it may do.

use super::dial::dialler;
use incar_core::ToolCategory;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// One MCP server: how it is reached, and the bounds on what it may do. Made in code, or read from a
/// host's configuration:
///
/// ```
/// use incar_mcp::client::ServerConfig;
///
/// let tavily = ServerConfig::stdio("tavily", "npx")
///     .args(["-y", "tavily-mcp"])
///     .pass_env(["PATH", "HOME", "TAVILY_API_KEY"]);
/// let written = r#"{"name": "tavily", "transport": {"stdio":
///     {"command": "npx", "args": ["-y", "tavily-mcp"], "pass_env": ["PATH", "HOME", "TAVILY_API_KEY"]}}}"#;
/// assert_eq!(serde_json::from_str::<ServerConfig>(written).unwrap(), tavily);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ServerConfig {
    /// What the server is called: the first part of its tools' names, and what the driver hears. 1 to
    /// 24 of a-z, 0-9, `-` and single `_`.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// The category of its tools. Default: [`ToolCategory::KNOWLEDGE`].
    #[serde(default = "knowledge")]
    pub category: ToolCategory,
    /// The only tools that are taken, by the server's names for them. Default: all, up to `most_tools`.
    #[serde(default)]
    pub only: Option<Vec<String>>,
    /// Tools that may change things without a yes from the driver, as the policies decide. Default: none.
    #[serde(default)]
    pub unattended: Vec<String>,
    /// Whether what a server says of its tools' effects is believed.
    #[serde(default)]
    pub hints: Hints,
    /// What becomes of questions that the server asks.
    #[serde(default)]
    pub elicitation: Elicitation,
    /// How long one call may take. Default 30 s.
    #[serde(default = "call_timeout", rename = "call_timeout_s", deserialize_with = "seconds")]
    pub call_timeout: Duration,
    /// How long starting the server and listing its tools may take. Default 60 s: `npx` may have to
    /// fetch the program first.
    #[serde(
        default = "connect_timeout",
        rename = "connect_timeout_s",
        deserialize_with = "seconds"
    )]
    pub connect_timeout: Duration,
    /// How long a question of the server waits for the driver. Default 5 minutes.
    #[serde(default = "question_wait", rename = "question_wait_s", deserialize_with = "seconds")]
    pub question_wait: Duration,
    /// How many tools are taken at most. Default 64.
    #[serde(default = "most_tools")]
    pub most_tools: usize,
    /// How long a result may be, in characters; the rest is cut. Default 16,000.
    #[serde(default = "longest_result")]
    pub longest_result: usize,
    /// How long one message of the server may be, in bytes; a longer one is thrown away unread.
    /// Default 4 MiB.
    #[serde(default = "longest_message")]
    pub longest_message: usize,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Transport {
    /// A child process that speaks on its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// The variables of our environment that it gets, by name. It gets no others, not even `PATH`.
        #[serde(default)]
        pass_env: Vec<String>,
    },
    /// Streamable HTTP.
    Http {
        /// The address of its endpoint: `https`, or `http` on this machine.
        url: String,
        /// Headers of every request: from the header's name to the variable of our environment that
        /// holds its value.
        #[serde(default)]
        headers_from_env: BTreeMap<String, String>,
        /// The variable of our environment that holds the bearer token.
        #[serde(default)]
        token_from_env: Option<String>,
    },
}

/// Whether a server's hints about its tools' effects are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hints {
    /// `readOnlyHint` makes a tool `read`, `idempotentHint` makes it `set`; without either it is `act`.
    #[default]
    Believed,
    /// Every tool counts as `act`.
    Ignored,
}

/// What becomes of questions that a server asks while a call runs (elicitation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Elicitation {
    /// They are put to the driver; the call waits for the answer.
    #[default]
    Asked,
    /// They are declined.
    Declined,
}

/// What is wrong with a [`ServerConfig`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The name is none.
    #[error("`{0}` is no name of a server: use 1 to 24 of a-z, 0-9, `-` and single `_`")]
    Name(String),
    /// Two servers have the same name.
    #[error("two servers are named `{0}`")]
    SameName(String),
    /// A variable of the environment is not set, or is not text.
    #[error("the server `{server}` needs the environment variable `{variable}`, which is not set")]
    Environment {
        /// The server.
        server: String,
        /// The variable.
        variable: String,
    },
    /// The address is none, or must not be used.
    #[error("the address of the server `{server}` cannot be used: {reason}")]
    Url {
        /// The server.
        server: String,
        /// Why.
        reason: String,
    },
    /// A header is none.
    #[error("the server `{server}` has no valid header `{header}`")]
    Header {
        /// The server.
        server: String,
        /// The header.
        header: String,
    },
    /// TLS could not be set up.
    #[error("TLS could not be set up: {0}")]
    Tls(String),
}

fn knowledge() -> ToolCategory {
    ToolCategory::KNOWLEDGE
}

const fn call_timeout() -> Duration {
    Duration::from_secs(30)
}

const fn connect_timeout() -> Duration {
    Duration::from_secs(60)
}

const fn question_wait() -> Duration {
    Duration::from_secs(5 * 60)
}

const fn most_tools() -> usize {
    64
}

const fn longest_result() -> usize {
    16_000
}

const fn longest_message() -> usize {
    4 * 1024 * 1024
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_secs)
}

impl ServerConfig {
    fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            category: knowledge(),
            only: None,
            unattended: Vec::new(),
            hints: Hints::default(),
            elicitation: Elicitation::default(),
            call_timeout: call_timeout(),
            connect_timeout: connect_timeout(),
            question_wait: question_wait(),
            most_tools: most_tools(),
            longest_result: longest_result(),
            longest_message: longest_message(),
        }
    }

    /// The server `name`, a child process that runs `command`.
    pub fn stdio(name: impl Into<String>, command: impl Into<String>) -> Self {
        let transport = Transport::Stdio {
            command: command.into(),
            args: Vec::new(),
            pass_env: Vec::new(),
        };
        Self::new(name, transport)
    }

    /// The server `name` at `url`.
    pub fn http(name: impl Into<String>, url: impl Into<String>) -> Self {
        let transport = Transport::Http {
            url: url.into(),
            headers_from_env: BTreeMap::new(),
            token_from_env: None,
        };
        Self::new(name, transport)
    }

    /// The same with more arguments of the command; nothing over HTTP.
    #[must_use]
    pub fn args(mut self, more: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Transport::Stdio { args, .. } = &mut self.transport {
            args.extend(more.into_iter().map(Into::into));
        }
        self
    }

    /// The same; the child gets these variables of our environment, too. Nothing over HTTP.
    #[must_use]
    pub fn pass_env(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Transport::Stdio { pass_env, .. } = &mut self.transport {
            pass_env.extend(names.into_iter().map(Into::into));
        }
        self
    }

    /// The same; every request carries the bearer token that stands in `variable`. Nothing over stdio.
    #[must_use]
    pub fn token_from_env(mut self, variable: impl Into<String>) -> Self {
        if let Transport::Http { token_from_env, .. } = &mut self.transport {
            *token_from_env = Some(variable.into());
        }
        self
    }

    /// The same; every request carries `header` with what stands in `variable`. Nothing over stdio.
    #[must_use]
    pub fn header_from_env(mut self, header: impl Into<String>, variable: impl Into<String>) -> Self {
        if let Transport::Http { headers_from_env, .. } = &mut self.transport {
            headers_from_env.insert(header.into(), variable.into());
        }
        self
    }

    /// The same, its tools in `category`.
    #[must_use]
    pub fn in_category(mut self, category: ToolCategory) -> Self {
        self.category = category;
        self
    }

    /// The same with only these tools.
    #[must_use]
    pub fn only(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.only = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// The same; these tools may change things without a yes from the driver.
    #[must_use]
    pub fn unattended(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.unattended.extend(tools.into_iter().map(Into::into));
        self
    }

    /// The same with its hints believed or not.
    #[must_use]
    pub fn with_hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// The same with this answer to its questions.
    #[must_use]
    pub fn with_elicitation(mut self, elicitation: Elicitation) -> Self {
        self.elicitation = elicitation;
        self
    }

    /// The same with this bound on one call.
    #[must_use]
    pub fn with_call_timeout(mut self, timeout: Duration) -> Self {
        self.call_timeout = timeout;
        self
    }

    /// The same with this bound on starting the server and listing its tools.
    #[must_use]
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The same; a question of the server waits so long for the driver.
    #[must_use]
    pub fn with_question_wait(mut self, wait: Duration) -> Self {
        self.question_wait = wait;
        self
    }

    /// The same with this many tools at most.
    #[must_use]
    pub fn with_most_tools(mut self, most: usize) -> Self {
        self.most_tools = most;
        self
    }

    /// The same with results of at most so many characters.
    #[must_use]
    pub fn with_longest_result(mut self, characters: usize) -> Self {
        self.longest_result = characters;
        self
    }

    /// What is wrong with it, with nothing started or called. `environment` looks a variable of our environment up.
    ///
    /// # Errors
    /// As [`McpClient::connect`](super::McpClient::connect), which checks the same.
    pub fn check(&self, environment: impl Fn(&str) -> Option<String>) -> Result<(), ConfigError> {
        dialler(self, &environment).map(drop)
    }

    /// Whether the name is one.
    pub(super) fn check_name(&self) -> Result<(), ConfigError> {
        let fits = (1..=24).contains(&self.name.len())
            && self
                .name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
            && !self.name.contains("__")
            && !self.name.ends_with('_');
        if fits {
            Ok(())
        } else {
            Err(ConfigError::Name(self.name.clone()))
        }
    }
}
