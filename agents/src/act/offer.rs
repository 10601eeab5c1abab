//! What an offer offers: the wish inside "需要我把空调也打开吗？" or "Would you like me to close the
//! windows too?", as the driver would have said it.

/// What leads up to the wish, each longest first where one begins another.
const LEAD_ZH: &[&str] = &[
    "需不需要我",
    "是否需要我",
    "您需要我",
    "需要我",
    "要不要我",
    "您要我",
    "要我",
    "需不需要",
    "是否需要",
    "要不要",
    "您需要",
    "您想要我",
    "想要我",
    "想让我",
    "您想",
    "需要",
    "我可以",
    "我来",
    "我也可以",
    "顺便",
    "我",
    "可以",
];
const HELP_ZH: &[&str] = &[
    "帮您", "帮你", "为您", "为你", "给您", "给你", "替您", "帮忙", "也", "再", "顺便",
];
const TAIL_ZH: &[&str] = &[
    "吗",
    "么",
    "呢",
    "吧",
    "好吗",
    "可以吗",
    "行吗",
    "好不好",
    "要吗",
    "怎么样",
    "也",
];
const LEAD_EN: &[&str] = &[
    "would you also like me to",
    "would you like me to",
    "would you want me to",
    "do you want me to",
    "do you also want me to",
    "do you need me to",
    "should i also",
    "should i",
    "shall i also",
    "shall i",
    "can i also",
    "can i",
    "could i",
    "may i",
    "want me to",
    "i can also",
    "i could also",
    "i can",
    "i could",
    "would you like to",
    "do you want to",
    "would it help to",
    "also",
    "and",
    "or",
];
const TAIL_EN: &[&str] = &[
    "for you",
    "as well",
    "too",
    "also",
    "now",
    "instead",
    "then",
    "if you like",
    "if you want",
    "please",
];

/// The wish that the last sentence of `reply` offers; `None` where nothing leads up to one.
pub(crate) fn offered_wish(reply: &str) -> Option<String> {
    let sentence = last_sentence(reply);
    let lower = sentence.to_lowercase();
    let wish = match strip_lead(&lower, LEAD_ZH, "") {
        Some(rest) => {
            let mut rest = rest;
            while let Some(shorter) = strip_lead(rest, HELP_ZH, "") {
                rest = shorter;
            }
            strip_tail(rest, TAIL_ZH, "")
        }
        None => strip_tail(strip_lead(&lower, LEAD_EN, " ")?, TAIL_EN, " "),
    };
    (!wish.is_empty()).then(|| wish.to_owned())
}

/// The last sentence, without what closes it; a lead-in clause ("如果冷的话，", "By the way, ") is no part of it.
fn last_sentence(reply: &str) -> &str {
    let closed = reply
        .trim()
        .trim_end_matches(['？', '?', '。', '.', '！', '!', '~', '～', ' ', '”', '"']);
    let from = closed.rfind(['。', '！', '!', '？', '?', '；', ';', '\n']);
    let sentence = closed
        .get(from.map_or(0, |at| next_char(closed, at))..)
        .unwrap_or_default();
    let dot = sentence.rfind(". ").map_or(0, |at| at + 2);
    let sentence = sentence.get(dot..).unwrap_or_default();
    let clause = sentence.rfind(['，', ',', '、']).map(|at| next_char(sentence, at));
    let clauses = clause.and_then(|at| sentence.get(at..)).map(str::trim);
    // The last clause, where it offers by itself.
    match clauses {
        Some(last) if leads(last) => last,
        _ => sentence.trim(),
    }
}

fn next_char(text: &str, at: usize) -> usize {
    at + text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(1, char::len_utf8)
}

fn leads(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    strip_lead(&lower, LEAD_ZH, "").is_some() || strip_lead(&lower, LEAD_EN, " ").is_some()
}

fn strip_lead<'a>(text: &'a str, leads: &[&str], gap: &str) -> Option<&'a str> {
    let rest = leads
        .iter()
        .filter_map(|lead| text.strip_prefix(lead)?.strip_prefix(gap))
        .min_by_key(|rest| rest.len())?;
    Some(rest.trim_start())
}

fn strip_tail<'a>(mut text: &'a str, tails: &[&str], gap: &str) -> &'a str {
    let shorter = |text: &'a str| {
        let cut = |tail: &&str| text.strip_suffix(tail)?.strip_suffix(gap);
        tails.iter().filter_map(cut).min_by_key(|rest| rest.len())
    };
    while let Some(rest) = shorter(text) {
        text = rest.trim_end_matches(['，', ',', ' ']);
    }
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_inside_an_offer_is_found() {
        for (reply, wish) in [
            ("车窗关好了。需要我帮您打开空调吗？", Some("打开空调")),
            ("车窗关好了，要不要把天窗也关上？", Some("把天窗也关上")),
            ("已经到22度了。要我顺便打开座椅加热吗", Some("打开座椅加热")),
            ("如果您觉得冷，我可以打开座椅加热。", Some("打开座椅加热")),
            (
                "电量只剩8%了，需要为您导航到最近的充电站吗？",
                Some("导航到最近的充电站"),
            ),
            (
                "The windows are closed. Would you like me to turn on the AC?",
                Some("turn on the ac"),
            ),
            (
                "It's 3.5 degrees outside. Shall I turn on the seat heating as well?",
                Some("turn on the seat heating"),
            ),
            (
                "By the way, do you want me to close the sunroof too?",
                Some("close the sunroof"),
            ),
            ("好的，已打开。", None),
            ("Done.", None),
            ("", None),
            ("需要吗？", None),
        ] {
            assert_eq!(offered_wish(reply).as_deref(), wish, "{reply}");
        }
    }
}
