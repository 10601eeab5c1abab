use super::*;

fn query(fields: &[(MusicField, &str)]) -> MusicQuery {
    let mut query = MusicQuery::default();
    for (field, said) in fields {
        let slot = match field {
            MusicField::Song => &mut query.song,
            MusicField::Artist => &mut query.artist,
            MusicField::Album => &mut query.album,
            MusicField::Genre => &mut query.genre,
            MusicField::Mood => &mut query.mood,
            MusicField::Scene => &mut query.scene,
            MusicField::Language => &mut query.language,
            MusicField::Playlist => &mut query.playlist,
            MusicField::Chart => &mut query.chart,
            MusicField::Instrument => &mut query.instrument,
            MusicField::Theme => &mut query.theme,
        };
        *slot = Some((*said).to_owned());
    }
    query
}

/// What is found, as "title / artist".
fn found(library: &Library, query: &MusicQuery) -> Result<Vec<String>, NotFound> {
    let found = library.find(query)?;
    let name = |id: &TrackId| {
        library
            .track(*id)
            .map(|track| format!("{} / {}", track.title, track.main_artist()))
            .unwrap()
    };
    Ok(found.tracks.iter().map(name).collect())
}

use MusicField::*;

#[test]
fn songs_are_found_as_said() {
    let library = Library::shared();
    for (said, fit, first) in [
        (&[(Song, "晴天"), (Artist, "周杰伦")][..], Fit::Exact, "晴天 / 周杰伦"),
        (&[(Song, "晴天"), (Artist, "jay chou")], Fit::Exact, "晴天 / 周杰伦"),
        (&[(Song, "晴天"), (Artist, "周杰轮")], Fit::Exact, "晴天 / 周杰伦"),
        (&[(Song, "晴添"), (Artist, "周董")], Fit::Sound, "晴天 / 周杰伦"),
        (&[(Song, "喜欢你"), (Artist, "beyond")], Fit::Exact, "喜欢你 / Beyond"),
        (&[(Song, "喜欢你"), (Artist, "鄧紫棋")], Fit::Exact, "喜欢你 / 邓紫棋"),
        (&[(Song, "昨日重现")], Fit::Alias, "Yesterday Once More / Carpenters"),
        (&[(Song, "Yesterday")], Fit::Exact, "Yesterday / The Beatles"),
        (
            &[(Song, "bohemian rapsody")],
            Fit::Spelling,
            "Bohemian Rhapsody / Queen",
        ),
        (
            &[(Song, "country roads")],
            Fit::Alias,
            "Take Me Home, Country Roads / John Denver",
        ),
        (&[(Song, "夜空中最亮的")], Fit::Part, "夜空中最亮的星 / 逃跑计划"),
        (&[(Song, "因为爱情"), (Artist, "王菲")], Fit::Exact, "因为爱情 / 陈奕迅"),
    ] {
        let query = query(said);
        assert_eq!(found(&library, &query).unwrap()[0], first, "{said:?}");
        let matched = library.find(&query).unwrap().matched;
        assert_eq!(
            matched.iter().find(|matched| matched.field == Song).unwrap().fit,
            fit,
            "{said:?}"
        );
    }
}

#[test]
fn all_versions_of_a_title_are_found() {
    let library = Library::shared();
    let mut versions = found(&library, &query(&[(Song, "fast car")])).unwrap();
    versions.sort();
    assert_eq!(versions, ["Fast Car / Luke Combs", "Fast Car / Tracy Chapman"]);
}

