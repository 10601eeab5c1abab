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
