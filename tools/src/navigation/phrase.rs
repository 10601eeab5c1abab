//! Distances, times and lists as they are spoken.

use super::service::RoutePreference;
use crate::places::{Place, PlaceKind};
use incar_core::Lang;

/// "约3公里", "about 3 kilometres".
pub(super) fn about(metres: f64, lang: Lang) -> String {
    let length = length(metres, lang);
    lang.pick(format!("约{length}"), format!("about {length}"))
}

/// "3公里", "3 kilometres": rounded as one says it.
pub(super) fn length(metres: f64, lang: Lang) -> String {
    if metres < 995.0 {
        let step = if metres < 100.0 { 10.0 } else { 50.0 };
        let metres = ((metres / step).round() * step).max(10.0);
        if metres < 1_000.0 {
            return lang.pick(format!("{metres}米"), format!("{metres} metres"));
        }
    }
    let km = metres.max(1_000.0) / 1_000.0;
    let km = if km < 10.0 {
        (km * 10.0).round() / 10.0
    } else {
        km.round()
    };
    let unit = if km == 1.0 { "kilometre" } else { "kilometres" };
    lang.pick(format!("{km}公里"), format!("{km} {unit}"))
}

/// "1小时20分钟", "1 hour 20 minutes"; at least a minute.
pub(super) fn duration(seconds: f64, lang: Lang) -> String {
    let minutes = (seconds / 60.0).round().max(1.0) as u64;
    // Nobody counts the minutes of a day's drive.
    let (hours, minutes) = if minutes >= 600 {
        ((minutes + 30) / 60, 0)
    } else {
        (minutes / 60, minutes % 60)
    };
    let some = |count: u64, zh: &str, en: &str| match count {
        0 => String::new(),
        1 => lang.pick(format!("1{zh}"), format!("1 {en}")),
        _ => lang.pick(format!("{count}{zh}"), format!("{count} {en}s")),
    };
    let parts = [some(hours, "小时", "hour"), some(minutes, "分钟", "minute")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(lang.pick("", " "))
}

/// "A、B和C", "A, B and C".
pub(super) fn list(items: &[String], lang: Lang) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => lang.pick(
            format!("{}和{last}", before.join("、")),
            format!("{} and {last}", before.join(", ")),
        ),
    }
}

/// A place as it is spoken: districts and towns, which have many namesakes, with the area they are in.
pub(super) fn name(place: &Place, lang: Lang) -> String {
    match place.kind {
        PlaceKind::District | PlaceKind::County | PlaceKind::Town => place.spoken_name_with_area(lang),
        _ => place.spoken_name(lang).to_owned(),
    }
}

/// A place told apart from its namesakes.
pub(super) fn full_name(place: &Place, lang: Lang) -> String {
    place.spoken_name_with_area(lang)
}

/// A preference as it is spoken.
pub(super) fn preference(preference: RoutePreference, lang: Lang) -> &'static str {
    match preference {
        RoutePreference::Fastest => lang.pick("时间最短", "the fastest route"),
        RoutePreference::Shortest => lang.pick("距离最短", "the shortest route"),
        RoutePreference::AvoidTolls => lang.pick("避开收费", "avoiding tolls"),
        RoutePreference::AvoidHighways => lang.pick("不走高速", "avoiding highways"),
        RoutePreference::AvoidCongestion => lang.pick("躲避拥堵", "avoiding congestion"),
        RoutePreference::HighwaysFirst => lang.pick("高速优先", "highways first"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_as_one_says_them() {
        for (metres, zh, en) in [
            (0.0, "10米", "10 metres"),
            (47.0, "50米", "50 metres"),
            (783.0, "800米", "800 metres"),
            (990.0, "1公里", "1 kilometre"),
            (1_040.0, "1公里", "1 kilometre"),
            (3_260.0, "3.3公里", "3.3 kilometres"),
            (9_980.0, "10公里", "10 kilometres"),
            (128_400.0, "128公里", "128 kilometres"),
        ] {
            assert_eq!(length(metres, Lang::Zh), zh, "{metres}");
            assert_eq!(length(metres, Lang::En), en, "{metres}");
        }
    }

    #[test]
    fn times_are_told_in_hours_and_minutes() {
        for (seconds, zh, en) in [
            (0.0, "1分钟", "1 minute"),
            (540.0, "9分钟", "9 minutes"),
            (3_600.0, "1小时", "1 hour"),
            (8_460.0, "2小时21分钟", "2 hours 21 minutes"),
            (50_000.0, "14小时", "14 hours"),
        ] {
            assert_eq!(duration(seconds, Lang::Zh), zh, "{seconds}");
            assert_eq!(duration(seconds, Lang::En), en, "{seconds}");
        }
    }

    #[test]
    fn lists_end_with_and() {
        let items = ["A", "B", "C"].map(String::from);
        assert_eq!(list(&items, Lang::Zh), "A、B和C");
        assert_eq!(list(&items, Lang::En), "A, B and C");
        assert_eq!(list(&items[..1], Lang::En), "A");
        assert_eq!(list(&[], Lang::En), "");
    }
}
