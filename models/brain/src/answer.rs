//! What an utterance is to the conversation: an answer, a correction, a follow-up, or something
//! new.

mod all;
mod carry;
mod choice;
mod free;
mod more;
mod refer;

use crate::confidence::{Band, Confidence};
use crate::dialogue::{OpenQuestion, PastCall, Said};
use crate::frame::Named;
use crate::generic::Class;
use crate::lattice::{Edge, Hearing, Lattice, Reading};
use crate::lexicon::{Argument, Lexicon, Tool, Use};
use crate::plan::{self, Driver, Openness, Step};
use crate::schema::number_value;
use crate::understand::{Implied, Understood, Wish, understand, understand_as};
use crate::unwished::Unwished;
use choice::{after_hesitation, chosen};
use free::is_chatter;
use incar_core::NameMatch;
use incar_core::words::ValueKind;
use incar_text::{Gap, NumberKind, Text, numbers};
use more::says_more;
use serde_json::{Map, Value};

/// The tool that looks something up in the owner's manual.
const MANUAL: &str = "search_manual";

/// What to do about an utterance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    /// These steps.
    Steps(Vec<Step>),
    /// It said what not to do, and no more.
    Refrain,
    /// It is to be done later, or if something else happens: nobody here waits for that.
    Later,
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
        match self.understood(said) {
            Decision::Steps(steps) => Decision::Steps(self.referred(said, steps)),
            decision @ (Decision::Refrain | Decision::Later | Decision::Decline) => decision,
        }
    }

    fn understood(&self, said: &Said<'_>) -> Decision {
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
        if let Some((call, tool)) = last.filter(|(call, tool)| says_more(utterance) && self.moves_on(*tool, call)) {
            return self.steps(&[self.wish(tool, call.arguments.clone())], Openness::Ask);
        }
        let plain = self.understand(utterance, None);
        if let Some(decision) = self.set_aside(utterance, &plain) {
            return decision;
        }
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
            // A wish that names its thing begins anew.
            let anew = plain.wishes.iter().any(|wish| wish.named >= Named::Topic);
            if fits && (!certain || !anew && amended.cost <= plain.cost) {
                return self.steps(&self.carried(amended.wishes, tool, call), Openness::Ask);
            }
        }
        let alone = plain.wishes.iter().all(|wish| wish.named == Named::Alone);
        if (!certain || alone)
            && let Some(wishes) = self.all_followed(utterance, past)
        {
            return self.steps(&wishes, Openness::Ask);
        }
        // 舒适模式 is one of several tools; of the one spoken of just now it is meant.
        if certain
            && alone
            && let Some((call, tool)) = last
            && let Some(wishes) = self.meant_again(utterance, &plain, tool)
        {
            return self.steps(&self.carried(wishes, tool, call), Openness::Ask);
        }
        // 亮一点 of a lamp is no misheard 凉一点, 后排的也打开 no song: words as they are written and known count before those
        // that only sound like some, and before free text.
        let most = if plain.wishes.iter().any(|wish| wish.mended) {
            f32::INFINITY
        } else {
            plain.cost
        };
        if certain
            && plain.wishes.iter().any(|wish| wish.mended || wish.free)
            && let Some(decision) = self.followed(utterance, past, Hearing::AsWritten, most)
        {
            return decision;
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
        if let Some(decision) = self.followed(utterance, past, Hearing::BySound, f32::INFINITY) {
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

    /// What is said instead of doing what is not to be done now.
    fn set_aside(&self, utterance: &str, plain: &Understood) -> Option<Decision> {
        match plain.unwished? {
            Unwished::Later => Some(Decision::Later),
            Unwished::How => Some(self.looked_up(utterance)),
            Unwished::Told => None,
        }
    }

    /// How something is done stands in the manual, if there is one.
    fn looked_up(&self, utterance: &str) -> Decision {
        match self.tool_named(MANUAL) {
            Some(manual) => {
                let query = [("query".to_owned(), Value::from(utterance.trim()))]
                    .into_iter()
                    .collect();
                self.steps(&[self.wish(manual, query)], Openness::Ask)
            }
            None => Decision::Decline,
        }
    }

    /// Values that stand alone, as values of the tool that was called last: where they say as much there as elsewhere.
    fn meant_again(&self, utterance: &str, plain: &Understood, tool: usize) -> Option<Vec<Wish>> {
        if plain.wishes.iter().any(|wish| wish.tool == tool) {
            return None;
        }
        // Where two tools have the word, the one spoken of wins.
        let about = Some(Implied { tool, cost: -AS_MUCH });
        let again = understand_as(
            self.lexicon,
            utterance,
            self.driver.speaker.seat,
            about,
            Hearing::AsWritten,
        );
        let fits = |wish: &Wish| wish.tool == tool && !wish.arguments.is_empty() && !wish.free;
        let as_much = again.confidence >= Confidence::ACT && again.cost <= plain.cost + AS_MUCH;
        (as_much && !again.wishes.is_empty() && again.wishes.iter().all(fits)).then_some(again.wishes)
    }

    /// An utterance that goes on about one of the last calls, 亮一点, 关掉, read at no more than `most` a unit. It must say
    /// something of its own.
    fn followed(&self, utterance: &str, past: &[PastCall], hearing: Hearing, most: f32) -> Option<Decision> {
        let reads = |tool: usize| self.lexicon.tools.get(tool).is_some_and(|tool| tool.reads);
        let done: Vec<(&PastCall, usize)> = past
            .iter()
            .filter(|call| call.done)
            .filter_map(|call| Some((call, self.tool_named(&call.tool)?)))
            .collect();
        // 强一点 right after a massage is not about the backrest that was moved before it.
        let deed = done.iter().find(|(_, tool)| !reads(*tool)).map(|(call, _)| call.ago);
        done.into_iter()
            .take_while(|(call, _)| deed.is_none_or(|deed| call.ago <= deed))
            .find_map(|(call, tool)| {
                let about = Some(Implied { tool, cost: 0.2 });
                let seat = self.driver.speaker.seat;
                let followed = understand_as(self.lexicon, utterance, seat, about, hearing);
                // Any words at all would be a name for who is called next: 帮我写首诗.
                let empty = |wish: &Wish| wish.untold || wish.named == Named::Implied && wish.arguments.is_empty();
                // Free text takes anything as it is written: the 方 of 播方下一首.
                let read = |wish: &Wish| hearing == Hearing::BySound || !wish.free;
                let fits = followed.confidence >= Confidence::ACT
                    && followed.cost <= most
                    && !followed.wishes.is_empty()
                    && followed.wishes.iter().all(|wish| !empty(wish) && read(wish));
                fits.then(|| self.steps(&self.carried(followed.wishes, tool, call), Openness::Ask))
            })
    }

    /// Whether an utterance begins as a wish of its own does: 帮我.
    fn begs(&self, utterance: &str) -> bool {
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None, Hearing::BySound);
        let carries = |word| self.lexicon.uses(word).contains(&Use::Class(Class::Glue));
        lattice
            .at(0)
            .iter()
            .any(|edge| edge.end > 1 && matches!(edge.reading, Reading::Word(word) if carries(word)))
    }

    /// What follows "no, I mean" and the like at the head of an utterance.
    fn after_correction<'u>(&self, utterance: &'u str) -> Option<&'u str> {
        let mut rest = self.after_one_correction(utterance)?;
        while let Some(more) = self.after_one_correction(rest) {
            rest = more;
        }
        Some(rest)
    }

    fn after_one_correction<'u>(&self, utterance: &'u str) -> Option<&'u str> {
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None, Hearing::BySound);
        let longest = |class| {
            let of_class = |word| self.lexicon.uses(word).contains(&Use::Class(class));
            let words = lattice.words_at(0).filter(|(word, _)| of_class(*word));
            words.map(|(_, end)| end).max()
        };
        // 不是让你开窗 puts nothing in its place.
        let end = longest(Class::Correct)
            .filter(|end| longest(Class::Not).is_none_or(|refused| refused <= *end))
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
        let utterance = after_hesitation(utterance);
        if let Some(choice) = chosen(utterance, &question.choices) {
            return self.choose(choice, question, tool);
        }
        // "No, three nights": what is put in place of an earlier answer is an answer too.
        let corrected = self.after_correction(utterance);
        let number = bare_number(corrected.unwrap_or(utterance));
        // A number put in place of another counts what that one counted.
        if let Some(instead) = corrected.filter(|_| number.is_none())
            && let Some(choice) = chosen(instead, &question.choices)
        {
            return self.choose(choice, question, tool);
        }
        if plan::leaves_open(utterance) {
            return self.steps(&[self.wish(tool, question.arguments.clone())], Openness::Anything);
        }
        let utterance = corrected.unwrap_or(utterance);
        if let Some(number) = number
            && let Some(counting) = self.counting(question, tool, corrected.is_some())
        {
            return match counting {
                Counting::For(slot) => self.fill(tool, question, &slot, number),
                Counting::Unclear => Decision::Decline,
            };
        }
        if let Some(arguments) = self.listed_answers(utterance, question, tool) {
            return self.steps(&[self.wish(tool, arguments)], Openness::Anything);
        }
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
        let sentence = self.tells_otherwise(utterance, &answered, tool);
        if fits && !begged && !chatter && !sentence && (!certain || short.cost <= plain.cost) {
            let first_time = question.arguments.is_empty();
            let wishes: Vec<Wish> = short
                .wishes
                .into_iter()
                .map(|wish| self.joined(wish, tool, question))
                .collect();
            let partial = wishes.iter().all(|wish| !wish.arguments.contains_key(&question.slot));
            // Whose song it is only narrows what was asked for; what kind of music is a wish.
            if partial
                && first_time
                && let [wish] = wishes.as_slice()
                && let Some(entry) = self.lexicon.tools.get(tool)
                && wish.arguments.keys().all(|argument| is_name(entry, argument))
            {
                let ask = plan::question(entry, &question.slot, wish.arguments.clone(), self.driver.lang);
                return Decision::Steps(vec![Step::Ask(ask)]);
            }
            let open = if partial { Openness::Ask } else { Openness::Anything };
            return self.steps(&wishes, open);
        }
        if certain {
            let wishes: Vec<Wish> = plain
                .wishes
                .into_iter()
                .map(|wish| self.joined(wish, tool, question))
                .collect();
            return self.steps(&wishes, Openness::Ask);
        }
        if let Some(decision) = self.set_aside(utterance, &plain) {
            return decision;
        }
        match self.free_answer(utterance, question, tool) {
            Some(value) => self.fill(tool, question, &question.slot, value),
            None => Decision::Decline,
        }
    }

    /// One of the choices that were offered.
    fn choose(&self, choice: &str, question: &OpenQuestion, tool: usize) -> Decision {
        if self.takes(tool, &question.slot, choice) {
            return self.fill(tool, question, &question.slot, choice.into());
        }
        // It stands there as it is spoken; the argument has a value of its own for it.
        let open = OpenQuestion {
            choices: Vec::new(),
            ..question.clone()
        };
        self.after_question(choice, &open, tool)
    }

    /// What a number alone counts, of all that the tool counts: what was asked for, or, where it corrects, the one number
    /// that was given.
    fn counting(&self, question: &OpenQuestion, tool: usize, corrects: bool) -> Option<Counting> {
        let arguments = &self.lexicon.tools.get(tool)?.arguments;
        let counts = |argument: &&Argument| argument.kind == ValueKind::Number;
        if arguments
            .iter()
            .filter(counts)
            .any(|argument| argument.name == question.slot)
        {
            return Some(Counting::For(question.slot.clone()));
        }
        let given = |argument: &&Argument| question.arguments.contains_key(&argument.name);
        let mut given = arguments.iter().filter(counts).filter(given);
        match (given.next(), given.next()) {
            (Some(only), None) if corrects => Some(Counting::For(only.name.clone())),
            // Three nights, or three guests?
            _ => arguments.iter().filter(counts).nth(1).map(|_| Counting::Unclear),
        }
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
            mended: false,
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

/// Whether an argument is somebody's or something's name: free text, of which the tool has a list if it has any.
fn is_name(tool: &Tool, argument: &str) -> bool {
    let names = &tool.spec.names;
    let entry = tool.argument(argument).and_then(|index| tool.arguments.get(index));
    let text = entry.is_some_and(|entry| matches!(entry.kind, ValueKind::Text | ValueKind::Name));
    text && (names.is_empty() || names.contains_key(argument))
}

/// What a number alone counts.
enum Counting {
    /// This argument.
    For(String),
    /// One of several, and nothing tells which.
    Unclear,
}

/// The number that is all that was said.
fn bare_number(utterance: &str) -> Option<Value> {
    let text = Text::new(utterance);
    let said = numbers(&text);
    let [(range, number)] = said.as_slice() else {
        return None;
    };
    let alone = (0..text.len()).all(|at| range.contains(&at) || BESIDE_NUMBERS.contains(&text.word(at)));
    (alone && number.kind == NumberKind::Cardinal).then(|| number_value(number.value))
}

/// Wishes that are asked about before they are acted on.
fn doubted(wishes: Vec<Wish>) -> Vec<Wish> {
    let doubted = |wish: Wish| Wish {
        heard: Some(wish.heard.unwrap_or_else(|| wish.words.clone())),
        ..wish
    };
    wishes.into_iter().map(doubted).collect()
}

/// How much dearer a value may be as one of the last call's tool than elsewhere, to be meant there.
const AS_MUCH: f32 = 0.05;

/// Words that change nothing about a number beside them.
const BESIDE_NUMBERS: &[&str] = &["个", "吧", "就", "要", "please", "just", "only"];
