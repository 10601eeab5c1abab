//! What the driver gets when asking for places and routes, in both languages.

use super::testing::Bench;
use super::*;
use crate::places::{Gazetteer, PlaceId};
use incar_core::{ErrorKind, Lang, NameMatch, NameSource};
use proptest::prelude::*;
use serde_json::{Value, json};

const BOTH: [Lang; 2] = [Lang::Zh, Lang::En];

fn say(bench: &Bench, tool: &str, arguments: Value) -> String {
    bench.call(tool, arguments).say.unwrap()
}

fn names(value: &Value) -> Vec<String> {
    let names = value.as_array().into_iter().flatten();
    names.map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_place_said_by_its_name_is_led_to_at_once() {
    let check = |lang, said: &str, destination: &str, sentence: &str| {
        let bench = Bench::new(lang);
        let spoken = say(&bench, "start_navigation", json!({"destination": said}));
        assert_eq!(bench.destination().as_deref(), Some(destination), "{said}");
        assert_eq!(spoken, sentence, "{said}");
    };
    check(
        Lang::Zh,
        "故宫",
        "Forbidden City",
        "开始导航去故宫博物院，约1公里，2分钟。",
    );
    check(
        Lang::Zh,
        "北京故宫",
        "Forbidden City",
        "开始导航去故宫博物院，约1公里，2分钟。",
    );
    check(Lang::Zh, "天安门", "Tiananmen", "开始导航去天安门，约10米，1分钟。");
    check(
        Lang::Zh,
        "朝阳区",
        "Chaoyang District",
        "开始导航去北京朝阳区，约5.4公里，12分钟。",
    );
    check(Lang::Zh, "回家", "Wangjing", "开始导航去望京，约16公里，28分钟。");
    check(Lang::Zh, "公司", "Zhongguancun", "开始导航去中关村，约14公里，26分钟。");
    check(
        Lang::Zh,
        "lm:summer-palace",
        "Summer Palace",
        "开始导航去颐和园，约19公里，31分钟。",
    );
    check(
        Lang::En,
        "the Forbidden City",
        "Forbidden City",
        "Navigating to Forbidden City, about 1 kilometre, 2 minutes.",
    );
    check(
        Lang::En,
        "home",
        "Wangjing",
        "Navigating to Wangjing, about 16 kilometres, 28 minutes.",
    );
    check(
        Lang::En,
        "Work",
        "Zhongguancun",
        "Navigating to Zhongguancun, about 14 kilometres, 26 minutes.",
    );
    check(
        Lang::En,
        "the nearest gas station",
        "Osmanthus Road Fuel Stop",
        "Navigating to Osmanthus Road Fuel Stop, about 500 metres, 1 minute.",
    );
}

#[test]
fn stops_and_preference_are_kept_and_told() {
    let check = |lang, sentence: &str| {
        let bench = Bench::new(lang);
        let output = bench.call(
            "start_navigation",
            json!({"destination": "天津", "via": ["首都机场", "北京站"], "preference": "avoid_tolls"}),
        );
        let guidance = bench.map.guidance().unwrap();
        let via: Vec<_> = guidance.via.iter().map(|place| place.id.as_str()).collect();
        assert_eq!(via, ["ap:PEK", "lm:beijing-railway-station"]);
        assert_eq!(guidance.preference, RoutePreference::AvoidTolls);
        assert_eq!(output.value["preference"], "avoid_tolls");
        let spoken = output.say.unwrap();
        assert!(spoken.starts_with(sentence), "{spoken}");
    };
    check(Lang::Zh, "开始导航去天津，途经北京首都国际机场和北京站，避开收费，约");
    check(
        Lang::En,
        "Navigating to Tianjin via Beijing Capital International Airport and Beijing Railway Station, avoiding tolls, about",
    );
}

#[test]
fn several_places_are_named_and_the_chosen_one_is_led_to() {
    for (lang, said, question) in [
        (Lang::Zh, "加油站", "找到了桂花路油站（约400米）、"),
        (Lang::Zh, "机场", "找到了北京首都国际机场（约25公里）、"),
        (
            Lang::En,
            "gas station",
            "I found Osmanthus Road Fuel Stop (about 400 metres), ",
        ),
        (
            Lang::En,
            "Springfield",
            "I found Springfield, Massachusetts (about 10851 kilometres), ",
        ),
    ] {
        let bench = Bench::new(lang);
        let error = bench.fail("start_navigation", json!({"destination": said}));
        assert_eq!(error.argument.as_deref(), Some("destination"), "{said}");
        assert_eq!(error.choices.len(), 3, "{said}");
        assert!(error.message.starts_with(question), "{}", error.message);
        assert!(
            error.message.ends_with(lang.pick("要去哪一个？", "Which one?")),
            "{}",
            error.message
        );
        assert!(bench.map.guidance().is_none(), "{said}");

        for chosen in &error.choices {
            let output = bench.call("start_navigation", json!({"destination": chosen}));
            assert_eq!(output.value["destination"], json!(chosen), "{said}");
        }
    }
}

#[test]
fn a_chosen_everyday_place_is_found_again_by_a_map_that_has_forgotten_the_offer() {
    for lang in BOTH {
        for kind in ["加油站", "充电站", "停车场", "咖啡店", "餐厅", "医院", "超市", "银行"] {
            for chosen in Bench::new(lang)
                .fail("start_navigation", json!({"destination": kind}))
                .choices
            {
                let output = Bench::new(lang).call("start_navigation", json!({"destination": chosen}));
                assert_eq!(output.value["destination"], json!(chosen), "{kind}");
            }
        }
    }
}

#[test]
fn what_is_nowhere_is_not_led_to() {
    for (lang, said, message) in [
        (Lang::Zh, "火星基地", "没有找到“火星基地”。"),
        (Lang::En, "Blorptown", "I could not find Blorptown."),
    ] {
        let bench = Bench::new(lang);
        for (tool, argument) in [("start_navigation", "destination"), ("search_location", "query")] {
            let error = bench.fail(tool, json!({argument: said}));
            assert_eq!(
                (error.kind, error.message.as_str()),
                (ErrorKind::NotFound, message),
                "{tool}"
            );
            assert_eq!(error.argument, None);
        }
        assert!(bench.map.guidance().is_none());
    }
    let id = Bench::new(Lang::En).fail("start_navigation", json!({"destination": "sim:fuel:0:0:99"}));
    assert_eq!(id.message, "I could not find sim:fuel:0:0:99.");
    let blank = Bench::new(Lang::Zh).fail("start_navigation", json!({"destination": "  "}));
    assert_eq!(blank.argument.as_deref(), Some("destination"));
}

#[test]
fn a_trip_beyond_the_range_starts_with_a_warning() {
    let check = |lang, range_m: f64, beyond: bool, warning: &str| {
        let bench = Bench::new(lang);
        bench.set("Vehicle.Powertrain.Range", range_m);
        let output = bench.call("start_navigation", json!({"destination": "天津"}));
        assert_eq!(output.value.get("beyond_range"), beyond.then_some(&json!(true)));
        assert_eq!(output.say.unwrap().contains(warning), beyond);
        assert_eq!(bench.destination().as_deref(), Some("Tianjin"));
    };
    check(Lang::Zh, 400_000.0, false, "续航");
    check(Lang::Zh, 50_000.0, true, "续航只剩50公里，途中需要补能。");
    check(Lang::En, 400_000.0, false, "range");
    check(
        Lang::En,
        50_000.0,
        true,
        "The remaining range is 50 kilometres, so you will have to stop on the way.",
    );
}

#[test]
fn the_search_names_three_places_lists_five_and_leads_nowhere() {
    for (lang, query, start, end) in [
        (Lang::Zh, "充电站", "找到了", "要去哪一个？"),
        (Lang::En, "coffee", "I found ", "Which one would you like?"),
    ] {
        let bench = Bench::new(lang);
        let output = bench.call("search_location", json!({"query": query}));
        let places = output.value["places"].as_array().unwrap().clone();
        let choices = names(&output.value["choices"]);
        assert_eq!((places.len(), choices.len()), (5, 3));
        let distances: Vec<_> = places
            .iter()
            .map(|place| place["distance_m"].as_u64().unwrap())
            .collect();
        assert!(distances.is_sorted(), "{distances:?}");
        let spoken = output.say.unwrap();
        assert!(spoken.starts_with(start) && spoken.ends_with(end), "{spoken}");
        assert!(choices.iter().all(|choice| spoken.contains(choice)), "{spoken}");
        assert!(bench.map.guidance().is_none());

        let id = places[1]["id"].clone();
        let output = bench.call("start_navigation", json!({"destination": id}));
        assert_eq!(output.value["destination"], places[1]["name"]);
    }
}

#[test]
fn one_place_found_is_told_with_its_area_and_distance() {
    let check = |lang, query: &str, area: &str, sentence: &str| {
        let output = Bench::new(lang).call("search_location", json!({"query": query}));
        assert_eq!(output.value["places"][0]["area"], area);
        assert_eq!(output.value.get("choices"), None);
        assert_eq!(output.say.unwrap(), sentence);
    };
    check(Lang::Zh, "西湖", "杭州市", "找到了杭州西湖，直线距离约1127公里。");
    check(
        Lang::En,
        "West Lake",
        "Hangzhou",
        "I found West Lake, Hangzhou, about 1127 kilometres away.",
    );
}

#[test]
fn a_search_looks_where_it_is_told_to() {
    let bench = Bench::new(Lang::Zh);
    let nearest_to = |near: &str, place: &str| {
        let output = bench.call("search_location", json!({"query": "加油站", "near": near}));
        let id = output.value["places"][0]["id"].as_str().unwrap().to_owned();
        let find = |id: &str| Gazetteer::embedded().get(&PlaceId::new(id)).unwrap().position;
        find(&id).distance_m(find(place))
    };
    assert!(nearest_to("current", "lm:tiananmen") < 5_000.0);
    assert!(nearest_to("这里", "lm:tiananmen") < 5_000.0);
    assert!(nearest_to("西湖", "lm:west-lake") < 5_000.0);
    assert!(
        nearest_to("destination", "lm:tiananmen") < 5_000.0,
        "no destination: the car"
    );
    bench.call("start_navigation", json!({"destination": "颐和园"}));
    assert!(nearest_to("destination", "lm:summer-palace") < 5_000.0);
    assert!(nearest_to("route", "lm:tiananmen") < 10_000.0);

    let error = bench.fail("search_location", json!({"query": "加油站", "near": "机场"}));
    assert_eq!(error.argument.as_deref(), Some("near"));
}

#[test]
fn stopping_ends_guidance_and_is_honest_without_any() {
    for (lang, stopped, nothing) in [
        (Lang::Zh, "已结束去故宫博物院的导航。", "现在没有在导航。"),
        (
            Lang::En,
            "The navigation to Forbidden City has ended.",
            "There is no navigation going on.",
        ),
    ] {
        let bench = Bench::new(lang);
        bench.call("start_navigation", json!({"destination": "故宫"}));
        let output = bench.call("stop_navigation", json!({}));
        assert_eq!(
            (output.say.as_deref(), output.value.get("unchanged")),
            (Some(stopped), None)
        );
        assert!(bench.map.guidance().is_none());
        let output = bench.call("stop_navigation", json!({}));
        assert_eq!(
            (output.say.as_deref(), &output.value["unchanged"]),
            (Some(nothing), &json!(true))
        );
    }
}

#[test]
fn what_there_is_to_know_on_the_way_is_told() {
    let check = |item: &str, zh: &str, en: &str| {
        for lang in BOTH {
            let bench = Bench::new(lang);
            bench.call("start_navigation", json!({"destination": "颐和园"}));
            assert_eq!(say(&bench, "get_route_info", json!({"item": item})), lang.pick(zh, en));
        }
    };
    check(
        "remaining_distance",
        "距离颐和园还有约19公里。",
        "About 19 kilometres to Summer Palace.",
    );
    check(
        "remaining_time",
        "到颐和园还要大约31分钟。",
        "About 31 minutes to Summer Palace.",
    );
    check("arrival_time", "预计10:31到达。", "You should arrive at about 10:31.");
    check(
        "traffic",
        "暂时没有实时路况，按平时估计还要31分钟。",
        "I have no live traffic; the usual estimate is 31 minutes.",
    );
    check(
        "speed_limit",
        "当前道路限速60公里每小时。",
        "The speed limit here is 60 kilometres per hour.",
    );
    check(
        "current_location",
        "您现在在北京天安门附近。",
        "You are near Tiananmen, Beijing.",
    );
    check(
        "destination",
        "目的地是北京颐和园，还有约19公里。",
        "The destination is Summer Palace, Beijing, about 19 kilometres to go.",
    );
    check(
        "next_turn",
        "暂时没有路口信息，颐和园在西北方向，直线距离约14公里。",
        "I have no turn information; Summer Palace lies about 14 kilometres to the northwest.",
    );
    for lang in BOTH {
        let bench = Bench::new(lang);
        bench.call("start_navigation", json!({"destination": "天津"}));
        let output = bench.call("get_route_info", json!({"item": "charging_stops"}));
        assert_eq!(output.value["charging_stops"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn without_guidance_there_is_only_the_place_and_its_speed_limit() {
    let on_route = [
        "remaining_distance",
        "remaining_time",
        "arrival_time",
        "traffic",
        "destination",
        "next_turn",
        "charging_stops",
    ];
    for lang in BOTH {
        let bench = Bench::new(lang);
        for item in on_route {
            let spoken = say(&bench, "get_route_info", json!({"item": item}));
            assert_eq!(
                spoken,
                lang.pick("现在没有在导航。", "There is no navigation going on."),
                "{item}"
            );
        }
        bench.set("Vehicle.Incar.SpeedLimit", 80.0);
        let lake = Gazetteer::embedded()
            .get(&PlaceId::new("lm:west-lake"))
            .unwrap()
            .position;
        bench.set("Vehicle.CurrentLocation.Latitude", lake.lat());
        bench.set("Vehicle.CurrentLocation.Longitude", lake.lon());
        let read = |item: &str| bench.call("get_route_info", json!({"item": item})).value;
        assert_eq!(read("speed_limit")["km_per_hour"], 80);
        assert_eq!(
            read("current_location")["near"],
            lang.pick("杭州西湖", "West Lake, Hangzhou")
        );
    }
}

#[test]
fn an_arrival_after_midnight_is_told_with_its_day() {
    for (lang, sentence) in [
        (Lang::Zh, "预计明天01:58到达。"),
        (Lang::En, "You should arrive at about 01:58 tomorrow."),
    ] {
        let bench = Bench::new(lang);
        bench.call("start_navigation", json!({"destination": "上海"}));
        assert_eq!(say(&bench, "get_route_info", json!({"item": "arrival_time"})), sentence);
    }
}

#[test]
fn guidance_comes_along_as_the_car_drives() {
    let bench = Bench::new(Lang::Zh);
    bench.call("start_navigation", json!({"destination": "天津", "via": ["北京站"]}));
    let start = bench.map.guidance().unwrap();

    bench.clock.advance(std::time::Duration::from_secs(600));
    assert_eq!(bench.map.guidance().unwrap(), start, "a car that stands gets nowhere");

    bench.drive(60.0, 600);
    let later = bench.map.guidance().unwrap();
    let driven = start.distance_m - later.distance_m;
    assert!((9_900.0..=10_100.0).contains(&driven), "{driven}");
    assert!(later.duration_s < start.duration_s);
    assert!(later.via.is_empty(), "the stop is behind");
    let position = bench.map.position().unwrap();
    assert_eq!(bench.number("Vehicle.CurrentLocation.Latitude"), position.lat());
    assert!(position.lon() > 116.43, "{position:?}");
    assert_eq!(
        bench.map.state()["Navigation.RemainingDistance"],
        json!(later.distance_m.round() as u64)
    );

    bench.drive(120.0, 4 * 3_600);
    assert_eq!(bench.map.guidance(), None, "arrived");
    let tianjin = start.destination.position;
    assert!(bench.map.position().unwrap().distance_m(tianjin) < 50.0);
    assert_eq!(bench.map.state()["Navigation.Destination"], Value::Null);
}

#[test]
fn a_car_moved_elsewhere_gets_a_new_route_from_there() {
    let bench = Bench::new(Lang::Zh);
    bench.call("start_navigation", json!({"destination": "故宫"}));
    bench.set("Vehicle.CurrentLocation.Latitude", 31.23);
    bench.set("Vehicle.CurrentLocation.Longitude", 121.47);
    let guidance = bench.map.guidance().unwrap();
    assert!(guidance.distance_m > 1_000_000.0, "{}", guidance.distance_m);
    assert_eq!(bench.map.position().unwrap().lat(), 31.23);
    assert_eq!(guidance.destination.name.en, "Forbidden City");
}

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
fn stops_are_added_and_removed_while_navigating_only() {
    for (lang, none, added, removed) in [
        (Lang::Zh, "现在没有在导航。", "已加上途经点北京颐和园，全程约", "已去掉途经点颐和园。"),
        (
            Lang::En,
            "There is no route right now.",
            "Added Summer Palace, Beijing as a stop, about ",
            "Removed Summer Palace from the route.",
        ),
    ] {
        let bench = Bench::new(lang);
        assert_eq!(bench.fail("add_waypoint", json!({"place": "颐和园"})).message, none);
        assert_eq!(bench.fail("remove_waypoint", json!({"which": "all"})).message, none);

        bench.call("start_navigation", json!({"destination": "天津"}));
        let direct = bench.map.guidance().unwrap().distance_m;
        assert_eq!(bench.fail("remove_waypoint", json!({"which": "1"})).kind, ErrorKind::NotFound);
        let spoken = say(&bench, "add_waypoint", json!({"place": "颐和园"}));
        assert!(spoken.starts_with(added), "{spoken}");
        assert!(bench.map.guidance().unwrap().distance_m > direct);
        assert_eq!(say(&bench, "remove_waypoint", json!({"which": "颐和园"})), removed);
        assert_eq!(bench.map.guidance().unwrap().via, []);
    }
}

#[test]
fn a_kind_of_place_along_the_route_becomes_a_stop_once_chosen() {
    let bench = Bench::new(Lang::Zh);
    bench.call("start_navigation", json!({"destination": "天津"}));
    let error = bench.fail("add_waypoint", json!({"place": "充电站"}));
    assert_eq!((error.argument.as_deref(), error.choices.len()), (Some("place"), 3));
    let output = bench.call("add_waypoint", json!({"place": error.choices[2]}));
    assert_eq!(output.value["added"], json!(error.choices[2]));
}

#[test]
fn a_stop_is_named_counted_or_asked_for() {
    let check = |which: &str, left: &[&str]| {
        let bench = Bench::new(Lang::Zh);
        bench.call(
            "start_navigation",
            json!({"destination": "天津", "via": ["故宫", "北京站", "首都机场"]}),
        );
        match bench.try_call("remove_waypoint", &json!({"which": which})) {
            Ok(_) => {
                let guidance = bench.map.guidance().unwrap();
                let ids: Vec<_> = guidance.via.iter().map(|place| place.id.as_str()).collect();
                assert_eq!(ids, left, "{which}");
            }
            Err(error) => assert!(left.is_empty(), "{which}: {error}"),
        }
    };
    let (palace, station, airport) = ("lm:forbidden-city", "lm:beijing-railway-station", "ap:PEK");
    check("1", &[station, airport]);
    check("第二个", &[palace, airport]);
    check("the third one", &[palace, station]);
    check("last", &[palace, station]);
    check("故宫", &[station, airport]);
    check("北京站", &[palace, airport]);
    check("首都", &[palace, station]);
    check("forbidden", &[station, airport]);
    check("ap:PEK", &[palace, station]);
    check("全部", &[]);

    let bench = Bench::new(Lang::En);
    bench.call("start_navigation", json!({"destination": "天津", "via": ["故宫", "北京站"]}));
    for unclear in ["5", "the museum", ""] {
        let error = bench.fail("remove_waypoint", json!({"which": unclear}));
        assert_eq!(error.choices, ["Forbidden City, Beijing", "Beijing Railway Station"], "{unclear}");
    }
}

#[test]
fn a_preference_stays_for_the_next_trip() {
    for (lang, set, again) in [
        (Lang::Zh, "路线偏好已设为不走高速。", "路线偏好已经是不走高速了。"),
        (
            Lang::En,
            "The route preference is now avoiding highways.",
            "The route preference is avoiding highways already.",
        ),
    ] {
        let bench = Bench::new(lang);
        let call = || bench.call("set_route_preference", json!({"preference": "avoid_highways"}));
        assert_eq!(call().say.as_deref(), Some(set));
        let output = call();
        assert_eq!((output.say.as_deref(), &output.value["unchanged"]), (Some(again), &json!(true)));
        bench.call("start_navigation", json!({"destination": "故宫"}));
        assert_eq!(bench.map.guidance().unwrap().preference, RoutePreference::AvoidHighways);
    }
}

#[test]
fn favourites_are_kept_and_led_to_by_their_names() {
    let check = |lang, place: &str, location: &str, sentence: &str, said: &str, destination: &str| {
        let bench = Bench::new(lang);
        let spoken = say(&bench, "set_favorite_place", json!({"place": place, "location": location}));
        assert_eq!(spoken, sentence);
        bench.call("start_navigation", json!({"destination": said}));
        assert_eq!(bench.destination().as_deref(), Some(destination), "{said}");
    };
    check(Lang::Zh, "home", "颐和园", "已把家设为北京颐和园。", "回家", "Summer Palace");
    check(Lang::Zh, "公司", "这里", "已把公司设为北京天安门附近。", "公司", "near Tiananmen, Beijing");
    check(Lang::Zh, "健身房", "国贸", "已把健身房设为北京国贸。", "健身房", "China World Trade Center");
    check(Lang::En, "company", "Summer Palace", "Work is now Summer Palace, Beijing.", "work", "Summer Palace");
    check(Lang::En, "the gym", "ap:PEK", "the gym is now Beijing Capital International Airport.", "The Gym", "Beijing Capital International Airport");

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
    check("zoom_in", |map| json!(map.zoom), json!(17), "地图已放大。", "The map is larger.");
    check("zoom_out", |map| json!(map.zoom), json!(15), "地图已缩小。", "The map is smaller.");
    check("overview", |map| json!(map.extent), json!("overview"), "地图显示全览。", "The map shows the overview.");
    check("three_d", |map| json!(map.dimension), json!("perspective"), "地图为三维视图。", "The map is in 3D.");
    check("north_up", |map| json!(map.orientation), json!("north"), "地图正北朝上。", "North is up on the map.");
    check("guidance_off", |map| json!(map.guidance), json!("off"), "导航播报已关闭。", "The guidance voice is off.");
    check("guidance_brief", |map| json!(map.guidance), json!("brief"), "导航播报为简洁模式。", "The guidance voice is brief.");
    check("show_traffic", |map| json!(map.traffic), json!("shown"), "地图显示路况。", "The map shows traffic.");
    check("two_d", |map| json!(map.dimension), json!("flat"), "已经是这样了，地图为二维视图。", "It is so already: the map is in 2D.");
    check("hide_traffic", |map| json!(map.traffic), json!("hidden"), "已经是这样了，地图不显示路况。", "It is so already: the map hides traffic.");
    check("heading_up", |map| json!(map.orientation), json!("heading"), "已经是这样了，地图车头朝上。", "It is so already: the heading is up on the map.");
    check("guidance_detailed", |map| json!(map.guidance), json!("detailed"), "已经是这样了，导航播报为详细模式。", "It is so already: the guidance voice is detailed.");
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
    let spoken: Vec<_> = (0..6).map(|_| say(&bench, "control_map", json!({"action": "zoom_in"}))).collect();
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
    assert_eq!((error.argument.as_deref(), error.message.as_str()), (Some("event"), "要上报什么情况？"));
    let spoken = say(&bench, "control_map", json!({"action": "report_event", "event": "前方事故"}));
    assert_eq!(spoken, "已上报前方事故。");
    assert_eq!(bench.map.state()["Navigation.Reports"], json!(["前方事故"]));
}

#[test]
fn names_are_looked_up_as_they_are_said() {
    let source = PlaceNames::new(Gazetteer::embedded());
    for (heard, matched) in [
        ("故宫", Some(NameMatch::Exact)),
        ("北京故宫", Some(NameMatch::Exact)),
        ("回家", Some(NameMatch::Exact)),
        ("加油站", Some(NameMatch::Exact)),
        ("Forbidden City", Some(NameMatch::Exact)),
        ("古宫", Some(NameMatch::Sound)),
        ("qwertyuiop", None),
        ("", None),
    ] {
        let names = source.look_up(heard, Lang::Zh);
        assert_eq!(names.first().map(|name| name.matched), matched, "{heard}: {names:?}");
        assert!(names.len() <= 3);
    }
    assert_eq!(source.look_up("古宫", Lang::Zh)[0].name, "故宫博物院");
}

#[test]
fn every_tool_speaks_of_itself_in_both_languages() {
    let bench = Bench::new(Lang::Zh);
    let tools = tools(bench.map.clone());
    let names: Vec<_> = tools.iter().map(|tool| tool.spec().name.as_ref()).collect();
    assert_eq!(
        names,
        [
            "search_location", "start_navigation", "stop_navigation", "add_waypoint", "remove_waypoint",
            "set_route_preference", "get_route_info", "set_favorite_place", "control_map",
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_destination_is_answered(said in "\\PC{0,24}", english in any::<bool>()) {
        let bench = Bench::new(if english { Lang::En } else { Lang::Zh });
        match bench.try_call("start_navigation", &json!({"destination": said})) {
            Ok(output) => prop_assert!(bench.map.guidance().is_some() && output.say.is_some()),
            Err(error) => prop_assert!(bench.map.guidance().is_none(), "{error}"),
        }
    }
}
