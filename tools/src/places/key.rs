//! The key under which a name is filed and looked up. The same rules as `data/places/build.py`, in the same order;
//! a test holds the two together.

use pinyin::ToPinyinMulti;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// How a word of a Latin name is also written.
const WORDS: [(&str, &str); 3] = [("saint", "st"), ("mount", "mt"), ("and", "")];
const PHRASES: [(&str, &str); 3] = [
    (" international airport", " airport"),
    (" railway station", " station"),
    (" train station", " station"),
];
const HAN_ENDINGS: [(&str, &str); 3] = [("火车站", "站"), ("高铁站", "站"), ("国际机场", "机场")];
/// What speakers leave out or add at the end of a Chinese name, longest first.
const HAN_SUFFIXES: [&str; 18] = [
    "特别行政区",
    "风景名胜区",
    "风景区",
    "旅游区",
    "景区",
    "自治区",
    "自治州",
    "自治县",
    "地区",
    "新区",
    "街道",
    "古镇",
    "市",
    "省",
    "县",
    "区",
    "镇",
    "乡",
];
/// Ways to read a text that are tried.
const MOST_READINGS: usize = 32;
const INITIALS: [(&str, &str); 3] = [("zh", "z"), ("ch", "c"), ("sh", "s")];

/// Lower case without accents; words of letters and digits parted by one space.
pub(super) fn fold(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for c in text.to_lowercase().chars() {
        match apart(c) {
            Some(plain) => letters.push_str(plain),
            None => letters.push(c),
        }
    }
    let plain: String = if letters.is_ascii() {
        letters.replace('\'', "")
    } else {
        let apart = letters.nfkd();
        apart.filter(|c| !is_combining_mark(*c) && *c != '\'').collect()
    };
    let spaced: String = plain
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Letters that Unicode does not take apart.
fn apart(c: char) -> Option<&'static str> {
    Some(match c {
        'ø' => "o",
        'ł' => "l",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ı' => "i",
        '’' | '‘' | 'ʻ' | 'ʼ' => "'",
        _ => return None,
    })
}

/// The key of a name: folded, and without what speakers leave out or add.
pub(super) fn canonical(text: &str) -> String {
    let mut text = fold(text);
    for (long, short) in PHRASES {
        text = text.replace(long, short);
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    if words.len() > 1 && words.first() == Some(&"the") {
        words.remove(0);
    }
    if words.len() > 2 && words.starts_with(&["city", "of"]) {
        words.drain(..2);
    }
    if words.len() > 1 {
        for word in &mut words {
            *word = WORDS
                .iter()
                .find(|(long, _)| long == word)
                .map_or(*word, |(_, short)| short);
        }
    }
    let key = words.concat();
    if has_han(&key) { han_canonical(&key) } else { key }
}

fn han_canonical(key: &str) -> String {
    let mut key = key.to_owned();
    for (long, short) in HAN_ENDINGS {
        if let Some(stem) = key.strip_suffix(long).filter(|stem| stem.chars().nth(1).is_some()) {
            key = format!("{stem}{short}");
        }
    }
    let stem = HAN_SUFFIXES
        .iter()
        .filter_map(|suffix| key.strip_suffix(suffix))
        .find(|stem| stem.chars().nth(1).is_some());
    stem.map_or(key.clone(), str::to_owned)
}

/// Whether a text has a Han character.
pub(super) fn has_han(text: &str) -> bool {
    text.chars().any(is_han)
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// The keys of how a Chinese text may sound: pinyin without tones, merging pairs that many speakers and recognisers do
/// not keep apart; one for each way to read it, a few at most. None for a text with anything but Han characters, or
/// with fewer than two.
pub(super) fn sounds(text: &str) -> Vec<String> {
    let mut keys = vec![String::from("~")];
    for readings in text.to_pinyin_multi() {
        let Some(readings) = readings else { return Vec::new() };
        let mut syllables: Vec<String> = readings.into_iter().map(|reading| merged(reading.plain())).collect();
        syllables.sort_unstable();
        syllables.dedup();
        let longer = keys
            .iter()
            .flat_map(|key| syllables.iter().map(move |syllable| format!("{key}{syllable}")));
        keys = longer.take(MOST_READINGS).collect();
    }
    if text.chars().nth(1).is_some() {
        keys
    } else {
        Vec::new()
    }
}

fn merged(syllable: &str) -> String {
    let shorter = INITIALS
        .iter()
        .find_map(|(long, short)| Some(format!("{short}{}", syllable.strip_prefix(long)?)));
    let syllable = shorter.unwrap_or_else(|| syllable.to_owned()).replace('ü', "v");
    if syllable.ends_with("ng") {
        syllable.trim_end_matches('g').to_owned()
    } else {
        syllable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speakers_leave_out_or_add_does_not_change_the_key() {
        for (one, other) in [
            ("北京", "北京市"),
            ("虹桥站", "虹桥火车站"),
            ("四川", "四川省"),
            ("西湖", "西湖风景区"),
            ("the White House", "White House"),
            ("City of London", "London"),
            ("Zürich", "zurich"),
            ("St. Louis", "Saint Louis"),
            ("Xi’an", "xian"),
            ("Łódź", "lodz"),
            ("Denver International Airport", "denver airport"),
        ] {
            assert_eq!(canonical(one), canonical(other), "{one} / {other}");
        }
        assert_ne!(canonical("沙市"), canonical("沙"));
        assert_ne!(canonical("The Hague"), canonical("the"));
    }

    #[test]
    fn names_that_sound_alike_share_a_key() {
        for (heard, name) in [
            ("古宫", "故宫"),
            ("是窗", "四川"),
            ("崇庆", "重庆"),
            ("三里囤", "三里屯"),
        ] {
            assert!(
                sounds(heard).iter().any(|key| sounds(name).contains(key)),
                "{heard} / {name}"
            );
        }
        for silent in ["Paris", "京", "", "北京a"] {
            assert!(sounds(silent).is_empty(), "{silent}");
        }
    }
}
