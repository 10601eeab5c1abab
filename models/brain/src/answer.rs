//! What an utterance is to the conversation: an answer, a correction, a follow-up, or something
//! new.

mod all;
mod carry;

use crate::confidence::{Band, Confidence};
use crate::dialogue::{OpenQuestion, PastCall, Said};
use crate::frame::Named;
use crate::generic::Class;
use crate::lattice::{Edge, Lattice, Reading};
use crate::lexicon::{Lexicon, Use};
use crate::plan::{self, Driver, Openness, Step};
use crate::schema::number_value;
use crate::understand::{Implied, Understood, Wish, understand};
use incar_core::NameMatch;
use incar_core::words::ValueKind;
use incar_text::{Gap, Name, NumberKind, Text, numbers};
use serde_json::{Map, Value};

/// What to do about an utterance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    /// These steps.
    Steps(Vec<Step>),
    /// It said what not to do, and no more.
    Refrain,
    /// It is nothing for the car.
    Decline,
}

/// Who speaks, and to what tools.
pub(crate) struct Listener<'a> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) driver: Driver<'a>,
}

impl Listener<'_> {
    /// Decides what to do about what was said.
    pub(crate) fn decide(&self, said: &Said<'_>) -> Decision {
        if let Some(question) = &said.question
            && let Some(tool) = self.tool_named(&question.tool)
        {
            return self.after_question(said.utterance, question, tool);
        }
        self.without_question(said.utterance, &said.past)
    }

    fn tool_named(&self, name: &str) -> Option<usize> {
        self.lexicon.tools.iter().position(|tool| tool.spec.name == name)
    }

    fn understand(&self, utterance: &str, implied: Option<Implied>) -> Understood {
        understand(self.lexicon, utterance, self.driver.speaker.seat, implied)
    }

    fn steps(&self, wishes: &[Wish], open: Openness) -> Decision {
        let step = |wish: &Wish| plan::plan(self.lexicon, wish, self.driver, open);
        Decision::Steps(wishes.iter().filter_map(step).collect())
    }

    fn without_question(&self, utterance: &str, past: &[PastCall]) -> Decision {
        let mut known = past
            .iter()
            .filter_map(|call| Some((call, self.tool_named(&call.tool)?)));
        let corrected = known.clone().next();
        let last = known.find(|(call, _)| call.done);
        let plain = self.understand(utterance, None);
        let certain = plain.confidence >= Confidence::ACT && !plain.wishes.is_empty();
        // "No highways" is a wish, not "no" and another one.
        let first = Text::new(utterance);
        let whole = certain
            && plain
                .wishes
                .first()
                .is_some_and(|wish| wish.words.starts_with(first.original(0..1).trim()));
        if let Some((call, tool)) = corrected.filter(|_| !whole)
            && let Some(rest) = self.after_correction(utterance)
        {
            let new = self.understand(rest, Some(Implied { tool, cost: 0.0 }));
            let begged = self.begs(rest) && new.wishes.iter().any(|wish| wish.untold);
            if new.confidence >= Confidence::ANSWER && !new.wishes.is_empty() && !begged {
                return self.steps(&self.carried(new.wishes, tool, call), Openness::Ask);
            }
        }
        if let Some((call, tool)) = corrected.filter(|(call, _)| !call.done) {
            let amended = self.understand(utterance, Some(Implied { tool, cost: 0.1 }));
            let about = |wish: &Wish| wish.tool == tool && !wish.arguments.is_empty() && !wish.untold;
            let fits =
                amended.confidence >= Confidence::ACT && !amended.wishes.is_empty() && amended.wishes.iter().all(about);
            if fits && (!certain || amended.cost <= plain.cost) {
                return self.steps(&self.carried(amended.wishes, tool, call), Openness::Ask);
            }
        }
        let alone = plain.wishes.iter().all(|wish| wish.named == Named::Alone);
        if (!certain || alone)
            && let Some(wishes) = self.all_followed(utterance, past)
        {
            return self.steps(&wishes, Openness::Ask);
        }
        if certain {
            let wishes = match last {
                // 再高两度 names no thing: it is about the one spoken of.
                Some((call, tool)) if alone => self.carried(plain.wishes, tool, call),
                Some((call, tool)) => self.asked_further(utterance, plain.wishes, tool, call),
                None => plain.wishes,
            };
            return self.steps(&wishes, Openness::Ask);
        }
        if let Some(decision) = self.followed(utterance, past) {
            return decision;
        }
        if plain.refused && plain.confidence >= Confidence::ACT {
            return Decision::Refrain;
        }
        // Free text may be anything: 这导航靠不靠谱 leads nowhere.
        let free = plain.wishes.iter().any(|wish| wish.free);
        if plain.confidence.band() == Band::Ask && !plain.refused && !free {
            return self.steps(&doubted(plain.wishes), Openness::Ask);
        }
        Decision::Decline
    }

    /// An utterance that goes on about one of the last calls: 亮一点, 关掉. It must say something of its own.
    fn followed(&self, utterance: &str, past: &[PastCall]) -> Option<Decision> {
        let done = past.iter().filter(|call| call.done);
        done.filter_map(|call| Some((call, self.tool_named(&call.tool)?)))
            .find_map(|(call, tool)| {
                let followed = self.understand(utterance, Some(Implied { tool, cost: 0.2 }));
                // Any words at all would be a name for who is called next: 帮我写首诗.
                let empty = |wish: &Wish| wish.untold || wish.named == Named::Implied && wish.arguments.is_empty();
                let fits = followed.confidence >= Confidence::ACT
                    && !followed.wishes.is_empty()
                    && !followed.wishes.iter().any(empty);
                fits.then(|| self.steps(&self.carried(followed.wishes, tool, call), Openness::Ask))
            })
    }

    /// Whether an utterance begins as a wish of its own does: 帮我.
    fn begs(&self, utterance: &str) -> bool {
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None);
        let carries = |word| self.lexicon.uses(word).contains(&Use::Class(Class::Glue));
        lattice
            .at(0)
            .iter()
            .any(|edge| edge.end > 1 && matches!(edge.reading, Reading::Word(word) if carries(word)))
    }

    /// What follows "no," and the like at the head of an utterance.
    fn after_correction<'u>(&self, utterance: &'u str) -> Option<&'u str> {
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None);
        let takes_back = |word| self.lexicon.uses(word).contains(&Use::Class(Class::Correct));
        let end = lattice
            .at(0)
            .iter()
            .filter(|edge| matches!(edge.reading, Reading::Word(word) if takes_back(word)))
            .map(|edge| edge.end)
            .max()
            .or_else(|| (text.word(0) == "不" && self.amends(&lattice, 1)).then_some(1))?;
        utterance.get(text.unit(end)?.start..)
    }

    /// Whether what follows 不 is said in place of something else, after a pause or as a number: 不走高速
    /// is said of itself.
    fn amends(&self, lattice: &Lattice<'_>, at: usize) -> bool {
        let number = |edge: &Edge| matches!(edge.reading, Reading::Number { .. });
        lattice.text.gap_before(at) >= Gap::Comma || lattice.at(at).iter().any(number)
    }

    fn after_question(&self, utterance: &str, question: &OpenQuestion, tool: usize) -> Decision {
        if let Some(choice) = chosen(utterance, &question.choices) {
            if self.takes(tool, &question.slot, choice) {
                return self.fill(tool, question, &question.slot, choice.into());
            }
            // It stands there as it is spoken; the argument has a value of its own for it.
            let open = OpenQuestion {
                choices: Vec::new(),
                ..question.clone()
            };
            return self.after_question(choice, &open, tool);
        }
        if plan::leaves_open(utterance) {
            return self.steps(&[self.wish(tool, question.arguments.clone())], Openness::Anything);
        }
        if let Some(number) = self.bare_number(utterance, question, tool) {
            return self.fill(tool, question, &question.slot, number);
        }
        // "No, three nights": what is put in place of an earlier answer is an answer too.
        let utterance = self.after_correction(utterance).unwrap_or(utterance);
        let plain = self.understand(utterance, None);
        let certain = plain.confidence >= Confidence::ACT && !plain.wishes.is_empty();
        let short = self.understand(utterance, Some(Implied { tool, cost: 0.0 }));
        let answered: Vec<&Wish> = short
            .wishes
            .iter()
            .filter(|wish| wish.tool == tool && !wish.arguments.is_empty())
            .collect();
        let meant = |wish: &&Wish| !wish.untold || self.is_told(wish, tool, question);
        let fits = short.confidence >= Confidence::ANSWER
            && !answered.is_empty()
            && short.wishes.len() == answered.len()
            && answered.iter().all(meant);
        // Asked whom to call: 帮我写首诗 names nobody.
        let begged = self.begs(utterance) && answered.iter().any(|wish| wish.untold);
        // Asked which booking: a bare 好的 names none.
        let chatter = is_chatter(&Text::new(utterance)) && answered.iter().any(|wish| wish.free);
        if fits && !begged && !chatter && (!certain || short.cost <= plain.cost) {
            let first_time = question.arguments.is_empty();
            let wishes: Vec<Wish> = short
                .wishes
                .into_iter()
                .map(|wish| self.joined(wish, tool, question))
                .collect();
            let partial = wishes.iter().all(|wish| !wish.arguments.contains_key(&question.slot));
            if partial
                && first_time
                && let [wish] = wishes.as_slice()
                && let Some(entry) = self.lexicon.tools.get(tool)
            {
                let ask = plan::question(entry, &question.slot, wish.arguments.clone(), self.driver.lang);
                return Decision::Steps(vec![Step::Ask(ask)]);
            }
            return self.steps(&wishes, Openness::Anything);
        }
        if certain {
            let wishes: Vec<Wish> = plain
                .wishes
                .into_iter()
                .map(|wish| self.joined(wish, tool, question))
                .collect();
            return self.steps(&wishes, Openness::Ask);
        }
        match self.free_answer(utterance, question, tool) {
            Some(value) => self.fill(tool, question, &question.slot, value),
            None => Decision::Decline,
        }
    }

    /// A number alone is the one that was asked for, of all that the tool counts.
    fn bare_number(&self, utterance: &str, question: &OpenQuestion, tool: usize) -> Option<Value> {
        let tool = self.lexicon.tools.get(tool)?;
        let argument = tool.arguments.get(tool.argument(&question.slot)?)?;
        let text = Text::new(utterance);
        let said = numbers(&text);
        let [(range, number)] = said.as_slice() else {
            return None;
        };
        let alone = (0..text.len()).all(|at| range.contains(&at) || BESIDE_NUMBERS.contains(&text.word(at)));
        let counts = argument.kind == ValueKind::Number && number.kind == NumberKind::Cardinal;
        (alone && counts).then(|| number_value(number.value))
    }

    /// Whether the argument takes this very value.
    fn takes(&self, tool: usize, slot: &str, value: &str) -> bool {
        let tool = self.lexicon.tools.get(tool);
        let argument = tool.and_then(|tool| tool.arguments.get(tool.argument(slot)?));
        let allowed = argument.and_then(|argument| argument.schema.get("enum")?.as_array());
        allowed.is_none_or(|allowed| allowed.iter().any(|known| known == value))
    }

    /// Whether mere free text is an answer all the same: it is what was asked for, or a name that the
    /// tool knows by heart.
    fn is_told(&self, wish: &Wish, tool: usize, question: &OpenQuestion) -> bool {
        let spec = self.lexicon.tools.get(tool).map(|tool| &tool.spec);
        let known = |(name, value): (&String, &Value)| {
            let source = spec.and_then(|spec| spec.names.get(name));
            let found = source
                .zip(value.as_str())
                .map(|(source, heard)| source.look_up(heard, self.driver.lang));
            found.is_some_and(|found| found.iter().any(|name| name.matched == NameMatch::Exact))
        };
        // 周杰伦的: a word of a phrase stands beside the name, if only after it.
        let beside = |value: &Value| value.as_str().is_some_and(|text| text.len() < wish.words.trim().len());
        wish.arguments.contains_key(&question.slot)
            || wish.arguments.iter().any(known)
            || wish.arguments.values().all(beside)
    }

    /// The whole utterance as free text, where the question wants free text.
    fn free_answer(&self, utterance: &str, question: &OpenQuestion, tool: usize) -> Option<Value> {
        let text = Text::new(utterance);
        if text.is_empty() || text.len() > 20 || is_chatter(&text) || self.begs(utterance) {
            return None;
        }
        let lattice = Lattice::new(self.lexicon, &text, None);
        let range = lattice.trimmed(0..lattice.len);
        let words = crate::resolve::words_of(&lattice, &range);
        if words.is_empty() {
            return None;
        }
        plan::as_argument(self.lexicon.tools.get(tool)?, &question.slot, &words)
    }

    fn wish(&self, tool: usize, arguments: Map<String, Value>) -> Wish {
        Wish {
            tool,
            arguments,
            words: String::new(),
            heard: None,
            wants: None,
            named: Named::Implied,
            untold: false,
            free: false,
        }
    }

    /// A wish with what the question had gathered before.
    fn joined(&self, mut wish: Wish, tool: usize, question: &OpenQuestion) -> Wish {
        if wish.tool == tool {
            let mut all = question.arguments.clone();
            all.extend(std::mem::take(&mut wish.arguments));
            wish.arguments = all;
        }
        wish
    }

    fn fill(&self, tool: usize, question: &OpenQuestion, slot: &str, value: Value) -> Decision {
        let mut arguments = question.arguments.clone();
        arguments.insert(slot.to_owned(), value);
        self.steps(&[self.wish(tool, arguments)], Openness::Ask)
    }
}

