//! What the gazetteer must find, in both languages.

mod categories;

use super::category::Category;
use super::gazetteer::{Gazetteer, Row};
use super::geo::GeoPoint;
use super::key::canonical;
use super::*;
use incar_core::Lang;
use proptest::prelude::*;

const BEIJING: (f64, f64) = (39.909, 116.397);

fn point((lat, lon): (f64, f64)) -> GeoPoint {
    GeoPoint::new(lat, lon).unwrap()
}

fn find(text: &str) -> Vec<Hit> {
    Gazetteer::embedded().search(&Query::new(text).near(point(BEIJING)))
}

/// The first hit's id, with the car in Beijing.
fn check_first(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .filter_map(|(text, id)| {
            let hits = find(text);
            let first = hits.first().map_or("nothing", |hit| hit.place.id.as_str());
            (first != *id).then(|| format!("{text}: {first}, not {id}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn well_known_places_are_found_by_their_names() {
    check_first(&[
        ("故宫", "lm:forbidden-city"),
        ("北京故宫", "lm:forbidden-city"),
        ("故宫博物院", "lm:forbidden-city"),
        ("紫禁城", "lm:forbidden-city"),
        ("Forbidden City", "lm:forbidden-city"),
        ("the forbidden city", "lm:forbidden-city"),
        ("天安门", "lm:tiananmen"),
        ("鸟巢", "lm:national-stadium"),
        ("首都机场", "ap:PEK"),
        ("北京首都国际机场", "ap:PEK"),
        ("PEK", "ap:PEK"),
        ("浦东机场", "ap:PVG"),
        ("虹桥火车站", "lm:shanghai-hongqiao-railway-station"),
        ("上海虹桥火车站", "lm:shanghai-hongqiao-railway-station"),
        ("虹桥高铁站", "lm:shanghai-hongqiao-railway-station"),
        ("北京南站", "lm:beijing-south-railway-station"),
        ("Beijing South Railway Station", "lm:beijing-south-railway-station"),
        ("清华", "lm:tsinghua-university"),
        ("协和医院", "lm:peking-union-medical-college-hospital"),
        ("Eiffel Tower", "lm:eiffel-tower"),
        ("埃菲尔铁塔", "lm:eiffel-tower"),
        ("金门大桥", "lm:golden-gate-bridge"),
        ("Golden Gate Bridge", "lm:golden-gate-bridge"),
        ("Heathrow", "ap:LHR"),
        ("JFK", "ap:JFK"),
    ]);
}

#[test]
fn cities_are_found_with_and_without_what_speakers_leave_out() {
    check_first(&[
        ("北京", "gn:1816670"),
        ("北京市", "gn:1816670"),
        ("Beijing", "gn:1816670"),
        ("Peking", "gn:1816670"),
        ("city of Beijing", "gn:1816670"),
        ("上海", "gn:1796236"),
        ("杭州", "gn:1808926"),
        ("纽约", "gn:5128581"),
        ("New York", "gn:5128581"),
        ("伦敦", "gn:2643743"),
        ("London", "gn:2643743"),
        ("东京", "gn:1850147"),
        ("Tokyo", "gn:1850147"),
        ("巴黎", "gn:2988507"),
        ("Zurich", "gn:2657896"),
        ("Zürich", "gn:2657896"),
        ("旧金山", "gn:5391959"),
        ("Seattle", "gn:5809844"),
        ("广东", "rg:CN.30"),
        ("广东省", "rg:CN.30"),
        ("Nicaragua", "gn:3617476"),
        ("RI", "rg:US.RI"),
        ("尼加拉瓜", "gn:3617476"),
        ("秭归县", "ar:zigui"),
        ("秭归", "ar:zigui"),
        ("浦东", "gn:1798524"),
        ("Washington DC", "gn:4140963"),
    ]);
}

#[test]
fn an_area_said_with_a_name_decides_which_is_meant() {
    check_first(&[
        ("杭州西湖", "lm:west-lake"),
        ("杭州的西湖", "lm:west-lake"),
        ("Forbidden City in Beijing", "lm:forbidden-city"),
        ("Paris, France", "gn:2988507"),
        ("Paris France", "gn:2988507"),
        ("Paris, Texas", "gn:4717560"),
        ("Springfield, Illinois", "gn:4250542"),
        ("Springfield Illinois", "gn:4250542"),
        ("Springfield, MA", "gn:4951788"),
        ("London, Ontario", "gn:6058560"),
        ("长春朝阳区", "lm:chaoyang-district-changchun"),
        ("北京朝阳区", "lm:chaoyang-district"),
        ("南京鼓楼区", "lm:gulou-district"),
        ("Union Square San Francisco", "lm:union-square-san-francisco"),
    ]);
}

#[test]
fn slips_of_sound_and_spelling_are_forgiven() {
    check_first(&[
        ("古宫", "lm:forbidden-city"),
        ("天按门", "lm:tiananmen"),
        ("西胡", "lm:west-lake"),
        ("三里吞", "lm:sanlitun"),
        ("三里囤", "lm:sanlitun"),
        ("崇庆西站", "lm:chongqing-west-railway-station"),
        ("Pariss", "gn:2988507"),
        ("Seatle", "gn:5809844"),
        ("Eifel Tower", "lm:eiffel-tower"),
        ("Shanghi", "gn:1796236"),
    ]);
    for (text, matched) in [
        ("古宫", Matched::Sound),
        ("Seatle", Matched::Spelling),
        ("清华大学东门", Matched::Contains),
        ("埃菲尔", Matched::Prefix),
    ] {
        assert_eq!(find(text).first().map(|hit| hit.matched), Some(matched), "{text}");
    }
}

#[test]
fn namesakes_are_all_given_so_that_the_caller_can_ask() {
    let chaoyang = find("朝阳区");
    let ids: Vec<_> = chaoyang.iter().map(|hit| hit.place.id.as_str()).collect();
    assert!(
        ids.contains(&"lm:chaoyang-district") && ids.contains(&"lm:chaoyang-district-changchun"),
        "{ids:?}"
    );

    let nowhere = Gazetteer::embedded().search(&Query::new("Springfield"));
    let springfields = nowhere.iter().filter(|hit| hit.place.name.en == "Springfield").count();
    assert!(springfields >= 4, "{springfields}");
    assert_eq!(clear_winner(&nowhere), None);

    let paris = Gazetteer::embedded().search(&Query::new("Paris"));
    assert_eq!(
        clear_winner(&paris).map(|hit| hit.place.country_code.as_str()),
        Some("FR")
    );
    assert_eq!(clear_winner(&[]), None);
}

#[test]
fn the_nearer_namesake_comes_first() {
    let gazetteer = Gazetteer::embedded();
    for (city, id) in [
        ((40.73, -73.99), "lm:union-square-new-york"),
        ((37.78, -122.41), "lm:union-square-san-francisco"),
    ] {
        let hits = gazetteer.search(&Query::new("Union Square").near(point(city)));
        assert_eq!(hits[0].place.id.as_str(), id);
    }
}

#[test]
fn a_simulated_place_is_found_again_by_its_id() {
    let gazetteer = Gazetteer::embedded();
    for hit in find("咖啡") {
        assert_eq!(gazetteer.get(&hit.place.id), Some(hit.place.clone()));
        assert!(!hit.place.name.zh.contains("{}") && !hit.place.name.en.is_empty());
    }
    for id in [
        "sim:fuel:1:2",
        "sim:fuel:0:0:99",
        "sim:fuel:999999:0:0",
        "sim:nothing:0:0:0",
        "sim:fuel:0:-1:0",
        "sim:fuel:00:0:0",
        "gn:",
        "",
        "gn:1",
    ] {
        assert_eq!(gazetteer.get(&PlaceId::new(id)), None, "{id}");
    }
}

#[test]
fn a_place_says_its_name_in_either_language() {
    let gazetteer = Gazetteer::embedded();
    for (id, zh, en, with_area_zh, with_area_en) in [
        ("gn:1808926", "杭州", "Hangzhou", "浙江杭州", "Hangzhou, Zhejiang"),
        ("lm:west-lake", "西湖", "West Lake", "杭州西湖", "West Lake, Hangzhou"),
        (
            "lm:chaoyang-district-changchun",
            "朝阳区",
            "Chaoyang District",
            "长春朝阳区",
            "Chaoyang District, Changchun",
        ),
        (
            "gn:4250542",
            "斯普林菲尔德",
            "Springfield",
            "伊利诺伊斯普林菲尔德",
            "Springfield, Illinois",
        ),
        ("gn:1816670", "北京", "Beijing", "北京", "Beijing"),
    ] {
        let place = gazetteer.get(&PlaceId::new(id)).unwrap();
        assert_eq!(place.spoken_name(Lang::En), en);
        assert_eq!(place.spoken_name_with_area(Lang::En), with_area_en);
        assert_eq!(place.spoken_name(Lang::Zh), zh);
        assert_eq!(place.spoken_name_with_area(Lang::Zh), with_area_zh);
    }
}

#[test]
fn the_tables_hold_what_they_should() {
    let rows: Vec<Row> = Gazetteer::embedded().all().collect();
    assert_eq!(rows.len(), include_str!("../../data/places/places.tsv").lines().count());
    let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    assert!(count(&|row| row.id.starts_with("gn:") && row.region.starts_with("CN.") && !row.zh.is_empty()) >= 15_000);
    assert!(count(&|row| row.id.starts_with("gn:") && !row.region.starts_with("CN")) >= 15_000);
    assert!(count(&|row| row.id.starts_with("lm:")) >= 500);
    assert!(count(&|row| row.id.starts_with("lm:") && row.region.starts_with("CN.")) >= 300);
    let size: usize = [
        include_str!("../../data/places/places.tsv"),
        include_str!("../../data/places/keys.tsv"),
        include_str!("../../data/places/regions.tsv"),
        include_str!("../../data/places/categories.tsv"),
    ]
    .iter()
    .map(|table| table.len())
    .sum();
    assert!(size < 4_000_000, "{size}");
}

#[test]
fn the_index_files_every_name_under_the_key_that_a_search_looks_up() {
    let gazetteer = Gazetteer::embedded();
    for row in gazetteer.all() {
        for name in [row.zh, row.en]
            .into_iter()
            .chain(row.aliases())
            .filter(|name| canonical(name).len() > 1)
        {
            let ids = gazetteer.keys.get(&canonical(name)).unwrap_or_default();
            assert!(ids.split(';').any(|id| id == row.id), "{name} of {}", row.id);
        }
    }
}

#[test]
fn the_landmarks_compiled_in_are_those_written_by_hand() {
    let written = include_str!("../../data/places/landmarks.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    for line in written {
        let fields: Vec<_> = line.split('\t').collect();
        let place = Gazetteer::embedded()
            .get(&PlaceId::new(format!("lm:{}", fields[0])))
            .unwrap();
        assert_eq!(
            (place.name.zh.as_str(), place.name.en.as_str()),
            (fields[2], fields[3]),
            "run build.py"
        );
        assert!(place.approximate && !place.simulated);
    }
}

#[test]
fn routes_are_estimated_from_the_great_circle() {
    let (beijing, tianjin, shanghai) = (point(BEIJING), point((39.136, 117.210)), point((31.23, 121.47)));
    for (from, to, km, minutes) in [
        (beijing, tianjin, 110.0..170.0, 75.0..160.0),
        (beijing, shanghai, 1_200.0..1_500.0, 750.0..1_150.0),
        (beijing, beijing, 0.0..0.1, 0.0..0.1),
    ] {
        let estimate = RoutePlan::new(from, &[], to).estimate();
        assert!(
            km.contains(&(estimate.distance_m / 1_000.0)) && minutes.contains(&(estimate.duration_s / 60.0)),
            "{estimate:?}"
        );
    }
    let over = RoutePlan::new(beijing, &[tianjin], shanghai);
    assert!(over.estimate().distance_m > RoutePlan::new(beijing, &[], shanghai).estimate().distance_m);
    assert!(over.distance_to_m(tianjin).unwrap() < 1.0);
    assert!(over.point_at(0.0).unwrap().distance_m(beijing) < 1.0);
    assert!(over.point_at(f64::MAX).unwrap().distance_m(shanghai) < 1.0);
}

#[test]
fn points_off_the_globe_are_refused() {
    for (lat, lon) in [(91.0, 0.0), (0.0, 181.0), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
        assert!(GeoPoint::new(lat, lon).is_err());
    }
    assert!(serde_json::from_str::<GeoPoint>(r#"{"lat":99,"lon":0}"#).is_err());
    assert_eq!(
        serde_json::to_string(&point((1.5, 2.5))).unwrap(),
        r#"{"lat":1.5,"lon":2.5}"#
    );
}

fn any_point() -> impl Strategy<Value = GeoPoint> {
    (-90.0..=90.0_f64, -180.0..=180.0_f64).prop_map(point)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_text_is_answered_within_the_limit(text in "\\PC{0,40}", limit in 0..60_usize, near in any_point()) {
        let hits = Gazetteer::embedded().search(&Query::new(&text).near(near).limit(limit));
        prop_assert!(hits.len() <= limit);
        prop_assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
        prop_assert!(hits.iter().all(|hit| hit.distance_m.is_some()));
    }

    #[test]
    fn chinese_of_any_kind_is_answered(text in "[北京上海西湖市区站的加油，a ]{0,12}") {
        find(&text);
    }

    #[test]
    fn everyday_places_come_nearest_first_and_are_the_same_again(near in any_point(), which in 0..50_usize) {
        let category = &Category::all()[which];
        let query = Query::new(category.zh).near(near).limit(20);
        let hits = Gazetteer::embedded().search(&query);
        prop_assert!(hits.iter().map(|hit| hit.distance_m).is_sorted());
        prop_assert_eq!(&hits, &Gazetteer::embedded().search(&query));
        for hit in hits.iter().filter(|hit| hit.place.simulated) {
            prop_assert_eq!(Gazetteer::embedded().get(&hit.place.id), Some(hit.place.clone()));
        }
    }

    #[test]
    fn a_route_is_walked_from_start_to_end(from in any_point(), to in any_point(), part in 0.0..1.0_f64) {
        prop_assume!(from.distance_m(to) < 15_000_000.0);
        let plan = RoutePlan::new(from, &[], to);
        let total = plan.estimate().distance_m;
        let reached = plan.point_at(total * part).unwrap();
        prop_assert!(plan.distance_to_m(reached).unwrap() < 1_000.0);
        prop_assert!(from.distance_m(reached) <= from.distance_m(to) + 1.0);
        prop_assert!(plan.line(50_000.0).len() <= 2_002);
    }
}

#[test]
fn the_nearest_place_is_the_one_with_the_shortest_distance() {
    let gazetteer = Gazetteer::embedded();
    for at in [
        BEIJING,
        (48.85, 2.35),
        (35.0, -101.5),
        (30.0, 100.0),
        (-33.8, 151.2),
        (89.0, 10.0),
        (10.0, 179.99),
    ] {
        let at = point(at);
        let nearest_of = |is_meant: &dyn Fn(PlaceKind) -> bool| {
            let rows = gazetteer.all().filter(|row| is_meant(row.kind));
            rows.map(|row| (row.position.distance_m(at), row.id))
                .min_by(|(one, _), (other, _)| one.total_cmp(other))
        };
        let close = nearest_of(&|kind| !kind.is_area()).filter(|(distance_m, _)| *distance_m <= 3_000.0);
        let area = |kind: PlaceKind| kind.is_area() && !matches!(kind, PlaceKind::Country | PlaceKind::Province);
        let expected = close.or_else(|| nearest_of(&area)).map(|(_, id)| id.to_owned());
        assert_eq!(gazetteer.nearest(at).map(|place| place.id.0), expected, "{at:?}");
    }
}

#[test]
fn whole_names_alone_find_what_the_whole_search_finds_by_them() {
    let whole = |hit: &Hit| matches!(hit.matched, Matched::Exact | Matched::Alias | Matched::Sound);
    for text in [
        "故宫",
        "古宫",
        "北京故宫",
        "三里囤",
        "埃菲尔",
        "清华大学东门",
        "Seatle",
        "Paris, Texas",
        "New York",
        "Xanadu Springs",
        "加油站",
        "京",
        "",
    ] {
        let all = find(text);
        let found = Gazetteer::embedded().search(&Query::new(text).whole_names().near(point(BEIJING)));
        let expected: Vec<Hit> = all.into_iter().filter(whole).collect();
        assert_eq!(found.into_iter().filter(whole).collect::<Vec<_>>(), expected, "{text}");
    }
    let slip = Gazetteer::embedded().search(&Query::new("Seatle").whole_names());
    assert_eq!(slip, []);
}
