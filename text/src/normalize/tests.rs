use proptest::prelude::*;

use super::*;

fn check_words(source: &str, expected: &str) {
    let text = Text::new(source);
    let words: Vec<&str> = text.words().collect();
    assert_eq!(words.join("|"), expected, "{source}");
}

#[test]
fn units() {
    for (source, expected) in [
        ("打开车窗", "打|开|车|窗"),
        ("What's the 2nd song?", "what's|the|2|nd|song"),
        ("don't", "don't"),
        ("'hello'", "hello"),
        ("调到22.5℃", "调|到|22.5|℃"),
        ("22 °C", "22|℃"),
        ("22°", "22|°"),
        ("at 8:30 p.m. please", "at|8|30|pm|please"),
        ("G.E.M.邓紫棋", "gem|邓|紫|棋"),
        ("Aug. 8, 2020", "aug|8|2020"),
        ("1,000 km", "1000|km"),
        ("音量30，500米", "音|量|30|500|米"),
        ("-5度", "-|5|度"),
        ("30%", "30|%"),
        ("3.", "3"),
        (" .5", ".5"),
        ("《晴天》", "晴|天"),
        ("set_temperature", "set|temperature"),
        ("ありがとう", "あ|り|が|と|う"),
        ("Привет", "привет"),
        ("", ""),
        ("，。！", ""),
    ] {
        check_words(source, expected);
    }
}

#[test]
fn gaps() {
    for (source, index, expected) in [
        ("打开车窗", 1, Gap::None),
        ("打开 车窗", 2, Gap::Space),
        ("twenty-one", 1, Gap::Hyphen),
        ("8:30", 1, Gap::Colon),
        ("8/21", 1, Gap::Slash),
        ("好，开窗", 1, Gap::Comma),
        ("好、开窗", 1, Gap::Comma),
        ("好。开窗", 1, Gap::Stop),
        ("好？ 开窗", 1, Gap::Stop),
        ("好；开窗", 1, Gap::Stop),
        ("注意: 开窗", 2, Gap::Comma),
        ("好吗？", 2, Gap::Stop),
    ] {
        assert_eq!(Text::new(source).gap_before(index), expected, "{source}");
    }
}

#[test]
fn the_original_keeps_the_speakers_words() {
    let text = Text::new("播放《Don’t  Stop》，謝謝");
    assert_eq!(text.original(2..4), "Don’t  Stop");
    assert_eq!(text.normal(2..4), "don't stop");
    assert_eq!(text.original(4..6), "謝謝");
    assert_eq!(text.original(0..99), "播放《Don’t  Stop》，謝謝");
    assert_eq!(text.original(7..9), "");
    assert_eq!(Text::new("零下 -5").normal(0..3), "零下");
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = 3..1;
    assert_eq!(text.original(reversed), "");
}

#[test]
fn a_space_between_chinese_characters_is_no_part_of_the_normal_form() {
    for (source, expected) in [
        ("打开 空调", "打开空调"),
        ("播放 Hello", "播放 hello"),
        ("播放hello", "播放hello"),
        ("2020-08-08", "2020-08-08"),
        ("twenty-one, please!", "twenty-one please"),
    ] {
        let text = Text::new(source);
        assert_eq!(text.normal(0..text.len()), expected, "{source}");
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let spoken = "[一二三点半百分之打开空调調車窗第零个a-cA-C0-9 .,:/'%℃°½\u{301}\u{338}。，？！—_-]{0,24}";
    prop_oneof![any::<String>(), "\\PC*", spoken]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn units_are_ordered_and_on_character_boundaries(source in any_text()) {
        let text = Text::new(&source);
        let mut end = 0;
        for (index, unit) in text.units().iter().enumerate() {
            prop_assert!(end <= unit.start && unit.start <= unit.end && unit.end <= source.len());
            prop_assert!(source.get(unit.start..unit.end).is_some());
            prop_assert!(!text.word(index).is_empty());
            end = unit.end;
        }
    }

    #[test]
    fn the_normal_form_of_a_normal_form_is_itself(source in any_text(), from in 0_usize..6, len in 0_usize..30) {
        let text = Text::new(&source);
        let normal = text.normal(from..from + len);
        let again = Text::new(&normal);
        prop_assert_eq!(again.normal(0..again.len()), normal);
    }
}
