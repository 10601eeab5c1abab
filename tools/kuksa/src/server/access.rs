//! Who may do what, by token.

use std::fmt;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

/// Who may speak to the server.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Access {
    /// Everybody, for everything.
    #[default]
    Open,
    /// Who has one of these tokens.
    Tokens(Vec<Grant>),
}

/// What a token allows.
#[derive(Clone)]
pub struct Grant {
    token: String,
    scopes: Vec<Scope>,
}

#[derive(Debug, Clone)]
struct Scope {
    action: Action,
    /// All signals where it is empty.
    path: String,
}

/// What can be done with a signal. Who may move or measure it may read it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Read,
    Actuate,
    Provide,
}

/// A scope that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no scope: it is read, actuate or provide, then perhaps `:` and a path, as in `actuate:Vehicle.Cabin.**`"
)]
pub struct ScopeError(String);

impl Grant {
    /// A token and its scopes, written as KUKSA's tokens have them: `read:Vehicle.Speed actuate:Vehicle.Cabin.**`.
    ///
    /// # Errors
    /// [`ScopeError`] that names the scope.
    pub fn new(token: impl Into<String>, scopes: &str) -> Result<Self, ScopeError> {
        let scope = |written: &str| {
            let (action, path) = written.split_once(':').unwrap_or((written, ""));
            let action = match action {
                "read" => Action::Read,
                "actuate" => Action::Actuate,
                "provide" => Action::Provide,
                _ => return Err(ScopeError(written.to_owned())),
            };
            Ok(Scope {
                action,
                path: path.to_owned(),
            })
        };
        Ok(Self {
            token: token.into(),
            scopes: scopes.split_whitespace().map(scope).collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Debug for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grant")
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// What one call may do.
#[derive(Debug, Clone)]
pub(super) struct Caller(Option<Vec<Scope>>);

impl Access {
    /// Who calls.
    pub(super) fn caller(&self, headers: &MetadataMap) -> Result<Caller, Status> {
        let Self::Tokens(grants) = self else {
            return Ok(Caller(None));
        };
        let header = headers.get("authorization").and_then(|value| value.to_str().ok());
        let token = header
            .and_then(|header| header.strip_prefix("Bearer "))
            .ok_or_else(|| Status::new(Code::Unauthenticated, "a token is needed"))?;
        let grant = grants
            .iter()
            .find(|grant| grant.token == token)
            .ok_or_else(|| Status::new(Code::Unauthenticated, "that token is not known"))?;
        Ok(Caller(Some(grant.scopes.clone())))
    }
}

impl Caller {
    pub(super) fn may(&self, action: Action, path: &str) -> Result<(), Status> {
        let Some(scopes) = &self.0 else { return Ok(()) };
        let fits = |scope: &Scope| {
            let enough = scope.action == action || action == Action::Read;
            enough && (scope.path.is_empty() || covers(&scope.path, path))
        };
        if scopes.iter().any(fits) {
            Ok(())
        } else {
            Err(Status::new(Code::PermissionDenied, format!("not permitted: {path}")))
        }
    }
}

/// Whether `pattern` is `path`, a branch above it, or fits it with `*` for one part of a name and `**` for any number.
pub(super) fn covers(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('.').collect();
    let path: Vec<&str> = path.split('.').collect();
    covers_parts(&pattern, &path)
}

fn covers_parts(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        (["**", rest @ ..], _) => {
            (0..=path.len()).any(|skip| path.get(skip..).is_some_and(|path| covers_parts(rest, path)))
        }
        (_, []) => false,
        ([first, pattern @ ..], [name, path @ ..]) => (*first == "*" || first == name) && covers_parts(pattern, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_a_branch() {
        let check = |pattern: &str, path: &str, fits: bool| assert_eq!(covers(pattern, path), fits, "{pattern} {path}");
        check("Vehicle", "Vehicle.Speed", true);
        check("Vehicle.Speed", "Vehicle.Speed", true);
        check("Vehicle.Spee", "Vehicle.Speed", false);
        check("Vehicle.Cabin", "Vehicle.CabinX.Y", false);
        check("Vehicle.Cabin.**", "Vehicle.Cabin.Door.Row1.IsOpen", true);
        check("Vehicle.*.IsOpen", "Vehicle.Cabin.IsOpen", true);
        check("Vehicle.**.IsOpen", "Vehicle.Cabin.Door.Row1.IsOpen", true);
        check("Vehicle.**.IsOpen", "Vehicle.Cabin.Door.Row1.IsLocked", false);
        check("**", "Vehicle.Speed", true);
    }

    #[test]
    fn a_scope_allows_what_it_says() {
        let access = Access::Tokens(vec![
            Grant::new("t", "read:Vehicle.Speed actuate:Vehicle.Cabin").unwrap(),
        ]);
        let mut headers = MetadataMap::new();
        assert_eq!(access.caller(&headers).unwrap_err().code(), Code::Unauthenticated);
        headers.insert("authorization", "Bearer x".parse().unwrap());
        assert_eq!(access.caller(&headers).unwrap_err().code(), Code::Unauthenticated);
        headers.insert("authorization", "Bearer t".parse().unwrap());
        let caller = access.caller(&headers).unwrap();
        let check =
            |action, path: &str, fits: bool| assert_eq!(caller.may(action, path).is_ok(), fits, "{action:?} {path}");
        check(Action::Read, "Vehicle.Speed", true);
        check(Action::Read, "Vehicle.Cabin.Door", true);
        check(Action::Actuate, "Vehicle.Cabin.Door", true);
        check(Action::Actuate, "Vehicle.Speed", false);
        check(Action::Provide, "Vehicle.Cabin.Door", false);
        check(Action::Read, "Vehicle.Body", false);
        assert!(Grant::new("t", "write:Vehicle").is_err());
        assert!(!format!("{:?}", Grant::new("secret", "read").unwrap()).contains("secret"));
    }
}
