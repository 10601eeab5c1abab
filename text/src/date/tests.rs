use jiff::civil::date;
use proptest::prelude::*;

use super::*;

/// A Wednesday, at ten in the morning.
fn now() -> DateTime {
    date(2024, 5, 15).at(10, 0, 0, 0)
}

/// `rest` is what the date leaves of the text.
fn check(source: &str, expected: &str, rest: &str) {
    let text = Text::new(source);
    let (span, units) = date_at(&text, 0, now()).unwrap_or_else(|| panic!("no date in {source}"));
    assert_eq!(span.iso_interval(), expected, "{source}: {span:?}");
    assert_eq!(text.normal(units..text.len()), rest, "{source}: {span:?}");
}

#[test]
fn chinese_days() {
    for (source, expected, rest) in [
        ("今天天气", "2024-05-15", "天气"),
        ("明天的天气", "2024-05-16", "的天气"),
        ("后天", "2024-05-17", ""),
        ("大后天", "2024-05-18", ""),
        ("昨天", "2024-05-14", ""),
        ("前天", "2024-05-13", ""),
        ("周三", "2024-05-15", ""),
        ("周五会下雨吗", "2024-05-17", "会下雨吗"),
        ("周一", "2024-05-20", ""),
        ("星期天", "2024-05-19", ""),
        ("禮拜五", "2024-05-17", ""),
        ("这周一", "2024-05-13", ""),
        ("下周一", "2024-05-20", ""),
        ("下个星期五", "2024-05-24", ""),
        ("下下周一", "2024-05-27", ""),
        ("上周五", "2024-05-10", ""),
        ("周末", "2024-05-18/2024-05-19", ""),
        ("这周末", "2024-05-18/2024-05-19", ""),
        ("下周末", "2024-05-25/2024-05-26", ""),
        ("这周", "2024-05-15/2024-05-19", ""),
        ("下周天气", "2024-05-20/2024-05-26", "天气"),
        ("下个月", "2024-06-01/2024-06-30", ""),
        ("下个月三号", "2024-06-03", ""),
        ("七月八号", "2024-07-08", ""),
        ("7月8日", "2024-07-08", ""),
        ("三月八号", "2025-03-08", ""),
        ("二月二十九号", "2028-02-29", ""),
        ("明年三月五号", "2025-03-05", ""),
        ("二零二六年五月一号", "2026-05-01", ""),
        ("2024年5月1日", "2024-05-01", ""),
        ("十月", "2024-10-01/2024-10-31", ""),
        ("三号", "2024-06-03", ""),
        ("二十号", "2024-05-20", ""),
        ("31号", "2024-05-31", ""),
        ("国庆节", "2024-10-01", ""),
        ("元旦", "2025-01-01", ""),
        ("圣诞节", "2024-12-25", ""),
        ("未来三天", "2024-05-16/2024-05-18", ""),
        ("接下来一周", "2024-05-16/2024-05-22", ""),
        ("这三天", "2024-05-15/2024-05-17", ""),
        ("未来几天的天气", "2024-05-16/2024-05-18", "的天气"),
        ("三天后", "2024-05-18", ""),
        ("三天之后", "2024-05-18", ""),
        ("两周后", "2024-05-29", ""),
        ("三个月后", "2024-08-15", ""),
        ("三天前", "2024-05-12", ""),
        ("周一到周五", "2024-05-20/2024-05-24", ""),
        ("下星期天气", "2024-05-20/2024-05-26", "天气"),
        ("周五到周日", "2024-05-17/2024-05-19", ""),
        ("2024-08-08", "2024-08-08", ""),
        ("2024/8/8", "2024-08-08", ""),
    ] {
        check(source, expected, rest);
    }
}

