//! The map, favourites, and the tools as a whole.

use super::super::testing::Bench;
use super::super::{GuidanceVoice, MapView, NavigationService, tools};
use super::{BOTH, say};
use incar_core::{Effect, Lang, ToolCategory};
use serde_json::{Value, json};

#[test]
fn a_reset_takes_guidance_and_favourites_back() {
    let bench = Bench::new(Lang::Zh);
    let before = bench.map.state();
    bench.call(
        "start_navigation",
        json!({"destination": "故宫", "preference": "shortest"}),
    );
    assert_ne!(bench.map.state(), before);
    bench.map.reset();
    assert_eq!(bench.map.state(), before);
    assert_eq!(before["Navigation.IsGuiding"], json!(false));
    assert_eq!(before["Navigation.Favorite.home"]["zh"], "望京");
}

#[test]
fn favourites_are_kept_and_led_to_by_their_names() {
    let check = |lang, place: &str, location: &str, sentence: &str, said: &str, destination: &str| {
        let bench = Bench::new(lang);
        let spoken = say(
            &bench,
            "set_favorite_place",
            json!({"place": place, "location": location}),
        );
        assert_eq!(spoken, sentence);
        bench.call("start_navigation", json!({"destination": said}));
        assert_eq!(bench.destination().as_deref(), Some(destination), "{said}");
    };
    check(
        Lang::Zh,
        "home",
        "颐和园",
        "已把家设为北京颐和园。",
        "回家",
        "Summer Palace",
    );
    check(
        Lang::Zh,
        "公司",
        "这里",
        "已把公司设为北京天安门附近。",
        "公司",
        "near Tiananmen, Beijing",
    );
    check(
        Lang::Zh,
        "健身房",
        "国贸",
        "已把健身房设为北京国贸。",
        "健身房",
        "China World Trade Center",
    );
    check(
        Lang::En,
        "company",
        "Summer Palace",
        "Work is now Summer Palace, Beijing.",
        "work",
        "Summer Palace",
    );
    check(
        Lang::En,
        "the gym",
        "ap:PEK",
        "the gym is now Beijing Capital International Airport.",
        "The Gym",
        "Beijing Capital International Airport",
    );

    let bench = Bench::new(Lang::Zh);
    let error = bench.fail("set_favorite_place", json!({"place": "home", "location": "机场"}));
    assert_eq!(error.argument.as_deref(), Some("location"));
    let error = bench.fail("set_favorite_place", json!({"place": " ", "location": "故宫"}));
    assert_eq!(error.argument.as_deref(), Some("place"));
    assert_eq!(bench.map.state()["Navigation.Favorite.home"]["zh"], "望京");
}

#[test]
fn the_map_shows_what_was_asked_for() {
    let check = |action: &str, read: fn(&MapView) -> Value, value: Value, zh: &str, en: &str| {
        for lang in BOTH {
            let bench = Bench::new(lang);
            assert_eq!(say(&bench, "control_map", json!({"action": action})), lang.pick(zh, en));
            assert_eq!(read(&bench.map.map_view()), value, "{action}");
        }
    };
    check(
        "zoom_in",
        |map| json!(map.zoom),
        json!(17),
        "地图已放大。",
        "The map is larger.",
    );
    check(
        "zoom_out",
        |map| json!(map.zoom),
        json!(15),
        "地图已缩小。",
        "The map is smaller.",
    );
    check(
        "overview",
        |map| json!(map.extent),
        json!("overview"),
        "地图显示全览。",
        "The map shows the overview.",
    );
    check(
        "three_d",
        |map| json!(map.dimension),
        json!("perspective"),
        "地图为三维视图。",
        "The map is in 3D.",
    );
    check(
        "north_up",
        |map| json!(map.orientation),
        json!("north"),
        "地图正北朝上。",
        "North is up on the map.",
    );
    check(
        "guidance_off",
        |map| json!(map.guidance),
        json!("off"),
        "导航播报已关闭。",
        "The guidance voice is off.",
    );
    check(
        "guidance_brief",
        |map| json!(map.guidance),
        json!("brief"),
        "导航播报为简洁模式。",
        "The guidance voice is brief.",
    );
    check(
        "show_traffic",
        |map| json!(map.traffic),
        json!("shown"),
        "地图显示路况。",
        "The map shows traffic.",
    );
    check(
        "two_d",
        |map| json!(map.dimension),
        json!("flat"),
        "已经是这样了，地图为二维视图。",
        "It is so already: the map is in 2D.",
    );
    check(
        "hide_traffic",
        |map| json!(map.traffic),
        json!("hidden"),
        "已经是这样了，地图不显示路况。",
        "It is so already: the map hides traffic.",
    );
    check(
        "heading_up",
        |map| json!(map.orientation),
        json!("heading"),
        "已经是这样了，地图车头朝上。",
        "It is so already: the heading is up on the map.",
    );
    check(
        "guidance_detailed",
        |map| json!(map.guidance),
        json!("detailed"),
        "已经是这样了，导航播报为详细模式。",
        "It is so already: the guidance voice is detailed.",
    );
}

