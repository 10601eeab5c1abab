//! Chinese days and times.

use jiff::civil::{DateTime, Weekday};

use super::calendar::{self, Measure, Offset};
use super::{Clock, DayPart, Days, Place, Said, SaidTime, written};
use crate::Text;
use crate::number::zh::{cardinal, digit_run};

/// What makes of N号 or N日 something else than a day: 三号线, 二号楼.
const AFTER_LABEL: &str = "线楼门院馆店桌车机口路码公航站厅铺厂文仓仪位座本报元";

/// Every character that an expression can begin with, besides numerals: most positions are settled by this alone.
const STARTS: &str = "半过再未今往之以后接最这近明昨前大去下上本周星礼元情劳儿教国万平圣跨凌早清中傍晚夜深晨";

pub(super) fn said(text: &Text, at: usize, now: DateTime, place: Place) -> Option<(Said, usize)> {
    if !STARTS.contains(text.word(at)) && whole(text, at).is_none() && count(text, at).is_none() {
        return None;
    }
    let found = later(text, at, now)
        .or_else(|| stretch(text, at, now))
        .or_else(|| days(text, at, now).map(|(days, end)| (Said::days(days), end)));
    if found.is_some() {
        return found;
    }
    named_part(text, at, now, place).or_else(|| time(text, at, place))
}

/// A count in front of a unit of time, whole or with a fraction.
fn count(text: &Text, at: usize) -> Option<(f64, usize)> {
    match text.word(at).parse::<f64>() {
        Ok(value) if value.is_finite() => Some((value, at + 1)),
        _ => cardinal(text, at),
    }
}

fn whole(text: &Text, at: usize) -> Option<(i64, usize)> {
    match written::whole(text, at) {
        Some(value) => Some((value, at + 1)),
        None => cardinal(text, at).map(|(value, end)| (value as i64, end)),
    }
}

/// 三天, 两个小时, 一个半小时, 半小时, 一周, 三个月.
fn duration(text: &Text, at: usize) -> Option<(f64, Measure, usize)> {
    let (mut amount, mut end) = match text.word(at) {
        "半" => (0.5, at + 1),
        _ => count(text, at)?,
    };
    let counted = text.next_word(end) == "个";
    end += usize::from(counted);
    if counted && text.next_word(end) == "半" {
        amount += 0.5;
        end += 1;
    }
    let (measure, units) = match (text.next_word(end), text.next_word(end + 1)) {
        ("分", "钟") => (Measure::Minute, 2),
        ("小", "时") | ("钟", "头") => (Measure::Hour, 2),
        ("刻", "钟") => {
            amount *= 15.0;
            (Measure::Minute, 2)
        }
        ("天", _) => (Measure::Day, 1),
        ("周", _) => (Measure::Week, 1),
        ("星", "期") | ("礼", "拜") => (Measure::Week, 2),
        ("月", _) if counted => (Measure::Month, 1),
        ("年", _) => (Measure::Year, 1),
        _ => return None,
    };
    end += units;
    if text.next_word(end) == "半" {
        amount += if text.next_word(end - 1) == "钟" { 0.0 } else { 0.5 };
        end += 1;
    }
    Some((amount, measure, end))
}

/// 三天后, 两小时之后, 过半小时, 三天前.
fn later(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    if matches!(text.word(at), "过" | "再") {
        let start = if text.continues(at + 1, &["过"]) {
            at + 2
        } else {
            at + 1
        };
        let (amount, measure, end) = duration(text, start)?;
        return Some((calendar::later(now, amount, measure)?, end));
    }
    let (amount, measure, end) = duration(text, at)?;
    let (sign, units) = match (text.next_word(end), text.next_word(end + 1)) {
        ("之" | "以" | "过", "后") => (1.0, 2),
        ("后", _) => (1.0, 1),
        ("之" | "以", "前") => (-1.0, 2),
        ("前", _) => (-1.0, 1),
        _ => return None,
    };
    Some((calendar::later(now, sign * amount, measure)?, end + units))
}

