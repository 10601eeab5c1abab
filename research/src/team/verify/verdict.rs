//! What witnesses say, weighed: the verdict on a finding and how sure it is.

use super::agree;
use super::inspect::Fault;
use super::moment::Moment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How likely one source is right.
const SOURCE: f64 = 0.75;
/// How likely a source is right that is a year or more older than another which says otherwise.
const STALE: f64 = 0.6;
/// How likely a result of our own tools is right.
const COMPUTED: f64 = 0.95;
/// How likely a model is right that only thinks.
const THOUGHT: f64 = 0.4;
/// How likely a conclusion from findings is right if they are.
const CONCLUDED: f64 = 0.9;
/// What each fault that was not mended leaves of the confidence.
const FAULTY: f64 = 0.6;

/// Whether a source says what a finding says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stance {
    /// It says the same.
    Supports,
    /// It says something that cannot be true beside it.
    Refutes,
    /// It says nothing about it.
    Silent,
}

/// A source that was heard on a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Witness {
    /// The source's number.
    pub(crate) source: u32,
    /// What makes it another than the rest: the host of a page, else the address.
    pub(crate) origin: String,
    pub(crate) stance: Stance,
    /// The value that it gives.
    pub(crate) value: Option<String>,
    /// Its words.
    pub(crate) quote: String,
    /// Of when it is.
    pub(crate) date: Option<String>,
}

/// What a finding rests on, when it does not rest on sources.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Basis {
    /// Sources: the witnesses.
    Sources,
    /// A result of our own tools.
    Computed,
    /// Findings, of which the least sure is so sure.
    Findings(f64),
    /// Nothing but the model.
    Thought,
}

/// What became of a finding that was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// What was found bears it out.
    Supports,
    /// What was found says otherwise.
    Refutes,
    /// What was found does not decide it.
    Insufficient,
}

/// The verdict on a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verification {
    pub(crate) verdict: Verdict,
    /// How likely the value that stands now is right: the corrected one where there is one.
    pub(crate) confidence: f64,
    /// The value that sources which refute it agree on, and one of them.
    pub(crate) corrected: Option<Correction>,
    /// What is wrong with it still.
    pub(crate) faults: Vec<Fault>,
}

/// What takes the place of a refuted value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Correction {
    pub(crate) value: String,
    pub(crate) source: u32,
    pub(crate) quote: String,
}

/// The odds of something so likely, as a logarithm: what independent witnesses say adds up in these.
fn log_odds(likely: f64) -> f64 {
    (likely / (1.0 - likely)).ln()
}

