//! `[assistant]` and `[limits]`: expiry, what is kept, and the bounds of a turn.

use incar_agents::{BackChannel, DoubleText, Holding, Settings};
use incar_core::Limits;
use incar_tools::toml_file::Section;
use std::time::Duration;

const DOUBLE_TEXT: [(&str, DoubleText); 3] = [
    ("interrupt", DoubleText::Interrupt),
    ("enqueue", DoubleText::Enqueue),
    ("reject", DoubleText::Reject),
];
const BACK_CHANNEL: [(&str, BackChannel); 2] = [("ignored", BackChannel::Ignored), ("served", BackChannel::Served)];

pub(crate) fn read(assistant: Option<Section<'_>>, limits: Option<Section<'_>>) -> Settings {
    let mut settings = Settings::default();
    if let Some(section) = assistant {
        put(&mut settings.wait, section.seconds("wait_s"));
        put(&mut settings.flow_wait, section.seconds("flow_wait_s"));
        put(&mut settings.take_up_within, section.seconds("take_up_within_s"));
        put(
            &mut settings.remembered,
            count(section.integer("remembered", 0..=100_u16)),
        );
        put(
            &mut settings.conversation,
            count(section.integer("conversation", 1..=1_000_u16)),
        );
        put(&mut settings.double_text, section.one_of("double_text", &DOUBLE_TEXT));
        put(
            &mut settings.back_channel,
            section.one_of("back_channel", &BACK_CHANNEL),
        );
        put(&mut settings.deadline, section.millis("deadline_ms"));
        settings.tool_timeout = section.millis("tool_timeout_ms");
        put(&mut settings.holding.apart, section.seconds("holding_apart_s"));
        match section.integer("holding_after_ms", 0..=60_000_u16) {
            Some(0) => settings.holding = Holding::never(),
            Some(after) => settings.holding.after = Some(Duration::from_millis(u64::from(after))),
            None => {}
        }
        section.finish();
    }
    if let Some(section) = limits {
        settings.limits = bounds(section);
    }
    settings
}

fn bounds(section: Section<'_>) -> Limits {
    let mut limits = Limits::default();
    put(&mut limits.rounds, section.integer("rounds", 1..=50_u32));
    put(&mut limits.calls, section.integer("calls", 1..=100_u32));
    put(
        &mut limits.input_tokens,
        section.integer("input_tokens", 1_000..=10_000_000_u32).map(u64::from),
    );
    put(&mut limits.time, section.millis("time_ms"));
    put(&mut limits.same_calls, section.integer("same_calls", 1..=20_u32));
    put(
        &mut limits.failing_rounds,
        section.integer("failing_rounds", 1..=20_u32),
    );
    section.finish();
    limits
}

fn count(number: Option<u16>) -> Option<usize> {
    number.map(usize::from)
}

/// Takes the place of a default, where there is something.
pub(crate) fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