/// 未来三天, 接下来一周, 这几天.
fn stretch(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let (first, start) = match (text.word(at), text.next_word(at + 1)) {
        ("未", "来") | ("今" | "往", "后") | ("之" | "以" | "后", "后" | "面") => (1, at + 2),
        ("接", "下") if text.next_word(at + 2) == "来" => (1, at + 3),
        ("最", "近") => (0, at + 2),
        ("这" | "近", _) => (0, at + 1),
        _ => return None,
    };
    let start = start + usize::from(text.next_word(start) == "的");
    let (amount, measure, end) = if text.continues(start, &["几", "天"]) {
        (3.0, Measure::Day, start + 2)
    } else {
        duration(text, start)?
    };
    let this_week = first == 0 && measure == Measure::Week && amount == 1.0;
    let days = if this_week {
        calendar::week(now.date(), 0)?
    } else {
        calendar::stretch(now.date(), first, amount, measure)?
    };
    Some((Said::days(days), end))
}

fn days(text: &Text, at: usize, now: DateTime) -> Option<(Days, usize)> {
    let today = now.date();
    let one = |ahead: i64, end: usize| Some((Days::one(calendar::plus_days(today, ahead)?), end));
    match (text.word(at), text.next_word(at + 1)) {
        ("今", "天" | "日" | "儿") => one(0, at + 2),
        ("明", "天" | "日" | "儿") => one(1, at + 2),
        ("昨", "天" | "日" | "儿") => one(-1, at + 2),
        ("后", "天" | "日") => one(2, at + 2),
        ("前", "天" | "日") => one(-2, at + 2),
        ("大", "后") if text.next_word(at + 2) == "天" => one(3, at + 3),
        ("大", "前") if text.next_word(at + 2) == "天" => one(-3, at + 3),
        _ => holiday(text, at, now)
            .or_else(|| weeks(text, at, now))
            .or_else(|| months(text, at, now))
            .or_else(|| years(text, at, now)),
    }
}

fn holiday(text: &Text, at: usize, now: DateTime) -> Option<(Days, usize)> {
    const FIXED: [(&[&str], i8, i8); 10] = [
        (&["元", "旦"], 1, 1),
        (&["情", "人", "节"], 2, 14),
        (&["劳", "动", "节"], 5, 1),
        (&["儿", "童", "节"], 6, 1),
        (&["教", "师", "节"], 9, 10),
        (&["国", "庆"], 10, 1),
        (&["万", "圣", "节"], 10, 31),
        (&["平", "安", "夜"], 12, 24),
        (&["圣", "诞"], 12, 25),
        (&["跨", "年", "夜"], 12, 31),
    ];
    let spelled = |words: &[&str]| {
        text.word(at) == *words.first().unwrap_or(&"") && text.continues(at + 1, words.get(1..).unwrap_or_default())
    };
    let (words, month, day) = FIXED.iter().find(|(words, ..)| spelled(words))?;
    let mut end = at + words.len();
    end += usize::from(text.next_word(end) == "节");
    if matches!(text.next_word(end), "路" | "街" | "歌" | "树" | "老" | "快") {
        return None;
    }
    let date = calendar::day_of_year(now.date(), None, *month, *day)?;
    Some((Days::one(date), end))
}

/// 这, 本, 上, 下, 下下 …: which week or month.
fn offset(text: &Text, at: usize) -> (Option<Offset>, usize) {
    let (offset, end) = match (text.word(at), text.next_word(at + 1)) {
        ("下", "下") => (Some(2), at + 2),
        ("上", "上") => (Some(-2), at + 2),
        ("下", _) => (Some(1), at + 1),
        ("上", _) => (Some(-1), at + 1),
        ("这" | "本", _) => (Some(0), at + 1),
        _ => (None, at),
    };
    let classified = offset.is_some() && matches!(text.next_word(end), "个" | "一");
    (offset, end + usize::from(classified))
}

