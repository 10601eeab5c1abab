//! The car's voice: prints a reply at the pace of speech, and stops when it is talked over.

use futures_util::StreamExt;
use incar::{AgentResponse, Assistant, BargeIn, StoreError, TurnEvent, Utterance};
use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How a reply is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// All at once, when the turn is over.
    AtOnce,
    /// As it would be spoken, as it comes.
    Spoken,
}

/// Who talks over the car.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CtrlC {
    /// It is a barge-in.
    TalksOver,
    /// It ends the program, as everywhere.
    Kills,
}

/// What came of a turn.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) response: AgentResponse,
    /// What came of talking over it, if that was done.
    pub(crate) over: Option<Result<BargeIn, StoreError>>,
}

/// How long a voice takes for a character: some five Chinese characters a second, or fifteen letters.
fn time_for(char: char) -> Duration {
    match char {
        '。' | '！' | '？' | '；' | '.' | '!' | '?' | ';' => Duration::from_millis(350),
        '，' | '、' | '：' | ',' | ':' => Duration::from_millis(200),
        char if char.is_ascii() => Duration::from_millis(65),
        _ => Duration::from_millis(200),
    }
}

/// What is spoken and what is yet to be.
#[derive(Debug)]
struct Voice {
    pace: Pace,
    spoken: String,
    waiting: VecDeque<char>,
    next: Instant,
}

impl Voice {
    fn new(pace: Pace) -> Self {
        Self {
            pace,
            spoken: String::new(),
            waiting: VecDeque::new(),
            next: Instant::now(),
        }
    }

    fn take(&mut self, sentence: &str) {
        if self.pace == Pace::AtOnce {
            return;
        }
        if self.waiting.is_empty() {
            self.next = self.next.max(Instant::now());
        }
        if !self.spoken.is_empty()
            && !sentence.starts_with(' ')
            && self.spoken.ends_with(|c: char| c.is_ascii_punctuation())
        {
            self.waiting.push_back(' ');
        }
        self.waiting
            .extend(sentence.chars().map(|char| if char == '\n' { ' ' } else { char }));
    }

    /// Speaks the next character, when it is time.
    async fn speak(&mut self, style: super::Style) {
        let Some(&char) = self.waiting.front() else {
            return std::future::pending().await;
        };
        sleep_until(self.next).await;
        if self.spoken.is_empty() {
            print!("{} ", style.bold("car>"));
        }
        print!("{char}");
        // A terminal that is gone is noticed at the next line.
        let _ = std::io::stdout().flush();
        self.spoken.push(char);
        self.waiting.pop_front();
        self.next += time_for(char);
    }
}

/// Says something to the car, and lets it answer.
pub(crate) async fn turn(
    assistant: &Assistant,
    utterance: Utterance,
    pace: Pace,
    ctrl_c: CtrlC,
    style: super::Style,
    trace: impl Fn(&TurnEvent),
) -> Option<Told> {
    let mut events = assistant.handle_streaming(utterance);
    let turn_id = events.turn_id();
    let mut voice = Voice::new(pace);
    let (mut response, mut over) = (None, None);
    let talked_over = async {
        match ctrl_c {
            // Where it cannot be caught, it kills.
            CtrlC::TalksOver if tokio::signal::ctrl_c().await.is_ok() => {}
            CtrlC::TalksOver | CtrlC::Kills => std::future::pending().await,
        }
    };
    tokio::pin!(talked_over);
    while response.is_none() || !voice.waiting.is_empty() {
        tokio::select! {
            biased;
            () = &mut talked_over, if over.is_none() => {
                over = Some(assistant.interrupt(&turn_id, &voice.spoken).await);
                voice.waiting.clear();
            }
            event = events.next(), if response.is_none() => {
                let event = event?;
                trace(&event);
                match event {
                    TurnEvent::Sentence { text, .. } => voice.take(&text),
                    TurnEvent::Retracted => voice.waiting.clear(),
                    TurnEvent::Done { response: done } => response = Some(*done),
                    _ => {}
                }
            }
            () = voice.speak(style) => {}
        }
    }
    if !voice.spoken.is_empty() {
        say!();
    }
    Some(Told {
        response: response?,
        over,
    })
}
