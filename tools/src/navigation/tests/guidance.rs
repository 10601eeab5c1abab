//! On the way: what there is to know, stops and preferences.

use super::super::testing::Bench;
use super::super::{NavigationService, RoutePreference};
use super::{BOTH, say};
use crate::places::{Gazetteer, PlaceId};
use incar_core::{ErrorKind, Lang};
use serde_json::{Value, json};

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
fn stops_are_added_and_removed_while_navigating_only() {
    for (lang, none, added, removed) in [
        (
            Lang::Zh,
            "现在没有在导航。",
            "已加上途经点北京颐和园，全程约",
            "已去掉途经点颐和园。",
        ),
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
        assert_eq!(
            bench.fail("remove_waypoint", json!({"which": "1"})).kind,
            ErrorKind::NotFound
        );
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
    bench.call(
        "start_navigation",
        json!({"destination": "天津", "via": ["故宫", "北京站"]}),
    );
    for unclear in ["5", "the museum", ""] {
        let error = bench.fail("remove_waypoint", json!({"which": unclear}));
        assert_eq!(
            error.choices,
            ["Forbidden City, Beijing", "Beijing Railway Station"],
            "{unclear}"
        );
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
        assert_eq!(
            (output.say.as_deref(), &output.value["unchanged"]),
            (Some(again), &json!(true))
        );
        bench.call("start_navigation", json!({"destination": "故宫"}));
        assert_eq!(bench.map.guidance().unwrap().preference, RoutePreference::AvoidHighways);
    }
}
