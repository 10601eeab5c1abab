//! What stands around an answer: labels, quotation marks, emphasis, a full stop.

/// What a model may begin its answer with, before the label.
const LEADS: [&str; 13] = [
    "in conclusion",
    "therefore",
    "hence",
    "thus",
    "so",
    "综上所述",
    "综上",
    "总之",
    "因此",
    "所以",
    "因而",
    "那么",
    "故",
];
/// What may describe a label.
const QUALIFIERS: [&str; 13] = [
    "the ", "my ", "our ", "final ", "correct ", "right ", "short ", "最终", "最后", "正确", "标准", "简短", "的",
];
/// What a model puts before its answer.
const LABELS: [&str; 3] = ["answer", "答案", "回答"];
/// A label only with a colon: 答 begins other words.
const LABEL_WITH_COLON: &str = "答";
/// What may stand for a colon after a label, at the very beginning.
const COPULAS: [&str; 3] = [" is ", "是", "为"];
/// Marks of emphasis, headings and quotations around a label.
const DECORATION: [char; 5] = ['*', '#', '>', '_', '`'];
/// What encloses an answer.
const PAIRS: [(&str, &str); 9] = [
    ("**", "**"),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("‘", "’"),
    ("「", "」"),
    ("『", "』"),
    ("＂", "＂"),
];

/// The answer without its label, what encloses it and its full stop.
pub(super) fn bare(answer: &str) -> &str {
    let mut text = answer.trim();
    loop {
        let before = text.len();
        text = without_label(text);
        text = without_pair(text);
        text = without_stop(text);
        if text.len() == before {
            return text;
        }
    }
}

/// What follows the last label that begins a line and has a colon, or a label with a copula at the beginning.
fn without_label(text: &str) -> &str {
    let labelled = line_starts(text)
        .filter_map(|line| after_label(line, after_colon).or_else(|| after_colon(line.strip_prefix(LABEL_WITH_COLON)?)))
        .last();
    labelled
        .or_else(|| after_label(text, after_copula))
        .unwrap_or(text)
        .trim()
}

/// The rest of the text from each line's beginning on.
fn line_starts(text: &str) -> impl Iterator<Item = &str> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).filter_map(|at| text.get(at..))
}

fn after_label<'a>(line: &'a str, end: impl Fn(&'a str) -> Option<&'a str>) -> Option<&'a str> {
    let line = line.trim_start_matches(|c: char| DECORATION.contains(&c) || c.is_whitespace());
    let led = LEADS.iter().find_map(|lead| strip_prefix(line, lead));
    let mut label = led.map_or(line, |rest| rest.trim_start_matches([' ', ',', '，', '、']));
    while let Some(rest) = QUALIFIERS.iter().find_map(|word| strip_prefix(label, word)) {
        label = rest;
    }
    LABELS.iter().find_map(|word| end(strip_prefix(label, word)?))
}

/// What follows a label and its colon, with a copula between them or not.
fn after_colon(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(|c: char| DECORATION.contains(&c) || c == ' ');
    let rest = ["is", "是", "为"]
        .iter()
        .find_map(|copula| strip_prefix(rest, copula))
        .unwrap_or(rest);
    let rest = rest.strip_prefix([':', '：'])?;
    // "**Answer:** Paris": the emphasis of the label ends here; that of the answer has its other half behind it.
    let rest = rest.trim_start();
    Some(match rest.strip_prefix("**") {
        Some(after) if after.matches("**").count() % 2 == 0 => after,
        Some(_) | None => rest,
    })
}

fn after_copula(rest: &str) -> Option<&str> {
    let rest = COPULAS.iter().find_map(|copula| strip_prefix(rest, copula))?;
    Some(rest.trim_start_matches([':', '：', ' ']))
}

/// `text` without `prefix`, which is in lower case, whatever the case of its ASCII letters.
fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| text.get(prefix.len()..))
        .flatten()
}

/// Without marks that enclose all of it. Two quoted things side by side are not one.
fn without_pair(text: &str) -> &str {
    let inner = PAIRS.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains(open) && !inner.contains(close)).then_some(inner)
    });
    inner.unwrap_or(text).trim()
}

/// Without its full stop, if it is no more than one sentence and the stop is not an abbreviation's.
fn without_stop(text: &str) -> &str {
    let Some(body) = text.strip_suffix(['。', '.']) else {
        return text;
    };
    let last = body.split_whitespace().next_back().unwrap_or_default();
    let is_number = last.contains(|c: char| c.is_ascii_digit());
    let abbreviated = last.contains('.') && !is_number;
    let more = body.contains(['。', '！', '？', '!', '?']) || body.contains(". ") || body.ends_with('.');
    if abbreviated || more { text } else { body.trim() }
}
