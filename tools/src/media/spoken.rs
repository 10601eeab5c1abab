//! How to say what plays: names in the driver's language where the library has both.

use incar_core::Lang;

use crate::library::{Library, MediaItem, Track, Video};

/// An item in a sentence: `周杰伦的《晴天》`, `Sunny Day by Jay Chou`.
pub(super) fn item(library: &Library, item: MediaItem, lang: Lang) -> String {
    let name = match item {
        MediaItem::Song(id) => library.track(id).map(|track| song(library, track, lang)),
        MediaItem::Station(id) => library.station(id).map(|station| {
            let name = in_language(&station.name, &station.aliases, lang);
            lang.pick(
                format!("{name}，{}", station.tuning),
                format!("{name}, {}", station.tuning),
            )
        }),
        MediaItem::Tuning(tuning) => Some(tuning.to_string()),
        MediaItem::Video { id, season, episode } => library.video(id).map(|video| {
            let title = video_title(video, lang);
            let part = part(season, episode, lang);
            lang.pick(format!("《{title}》{part}"), format!("{title}{part}"))
        }),
    };
    name.unwrap_or_else(|| lang.pick("这个内容", "this").to_owned())
}

/// The title alone.
pub(super) fn title(track: &Track, lang: Lang) -> &str {
    in_language(&track.title, &track.aliases, lang)
}

/// A video's title.
pub(super) fn video_title(video: &Video, lang: Lang) -> &str {
    in_language(&video.title, &video.aliases, lang)
}

/// All artists of a track.
pub(super) fn artists(library: &Library, track: &Track, lang: Lang) -> String {
    let names: Vec<&str> = track.artists.iter().map(|name| artist(library, name, lang)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => {
            let others = others.join(lang.pick("、", ", "));
            format!("{others}{}{last}", lang.pick("和", " and "))
        }
    }
}

/// An artist, by the name as published.
pub(super) fn artist<'a>(library: &'a Library, name: &'a str, lang: Lang) -> &'a str {
    let known = library.artists().iter().find(|artist| artist.name == name);
    known.map_or(name, |artist| in_language(&artist.name, &artist.aliases, lang))
}

fn song(library: &Library, track: &Track, lang: Lang) -> String {
    let title = title(track, lang);
    let artists = artists(library, track, lang);
    lang.pick(format!("{artists}的《{title}》"), format!("{title} by {artists}"))
}

fn part(season: Option<u16>, episode: Option<u16>, lang: Lang) -> String {
    let season = season.map(|season| lang.pick(format!("第{season}季"), format!(", season {season}")));
    let episode = episode.map(|episode| lang.pick(format!("第{episode}集"), format!(", episode {episode}")));
    [season, episode].into_iter().flatten().collect()
}

/// A stretch of time in words, by the second.
pub(super) fn time(ms: u64, lang: Lang) -> String {
    let seconds = ms / 1000;
    let units = [
        (seconds / 3600, "小时", "hour"),
        (seconds / 60 % 60, "分", "minute"),
        (seconds % 60, "秒", "second"),
    ];
    let is_whole_minutes = seconds > 0 && seconds.is_multiple_of(60);
    let said: Vec<String> = units
        .into_iter()
        .filter(|(count, _, unit)| *count > 0 || (seconds == 0 && *unit == "second"))
        .map(|(count, zh, en)| match lang {
            Lang::Zh if zh == "分" && is_whole_minutes => format!("{count}分钟"),
            Lang::Zh => format!("{count}{zh}"),
            Lang::En => format!("{count} {en}{}", if count == 1 { "" } else { "s" }),
        })
        .collect();
    said.join(lang.pick("", " "))
}

/// The name itself where it can be said in the language, else the first other name that can, else the name itself.
fn in_language<'a>(name: &'a str, aliases: &'a [String], lang: Lang) -> &'a str {
    let fits = |name: &str| match lang {
        Lang::Zh => name.chars().any(is_han) && !name.chars().any(is_kana_or_hangul),
        Lang::En => !name.chars().any(|c| is_han(c) || is_kana_or_hangul(c)),
    };
    std::iter::once(name)
        .chain(aliases.iter().map(String::as_str))
        .find(|name| fits(name))
        .unwrap_or(name)
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_kana_or_hangul(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_said_in_the_drivers_language() {
        let names = |aliases: &[&str]| aliases.iter().map(|alias| (*alias).to_owned()).collect::<Vec<_>>();
        for (name, aliases, zh, en) in [
            ("周杰伦", &["周董", "Jay Chou"][..], "周杰伦", "Jay Chou"),
            ("Hotel California", &["加州旅馆"], "加州旅馆", "Hotel California"),
            ("アイドル", &["Idol", "偶像"], "偶像", "Idol"),
            ("Yesterday", &[], "Yesterday", "Yesterday"),
            ("毒药", &[], "毒药", "毒药"),
        ] {
            let aliases = names(aliases);
            assert_eq!(in_language(name, &aliases, Lang::Zh), zh);
            assert_eq!(in_language(name, &aliases, Lang::En), en);
        }
    }

    #[test]
    fn times_are_said_by_the_second() {
        for (seconds, zh, en) in [
            (0, "0秒", "0 seconds"),
            (15, "15秒", "15 seconds"),
            (60, "1分钟", "1 minute"),
            (125, "2分5秒", "2 minutes 5 seconds"),
            (3661, "1小时1分1秒", "1 hour 1 minute 1 second"),
            (7200, "2小时", "2 hours"),
        ] {
            assert_eq!(time(seconds * 1000, Lang::Zh), zh);
            assert_eq!(time(seconds * 1000 + 999, Lang::En), en);
        }
    }
}
