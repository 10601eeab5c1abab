//! Text for speech: normaliser, numerals, sums, dates and pinyin for Chinese and English.
//!
//! Everything is a pure function of its arguments, and no function panics on any string.

mod date;
mod lang;
mod normalize;
mod number;
mod shortened;
mod similar;
mod sound;
mod speech;
mod sum;

pub use date::{DateSpan, DayPart, Granularity, TimeOfDay, date_at};
pub use lang::{Lang, lang_of, locale_of};
pub use normalize::{Gap, Text, Unit, UnitKind};
pub use number::{Number, NumberKind, half_at, number_at, numbers};
pub use shortened::shortened;
pub use similar::{Name, most_similar, similarity};
pub use sound::{SoundIndex, SoundKey, SoundMatch, Syllable, SyllableSet, sound, sound_cost};
pub use speech::{Heard, LONGEST_SENTENCE, SentenceSplitter, Speech, heard_of, sentences, speakable};
pub use sum::{SumPart, SumSign, signs_between, sum_at, sum_goes_on_at, sum_part_at};
