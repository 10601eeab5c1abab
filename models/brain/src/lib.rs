//! The embedded brain of incar: understands car speech on the device.
//!
//! An utterance becomes calls in these steps, each a module:
//! 1. `lexicon`: all words of the tools and the brain's own generic ones, compiled once per tool set;
//! 2. `lattice`: every span of the utterance with every reading it has (words, numbers, days, phrases);
//! 3. `search` and `frame`: the cheapest sequence of frames (one wish each) that reads it all;
//! 4. `understand` and `resolve`: corrections, shared verbs, negations; a frame's arguments as JSON;
//! 5. `answer`: what it is to the conversation, which `dialogue` reads back from the messages;
//! 6. `plan`: completion of what was not said, questions for what is missing;
//! 7. `reply`: the spoken reply to the tools' results.

mod answer;
mod brain;
mod dialogue;
mod frame;
mod generic;
mod lattice;
mod lexicon;
mod plan;
mod reply;
mod resolve;
mod search;
mod symbols;
mod template;
mod understand;

pub use brain::{Brain, Concern, Explained, Explanation};
pub use lexicon::WordsFault;