/// Wishes that are asked about before they are acted on.
fn doubted(wishes: Vec<Wish>) -> Vec<Wish> {
    let doubted = |wish: Wish| Wish {
        heard: Some(wish.heard.unwrap_or_else(|| wish.words.clone())),
        ..wish
    };
    wishes.into_iter().map(doubted).collect()
}

/// Words that change nothing about a number beside them.
const BESIDE_NUMBERS: &[&str] = &["个", "吧", "就", "要", "please", "just", "only"];

/// Words that answer no question.
const CHATTER: &[&str] = &[
    "是",
    "对",
    "好",
    "嗯",
    "不",
    "不知道",
    "好的",
    "行",
    "可以",
    "我想想",
    "嗯我想想",
    "yes",
    "no",
    "yeah",
    "ok",
    "okay",
    "sure",
    "hmm",
    "um",
    "yep",
    "i don't know",
    "let me think",
    "谢谢",
    "thanks",
    "thank you",
    "什么",
    "what",
];

fn is_chatter(text: &Text) -> bool {
    CHATTER.contains(&text.normal(0..text.len()).as_str())
}

/// The choice that an answer picks: by its number, its place in the list or its name.
fn chosen<'c>(answer: &str, choices: &'c [String]) -> Option<&'c str> {
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
        let short = text.len() <= range.len() + 4 && around.clone().all(|at| MEASURES.contains(&text.word(at)));
        let counts = matches!(number.kind, NumberKind::Ordinal | NumberKind::Cardinal);
        if counts && short {
            return nth(number.value).map(String::as_str);
        }
    }
    let nearest = ["最近", "近一点", "近的", "nearer", "nearest", "closest", "closer"];
    if nearest.iter().any(|word| said.contains(word)) {
        return choices.first().map(String::as_str);
    }
    let heard = Name::new(answer);
    let mut best: Option<(usize, f64)> = None;
    for (index, choice) in choices.iter().enumerate() {
        let other = Text::new(choice);
        let normal = other.normal(0..other.len());
        // What says much more than the choice is not that alone: 要大床房，住两晚.
        let little_more = text.len() <= other.len() + 4;
        let inside = text.len() >= 2 && normal.contains(&said) || little_more && said.contains(&normal);
        let alike = if inside {
            0.9
        } else {
            heard.similarity(&Name::new(choice))
        };
        if best.is_none_or(|(_, known)| alike > known) {
            best = Some((index, alike));
        }
    }
    best.filter(|(_, alike)| *alike >= 0.8)
        .and_then(|(index, _)| choices.get(index))
        .map(String::as_str)
}

/// What may stand around the number of a choice.
const MEASURES: &[&str] = &[
    "第", "个", "号", "家", "条", "首", "间", "处", "位", "项", "那", "这", "就", "选", "要", "去", "的", "吧", "我",
    "number", "the", "one", "option", "please", "choice", "take", "i'll", "that",
];

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
