//! What the command says: answers on standard output, all else on standard error.

use crate::Failure;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Puts an answer out.
pub(crate) fn answer(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Tells of the work, to whoever looks.
pub(crate) fn note(text: impl Display) {
    // What cannot be shown holds nothing up.
    let _unshown = writeln!(io::stderr(), "{text}");
}

/// Whether it failed because the reader of the answers went away (`| head`).
pub(crate) fn is_unread(failure: &Failure) -> bool {
    let io = failure.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
