//! incar.
