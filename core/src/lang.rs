//! The languages that incar speaks.

use serde::{Deserialize, Serialize};

/// A language of the driver. Chinese and English are understood and spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Chinese (Mandarin, simplified or traditional characters).
    #[default]
    Zh,
    /// English.
    En,
}

impl Lang {
    /// The language of a BCP 47 tag such as `zh-CN` or `en`; `None` for any other language.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") || primary.eq_ignore_ascii_case("cmn") {
            Some(Self::Zh)
        } else if primary.eq_ignore_ascii_case("en") {
            Some(Self::En)
        } else {
            None
        }
    }

    /// The language that most letters of `text` belong to: a Han character counts as a word, as a
    /// run of Latin letters does. `None` where the text has neither.
    pub fn of_text(text: &str) -> Option<Self> {
        let (mut han, mut words, mut in_word) = (0usize, 0usize, false);
        for c in text.chars() {
            if is_han(c) {
                han += 1;
                in_word = false;
            } else if c.is_alphabetic() {
                words += usize::from(!in_word);
                in_word = true;
            } else if c != '\'' && c != '’' {
                in_word = false;
            }
        }
        match (han, words) {
            (0, 0) => None,
            (han, words) if han >= words => Some(Self::Zh),
            _ => Some(Self::En),
        }
    }

    /// The one of two wordings that is in this language.
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}

/// Whether `c` is a Han character (the unified ideographs and their first extensions).
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// One wording in each language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bilingual {
    /// The Chinese wording.
    pub zh: String,
    /// The English wording.
    pub en: String,
}

impl Bilingual {
    /// Both wordings.
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self {
            zh: zh.into(),
            en: en.into(),
        }
    }

    /// The wording in `lang`.
    pub fn get(&self, lang: Lang) -> &str {
        lang.pick(&self.zh, &self.en)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_text_is_that_of_most_of_its_words() {
        for (text, lang) in [
            ("打开车窗", Some(Lang::Zh)),
            ("open the window", Some(Lang::En)),
            ("播放 Hotel California", Some(Lang::Zh)),
            ("play 晴天 by Jay Chou please now", Some(Lang::En)),
            ("don't stop", Some(Lang::En)),
            ("23", None),
            ("", None),
        ] {
            assert_eq!(Lang::of_text(text), lang, "{text}");
        }
    }
}
