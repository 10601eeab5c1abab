//! A key that does not show itself.

use crate::config::ConfigError;
use http::header::HeaderValue;
use std::fmt;

/// A service's key. `Debug` never shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key; white space around it (the line end of a file) is dropped.
    ///
    /// # Errors
    /// [`ConfigError::Key`] where it is empty or holds what no header may hold.
    pub fn new(key: &str) -> Result<Self, ConfigError> {
        let key = key.trim();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::Key);
        }
        Ok(Self(key.to_owned()))
    }

    /// The `Authorization` header's value, marked so that no log shows it.
    pub(crate) fn header(&self) -> Result<HeaderValue, ConfigError> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).map_err(|_| ConfigError::Key)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// `text` without the key, should a service have echoed it.
    pub(crate) fn redact(&self, text: String) -> String {
        if text.contains(&self.0) {
            text.replace(&self.0, "[key]")
        } else {
            text
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_itself_nowhere() {
        let key = ApiKey::new(" sk-secret\n").unwrap();
        let header = key.header().unwrap();
        assert_eq!(header, "Bearer sk-secret");
        assert!(header.is_sensitive());
        for text in [format!("{key:?}"), format!("{header:?}")] {
            assert!(!text.contains("secret"), "{text}");
        }
        assert_eq!(key.redact("bad key sk-secret".into()), "bad key [key]");
    }

    #[test]
    fn what_no_header_may_hold_is_no_key() {
        for bad in ["", "  ", "sk secret", "sk\nsecret", "sk-é"] {
            assert_eq!(ApiKey::new(bad), Err(ConfigError::Key), "{bad:?}");
        }
    }
}
