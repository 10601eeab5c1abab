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
