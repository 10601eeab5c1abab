//! Deep.
