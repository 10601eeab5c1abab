//! A reply claims only what was done. Each sentence that says a deed, in the words by which tools are
//! called, needs a call that worked; else the model is asked once more, and then code speaks.

use super::claim_words::{Manner, as_wish, is_deed, is_supposed, manner};
use super::evidence::Evidence;
use super::{GuardMode, Guards, beyond};
use incar_core::turn::{Deed, Objection};
use incar_core::{Effect, Grasp, Lang, Outcome, ReadCall, ReplyClass, ToolSpec};
use std::collections::HashSet;

/// The guard's id.
pub(super) const ID: &str = "unsupported-claim";

/// A reply that is about to be spoken, and what was done in its turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spoken<'a> {
    pub(crate) reply: &'a str,
    /// What it expects of the speaker.
    pub(crate) class: ReplyClass,
    pub(crate) deeds: &'a [Deed<'a>],
}

/// What is wrong with a reply, if anything.
pub(crate) fn judge(guards: &Guards, spoken: Spoken<'_>, evidence: &Evidence<'_>) -> Option<Objection> {
    if guards.unsupported_claim == GuardMode::Off && guards.beyond_the_car == GuardMode::Off || !evidence.has_reader() {
        return None;
    }
    for sentence in sentences(spoken.reply) {
        if told_by_a_tool(sentence, spoken.deeds) {
            continue;
        }
        let plain = plain(sentence);
        if is_supposed(&plain) {
            continue;
        }
        for clause in plain.split(',').filter(|clause| clause.contains(char::is_alphanumeric)) {
            let clause = format!(" {} ", clause.trim());
            let Some(manner) = manner(&clause) else { continue };
            // "I'll open it. Is that okay?" waits for the answer.
            if manner == Manner::Does && spoken.class == ReplyClass::Required {
                continue;
            }
            let objection = object(guards, about(&clause, manner, spoken.deeds, evidence), evidence.lang());
            if objection.is_some() {
                return objection;
            }
        }
    }
    None
}

fn object(guards: &Guards, claim: Claim, lang: Lang) -> Option<Objection> {
    match claim {
        Claim::Unsupported(tools) if guards.unsupported_claim == GuardMode::On => Some(unsupported(&tools, lang)),
        Claim::Beyond if guards.beyond_the_car == GuardMode::On => {
            let objection = Objection::new(beyond::ID, beyond::NOTE, beyond::instead(lang));
            Some(objection.beyond_the_car())
        }
        Claim::Supported | Claim::Unsupported(_) | Claim::Beyond => None,
    }
}

/// What there is to a claim.
enum Claim {
    /// It was done, or nothing was claimed after all.
    Supported,
    /// These tools would have had to do it.
    Unsupported(String),
    /// No tool could have.
    Beyond,
}

fn about(sentence: &str, manner: Manner, deeds: &[Deed<'_>], evidence: &Evidence<'_>) -> Claim {
    let wish = as_wish(sentence);
    if !wish.contains(char::is_alphanumeric) {
        return bare(deeds, evidence);
    }
    let Some(reading) = evidence.read(&wish) else {
        return Claim::Supported;
    };
    let changes = |call: &&ReadCall| {
        let tool = evidence.tools().get(&call.tool);
        tool.is_some_and(|tool| tool.effect != Effect::Read)
    };
    let claimed: Vec<&ReadCall> = reading.calls.iter().filter(changes).collect();
    if claimed.is_empty() || reading.grasp < Grasp::Enough {
        let idle = deeds.iter().all(|deed| deed.result.outcome != Outcome::Ok);
        let nothing = reading.calls.is_empty() && idle && is_deed(sentence, manner);
        return if nothing { Claim::Beyond } else { Claim::Supported };
    }
    let wrong: Vec<&str> = claimed
        .iter()
        .filter(|call| !supported(call, sentence, manner, deeds, evidence))
        .map(|call| call.tool.as_str())
        .collect();
    // A deed that no claim names is what the model calls by another name than the device does.
    let unnamed = |deed: &&Deed<'_>| {
        let named = |call: &&ReadCall| {
            evidence
                .tools()
                .get(&call.tool)
                .is_some_and(|tool| did(deed, tool, sentence, evidence))
        };
        is_done(deed) && !claimed.iter().any(named)
    };
    if wrong.len() <= deeds.iter().filter(unnamed).count() {
        Claim::Supported
    } else {
        Claim::Unsupported(wrong.join(", "))
    }
}

fn is_done(deed: &Deed<'_>) -> bool {
    deed.changed() || deed.result.outcome == Outcome::Unknown
}

/// Whether a call did what a sentence says of a tool.
fn did(deed: &Deed<'_>, claimed: &ToolSpec, sentence: &str, evidence: &Evidence<'_>) -> bool {
    let tool = || evidence.tools().get(deed.tool);
    is_done(deed) && tool().is_none_or(|tool| tool.name == claimed.name || same_thing(tool, claimed, sentence))
}

