//! Which language an utterance is in.

use crate::{Text, UnitKind};

/// A language this crate reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// Chinese.
    #[default]
    Zh,
    /// English.
    En,
}

/// The language of a string: English when words of an alphabet outnumber Chinese characters by more than a third,
/// Chinese else (also with neither). A Chinese word is about two characters, and Chinese speech carries English
/// names (`播放 Hotel California`), hardly the other way round.
///
/// ```
/// use incar_text::{Lang, locale_of};
///
/// assert_eq!(locale_of("打开AC"), Lang::Zh);
/// assert_eq!(locale_of("播放 Hotel California"), Lang::Zh);
/// assert_eq!(locale_of("turn on the ac"), Lang::En);
/// ```
pub fn locale_of(source: &str) -> Lang {
    lang_of(&Text::new(source))
}

/// As [`locale_of`], for a text already read.
pub fn lang_of(text: &Text) -> Lang {
    let count = |kind| text.units().iter().filter(|unit| unit.kind == kind).count();
    let (han, latin) = (count(UnitKind::Han), count(UnitKind::Latin));
    if latin * 3 > han * 4 { Lang::En } else { Lang::Zh }
}
