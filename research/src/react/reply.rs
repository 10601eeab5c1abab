//! A reply of a model that thinks aloud, read strictly.

use incar_core::Lang;

/// What a reply says is next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    /// `Action: tool|input`
    Act { tool: String, input: String },
    /// `Action: None`: it thinks on.
    Think,
    /// `Answer: …`
    Answer(String),
}

/// A reply that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// What is next.
    pub(super) next: Move,
    /// How much of the text counts, in bytes: what follows an action was made up, for nobody had run it yet.
    pub(super) said: usize,
}

/// Why a reply was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReplyFault {
    #[error("the reply is empty")]
    Empty,
    #[error("text without a label")]
    Unlabelled,
    #[error("neither an action nor an answer")]
    NoMove,
    #[error("more than one action or answer")]
    SeveralMoves,
    #[error("an observation that no tool made")]
    InventedObservation,
    #[error("an empty answer")]
    EmptyAnswer,
    #[error("an action without `tool|input`")]
    BadAction,
}

impl ReplyFault {
    /// What to tell the model.
    pub(super) fn told(self, lang: Lang) -> &'static str {
        match self {
            Self::Empty => lang.pick("回复是空的。", "Your reply was empty."),
            Self::Unlabelled => lang.pick(
                "每一行都要以 Thought:、Action: 或 Answer: 开头，前面不要有别的文字。",
                "Begin with Thought:, Action: or Answer:, and write nothing before it.",
            ),
            Self::NoMove => lang.pick(
                "Thought 之后要有一个 Action 或一个 Answer。",
                "After Thought there must be one Action or one Answer.",
            ),
            Self::SeveralMoves => lang.pick(
                "一次只能有一个 Action 或一个 Answer，不能两个都有。",
                "One Action or one Answer at a time, never both.",
            ),
            Self::InventedObservation => lang.pick(
                "Observation 由工具给出，不能自己写。",
                "Observations come from tools: do not write them yourself.",
            ),
            Self::EmptyAnswer => lang.pick("Answer 后面是空的。", "There is nothing after Answer."),
            Self::BadAction => lang.pick(
                "Action 的格式是 工具名|输入，或者 None。",
                "The form of an Action is tool|input, or None.",
            ),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Thought,
    Action,
    Observation,
    Answer,
    Question,
}

const LABELS: [(&str, Label); 5] = [
    ("Thought", Label::Thought),
    ("Action", Label::Action),
    ("Observation", Label::Observation),
    ("Answer", Label::Answer),
    ("Question", Label::Question),
];

/// A label, what stands under it, and where it begins.
struct Section<'a> {
    label: Label,
    content: &'a str,
    start: usize,
}

/// Reads a reply.
pub(super) fn read(text: &str) -> Result<Reply, ReplyFault> {
    if text.trim().is_empty() {
        return Err(ReplyFault::Empty);
    }
    let mut next = None;
    let mut said = text.len();
    for section in sections(text)? {
        match (section.label, &next) {
            (Label::Thought, _) => {}
            (Label::Action, None | Some(Move::Think)) => next = Some(action(section.content)?),
            (Label::Answer, None | Some(Move::Think)) => next = Some(answer(section.content)?),
            (Label::Observation, Some(Move::Act { .. })) | (Label::Question, Some(_)) => {
                said = section.start;
                break;
            }
            (Label::Observation, Some(Move::Think)) if is_none(section.content) => {}
            (Label::Observation, _) => return Err(ReplyFault::InventedObservation),
            (Label::Action | Label::Answer, Some(_)) => return Err(ReplyFault::SeveralMoves),
            // The question told again, before anything of its own.
            (Label::Question, None) => {}
        }
    }
    Ok(Reply {
        next: next.ok_or(ReplyFault::NoMove)?,
        said,
    })
}

fn sections(text: &str) -> Result<Vec<Section<'_>>, ReplyFault> {
    let mut starts: Vec<(Label, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((label, content)) = label_of(line) {
            starts.push((label, at, at + content));
        } else if starts.is_empty() && !line.trim().is_empty() {
            return Err(ReplyFault::Unlabelled);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(_, start, _)| *start).chain([text.len()]);
    let sections = starts.iter().zip(ends).filter_map(|((label, start, content), end)| {
        Some(Section {
            label: *label,
            content: text.get(*content..end)?.trim(),
            start: *start,
        })
    });
    Ok(sections.collect())
}

/// The label that a line begins with, and where what follows it begins.
fn label_of(line: &str) -> Option<(Label, usize)> {
    let indent = line.len() - line.trim_start().len();
    LABELS.iter().find_map(|(name, label)| {
        let rest = line.trim_start().strip_prefix(name)?;
        let colon = rest.chars().next().filter(|c| matches!(c, ':' | '：'))?;
        Some((*label, indent + name.len() + colon.len_utf8()))
    })
}

