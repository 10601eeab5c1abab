//! Keeps the spans of incar with when they began and ended.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// A span that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) name: &'static str,
    pub(crate) fields: BTreeMap<&'static str, String>,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
}

/// A layer that keeps them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Vec<Span>>>);

impl Recorder {
    /// Those that have ended since this was last called.
    pub(crate) fn take(&self) -> Vec<Span> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context
            .span(id)
            .filter(|span| span.metadata().target().starts_with("incar"))
        else {
            return;
        };
        let now = Instant::now();
        let mut open = Span {
            name: span.name(),
            fields: BTreeMap::new(),
            began: now,
            ended: now,
        };
        attributes.record(&mut Fields(&mut open.fields));
        span.extensions_mut().insert(open);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<Span>() {
            values.record(&mut Fields(&mut open.fields));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        if let Some(mut open) = span.extensions_mut().remove::<Span>() {
            open.ended = Instant::now();
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(open);
        }
    }
}
