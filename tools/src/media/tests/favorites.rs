use super::*;

#[test]
fn what_plays_is_added_once_and_played_again() {
    for (lang, added, known, plays, removed, missing) in [
        (
            ZH,
            "已收藏周杰伦的《晴天》。",
            "周杰伦的《晴天》已经收藏过了。",
            "正在播放收藏的周杰伦的《晴天》。",
            "已取消收藏周杰伦的《晴天》。",
            "周杰伦的《晴天》没有收藏过。",
        ),
        (
            EN,
            "Added Sunny Day by Jay Chou to your favorites.",
            "Sunny Day by Jay Chou is among your favorites already.",
            "Playing your favorite, Sunny Day by Jay Chou.",
            "Removed Sunny Day by Jay Chou from your favorites.",
            "Sunny Day by Jay Chou was not among your favorites.",
        ),
    ] {
        let bench = playing(lang, json!({"song": "晴天"}));
        let add = || bench.say("edit_favorites", json!({"action": "add"}));
        assert_eq!((add(), add()), (added.to_owned(), known.to_owned()));
        bench.say("control_playback", json!({"action": "next"}));
        assert_eq!(bench.say("play_favorites", json!({})), plays);
        assert_eq!(bench.track(), "晴天");
        let remove = || bench.say("edit_favorites", json!({"action": "remove", "media": "music"}));
        assert_eq!((remove(), remove()), (removed.to_owned(), missing.to_owned()));
    }
}

#[test]
fn each_kind_has_its_own() {
    let bench = Bench::new(EN);
    for (tool, arguments) in [
        ("play_music", json!({"song": "晴天"})),
        ("play_music", json!({"song": "七里香"})),
        ("play_radio", json!({"frequency": 97.4})),
        ("play_video", json!({"title": "亮剑", "episode": 3})),
    ] {
        bench.say(tool, arguments);
        bench.say("edit_favorites", json!({"action": "add"}));
    }
    for (media, kind, count) in [("music", "song", 2), ("radio", "radio", 1), ("video", "video", 1)] {
        let result = bench.call("play_favorites", json!({"media": media})).unwrap().value;
        assert_eq!(
            (&result["kind"], &result["queue_length"]),
            (&json!(kind), &json!(count))
        );
    }
    assert_eq!(
        bench.say("play_favorites", json!({"media": "music"})),
        "Playing your 2 favorite songs, starting with Sunny Day by Jay Chou."
    );
}

#[test]
fn where_there_is_nothing_it_is_said() {
    for (tool, arguments, zh, en) in [
        (
            "play_favorites",
            json!({}),
            "还没有收藏歌曲。",
            "There are no favorite songs yet.",
        ),
        (
            "play_favorites",
            json!({"media": "radio"}),
            "还没有收藏电台。",
            "There are no favorite stations yet.",
        ),
        (
            "edit_favorites",
            json!({"action": "add"}),
            "现在没有在播放。",
            "Nothing is playing right now.",
        ),
    ] {
        for (lang, expected) in [(ZH, zh), (EN, en)] {
            let error = Bench::new(lang).call(tool, arguments.clone()).unwrap_err();
            assert_eq!((error.kind, error.message.as_str()), (ErrorKind::NotFound, expected));
        }
    }
    let bench = playing(ZH, json!({"song": "晴天"}));
    let error = bench
        .call("edit_favorites", json!({"action": "add", "media": "radio"}))
        .unwrap_err();
    assert_eq!(error.message, "现在播放的不是电台。");
}
