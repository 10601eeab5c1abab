//! The vocabulary of incar and the turn machine.
