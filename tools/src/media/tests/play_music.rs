use super::*;

#[test]
fn says_what_it_plays_in_the_drivers_language() {
    for (arguments, zh, en) in [
        (
            json!({"song": "晴天", "artist": "周杰伦"}),
            "正在播放周杰伦的《晴天》。",
            "Playing Sunny Day by Jay Chou.",
        ),
        (
            json!({"song": "hotel california"}),
            "正在播放老鹰乐队的《加州旅馆》。",
            "Playing Hotel California by Eagles.",
        ),
        (
            json!({"song": "bohemian rapsody"}),
            "正在播放皇后乐队的《波西米亚狂想曲》。",
            "Playing Bohemian Rhapsody by Queen.",
        ),
        (
            json!({"artist": "jay chou"}),
            "正在播放周杰伦的歌，先是《晴天》。",
            "Playing songs by Jay Chou, starting with Sunny Day.",
        ),
        (
            json!({"chart": "热歌榜"}),
            "正在播放热歌榜，先是周杰伦的《晴天》。",
            "Playing the chart 热歌榜, starting with Sunny Day by Jay Chou.",
        ),
    ] {
        for (lang, expected) in [(ZH, zh), (EN, en)] {
            let bench = Bench::new(lang);
            assert_eq!(bench.say("play_music", arguments.clone()), expected);
            assert_eq!(bench.signal("Media.Player.State"), "playing");
        }
    }
}

#[test]
fn tells_what_was_matched() {
    let result = Bench::new(EN)
        .call("play_music", json!({"song": "晴添", "artist": "周董"}))
        .unwrap()
        .value;
    for (pointer, expected) in [
        ("/title", json!("晴天")),
        ("/artist", json!("周杰伦")),
        ("/index", json!(1)),
        ("/position", json!(0)),
        (
            "/matched/0",
            json!({"field": "artist", "said": "周董", "names": ["周杰伦"], "fit": "alias"}),
        ),
        (
            "/matched/1",
            json!({"field": "song", "said": "晴添", "names": ["晴天"], "fit": "sound"}),
        ),
    ] {
        assert_eq!(result.pointer(pointer), Some(&expected), "{pointer} of {result}");
    }
}

#[test]
fn what_is_not_there_is_named_and_nothing_changes() {
    for (arguments, zh, en) in [
        (
            json!({"song": "从没有人唱过的歌名"}),
            "没有找到歌曲《从没有人唱过的歌名》。",
            "I couldn't find a song called 从没有人唱过的歌名.",
        ),
        (
            json!({"artist": "Nobody Ever Heard"}),
            "没有找到歌手“Nobody Ever Heard”。",
            "I couldn't find an artist called Nobody Ever Heard.",
        ),
        (
            json!({"genre": "xylophonecore"}),
            "没有找到“xylophonecore”这类音乐。",
            "I couldn't find any music for xylophonecore.",
        ),
        (
            json!({"song": "晴天", "artist": "林俊杰"}),
            "没有找到林俊杰的《晴天》，只有周杰伦的。",
            "I couldn't find 晴天 by JJ Lin, only by Jay Chou.",
        ),
        (
            json!({"artist": "邓丽君", "genre": "金属"}),
            "没有找到同时符合这些要求的内容。",
            "I found nothing that fits all of that.",
        ),
    ] {
        for (lang, expected) in [(ZH, zh), (EN, en)] {
            let bench = playing(lang, json!({"song": "七里香"}));
            let error = bench.call("play_music", arguments.clone()).unwrap_err();
            assert_eq!((error.kind, error.message.as_str()), (ErrorKind::NotFound, expected));
            assert_eq!(error.argument, None);
            assert_eq!(bench.track(), "七里香");
        }
    }
}

#[test]
fn nothing_said_is_asked_about() {
    for arguments in [json!({}), json!({"song": " "})] {
        for (lang, question) in [(ZH, "想听什么歌？"), (EN, "What would you like to hear?")] {
            let Err(Refusal::Failed(error)) = Bench::new(lang).resolve("play_music", &arguments) else {
                panic!("{arguments} is asked about")
            };
            assert_eq!(error.kind, ErrorKind::InvalidInput);
            assert_eq!(error.argument.as_deref(), Some("song"));
            assert_eq!(error.message, question);
        }
    }
}

#[test]
fn arguments_are_those_of_the_contract() {
    let bench = Bench::new(EN);
    let spec = bench.registry.get("play_music").unwrap().spec().clone();
    let properties = spec.parameters["properties"].as_object().unwrap();
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected = [
        "album",
        "artist",
        "chart",
        "genre",
        "instrument",
        "language",
        "mood",
        "playlist",
        "scene",
        "song",
        "source",
        "theme",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        properties["source"]["enum"],
        json!(["local", "bluetooth", "usb", "online"])
    );
    assert_eq!(spec.required().count(), 0);
}

#[test]
fn after_a_song_the_music_goes_on_with_its_artist() {
    let bench = playing(EN, json!({"song": "青花瓷"}));
    let seconds = bench.signal("Media.Player.Duration").as_u64().unwrap();
    bench.advance(seconds - 1);
    assert_eq!(bench.track(), "青花瓷");
    bench.advance(1);
    assert_ne!(bench.track(), "青花瓷");
    assert_eq!(bench.signal("Media.Player.Artist"), "周杰伦");
    assert_eq!(bench.signal("Media.Player.State"), "playing");
}

#[test]
fn a_source_alone_plays_what_lies_there() {
    let bench = playing(EN, json!({"source": "usb"}));
    assert!(bench.signal("Media.Player.Queue.Length").as_u64().unwrap() > 20);
}
