//! The coordination agent, told by hand what came of its work.

mod random;

use super::coordination::{CoordinationAgent, Phase};
use super::finding::{Evidence, Finding, Observed};
use super::plan::{Plan, Step, StepId};
use super::settings::TeamSettings;
use super::state::StepError;
use super::synthesis::Synthesis;
use super::verify::{Stance, Verdict, Witness};
use super::work::{Report, Work};
use incar_core::{ErrorKind, FinishReason, Outcome};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

fn id(name: &str) -> StepId {
    StepId::new(name)
}

/// `a`, `b<a`: steps and what they wait for.
fn plan(told: &[&str]) -> Plan {
    let step = |told: &&str| {
        let (name, after) = told.split_once('<').unwrap_or((told, ""));
        Step {
            id: id(name),
            task: format!("task of {name}"),
            tool: None,
            after: after
                .split(',')
                .filter(|name| !name.is_empty())
                .map(StepId::new)
                .collect(),
        }
    };
    Plan::new(told.iter().map(step).collect(), &BTreeSet::new()).unwrap()
}

fn finding(value: &str, evidence: &[(u32, &str)]) -> Finding {
    Finding {
        answer: format!("it is {value}"),
        value: Some(value.into()),
        about: None,
        evidence: evidence
            .iter()
            .map(|(source, quote)| Evidence {
                source: *source,
                quote: (*quote).to_owned(),
            })
            .collect(),
        events: vec![],
    }
}

fn observed(outcome: Outcome, error: Option<ErrorKind>) -> Observed {
    Observed {
        tool: "search_web".into(),
        arguments: json!({}),
        outcome,
        value: json!({"results": [{"cite": "[1]", "snippet": "it is 26 km long"}]}),
        untrusted: true,
        error,
    }
}

fn witness(source: u32, stance: Stance, value: Option<&str>) -> Witness {
    Witness {
        source,
        origin: format!("host{source}"),
        stance,
        value: value.map(str::to_owned),
        quote: "q".into(),
        date: None,
    }
}

struct Team(CoordinationAgent);

impl Team {
    fn new(settings: TeamSettings, steps: &[&str]) -> Self {
        let mut team = Self(CoordinationAgent::new(settings, vec![]));
        team.tell(Report::Recalled(vec![]));
        assert_eq!(team.0.work(), [Work::Plan]);
        team.tell(Report::Planned(plan(steps)));
        team
    }

    fn tell(&mut self, report: Report) {
        self.0.tell(report);
        self.0.advance(None);
    }

    fn acts(&mut self, step: &str, query: &str) {
        self.tell(Report::Acts {
            step: id(step),
            tool: "search_web".into(),
            arguments: json!({"query": query}),
        });
    }

    fn called(&mut self, step: &str, outcome: Outcome, error: Option<ErrorKind>) {
        let step = id(step);
        let arguments = self.0.call(&step).unwrap().arguments.clone();
        let mut observed = observed(outcome, error);
        observed.arguments = arguments;
        self.tell(Report::Called { step, observed });
    }

    /// A step found something by thought alone.
    fn thinks(&mut self, step: &str, value: &str) {
        self.tell(Report::Found {
            step: id(step),
            finding: finding(value, &[]),
            witnesses: vec![],
        });
    }

    /// A step looked something up, in source 1, and found it.
    fn looks_up(&mut self, step: &str, value: &str) {
        self.acts(step, step);
        self.called(step, Outcome::Ok, None);
        self.tell(Report::Found {
            step: id(step),
            finding: finding(value, &[(1, "26 km")]),
            witnesses: vec![witness(1, Stance::Supports, Some(value))],
        });
    }

    fn checks(&mut self, step: &str, witnesses: Vec<Witness>) {
        assert_eq!(self.0.work(), [Work::Seek(id(step))]);
        self.tell(Report::Sought {
            step: id(step),
            call: Some((
                "search_web".into(),
                json!({"query": format!("check {}", witnesses.len()), "n": witnesses.first().map(|w| w.source)}),
            )),
        });
        self.called(step, Outcome::Ok, None);
        assert_eq!(self.0.work(), [Work::Judge(id(step))]);
        self.tell(Report::Judged {
            step: id(step),
            witnesses,
        });
    }

    fn verdict(&self, step: &str) -> Option<(Verdict, i32)> {
        let (_, verification) = self.0.step(&id(step))?.1.done()?;
        Some((verification.verdict, (verification.confidence * 100.0).round() as i32))
    }

    fn value(&self, step: &str) -> String {
        let (finding, _) = self.0.step(&id(step)).unwrap().1.done().unwrap();
        finding.value.clone().unwrap()
    }

    fn synthesises(&mut self, steps: &[&str]) {
        assert_eq!(self.0.work(), [Work::Synthesise]);
        self.tell(Report::Synthesised(Some(Synthesis {
            known: true,
            answer: "so it is".into(),
            value: "26".into(),
            steps: steps.iter().copied().map(StepId::new).collect(),
        })));
    }

    fn sure(&self) -> (i32, bool) {
        let conclusion = self.0.conclusion().unwrap();
        ((conclusion.confidence * 100.0).round() as i32, conclusion.abstained)
    }
}

