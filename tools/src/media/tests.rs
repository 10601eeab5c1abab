use incar_core::{Effect, ErrorKind, Lang, Refusal};
use serde_json::{Value, json};

use super::testing::Bench;

const ZH: Lang = Lang::Zh;
const EN: Lang = Lang::En;

fn playing(lang: Lang, arguments: Value) -> Bench {
    let bench = Bench::new(lang);
    bench.say("play_music", arguments);
    bench
}

mod play_music {
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
}

mod control_playback {
    use super::*;

    fn control(bench: &Bench, action: &str) -> String {
        bench.say("control_playback", json!({"action": action}))
    }

    #[test]
    fn each_action_does_what_it_says() {
        let state = "Media.Player.State";
        let place = "Media.Player.Queue.Index";
        let position = "Media.Player.Position";
        let repeat = "Media.Player.Repeat";
        let shuffle = "Media.Player.Shuffle";
        let speed = "Media.Player.Speed";
        let cases: &[(&[Value], Value, &str, Value)] = &[
            (&[], json!({"action": "pause"}), state, json!("paused")),
            (
                &[json!({"action": "pause"})],
                json!({"action": "resume"}),
                state,
                json!("playing"),
            ),
            (
                &[json!({"action": "stop"})],
                json!({"action": "resume"}),
                state,
                json!("playing"),
            ),
            (&[], json!({"action": "stop"}), state, json!("stopped")),
            (&[], json!({"action": "next"}), place, json!(3)),
            (&[], json!({"action": "previous"}), place, json!(1)),
            (&[], json!({"action": "replay"}), position, json!(0)),
            (&[], json!({"action": "repeat_one"}), repeat, json!("one")),
            (&[], json!({"action": "repeat_all"}), repeat, json!("all")),
            (&[], json!({"action": "shuffle"}), shuffle, json!(true)),
            (
                &[json!({"action": "repeat_one"})],
                json!({"action": "shuffle"}),
                repeat,
                json!("off"),
            ),
            (
                &[json!({"action": "shuffle"})],
                json!({"action": "in_order"}),
                shuffle,
                json!(false),
            ),
            (
                &[json!({"action": "repeat_all"})],
                json!({"action": "in_order"}),
                repeat,
                json!("off"),
            ),
            (&[], json!({"action": "seek", "seconds": 120}), position, json!(120)),
            (&[], json!({"action": "seek", "index": 5}), place, json!(5)),
            (&[], json!({"action": "next", "index": 5}), place, json!(5)),
            (
                &[],
                json!({"action": "seek", "index": 5, "seconds": 7}),
                position,
                json!(7),
            ),
            (&[], json!({"action": "forward"}), position, json!(55)),
            (&[], json!({"action": "forward", "seconds": 30}), position, json!(70)),
            (&[], json!({"action": "rewind"}), position, json!(25)),
            (&[], json!({"action": "rewind", "seconds": 60}), position, json!(0)),
            (&[], json!({"action": "faster"}), speed, json!(125)),
            (&[], json!({"action": "slower"}), speed, json!(75)),
        ];
        for (first, call, signal, expected) in cases {
            // The second song of the chart, 40 seconds in.
            let bench = playing(EN, json!({"chart": "热歌榜"}));
            control(&bench, "next");
            bench.advance(40);
            for call in *first {
                bench.say("control_playback", call.clone());
            }
            bench.say("control_playback", call.clone());
            assert_eq!(bench.signal(signal), *expected, "{first:?} {call}");
        }
    }

