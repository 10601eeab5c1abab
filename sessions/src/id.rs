//! Session ids.

use incar_core::SessionId;
use uuid::Uuid;

/// A new session id: a version 4 UUID, 122 bits from the operating system's random source, so that
/// nobody guesses another speaker's.
///
/// # Panics
/// Where the operating system has no randomness to give.
pub fn new_session_id() -> SessionId {
    let mut buffer = Uuid::encode_buffer();
    SessionId::from(&*Uuid::new_v4().hyphenated().encode_lower(&mut buffer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_random_uuids_and_never_repeat() {
        let ids: HashSet<SessionId> = (0..1_000).map(|_| new_session_id()).collect();
        assert_eq!(ids.len(), 1_000);
        for id in ids {
            assert_eq!(Uuid::parse_str(&id).unwrap().get_version_num(), 4, "{id}");
        }
    }
}
