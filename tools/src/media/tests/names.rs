use incar_core::NameMatch::{Exact, Partial, Sound};

use super::*;

#[test]
fn arguments_know_their_names() {
    let bench = Bench::new(ZH);
    for (tool, argument, heard, expected) in [
        ("play_music", "song", "晴天", Some(("晴天", Exact))),
        ("play_music", "song", "晴添", Some(("晴天", Sound))),
        (
            "play_music",
            "song",
            "bohemian rapsody",
            Some(("Bohemian Rhapsody", Partial)),
        ),
        ("play_music", "song", "从没有人唱过的歌名", None),
        ("play_music", "artist", "jay chou", Some(("周杰伦", Exact))),
        ("play_music", "artist", "周杰轮", Some(("周杰伦", Sound))),
        ("play_music", "artist", "晴天", None),
        ("play_music", "album", "叶惠美", Some(("叶惠美", Exact))),
        ("play_music", "playlist", "健身", Some(("健身", Exact))),
        ("play_music", "chart", "hot songs", Some(("热歌榜", Exact))),
        ("play_radio", "station", "北京交通台", Some(("北京交通广播", Exact))),
        ("play_video", "title", "zootopia", Some(("疯狂动物城", Exact))),
    ] {
        let spec = bench.registry.get(tool).unwrap().spec().clone();
        let found = spec.names[argument].look_up(heard, ZH);
        let best = found.first().map(|known| (known.name.as_str(), known.matched));
        assert_eq!(best, expected, "{tool} {argument} {heard}");
    }
}
