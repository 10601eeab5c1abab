//! Finding places, and setting off to them.

use super::super::testing::Bench;
use super::super::{NavigationService, PlaceNames, RoutePreference};
use super::{BOTH, say};
use crate::places::{Gazetteer, PlaceId};
use incar_core::{ErrorKind, Lang, NameMatch, NameSource};
use proptest::prelude::*;
use serde_json::{Value, json};

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
        for kind in ["加油站", "咖啡店", "超市", "银行"] {
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
fn a_name_that_is_nowhere_is_looked_up_without_a_search() {
    let source = PlaceNames::new(Gazetteer::embedded());
    let misses = [
        "给我讲一个特别好笑的笑话",
        "the quick brown fox jumps over the lazy dog",
        "完全没有的地名",
    ];
    let started = std::time::Instant::now();
    for _ in 0..10 {
        assert!(misses.iter().all(|heard| source.look_up(heard, Lang::Zh).is_empty()));
    }
    // Generous for a build without optimisation on a busy machine: a search takes tens of milliseconds there.
    let each = started.elapsed() / 30;
    assert!(each < std::time::Duration::from_millis(10), "{each:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_destination_is_answered(said in "\\PC{0,24}", english in any::<bool>()) {
        let bench = Bench::new(if english { Lang::En } else { Lang::Zh });
        match bench.try_call("start_navigation", &json!({"destination": said})) {
            Ok(output) => prop_assert!(bench.map.guidance().is_some() && output.say.is_some()),
            Err(error) => prop_assert!(bench.map.guidance().is_none(), "{error}"),
        }
    }
}
