//! What a short answer means, as far as code must decide it: yes, no, call it off, say it again.
//!
//! An answer counts only when all of it is understood: a stray "好" in another wish is no consent,
//! and 《算了吧》 in a wish to hear it calls nothing off.

use incar_core::Lang;
use std::sync::LazyLock;

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

/// Words that alone, or one after another, mean consent.
const YES_ZH: &[&str] = &[
    "是的",
    "是",
    "对的",
    "对",
    "好的",
    "好",
    "行",
    "可以",
    "确认",
    "确定",
    "没错",
    "没问题",
    "嗯",
    "要",
    "要的",
    "当然",
    "同意",
    "就这样",
    "就这么办",
    "是啊",
    "对啊",
    "好啊",
    "行啊",
    "可以的",
    "来吧",
    "执行",
    "继续",
    "开始吧",
    "办吧",
    "就这个",
    "正确",
    "答应",
];
const YES_EN: &[&str] = &[
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "ok",
    "okay",
    "correct",
    "right",
    "confirm",
    "confirmed",
    "affirmative",
    "absolutely",
    "definitely",
    "go ahead",
    "do it",
    "do that",
    "of course",
    "that's right",
    "that's correct",
    "that's fine",
    "sounds good",
    "fine",
    "please do",
    "that is right",
    "that is correct",
    "that is fine",
    "all right",
    "alright",
    "exactly",
    "certainly",
    "proceed",
    "go for it",
    "i confirm",
    "i'm sure",
    "i am sure",
];
const NO_ZH: &[&str] = &[
    "不",
    "不要",
    "不用",
    "不了",
    "不用了",
    "不要了",
    "不是",
    "不对",
    "不行",
    "不可以",
    "否",
    "别",
    "先别",
    "先不",
    "先不要",
    "先不用",
    "还是别",
    "还是算了",
    "拒绝",
    "不必",
    "不必了",
    "没有",
    "不确认",
    "不确定",
    "保持",
    "保持原样",
    "不同意",
    "免了",
];
const NO_EN: &[&str] = &[
    "no",
    "nope",
    "nah",
    "don't",
    "do not",
    "not now",
    "no way",
    "negative",
    "please don't",
    "rather not",
    "i'd rather not",
    "better not",
    "leave it",
    "keep it",
    "wait",
    "not yet",
    "no thanks",
    "no thank you",
    "keep it on",
    "keep it off",
    "keep it closed",
    "keep it open",
    "leave it on",
    "leave it off",
];
const CANCEL_ZH: &[&str] = &[
    "算了",
    "算了吧",
    "取消",
    "取消吧",
    "取消掉",
    "不用了",
    "不要了",
    "别弄了",
    "不弄了",
    "不说了",
    "当我没说",
    "没事了",
    "没什么",
    "不需要了",
    "先不了",
    "先这样",
    "退出",
    "停止",
    "不做了",
    "别管了",
    "不管了",
    "改天吧",
    "下次吧",
    "以后再说",
    "还是算了",
    "还是算了吧",
    "不用了谢谢",
    "放弃",
];
const CANCEL_EN: &[&str] = &[
    "never mind",
    "nevermind",
    "cancel",
    "cancel that",
    "cancel it",
    "forget it",
    "forget about it",
    "forget that",
    "stop",
    "drop it",
    "skip it",
    "leave it",
    "no thanks",
    "no thank you",
    "not anymore",
    "nothing",
    "abort",
    "quit",
    "exit",
    "let it go",
    "don't bother",
    "scratch that",
    "i changed my mind",
    "i've changed my mind",
    "that's all",
    "not needed",
];
const REPEAT_ZH: &[&str] = &[
    "你刚才问什么",
    "你刚才问的什么",
    "你刚刚问什么",
    "你刚才说什么",
    "你刚刚说什么",
    "你说什么",
    "什么",
    "再说一遍",
    "再说一次",
    "重复一遍",
    "重复一下",
    "没听清",
    "没听清楚",
    "我没听清",
    "我没听清楚",
    "刚才问什么",
    "你问什么",
    "你问的是什么",
    "再问一遍",
    "刚才说什么",
    "请再说一遍",
    "啥",
    "你说啥",
    "你刚才说啥",
    "能再说一遍吗",
    "可以再说一遍吗",
];
const REPEAT_EN: &[&str] = &[
    "what",
    "pardon",
    "pardon me",
    "sorry",
    "sorry what",
    "what did you say",
    "what did you ask",
    "what was that",
    "what was the question",
    "say that again",
    "say it again",
    "repeat",
    "repeat that",
    "repeat the question",
    "come again",
    "can you repeat that",
    "could you repeat that",
    "i didn't hear you",
    "i didn't catch that",
    "what were you asking",
    "what did you just ask",
    "excuse me",
    "again",
];
/// Words that change nothing.
const FILLER_ZH: &[&str] = &[
    "请",
    "吧",
    "啊",
    "呀",
    "哦",
    "噢",
    "呢",
    "嘛",
    "了",
    "的",
    "麻烦",
    "谢谢",
    "谢谢你",
    "那",
    "那就",
    "就",
    "呃",
    "额",
    "嗯",
    "哎",
    "唉",
    "我",
    "你",
    "帮我",
    "给我",
    "现在",
    "先",
];
const FILLER_EN: &[&str] = &[
    "please",
    "thanks",
    "thank you",
    "um",
    "uh",
    "oh",
    "well",
    "then",
    "just",
    "actually",
    "now",
    "hey",
    "so",
    "it's",
    "it",
    "that",
    "this",
    "one",
    "i",
    "the",
    "a",
];