    #[test]
    fn says_what_it_did() {
        for (call, zh, en) in [
            (json!({"action": "pause"}), "已暂停。", "Paused."),
            (json!({"action": "stop"}), "已停止播放。", "Stopped."),
            (
                json!({"action": "next"}),
                "正在播放陈奕迅的《孤勇者》。",
                "Playing 孤勇者 by Eason Chan.",
            ),
            (
                json!({"action": "replay"}),
                "从头播放周杰伦的《晴天》。",
                "Playing Sunny Day by Jay Chou from the start.",
            ),
            (
                json!({"action": "seek", "seconds": 120}),
                "跳到2分钟。",
                "Now at 2 minutes.",
            ),
            (
                json!({"action": "forward", "seconds": 30}),
                "快进到40秒。",
                "Skipped forward to 40 seconds.",
            ),
            (
                json!({"action": "faster"}),
                "现在是1.25倍速。",
                "Now at 1.25 times speed.",
            ),
            (
                json!({"action": "resume"}),
                "周杰伦的《晴天》正在播放。",
                "Sunny Day by Jay Chou is playing.",
            ),
        ] {
            for (lang, expected) in [(ZH, zh), (EN, en)] {
                let bench = playing(lang, json!({"chart": "热歌榜"}));
                bench.advance(10);
                assert_eq!(bench.say("control_playback", call.clone()), expected);
            }
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_and_changes_nothing() {
        for (call, kind, argument) in [
            (json!({"action": "previous"}), ErrorKind::NotFound, None),
            (json!({"action": "seek"}), ErrorKind::InvalidInput, Some("seconds")),
            (
                json!({"action": "seek", "seconds": 9000}),
                ErrorKind::OutOfRange,
                Some("seconds"),
            ),
            (
                json!({"action": "forward", "seconds": 9000}),
                ErrorKind::OutOfRange,
                Some("seconds"),
            ),
            (
                json!({"action": "seek", "index": 900}),
                ErrorKind::OutOfRange,
                Some("index"),
            ),
            (json!({"action": "pause", "index": 2}), ErrorKind::InvalidInput, None),
        ] {
            for lang in [ZH, EN] {
                let bench = playing(lang, json!({"chart": "热歌榜"}));
                bench.advance(10);
                let before = bench.media.signals();
                let error = bench.call("control_playback", call.clone()).unwrap_err();
                assert_eq!((error.kind, error.argument.as_deref()), (kind, argument), "{call}");
                assert_eq!(bench.media.signals(), before);
            }
        }
        let bench = playing(ZH, json!({"chart": "热歌榜"}));
        let error = bench
            .call("control_playback", json!({"action": "seek", "seconds": 300}))
            .unwrap_err();
        assert_eq!(error.message, "一共4分29秒，现在在0秒，要多少？");
    }

    #[test]
    fn where_nothing_plays_only_pausing_stopping_and_modes_are_done() {
        for action in [
            "next", "previous", "replay", "resume", "forward", "rewind", "faster", "slower",
        ] {
            let error = Bench::new(ZH)
                .call("control_playback", json!({"action": action}))
                .unwrap_err();
            assert_eq!(error.message, "现在没有在播放。", "{action}");
        }
        for action in ["pause", "stop"] {
            let output = Bench::new(EN)
                .call("control_playback", json!({"action": action}))
                .unwrap();
            assert_eq!(output.say.as_deref(), Some("Nothing is playing right now."));
            assert_eq!(output.value["unchanged"], true);
        }
        let bench = Bench::new(EN);
        control(&bench, "shuffle");
        assert_eq!(bench.signal("Media.Player.Shuffle"), true);
    }

    #[test]
    fn the_effect_belongs_to_the_call() {
        let set = [
            "pause",
            "resume",
            "stop",
            "repeat_one",
            "repeat_all",
            "shuffle",
            "in_order",
        ];
        let act = ["next", "previous", "replay", "forward", "rewind", "faster", "slower"];
        let bench = Bench::new(EN);
        let effect = |action: &str| {
            bench
                .resolve("control_playback", &json!({"action": action}))
                .unwrap()
                .effect
        };
        assert!(set.iter().all(|action| effect(action) == Effect::Set));
        assert!(act.iter().all(|action| effect(action) == Effect::Act));
        let spec = bench.registry.get("control_playback").unwrap().spec().clone();
        let listed = spec.parameters["properties"]["action"]["enum"].as_array().unwrap();
        assert_eq!(listed.len(), set.len() + act.len() + 1, "and seek: {listed:?}");
    }

    #[test]
    fn doing_it_twice_is_doing_it_once_where_it_sets_a_state() {
        for action in [
            "pause",
            "resume",
            "stop",
            "repeat_one",
            "repeat_all",
            "shuffle",
            "in_order",
        ] {
            let bench = playing(EN, json!({"chart": "热歌榜"}));
            bench.advance(5);
            control(&bench, action);
            let once = bench.media.signals();
            let place = bench.media.signals()["Media.Player.Queue.Index"].clone();
            let second = bench.call("control_playback", json!({"action": action})).unwrap();
            assert_eq!(second.value["unchanged"], true, "{action}");
            assert_eq!(bench.media.signals(), once, "{action}");
            assert_eq!(bench.signal("Media.Player.Queue.Index"), place);
        }
    }

    #[test]
    fn time_passes_only_while_it_plays() {
        let bench = playing(EN, json!({"chart": "热歌榜"}));
        bench.advance(100);
        control(&bench, "pause");
        bench.advance(1000);
        assert_eq!(bench.signal("Media.Player.Position"), 100);
        control(&bench, "resume");
        bench.advance(10);
        assert_eq!(bench.signal("Media.Player.Position"), 110);
        control(&bench, "faster");
        bench.advance(100);
        assert_eq!(bench.signal("Media.Player.Position"), 235);
    }

    #[test]
    fn a_queue_ends_and_a_repeated_one_does_not() {
        let day = 24 * 60 * 60;
        let bench = playing(EN, json!({"chart": "热歌榜"}));
        bench.advance(day);
        assert_eq!(bench.signal("Media.Player.State"), "stopped");
        control(&bench, "resume");
        assert_eq!(bench.track(), "晴天");
        control(&bench, "repeat_all");
        bench.advance(day);
        assert_eq!(bench.signal("Media.Player.State"), "playing");
        control(&bench, "repeat_one");
        let track = bench.track();
        bench.advance(day);
        assert_eq!(bench.track(), track);
    }

    #[test]
    fn shuffling_is_fixed_by_the_seed() {
        let order = || {
            let bench = playing(EN, json!({"chart": "热歌榜"}));
            control(&bench, "shuffle");
            (0..10).map(|_| control(&bench, "next")).collect::<Vec<_>>()
        };
        assert_eq!(order(), order());
        let bench = playing(EN, json!({"chart": "热歌榜"}));
        let in_order: Vec<String> = (0..10).map(|_| control(&bench, "next")).collect();
        assert_ne!(order(), in_order);
    }

    #[test]
    fn a_reset_forgets_everything() {
        let bench = playing(EN, json!({"chart": "热歌榜"}));
        control(&bench, "repeat_all");
        bench.media.reset();
        assert_eq!(bench.media.signals(), Bench::new(EN).media.signals());
    }
}

mod get_now_playing {
    use super::*;

    #[test]
    fn tells_what_is_asked() {
        for (item, zh, en) in [
            ("song", "这首歌是《晴天》。", "This is Sunny Day."),
            ("artist", "这首歌是周杰伦的。", "This is by Jay Chou."),
            (
                "album",
                "周杰伦的《晴天》，出自专辑《叶惠美》。",
                "Sunny Day by Jay Chou is from the album 叶惠美.",
            ),
            (
                "all",
                "正在播放周杰伦的《晴天》，专辑《叶惠美》。",
                "Now playing Sunny Day by Jay Chou, from 叶惠美.",
            ),
        ] {
            for (lang, expected) in [(ZH, zh), (EN, en)] {
                let bench = playing(lang, json!({"song": "晴天"}));
                assert_eq!(bench.say("get_now_playing", json!({"item": item})), expected);
            }
        }
        let bench = playing(ZH, json!({"song": "晴天"}));
        assert_eq!(
            bench.say("get_now_playing", json!({})),
            "正在播放周杰伦的《晴天》，专辑《叶惠美》。"
        );
        bench.say("control_playback", json!({"action": "pause"}));
        assert_eq!(
            bench.say("get_now_playing", json!({})),
            "暂停着的是周杰伦的《晴天》，专辑《叶惠美》。"
        );
    }

    #[test]
    fn no_lyrics_and_nothing_playing_are_said() {
        let bench = playing(EN, json!({"song": "晴天"}));
        let error = bench.call("get_now_playing", json!({"item": "lyrics"})).unwrap_err();
        assert_eq!(error.message, "I don't have the lyrics of Sunny Day.");
        let output = Bench::new(EN).call("get_now_playing", json!({})).unwrap();
        assert_eq!(output.say.as_deref(), Some("Nothing is playing right now."));
        assert_eq!(output.value, json!({"state": "stopped"}));
    }
}

mod favorites {
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
}

mod play_radio {
    use super::*;

    #[test]
    fn stations_are_found_by_name_frequency_band_and_genre() {
        for (arguments, zh, en) in [
            (
                json!({"station": "北京音乐广播"}),
                "正在播放北京音乐广播，FM 97.4。",
                "Playing Beijing Music Radio, FM 97.4.",
            ),
            (
                json!({"frequency": 97.4}),
                "正在播放北京音乐广播，FM 97.4。",
                "Playing Beijing Music Radio, FM 97.4.",
            ),
            (json!({"frequency": 87.1}), "正在播放FM 87.1。", "Playing FM 87.1."),
            // A station of another city is not on the air here.
            (
                json!({"frequency": 720, "band": "am"}),
                "正在播放AM 720。",
                "Playing AM 720.",
            ),
            (
                json!({"station": "上海交通台"}),
                "正在播放上海交通广播，FM 105.7。",
                "Playing Shanghai Traffic Radio, FM 105.7.",
            ),
        ] {
            for (lang, expected) in [(ZH, zh), (EN, en)] {
                assert_eq!(Bench::new(lang).say("play_radio", arguments.clone()), expected);
            }
        }
    }

    #[test]
    fn the_next_station_is_another_of_the_city() {
        for arguments in [
            json!({}),
            json!({"band": "fm"}),
            json!({"frequency": 97.4}),
            json!({"genre": "新闻"}),
        ] {
            let bench = Bench::new(EN);
            bench.say("play_radio", arguments.clone());
            let first = bench.signal("Media.Player.Station");
            bench.advance(10_000);
            assert_eq!(bench.signal("Media.Player.Station"), first, "a station has no end");
            bench.say("control_playback", json!({"action": "next"}));
            assert_ne!(bench.signal("Media.Player.Station"), first, "{arguments}");
        }
        let bench = Bench::new(EN);
        bench.media.set_radio_city("上海");
        bench.say("play_radio", json!({"genre": "traffic"}));
        let station = bench.signal("Media.Player.Station");
        assert_eq!(station, "上海交通广播");
    }

    #[test]
    fn what_is_not_on_the_radio_is_said() {
        for (arguments, kind, argument) in [
            (json!({"frequency": 300}), ErrorKind::OutOfRange, Some("frequency")),
            (
                json!({"frequency": 97.4, "band": "am"}),
                ErrorKind::OutOfRange,
                Some("frequency"),
            ),
            (json!({"station": "火星之声二台"}), ErrorKind::NotFound, None),
        ] {
            for lang in [ZH, EN] {
                let error = Bench::new(lang).call("play_radio", arguments.clone()).unwrap_err();
                assert_eq!((error.kind, error.argument.as_deref()), (kind, argument));
            }
        }
        let bench = Bench::new(ZH);
        bench.say("play_radio", json!({"frequency": 97.4}));
        for call in [
            json!({"action": "seek", "seconds": 5}),
            json!({"action": "forward"}),
            json!({"action": "faster"}),
        ] {
            let error = bench.call("control_playback", call).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported);
        }
    }
}

mod play_video {
    use incar_core::{Seat, Speaker};

