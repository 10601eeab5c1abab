//! The configuration that an environment asks for.

use crate::address;
use crate::config::{Config, ConfigError};
use crate::provider::Provider;

const PROVIDER: &str = "INCAR_PROVIDER";
const URL: &str = "INCAR_MODEL_URL";
const MODEL: &str = "INCAR_MODEL";
const KEY: &str = "INCAR_API_KEY";

impl Config {
    /// The configuration that the process's environment asks for; `None` where it asks for none.
    ///
    /// # Errors
    /// As [`Config::from_lookup`].
    pub fn from_env() -> Result<Option<Self>, ConfigError> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// The configuration that variables ask for; `None` where they ask for none. Empty ones count as
    /// unset.
    ///
    /// - `INCAR_PROVIDER`: dashscope, deepseek, openai, ollama, llama.cpp, vllm or custom. Not set:
    ///   what `INCAR_MODEL_URL`'s host tells, else the first of dashscope, deepseek and openai whose
    ///   key is there.
    /// - `INCAR_MODEL_URL`, `INCAR_MODEL`: instead of the provider's own.
    /// - `INCAR_API_KEY`, else the provider's own variable (`DASHSCOPE_API_KEY`, `DEEPSEEK_API_KEY`,
    ///   `OPENAI_API_KEY`). A provider's own key never goes to another provider.
    ///
    /// # Errors
    /// [`ConfigError`] where they ask for what cannot be: an unknown provider, no URL, no key.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ConfigError> {
        let get = |name: &str| {
            let value = lookup(name)?.trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let url = get(URL);
        let has_key = |provider: &Provider| provider.profile().key_variable.and_then(get).is_some();
        let provider = match (get(PROVIDER), &url) {
            (Some(name), _) => Provider::from_name(&name).ok_or(ConfigError::Provider(name))?,
            (None, Some(url)) => address::provider_at(url)?,
            (None, None) => match Provider::ALL.into_iter().find(has_key) {
                Some(provider) => provider,
                None if get(KEY).is_some() || get(MODEL).is_some() => return Err(ConfigError::NoUrl),
                None => return Ok(None),
            },
        };
        let variable = provider.profile().key_variable;
        let key = get(KEY).or_else(|| variable.and_then(get));
        let mut config = Self::new(provider);
        match (key, variable, &url) {
            (Some(key), _, _) => config = config.with_key(key),
            (None, Some(variable), None) => return Err(ConfigError::NoKey { provider, variable }),
            (None, _, _) => {}
        }
        if let Some(url) = url {
            config = config.with_base_url(url);
        }
        if let Some(model) = get(MODEL) {
            config = config.with_model(model);
        }
        config.check()?;
        Ok(Some(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<Option<Config>, ConfigError> {
        Config::from_lookup(|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn an_environment_chooses_the_service() {
        for (variables, provider, url, model, has_key) in [
            (
                &[("DASHSCOPE_API_KEY", "sk-1"), ("OPENAI_API_KEY", "sk-2")][..],
                Provider::DashScope,
                "https://dashscope.aliyuncs.com/compatible-mode/v1",
                "qwen-plus",
                true,
            ),
            (
                &[("OPENAI_API_KEY", "sk-2"), ("INCAR_MODEL", "gpt-x")],
                Provider::OpenAi,
                "https://api.openai.com/v1",
                "gpt-x",
                true,
            ),
            (
                &[
                    ("INCAR_PROVIDER", "ollama"),
                    ("INCAR_MODEL", "qwen3"),
                    ("OPENAI_API_KEY", "sk-2"),
                ],
                Provider::Ollama,
                "http://127.0.0.1:11434/v1",
                "qwen3",
                false,
            ),
            (
                &[
                    ("INCAR_MODEL_URL", "http://127.0.0.1:9000/v1"),
                    ("INCAR_MODEL", "m"),
                    ("OPENAI_API_KEY", "sk-2"),
                ],
                Provider::Custom,
                "http://127.0.0.1:9000/v1",
                "m",
                false,
            ),
            (
                &[
                    (
                        "INCAR_MODEL_URL",
                        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
                    ),
                    ("DASHSCOPE_API_KEY", "sk-1"),
                ],
                Provider::DashScope,
                "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
                "qwen-plus",
                true,
            ),
            (
                &[
                    ("INCAR_PROVIDER", "DeepSeek"),
                    ("INCAR_API_KEY", "sk-3"),
                    ("DASHSCOPE_API_KEY", ""),
                ],
                Provider::DeepSeek,
                "https://api.deepseek.com",
                "deepseek-flash",
                true,
            ),
        ] {
            let config = from(variables).unwrap().unwrap();
            assert_eq!(
                (
                    config.provider,
                    config.base_url.as_str(),
                    config.model.as_str(),
                    config.key.is_some()
                ),
                (provider, url, model, has_key),
                "{variables:?}"
            );
        }
    }

    #[test]
    fn an_environment_that_asks_for_nothing_gets_nothing() {
        assert!(from(&[]).unwrap().is_none());
        assert!(from(&[("DASHSCOPE_API_KEY", " ")]).unwrap().is_none());
    }

    #[test]
    fn an_environment_that_asks_for_what_cannot_be_is_told_so() {
        let no_key = ConfigError::NoKey {
            provider: Provider::DashScope,
            variable: "DASHSCOPE_API_KEY",
        };
        for (variables, error) in [
            (
                &[("INCAR_PROVIDER", "skynet")][..],
                ConfigError::Provider("skynet".into()),
            ),
            (&[("INCAR_PROVIDER", "dashscope"), ("OPENAI_API_KEY", "sk-2")], no_key),
            (
                &[("INCAR_PROVIDER", "custom"), ("INCAR_MODEL", "m")],
                ConfigError::NoUrl,
            ),
            (&[("INCAR_API_KEY", "sk-3")], ConfigError::NoUrl),
            (&[("INCAR_MODEL_URL", "http://127.0.0.1:9000/v1")], ConfigError::NoModel),
        ] {
            assert_eq!(from(variables).unwrap_err(), error, "{variables:?}");
        }
        assert!(matches!(
            from(&[("INCAR_MODEL_URL", "::")]),
            Err(ConfigError::Url { .. })
        ));
    }
}
