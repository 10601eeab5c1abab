//! Text on its way to a voice: cut into sentences as it comes, and put into plain words.

mod plain;
mod split;
#[cfg(test)]
mod tests;

pub use plain::speakable;
pub use split::{LONGEST_SENTENCE, SentenceSplitter, sentences};
