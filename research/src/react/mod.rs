//! Research for models without tool calling: they think aloud in text, and name a tool in it (ReAct: Yao and others, 2022).

mod input;
mod machine;
mod reply;
mod run;

pub use machine::ReactLimits;
pub(crate) use run::ReactRun;