fn thinks(steps: &[&str]) -> Vec<Work> {
    steps.iter().map(|step| Work::Think(id(step))).collect()
}

#[test]
fn ready_steps_are_done_together_and_the_rest_when_they_are_done() {
    let mut team = Team::new(TeamSettings::default().with_checks(0), &["a", "b", "c<a,b"]);
    assert_eq!(team.0.work(), thinks(&["a", "b"]));
    team.looks_up("a", "26 km");
    assert_eq!(team.0.work(), thinks(&["b"]));
    team.looks_up("b", "26 km");
    assert_eq!(team.0.work(), thinks(&["c"]));
    team.thinks("c", "52 km");
    team.synthesises(&["c"]);
    assert_eq!(team.sure(), (68, false), "what follows from two findings of 0.75");
    assert_eq!(team.0.work(), [Work::Remember]);
    team.tell(Report::Remembered);
    assert_eq!(
        (team.0.work(), team.0.phase(), team.0.finish()),
        (vec![], Phase::Ended, FinishReason::Done)
    );
}

#[test]
fn a_failing_call_is_made_again_if_it_may_succeed_and_else_told_to_the_agent() {
    for (error, tries) in [
        (ErrorKind::ToolTimeout, 3),
        (ErrorKind::Busy, 3),
        (ErrorKind::InvalidInput, 1),
        (ErrorKind::NotFound, 1),
        (ErrorKind::Denied, 1),
    ] {
        let mut team = Team::new(TeamSettings::default(), &["a", "b<a", "c<b"]);
        team.acts("a", "x");
        for _ in 1..tries {
            team.called("a", Outcome::Error, Some(error));
            assert_eq!(team.0.work(), [Work::Call(id("a"))], "{error}");
        }
        team.called("a", Outcome::Error, Some(error));
        assert_eq!(team.0.work(), thinks(&["a"]), "{error}");
        assert_eq!(team.0.step(&id("a")).unwrap().1.observed.len(), 1);
    }
}

#[test]
fn a_step_that_never_comes_to_an_end_fails() {
    let mut team = Team::new(TeamSettings::default().with_replans(0), &["a", "b<a", "c<b"]);
    for n in 0..4 {
        team.acts("a", &n.to_string());
        team.called("a", Outcome::Ok, None);
    }
    team.acts("a", "more");
    let error = team.0.step(&id("a")).unwrap().1.failed().cloned();
    assert_eq!(error, Some(StepError::Bounds { last: None }));
    assert_eq!(team.sure(), (0, true), "nothing was found");

    let mut team = Team::new(TeamSettings::default().with_replans(0), &["a", "b<a", "c<b"]);
    team.acts("a", "same");
    team.called("a", Outcome::Ok, None);
    let mut told = 0;
    while team.0.work() == thinks(&["a"]) {
        team.acts("a", "same");
        told += 1;
    }
    assert_eq!(told, 7, "the same call is not made twice, and telling so has an end");
    assert_eq!(team.0.step(&id("a")).unwrap().1.observed.len(), 1);
}

#[test]
fn a_failure_leads_to_a_new_plan_that_keeps_what_is_done() {
    let mut team = Team::new(TeamSettings::default().with_checks(0), &["a", "b", "c<a,b"]);
    team.acts("a", "x");
    let stuck = StepError::Stuck {
        why: "no such lake".into(),
    };
    team.tell(Report::GaveUp {
        step: id("b"),
        error: stuck.clone(),
    });
    assert_eq!(
        team.0.work(),
        [Work::Call(id("a"))],
        "what is on its way is brought to its end"
    );
    team.called("a", Outcome::Ok, None);
    team.tell(Report::Found {
        step: id("a"),
        finding: finding("26 km", &[(1, "26 km")]),
        witnesses: vec![witness(1, Stance::Supports, None)],
    });
    assert_eq!(team.0.work(), [Work::Plan]);
    let failed: Vec<(&str, &StepError)> = team
        .0
        .failed()
        .iter()
        .map(|(step, error)| (step.id.as_str(), error))
        .collect();
    assert_eq!(failed, [("b", &stuck)]);
    team.tell(Report::Planned(plan(&["a", "d", "e<a,d"])));
    assert_eq!(team.0.work(), thinks(&["d"]), "a is done");
    assert_eq!(team.value("a"), "26 km");
}

#[test]
fn after_the_last_new_plan_what_is_known_is_told_with_less_confidence() {
    let mut team = Team::new(
        TeamSettings::default().with_checks(0).with_replans(1),
        &["a", "b", "c<b"],
    );
    team.looks_up("a", "26 km");
    for _ in 0..2 {
        team.tell(Report::GaveUp {
            step: id("b"),
            error: StepError::Unusable { fault: "?".into() },
        });
        if team.0.work() == [Work::Plan] {
            team.tell(Report::Planned(plan(&["a", "b", "c<b"])));
        }
    }
    team.synthesises(&["a"]);
    assert_eq!(team.sure(), (25, true), "a third of the plan was done");
}

