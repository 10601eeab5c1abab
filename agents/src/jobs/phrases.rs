//! What is said of jobs.

use super::ResearchStatus;
use incar_core::{JobState, Lang, join_sentences};
use incar_text::shortened;

/// How much of a question is said back, in characters.
const LONGEST_QUESTION: usize = 40;

fn named(question: &str) -> String {
    shortened(
        question.trim().trim_end_matches(['。', '.', '？', '?', '！', '!']),
        LONGEST_QUESTION,
    )
}

pub(super) fn started(lang: Lang) -> &'static str {
    lang.pick(
        "好的，我去查，要花一点时间，有结果了告诉您。",
        "I'm on it. It will take a little while; I'll tell you when I have an answer.",
    )
}

pub(super) fn busy(lang: Lang, question: &str) -> String {
    let question = named(question);
    lang.pick(
        format!("“{question}”还在查，我一次只能查一件。不要了的话，请说“别查了”。"),
        format!(
            "I'm still looking into “{question}”, and can do one at a time. To drop it, say “cancel the research”."
        ),
    )
}

pub(super) fn crowded(lang: Lang) -> &'static str {
    lang.pick(
        "现在在查的事情太多了，请过一会儿再说。",
        "I'm looking into too many things at once. Please ask again in a while.",
    )
}

pub(super) fn nothing(lang: Lang) -> &'static str {
    lang.pick("现在没有在查的事情。", "I'm not looking into anything right now.")
}

pub(super) fn stopped(lang: Lang) -> &'static str {
    lang.pick("好的，不查了。", "Okay, I've stopped looking into it.")
}

pub(super) fn unsaid(lang: Lang) -> &'static str {
    lang.pick("好的，结果就不说了。", "Okay, I'll drop the result.")
}

/// How far a job is that runs; what became of one that came to nothing.
pub(super) fn standing(lang: Lang, status: &ResearchStatus, failure: Option<&str>) -> String {
    let question = named(&status.question);
    let progress = &status.progress;
    let doing = match progress.doing.trim() {
        "" => String::new(),
        doing => lang.pick(format!("，正在{doing}"), format!(", now {doing}")),
    };
    match status.job.state {
        JobState::Running if progress.planned > 0 => {
            let (done, planned) = (progress.done.min(progress.planned), progress.planned);
            lang.pick(
                format!("还在查，{planned}步做完了{done}步{doing}。"),
                format!("I'm still at it: {done} of {planned} steps done{doing}."),
            )
        }
        JobState::Running => lang.pick(format!("还在查{doing}。"), format!("I'm still at it{doing}.")),
        JobState::Failed => failed(lang, &status.question, failure.unwrap_or_default()),
        JobState::Cancelled => lang.pick(
            format!("“{question}”您叫停了，没有再查。"),
            format!("You called “{question}” off, so I stopped."),
        ),
        _ => lost(lang, &status.question),
    }
}

/// What an answer that comes unasked begins with.
pub(super) fn about(lang: Lang, question: &str) -> String {
    let question = named(question);
    lang.pick(
        format!("您让我查的“{question}”有结果了。"),
        format!("About “{question}”:"),
    )
}

pub(super) fn failed(lang: Lang, question: &str, why: &str) -> String {
    let question = named(question);
    let told = lang.pick(
        format!("“{question}”没有查成。"),
        format!("I couldn't find an answer to “{question}”."),
    );
    join_sentences([told.as_str(), why])
}

pub(super) fn lost(lang: Lang, question: &str) -> String {
    let question = named(question);
    lang.pick(
        format!("之前在查的“{question}”中断了，没有结果。还需要的话请再说一次。"),
        format!(
            "I was cut off while looking into “{question}”, and have no answer. Please ask again if you still want it."
        ),
    )
}

pub(super) fn too_long(lang: Lang) -> &'static str {
    lang.pick("用的时间太久了，我停下了。", "It took too long, so I stopped.")
}

pub(super) fn broke(lang: Lang) -> &'static str {
    lang.pick("查询的时候出错了。", "Something went wrong while I was looking.")
}