/// The word lists, cut into words once.
struct Lists {
    yes: Vec<Words>,
    no: Vec<Words>,
    cancel: Vec<Words>,
    repeat: Vec<Words>,
    filler: Vec<Words>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let cut = |zh: &[&str], en: &[&str]| zh.iter().chain(en).map(|phrase| Words::of(phrase)).collect();
    Lists {
        yes: cut(YES_ZH, YES_EN),
        no: cut(NO_ZH, NO_EN),
        cancel: cut(CANCEL_ZH, CANCEL_EN),
        repeat: cut(REPEAT_ZH, REPEAT_EN),
        filler: cut(FILLER_ZH, FILLER_EN),
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
    } else if said.is_made_of(&LISTS.yes, Some(&prompt)) {
        Some(Act::Yes)
    } else {
        None
    }
}

/// An utterance in lower case, without punctuation: Han characters one by one, words whole.
#[derive(Debug)]
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
    fn is_made_of(&self, phrases: &[Self], prompt: Option<&Self>) -> bool {
        let mut rest: &[String] = &self.0;
        let mut met = false;
        while !rest.is_empty() {
            let length = if let Some(length) = longest(phrases, rest) {
                met = true;
                length
            } else if let Some(length) = longest(&LISTS.filler, rest) {
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
        match said.first() {
            Some(first) if longest == 1 && said.len() > 1 && Lang::of_text(first) == Some(Lang::Zh) => 0,
            _ => longest,
        }
    }
}

/// Whether a word of the question is said again, perhaps in another form ("turning", "turn").
fn same_word(asked: &str, said: &str) -> bool {
    asked == said || (said.is_ascii() && said.len() > 2 && asked.starts_with(said))
}

/// The length of the longest phrase that `said` starts with.
fn longest(phrases: &[Words], said: &[String]) -> Option<usize> {
    phrases
        .iter()
        .filter(|phrase| said.starts_with(&phrase.0))
        .map(|phrase| phrase.0.len())
        .max()
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
        check(SEND, Some(Act::Yes), &["对，发送", "好的发送吧"]);
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
            &["不", "不要", "别打开", "先别开", "不要打开", "no", "不是"],
        );
        check(
            LANE,
            Some(Act::No),
            &["no, keep it on", "nope", "don't", "not now please"],
        );
        check(TRUNK, None, &["不，打开前备箱", "不是后备箱是天窗", "不知道"]);
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
