//! Text on its way to a voice: cut into sentences as it comes, put into plain words, and as far as it was heard.

mod heard;
mod plain;
mod split;
#[cfg(test)]
mod tests;

pub use heard::{Heard, heard_of};
pub use plain::{Speech, speakable};
pub use split::{LONGEST_SENTENCE, SentenceSplitter, sentences};
