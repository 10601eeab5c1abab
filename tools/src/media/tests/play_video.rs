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
