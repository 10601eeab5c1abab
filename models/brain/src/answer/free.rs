//! Answers in free text: names and messages, and what is neither though it could be read as one.

use super::Listener;
use crate::confidence::Confidence;
use crate::dialogue::OpenQuestion;
use crate::generic::Class;
use crate::lattice::{Hearing, Lattice};
use crate::lexicon::{Tool, Use};
use crate::plan;
use crate::understand::{Implied, Wish};
use incar_core::NameMatch;
use incar_text::Text;
use serde_json::{Map, Value};

/// What begins a question in English: "what's its rating".
const ASKERS: [&str; 20] = [
    "what", "what's", "who", "who's", "whose", "where", "where's", "when", "when's", "why", "how", "how's", "is",
    "are", "do", "does", "did", "can", "has", "have",
];

/// Words with which who speaks tells of themselves.
const SPEAKERS: &[&str] = &["我", "咱", "i", "i'm", "we", "we're", "my"];

impl Listener<'_> {
    /// Answers one after another, 成都，后天，三晚，双床房: all that the tool is told, where each part says some of it. One of them
    /// may be the name that was asked for.
    pub(super) fn listed_answers(
        &self,
        utterance: &str,
        question: &OpenQuestion,
        tool: usize,
    ) -> Option<Map<String, Value>> {
        let parts: Vec<&str> = utterance
            .split(['，', ',', '、', '。', ';', '；'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        if parts.len() < 2 {
            return None;
        }
        let mut arguments = question.arguments.clone();
        let mut named = false;
        for part in parts {
            let said = self.understand(part, Some(Implied { tool, cost: 0.0 }));
            match said.wishes.as_slice() {
                [wish] if said.confidence >= Confidence::ACT && wish.tool == tool && !wish.untold => {
                    arguments.extend(wish.arguments.clone());
                }
                _ if named => return None,
                _ => {
                    let other = self.understand(part, None);
                    if other.confidence >= Confidence::ACT && !other.wishes.is_empty() {
                        return None;
                    }
                    named = true;
                    let name = self.free_answer(part, question, tool)?;
                    arguments.insert(question.slot.clone(), name);
                }
            }
        }
        Some(arguments)
    }

    /// The whole utterance as free text, where the question wants free text.
    pub(super) fn free_answer(&self, utterance: &str, question: &OpenQuestion, tool: usize) -> Option<Value> {
        let text = Text::new(utterance);
        if text.is_empty() || text.len() > 20 || is_chatter(&text) || self.begs(utterance) {
            return None;
        }
        let lattice = Lattice::new(self.lexicon, &text, None, Hearing::BySound);
        let range = lattice.trimmed(0..lattice.len);
        let words = crate::resolve::words_of(&lattice, &range);
        let tool = self.lexicon.tools.get(tool)?;
        if words.is_empty() || self.is_sentence(&lattice) && !self.may_be_said_freely(tool, &question.slot, &words) {
            return None;
        }
        plan::as_argument(tool, &question.slot, &words)
    }

    /// Whether an utterance asks or tells something: 还要多久, 我有点头晕.
    fn is_sentence(&self, lattice: &Lattice<'_>) -> bool {
        let asks = |word: usize| self.lexicon.uses(word).contains(&Use::Class(Class::Question));
        let question = |at: usize| lattice.words_at(at).any(|(word, end)| end > at + 1 && asks(word));
        let first = lattice.text.word(0);
        SPEAKERS.contains(&first) || ASKERS.contains(&first) && lattice.len > 1 || (0..lattice.len).any(question)
    }

    /// Whether what was taken for a mere name is a sentence that asks or tells something else.
    pub(super) fn tells_otherwise(&self, utterance: &str, answered: &[&Wish], tool: usize) -> bool {
        let Some(tool) = self.lexicon.tools.get(tool) else {
            return false;
        };
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None, Hearing::AsWritten);
        let unknown = |(slot, value): (&String, &Value)| {
            let words = value.as_str().unwrap_or_default();
            !self.may_be_said_freely(tool, slot, words)
        };
        let untold = answered.iter().filter(|wish| wish.untold);
        self.is_sentence(&lattice) && untold.flat_map(|wish| &wish.arguments).any(unknown)
    }

    /// Whether an argument takes any sentence, as a message does, or this one is a name that the tool knows by heart.
    fn may_be_said_freely(&self, tool: &Tool, slot: &str, words: &str) -> bool {
        tool.spec.names.get(slot).is_none_or(|source| {
            let known = source.look_up(words, self.driver.lang);
            known.iter().any(|name| name.matched == NameMatch::Exact)
        })
    }
}

/// Words that answer no question.
const CHATTER: &[&str] = &[
    "是",
    "对",
    "好",
    "嗯",
    "不",
    "不知道",
    "好的",
    "行",
    "可以",
    "我想想",
    "嗯我想想",
    "yes",
    "no",
    "yeah",
    "ok",
    "okay",
    "sure",
    "hmm",
    "um",
    "yep",
    "i don't know",
    "let me think",
    "谢谢",
    "thanks",
    "thank you",
    "什么",
    "what",
];

/// Whether it answers no question.
pub(super) fn is_chatter(text: &Text) -> bool {
    let said = text.normal(0..text.len());
    let bare = said.trim_end_matches(['吧', '啊', '呀', '哦', '呢', '嘛', '啦', '了', '的']);
    CHATTER.contains(&said.as_str()) || CHATTER.contains(&bare)
}
