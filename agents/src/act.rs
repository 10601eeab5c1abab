//! What a short answer means, as far as code must decide it: yes, no, call it off, say it again.
//!
//! An answer counts only when all of it is understood: a stray "好" in another wish is no consent,
//! and 《算了吧》 in a wish to hear it calls nothing off.

mod back_channel;
mod offer;
mod steer;
mod steer_words;
mod words;

pub(crate) use offer::offered_wish;
pub(crate) use steer::{calls_off, settles, steering_of};

use back_channel::{LISTENING_EN, LISTENING_ZH};
use incar_core::Lang;
use std::sync::LazyLock;
use words::{CANCEL_EN, CANCEL_ZH, FILLER_EN, FILLER_ZH, NO_EN, NO_ZH, REPEAT_EN, REPEAT_ZH, YES_EN, YES_ZH};

/// What an utterance is, all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Consent.
    Yes,
    /// Refusal.
    No,
    /// Call off what is open.
    Cancel,
    /// Hear the question again.
    Repeat,
}

/// Words of a question that are no deed.
const PLAIN: &[&str] = &[
    "is", "are", "do", "was", "be", "should", "shall", "would", "will", "can", "about", "for", "to", "with",
];

/// Where somebody who has called something off takes breath.
const PAUSES: [char; 10] = ['，', ',', '。', '.', '！', '!', '；', ';', '、', '…'];
/// What calls off without naming what: 取消 may go on with what is to be cancelled, 算了 does not.
const CALLS_OFF_ALONE: &[&str] = &[
    "算了",
    "算了吧",
    "还是算了",
    "还是算了吧",
    "不用了",
    "never mind",
    "nevermind",
    "forget it",
    "forget that",
    "forget about it",
    "scratch that",
];

/// The word lists, cut into words once.
struct Lists {
    yes: Phrases,
    no: Phrases,
    cancel: Phrases,
    repeat: Phrases,
    filler: Phrases,
    listening: Phrases,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let cut = |zh: &[&str], en: &[&str]| zh.iter().chain(en).map(|phrase| Words::of(phrase)).collect();
    Lists {
        yes: cut(YES_ZH, YES_EN),
        no: cut(NO_ZH, NO_EN),
        cancel: cut(CANCEL_ZH, CANCEL_EN),
        repeat: cut(REPEAT_ZH, REPEAT_EN),
        filler: cut(FILLER_ZH, FILLER_EN),
        listening: cut(LISTENING_ZH, LISTENING_EN),
    }
});

/// What `text` is, as an answer to `prompt`; `None`: something for the model.
pub(crate) fn act_of(text: &str, prompt: &str) -> Option<Act> {
    let said = Words::of(text);
    let prompt = Words::of(prompt);
    if said.is_made_of(&LISTS.repeat, None) {
        Some(Act::Repeat)
    } else if said.is_made_of(&LISTS.cancel, None) {
        Some(Act::Cancel)
    } else if said.is_made_of(&LISTS.no, Some(&prompt)) {
        Some(Act::No)
    } else if said.is_made_of(&LISTS.yes, Some(&prompt)) && !said.only_echoes(&prompt) || said.bids(&prompt) {
        Some(Act::Yes)
    } else {
        None
    }
}

/// What calls the open question off at the head of `text`, and what follows: "never mind, play some jazz". Whether that is
/// a wish of its own is not told here.
pub(crate) fn called_off_before(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let paused = text
        .rmatch_indices(PAUSES)
        .filter_map(|(at, _)| text.split_at_checked(at))
        .find(|(head, _)| Words::of(head).is_made_of(&LISTS.cancel, None));
    // A recogniser writes no commas: 算了打开空调.
    let (head, rest) = paused.or_else(|| {
        let starts = |phrase: &&&str| {
            let rest = text.get(phrase.len()..).unwrap_or_default();
            let head = text
                .get(..phrase.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(phrase));
            head && (!phrase.is_ascii() || rest.starts_with(' '))
        };
        let longest = CALLS_OFF_ALONE
            .iter()
            .filter(starts)
            .max_by_key(|phrase| phrase.len())?;
        text.split_at_checked(longest.len())
    })?;
    rest.contains(char::is_alphanumeric)
        .then(|| (head.trim(), rest.trim_start_matches(PAUSES).trim()))
}

/// Whether `text` only says that the speaker listens, or nothing at all.
pub(crate) fn is_back_channel(text: &str) -> bool {
    let said = Words::of(text);
    said.0.is_empty() || said.is_made_of(&LISTS.listening, None)
}

/// An utterance in lower case, without punctuation: Han characters one by one, words whole.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Words(Vec<String>);

impl Words {
    fn of(text: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut open = false;
        for c in text.chars() {
            let c = if c == '’' { '\'' } else { c };
            if Lang::of_text(c.encode_utf8(&mut [0; 4])) == Some(Lang::Zh) {
                words.push(c.into());
                open = false;
            } else if c.is_alphanumeric() || (c == '\'' && open) {
                match words.last_mut() {
                    Some(last) if open => last.extend(c.to_lowercase()),
                    _ => words.push(c.to_lowercase().collect()),
                }
                open = true;
            } else {
                open = false;
            }
        }
        Self(words)
    }

