use proptest::prelude::*;

use super::NumberKind::{Cardinal, Decimal, Digits, Fraction, Ordinal, Percent};
use super::*;

/// `rest` is what the number leaves of the text.
fn check(source: &str, value: f64, kind: NumberKind, rest: &str) {
    let text = Text::new(source);
    let (number, units) = number_at(&text, 0).unwrap_or_else(|| panic!("no number in {source}"));
    assert!((number.value - value).abs() < 1e-9, "{source}: {number:?}");
    assert_eq!(number.kind, kind, "{source}: {number:?}");
    assert_eq!(text.normal(units..text.len()), rest, "{source}: {number:?}");
}

fn check_none(source: &str, index: usize) {
    let text = Text::new(source);
    assert_eq!(number_at(&text, index), None, "{source} at {index}");
}

#[test]
fn chinese_cardinals() {
    for (source, value, rest) in [
        ("五", 5.0, ""),
        ("零", 0.0, ""),
        ("十", 10.0, ""),
        ("十六度", 16.0, "度"),
        ("二十", 20.0, ""),
        ("二十二度", 22.0, "度"),
        ("两百", 200.0, ""),
        ("一百二", 120.0, ""),
        ("一百二十", 120.0, ""),
        ("一百零二", 102.0, ""),
        ("一百一十五", 115.0, ""),
        ("三千五", 3_500.0, ""),
        ("一千零五十", 1_050.0, ""),
        ("两万三", 23_000.0, ""),
        ("一万零五百", 10_500.0, ""),
        ("三亿两千万", 320_000_000.0, ""),
        ("兩百五", 250.0, ""),
        ("两三个", 2.0, "个"),
        ("零下五度", -5.0, "度"),
        ("负三", -3.0, ""),
        ("一个", 1.0, "个"),
        ("三点", 3.0, "点"),
        ("三点半", 3.0, "点半"),
        ("三点十五", 3.0, "点十五"),
        ("三点五分", 3.0, "点五分"),
        ("二十二度半", 22.0, "度半"),
        ("三二十", 3.0, "二十"),
        ("2万", 20_000.0, ""),
        ("1.5万", 15_000.0, ""),
        ("五一路", 51.0, "路"),
    ] {
        let kind = if source == "五一路" { Digits } else { Cardinal };
        check(source, value, kind, rest);
    }
}

#[test]
fn chinese_decimals_percents_fractions() {
    for (source, value, kind, rest) in [
        ("三点五", 3.5, Decimal, ""),
        ("二十二点五度", 22.5, Decimal, "度"),
        ("一点五", 1.5, Decimal, ""),
        ("零点零五", 0.05, Decimal, ""),
        ("一百零三点七", 103.7, Decimal, ""),
        ("22点5", 22.5, Decimal, ""),
        ("百分之三十", 30.0, Percent, ""),
        ("百分之七十五点五", 75.5, Percent, ""),
        ("百分之百", 100.0, Percent, ""),
        ("百分百", 100.0, Percent, ""),
        ("百分之30", 30.0, Percent, ""),
        ("30%", 30.0, Percent, ""),
        ("二十个百分点", 20.0, Percent, ""),
        ("三成", 30.0, Percent, ""),
        ("三成半", 35.0, Percent, ""),
        ("三分之一", 1.0 / 3.0, Fraction, ""),
        ("四分之三", 0.75, Fraction, ""),
        ("一半", 0.5, Fraction, ""),
        ("1/3", 1.0 / 3.0, Fraction, ""),
        ("负三点五", -3.5, Decimal, ""),
        ("-5.5度", -5.5, Decimal, "度"),
        ("3½", 3.5, Decimal, ""),
    ] {
        check(source, value, kind, rest);
    }
}

#[test]
fn ranks() {
    for (source, value, rest) in [
        ("第二", 2.0, ""),
        ("第二个", 2.0, "个"),
        ("第十二集", 12.0, "集"),
        ("第3首", 3.0, "首"),
        ("最后一个", -1.0, "个"),
        ("倒数第二个", -2.0, "个"),
        ("first", 1.0, ""),
        ("the third one", 0.0, ""),
        ("twenty-first", 21.0, ""),
        ("2nd song", 2.0, "song"),
        ("last one", -1.0, "one"),
    ] {
        if value == 0.0 {
            check_none(source, 0);
        } else {
            check(source, value, Ordinal, rest);
        }
    }
}

#[test]
fn digit_strings_keep_their_zeros() {
    for (source, spelled) in [
        ("幺三八零零", "13800"),
        ("一三八零零一三八零零零", "13800138000"),
        ("零五七一八八", "057188"),
        ("二零二四", "2024"),
        ("一二零", "120"),
        ("13800138000", "13800138000"),
        ("138 0013 8000", "13800138000"),
        ("555-0123", "5550123"),
        ("007", "007"),
        ("five oh five", "505"),
        ("nine one one", "911"),
        ("nineteen ninety four", "1994"),
        ("twenty twenty four", "2024"),
        ("seven twenty", "720"),
    ] {
        let text = Text::new(source);
        let (number, units) = number_at(&text, 0).unwrap();
        assert_eq!(number.kind, Digits, "{source}");
        assert_eq!(number.spelled(), spelled);
        assert_eq!(units, text.len(), "{source}");
    }
}

