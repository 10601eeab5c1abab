//! What code can tell of a finding without asking anybody: its form, its numbers, the order of its events.

use super::agree;
use super::measure::{Measure, Quantity};
use super::moment::Moment;
use crate::team::finding::{Finding, Observed};
use crate::team::plan::StepId;
use incar_core::{Lang, Outcome};
use incar_text::Text;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Words that do not tell one thing from another.
const FILLERS: [&str; 6] = ["的", "之", "the", "of", "a", "in"];
/// No temperature is lower, in degrees Celsius.
const ABSOLUTE_ZERO: f64 = -273.15;

/// What is wrong with a finding, as far as code can tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub(crate) enum Fault {
    /// It says nothing.
    Blank,
    /// It was looked up, and says not where it stands.
    NoEvidence,
    /// A source does not say what it is quoted with.
    NotInSource { source: u32 },
    /// A number that cannot be.
    Impossible { value: String },
    /// An event that is said to be later than one that it must come before.
    OutOfOrder { first: String, second: String },
    /// The very call was made before.
    Repeated { tool: String },
    /// Another step found another value of the same thing.
    Contradicts { step: StepId, value: String },
}

impl Fault {
    /// What to tell the model.
    pub(crate) fn told(&self, lang: Lang) -> String {
        match self {
            Self::Blank => lang.pick("答案是空的。".into(), "The answer is empty.".into()),
            Self::NoEvidence => lang.pick(
                "没有写出处：evidence 里要有来源编号和原文。".into(),
                "It does not say where it stands: evidence needs the source's number and its own words.".into(),
            ),
            Self::NotInSource { source } => lang.pick(
                format!("来源 [{source}] 里没有你引用的原文。"),
                format!("The words that you quote do not stand in source [{source}]."),
            ),
            Self::Impossible { value } => lang.pick(
                format!("数值“{value}”不可能。"),
                format!("The value \"{value}\" cannot be."),
            ),
            Self::OutOfOrder { first, second } => lang.pick(
                format!("“{first}”不可能晚于“{second}”，请核对日期。"),
                format!("\"{first}\" cannot be later than \"{second}\": check the dates."),
            ),
            Self::Repeated { tool } => lang.pick(
                format!("这个 {tool} 调用已经做过，结果在上面。"),
                format!("That call of {tool} was made already; its result is above."),
            ),
            Self::Contradicts { step, value } => lang.pick(
                format!("与步骤 {step} 的结果（{value}）矛盾。"),
                format!("It contradicts the result of step {step} ({value})."),
            ),
        }
    }
}

/// What is wrong with a finding by itself.
pub(crate) fn inspect(finding: &Finding, observed: &[Observed]) -> Vec<Fault> {
    let mut faults = form(finding, observed);
    let value = finding.value.as_deref().filter(|value| !is_possible(value));
    faults.extend(value.map(|value| Fault::Impossible {
        value: value.to_owned(),
    }));
    faults.extend(out_of_order(finding));
    faults
}

fn form(finding: &Finding, observed: &[Observed]) -> Vec<Fault> {
    if finding.answer.trim().is_empty() {
        return vec![Fault::Blank];
    }
    let looked_up = observed
        .iter()
        .any(|seen| seen.untrusted && seen.outcome == Outcome::Ok);
    if looked_up && finding.evidence.is_empty() {
        return vec![Fault::NoEvidence];
    }
    let unfound = finding.evidence.iter().filter(|evidence| {
        let says = |seen: &Observed| seen.says(evidence.source, &evidence.quote);
        !observed.iter().any(says)
    });
    unfound
        .map(|evidence| Fault::NotInSource {
            source: evidence.source,
        })
        .collect()
}

/// Whether a value is not beyond all that its unit allows.
fn is_possible(value: &str) -> bool {
    let Some(measure) = Measure::read(value) else {
        return true;
    };
    match measure.quantity {
        Some(Quantity::Length | Quantity::Mass | Quantity::Duration) => measure.value >= 0.0,
        Some(Quantity::Count) => measure.value >= 0.0 && is_whole(value, measure.value),
        Some(Quantity::Temperature) => measure.value >= ABSOLUTE_ZERO,
        Some(Quantity::Percent) => measure.value >= -100.0,
        None => true,
    }
}

/// Whether a count is of whole things; 2.5万 people are 25,000.
fn is_whole(said: &str, value: f64) -> bool {
    value.fract() == 0.0 || said.contains(['万', '亿'])
}

/// The first pair of events whose dates go back.
fn out_of_order(finding: &Finding) -> Option<Fault> {
    let dated: Vec<(&str, Moment)> = finding
        .events
        .iter()
        .filter_map(|event| Some((event.what.as_str(), Moment::read(&event.when)?)))
        .collect();
    let (first, second) = dated
        .iter()
        .zip(dated.iter().skip(1))
        .find(|((_, first), (_, second))| first.order(*second) == Ordering::Greater)?;
    Some(Fault::OutOfOrder {
        first: first.0.to_owned(),
        second: second.0.to_owned(),
    })
}