#[test]
fn what_is_not_there_is_said_with_its_reason() {
    let library = Library::shared();
    let unknown = |field, said: &str| NotFound::Unknown {
        field,
        said: said.to_owned(),
    };
    for (said, expected) in [
        (&[][..], NotFound::NothingAsked),
        (&[(Song, "从没有人唱过的歌名")], unknown(Song, "从没有人唱过的歌名")),
        (&[(Artist, "Nobody Ever Heard")], unknown(Artist, "Nobody Ever Heard")),
        (
            &[(Artist, "不存在的乐队"), (Song, "晴天")],
            unknown(Artist, "不存在的乐队"),
        ),
        (&[(Album, "第九百张专辑")], unknown(Album, "第九百张专辑")),
        (&[(Chart, "外星榜单")], unknown(Chart, "外星榜单")),
        (&[(Playlist, "qwxyz")], unknown(Playlist, "qwxyz")),
        (&[(Genre, "xylophonecore")], unknown(Genre, "xylophonecore")),
        (&[(Artist, "邓丽君"), (Genre, "metal")], NotFound::NothingFitsAll),
    ] {
        assert_eq!(found(&library, &query(said)), Err(expected), "{said:?}");
    }
    let error = library.find(&query(&[(Artist, "JJ"), (Song, "晴天")])).unwrap_err();
    let NotFound::NotByArtist {
        song,
        artist,
        by_others,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((song.as_str(), artist.as_str()), ("晴天", "林俊杰"));
    assert_eq!(library.track(by_others[0]).unwrap().main_artist(), "周杰伦");
}

#[test]
fn every_track_found_has_what_was_asked_for() {
    let library = Library::shared();
    let check = |said: &[(MusicField, &str)], least: usize, holds: fn(&Track) -> bool| {
        let tracks = library
            .find(&query(said))
            .unwrap_or_else(|error| panic!("{said:?}: {error}"))
            .tracks;
        assert!(tracks.len() >= least, "{said:?}: only {}", tracks.len());
        for id in tracks {
            let track = library.track(id).unwrap();
            assert!(holds(track), "{said:?}: {track:?}");
        }
    };
    check(&[(Artist, "周杰伦")], 15, |track| {
        track.artists.contains(&"周杰伦".to_owned())
    });
    check(&[(Artist, "陈奕迅"), (Language, "粤语")], 5, |track| {
        track.language == "cantonese"
    });
    check(&[(Language, "华语")], 300, |track| {
        ["mandarin", "cantonese", "minnan"].contains(&track.language.as_str())
    });
    check(&[(Language, "french")], 5, |track| track.language == "french");
    check(&[(Genre, "摇滚")], 50, |track| {
        track
            .genres
            .iter()
            .any(|genre| ["rock", "metal", "punk"].contains(&genre.as_str()))
    });
    check(&[(Genre, "轻音乐")], 10, |track| {
        track
            .genres
            .iter()
            .any(|genre| ["light_music", "new_age"].contains(&genre.as_str()))
    });
    check(&[(Genre, "儿歌")], 30, |track| {
        track.genres.contains(&"children".to_owned())
    });
    check(&[(Mood, "happy")], 50, |track| {
        track.moods.contains(&"happy".to_owned())
    });
    check(&[(Scene, "睡觉"), (Language, "纯音乐")], 5, |track| {
        track.language == "instrumental"
    });
    check(&[(Theme, "钢琴")], 10, |track| {
        track.instruments.contains(&"piano".to_owned())
    });
    check(&[(Instrument, "古筝")], 2, |track| {
        track.instruments.contains(&"guzheng".to_owned())
    });
    check(&[(Theme, "nineties")], 50, |track| {
        (1990..2000).contains(&track.year.unwrap())
    });
    check(&[(Genre, "90s hip hop")], 3, |track| {
        (1990..2000).contains(&track.year.unwrap()) && track.genres.contains(&"hip_hop".to_owned())
    });
    check(&[(Theme, "1977")], 3, |track| track.year == Some(1977));
    check(&[(Mood, "欢快的英文歌")], 10, |track| {
        track.language == "english" && track.moods.contains(&"happy".to_owned())
    });
    check(&[(Album, "叶惠美")], 3, |track| {
        track.album.as_deref() == Some("叶惠美")
    });
    check(&[(Song, "叶惠美")], 3, |track| {
        track.album.as_deref() == Some("叶惠美")
    });
    check(&[(Song, "Taylor Swift")], 5, |track| {
        track.main_artist() == "Taylor Swift"
    });
}

#[test]
fn lists_keep_their_order() {
    let library = Library::shared();
    for (field, said, name) in [
        (Chart, "热歌榜", "热歌榜"),
        (Chart, "热门歌曲", "热歌榜"),
        (Chart, "最新的新歌榜", "新歌榜"),
        (Playlist, "road trip songs", "Road Trip"),
        (Playlist, "健身", "健身"),
    ] {
        let lists = if field == Chart {
            library.charts()
        } else {
            library.playlists()
        };
        let list = lists.iter().find(|list| list.name == name).unwrap();
        assert_eq!(
            library.find(&query(&[(field, said)])).unwrap().tracks,
            list.tracks,
            "{said}"
        );
    }
    let tracks = library
        .find(&query(&[(Playlist, "哄睡时听的轻音乐歌单")]))
        .unwrap()
        .tracks;
    assert!(
        tracks
            .iter()
            .all(|id| library.track(*id).unwrap().scenes.contains(&"sleep".to_owned()))
    );
}

#[test]
fn a_source_narrows_the_choice() {
    let library = Library::shared();
    let on = |source| {
        library
            .find(&MusicQuery {
                source: Some(source),
                ..MusicQuery::default()
            })
            .unwrap()
            .tracks
    };
    assert_eq!(on(Source::Online).len(), library.tracks().len());
    for source in [Source::Local, Source::Bluetooth, Source::Usb] {
        let tracks = on(source);
        assert!(tracks.len() > 20 && tracks.len() < library.tracks().len());
        assert!(tracks.iter().all(|id| library.track(*id).unwrap().is_on(source)));
    }
}
