//! `--check-config` and `--check-policies`: what is wrong, and what policies would never do.

use crate::args::Args;
use crate::assembly::{self, Assembly};
use incar::tools::policy::Facts;
use incar_config::{Config, Diagnostics};
use std::process::ExitCode;

/// Checks a configuration: its keys, the files it names, its policies against the tools and the car.
pub(crate) fn config(args: &Args) -> ExitCode {
    let name = args
        .config
        .as_ref()
        .map_or_else(|| "the environment".to_owned(), |path| path.display().to_string());
    match assembly::read(args.config.as_deref()) {
        Ok(config) => told(&name, config),
        Err(wrong) => failed(&wrong),
    }
}

/// Checks a file of policies, laid over the shipped ones.
pub(crate) fn policies(args: &Args) -> ExitCode {
    let mut config = Config::default();
    config.policies.file.clone_from(&args.config);
    let name = args.config.as_ref().map(|path| path.display().to_string());
    told(&name.unwrap_or_default(), config)
}

/// Tells what is wrong with the policies of `config`, looked at with everything in it that a simulator has.
fn told(name: &str, mut config: Config) -> ExitCode {
    // Policies that cannot be loaded are told whole, with what they would never do.
    let policies = std::mem::take(&mut config.policies);
    let mut assembly = Assembly::checked(config);
    let simulator = match assembly.simulator() {
        Ok(simulator) => simulator,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let rules = assembly.with_policies(policies);
    let wrong = rules.lint(&Facts::of(simulator.vehicle()), simulator.assistant().tools());
    if wrong.is_empty() {
        println!("{name}: nothing is wrong");
        ExitCode::SUCCESS
    } else {
        failed(&wrong)
    }
}

fn failed(wrong: &Diagnostics) -> ExitCode {
    eprintln!("{wrong}");
    let count = wrong.len();
    eprintln!(
        "{count} {}",
        if count == 1 {
            "thing is wrong"
        } else {
            "things are wrong"
        }
    );
    ExitCode::FAILURE
}
