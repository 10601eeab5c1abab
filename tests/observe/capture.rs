//! A subscriber that keeps everything.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) name: String,
    /// The name of the span around it.
    pub(crate) parent: Option<String>,
    pub(crate) fields: BTreeMap<String, String>,
    id: u64,
}

impl Seen {
    /// The name that exporters give it.
    pub(crate) fn shown(&self) -> &str {
        self.fields.get("otel.name").unwrap_or(&self.name)
    }

    /// The value of a field; empty where it has none.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// All spans, then all events, as far as they have come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Capture {
    spans: Arc<Mutex<Vec<Seen>>>,
    events: Arc<Mutex<Vec<Seen>>>,
}

impl Capture {
    /// Captures on this thread for as long as the guard lives.
    pub(crate) fn start() -> (Self, DefaultGuard) {
        let capture = Self::default();
        let subscriber = tracing_subscriber::registry().with(capture.clone());
        (capture, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn spans(&self) -> Vec<Seen> {
        self.spans.lock().unwrap().clone()
    }

    /// The spans of incar's own, with the name.
    pub(crate) fn named(&self, name: &str) -> Vec<Seen> {
        self.spans().into_iter().filter(|span| span.name == name).collect()
    }

    /// Everything as one text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for seen in self.spans().iter().chain(self.events.lock().unwrap().iter()) {
            writeln!(text, "{seen:?}").unwrap();
        }
        text
    }
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Capture {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let mut seen = Seen {
            name: span.name().to_owned(),
            parent: span.parent().map(|parent| parent.name().to_owned()),
            id: id.into_u64(),
            ..Seen::default()
        };
        attributes.record(&mut Fields(&mut seen.fields));
        self.spans.lock().unwrap().push(seen);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut spans = self.spans.lock().unwrap();
        // Ids are used again: the last one is meant.
        if let Some(seen) = spans.iter_mut().rev().find(|seen| seen.id == id.into_u64()) {
            values.record(&mut Fields(&mut seen.fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut seen = Seen {
            name: event.metadata().name().to_owned(),
            parent: context.event_span(event).map(|parent| parent.name().to_owned()),
            ..Seen::default()
        };
        event.record(&mut Fields(&mut seen.fields));
        self.events.lock().unwrap().push(seen);
    }
}
