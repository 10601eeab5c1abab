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