#[test]
fn a_finding_is_checked_by_other_sources_until_it_is_decided() {
    use Stance::{Refutes, Silent, Supports};
    use Verdict::Insufficient;
    for (checks, verdict, value) in [
        (vec![vec![witness(2, Supports, None)]], (Verdict::Supports, 90), "26 km"),
        (vec![vec![witness(2, Silent, None)]], (Verdict::Supports, 75), "26 km"),
        (
            vec![
                vec![witness(2, Refutes, Some("36 km"))],
                vec![witness(3, Refutes, Some("36 km"))],
            ],
            (Verdict::Refutes, 75),
            "36 km",
        ),
        (
            vec![
                vec![witness(2, Refutes, Some("36 km"))],
                vec![witness(3, Supports, None)],
            ],
            (Verdict::Supports, 75),
            "26 km",
        ),
        (
            vec![vec![witness(2, Refutes, Some("36 km"))], vec![witness(3, Silent, None)]],
            (Insufficient, 50),
            "26 km",
        ),
    ] {
        let mut team = Team::new(TeamSettings::default(), &["a", "b<a", "c<b"]);
        team.looks_up("a", "26 km");
        for witnesses in checks.clone() {
            team.checks("a", witnesses);
        }
        assert_eq!(
            (team.verdict("a"), team.value("a").as_str()),
            (Some(verdict), value),
            "{checks:?}"
        );
        assert_eq!(team.0.work(), thinks(&["b"]));
    }
}

#[test]
fn what_sources_do_not_decide_is_no_answer() {
    let mut team = Team::new(TeamSettings::default().with_checks(1), &["a", "b<a", "c<b"]);
    team.looks_up("a", "26 km");
    team.checks("a", vec![witness(2, Stance::Refutes, Some("36 km"))]);
    team.thinks("b", "x");
    team.thinks("c", "y");
    team.synthesises(&["c"]);
    assert_eq!(team.sure(), (41, true));
    assert_eq!(team.0.phase(), Phase::Ended, "what is not known is not remembered");
}

#[test]
fn a_fault_is_told_once_and_then_costs_confidence() {
    let mut team = Team::new(TeamSettings::default().with_checks(0), &["a", "b<a", "c<b"]);
    team.acts("a", "x");
    team.called("a", Outcome::Ok, None);
    for (evidence, verdict) in [
        (&[(1, "36 km")][..], None),
        (&[(1, "36 km")], Some((Verdict::Insufficient, 30))),
    ] {
        team.tell(Report::Found {
            step: id("a"),
            finding: finding("36 km", evidence),
            witnesses: vec![],
        });
        assert_eq!(team.verdict("a"), verdict, "a quote that does not stand there");
    }
}

#[test]
fn a_contradiction_between_steps_is_looked_into() {
    let mut team = Team::new(TeamSettings::default(), &["a", "b<a", "c<b"]);
    let about = |value: &str| {
        let mut finding = finding(value, &[(1, "26 km")]);
        finding.about = Some("length of the bridge".into());
        finding
    };
    let supports = |sources: &[u32]| {
        sources
            .iter()
            .map(|n| witness(*n, Stance::Supports, None))
            .collect::<Vec<_>>()
    };
    for (step, value) in [("a", "26 km"), ("b", "36 km")] {
        team.acts(step, step);
        team.called(step, Outcome::Ok, None);
        team.tell(Report::Found {
            step: id(step),
            finding: about(value),
            witnesses: supports(&[1, 2, 3]),
        });
    }
    team.checks("b", supports(&[4]));
    team.checks("b", supports(&[5]));
    assert_eq!(
        team.verdict("b"),
        Some((Verdict::Supports, 60)),
        "sure as it seems, it is at odds with a"
    );
    team.thinks("c", "z");
    team.synthesises(&["c"]);
    assert!(team.sure().1);
}

#[test]
fn at_the_budgets_bound_what_is_known_is_told() {
    let mut team = Team::new(TeamSettings::default().with_checks(0), &["a", "b", "c<a,b"]);
    team.looks_up("a", "26 km");
    team.0.advance(Some(FinishReason::TokenLimit));
    assert_eq!(team.0.step(&id("b")).unwrap().1.failed(), Some(&StepError::Budget));
    team.thinks("b", "too late");
    team.synthesises(&["a"]);
    assert_eq!((team.sure(), team.0.finish()), ((25, true), FinishReason::TokenLimit));

    let mut team = Team::new(TeamSettings::default(), &["a", "b", "c<a,b"]);
    team.0.advance(Some(FinishReason::TimeLimit));
    assert_eq!((team.0.work(), team.sure()), (vec![], (0, true)));
}

#[test]
fn nothing_is_said_of_a_step_that_nobody_planned() {
    let mut team = Team::new(TeamSettings::default(), &["a", "b<a", "c<b"]);
    let before = team.0.clone();
    team.acts("z", "x");
    team.tell(Report::Sought {
        step: id("a"),
        call: None,
    });
    team.tell(Report::Judged {
        step: id("a"),
        witnesses: vec![],
    });
    team.tell(Report::Remembered);
    assert_eq!(team.0, before);
}
