//! What happens to the host: utterances of the speech recogniser, and what the demo does to the car.

use incar::Seat;
use incar::tools::vehicle::SignalValue;
use std::io::{BufRead, IsTerminal};
use tokio::sync::mpsc;

/// A drive through everything this example shows.
const DEMO: &str = include_str!("demo.txt");

/// One line of input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// `打开车窗`, or with a seat `passenger: I am cold`.
    Say(Seat, String),
    /// `/ignition on`, `/ignition off`
    Ignition(Switch),
    /// `/signal Vehicle.Speed 80`: the bus reports it.
    Signal(String, SignalValue),
    /// `/screen off`: it goes black in the middle of the next turn. `/screen on` mends it.
    Screen(Switch),
    /// `# a remark`
    Remark(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Switch {
    On,
    Off,
}

/// The lines to play: those of a pipe, else the demo. They are read on a thread of their own, which may block.
pub(crate) fn lines() -> mpsc::Receiver<String> {
    // One line at a time: the next is taken when the host listens again.
    let (sender, lines) = mpsc::channel(1);
    let demo = std::io::stdin().is_terminal() || std::env::args().any(|argument| argument == "--demo");
    std::thread::spawn(move || {
        if demo {
            send_all(&sender, DEMO.lines().map(str::to_owned));
        } else {
            send_all(&sender, std::io::stdin().lock().lines().map_while(Result::ok));
        }
    });
    lines
}

fn send_all(sender: &mpsc::Sender<String>, lines: impl Iterator<Item = String>) {
    for line in lines {
        if sender.blocking_send(line).is_err() {
            return; // The host is shutting down.
        }
    }
}

impl Step {
    /// Reads a line; `None` where it is empty.
    ///
    /// # Errors
    /// A text that says what is wrong with a command.
    pub(crate) fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if let Some(remark) = line.strip_prefix('#') {
            return Ok(Some(Self::Remark(remark.trim().to_owned())));
        }
        if let Some(command) = line.strip_prefix('/') {
            return Self::command(command).map(Some);
        }
        let from_seat = line.split_once(':').and_then(|(seat, text)| {
            let seat = Seat::from_name(seat.trim())?;
            Some(Self::Say(seat, text.trim().to_owned()))
        });
        let driver = || (!line.is_empty()).then(|| Self::Say(Seat::Driver, line.to_owned()));
        Ok(from_seat.or_else(driver))
    }

    fn command(command: &str) -> Result<Self, String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        match *words.as_slice() {
            ["ignition", "on"] => Ok(Self::Ignition(Switch::On)),
            ["ignition", "off"] => Ok(Self::Ignition(Switch::Off)),
            ["screen", "on"] => Ok(Self::Screen(Switch::On)),
            ["screen", "off"] => Ok(Self::Screen(Switch::Off)),
            ["signal", name, value] => Ok(Self::Signal(name.to_owned(), signal_value(value))),
            _ => Err(format!(
                "/{command} is none of: /ignition on|off, /screen on|off, /signal NAME VALUE"
            )),
        }
    }
}

fn signal_value(text: &str) -> SignalValue {
    match (text.parse::<bool>(), text.parse::<f64>()) {
        (Ok(truth), _) => truth.into(),
        (_, Ok(number)) => number.into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_utterance_a_command_or_a_remark() {
        let check = |line: &str, step: Step| assert_eq!(Step::parse(line), Ok(Some(step)), "{line}");
        check(" 打开车窗 ", Step::Say(Seat::Driver, "打开车窗".into()));
        check("passenger: I'm cold", Step::Say(Seat::Passenger, "I'm cold".into()));
        check("note: I'm cold", Step::Say(Seat::Driver, "note: I'm cold".into()));
        check(
            "/signal Vehicle.Speed 80",
            Step::Signal("Vehicle.Speed".into(), 80.0.into()),
        );
        check("/ignition off", Step::Ignition(Switch::Off));
        check("# why", Step::Remark("why".into()));
        assert_eq!(Step::parse("  "), Ok(None));
        assert!(Step::parse("/ignition maybe").is_err());
    }

    #[test]
    fn every_line_of_the_demo_reads() {
        for line in DEMO.lines() {
            assert!(Step::parse(line).is_ok(), "{line}");
        }
    }
}
