//! More of what was just done: "a bit more" after "put the seat back a bit".

use super::Listener;
use crate::dialogue::PastCall;
use crate::generic::Class;
use crate::lexicon::Tool;
use incar_core::words::ValueKind;
use incar_text::Text;

/// Words of which one says that there is to be more.
const MORE: &[&str] = &["more", "again", "再", "多"];
/// Words that may stand beside it.
const BESIDE: &[&str] = &[
    "a", "bit", "little", "some", "please", "just", "even", "来", "一", "点", "些", "还", "要", "下", "儿", "吧",
    "一点", "一下",
];

/// Whether an utterance says that there is to be more, and nothing else.
pub(super) fn says_more(utterance: &str) -> bool {
    let text = Text::new(utterance);
    text.words().any(|word| MORE.contains(&word))
        && text.words().all(|word| MORE.contains(&word) || BESIDE.contains(&word))
}

impl Listener<'_> {
    /// Whether a call moved something on from where it was, so that it can go on: by a change, or in a direction.
    pub(super) fn moves_on(&self, tool: usize, call: &PastCall) -> bool {
        let Some(tool) = self.lexicon.tools.get(tool) else {
            return false;
        };
        let given = |(index, name): (usize, &String)| call.arguments.contains_key(name) && moves(tool, index);
        let names = tool.arguments.iter().map(|argument| &argument.name);
        names.enumerate().any(given)
    }
}

/// Whether an argument says which way: a change, or a word for up and another for down.
fn moves(tool: &Tool, index: usize) -> bool {
    let change = tool
        .arguments
        .get(index)
        .is_some_and(|argument| argument.kind == ValueKind::Change);
    let has = |class: Class| {
        tool.by_class
            .iter()
            .any(|(other, argument, _)| *other == class && *argument == index)
    };
    change || has(Class::Up) && has(Class::Down) && tool.of_kind(ValueKind::Percent).is_none()
}
