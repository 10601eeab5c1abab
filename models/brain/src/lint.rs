//! What a tool set's words cover, and what in them can never count.

use crate::lexicon::{Argument, Lexicon, PhraseEntry, Tool, Use, WordsFault};
use incar_core::words::{Needs, ToolWords, Topic, ValueKind};
use std::collections::BTreeSet;

/// What speech can reach of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// The tool.
    pub tool: String,
    /// How many wordings name it or a value of it.
    pub wordings: usize,
    /// How many patterns of whole phrases it has.
    pub patterns: usize,
    /// Arguments that no words give: they stay unsaid, unless a question asks for them.
    pub unsaid: Vec<String>,
    /// Required arguments whose question is made up from the description, as none was written.
    pub unasked: Vec<String>,
}

/// What the words of each tool cover, in the order of the tools.
pub(crate) fn coverage(lexicon: &Lexicon) -> Vec<Coverage> {
    lexicon.tools.iter().map(covered).collect()
}

fn covered(tool: &Tool) -> Coverage {
    let words = &tool.spec.words;
    let listed = words.topics.iter().map(|topic| topic.words.len());
    let values = words.arguments.values().flat_map(|argument| argument.values.values());
    let phrases = words.phrases.iter().chain(&words.elliptical);
    let name = |argument: &Argument| argument.name.clone();
    Coverage {
        tool: tool.spec.name.to_string(),
        wordings: listed.sum::<usize>() + values.map(Vec::len).sum::<usize>(),
        patterns: phrases.map(|phrase| phrase.patterns.len()).sum(),
        unsaid: tool
            .arguments
            .iter()
            .filter(|each| !is_said(tool, words, each))
            .map(name)
            .collect(),
        unasked: tool
            .arguments
            .iter()
            .filter(|each| each.required && !words.ask.contains_key(&each.name))
            .map(name)
            .collect(),
    }
}

/// Whether any words give an argument: those of its values, a topic or phrase that sets it, or a place in a pattern.
fn is_said(tool: &Tool, words: &ToolWords, argument: &Argument) -> bool {
    let slot = [format!("{{{}}}", argument.name), format!("{{{}:", argument.name)];
    let phrases = || words.phrases.iter().chain(&words.elliptical);
    let in_pattern = || {
        let mut patterns = phrases().flat_map(|phrase| &phrase.patterns);
        patterns.any(|pattern| slot.iter().any(|slot| pattern.contains(slot)))
    };
    let set = || {
        phrases().any(|phrase| phrase.set.contains_key(&argument.name))
            || tool.topics.iter().any(|topic| topic.set.contains_key(&argument.name))
    };
    let by_kind = match argument.kind {
        ValueKind::Word => !argument.values.is_empty(),
        ValueKind::Text | ValueKind::Texts => false,
        _ => true,
    };
    by_kind || set() || in_pattern()
}

/// What in the words of a tool set can never count, or counts for two tools alike.
pub(crate) fn lint(lexicon: &Lexicon) -> Vec<WordsFault> {
    let mut faults = lexicon.faults.clone();
    for tool in &lexicon.tools {
        repeated(tool, &mut faults);
    }
    contested_topics(lexicon, &mut faults);
    contested_phrases(lexicon, &mut faults);
    faults
}

fn fault(tool: &Tool, what: String) -> WordsFault {
    WordsFault {
        tool: tool.spec.name.to_string(),
        what,
    }
}

/// Words that stand twice in one list, and values without any.
fn repeated(tool: &Tool, faults: &mut Vec<WordsFault>) {
    let words = &tool.spec.words;
    let topics = words.topics.iter().map(|topic| &topic.words);
    let arguments = words.arguments.iter();
    let values = arguments.clone().flat_map(|(_, argument)| argument.values.values());
    let phrases = words
        .phrases
        .iter()
        .chain(&words.elliptical)
        .map(|phrase| &phrase.patterns);
    for list in topics.chain(values).chain(phrases) {
        let mut seen = BTreeSet::new();
        for word in list.iter().filter(|word| !seen.insert(*word)) {
            faults.push(fault(tool, format!("`{word}` stands twice in its list")));
        }
    }
    for (name, argument) in arguments {
        for (value, _) in argument.values.iter().filter(|(_, words)| words.is_empty()) {
            if is_set(tool, name, value) {
                continue;
            }
            faults.push(fault(tool, format!("`{value}` of `{name}` has no words")));
        }
    }
}

/// Whether a topic or phrase decides that an argument has this value.
fn is_set(tool: &Tool, argument: &str, value: &str) -> bool {
    let words = &tool.spec.words;
    let phrases = words.phrases.iter().chain(&words.elliptical).map(|phrase| &phrase.set);
    let mut sets = words.topics.iter().map(|topic| &topic.set).chain(phrases);
    sets.any(|set| set.get(argument).is_some_and(|set| set.as_str() == Some(value)))
}

/// Words that name two tools of which neither wants more beside them than the other.
fn contested_topics(lexicon: &Lexicon, faults: &mut Vec<WordsFault>) {
    for (name, uses) in lexicon.words() {
        let topics: Vec<(&Tool, &Topic)> = uses
            .iter()
            .filter_map(|meaning| match meaning {
                Use::Topic { tool, topic } => {
                    let tool = lexicon.tools.get(*tool)?;
                    Some((tool, tool.topics.get(*topic)?))
                }
                _ => None,
            })
            .collect();
        for (index, (tool, topic)) in topics.iter().enumerate() {
            let rival = topics.iter().skip(index + 1).find(|(other, rival)| {
                let alike = topic.needs == rival.needs && (topic.doubt - rival.doubt).abs() < f32::EPSILON;
                // Where a value must stand beside the word, it is the value that decides.
                let alone = topic.needs != Needs::Value;
                other.spec.name != tool.spec.name && other.reads == tool.reads && alike && alone
            });
            if let Some((rival, _)) = rival {
                faults.push(fault(
                    tool,
                    format!("`{name}` names {} with equal right", rival.spec.name),
                ));
            }
        }
    }
}

/// Patterns that lead to two tools at the same price.
fn contested_phrases(lexicon: &Lexicon, faults: &mut Vec<WordsFault>) {
    for node in lexicon.phrases.nodes() {
        let ends = node.ends().iter();
        let entries: Vec<&PhraseEntry> = ends.filter_map(|entry| lexicon.entries.get(*entry as usize)).collect();
        for (index, entry) in entries.iter().enumerate() {
            let rival = entries.iter().skip(index + 1).find(|other| {
                let alike = (entry.doubt - other.doubt).abs() < f32::EPSILON && entry.force == other.force;
                other.tool != entry.tool && alike
            });
            if let Some(rival) = rival
                && let (Some(tool), Some(other)) = (lexicon.tools.get(entry.tool), lexicon.tools.get(rival.tool))
            {
                let what = format!("a pattern also leads to {} with equal right", other.spec.name);
                faults.push(fault(tool, what));
            }
        }
    }
}