    use super::*;

    #[test]
    fn says_what_it_shows() {
        for (arguments, zh, en) in [
            (
                json!({"title": "流浪地球"}),
                "正在播放《流浪地球》。",
                "Playing The Wandering Earth.",
            ),
            (
                json!({"title": "friends", "season": 2, "episode": 3}),
                "正在播放《老友记》第2季第3集。",
                "Playing Friends, season 2, episode 3.",
            ),
            (
                json!({"title": "friends", "screen": "rear"}),
                "正在后排屏播放《老友记》第1集。",
                "Playing Friends, episode 1 on the rear screen.",
            ),
        ] {
            for (lang, expected) in [(ZH, zh), (EN, en)] {
                assert_eq!(Bench::new(lang).say("play_video", arguments.clone()), expected);
            }
        }
    }

    #[test]
    fn the_screen_is_the_speakers_own() {
        for (seat, screen) in [
            (Seat::Driver, "center"),
            (Seat::Passenger, "passenger"),
            (Seat::RearLeft, "rear"),
            (Seat::RearRight, "rear"),
            (Seat::ThirdRow, "rear"),
        ] {
            let mut bench = Bench::new(EN);
            bench.speaker = Speaker::new("test", seat);
            let resolved = bench.resolve("play_video", &json!({"title": "亮剑"})).unwrap();
            assert_eq!(resolved.arguments, json!({"title": "亮剑", "screen": screen}));
            bench.say("play_video", json!({"title": "亮剑"}));
            assert_eq!(bench.signal("Media.Player.Screen"), screen);
        }
    }

