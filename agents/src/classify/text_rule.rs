//! The default rule: what the sentences of a reply do, and which of them decides.

use super::act::{Act, act};
use super::cue::{Cue, Cues};
use super::plain::plain;
use super::sentence::{Sentence, sentences};
use super::weigh::{Evidence, weigh};
use incar_core::{Judgement, ReplyClass, ReplyClassifier, ReplyContext};

/// Judges a reply by its sentences, in Chinese and English, with and without punctuation.
///
/// Quoted words and titles are masked, each sentence is told what it does (requests, asks,
/// offers, is polite, states), and the weightiest act decides: a request or an open question is
/// [`Required`](ReplyClass::Required); a yes/no question is weighed by its words, the sentences
/// round it, what the driver had said and whether a tool had acted; then offers, then courtesies.
///
/// ```
/// use incar_agents::TextRule;
/// use incar_core::{ReplyClass, ReplyClassifier, ReplyContext};
///
/// let reply = ReplyContext::new("我还不知道您要去哪里，请说出目的地。");
/// assert_eq!(TextRule::new().classify(&reply).class, ReplyClass::Required);
/// let reply = ReplyContext::new("正在播放《你要去哪里》。");
/// assert_eq!(TextRule::new().classify(&reply).class, ReplyClass::None);
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct TextRule;

impl TextRule {
    /// The rule.
    pub fn new() -> Self {
        Self
    }
}

impl ReplyClassifier for TextRule {
    fn classify(&self, reply: &ReplyContext<'_>) -> Judgement {
        let plain = plain(reply.text);
        let sentences = sentences(&plain);
        let mut strongest = Judgement {
            class: ReplyClass::None,
            confidence: 0.9,
        };
        let all = sentences
            .iter()
            .fold(Cues::default(), |all, sentence| all.union(sentence.cues));
        for (at, sentence) in sentences.iter().enumerate() {
            let judgement = match act(sentence) {
                Act::Request => sure(ReplyClass::Required, 0.95),
                Act::Question if answers_itself(sentence, sentences.get(at + 1)) => continue,
                Act::Question => sure(ReplyClass::Required, 0.9),
                asked @ (Act::Choice | Act::YesNo) => weighed(sentence, asked, all, reply),
                Act::Offer => sure(ReplyClass::Offer, 0.85),
                Act::Courtesy => sure(ReplyClass::Courtesy, 0.9),
                Act::Statement => continue,
            };
            if rank(judgement.class) > rank(strongest.class) {
                strongest = judgement;
            }
        }
        strongest
    }
}

/// A judgement.
fn sure(class: ReplyClass, confidence: f32) -> Judgement {
    Judgement { class, confidence }
}

/// Which class decides where a reply does several things.
fn rank(class: ReplyClass) -> u8 {
    match class {
        ReplyClass::None => 0,
        ReplyClass::Courtesy => 1,
        ReplyClass::Offer => 2,
        ReplyClass::Required => 3,
    }
}

/// Whether a question is one that the reply puts only to answer it: "How long to full? About an
/// hour." Such a question does not speak to the driver, and what follows does not hang on it.
fn answers_itself(question: &Sentence<'_>, next: Option<&Sentence<'_>>) -> bool {
    next.is_some_and(|next| {
        !next.listed
            && act(next) == Act::Statement
            && !question.cues.any(&[Cue::Driver, Cue::Wish, Cue::ShouldI])
            && !next.cues.any(&[Cue::Purpose, Cue::Hinges])
    })
}

/// Weighs a yes/no question or a choice: `asked` tells which.
fn weighed(sentence: &Sentence<'_>, asked: Act, all: Cues, reply: &ReplyContext<'_>) -> Judgement {
    let evidence = Evidence {
        question: sentence.cues,
        reply: all,
        choice: asked == Act::Choice || sentence.cues.has(Cue::Alternative),
        fragment: !sentence.cues.any(&[Cue::YesNo, Cue::WeakYesNo, Cue::Proposal]),
        acted: reply.acted,
        echoed: reply.user.map(|user| echoed(sentence, user)),
        inquired: reply.user.is_some_and(inquired),
    };
    let logit = f32::from(weigh(&evidence)) / 10.0;
    let required = 1.0 / (1.0 + (-logit).exp());
    if logit > 0.0 {
        sure(ReplyClass::Required, required)
    } else {
        sure(ReplyClass::Offer, 1.0 - required)
    }
}

/// How many words of a sentence the driver had said: English words of four letters or more by
/// their first four, Chinese by pairs of characters.
fn echoed(sentence: &Sentence<'_>, user: &str) -> usize {
    let user = user.to_ascii_lowercase();
    if sentence.han {
        let chars = sentence.text.char_indices();
        chars
            .clone()
            .zip(chars.skip(2))
            .filter_map(|((from, _), (to, _))| sentence.text.get(from..to))
            .filter(|pair| user.contains(pair))
            .count()
    } else {
        sentence
            .text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() >= 4 && !COMMON.contains(word))
            .filter_map(|word| word.get(..4))
            .filter(|stem| user.contains(stem))
            .count()
    }
}

/// Whether the driver had asked to be told something.
fn inquired(user: &str) -> bool {
    let plain = plain(user);
    sentences(&plain).iter().any(|sentence| sentence.cues.has(Cue::Inquiry))
}

/// English words of four letters and more that any request shares.
const COMMON: [&str; 16] = [
    "want", "would", "like", "with", "that", "this", "some", "have", "them", "your", "help", "should", "could", "need",
    "please", "there",
];