#[test]
fn english_numbers() {
    for (source, value, kind, rest) in [
        ("twenty one", 21.0, Cardinal, ""),
        ("twenty-one degrees", 21.0, Cardinal, "degrees"),
        ("twenty one and a half", 21.5, Decimal, ""),
        ("a hundred and five", 105.0, Cardinal, ""),
        ("one hundred", 100.0, Cardinal, ""),
        ("twelve hundred", 1_200.0, Cardinal, ""),
        ("two thousand and twenty four", 2_024.0, Cardinal, ""),
        ("three million two hundred thousand", 3_200_000.0, Cardinal, ""),
        ("one oh one point five", 101.5, Decimal, ""),
        ("ninety nine point nine", 99.9, Decimal, ""),
        ("point five", 0.5, Decimal, ""),
        ("half", 0.5, Fraction, ""),
        ("halfway", 0.5, Fraction, ""),
        ("a quarter", 0.25, Fraction, ""),
        ("three quarters", 0.75, Fraction, ""),
        ("one third", 1.0 / 3.0, Fraction, ""),
        ("two thirds", 2.0 / 3.0, Fraction, ""),
        ("fifteen percent", 15.0, Percent, ""),
        ("30 per cent", 30.0, Percent, ""),
        ("minus five", -5.0, Cardinal, ""),
        ("zero", 0.0, Cardinal, ""),
        (
            "twenty and the back to eighteen",
            20.0,
            Cardinal,
            "and the back to eighteen",
        ),
        ("twenty, three", 20.0, Cardinal, "three"),
        ("one", 1.0, Cardinal, ""),
    ] {
        check(source, value, kind, rest);
    }
}

#[test]
fn what_is_no_number() {
    for (source, index) in [
        ("一点", 0),
        ("大一点", 1),
        ("一下", 0),
        ("一起", 0),
        ("第一首", 1),
        ("统一", 1),
        ("周一", 1),
        ("两边", 0),
        ("十分热", 0),
        ("一点半", 0),
        ("半", 0),
        ("千万别开", 0),
        ("万一", 0),
        ("won", 0),
        ("to", 0),
        ("a song", 0),
        ("this one", 1),
        ("the second one", 2),
        ("one of them", 0),
        ("point the air at me", 0),
        ("half past six", 0),
        ("last week", 0),
        ("one second", 1),
        ("oh no", 0),
        ("打开", 0),
        ("", 0),
        ("五", 7),
    ] {
        check_none(source, index);
    }
}

#[test]
fn a_half_where_the_caller_asks() {
    for (source, index, units) in [
        ("二十二度半", 4, Some(1)),
        ("三个半小时", 2, Some(1)),
        ("半小时", 0, Some(1)),
        ("two hours and a half", 2, Some(3)),
        ("三个小时", 2, None),
    ] {
        let half = half_at(&Text::new(source), index);
        assert_eq!(
            half.map(|(number, units)| (number.value, units)),
            units.map(|units| (0.5, units)),
            "{source}"
        );
    }
}

#[test]
fn all_numbers_of_a_text() {
    for (source, expected) in [
        ("温度二十二度风量三挡", vec![22.0, 3.0]),
        ("front to twenty and back to twenty three", vec![20.0, 23.0]),
        ("音量百分之三十，亮度一半", vec![30.0, 0.5]),
        ("没有", vec![]),
    ] {
        let values: Vec<f64> = numbers(&Text::new(source))
            .into_iter()
            .map(|(_, number)| number.value)
            .collect();
        assert_eq!(values, expected, "{source}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_number_lies_within_the_text(
        source in prop_oneof![any::<String>(), "[零一二两三九十百千万亿点半分之第成负下最后数0-9.%/ -]{0,16}",
            "((one|two|twenty|hundred|and|a|half|thirds|point|oh|thousand|percent|second|last|minus)[ ,-]){0,10}"],
    ) {
        let text = Text::new(&source);
        for index in 0..=text.len() {
            if let Some((number, units)) = number_at(&text, index) {
                prop_assert!(units > 0 && index + units <= text.len());
                prop_assert!(number.value.is_finite());
                prop_assert!(!number.spelled().is_empty());
            }
            half_at(&text, index);
        }
    }

    #[test]
    fn every_chinese_cardinal_reads_back(value in 1_u64..1_000_000_000) {
        let (number, units) = number_at(&Text::new(&spoken(value)), 0).unwrap();
        prop_assert_eq!(number.value, value as f64, "{}", spoken(value));
        prop_assert_eq!(units, spoken(value).chars().count());
    }
}

/// A plain Chinese numeral, section by section.
fn spoken(value: u64) -> String {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let section = |value: u64| {
        let mut said = String::new();
        let mut zero = false;
        for (power, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
            let digit = value / power % 10;
            if digit == 0 {
                zero = !said.is_empty();
            } else {
                said.push_str(if zero { "零" } else { "" });
                said.push_str(DIGITS[digit as usize]);
                said.push_str(name);
                zero = false;
            }
        }
        said
    };
    let mut said = String::new();
    for (power, name) in [(100_000_000, "亿"), (10_000, "万"), (1, "")] {
        let part = value / power % 10_000;
        if part > 0 {
            said.push_str(if !said.is_empty() && part < 1000 { "零" } else { "" });
            said.push_str(&section(part));
            said.push_str(name);
        }
    }
    said
}
