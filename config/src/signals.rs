//! `[signals]`: any signal that the host allows, by `get_signal` and `set_signal`.

use crate::reading::Reading;
use incar_core::Tool;
use incar_tools::generic_signals::{self, AllowedSignals, Pattern, Vss};
use incar_tools::toml_file::{Document, Faults, Section};
use incar_tools::vehicle::Vehicle;
use std::sync::Arc;

/// Signals that speech may reach.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Signals {
    /// What of the car's signals is allowed.
    pub allowed: Arc<AllowedSignals>,
}

impl Signals {
    /// `get_signal` and `set_signal` over `vehicle`.
    pub fn tools(&self, vehicle: &Arc<dyn Vehicle>) -> Vec<Arc<dyn Tool>> {
        generic_signals::tools(&self.allowed, vehicle)
    }
}

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>, faults: &Faults) -> Option<Signals> {
    if !section.has("vss") {
        section.missing("vss", "vss = \"the car's signals.json\"");
    }
    if !section.has("set") && !section.has("read") {
        section.missing("set", "set = [\"Vehicle.Cabin.Seat.*.*.Backrest.LumbarSupport\"]");
    }
    let vss = reading.file(&section, "vss").map(|path| Vss::read(&path));
    let words = reading.file(&section, "words").map(|path| Document::read(&path));
    let patterns = |key: &'static str| {
        let texts = section.texts(key).unwrap_or_default().into_iter();
        texts.map(|(text, place)| Pattern::new(text, place)).collect::<Vec<_>>()
    };
    let (set, read) = (patterns("set"), patterns("read"));
    let readable = section.has("words") == words.is_some();
    section.finish();
    let words = words.and_then(|words| faults.take(words));
    let vss = vss.and_then(|vss| faults.take(vss)).filter(|_| readable)?;
    let allowed = faults.take(AllowedSignals::new(&vss, &set, &read, words.as_ref()))?;
    Some(Signals {
        allowed: Arc::new(allowed),
    })
}
