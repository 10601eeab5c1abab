//! The choice that an answer picks.

use incar_text::{Name, NumberKind, Text, numbers};
use std::ops::Range;

/// The choice that an answer picks: by its number, its place in the list or its name.
pub(super) fn chosen<'c>(answer: &str, choices: &'c [String]) -> Option<&'c str> {
    if choices.is_empty() {
        return None;
    }
    let text = Text::new(answer);
    let nth = |value: f64| {
        let index = if value < 0.0 {
            choices.len() as f64 + value
        } else {
            value - 1.0
        };
        (0..choices.len())
            .find(|at| (*at as f64 - index).abs() < 0.1)
            .and_then(|at| choices.get(at))
    };
    let said = text.normal(0..text.len());
    let named = choices.iter().position(|choice| {
        let normal = Text::new(choice);
        normal.normal(0..normal.len()) == said
    });
    if let Some(index) = named {
        return choices.get(index).map(String::as_str);
    }
    if let [(range, number)] = numbers(&text).as_slice() {
        // 下一首 holds a number, but picks nothing.
        let around = (0..text.len()).filter(|at| !range.contains(at));
        let short = around.clone().all(|at| MEASURES.contains(&text.word(at)));
        let counts = matches!(number.kind, NumberKind::Ordinal | NumberKind::Cardinal);
        if counts && short {
            return nth(number.value).map(String::as_str);
        }
    }
    // 最近的充电桩 looks for something else.
    let nearest = |at: usize| NEAREST.contains(&text.word(at));
    let near = |at: usize| nearest(at) && !matches!(text.word(at), "最" | "一" | "点" | "些");
    if (0..text.len()).any(near) && (0..text.len()).all(|at| nearest(at) || MEASURES.contains(&text.word(at))) {
        return choices.first().map(String::as_str);
    }
    let core = without_measures(&text);
    let normals: Vec<(String, usize)> = choices
        .iter()
        .map(|choice| {
            let text = Text::new(choice);
            (text.normal(0..text.len()), text.len())
        })
        .collect();
    // What says much more than the choice is not that alone: 要大床房，住两晚.
    let inside = |(normal, length): &(String, usize)| {
        core.len() >= 2 && normal.contains(&text.normal(core.clone()))
            || text.len() <= length + 4 && said.contains(normal.as_str())
    };
    let mut named = normals.iter().enumerate().filter(|(_, choice)| inside(choice));
    match (named.next(), named.next()) {
        (Some((index, _)), None) => return choices.get(index).map(String::as_str),
        // 机场, of three airports, is none of them.
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let heard = Name::new(text.original(core));
    let alike = choices.iter().map(|choice| heard.similarity(&Name::new(choice)));
    let best = alike.zip(choices).max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(alike, _)| *alike >= 0.8)
        .map(|(_, choice)| choice.as_str())
}

/// What is said without the words that may stand around a choice: 大兴 of 就去大兴那个吧.
fn without_measures(text: &Text) -> Range<usize> {
    let tells = |at: &usize| !MEASURES.contains(&text.word(*at));
    let start = (0..text.len()).find(tells).unwrap_or(0);
    let end = (0..text.len()).rfind(tells).map_or(text.len(), |at| at + 1);
    start..end
}

/// Words that ask for the nearest choice.
const NEAREST: &[&str] = &["最", "近", "一", "点", "些", "nearer", "nearest", "closest", "closer"];

/// What may stand around the number of a choice.
const MEASURES: &[&str] = &[
    "第", "个", "号", "家", "条", "首", "间", "处", "位", "项", "那", "这", "就", "选", "要", "去", "的", "吧", "我",
    "嗯", "呃", "好", "对", "是", "行", "想", "帮", "走", "导", "航", "number", "the", "one", "option", "please",
    "choice", "take", "i'll", "that", "yes", "yeah", "ok", "okay", "sure", "um", "uh", "hmm", "well", "i", "think",
    "let's", "go", "with", "to", "pick", "guess", "would", "like", "i'd", "want",
];

/// An utterance without the sounds of thinking at its head: "um, the second".
pub(super) fn after_hesitation(utterance: &str) -> &str {
    let text = Text::new(utterance);
    let start = (0..text.len()).find(|at| !HESITATION.contains(&text.word(*at)));
    let rest = start
        .and_then(|start| text.unit(start))
        .and_then(|unit| utterance.get(unit.start..));
    rest.unwrap_or(utterance)
}

const HESITATION: &[&str] = &["嗯", "呃", "额", "唔", "um", "uh", "er", "erm", "hmm", "uhm"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_picked_by_number_place_or_name() {
        let choices: Vec<String> = ["中石化加油站", "壳牌加油站", "中石油加油站"]
            .map(String::from)
            .to_vec();
        for (answer, picked) in [
            ("第二个", Some("壳牌加油站")),
            ("2", Some("壳牌加油站")),
            ("最后一个", Some("中石油加油站")),
            ("the first one", Some("中石化加油站")),
            ("壳牌", Some("壳牌加油站")),
            ("近一点的那个", Some("中石化加油站")),
            ("第九个", None),
            ("下一首", None),
            ("一会儿再说", None),
            ("今天天气不错", None),
        ] {
            assert_eq!(chosen(answer, &choices), picked, "{answer}");
        }
    }
}
