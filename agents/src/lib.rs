//! The runner, the agents and the Assistant of incar.
