//! Agents that answer hard questions over many rounds: they plan, search, verify and write reports, on the same
//! messages, tools and models as the rest of incar.
