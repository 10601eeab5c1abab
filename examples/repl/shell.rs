//! The prompt.

/// Prints a line. Where nobody reads any more (`| head`), the program ends as others do.
macro_rules! say {
    () => { $crate::shell::print(format_args!("")) };
    ($($what:tt)+) => { $crate::shell::print(format_args!($($what)+)) };
}

mod commands;
mod input;
mod look;
pub(crate) mod voice;

use crate::args::Args;
use crate::assembly::Assembly;
use crate::render::{self, Style};
use incar::{Lang, ModelChoice, Seat, TurnEvent, Utterance};
use incar_testkit::Simulator;
use input::{Input, Line};
use std::error::Error;
use std::io::IsTerminal;
use std::time::Instant;
use tokio::runtime::Runtime;
use voice::{CtrlC, Pace, Told};

/// What is set at the prompt.
pub(crate) struct Shell {
    pub(crate) simulator: Simulator,
    pub(crate) assembly: Assembly,
    pub(crate) about: String,
    pub(crate) seat: Seat,
    /// The language to answer in; `None`: the utterance's own.
    pub(crate) lang: Option<Lang>,
    /// Whether every step of a turn is shown.
    pub(crate) trace: bool,
    pub(crate) style: Style,
    /// How replies are given.
    pub(crate) pace: Pace,
    /// What Ctrl-C does while the car speaks.
    ctrl_c: CtrlC,
    /// Whether the last reply was talked over.
    talked_over: bool,
    /// Who answered last.
    pub(crate) last_model: Option<ModelChoice>,
    pub(crate) last_changes: Vec<(String, serde_json::Value, serde_json::Value)>,
    last_tick: Instant,
}

pub(crate) fn print(line: std::fmt::Arguments<'_>) {
    use std::io::Write;
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}

pub(crate) fn run(runtime: &Runtime, args: &Args) -> Result<(), Box<dyn Error>> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let colour = terminal && !args.plain && std::env::var_os("NO_COLOR").is_none();
    let assembly = {
        let _within = runtime.enter();
        Assembly::of(args, &args.data())?
    };
    let simulator = assembly.simulator()?;
    let mut shell = Shell {
        about: assembly.about(&simulator),
        simulator,
        assembly,
        seat: Seat::Driver,
        lang: None,
        trace: false,
        style: Style {
            colour,
            symbols: !args.plain,
        },
        pace: args.pace(),
        ctrl_c: if terminal && !args.plain {
            CtrlC::TalksOver
        } else {
            CtrlC::Kills
        },
        talked_over: false,
        last_model: None,
        last_changes: Vec::new(),
        last_tick: Instant::now(),
    };
    say!("incar: a simulated car, parked in Beijing. It runs on {}.", shell.about);
    say!("Bookings and preferences are kept in: {}.", shell.assembly.kept);
    say!("Say something (打开车窗 / navigate to the Forbidden City), or /help.");
    if let Some(path) = &args.script {
        return shell.play(runtime, &std::fs::read_to_string(path)?);
    }
    let editing = terminal && !args.plain;
    let mut input = Input::new(editing, args.history.as_deref(), &shell.simulator)?;
    loop {
        match input.read(shell.seat)? {
            Line::End => return Ok(()),
            Line::Text(line) => {
                shell.tick();
                shell.tell_notices(runtime);
                if shell.line(runtime, line.trim()) == commands::Next::Quit {
                    return Ok(());
                }
                if std::mem::take(&mut shell.talked_over) {
                    input.was_talked_over();
                }
            }
        }
    }
}

impl Shell {
    /// At the prompt the simulated clock follows the real one.
    fn tick(&mut self) {
        let now = Instant::now();
        self.simulator.advance(now - self.last_tick);
        self.last_tick = now;
    }

    fn line(&mut self, runtime: &Runtime, line: &str) -> commands::Next {
        if let Some(command) = line.strip_prefix('/') {
            return commands::run(runtime, self, command);
        }
        if !line.is_empty() {
            self.say(runtime, line);
        }
        commands::Next::Go
    }

    /// Plays a script: a line is an utterance or a command; `#` starts a comment.
    fn play(&mut self, runtime: &Runtime, script: &str) -> Result<(), Box<dyn Error>> {
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            say!("{}> {line}", self.seat);
            if self.line(runtime, line) == commands::Next::Quit {
                break;
            }
        }
        Ok(())
    }

    fn say(&mut self, runtime: &Runtime, text: &str) {
        let mut utterance = Utterance::new(text).by(self.simulator.speaker(self.seat));
        if let Some(lang) = self.lang {
            utterance = utterance.in_lang(lang);
        }
        let before = self.simulator.state();
        let trace = |event: &TurnEvent| {
            if self.trace {
                trace(event);
            }
        };
        let assistant = self.simulator.assistant();
        let turn = voice::turn(assistant, utterance, self.pace, self.ctrl_c, self.style, trace);
        let Some(Told { response, over }) = runtime.block_on(turn) else {
            say!("The turn broke off.");
            return;
        };
        self.last_changes = render::changes(&before, &self.simulator.state());
        self.last_model.clone_from(&response.model);
        if self.pace == Pace::AtOnce && over.is_none() {
            say!("{}", render::message(self.style, &response));
        }
        if let Some(over) = &over {
            say!("{}", render::talked_over(self.style, over));
        }
        self.talked_over = over.is_some();
        say!("{}", render::facts(self.style, &response, &self.last_changes));
        self.tell_notices(runtime);
    }

    /// What the car says unasked.
    pub(crate) fn tell_notices(&self, runtime: &Runtime) {
        for notice in runtime.block_on(self.simulator.hear_notices()) {
            say!("{}", render::notice(self.style, &notice));
        }
    }
}

/// Shows a step of a turn.
fn trace(event: &TurnEvent) {
    if let TurnEvent::Done { response } = event {
        let t = response.timings;
        say!(
            "     . {} µs: model {}, tools {}, incar {}",
            t.total_us,
            t.model_us,
            t.tools_us,
            t.own_us
        );
    } else if let Ok(json) = serde_json::to_string(event) {
        say!("     . {json}");
    }
}
