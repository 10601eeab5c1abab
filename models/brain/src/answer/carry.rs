//! What an utterance takes over from the calls before it.

use super::Listener;
use crate::dialogue::PastCall;
use crate::understand::{Wish, group_of};
use incar_core::words::ValueKind;
use incar_text::{Text, sum_goes_on_at};
use serde_json::Value;

impl Listener<'_> {
    /// Wishes of the tool of `call` with what they leave out taken from that call.
    pub(super) fn carried(&self, wishes: Vec<Wish>, tool: usize, call: &PastCall) -> Vec<Wish> {
        let carry = |mut wish: Wish| {
            if wish.tool != tool {
                return wish;
            }
            let amounts = group_of(self.lexicon, tool);
            let arguments = self
                .lexicon
                .tools
                .get(tool)
                .map_or(&[][..], |tool| tool.arguments.as_slice());
            let said_value = wish.arguments.keys().any(|key| {
                arguments
                    .iter()
                    .any(|argument| argument.name == *key && argument.kind != ValueKind::Position)
            });
            let mut base = call.arguments.clone();
            if said_value {
                base.retain(|key, _| {
                    let kind = arguments
                        .iter()
                        .find(|argument| argument.name == *key)
                        .map(|argument| argument.kind);
                    !amounts.contains(key) && kind != Some(ValueKind::Percent)
                });
            }
            for (argument, value) in &mut wish.arguments {
                if let (Some(Value::String(before)), Value::String(more)) = (base.get(argument), &*value)
                    && self.goes_on(tool, argument, more)
                {
                    *value = format!("({before}){more}").into();
                }
            }
            base.extend(std::mem::take(&mut wish.arguments));
            wish.arguments = base;
            wish
        };
        wishes.into_iter().map(carry).collect()
    }

    /// Whether a sum goes on with the result before it: 减一.
    fn goes_on(&self, tool: usize, argument: &str, sum: &str) -> bool {
        let place = format!("{{{argument}:more_sum}}");
        let words = self.lexicon.tools.get(tool).map(|tool| &tool.spec.words);
        let mut patterns = words
            .into_iter()
            .flat_map(|words| &words.elliptical)
            .flat_map(|phrase| &phrase.patterns);
        patterns.any(|pattern| pattern.contains(&place)) && sum_goes_on_at(&Text::new(sum), 0).is_some()
    }

    /// Further questions with what they keep of the one before them: 要带伞吗 after 上海明天天气怎么样.
    pub(super) fn asked_further(
        &self,
        utterance: &str,
        mut wishes: Vec<Wish>,
        tool: usize,
        call: &PastCall,
    ) -> Vec<Wish> {
        let follow = self
            .lexicon
            .tools
            .get(tool)
            .and_then(|tool| tool.spec.words.follow.as_ref());
        if let (Some(follow), [wish]) = (follow, wishes.as_mut_slice()) {
            let says = |argument: &String| wish.arguments.contains_key(argument);
            let words = utterance.to_lowercase();
            let anew = follow.unless.iter().any(|word| words.contains(word.as_str()));
            if wish.tool == tool && says(&follow.about) && !follow.keep.iter().any(says) && !anew {
                // "Today" need not be kept: it is meant where nothing is said.
                let plain = |value: &Value| {
                    value
                        .as_str()
                        .is_some_and(|value| follow.unless.iter().any(|word| word == value))
                };
                let before = follow
                    .keep
                    .iter()
                    .filter_map(|argument| call.arguments.get_key_value(argument));
                let kept = before.filter(|(_, value)| !plain(value));
                wish.arguments
                    .extend(kept.map(|(argument, value)| (argument.clone(), value.clone())));
            }
        }
        wishes
    }
}
