//! Basic knowledge: the time anywhere, arithmetic, units, and the owner's manual.

mod arithmetic;
mod calculate;
mod convert;
mod datetime;
mod figures;
mod manual;
mod manual_tool;
#[cfg(test)]
mod tests;
mod units;
mod zone;

pub use arithmetic::{ArithmeticError, Evaluated, evaluate};
pub use manual::{Manual, ManualHit, ManualSection};
pub use units::{Converted, UnitError, convert};
pub(crate) use zone::zone_at;

use crate::weather::Locator;
use incar_core::{Bilingual, Effect, Erased, Tool, ToolCategory, ToolSpec};
use std::sync::Arc;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(5);

/// The tools of this module, for a car that is where `locator` says and has this manual.
pub fn tools(manual: &Arc<Manual>, locator: &Arc<dyn Locator>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Erased::new(datetime::GetDatetime(locator.clone()))),
        Arc::new(Erased::new(calculate::Calculate)),
        Arc::new(Erased::new(convert::ConvertUnit)),
        Arc::new(Erased::new(manual_tool::SearchManual(manual.clone()))),
    ]
}

/// A spec of this category, with the tool's words.
fn spec(name: &'static str, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::KNOWLEDGE, Effect::Read, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(crate::words::of(name))
}
