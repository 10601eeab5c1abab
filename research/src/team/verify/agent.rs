//! The verification agent: finds other sources and hears what they say.

use super::verdict::{Stance, Witness};
use crate::ask::Asked;
use crate::prompts::Task;
use crate::resources::Resources;
use crate::run::Head;
use crate::sources::Sources;
use crate::team::briefs::{self, Brief};
use crate::team::coordination::CoordinationAgent;
use crate::team::execution::CallDraft;
use crate::team::finding::{Finding, Observed};
use crate::team::plan::StepId;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The call that finds another source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seek {
    /// The call; left out where no other source can be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<CallDraft>,
}

/// What each source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judgement {
    /// One entry for each source.
    sources: Vec<Heard>,
}

/// What one source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Heard {
    /// The source's number.
    source: u32,
    /// Whether it says the same.
    stance: Stance,
    /// The value that it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Its words, exactly as they stand there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quote: Option<String>,
}

/// Verifies findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VerificationAgent<'a> {
    pub(crate) resources: &'a Resources,
}

impl<'a> VerificationAgent<'a> {
    /// The sources that a finding quotes, as far as they say so.
    pub(crate) fn own_witnesses(finding: &Finding, observed: &[Observed], sources: &Sources) -> Vec<Witness> {
        let heard = finding.evidence.iter().map(|evidence| Heard {
            source: evidence.source,
            stance: Stance::Supports,
            value: finding.value.clone(),
            quote: Some(evidence.quote.clone()),
        });
        heard.filter_map(|heard| witness(heard, observed, sources)).collect()
    }

    /// A call that finds another source for what a step found.
    pub(crate) fn seek(self, head: &Head, team: &CoordinationAgent, id: &StepId) -> Option<BoxFuture<'a, Asked<Seek>>> {
        let lang = head.lang;
        let (_, run) = team.step(id)?;
        let own = run
            .witnesses
            .iter()
            .filter_map(|witness| head.sources.get(witness.source));
        let own: Vec<String> = own
            .map(|source| format!("[{}] {} {}", source.number, source.title, source.url))
            .collect();
        let brief = Brief::new(
            self.resources,
            head,
            Task::TeamSeek,
            &[
                ("finding", &briefs::in_words(run.finding.as_ref()?)),
                ("sources", &crate::data::fenced(&own.join("\n"))),
                ("made", &briefs::made(run.observed.iter().chain(&run.checked), lang)),
                ("tools", &briefs::tools(self.resources, lang)),
            ],
        );
        let resources = self.resources;
        let fault = move |seek: &Seek| seek.call.as_ref().and_then(|call| call.fault(resources));
        Some(Box::pin(brief.ask(fault)))
    }

    /// What the sources that the last check found say of what a step found.
    pub(crate) fn judge(
        self,
        head: &Head,
        team: &CoordinationAgent,
        id: &StepId,
    ) -> Option<BoxFuture<'a, Asked<Judgement>>> {
        let (_, run) = team.step(id)?;
        let brief = Brief::new(
            self.resources,
            head,
            Task::TeamJudge,
            &[
                ("finding", &briefs::in_words(run.finding.as_ref()?)),
                ("results", &briefs::result(run.checked.last()?)),
            ],
        );
        Some(Box::pin(brief.ask(|_: &Judgement| None)))
    }

    /// The sources that were heard in a check, other than those that were heard before.
    pub(crate) fn witnesses(judgement: Judgement, head: &Head, team: &CoordinationAgent, id: &StepId) -> Vec<Witness> {
        let Some((_, run)) = team.step(id) else {
            return Vec::new();
        };
        let before: BTreeSet<u32> = run.witnesses.iter().map(|witness| witness.source).collect();
        let fresh = judgement
            .sources
            .into_iter()
            .filter(|heard| !before.contains(&heard.source));
        fresh
            .filter_map(|heard| witness(heard, &run.checked, &head.sources))
            .collect()
    }
}

/// A source as a witness, where it is one and says what it is quoted with.
fn witness(heard: Heard, observed: &[Observed], sources: &Sources) -> Option<Witness> {
    let source = sources.get(heard.source)?;
    let quote = heard.quote.unwrap_or_default();
    let says = observed.iter().any(|seen| seen.says(heard.source, &quote));
    if heard.stance == Stance::Silent || !says {
        return None;
    }
    Some(Witness {
        source: heard.source,
        origin: origin(&source.url).to_owned(),
        stance: heard.stance,
        value: heard.value,
        quote,
        date: observed
            .iter()
            .find_map(|seen| seen.date_of(heard.source))
            .map(str::to_owned),
    })
}

/// What makes a source another than the rest: two pages of one host are one. An article of the corpus, a section of the
/// manual stands for itself.
fn origin(url: &str) -> &str {
    let host = ["https://", "http://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme));
    match host {
        Some(rest) => rest
            .split(['/', '?', '#'])
            .next()
            .unwrap_or(rest)
            .trim_start_matches("www."),
        None => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::Outcome;
    use serde_json::json;

    #[test]
    fn a_source_is_a_witness_only_for_what_it_says_itself() {
        let mut value = json!({"results": [
            {"title": "Bridge", "url": "https://www.e.com/a", "snippet": "It is 26.7 km long.", "date": "2024"},
            {"title": "Other", "url": "incar://corpus/x", "snippet": "It is 36 km long."},
        ]});
        let mut sources = Sources::default();
        sources.take_in("search_web", "c", &mut value);
        let observed = [Observed {
            tool: "search_web".into(),
            arguments: json!({}),
            outcome: Outcome::Ok,
            value,
            untrusted: true,
            error: None,
        }];
        for (source, stance, quote, origin) in [
            (1, Stance::Supports, Some("26.7 km long"), Some("e.com")),
            (2, Stance::Refutes, Some("36 km"), Some("incar://corpus/x")),
            (2, Stance::Refutes, Some("26.7 km"), None),
            (1, Stance::Supports, None, None),
            (1, Stance::Silent, Some("26.7 km long"), None),
            (3, Stance::Supports, Some("26.7 km long"), None),
        ] {
            let heard = Heard {
                source,
                stance,
                value: None,
                quote: quote.map(str::to_owned),
            };
            let found = witness(heard, &observed, &sources);
            assert_eq!(
                found.as_ref().map(|witness| witness.origin.as_str()),
                origin,
                "{source} {quote:?}"
            );
            if source == 1 && origin.is_some() {
                assert_eq!(found.unwrap().date.as_deref(), Some("2024"));
            }
        }
    }
}
