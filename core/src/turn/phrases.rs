//! The sentences that code says, not a model.

use crate::lang::Lang;

pub(crate) fn cancelled(lang: Lang) -> &'static str {
    lang.pick("好的，已取消。", "Okay, cancelled.")
}

pub(crate) fn not_done(lang: Lang) -> &'static str {
    lang.pick("好的，那就不做了。", "Okay, I won't.")
}

pub(crate) fn all_right(lang: Lang) -> &'static str {
    lang.pick("好的。", "All right.")
}

pub(crate) fn unclear(lang: Lang) -> &'static str {
    lang.pick("抱歉，我没听明白。", "Sorry, I didn't get that.")
}

pub(crate) fn gave_up(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，我还是没听明白，先不处理了。",
        "Sorry, I still didn't get that, so I'll leave it.",
    )
}

pub(crate) fn done(lang: Lang) -> &'static str {
    lang.pick("好的。", "Done.")
}

pub(crate) fn failed(lang: Lang) -> &'static str {
    lang.pick("抱歉，这件事没有办成。", "Sorry, I couldn't get that done.")
}

pub(crate) fn no_model(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，我现在连不上服务，请稍后再试。",
        "Sorry, I can't reach the service right now. Please try again later.",
    )
}

pub(crate) fn filtered(lang: Lang) -> &'static str {
    lang.pick("抱歉，这个我不能回答。", "Sorry, I can't answer that.")
}

pub(crate) fn left_as_asked(lang: Lang) -> &'static str {
    lang.pick(
        "按您说的做了，其他的没有动。",
        "I did as you said and left the rest as it is.",
    )
}

pub(crate) fn crowded_out(lang: Lang) -> &'static str {
    lang.pick("最早的那个问题我先放下了。", "I have put the oldest question aside.")
}

pub(crate) fn put_aside(lang: Lang) -> &'static str {
    lang.pick("刚才的问题我先放下了。", "I have put that question aside.")
}

pub(crate) fn left_undone(lang: Lang) -> &'static str {
    lang.pick(
        "刚才中断了，剩下的没有做。",
        "I was interrupted and left the rest undone.",
    )
}

pub(crate) fn time_is_up(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，用的时间太久了，剩下的我先放下。",
        "Sorry, this is taking too long, so I've left the rest.",
    )
}

pub(crate) fn too_slow(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，这次等得太久了，没能办成。",
        "Sorry, that took too long, so I couldn't do it.",
    )
}
