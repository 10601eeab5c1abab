//! Places of a kind: near a point, in an area, along a route.

use super::*;

#[test]
fn what_is_needed_on_the_road_is_near_any_point() {
    for at in [
        BEIJING,
        (0.0, 0.0),
        (-33.86, 151.21),
        (64.1, -21.9),
        (10.0, 179.999),
        (-16.5, -179.999),
        (89.99, 0.0),
    ] {
        for id in [
            "fuel",
            "charging",
            "parking",
            "coffee",
            "restaurant",
            "hospital",
            "supermarket",
            "bank",
            "pharmacy",
            "toilet",
            "hotel",
        ] {
            let hits = Gazetteer::embedded().search(&Query::new("").category(id).near(point(at)).limit(50));
            let near = hits
                .iter()
                .filter(|hit| hit.distance_m.is_some_and(|distance| distance <= 5_000.0))
                .count();
            assert!(near >= 3, "{near} {id} near {at:?}");
        }
    }
}

#[test]
fn categories_are_understood_in_both_languages() {
    for (text, category) in [
        ("加油站", "fuel"),
        ("附近的加油站", "fuel"),
        ("gas station", "fuel"),
        ("the nearest gas stations", "fuel"),
        ("petrol station", "fuel"),
        ("充电桩", "charging"),
        ("charger", "charging"),
        ("停车场", "parking"),
        ("parking", "parking"),
        ("四川火锅", "hotpot"),
        ("Sichuan restaurant", "sichuan"),
        ("an italian restaurant", "italian"),
        ("潮汕牛肉火锅", "hotpot"),
        ("日料", "japanese"),
        ("fast food", "fast_food"),
        ("星巴克", "starbucks"),
        ("中石化加油站", "sinopec"),
        ("医院", "hospital"),
        ("厕所", "toilet"),
        ("ATM", "bank"),
        ("取款机", "bank"),
        ("supermarkets", "supermarket"),
        ("churches", "nothing"),
        ("派出所", "police"),
        ("服务区", "service_area"),
    ] {
        let found = Category::named(text)
            .or_else(|| Category::within(text))
            .map_or("nothing", |category| category.id);
        assert_eq!(found, category, "{text}");
    }
    for (text, category) in [
        ("加油站", "fuel"),
        ("hotpot", "hotpot"),
        ("luckin coffee", "luckin"),
        ("人民广场附近的火锅店", "hotpot"),
    ] {
        let hits = find(text);
        assert!(
            !hits.is_empty() && hits.iter().all(|hit| hit.matched == Matched::Category),
            "{text}"
        );
        assert_eq!(
            hits[0].place.category.as_deref().unwrap_or("none"),
            first_family(category, &hits[0]),
            "{text}"
        );
    }
}

/// A category is answered by itself or by one of its family.
fn first_family<'a>(category: &'a str, hit: &'a Hit) -> &'a str {
    let found = hit.place.category.as_deref().unwrap_or_default();
    let family =
        Category::by_id(category).map(|category| category.family().map(|member| member.id).collect::<Vec<_>>());
    if family.is_some_and(|family| family.contains(&found)) {
        found
    } else {
        category
    }
}

#[test]
fn a_category_in_an_area_is_looked_for_there() {
    for (text, at) in [
        ("hotels in Paris", (48.853, 2.349)),
        ("上海的加油站", (31.222, 121.458)),
        ("人民广场附近的火锅店", (31.233, 121.475)),
    ] {
        let hits = find(text);
        assert!(hits.len() >= 3, "{text}: {}", hits.len());
        assert!(
            hits.iter()
                .all(|hit| hit.place.position.distance_m(point(at)) < 6_000.0),
            "{text}"
        );
    }
}

#[test]
fn real_places_of_a_category_come_with_the_simulated_ones() {
    let hits = Gazetteer::embedded().search(&Query::new("医院").near(point((39.913, 116.413))).limit(30));
    assert!(
        hits.iter()
            .any(|hit| hit.place.id.as_str() == "lm:peking-union-medical-college-hospital")
    );
    assert!(hits.iter().any(|hit| hit.place.simulated));
    let airport = find("机场");
    assert_eq!(airport[0].place.kind, PlaceKind::Airport);
    assert!(airport.iter().all(|hit| !hit.place.simulated));
    let station = find("最近的火车站");
    assert_eq!(station[0].place.id.as_str(), "lm:beijing-railway-station");
}

#[test]
fn places_along_a_route_lie_beside_it_in_its_order() {
    let plan = RoutePlan::new(point(BEIJING), &[], point((39.136, 117.210)));
    let line = plan.line(3_000.0);
    let hits = Gazetteer::embedded().search(&Query::new("加油站").along(&line).limit(10));
    assert_eq!(hits.len(), 10);
    assert!(
        hits.iter()
            .all(|hit| hit.distance_m.is_some_and(|distance| distance <= 2_000.0))
    );
    let from_start: Vec<_> = hits
        .iter()
        .map(|hit| hit.place.position.distance_m(point(BEIJING)))
        .collect();
    assert!(from_start.is_sorted_by(|a, b| *a <= *b + 6_000.0), "{from_start:?}");
}