fn likelihood(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Weighs a finding. Witnesses of one origin are one; each adds what one source is worth, less if it is older than one
/// that says otherwise. A value counts as refuted if more says against it than for it, and as corrected if so much
/// says for one other value.
pub(crate) fn weigh(basis: Basis, witnesses: &[Witness], faults: Vec<Fault>) -> Verification {
    let mut heard: Vec<&Witness> = Vec::new();
    for witness in witnesses.iter().filter(|witness| witness.stance != Stance::Silent) {
        if heard.iter().all(|other| other.origin != witness.origin) {
            heard.push(witness);
        }
    }
    let weight = |witness: &Witness| {
        let is_stale = heard
            .iter()
            .any(|other| other.stance != witness.stance && is_newer(other, witness));
        log_odds(if is_stale { STALE } else { SOURCE })
    };
    let sum = |stance: Stance| -> f64 {
        let of_stance = heard.iter().filter(|witness| witness.stance == stance);
        of_stance.map(|witness| weight(witness)).sum()
    };
    let prior = match basis {
        Basis::Sources => 0.0,
        Basis::Computed => log_odds(COMPUTED),
        Basis::Findings(least) => log_odds((least * CONCLUDED).clamp(0.01, 0.99)),
        Basis::Thought => log_odds(THOUGHT),
    };
    let (supporting, refuting) = (prior + sum(Stance::Supports), sum(Stance::Refutes));
    let correction = heard
        .iter()
        .filter(|witness| witness.stance == Stance::Refutes)
        .find_map(|witness| {
            let value = witness.value.as_deref().filter(|value| !value.trim().is_empty())?;
            let agreeing = heard
                .iter()
                .filter(|other| other.stance == Stance::Refutes && says(other, value));
            let agreeing: f64 = agreeing.map(|other| weight(other)).sum();
            let against = supporting.max(0.0) + refuting - agreeing;
            (agreeing > against).then(|| {
                let correction = Correction {
                    value: value.to_owned(),
                    source: witness.source,
                    quote: witness.quote.clone(),
                };
                (correction, agreeing - against)
            })
        });
    let faulty = faults.iter().fold(1.0, |left, _| left * FAULTY);
    let (verdict, sure, corrected) = match correction {
        // Faults of what was refuted are none of its correction.
        Some((correction, odds)) => (Verdict::Refutes, likelihood(odds), Some(correction)),
        None if refuting > supporting.max(0.0) => (Verdict::Refutes, likelihood(supporting - refuting) * faulty, None),
        None => {
            let sure = likelihood(supporting - refuting) * faulty;
            let verdict = if sure > 0.5 {
                Verdict::Supports
            } else {
                Verdict::Insufficient
            };
            (verdict, sure, None)
        }
    };
    Verification {
        verdict,
        confidence: sure,
        corrected,
        faults,
    }
}

fn says(witness: &Witness, value: &str) -> bool {
    witness
        .value
        .as_deref()
        .is_some_and(|other| agree(other, value) == Some(true))
}

/// Whether one is a year or more newer than the other, where both are dated.
fn is_newer(one: &Witness, other: &Witness) -> bool {
    let year = |witness: &Witness| Some(Moment::read(witness.date.as_deref()?)?.year);
    matches!((year(one), year(other)), (Some(one), Some(other)) if one > other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn witness(told: &str) -> Witness {
        // `a+`: of a, supports; `b-26@2023`: of b, refutes with 26, of 2023; `c0`: silent.
        let (told, date) = told
            .split_once('@')
            .map_or((told, None), |(told, date)| (told, Some(date)));
        let at = told.find(['+', '-', '0']).unwrap();
        Witness {
            source: 1,
            origin: told[..at].to_owned(),
            stance: match &told[at..=at] {
                "+" => Stance::Supports,
                "-" => Stance::Refutes,
                _ => Stance::Silent,
            },
            value: (told.len() > at + 1).then(|| told[at + 1..].to_owned()),
            quote: "q".into(),
            date: date.map(str::to_owned),
        }
    }

    fn weighed(basis: Basis, told: &str, faults: usize) -> Verification {
        let witnesses: Vec<Witness> = told.split_whitespace().map(witness).collect();
        weigh(basis, &witnesses, vec![Fault::NoEvidence; faults])
    }

    #[test]
    fn the_verdict_is_what_independent_sources_say() {
        use Verdict::{Insufficient, Refutes, Supports};
        for (told, verdict, percent, corrected) in [
            ("a+", Supports, 75, None),
            ("a+ b+", Supports, 90, None),
            ("a+ a+ a+", Supports, 75, None),
            ("a+ b+ c+", Supports, 96, None),
            ("a+ b0 c0", Supports, 75, None),
            ("a+ b-27", Insufficient, 50, None),
            ("a+ b-27 c-27", Refutes, 75, Some("27")),
            ("a+ b-27 b-27", Insufficient, 50, None),
            ("a+ b-27 c-31", Refutes, 25, None),
            ("a+ b- c-", Refutes, 25, None),
            ("a+ b+ c-27", Supports, 75, None),
            ("a+@2023 b-27@2026", Refutes, 67, Some("27")),
            ("a+@2026 b-27@2023", Supports, 67, None),
            ("a+@2026 b-27@2026-01", Insufficient, 50, None),
            ("", Insufficient, 50, None),
        ] {
            let found = weighed(Basis::Sources, told, 0);
            let value = found.corrected.as_ref().map(|correction| correction.value.as_str());
            let sure = (found.confidence * 100.0).round() as i32;
            assert_eq!((found.verdict, sure, value), (verdict, percent, corrected), "{told}");
        }
    }

    #[test]
    fn what_rests_on_no_source_is_as_sure_as_what_it_rests_on() {
        for (basis, verdict, percent) in [
            (Basis::Computed, Verdict::Supports, 95),
            (Basis::Findings(0.9), Verdict::Supports, 81),
            (Basis::Findings(0.5), Verdict::Insufficient, 45),
            (Basis::Thought, Verdict::Insufficient, 40),
        ] {
            let found = weighed(basis, "", 0);
            assert_eq!(
                (found.verdict, (found.confidence * 100.0).round() as i32),
                (verdict, percent),
                "{basis:?}"
            );
        }
        assert_eq!(
            weighed(Basis::Thought, "a+", 0).verdict,
            Verdict::Supports,
            "a source bears a thought out"
        );
    }

    #[test]
    fn faults_cost_confidence() {
        let sure = |faults| weighed(Basis::Sources, "a+ b+", faults).confidence;
        assert!(sure(0) > sure(1) && sure(1) > sure(2));
        assert_eq!(weighed(Basis::Sources, "a+", 2).verdict, Verdict::Insufficient);
    }

    fn told() -> impl Strategy<Value = Vec<String>> {
        let one = (
            prop::sample::select(vec!["a", "b", "c", "d", "e"]),
            prop::sample::select(vec!["+", "-7", "-9", "-", "0"]),
        );
        prop::collection::vec(one.prop_map(|(origin, stance)| format!("{origin}{stance}")), 0..6)
    }

    proptest! {
        #[test]
        fn one_more_source_that_says_so_never_makes_it_less_sure(told in told()) {
            let before = weighed(Basis::Sources, &told.join(" "), 0);
            prop_assert!((0.0..=1.0).contains(&before.confidence));
            let after = weighed(Basis::Sources, &format!("{} new+", told.join(" ")), 0);
            if before.verdict != Verdict::Refutes {
                prop_assert!(after.confidence >= before.confidence);
                prop_assert_ne!(after.verdict, Verdict::Refutes);
            }
        }

        #[test]
        fn a_corrected_value_is_one_that_a_source_gave_and_more_likely_than_not(told in told()) {
            let found = weighed(Basis::Sources, &told.join(" "), 0);
            if let Some(correction) = found.corrected {
                let (value, given) = (correction.value, |told: &String| told.ends_with("-7") || told.ends_with("-9"));
                prop_assert!(told.iter().any(|told| given(told) && told.ends_with(&value)));
                prop_assert!(found.verdict == Verdict::Refutes && found.confidence > 0.5);
            }
        }
    }
}
