//! What people say to a car beside wishes, and what is said back. Only whole utterances are taken:
//! "你好，打开车窗" is a wish.

use incar_core::Lang;
use incar_text::Text;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Whether a question waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    Nothing,
    Question,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Talk {
    said: Vec<String>,
    zh: Vec<String>,
    en: Vec<String>,
    #[serde(default)]
    open: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    talk: Vec<Talk>,
}

struct SmallTalk {
    talks: Vec<Talk>,
    by_words: HashMap<String, usize>,
}

static SMALL_TALK: LazyLock<SmallTalk> = LazyLock::new(|| {
    // A test reads the file, so that nothing is left out here.
    let talks = read().unwrap_or_default().talk;
    let by_words = talks.iter().enumerate().flat_map(|(at, talk)| {
        let words = talk.said.iter().map(|said| plain(said));
        words.map(move |words| (words, at)).collect::<Vec<_>>()
    });
    SmallTalk {
        by_words: by_words.collect(),
        talks,
    }
});

fn read() -> Result<File, toml::de::Error> {
    toml::from_str(include_str!("../data/small_talk.toml"))
}

/// The longest utterance that can be small talk, in characters: longer ones are not looked up.
const LONGEST: usize = 48;

/// Written in one way, without the particles and names that a greeting carries, and without what one says while one
/// changes one's mind: "actually, never mind".
fn plain(said: &str) -> String {
    let text = Text::new(said);
    let words: Vec<&str> = text.words().collect();
    let mut words = words.as_slice();
    while let [
        "actually" | "oh" | "well" | "um" | "uh" | "哦" | "噢" | "呃" | "那",
        rest @ ..,
    ] = words
        && !rest.is_empty()
    {
        words = rest;
    }
    while let [
        rest @ ..,
        "啊" | "呀" | "哦" | "哈" | "啦" | "呢" | "嘛" | "please" | "car",
    ] = words
    {
        words = rest;
    }
    words.join(" ")
}

/// The words without the thanks behind them: "that's enough, thanks".
fn without_thanks(words: &str) -> Option<&str> {
    THANKS.iter().find_map(|thanks| words.strip_suffix(thanks))
}

const THANKS: &[&str] = &[" thanks", " thank you", " 谢 谢"];

/// What to say to `utterance` where it is small talk. `can`: what the car can do, in words.
pub(crate) fn reply(utterance: &str, waiting: Waiting, lang: Lang, can: impl FnOnce() -> String) -> Option<String> {
    if utterance.chars().nth(LONGEST).is_some() {
        return None;
    }
    let talks = &*SMALL_TALK;
    let words = plain(utterance);
    let known = |words: &str| talks.by_words.get(words);
    let talk = talks
        .talks
        .get(*known(&words).or_else(|| known(without_thanks(&words)?))?)?;
    if waiting == Waiting::Question && !talk.open {
        return None;
    }
    let replies = lang.pick(&talk.zh, &talk.en);
    let reply = replies.get(utterance.len() % replies.len().max(1))?;
    Some(match reply.contains("{can}") {
        true => reply.replace("{can}", &can()),
        false => reply.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_saying_stands_once_and_has_replies() {
        let mut seen = HashSet::new();
        for talk in read().unwrap().talk {
            assert!(!talk.zh.is_empty() && !talk.en.is_empty(), "{talk:?}");
            for said in &talk.said {
                assert!(seen.insert(plain(said)), "{said} stands twice");
            }
        }
    }

    #[test]
    fn whole_utterances_are_answered_and_wishes_are_not() {
        let check = |said: &str, waiting, expected: Option<&str>| {
            let lang = Lang::of_text(said).unwrap();
            let reply = reply(said, waiting, lang, || "drive".into());
            assert_eq!(reply.is_some(), expected.is_some(), "{said}");
            let (reply, expected) = (reply.unwrap_or_default(), expected.unwrap_or_default());
            assert!(reply.contains(expected), "{said}: {reply}");
        };
        check("你好", Waiting::Nothing, Some("您好"));
        check("你好呀！", Waiting::Question, Some("您好"));
        check("Thank you.", Waiting::Nothing, Some(""));
        check("What can you do?", Waiting::Nothing, Some("I can drive"));
        check("好的", Waiting::Nothing, Some("好的"));
        check("好的", Waiting::Question, None);
        check("算了", Waiting::Question, None);
        check("Actually, never mind.", Waiting::Nothing, Some("Okay"));
        check("哦那算了", Waiting::Nothing, Some("好的"));
        check("actually cancel that", Waiting::Nothing, Some("can't undo"));
        check("你好，打开车窗", Waiting::Nothing, None);
        check("thanks to the rain I am cold", Waiting::Nothing, None);
        check("谢谢你的爱", Waiting::Nothing, None);
    }
}
