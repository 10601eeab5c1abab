//! Session stores of incar.
