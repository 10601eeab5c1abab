//! The services that are known by name.

use crate::dialect::Dialect;
use std::fmt;

/// A service known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// Alibaba Cloud's DashScope (Model Studio).
    DashScope,
    /// DeepSeek.
    DeepSeek,
    /// OpenAI.
    OpenAi,
    /// Ollama on this machine.
    Ollama,
    /// llama.cpp's server on this machine.
    LlamaCpp,
    /// vLLM on this machine.
    Vllm,
    /// Any other compatible service; its base URL must be given.
    Custom,
}

/// What is known of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Its name, as `INCAR_PROVIDER` takes it.
    pub name: &'static str,
    /// Its base URL.
    pub base_url: Option<&'static str>,
    /// The model asked for where none is named.
    pub model: Option<&'static str>,
    /// The environment variable its users keep their key in; `None` where it needs no key.
    pub key_variable: Option<&'static str>,
    /// How it wants to be talked to.
    pub dialect: Dialect,
}

impl Provider {
    /// All of them, in the order in which the environment is searched for keys.
    pub const ALL: [Self; 7] = [
        Self::DashScope,
        Self::DeepSeek,
        Self::OpenAi,
        Self::Ollama,
        Self::LlamaCpp,
        Self::Vllm,
        Self::Custom,
    ];

    /// What is known of it.
    pub fn profile(self) -> Profile {
        match self {
            Self::DashScope => Profile {
                name: "dashscope",
                base_url: Some("https://dashscope.aliyuncs.com/compatible-mode/v1"),
                model: Some("qwen-plus"),
                key_variable: Some("DASHSCOPE_API_KEY"),
                dialect: Dialect::DASHSCOPE,
            },
            Self::DeepSeek => Profile {
                name: "deepseek",
                base_url: Some("https://api.deepseek.com"),
                model: Some("deepseek-flash"),
                key_variable: Some("DEEPSEEK_API_KEY"),
                dialect: Dialect::DEEPSEEK,
            },
            Self::OpenAi => Profile {
                name: "openai",
                base_url: Some("https://api.openai.com/v1"),
                model: Some("gpt-4.1-mini"),
                key_variable: Some("OPENAI_API_KEY"),
                dialect: Dialect::OPENAI,
            },
            Self::Ollama => Profile {
                name: "ollama",
                base_url: Some("http://127.0.0.1:11434/v1"),
                model: None,
                key_variable: None,
                dialect: Dialect::OLLAMA,
            },
            Self::LlamaCpp => Profile {
                name: "llama.cpp",
                base_url: Some("http://127.0.0.1:8080/v1"),
                // The server answers with the model it was started with, whatever is named.
                model: Some("default"),
                key_variable: None,
                dialect: Dialect::LLAMA_CPP,
            },
            Self::Vllm => Profile {
                name: "vllm",
                base_url: Some("http://127.0.0.1:8000/v1"),
                model: None,
                key_variable: None,
                dialect: Dialect::VLLM,
            },
            Self::Custom => Profile {
                name: "custom",
                base_url: None,
                model: None,
                key_variable: None,
                dialect: Dialect::COMMON,
            },
        }
    }

    /// The service of that name, in any case; `llamacpp` is understood too.
    pub fn from_name(name: &str) -> Option<Self> {
        let same = |known: &str| known.eq_ignore_ascii_case(name.trim());
        if same("llamacpp") {
            return Some(Self::LlamaCpp);
        }
        Self::ALL.into_iter().find(|provider| same(provider.profile().name))
    }

    /// The service that answers at `host` (and `port`), so far as that can be told.
    pub(crate) fn at(host: &str, port: Option<u16>) -> Self {
        let below = |domain: &str| host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
        if below("aliyuncs.com") && host.starts_with("dashscope") {
            Self::DashScope
        } else if below("deepseek.com") {
            Self::DeepSeek
        } else if below("openai.com") {
            Self::OpenAi
        } else if port == Some(11434) {
            Self::Ollama
        } else {
            Self::Custom
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.profile().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_known_by_its_name() {
        for provider in Provider::ALL {
            assert_eq!(Provider::from_name(provider.profile().name), Some(provider));
        }
        assert_eq!(Provider::from_name(" DeepSeek "), Some(Provider::DeepSeek));
        assert_eq!(Provider::from_name("llamacpp"), Some(Provider::LlamaCpp));
        assert_eq!(Provider::from_name("deep"), None);
    }

    #[test]
    fn a_service_is_known_by_its_host() {
        for (host, port, provider) in [
            ("dashscope.aliyuncs.com", None, Provider::DashScope),
            ("dashscope-intl.aliyuncs.com", None, Provider::DashScope),
            ("oss.aliyuncs.com", None, Provider::Custom),
            ("api.deepseek.com", None, Provider::DeepSeek),
            ("notdeepseek.com", None, Provider::Custom),
            ("api.openai.com", None, Provider::OpenAi),
            ("127.0.0.1", Some(11434), Provider::Ollama),
            ("127.0.0.1", Some(8000), Provider::Custom),
        ] {
            assert_eq!(Provider::at(host, port), provider, "{host}");
        }
    }
}