    /// Whether the utterance starts with one of the phrases (fillers before it aside) and the rest
    /// is phrases, fillers, and words of the question it answers.
    fn is_made_of(&self, phrases: &Phrases, prompt: Option<&Self>) -> bool {
        let mut rest: &[String] = &self.0;
        let mut met = false;
        while !rest.is_empty() {
            let length = if let Some(length) = phrases.longest(rest) {
                met = true;
                length
            } else if let Some(length) = LISTS.filler.longest(rest) {
                length
            } else {
                prompt.filter(|_| met).map_or(0, |prompt| prompt.echo(rest))
            };
            match rest.get(length..) {
                Some(shorter) if length > 0 => rest = shorter,
                _ => return false,
            }
        }
        met
    }

    /// Whether this bids the deed that the question asks about: all of it said back ("发送" to "要发送吗？"), or its
    /// verb as an order ("发送吧", "send it").
    fn bids(&self, question: &Self) -> bool {
        let whole = |window: &[String]| match window {
            [ask, deed @ .., end] => END_OF_ASKING.contains(&ask.as_str()) && end == "吗" && deed == self.0,
            _ => false,
        };
        if self.0.len() > 1 && question.0.windows(self.0.len() + 2).any(whole) {
            return true;
        }
        let asked = |word: &str| question.0.iter().any(|asked| same_word(asked, word));
        let said: Vec<&str> = self
            .0
            .iter()
            .map(String::as_str)
            .filter(|word| *word != "please")
            .collect();
        let (deed, plain): (_, &[&str]) = match said.as_slice() {
            [deed @ .., "吧"] => (deed, &[]),
            [deed @ .., "it" | "them"] => (deed, PLAIN),
            _ => return false,
        };
        !deed.is_empty() && deed.iter().all(|word| asked(word) && !plain.contains(word))
    }

    /// Whether this is nothing but words of the question, though it begins like a yes: 行程 begins with 行.
    fn only_echoes(&self, question: &Self) -> bool {
        let whole = LISTS.yes.0.contains(self);
        !whole && self.0.len() > 1 && question.echo(&self.0) == self.0.len()
    }

    /// How many words at the head of `said` stand in this question in a row: a single Han
    /// character is too little to be an echo, unless it is all that is left.
    fn echo(&self, said: &[String]) -> usize {
        let run = |start: &[String]| {
            start
                .iter()
                .zip(said)
                .take_while(|(asked, said)| same_word(asked, said))
                .count()
        };
        let longest = (0..self.0.len())
            .filter_map(|at| self.0.get(at..))
            .map(run)
            .max()
            .unwrap_or(0);
        match said {
            // 发了 of 不发了: nothing more is left either.
            [first, rest @ ..] if longest == 1 && !is_filler(rest) && Lang::of_text(first) == Some(Lang::Zh) => 0,
            _ => longest,
        }
    }
}

/// Whether nothing is left but words that change nothing.
fn is_filler(said: &[String]) -> bool {
    let mut rest = said;
    while let Some(length) = LISTS.filler.longest(rest) {
        rest = rest.get(length..).unwrap_or_default();
    }
    rest.is_empty()
}

/// The last characters of what begins a question for a yes: 要, 确定, 确认.
const END_OF_ASKING: &[&str] = &["要", "定", "认"];

/// Whether a word of the question is said again, perhaps in another form ("turning", "turn").
fn same_word(asked: &str, said: &str) -> bool {
    asked == said || (said.is_ascii() && said.len() > 2 && asked.starts_with(said))
}

/// Phrases in order, so that those with the same first word stand side by side.
#[derive(Debug)]
struct Phrases(Vec<Words>);

impl FromIterator<Words> for Phrases {
    fn from_iter<I: IntoIterator<Item = Words>>(phrases: I) -> Self {
        let mut phrases: Vec<Words> = phrases.into_iter().collect();
        phrases.sort_unstable();
        Self(phrases)
    }
}

