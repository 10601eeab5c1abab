//! What a sentence does, by its own words.

use super::cue::Cue;
use super::sentence::{End, Sentence};

/// What a sentence does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Asks for a value, a choice or a confirmation in so many words.
    Request,
    /// A question with a question word.
    Question,
    /// A question that lists its answers.
    Choice,
    /// A question that yes or no answers, or no more than a question mark.
    YesNo,
    /// Says what could be done if the driver wished.
    Offer,
    /// General politeness.
    Courtesy,
    /// Asks nothing.
    Statement,
}

/// What requests show.
const REQUESTS: [Cue; 3] = [Cue::RequestValue, Cue::RequestChoice, Cue::RequestConfirm];

/// How far an unmarked Chinese question's last word may be from its question word, in characters.
const LONGEST_TAIL: usize = 9;

/// How many words an unmarked English choice has at most: "front defrost rear defrost or both".
const SHORT: usize = 8;

/// How long an unmarked sentence is, at most, that is hardly more than a question word: "几个人",
/// in characters …
const BARE_CHARS: usize = 5;
/// … and "where from", in words.
const BARE_WORDS: usize = 3;

/// What `sentence` does.
pub(super) fn act(sentence: &Sentence<'_>) -> Act {
    use Cue::*;
    let cues = sentence.cues;
    let marked = sentence.end == End::Question;
    let yes_no = sentence.han && cues.has(YesNo);
    if cues.has(Quoting) && !yes_no && !cues.any(&[WantMe, ShouldI, RequestValue]) {
        return Act::Statement;
    }
    if cues.has(Courtesy) && !cues.has(OpenAlternative) {
        return Act::Courtesy;
    }
    if cues.has(Rhetorical) {
        return Act::Statement;
    }
    let wished = cues.has(IfWished) || cues.has(Longing) && cues.has(Condition);
    if wished && !marked && !yes_no && !cues.has(RequestConfirm) {
        return Act::Offer;
    }
    if cues.has(Reported) && !marked && !yes_no && !cues.any(&REQUESTS) {
        return Act::Statement;
    }
    if cues.any(&REQUESTS) || cues.has(NeedsYou) && cues.has(Reply) || cues.has(Tag) && (marked || yes_no) {
        return Act::Request;
    }
    let conditional = cues.has(Condition) && cues.any(&[Ability, Hand]);
    let able = cues.has(Ability) && (sentence.han || cues.has(Extra));
    if (conditional || able) && !marked && !yes_no && !cues.has(YesNo) {
        return Act::Offer;
    }
    if marked {
        marked_question(sentence)
    } else if sentence.listed {
        Act::Statement
    } else if sentence.han {
        unmarked_chinese(sentence)
    } else {
        unmarked_english(sentence)
    }
}

/// What a sentence with a question mark does.
fn marked_question(sentence: &Sentence<'_>) -> Act {
    use Cue::*;
    let cues = sentence.cues;
    // 吗 turns a question word into an indefinite: "有什么…吗". "Would you like" does not.
    let yes_no = cues.has(YesNo) && (sentence.han || !cues.has(QuestionWord));
    if cues.has(Proposal) {
        Act::YesNo
    } else if cues.has(QuestionWord) && !cues.has(Indefinite) && !yes_no {
        Act::Question
    } else if cues.has(Alternative) {
        Act::Choice
    } else {
        Act::YesNo
    }
}

/// What a Chinese sentence without a question mark does.
fn unmarked_chinese(sentence: &Sentence<'_>) -> Act {
    use Cue::*;
    let cues = sentence.cues;
    let open = sentence.end == End::Open;
    if cues.has(YesNo) || cues.has(WeakYesNo) && (open || cues.has(WantMe)) && !cues.has(Reported) {
        return Act::YesNo;
    }
    if !open || cues.has(Indefinite) {
        return Act::Statement;
    }
    let bare = sentence.text.chars().count() <= BARE_CHARS;
    let near = sentence.after_question_word <= LONGEST_TAIL && cues.has(Wish);
    if cues.has(QuestionWord) && (bare || near || cues.has(Particle)) {
        Act::Question
    } else if cues.has(Alternative) && !cues.any(&[Done, Proposal]) {
        Act::Choice
    } else {
        Act::Statement
    }
}

/// What an English sentence without a question mark does.
fn unmarked_english(sentence: &Sentence<'_>) -> Act {
    use Cue::*;
    let cues = sentence.cues;
    let bare = sentence.end == End::Open && sentence.words() <= BARE_WORDS;
    if cues.has(QuestionWord) && (bare || cues.has(Inversion)) && !cues.has(Indefinite) {
        Act::Question
    } else if cues.has(YesNo) && cues.any(&[Inversion, WantMe]) {
        Act::YesNo
    } else if sentence.end == End::Open && cues.has(Alternative) && sentence.words() <= SHORT {
        Act::Choice
    } else {
        Act::Statement
    }
}
