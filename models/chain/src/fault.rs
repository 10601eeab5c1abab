//! Which faults another model can cure.

use incar_core::{ErrorKind, ModelError, PassedReason};

/// What is to be done about a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cure {
    /// Another model may answer; the fault counts against this one.
    Another(PassedReason),
    /// Another model may answer; this one is well, the request alone is not for it.
    AnotherForThis(PassedReason),
    /// Another model would do no better, or should not be asked.
    None,
}

/// The cure of `error`. The table is in the documentation of [`crate::Chain`].
pub(crate) fn cure(error: &ModelError) -> Cure {
    match error.kind {
        ErrorKind::ModelUnavailable => Cure::Another(PassedReason::Unavailable),
        ErrorKind::Deadline => Cure::Another(PassedReason::Late),
        ErrorKind::ModelRejected => match error.status {
            // The key, the bill, the name of the model, or a hotspot that wants a login first.
            Some(300..=399 | 401..=407) => Cure::Another(PassedReason::Refused),
            // The conversation is too long for this one.
            Some(413) => Cure::AnotherForThis(PassedReason::Refused),
            _ => Cure::None,
        },
        // What a host's own model says of itself.
        ErrorKind::Busy | ErrorKind::Internal | ErrorKind::Unsupported | ErrorKind::NotFound => {
            Cure::Another(PassedReason::Unavailable)
        }
        _ => Cure::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_another_model_can_cure_falls_back() {
        let rejected = |status| ModelError::rejected("no").with_status(status);
        let late = {
            let mut error = ModelError::unavailable("late");
            error.kind = ErrorKind::Deadline;
            error
        };
        for (error, expected) in [
            (
                ModelError::unavailable("refused"),
                Cure::Another(PassedReason::Unavailable),
            ),
            (
                ModelError::unavailable("busy").with_status(529),
                Cure::Another(PassedReason::Unavailable),
            ),
            (late, Cure::Another(PassedReason::Late)),
            (rejected(401), Cure::Another(PassedReason::Refused)),
            (rejected(402), Cure::Another(PassedReason::Refused)),
            (rejected(404), Cure::Another(PassedReason::Refused)),
            (rejected(302), Cure::Another(PassedReason::Refused)),
            (rejected(413), Cure::AnotherForThis(PassedReason::Refused)),
            (rejected(400), Cure::None),
            (rejected(422), Cure::None),
            (ModelError::rejected("content"), Cure::None),
        ] {
            assert_eq!(cure(&error), expected, "{error:?}");
        }
    }
}
