//! Who may ask a server of ours: whoever shows a secret.

use std::fmt;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// How long a token is at least: one that can be guessed is none.
const SHORTEST: usize = 16;

/// The secret that a client shows.
#[derive(Clone)]
pub struct BearerToken(Arc<str>);

/// The token can be guessed, or no header can have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeakToken;

impl fmt::Display for WeakToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a token needs at least 16 printable ASCII characters without spaces")
    }
}

impl std::error::Error for WeakToken {}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(..)")
    }
}

impl BearerToken {
    /// The token `secret`.
    ///
    /// # Errors
    /// [`WeakToken`] where it has fewer than 16 bytes, or some that no header can have.
    pub fn new(secret: impl Into<Arc<str>>) -> Result<Self, WeakToken> {
        let secret: Arc<str> = secret.into();
        let fits = secret.len() >= SHORTEST && secret.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(secret)) } else { Err(WeakToken) }
    }

    /// Whether a request shows it, whose `Authorization` headers are these; takes as long whatever part of it is right.
    pub fn is_shown<'a>(&self, authorization: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let mut shown = authorization.into_iter();
        let (Some(shown), None) = (shown.next(), shown.next()) else {
            return false;
        };
        let Some((scheme, secret)) = shown.split_at_checked("Bearer ".len()) else {
            return false;
        };
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(secret.ct_eq(self.0.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = BearerToken::new("0123456789abcdef").unwrap_or_else(|weak| panic!("{weak}"));
        let check = |shown: &[&str], expected: bool| {
            assert_eq!(
                token.is_shown(shown.iter().map(|value| value.as_bytes())),
                expected,
                "{shown:?}"
            );
        };
        check(&["Bearer 0123456789abcdef"], true);
        check(&["bearer 0123456789abcdef"], true);
        check(&["Bearer 0123456789abcdeF"], false);
        check(&["Bearer 0123456789abcde"], false);
        check(&["Bearer 0123456789abcdef0"], false);
        check(&["Basic 0123456789abcdef"], false);
        check(&["Bearer "], false);
        check(&["Bear"], false);
        check(&[""], false);
        check(&[], false);
        // Two are none: nobody says which of them counts.
        check(&["Bearer wrong", "Bearer 0123456789abcdef"], false);
        check(&["Bearer 0123456789abcdef", "Bearer wrong"], false);
    }

    #[test]
    fn a_token_that_can_be_guessed_is_none() {
        for secret in [
            "",
            "short",
            "0123456789abcde",
            "0123456789abcde f",
            "0123456789abcdef\n",
        ] {
            assert!(BearerToken::new(secret).is_err(), "{secret:?}");
        }
    }
}