/// Whether two findings say different things of one.
pub(crate) fn contradicts(one: &Finding, other: &Finding) -> bool {
    let (Some((about, value)), Some((other_about, other_value))) = (statement(one), statement(other)) else {
        return false;
    };
    content(about) == content(other_about) && agree(value, other_value) == Some(false)
}

/// The words of a text in any order, without fillers. Near is not the same here: the people of one year are not those of
/// the next.
fn content(text: &str) -> BTreeSet<String> {
    let text = Text::new(text);
    text.words()
        .filter(|word| !FILLERS.contains(word))
        .map(str::to_owned)
        .collect()
}

fn statement(finding: &Finding) -> Option<(&str, &str)> {
    Some((finding.about.as_deref()?, finding.value.as_deref()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::finding::{Event, Evidence};
    use serde_json::json;

    fn finding(value: &str) -> Finding {
        Finding {
            answer: "它有多长".into(),
            value: Some(value.into()),
            about: Some("胶州湾大桥的长度".into()),
            evidence: vec![],
            events: vec![],
        }
    }

    #[test]
    fn what_was_looked_up_must_be_quoted_word_for_word() {
        let observed = Observed {
            tool: "search_web".into(),
            arguments: json!({}),
            outcome: Outcome::Ok,
            value: json!({"results": [{"cite": "[1]", "snippet": "全长26.7公里"}]}),
            untrusted: true,
            error: None,
        };
        let quoting = |quotes: &[(u32, &str)]| {
            let evidence = quotes.iter().map(|(source, quote)| Evidence {
                source: *source,
                quote: (*quote).to_owned(),
            });
            let mut finding = finding("26.7公里");
            finding.evidence = evidence.collect();
            inspect(&finding, std::slice::from_ref(&observed))
        };
        assert_eq!(quoting(&[(1, "全长 26.7 公里")]), []);
        assert_eq!(quoting(&[]), [Fault::NoEvidence]);
        assert_eq!(quoting(&[(1, "全长36公里")]), [Fault::NotInSource { source: 1 }]);
        assert_eq!(
            quoting(&[(1, "全长26.7公里"), (2, "全长")]),
            [Fault::NotInSource { source: 2 }]
        );
        assert_eq!(inspect(&finding("26.7公里"), &[]), [], "thought alone needs no source");
        let mut blank = finding("1");
        blank.answer = " ".into();
        assert_eq!(inspect(&blank, &[]), [Fault::Blank]);
    }

    #[test]
    fn a_number_that_cannot_be_is_noticed() {
        for (value, possible) in [
            ("26.7公里", true),
            ("-26.7公里", false),
            ("2.5座", false),
            ("2.5万人", true),
            ("-3人", false),
            ("-300℃", false),
            ("-30℃", true),
            ("-120%", false),
            ("150%", true),
            ("-5", true),
            ("西湖", true),
        ] {
            assert_eq!(inspect(&finding(value), &[]).is_empty(), possible, "{value}");
        }
    }

    #[test]
    fn events_come_in_the_order_in_which_they_must_have_happened() {
        for (dates, in_order) in [
            (&["1931", "1936-03-01"][..], true),
            (&["2011-06-30", "2007"], false),
            (&["2011", "2011-06-30", "2011"], true),
            (&["2007", "some day", "2006"], false),
            (&["2007"], true),
        ] {
            let mut dated = finding("1座");
            dated.events = (0..)
                .zip(dates)
                .map(|(n, when)| Event {
                    what: format!("e{n}"),
                    when: (*when).to_owned(),
                })
                .collect();
            assert_eq!(inspect(&dated, &[]).is_empty(), in_order, "{dates:?}");
        }
    }

    #[test]
    fn two_values_of_one_thing_contradict_each_other() {
        let other = |about: &str, value: &str| {
            let mut other = finding(value);
            other.about = Some(about.into());
            contradicts(&finding("26.7公里"), &other)
        };
        assert!(other("胶州湾大桥的长度", "36.5公里"));
        assert!(!other("胶州湾大桥的长度", "26700米"));
        assert!(other("胶州湾大桥长度", "36.5公里"));
        assert!(!other("杭州湾大桥的长度", "36.5公里"));
        assert!(!other("青岛的面积", "36.5公里"));
        assert!(!other("胶州湾大桥的长度", "很长"));
    }

    #[test]
    fn every_fault_can_be_told_in_both_languages() {
        let step = StepId::new("s1");
        for fault in [
            Fault::Blank,
            Fault::NoEvidence,
            Fault::NotInSource { source: 1 },
            Fault::Impossible { value: "v".into() },
            Fault::OutOfOrder {
                first: "a".into(),
                second: "b".into(),
            },
            Fault::Repeated { tool: "t".into() },
            Fault::Contradicts {
                step,
                value: "v".into(),
            },
        ] {
            assert_ne!(fault.told(Lang::Zh), fault.told(Lang::En));
        }
    }
}
