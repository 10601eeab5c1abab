//! Judges replies: what does each expect of the driver?
//!
//! Reads `{"text":"…","user"?:"…","acted"?:true}` a line, writes `{"class":"required|offer|courtesy|none","confidence":0..1}`
//! a line. `-- --rule seed` judges by the keyword rule that the project began with.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use incar::{ReplyClassifier, ReplyContext, SeedKeywordRule, TextRule};
use serde::Deserialize;
use std::io::{BufRead, Write};
use std::process::ExitCode;

#[derive(Deserialize)]
struct Reply {
    text: String,
    user: Option<String>,
    #[serde(default)]
    acted: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let classifier: Box<dyn ReplyClassifier> = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice()
    {
        [] | ["--rule", "text"] => Box::new(TextRule::new()),
        ["--rule", "seed"] => Box::new(SeedKeywordRule::new()),
        _ => {
            eprintln!("usage: classify_reply [--rule text|seed] < replies.jsonl");
            return ExitCode::from(2);
        }
    };
    match judge_lines(&*classifier) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("classify_reply: {error}");
            ExitCode::FAILURE
        }
    }
}

fn judge_lines(classifier: &dyn ReplyClassifier) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        match serde_json::from_str::<Reply>(&line?) {
            Ok(reply) => {
                let context = ReplyContext::new(&reply.text).after(reply.user.as_deref(), reply.acted);
                serde_json::to_writer(&mut output, &classifier.classify(&context))?;
            }
            Err(error) => {
                let wrong = serde_json::json!({"error": {"kind": "invalid_input", "message": format!("line {}: {error}", number + 1)}});
                serde_json::to_writer(&mut output, &wrong)?;
            }
        }
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}
