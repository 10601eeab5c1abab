use super::*;
use crate::library::{Library, NameKind};

fn problem(files: Files<'_>) -> DataError {
    Library::build(&files).unwrap_err()
}

#[test]
fn there_is_enough_of_everything() {
    let library = Library::shared();
    for (what, count, least) in [
        ("songs", library.tracks().len(), 500),
        ("stations", library.stations().len(), 40),
        ("videos", library.videos().len(), 80),
        ("charts", library.charts().len(), 10),
        ("playlists", library.playlists().len(), 10),
        (
            "cantonese",
            library
                .tracks()
                .iter()
                .filter(|track| track.language == "cantonese")
                .count(),
            30,
        ),
        (
            "english",
            library
                .tracks()
                .iter()
                .filter(|track| track.language == "english")
                .count(),
            100,
        ),
        (
            "japanese and korean",
            library
                .tracks()
                .iter()
                .filter(|track| ["japanese", "korean"].contains(&track.language.as_str()))
                .count(),
            20,
        ),
    ] {
        assert!(count >= least, "{what}: {count}");
    }
}

#[test]
fn the_files_are_sorted() {
    let library = Library::shared();
    let year = |year: Option<u16>| year.map(|year| year.to_string()).unwrap_or_default();
    assert!(library.tracks().is_sorted_by_key(|track| (
        &track.language,
        track.main_artist(),
        year(track.year),
        &track.title
    )));
    assert!(library.artists().is_sorted_by_key(|artist| &artist.name));
    assert!(library.stations().is_sorted_by_key(|station| (
        &station.city,
        station.tuning.band == Band::Fm,
        station.tuning.khz
    )));
}

#[test]
fn songs_for_the_road_last_some_minutes() {
    let library = Library::shared();
    let is_short = |track: &&Track| track.seconds < 900;
    let common = library.tracks().iter().filter(is_short).count();
    assert!(
        common * 50 >= library.tracks().len() * 49,
        "only whole works and epics last a quarter of an hour"
    );
}

#[test]
fn every_name_leads_to_something() {
    let library = Library::shared();
    for kind in [
        NameKind::Song,
        NameKind::Artist,
        NameKind::Album,
        NameKind::Playlist,
        NameKind::Chart,
        NameKind::Station,
        NameKind::Video,
    ] {
        let mut count = 0;
        for name in library.names(kind) {
            let is_found = match kind {
                NameKind::Song => library.titles.exact(name.spoken).is_some(),
                NameKind::Artist => library.artist_names.exact(name.spoken).is_some(),
                NameKind::Album => library.album_names.exact(name.spoken).is_some(),
                NameKind::Playlist => library.playlist_names.exact(name.spoken).is_some(),
                NameKind::Chart => library.chart_names.exact(name.spoken).is_some(),
                NameKind::Station => library.station_names.exact(name.spoken).is_some(),
                NameKind::Video => library.video_names.exact(name.spoken).is_some(),
            };
            assert!(is_found, "{kind:?} {name:?}");
            count += 1;
        }
        assert!(count > 20, "{kind:?}");
    }
    let jay = library
        .names(NameKind::Artist)
        .find(|name| name.spoken == "Jay Chou")
        .unwrap();
    assert_eq!(jay.canonical, "周杰伦");
}

#[test]
fn every_tag_is_on_some_track() {
    let library = Library::shared();
    let words = [
        "布鲁斯",
        "粤语",
        "生日",
        "二胡",
        "葫芦丝",
        "圣诞",
        "中秋",
        "万圣节",
        "咖啡馆",
        "六十年代",
        "孤独",
        "探戈",
        "京剧",
    ];
    for word in words {
        let wanted = library.music_tags.resolve(word);
        assert_eq!(wanted.len(), 1, "{word}");
        assert!(library.tracks().iter().any(|track| track.fits(&wanted[0])), "{word}");
    }
}

#[test]
fn faults_are_refused() {
    let twice = format!("{0}{1}\n", EMBEDDED.songs, EMBEDDED.songs.lines().last().unwrap());
    assert!(matches!(
        problem(Files {
            songs: &twice,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Duplicate { .. }
    ));
    let short = EMBEDDED.songs.replace("\t269\n", "\t2\n");
    assert!(matches!(
        problem(Files {
            songs: &short,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Value { column: "seconds", .. }
    ));
    let untagged = EMBEDDED.songs.replace("\tcantonese\t", "\tklingon\t");
    assert!(matches!(
        problem(Files {
            songs: &untagged,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Unknown { column: "language", .. }
    ));
    let nobody = format!("{}Nobody\t\n", EMBEDDED.artists);
    assert!(matches!(
        problem(Files {
            artists: &nobody,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Unknown { column: "name", .. }
    ));
    let no_jay = EMBEDDED.artists.replace("周杰伦\tJay", "周杰\tJay");
    assert!(matches!(
        problem(Files {
            artists: &no_jay,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Unknown { .. }
    ));
    for (songs, expected) in [
        ("", DataProblem::Empty { column: "songs" }),
        (
            "\"a / b\"",
            DataProblem::Unknown {
                column: "songs",
                value: "a / b".into(),
            },
        ),
        (
            "\"晴天 / 周杰伦\", \"晴天 / 周杰伦\"",
            DataProblem::Duplicate {
                name: "晴天 / 周杰伦".into(),
                owner: "x".into(),
            },
        ),
    ] {
        let charts = format!("[[chart]]\nname = \"x\"\naliases = []\nsongs = [{songs}]\n");
        assert_eq!(
            problem(Files {
                charts: &charts,
                ..EMBEDDED
            }),
            DataError::new("charts.toml", "x", expected)
        );
    }
    let off_band = EMBEDDED.stations.replace("\t103.9\t", "\t203.9\t");
    assert!(matches!(
        problem(Files {
            stations: &off_band,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Value {
            column: "frequency",
            ..
        }
    ));
    let kind = EMBEDDED.videos.replace("\tfilm\t", "\tfilmm\t");
    assert!(matches!(
        problem(Files {
            videos: &kind,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Value { column: "kind", .. }
    ));
    let heading = EMBEDDED.videos.replace("title\taliases", "title\talias");
    assert!(matches!(
        problem(Files {
            videos: &heading,
            ..EMBEDDED
        })
        .problem,
        DataProblem::Heading { .. }
    ));
}