#[test]
fn chinese_times() {
    for (source, expected, rest) in [
        ("后天下午三点", "2024-05-17T15:00", ""),
        ("明早七点的闹钟", "2024-05-16T07:00", "的闹钟"),
        ("明天早上八点半", "2024-05-16T08:30", ""),
        ("今晚八点", "2024-05-15T20:00", ""),
        ("今晚十二点", "2024-05-16T00:00", ""),
        ("晚上一点半", "2024-05-16T01:30", ""),
        ("下午一点", "2024-05-15T13:00", ""),
        ("中午十二点", "2024-05-15T12:00", ""),
        ("中午一点", "2024-05-15T13:00", ""),
        ("凌晨两点", "2024-05-15T02:00", ""),
        ("三点", "2024-05-15T15:00", ""),
        ("九点", "2024-05-15T21:00", ""),
        ("十一点", "2024-05-15T11:00", ""),
        ("三点半", "2024-05-15T15:30", ""),
        ("三点十五", "2024-05-15T15:15", ""),
        ("三点五分", "2024-05-15T15:05", ""),
        ("八点一刻", "2024-05-15T20:15", ""),
        ("十二点零五", "2024-05-15T12:05", ""),
        ("八点钟", "2024-05-15T20:00", ""),
        ("一点钟", "2024-05-15T13:00", ""),
        ("一点半", "2024-05-15T13:30", ""),
        ("20点", "2024-05-15T20:00", ""),
        ("明天8:30", "2024-05-16T08:30", ""),
        ("明天三点", "2024-05-16T15:00", ""),
        ("周五的晚上七点", "2024-05-17T19:00", ""),
        ("两小时后", "2024-05-15T12:00", ""),
        ("两个半小时后", "2024-05-15T12:30", ""),
        ("半小时后", "2024-05-15T10:30", ""),
        ("半个小时之后", "2024-05-15T10:30", ""),
        ("20分钟后", "2024-05-15T10:20", ""),
        ("过一刻钟", "2024-05-15T10:15", ""),
    ] {
        check(source, expected, rest);
    }
}

#[test]
fn english_days() {
    for (source, expected, rest) in [
        ("today's weather", "2024-05-15", "weather"),
        ("tomorrow", "2024-05-16", ""),
        ("the day after tomorrow", "2024-05-17", ""),
        ("on friday", "2024-05-17", ""),
        ("this friday", "2024-05-17", ""),
        ("next friday", "2024-05-24", ""),
        ("last friday", "2024-05-10", ""),
        ("on sat", "2024-05-18", ""),
        ("this weekend", "2024-05-18/2024-05-19", ""),
        ("next week", "2024-05-20/2024-05-26", ""),
        ("in three days", "2024-05-18", ""),
        ("two weeks from now", "2024-05-29", ""),
        ("a week from today", "2024-05-22", ""),
        ("the next three days", "2024-05-16/2024-05-18", ""),
        ("next few days", "2024-05-16/2024-05-18", ""),
        ("july eighth", "2024-07-08", ""),
        ("july the 8th", "2024-07-08", ""),
        ("the fourth of july", "2024-07-04", ""),
        ("Aug. 8, 2020 in Paris", "2020-08-08", "in paris"),
        ("june seventeenth, 2034", "2034-06-17", ""),
        ("march third twenty twenty six", "2026-03-03", ""),
        ("feb. the second", "2025-02-02", ""),
        ("on the 5th", "2024-06-05", ""),
        ("on november 11th", "2024-11-11", ""),
        ("on 8/21", "2024-08-21", ""),
        ("10/21/2024", "2024-10-21", ""),
        ("in july", "2024-07-01/2024-07-31", ""),
        ("christmas", "2024-12-25", ""),
        ("new year's eve", "2024-12-31", ""),
        ("thanksgiving", "2024-11-28", ""),
        ("friday to sunday", "2024-05-17/2024-05-19", ""),
        ("3 years and a half from now", "2027-11-15", ""),
    ] {
        check(source, expected, rest);
    }
}

#[test]
fn english_times() {
    for (source, expected, rest) in [
        ("at 8 pm", "2024-05-15T20:00", ""),
        ("at 8 p.m. please", "2024-05-15T20:00", "please"),
        ("8pm", "2024-05-15T20:00", ""),
        ("8:30", "2024-05-15T20:30", ""),
        ("02:45 am", "2024-05-16T02:45", ""),
        ("half past six", "2024-05-15T18:30", ""),
        ("a quarter to nine", "2024-05-15T20:45", ""),
        ("ten past three", "2024-05-15T15:10", ""),
        ("seven thirty pm", "2024-05-15T19:30", ""),
        ("at seven oh five", "2024-05-15T19:05", ""),
        ("eight o'clock", "2024-05-15T20:00", ""),
        ("zero o'clock", "2024-05-16T00:00", ""),
        ("tomorrow at seven", "2024-05-16T07:00", ""),
        ("at seven tomorrow morning", "2024-05-16T07:00", ""),
        ("tonight at eight", "2024-05-15T20:00", ""),
        ("friday at 3", "2024-05-17T15:00", ""),
        ("at noon", "2024-05-15T12:00", ""),
        ("midnight", "2024-05-16T00:00", ""),
        ("in two hours", "2024-05-15T12:00", ""),
        ("in an hour and a half", "2024-05-15T11:30", ""),
        ("in half an hour", "2024-05-15T10:30", ""),
        ("on monday at 8 am", "2024-05-20T08:00", ""),
    ] {
        check(source, expected, rest);
    }
}

