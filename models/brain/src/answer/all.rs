//! What goes on about several calls at once: 都关上, "close them all".

use super::Listener;
use crate::confidence::Confidence;
use crate::dialogue::PastCall;
use crate::frame::Named;
use crate::generic::Place;
use crate::lattice::{Edge, Hearing, Lattice, Reading};
use crate::lexicon::Use;
use crate::understand::{Implied, Wish};
use incar_text::Text;

impl Listener<'_> {
    /// The wishes of an utterance that is about all that was just done: each call of the last turn that did something, and
    /// the calls before it of the same tool. `None` where it says nothing of all, or fewer than two calls fit.
    pub(super) fn all_followed(&self, utterance: &str, past: &[PastCall]) -> Option<Vec<Wish>> {
        if past.iter().filter(|call| call.done).nth(1).is_none() || !self.says_all(utterance) {
            return None;
        }
        let mut last: Option<(usize, usize)> = None;
        let mut all: Vec<Wish> = Vec::new();
        for call in past.iter().filter(|call| call.done) {
            let Some(tool) = self.tool_named(&call.tool) else {
                continue;
            };
            let (ago, first) = *last.get_or_insert((call.ago, tool));
            if call.ago != ago && tool != first {
                continue;
            }
            let followed = self.understand(utterance, Some(Implied { tool, cost: 0.2 }));
            let [wish] = followed.wishes.as_slice() else { continue };
            let elliptical = matches!(wish.named, Named::Implied | Named::Alone) && !wish.untold;
            if followed.confidence < Confidence::ACT || !elliptical || wish.tool != tool || wish.arguments.is_empty() {
                continue;
            }
            let mut wish = wish.clone();
            // All that was done, not all there is.
            wish.arguments.retain(|_, value| !self.is_everywhere(value));
            for wish in self.carried(vec![wish], tool, call) {
                let known = |other: &Wish| other.tool == wish.tool && other.arguments == wish.arguments;
                if !all.iter().any(known) {
                    all.push(wish);
                }
            }
        }
        // The first that was done comes first again.
        all.reverse();
        (all.len() > 1).then_some(all)
    }

    fn is_everywhere(&self, value: &serde_json::Value) -> bool {
        value.as_str() == Some(Place::All.name(self.driver.speaker.seat))
    }

    fn says_all(&self, utterance: &str) -> bool {
        let text = Text::new(utterance);
        let lattice = Lattice::new(self.lexicon, &text, None, Hearing::BySound);
        let everywhere = |word| self.lexicon.uses(word).contains(&Use::Place(Place::All));
        let all = |edge: &Edge| matches!(edge.reading, Reading::Word(word) if everywhere(word));
        (0..text.len()).any(|at| text.word(at) == "都" || lattice.at(at).iter().any(all))
    }
}