/// "Done." and no more: of what was wished, if it was anything that a tool does.
fn bare(deeds: &[Deed<'_>], evidence: &Evidence<'_>) -> Claim {
    if deeds
        .iter()
        .any(|deed| matches!(deed.result.outcome, Outcome::Ok | Outcome::Unknown))
    {
        return Claim::Supported;
    }
    let failed: Vec<&str> = deeds.iter().map(|deed| deed.tool).collect();
    if !failed.is_empty() {
        return Claim::Unsupported(failed.join(", "));
    }
    let reading = evidence.reading().filter(|reading| reading.grasp >= Grasp::Enough);
    let changes = |tool: &&str| {
        evidence
            .tools()
            .get(tool)
            .is_some_and(|tool| tool.effect != Effect::Read)
    };
    let wished: Vec<&str> = reading
        .into_iter()
        .flat_map(|reading| &reading.calls)
        .map(|call| call.tool.as_str())
        .filter(changes)
        .collect();
    if wished.is_empty() {
        Claim::Supported
    } else {
        Claim::Unsupported(wished.join(", "))
    }
}

fn supported(call: &ReadCall, sentence: &str, manner: Manner, deeds: &[Deed<'_>], evidence: &Evidence<'_>) -> bool {
    let Some(claimed) = evidence.tools().get(&call.tool) else {
        return true;
    };
    if deeds.iter().any(|deed| did(deed, claimed, sentence, evidence)) {
        return true;
    }
    let wished = evidence
        .reading()
        .is_some_and(|reading| reading.of(&call.tool).next().is_some());
    let before = || {
        evidence
            .results_before()
            .any(|result| result.outcome == Outcome::Ok && *result.name == *call.tool)
    };
    // What nobody wished in this turn may be told of an earlier one.
    if !wished && before() {
        return true;
    }
    let looked = || {
        deeds
            .iter()
            .any(|deed| deed.result.outcome == Outcome::Ok && !deed.changed())
    };
    manner == Manner::IsSo && (!wished || looked())
}

/// Whether two tools handle the thing that a sentence names: 空调 is the power's, the temperature's and
/// the fan's. Tools without such words are one thing within their group.
fn same_thing(done: &ToolSpec, claimed: &ToolSpec, sentence: &str) -> bool {
    if done.words.topics.is_empty() || claimed.words.topics.is_empty() {
        return done.category == claimed.category;
    }
    let named = |tool: &ToolSpec| -> HashSet<String> {
        let words = tool.words.topics.iter().flat_map(|topic| &topic.words);
        let words = words.map(|word| word.to_lowercase());
        words.filter(|word| sentence.contains(word.as_str())).collect()
    };
    let (done, claimed) = (named(done), named(claimed));
    !done.is_empty() && claimed.is_subset(&done)
}

/// Whether a tool itself says the sentence, or the sentence is read out of a result.
fn told_by_a_tool(sentence: &str, deeds: &[Deed<'_>]) -> bool {
    let bare = sentence.trim_matches(|c: char| !c.is_alphanumeric());
    deeds.iter().any(|deed| {
        let said = deed.result.say.as_deref().is_some_and(|say| say.contains(bare));
        said || deed.result.untrusted && deed.result.value.to_string().contains(bare)
    })
}

fn unsupported(tools: &str, lang: Lang) -> Objection {
    let note = format!(
        "This reply was not spoken: it says that something was or will be done, but no call of this turn did it ({tools}). \
         Call the tool now; if it cannot be done, say so truthfully."
    );
    let instead = lang.pick("抱歉，这件事我没有办成。", "Sorry, I haven't managed to do that.");
    Objection::new(ID, note, instead)
}

/// The sentences of a reply, without questions: what is asked or offered is not claimed.
fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '!' | '？' | '?' | '\n' | '；' | ';' | '…');
    reply
        .split_inclusive(ends)
        .flat_map(|part| part.split_inclusive(". "))
        .filter(|sentence| !sentence.trim_end().ends_with(['?', '？']))
        .map(|sentence| sentence.trim())
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}

/// A sentence in lower case with a space at either end, what is quoted in it left out, its marks
/// turned to spaces but for commas.
fn plain(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len() + 2);
    plain.push(' ');
    let mut quoted = false;
    for c in sentence.chars() {
        match c {
            '“' | '「' | '"' if !quoted => quoted = true,
            '”' | '」' | '"' => quoted = false,
            _ if quoted => {}
            '’' => plain.push('\''),
            '，' | ',' => plain.push(','),
            '.' | '。' | '!' | '！' | ':' | '*' | '(' | ')' | '~' => plain.push(' '),
            _ => plain.extend(c.to_lowercase()),
        }
    }
    plain.push(' ');
    while plain.contains("  ") {
        plain = plain.replace("  ", " ");
    }
    plain
}