    #[test]
    fn the_next_episode_follows() {
        let bench = Bench::new(EN);
        bench.say("play_video", json!({"title": "亮剑", "episode": 29}));
        bench.say("control_playback", json!({"action": "next"}));
        assert_eq!(bench.signal("Media.Player.Episode"), 30);
        let error = bench.call("control_playback", json!({"action": "next"})).unwrap_err();
        assert_eq!(error.message, "This is the last one in the queue.");
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (arguments, kind, argument, zh) in [
            (json!({}), ErrorKind::InvalidInput, Some("title"), "想看什么？"),
            (
                json!({"episode": 2, "screen": "rear"}),
                ErrorKind::InvalidInput,
                Some("title"),
                "想看什么？",
            ),
            (
                json!({"title": "没有这部片子的名字"}),
                ErrorKind::NotFound,
                None,
                "没有找到视频“没有这部片子的名字”。",
            ),
            (
                json!({"title": "亮剑", "episode": 31}),
                ErrorKind::NotFound,
                None,
                "《亮剑》没有第31集。",
            ),
            (
                json!({"title": "亮剑", "source": "usb"}),
                ErrorKind::NotFound,
                None,
                "那里没有视频，只有在线视频。",
            ),
        ] {
            let error = Bench::new(ZH).call("play_video", arguments).unwrap_err();
            assert_eq!(
                (error.kind, error.argument.as_deref(), error.message.as_str()),
                (kind, argument, zh)
            );
        }
        let error = Bench::new(EN)
            .call("play_video", json!({"title": "Friends", "season": 11}))
            .unwrap_err();
        assert_eq!(error.message, "Friends has no season 11.");
    }
}
