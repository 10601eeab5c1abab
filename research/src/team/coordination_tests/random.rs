//! Whatever its agents come to, and wherever it is broken off, the team ends as it should.

use super::*;
use proptest::prelude::*;

/// What each piece of work comes to, whoever asks and however often: chosen by a number.
fn outcome(work: &Work, team: &CoordinationAgent, dice: u64) -> Report {
    let mix = |text: &str| {
        text.bytes().fold(dice, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }) >> 7
    };
    let of = |step: &StepId| team.step(step).map(|(_, run)| run).unwrap().clone();
    match work {
        Work::Recall => Report::Recalled(vec![]),
        Work::Plan if mix("plan") % 9 == 0 && team.plan().is_some() => Report::NotPlanned("?".into()),
        Work::Plan => Report::Planned(plan(
            [&["a", "b", "c<a,b", "d<a", "e<c,d"][..], &["a", "b<a", "c"]][(mix("shape") % 2) as usize],
        )),
        Work::Think(step) => {
            let run = of(step);
            let value = if run.observed.is_empty() { "7 km" } else { "26 km" };
            let evidence: &[(u32, &str)] = if run.observed.is_empty() { &[] } else { &[(1, "26 km")] };
            match mix(&format!("{step}{}", run.thoughts)) % 6 {
                0 => Report::GaveUp {
                    step: step.clone(),
                    error: StepError::Stuck { why: "?".into() },
                },
                1..=3 => Report::Acts {
                    step: step.clone(),
                    tool: "search_web".into(),
                    arguments: json!({"q": run.thoughts}),
                },
                _ => Report::Found {
                    step: step.clone(),
                    finding: finding(value, evidence),
                    witnesses: evidence
                        .iter()
                        .map(|(n, _)| witness(*n, Stance::Supports, None))
                        .collect(),
                },
            }
        }
        Work::Call(step) => {
            let call = team.call(step).unwrap();
            let failing = mix(&format!("{}{}", step, call.tries)) % 3 == 0;
            let error = failing.then_some(ErrorKind::ToolFailed);
            let mut observed = observed(if failing { Outcome::Error } else { Outcome::Ok }, error);
            observed.arguments = call.arguments.clone();
            Report::Called {
                step: step.clone(),
                observed,
            }
        }
        Work::Seek(step) => {
            let checks = of(step).checked.len();
            let call =
                (mix(&format!("seek{step}")) % 4 != 0).then(|| ("search_web".to_owned(), json!({"check": checks})));
            Report::Sought {
                step: step.clone(),
                call,
            }
        }
        Work::Judge(step) => {
            let n = of(step).checked.len() as u32 + 1;
            let stance =
                [Stance::Supports, Stance::Refutes, Stance::Silent][(mix(&format!("judge{step}{n}")) % 3) as usize];
            Report::Judged {
                step: step.clone(),
                witnesses: vec![witness(n, stance, Some("36 km"))],
            }
        }
        Work::Synthesise => Report::Synthesised(None),
        Work::Remember => Report::Remembered,
    }
}

/// Runs to the end, the first or the last piece of work first; written down and read again before the `broken`th.
fn run(dice: u64, reverse: bool, broken: Option<usize>) -> (CoordinationAgent, BTreeMap<String, usize>) {
    let mut team = CoordinationAgent::new(TeamSettings::default(), vec![]);
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    for turn in 0.. {
        team.advance(None);
        if broken == Some(turn) {
            team = serde_json::from_value(serde_json::to_value(&team).unwrap()).unwrap();
        }
        let mut work = team.work();
        if reverse {
            work.reverse();
        }
        let Some(work) = work.first() else { break };
        if let Work::Call(step) = work {
            let call = team.call(step).unwrap();
            *made.entry(format!("{}#{}", call.id, call.tries)).or_default() += 1;
        }
        let report = outcome(work, &team, dice);
        team.tell(report);
        assert!(turn < 500, "it goes on for ever");
    }
    (team, made)
}

proptest! {
    #[test]
    fn a_run_that_is_broken_off_anywhere_ends_as_it_would_have(dice: u64, broken in 0usize..80, reverse: bool) {
        let (whole, made) = run(dice, reverse, None);
        let (resumed, made_again) = run(dice, reverse, Some(broken));
        prop_assert_eq!(&whole, &resumed);
        prop_assert_eq!(&made, &made_again);
        prop_assert!(made.values().all(|times| *times == 1), "a call was made twice: {:?}", made);
        prop_assert_eq!(whole.phase(), Phase::Ended);
    }

    #[test]
    fn confidence_is_a_probability_and_an_answer_is_sure_enough(dice: u64) {
        let (team, _) = run(dice, false, None);
        let conclusion = team.conclusion().unwrap();
        prop_assert!((0.0..=1.0).contains(&conclusion.confidence));
        prop_assert!(conclusion.abstained || conclusion.confidence >= 0.6);
        for (_, run) in team.steps() {
            if let Some((_, verification)) = run.done() {
                prop_assert!((0.0..=1.0).contains(&verification.confidence));
            }
        }
    }
}
