//! Reading lines: with editing, history and completion in a terminal, plainly elsewhere.

use super::commands::COMMANDS;
use incar::Seat;
use incar_testkit::Simulator;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Context, Editor, Helper, Highlighter, Hinter, Validator};
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

pub(crate) enum Line {
    Text(String),
    End,
}

pub(crate) enum Input {
    Plain,
    Editing {
        editor: Box<Editor<Complete, FileHistory>>,
        history: Option<PathBuf>,
        interrupted: bool,
    },
}

impl Input {
    pub(crate) fn new(editing: bool, history: Option<&Path>, simulator: &Simulator) -> Result<Self, Box<dyn Error>> {
        if !editing {
            return Ok(Self::Plain);
        }
        let mut editor = Editor::new()?;
        editor.set_helper(Some(Complete {
            signals: simulator.state().into_keys().collect(),
        }));
        if let Some(path) = history {
            create_private(path)?;
            editor.load_history(path)?;
        }
        Ok(Self::Editing {
            editor: Box::new(editor),
            history: history.map(Path::to_owned),
            interrupted: false,
        })
    }

    pub(crate) fn read(&mut self, seat: Seat) -> Result<Line, Box<dyn Error>> {
        let prompt = format!("{seat}> ");
        match self {
            Self::Plain => {
                print!("{prompt}");
                std::io::stdout().flush()?;
                let mut bytes = Vec::new();
                if std::io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
                    say!();
                    return Ok(Line::End);
                }
                Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
            }
            Self::Editing {
                editor,
                history,
                interrupted,
            } => match editor.readline(&prompt) {
                Ok(line) => {
                    *interrupted = false;
                    if let Some(path) = history.as_deref().filter(|_| !line.trim().is_empty()) {
                        editor.add_history_entry(&line)?;
                        editor.append_history(path)?;
                    } else if !line.trim().is_empty() {
                        editor.add_history_entry(&line)?;
                    }
                    Ok(Line::Text(line))
                }
                Err(ReadlineError::Interrupted) if !*interrupted => {
                    *interrupted = true;
                    say!("(Ctrl-C again, Ctrl-D or /quit to leave)");
                    Ok(Line::Text(String::new()))
                }
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(Line::End),
                Err(error) => Err(error.into()),
            },
        }
    }
}

impl Input {
    /// The car was talked over with Ctrl-C: the next one leaves.
    pub(crate) fn was_talked_over(&mut self) {
        if let Self::Editing { interrupted, .. } = self {
            *interrupted = true;
        }
    }
}

/// What people say is theirs: the file is made for its owner alone.
fn create_private(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(path)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
    }
    #[cfg(not(unix))]
    {
        std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map(drop)
    }
}

/// Completes commands, seats, languages and signals.
#[derive(Helper, Hinter, Highlighter, Validator)]
pub(crate) struct Complete {
    signals: Vec<String>,
}

impl Completer for Complete {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..position).unwrap_or(line);
        let Some(command) = typed.strip_prefix('/') else {
            return Ok((position, Vec::new()));
        };
        let start = typed.rfind(' ').map_or(0, |space| space + 1);
        let word = typed.get(start..).unwrap_or_default();
        let candidates: Vec<String> = match command.split_once(' ') {
            None => COMMANDS
                .iter()
                .filter_map(|(usage, _)| usage.split(' ').next())
                .map(|name| format!("/{name}"))
                .collect(),
            Some(("set" | "state", _)) => self.signals.clone(),
            Some(("seat", _)) => Seat::ALL.iter().map(ToString::to_string).collect(),
            Some(("lang", _)) => ["zh", "en", "auto"].map(String::from).into(),
            Some(("trace" | "voice", _)) => ["on", "off"].map(String::from).into(),
            Some(_) => Vec::new(),
        };
        Ok((
            start,
            candidates
                .into_iter()
                .filter(|candidate| candidate.starts_with(word))
                .collect(),
        ))
    }
}