fn weeks(text: &Text, at: usize, now: DateTime) -> Option<(Days, usize)> {
    let today = now.date();
    let (offset, start) = offset(text, at);
    let word = |index: usize| {
        if index == at {
            text.word(index)
        } else {
            text.next_word(index)
        }
    };
    let named = match (word(start), text.next_word(start + 1)) {
        ("周", _) => start + 1,
        ("星", "期") | ("礼", "拜") => start + 2,
        _ => return None,
    };
    let weekday = match text.next_word(named) {
        "一" | "1" => Weekday::Monday,
        "二" | "2" => Weekday::Tuesday,
        "三" | "3" => Weekday::Wednesday,
        "四" | "4" => Weekday::Thursday,
        "五" | "5" => Weekday::Friday,
        "六" | "6" => Weekday::Saturday,
        "天" if text.next_word(named + 1) == "气" => return Some((calendar::week(today, offset?)?, named)),
        "日" | "天" | "7" => Weekday::Sunday,
        "末" => return Some((calendar::weekend(today, offset.unwrap_or(0))?, named + 1)),
        _ => return Some((calendar::week(today, offset?)?, named)),
    };
    let date = match offset {
        Some(offset) => calendar::weekday_of(today, weekday, offset)?,
        None => calendar::coming_weekday(today, weekday)?,
    };
    Some((Days::one(date), named + 1))
}

/// The day N号 or N日.
fn day_of_month(text: &Text, at: usize) -> Option<(i8, usize)> {
    let (day, end) = whole(text, at)?;
    let label = text.next_word(end + 1);
    let is_day = matches!(text.next_word(end), "号" | "日") && (label.is_empty() || !AFTER_LABEL.contains(label));
    let day = i8::try_from(day).ok().filter(|day| is_day && (1..=31).contains(day))?;
    Some((day, end + 1))
}

/// 下个月, 下个月三号, 七月八号, 三号.
fn months(text: &Text, at: usize, now: DateTime) -> Option<(Days, usize)> {
    let today = now.date();
    if let (Some(offset), start) = offset(text, at) {
        if text.next_word(start) != "月" {
            return None;
        }
        return match day_of_month(text, start + 1) {
            Some((day, end)) => Some((Days::one(calendar::day_of_month(today, offset, day)?), end)),
            None => Some((calendar::month(today, offset)?, start + 1)),
        };
    }
    if let Some(found) = month_and_day(text, at, now, None) {
        return Some(found);
    }
    let (day, end) = day_of_month(text, at)?;
    Some((Days::one(calendar::coming_day_of_month(today, day)?), end))
}

/// 七月, 七月八号.
fn month_and_day(text: &Text, at: usize, now: DateTime, year: Option<i16>) -> Option<(Days, usize)> {
    let (month, end) = whole(text, at)?;
    if text.next_word(end) != "月" || !(1..=12).contains(&month) {
        return None;
    }
    let month = i8::try_from(month).ok()?;
    let end = end + 1;
    if let Some((day, end)) = day_of_month(text, end) {
        return Some((Days::one(calendar::day_of_year(now.date(), year, month, day)?), end));
    }
    // 五月天 is a band.
    let month = calendar::named_month(now.date(), year, month).filter(|_| text.next_word(end) != "天")?;
    Some((month, end))
}

/// 明年, 明年三月五号, 二零二四年五月一号, 2024年.
fn years(text: &Text, at: usize, now: DateTime) -> Option<(Days, usize)> {
    let ahead = match (text.word(at), text.next_word(at + 1)) {
        ("今", "年") => Some(0),
        ("明", "年") => Some(1),
        ("后", "年") => Some(2),
        ("去", "年") => Some(-1),
        ("前", "年") => Some(-2),
        _ => None,
    };
    let (days, end) = match ahead {
        Some(ahead) => (calendar::year(now.date(), ahead)?, at + 2),
        None => {
            let (year, end) = match written::whole(text, at) {
                Some(year) => (year, at + 1),
                None => {
                    let (digits, end) = digit_run(text, at)?;
                    (digits.parse().ok()?, end)
                }
            };
            let year = (1900..=2199).contains(&year).then_some(year)?;
            if text.next_word(end) != "年" {
                return None;
            }
            (
                calendar::year(now.date(), year - i64::from(now.date().year()))?,
                end + 1,
            )
        }
    };
    let named = text.next_word(end);
    if named.is_empty() {
        return Some((days, end));
    }
    Some(month_and_day(text, end, now, Some(days.end.year())).unwrap_or((days, end)))
}