#[test]
fn guidance_comes_back_as_it_was_unless_it_was_off() {
    let bench = Bench::new(Lang::En);
    let voice = || bench.map.map_view().guidance;
    bench.call("control_map", json!({"action": "guidance_brief"}));
    bench.call("control_map", json!({"action": "guidance_on"}));
    assert_eq!(voice(), GuidanceVoice::Brief);
    bench.call("control_map", json!({"action": "guidance_off"}));
    bench.call("control_map", json!({"action": "guidance_on"}));
    assert_eq!(voice(), GuidanceVoice::Detailed);
}

#[test]
fn zooming_ends_at_the_largest_map() {
    let bench = Bench::new(Lang::Zh);
    let spoken: Vec<_> = (0..6)
        .map(|_| say(&bench, "control_map", json!({"action": "zoom_in"})))
        .collect();
    assert_eq!(spoken[3], "地图已放大。");
    assert_eq!(spoken[5], "地图已经放到最大了。");
    assert_eq!(bench.map.map_view().zoom, 20);
    let effect = |action: &str| bench.resolve("control_map", &json!({"action": action})).unwrap().effect;
    assert_eq!((effect("zoom_in"), effect("north_up")), (Effect::Act, Effect::Set));
}

#[test]
fn an_event_on_the_road_is_reported_once_it_is_said() {
    let bench = Bench::new(Lang::Zh);
    let error = bench.fail("control_map", json!({"action": "report_event"}));
    assert_eq!(
        (error.argument.as_deref(), error.message.as_str()),
        (Some("event"), "要上报什么情况？")
    );
    let spoken = say(
        &bench,
        "control_map",
        json!({"action": "report_event", "event": "前方事故"}),
    );
    assert_eq!(spoken, "已上报前方事故。");
    assert_eq!(bench.map.state()["Navigation.Reports"], json!(["前方事故"]));
}

#[test]
fn every_tool_speaks_of_itself_in_both_languages() {
    let bench = Bench::new(Lang::Zh);
    let tools = tools(bench.map.clone());
    let names: Vec<_> = tools.iter().map(|tool| tool.spec().name.as_ref()).collect();
    assert_eq!(
        names,
        [
            "search_location",
            "start_navigation",
            "stop_navigation",
            "add_waypoint",
            "remove_waypoint",
            "set_route_preference",
            "get_route_info",
            "set_favorite_place",
            "control_map",
        ]
    );
    for tool in &tools {
        let spec = tool.spec();
        assert!(
            !spec.description.zh.is_empty() && !spec.description.en.is_empty(),
            "{}",
            spec.name
        );
        assert_eq!(spec.category, ToolCategory::NAVIGATION);
    }
}