fn action(content: &str) -> Result<Move, ReplyFault> {
    if is_none(content) {
        return Ok(Move::Think);
    }
    let (tool, input) = content.split_once(['|', '｜']).ok_or(ReplyFault::BadAction)?;
    let tool = tool.trim();
    if tool.is_empty() || tool.contains(char::is_whitespace) {
        return Err(ReplyFault::BadAction);
    }
    Ok(Move::Act {
        tool: tool.to_owned(),
        input: input.trim().to_owned(),
    })
}

fn answer(content: &str) -> Result<Move, ReplyFault> {
    match content {
        "" => Err(ReplyFault::EmptyAnswer),
        answer => Ok(Move::Answer(answer.to_owned())),
    }
}

fn is_none(content: &str) -> bool {
    content.is_empty() || content.eq_ignore_ascii_case("none") || content == "无"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn act(tool: &str, input: &str) -> Move {
        Move::Act {
            tool: tool.into(),
            input: input.into(),
        }
    }

    fn next(text: &str) -> Result<Move, ReplyFault> {
        read(text).map(|reply| reply.next)
    }

    #[test]
    fn a_reply_in_the_form_is_read() {
        for (text, expected) in [
            (
                "Thought: 要搜索\nAction: search_web|法国首都",
                act("search_web", "法国首都"),
            ),
            ("Action：search_web｜ 法国首都 ", act("search_web", "法国首都")),
            ("Action: search_web|a|b", act("search_web", "a|b")),
            (
                "Action: search_web|{\"query\":\n\"a\"}",
                act("search_web", "{\"query\":\n\"a\"}"),
            ),
            ("Action: now|", act("now", "")),
            ("Thought: a\nb\nAnswer: 巴黎", Move::Answer("巴黎".into())),
            ("  Answer: one\ntwo\n", Move::Answer("one\ntwo".into())),
            ("Thought: hm\nAction: None", Move::Think),
            (
                "Action: none\nObservation: None\nAnswer: 巴黎",
                Move::Answer("巴黎".into()),
            ),
            ("Question: 首都？\nAnswer: 巴黎", Move::Answer("巴黎".into())),
            (
                "Answer: 巴黎\nQuestion: 下一个？\nAnswer: 伦敦",
                Move::Answer("巴黎".into()),
            ),
        ] {
            assert_eq!(next(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_reply_in_another_form_is_told_what_is_wrong() {
        for (text, fault) in [
            (" \n", ReplyFault::Empty),
            ("巴黎", ReplyFault::Unlabelled),
            ("Sure!\nAnswer: 巴黎", ReplyFault::Unlabelled),
            ("answer: 巴黎", ReplyFault::Unlabelled),
            ("Thought: 巴黎吧", ReplyFault::NoMove),
            ("Action: a|1\nAction: b|2", ReplyFault::SeveralMoves),
            ("Action: a|1\nAnswer: 巴黎", ReplyFault::SeveralMoves),
            ("Answer: 巴黎\nAnswer: 伦敦", ReplyFault::SeveralMoves),
            ("Observation: 巴黎是首都\nAnswer: 巴黎", ReplyFault::InventedObservation),
            (
                "Action: None\nObservation: 巴黎是首都\nAnswer: 巴黎",
                ReplyFault::InventedObservation,
            ),
            ("Answer:", ReplyFault::EmptyAnswer),
            ("Action: search_web", ReplyFault::BadAction),
            ("Action: please search|x", ReplyFault::BadAction),
            ("Action: |x", ReplyFault::BadAction),
        ] {
            assert_eq!(next(text), Err(fault), "{text}");
            assert_ne!(fault.told(Lang::Zh), fault.told(Lang::En));
        }
    }

    #[test]
    fn what_a_model_makes_up_after_its_action_does_not_count() {
        let text = "Thought: t\nAction: search_web|x\nObservation: 里昂是首都\nThought: so\nAnswer: 里昂";
        let reply = read(text).unwrap();
        assert_eq!(reply.next, act("search_web", "x"));
        assert_eq!(&text[..reply.said], "Thought: t\nAction: search_web|x\n");
    }

    proptest! {
        #[test]
        fn no_reply_breaks_the_reader(text in any::<String>()) {
            if let Ok(reply) = read(&text) {
                prop_assert!(text.get(..reply.said).is_some());
            }
        }

        #[test]
        fn an_invented_observation_never_reaches_an_answer(
            parts in prop::collection::vec(prop::sample::select(vec![
                "Thought: t\n", "Action: a|1\n", "Action: None\n", "Observation: SECRET\n", "Answer: ok\n", "x\n",
            ]), 0..8),
        ) {
            if let Ok(Reply { next: Move::Answer(answer), .. }) = read(&parts.concat()) {
                prop_assert!(!answer.contains("SECRET"));
                let seen = parts.iter().position(|part| part.starts_with("Answer")).unwrap();
                prop_assert!(parts[..seen].iter().all(|part| !part.starts_with("Observation")));
            }
        }
    }
}