/// 早上, 下午, 今晚, 明早.
fn named_part(text: &Text, at: usize, now: DateTime, place: Place) -> Option<(Said, usize)> {
    let ahead = match text.word(at) {
        "今" => Some(0),
        "明" => Some(1),
        "昨" => Some(-1),
        _ => None,
    };
    if let Some(ahead) = ahead {
        let (part, end) = part(text, at + 1, Place::Later)?;
        let day = Said::day(calendar::plus_days(now.date(), ahead)?);
        return Some((day.with(Said::part(part))?, end));
    }
    let (part, end) = part(text, at, place)?;
    Some((Said::part(part), end))
}

fn part(text: &Text, at: usize, place: Place) -> Option<(DayPart, usize)> {
    let after_day = place == Place::Later;
    let (part, end) = match (text.word(at), text.next_word(at + 1)) {
        ("凌", "晨") => (DayPart::EarlyMorning, at + 2),
        ("早", "上" | "晨") | ("清", "晨") | ("上" | "午", "午") => (DayPart::Morning, at + 2),
        ("中", "午") => (DayPart::Noon, at + 2),
        ("下", "午") => (DayPart::Afternoon, at + 2),
        ("傍", "晚") | ("晚", "上" | "间") => (DayPart::Evening, at + 2),
        ("夜" | "半" | "深", "里" | "夜" | "晚") => (DayPart::Night, at + 2),
        ("早", next) if after_day && !matches!(next, "点" | "些" | "一") => (DayPart::Morning, at + 1),
        ("晨", _) if after_day => (DayPart::Morning, at + 1),
        ("晚", next) if after_day && !matches!(next, "点" | "些" | "一") => (DayPart::Evening, at + 1),
        ("夜", _) if after_day => (DayPart::Night, at + 1),
        _ => return None,
    };
    // 早上好 is a greeting.
    (text.next_word(end) != "好").then_some((part, end))
}

/// 三点, 三点半, 八点一刻, 十二点零五, 八点三十分, 20点.
fn time(text: &Text, at: usize, place: Place) -> Option<(Said, usize)> {
    let (hour, end) = whole(text, at)?;
    let after = text.next_word(end + 1);
    match text.next_word(end) {
        "点" if after != "儿" => {}
        "时" if !matches!(after, "候" | "间" | "速" | "尚" | "光" | "代") => {}
        _ => return None,
    }
    let end = end + 1;
    let (minute, end, plain) = match text.next_word(end) {
        "整" => (0, end + 1, false),
        "钟" => (0, end + 1, false),
        "半" => (30, end + 1, false),
        _ => match minutes(text, end) {
            Minutes::Said(minute, end) => (minute, end, false),
            Minutes::None => (0, end, true),
            Minutes::Decimals => return None,
        },
    };
    // 一点 alone is "a bit".
    if plain && hour == 1 && text.word(at) == "一" && place == Place::First {
        return None;
    }
    let time = SaidTime::new(hour, minute, Clock::Vague)?;
    Some((Said::time(time), end))
}

enum Minutes {
    None,
    Said(i64, usize),
    /// 三点五: a decimal.
    Decimals,
}

fn minutes(text: &Text, at: usize) -> Minutes {
    let zero = text.next_word(at) == "零";
    let start = at + usize::from(zero);
    if text.next_word(start).is_empty() {
        return Minutes::None;
    }
    let Some((value, end)) = whole(text, start) else {
        return if zero { Minutes::Decimals } else { Minutes::None };
    };
    let digits = text.word(start).len();
    match text.next_word(end) {
        "刻" if value <= 3 => Minutes::Said(value * 15, end + 1),
        "分" => {
            let units = if text.next_word(end + 1) == "钟" { 2 } else { 1 };
            Minutes::Said(value, end + units)
        }
        _ if zero && value < 10 => Minutes::Said(value, end),
        _ if value >= 10 || (digits == 2 && written::whole(text, start).is_some()) => Minutes::Said(value, end),
        _ => Minutes::Decimals,
    }
}
