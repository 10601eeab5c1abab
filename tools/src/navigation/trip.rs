//! Guidance as results and sentences tell it.

use super::phrase;
use super::service::{Guidance, NavigationService};
use incar_core::Lang;
use serde_json::{Map, Value, json};

/// The result for guidance: where to, over what, how far, how long.
pub(super) fn describe(guidance: &Guidance, map: &dyn NavigationService, lang: Lang) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert(
        "destination".into(),
        phrase::full_name(&guidance.destination, lang).into(),
    );
    result.insert("id".into(), guidance.destination.id.as_str().into());
    if !guidance.via.is_empty() {
        let names = guidance.via.iter().map(|place| phrase::full_name(place, lang));
        result.insert("via".into(), names.collect());
    }
    result.insert("distance_m".into(), whole(guidance.distance_m));
    result.insert("duration_s".into(), whole(guidance.duration_s));
    result.insert("preference".into(), json!(guidance.preference));
    if is_beyond_range(guidance, map) {
        result.insert("beyond_range".into(), true.into());
    }
    result
}

/// "，约3公里，9分钟", and that it is too far where it is.
pub(super) fn extent(guidance: &Guidance, map: &dyn NavigationService, lang: Lang) -> String {
    let about = phrase::about(guidance.distance_m, lang);
    let time = phrase::duration(guidance.duration_s, lang);
    let extent = lang.pick(format!("，{about}，{time}。"), format!(", {about}, {time}."));
    match map.range_m().filter(|_| is_beyond_range(guidance, map)) {
        None => extent,
        Some(range_m) => {
            let range = phrase::length(range_m, lang);
            let warning = lang.pick(
                format!("续航只剩{range}，途中需要补能。"),
                format!(" The remaining range is {range}, so you will have to stop on the way."),
            );
            extent + &warning
        }
    }
}

fn is_beyond_range(guidance: &Guidance, map: &dyn NavigationService) -> bool {
    map.range_m().is_some_and(|range_m| guidance.distance_m > range_m)
}

/// A measure as results give it.
pub(super) fn whole(value: f64) -> Value {
    (value.round().max(0.0) as u64).into()
}