impl Phrases {
    /// The length of the longest phrase that `said` starts with.
    fn longest(&self, said: &[String]) -> Option<usize> {
        let first = said.first()?;
        let before = self
            .0
            .partition_point(|phrase| phrase.0.first().is_none_or(|word| word < first));
        let candidates = self
            .0
            .iter()
            .skip(before)
            .take_while(|phrase| phrase.0.first() == Some(first));
        candidates
            .filter(|phrase| said.starts_with(&phrase.0))
            .map(|phrase| phrase.0.len())
            .max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUNK: &str = "要打开后备箱吗？";
    const LANE: &str = "Turning lane assist off. Are you sure?";
    const SEND: &str = "给张三发短信：算了不用退了。要发送吗？";

    fn check(prompt: &str, expected: Option<Act>, texts: &[&str]) {
        for text in texts {
            assert_eq!(act_of(text, prompt), expected, "{text}");
        }
    }

    #[test]
    fn what_follows_a_question_called_off_stands_by_itself() {
        for (text, expected) in [
            ("算了，打开空调", Some(("算了", "打开空调"))),
            ("算了打开空调", Some(("算了", "打开空调"))),
            ("还是算了吧，换周杰伦", Some(("还是算了吧", "换周杰伦"))),
            ("嗯，不用了。取消导航", Some(("嗯，不用了", "取消导航"))),
            ("嗯不用了，取消导航", Some(("嗯不用了", "取消导航"))),
            ("Never mind, play some jazz.", Some(("Never mind", "play some jazz."))),
            ("forget it play some jazz", Some(("forget it", "play some jazz"))),
            ("forget italy", None),
            ("取消导航", None),
            ("取消，打开空调", Some(("取消", "打开空调"))),
            ("打开空调，算了", None),
            ("算了", None),
            ("算了吧。", None),
            ("", None),
        ] {
            assert_eq!(called_off_before(text), expected, "{text}");
        }
    }

    #[test]
    fn consent_is_taken_only_where_all_of_it_is_consent() {
        check(
            TRUNK,
            Some(Act::Yes),
            &[
                "是的",
                "对，打开",
                "好的。",
                "确认",
                "嗯嗯",
                "可以，打开吧",
                "行",
                "对对对",
                "要",
                "好的打开后备箱",
                "是的请打开",
                "yes please",
            ],
        );
        check(SEND, Some(Act::Yes), &["对，发送", "好的发送吧", "发送吧", "发吧"]);
        check("Shall I send it?", Some(Act::Yes), &["send it", "Send it please."]);
        check(SEND, Some(Act::Yes), &["发送"]);
        check("给王芳发送：你好。确定发送吗？", Some(Act::Yes), &["发送", "发送。"]);
        check("要取消所有行程吗？", None, &["行程", "所有行程"]);
        check("要取消行程吗？", Some(Act::Cancel), &["取消"]);
        check(
            "Shall I send it?",
            None,
            &["is it", "read it", "it", "should i send it to him"],
        );
        check(TRUNK, Some(Act::Yes), &["打开吧", "开吧"]);
        check(TRUNK, None, &["走吧", "吧", "打开空调吧"]);
        check(
            LANE,
            Some(Act::Yes),
            &["yes", "Yeah, go ahead.", "sure, turn it off", "ok", "yes, that's fine"],
        );
        check(
            TRUNK,
            None,
            &[
                "好的，打开空调",
                "对了，今天天气怎么样",
                "是不是要下雨了",
                "可能吧",
                "也许",
                "打开前备箱",
                "好像不对",
                "开",
                "要不要",
            ],
        );
        check(
            LANE,
            None,
            &["maybe", "okay google", "yes and open the window", "right window"],
        );
    }

    #[test]
    fn a_refusal_is_no_wish() {
        check(
            TRUNK,
            Some(Act::No),
            &[
                "不",
                "不要",
                "别打开",
                "先别开",
                "不要打开",
                "不开了",
                "别开了吧",
                "等一下",
                "no",
                "不是",
                "hold on",
            ],
        );
        check(
            LANE,
            Some(Act::No),
            &["no, keep it on", "nope", "don't", "not now please"],
        );
        check(TRUNK, None, &["不，打开前备箱", "不是后备箱是天窗", "不知道"]);
    }

    #[test]
    fn who_only_listens_says_nothing_else() {
        for text in [
            "嗯",
            "嗯嗯",
            "好的",
            "对。",
            "哦，这样啊",
            "uh-huh",
            "Mm-hmm.",
            "okay",
            "right",
            "Yeah, I see.",
            "",
            "…",
        ] {
            assert!(is_back_channel(text), "{text}");
        }
        for text in [
            "停",
            "嗯，打开车窗",
            "不对",
            "好的停一下",
            "what?",
            "no",
            "okay stop",
            "right window",
            "再说一遍",
            "算了",
        ] {
            assert!(!is_back_channel(text), "{text}");
        }
    }

    #[test]
    fn calling_off_is_known_from_content() {
        check(
            TRUNK,
            Some(Act::Cancel),
            &[
                "算了",
                "取消",
                "算了吧",
                "不用了",
                "never mind",
                "Forget it.",
                "cancel",
                "嗯算了",
            ],
        );
        check(
            TRUNK,
            None,
            &[
                "播放算了吧",
                "播放《算了吧》",
                "取消导航",
                "play never mind",
                "算了打开车窗",
                "stop the music",
            ],
        );
    }

    #[test]
    fn the_question_can_be_heard_again() {
        check(
            TRUNK,
            Some(Act::Repeat),
            &["你刚才问什么", "什么？", "再说一遍", "what did you ask?", "pardon"],
        );
        check(TRUNK, None, &["什么歌", "what song", "今天是什么日子"]);
    }
}
