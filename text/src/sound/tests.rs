use proptest::prelude::*;

use super::*;

fn sounds(word: &str) -> Vec<SyllableSet> {
    sound(&Text::new(word), 0..99)
}

/// `most` is the dearest the pair may be, `None` that it is not near.
fn check(heard: &str, word: &str, most: Option<f32>) {
    let cost = sound_cost(&sounds(heard), &sounds(word));
    match most {
        Some(most) => assert!(cost.is_some_and(|cost| cost <= most), "{heard} {word}: {cost:?}"),
        None => assert_eq!(cost, None, "{heard} {word}"),
    }
}

#[test]
fn homophones_and_accents() {
    for (heard, word, most) in [
        ("空条", "空调", Some(0.05)),
        ("主价", "主驾", Some(0.05)),
        ("車窗", "车窗", Some(0.0)),
        ("四度", "是度", Some(0.2)),
        ("牛奶", "流奶", Some(0.25)),
        ("下雨", "下鱼", Some(0.1)),
        ("通风", "痛风", Some(0.05)),
        ("除雾", "出物", Some(0.05)),
        ("开AC", "开ac", Some(0.0)),
        ("车窗", "空调", None),
        ("打开", "关闭", None),
        ("窗", "车窗", None),
        ("AC", "CD", None),
    ] {
        check(heard, word, most);
    }
}

#[test]
fn names_by_sound() {
    for (a, b, near) in [
        ("周杰轮", "周杰伦", true),
        ("邓子琪", "邓紫棋", true),
        ("陈奕讯", "陈奕迅", true),
        ("王力宏", "王立红", true),
        ("星光天地商场", "星光天地", false),
        ("新光天地", "星光天地", true),
        ("人民广", "人民广场", true),
        ("张三", "李四", false),
        ("", "", false),
    ] {
        let cost = SoundKey::new(a).cost(&SoundKey::new(b));
        assert_eq!(cost.is_some(), near, "{a} {b}: {cost:?}");
    }
}

#[test]
fn a_lexicon_in_an_utterance() {
    let words = ["空调", "座椅", "座椅加热", "车窗", "", "二"];
    let index = SoundIndex::new(words);
    assert_eq!(index.len(), words.len());
    for (heard, expected) in [
        ("打开空条", vec![("空调", 2..4)]),
        ("坐椅加热打开", vec![("座椅", 0..2), ("座椅加热", 0..4)]),
        ("把车床关了", vec![("车窗", 1..3)]),
        ("2档", vec![("二", 0..1)]),
        ("你好", vec![]),
    ] {
        let mut found: Vec<_> = index
            .find(&sounds(heard))
            .into_iter()
            .map(|found| (words[found.word], found.range))
            .collect();
        found.sort_by_key(|(_, range)| range.end);
        assert_eq!(found, expected, "{heard}");
    }
}

#[test]
fn the_nearest_name_comes_first() {
    let index = SoundIndex::new(["周杰", "周洁伦", "林俊杰", "朱杰伦"]);
    let found = index.nearest(&SoundKey::new("周杰轮"), 2);
    assert_eq!(found.first().map(|found| (found.word, found.cost)), Some((1, 0.0)));
    assert!(index.nearest(&SoundKey::new("打开车窗吧"), 2).is_empty());
}

proptest! {
    #[test]
    fn a_text_sounds_like_itself(source in any::<String>()) {
        let text = Text::new(&source);
        let sounds = sound(&text, 0..usize::MAX);
        prop_assert_eq!(sounds.len(), text.len());
        prop_assert_eq!(sound_cost(&sounds, &sounds), Some(0.0));
    }

    #[test]
    fn near_is_mutual(a in "[一-龥]{1,5}", b in "[一-龥]{1,5}") {
        let (a, b) = (SoundKey::new(&a), SoundKey::new(&b));
        let (there, back) = (a.cost(&b), b.cost(&a));
        prop_assert_eq!(there.is_some(), back.is_some());
        prop_assert!((there.unwrap_or(0.0) - back.unwrap_or(0.0)).abs() < 1e-6);
        prop_assert!(there.is_none_or(|cost| (0.0..=NEAR).contains(&cost)));
    }
}
