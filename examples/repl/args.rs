//! The command line.

use crate::data::Data;
use crate::shell::voice::Pace;
use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: repl [OPTIONS]

  --jsonl            read JSON lines from stdin, answer JSON lines on stdout
  --config FILE      the configuration (docs/configuration.md), instead of INCAR_CONFIG
  --check-config [FILE]
                     tell everything that is wrong with it and its policies, and end
  --check-policies FILE
                     tell everything that is wrong with a file of policies laid over the
                     shipped ones, and end
  --model NAME       brain (on the device), or a provider: dashscope, deepseek, openai,
                     ollama, llama.cpp, vllm, custom. Default: what INCAR_PROVIDER or
                     INCAR_MODEL_URL says, else the brain
  --script FILE      play the utterances and commands of FILE, print a transcript
  --data FILE        keep bookings and preferences in FILE instead of incar/repl.redb in your
                     data folder; `none`: in memory, as with --jsonl and --script
  --voice            give replies at the pace of speech; Ctrl-C talks over them
  --plain            no colours, no symbols beyond ASCII, no line editing
  --history FILE     keep what is typed in FILE (readable by you alone)
  -h, --help         this text

environment: INCAR_CONFIG, INCAR_<SECTION>_<KEY> for each key of it; INCAR_PROVIDER, INCAR_MODEL_URL, INCAR_MODEL, INCAR_API_KEY, DASHSCOPE_API_KEY,
DEEPSEEK_API_KEY, OPENAI_API_KEY; NO_COLOR; INCAR_LOG=info (logs on stderr)";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Shell,
    JsonLines,
    CheckConfig,
    CheckPolicies,
    Help,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Args {
    pub(crate) mode: Mode,
    /// The configuration, or the policies to check.
    pub(crate) config: Option<PathBuf>,
    pub(crate) model: Option<String>,
    pub(crate) plain: bool,
    voice: bool,
    pub(crate) history: Option<PathBuf>,
    pub(crate) script: Option<PathBuf>,
    data: Option<PathBuf>,
}

impl Args {
    pub(crate) fn from_env() -> Result<Self, lexopt::Error> {
        use lexopt::prelude::{Long, Short, Value, ValueExt};
        let mut args = Self {
            mode: Mode::Shell,
            config: std::env::var_os("INCAR_CONFIG")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            model: None,
            plain: false,
            voice: false,
            history: None,
            script: None,
            data: None,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("jsonl") => args.mode = Mode::JsonLines,
                Long("config") => args.config = Some(parser.value()?.into()),
                Long("check-config") => args.mode = Mode::CheckConfig,
                Value(path) if args.mode == Mode::CheckConfig => args.config = Some(path.into()),
                Long("check-policies") => {
                    args.mode = Mode::CheckPolicies;
                    args.config = Some(parser.value()?.into());
                }
                Long("model") => args.model = Some(parser.value()?.string()?),
                Long("plain") => args.plain = true,
                Long("voice") => args.voice = true,
                Long("script") => args.script = Some(parser.value()?.into()),
                Long("data") => args.data = Some(parser.value()?.into()),
                Long("history") => args.history = Some(parser.value()?.into()),
                Short('h') | Long("help") => args.mode = Mode::Help,
                other => return Err(other.unexpected()),
            }
        }
        Ok(args)
    }

    /// How replies are given.
    pub(crate) fn pace(&self) -> Pace {
        if self.voice { Pace::Spoken } else { Pace::AtOnce }
    }

    /// Where the prompt keeps bookings and preferences. A transcript is the same wherever it is played.
    pub(crate) fn data(&self) -> Data {
        match &self.data {
            Some(path) if path.as_os_str() == "none" => Data::Nothing,
            Some(path) => Data::File(path.clone()),
            None if self.script.is_some() => Data::Nothing,
            None => Data::Usual,
        }
    }
}