#[test]
fn parts_of_the_day() {
    for (source, day, part) in [
        ("今晚", 15, DayPart::Evening),
        ("明早", 16, DayPart::Morning),
        ("明天早上", 16, DayPart::Morning),
        ("下午", 15, DayPart::Afternoon),
        ("凌晨", 16, DayPart::EarlyMorning),
        ("后天夜里", 17, DayPart::Night),
        ("tonight", 15, DayPart::Night),
        ("tomorrow morning", 16, DayPart::Morning),
        ("this afternoon", 15, DayPart::Afternoon),
        ("in the evening", 15, DayPart::Evening),
        ("on the morning", 0, DayPart::Morning),
        ("last night", 14, DayPart::Night),
    ] {
        let found = date_at(&Text::new(source), 0, now());
        if day == 0 {
            assert_eq!(found, None, "{source}");
            continue;
        }
        let (span, _) = found.unwrap_or_else(|| panic!("no date in {source}"));
        assert_eq!((span.start, span.part), (date(2024, 5, day), Some(part)), "{source}");
        assert_eq!(span.granularity, Granularity::DayPart, "{source}");
    }
}

#[test]
fn what_is_no_date() {
    for (source, index) in [
        ("一点", 0),
        ("大一点", 1),
        ("三点五", 0),
        ("二十二点五度", 0),
        ("63号", 0),
        ("三号线", 0),
        ("二号楼", 0),
        ("三天", 0),
        ("三个月", 0),
        ("早上好", 0),
        ("五月天的歌", 0),
        ("早点", 0),
        ("周杰伦", 0),
        ("good morning", 1),
        ("night mode", 0),
        ("sun visor", 0),
        ("may i", 0),
        ("on the second floor", 0),
        ("on the screen", 0),
        ("at 7 percent", 0),
        ("at twenty degrees", 0),
        ("one third", 0),
        ("8/21", 0),
        ("am seven twenty", 0),
        ("next song", 0),
        ("last one", 0),
        ("this one", 0),
        ("25:00", 0),
        ("2024-13-40", 0),
        ("二月三十号", 0),
        ("", 0),
    ] {
        assert_eq!(date_at(&Text::new(source), index, now()), None, "{source}");
    }
}

#[test]
fn an_hour_today_that_has_passed_is_twelve_hours_later() {
    let afternoon = date(2024, 5, 15).at(14, 0, 0, 0);
    for (source, expected) in [
        ("今天八点", "2024-05-15T20:00"),
        ("三点", "2024-05-15T15:00"),
        ("一点半", "2024-05-16T01:30"),
        ("早上", "2024-05-16"),
        ("今早", "2024-05-15"),
        ("8 am", "2024-05-16T08:00"),
    ] {
        let (span, _) = date_at(&Text::new(source), 0, afternoon).unwrap();
        assert_eq!(span.iso(), expected, "{source}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_text_at_any_time(
        source in prop_oneof![any::<String>(),
            "[今明后大前昨天早上下午晚周星期末一二三十零点半刻分号月年日个小时后前未来这的过到0-9:/-]{0,14}",
            "((on|in|at|the|next|last|this|friday|week|days|july|may|8th|8|2020|twenty|three|half|past|to|quarter|pm|night|from|now|a|of)[ ,.]{1,2}){0,8}"],
        year in 1_i16..=9999, month in 1_i8..=12, hour in 0_i8..24,
    ) {
        let text = Text::new(&source);
        let now = date(year, month, 28).at(hour, 59, 0, 0);
        for index in 0..=text.len() {
            if let Some((span, units)) = date_at(&text, index, now) {
                prop_assert!(units > 0 && index + units <= text.len());
                prop_assert!(span.start <= span.end, "{span:?}");
                prop_assert_eq!(span.time.is_some(), span.moment().is_some());
                prop_assert_eq!(span.time.is_some(), span.granularity == Granularity::Minute);
            }
        }
    }
}
