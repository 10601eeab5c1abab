//! What there is to know on the way.

use super::finder::{Finder, failed, no_fix};
use super::service::{Around, Guidance, Search};
use super::{phrase, spec, trip};
use crate::places::GeoPoint;
use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// `get_route_info`.
#[derive(Debug)]
pub(super) struct GetRouteInfo(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to tell.
    item: Item,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Item {
    RemainingDistance,
    RemainingTime,
    ArrivalTime,
    Traffic,
    SpeedLimit,
    CurrentLocation,
    Destination,
    NextTurn,
    ChargingStops,
}

const DAY_MINUTES: i64 = 24 * 60;

#[async_trait]
impl TypedTool for GetRouteInfo {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "get_route_info",
            Effect::Read,
            "查询剩余里程、剩余时间、到达时间、路况、限速、当前位置、目的地、下个路口、沿途充电站",
            "Tell the remaining distance or time, arrival time, traffic, speed limit, current location, destination, next turn or charging stops",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let lang = cx.lang;
        match args.item {
            Item::SpeedLimit => return self.speed_limit(lang),
            Item::CurrentLocation => return self.current_location(lang).await,
            _ => {}
        }
        let Some(guidance) = self.0.map.guidance() else {
            let say = lang.pick("现在没有在导航。", "There is no navigation going on.");
            return Ok(ToolOutput::new(json!({"item": args.item, "navigating": false}))?.say(say));
        };
        let (value, say) = match args.item {
            Item::RemainingDistance => remaining_distance(&guidance, lang),
            Item::RemainingTime => remaining_time(&guidance, lang),
            Item::ArrivalTime => self.arrival_time(&guidance, cx),
            Item::Traffic => traffic(&guidance, lang),
            Item::Destination => destination(&guidance, lang),
            Item::NextTurn => self.next_turn(&guidance, lang),
            Item::ChargingStops => self.charging_stops(lang).await?,
            Item::SpeedLimit | Item::CurrentLocation => (Value::Null, String::new()),
        };
        Ok(ToolOutput::new(value)?.say(say))
    }
}

fn remaining_distance(guidance: &Guidance, lang: Lang) -> (Value, String) {
    let (to, length) = (
        phrase::name(&guidance.destination, lang),
        phrase::length(guidance.distance_m, lang),
    );
    (
        json!({"distance_m": trip::whole(guidance.distance_m)}),
        lang.pick(format!("距离{to}还有约{length}。"), format!("About {length} to {to}.")),
    )
}

fn remaining_time(guidance: &Guidance, lang: Lang) -> (Value, String) {
    let (to, time) = (
        phrase::name(&guidance.destination, lang),
        phrase::duration(guidance.duration_s, lang),
    );
    (
        json!({"duration_s": trip::whole(guidance.duration_s)}),
        lang.pick(format!("到{to}还要大约{time}。"), format!("About {time} to {to}.")),
    )
}

fn destination(guidance: &Guidance, lang: Lang) -> (Value, String) {
    let to = phrase::full_name(&guidance.destination, lang);
    let length = phrase::length(guidance.distance_m, lang);
    (
        json!({"destination": to, "id": guidance.destination.id, "distance_m": trip::whole(guidance.distance_m)}),
        lang.pick(
            format!("目的地是{to}，还有约{length}。"),
            format!("The destination is {to}, about {length} to go."),
        ),
    )
}

/// There is no traffic to be known from an estimate: said so.
fn traffic(guidance: &Guidance, lang: Lang) -> (Value, String) {
    let time = phrase::duration(guidance.duration_s, lang);
    (
        json!({"available": false, "duration_s": trip::whole(guidance.duration_s)}),
        lang.pick(
            format!("暂时没有实时路况，按平时估计还要{time}。"),
            format!("I have no live traffic; the usual estimate is {time}."),
        ),
    )
}

impl GetRouteInfo {
    fn speed_limit(&self, lang: Lang) -> Result<ToolOutput, ToolError> {
        let Some(limit) = self.0.map.speed_limit_kmh() else {
            let say = lang.pick("现在不知道这里的限速。", "I do not know the speed limit here.");
            return Ok(ToolOutput::new(json!({"available": false}))?.say(say));
        };
        let limit = limit.round();
        let say = lang.pick(
            format!("当前道路限速{limit}公里每小时。"),
            format!("The speed limit here is {limit} kilometres per hour."),
        );
        Ok(ToolOutput::new(json!({"km_per_hour": trip::whole(limit)}))?.say(say))
    }

    async fn current_location(&self, lang: Lang) -> Result<ToolOutput, ToolError> {
        let position = self.0.map.position().ok_or_else(|| no_fix(lang))?;
        let near = self.0.map.nearest_place(position).await;
        let near = near.map_err(|error| failed(&error, lang))?;
        // Names only: a model has no use for coordinates, and they would leave the car with its request.
        let mut result = Map::new();
        let say = match near {
            None => lang.pick(
                "现在说不出这里的地名。".to_owned(),
                "I have no name for this place.".to_owned(),
            ),
            Some(place) => {
                let name = phrase::full_name(&place, lang);
                let say = lang.pick(format!("您现在在{name}附近。"), format!("You are near {name}."));
                result.insert("near".into(), name.into());
                say
            }
        };
        Ok(ToolOutput::new(result)?.say(say))
    }

    fn arrival_time(&self, guidance: &Guidance, cx: ToolContext<'_>) -> (Value, String) {
        let now = self.local_minutes(cx.clock.now().as_millis());
        let then = now.saturating_add((guidance.duration_s / 60.0).round() as i64);
        let minute_of_day = then.rem_euclid(DAY_MINUTES);
        let time = format!("{:02}:{:02}", minute_of_day / 60, minute_of_day % 60);
        let days = then.div_euclid(DAY_MINUTES) - now.div_euclid(DAY_MINUTES);
        let day = match days {
            0 => String::new(),
            1 => cx.lang.pick("明天", " tomorrow").to_owned(),
            2 => cx.lang.pick("后天", " the day after tomorrow").to_owned(),
            _ => cx.lang.pick(format!("{days}天后"), format!(", {days} days from now")),
        };
        let say = cx.lang.pick(
            format!("预计{day}{time}到达。"),
            format!("You should arrive at about {time}{day}."),
        );
        (
            json!({"arrival": time, "days_from_now": days, "duration_s": trip::whole(guidance.duration_s)}),
            say,
        )
    }

    /// Local minutes since the epoch.
    fn local_minutes(&self, millis: u64) -> i64 {
        i64::try_from(millis / 60_000)
            .unwrap_or(i64::MAX)
            .saturating_add(self.0.map.utc_offset_minutes().into())
    }

    /// Without a road network: in which direction the next stop lies.
    fn next_turn(&self, guidance: &Guidance, lang: Lang) -> (Value, String) {
        let stop = guidance.next_stop();
        let name = phrase::name(stop, lang);
        let Some(here) = self.0.map.position() else {
            return (json!({"available": false}), no_fix(lang).message);
        };
        let metres = here.distance_m(stop.position);
        let (direction, zh, en) = compass(here, stop.position);
        let about = phrase::about(metres, lang);
        let say = lang.pick(
            format!("暂时没有路口信息，{name}在{zh}方向，直线距离{about}。"),
            format!("I have no turn information; {name} lies {about} to the {en}."),
        );
        (
            json!({"available": false, "next_stop": name, "direction": direction, "straight_distance_m": trip::whole(metres)}),
            say,
        )
    }

    async fn charging_stops(&self, lang: Lang) -> Result<(Value, String), ToolError> {
        let search = Search::new(lang.pick("充电站", "charging station")).around(Around::Route);
        let mut choices = self.0.offer(&self.0.search(search, lang).await?, lang);
        choices.truncate(super::finder::MOST_SPOKEN);
        let stops: Vec<Value> = choices
            .iter()
            .map(|choice| json!({"name": choice.label, "id": choice.place.id, "distance_m": choice.distance_m.map(trip::whole)}))
            .collect();
        let spoken: Vec<String> = choices.iter().map(|choice| choice.spoken(lang)).collect();
        let spoken = phrase::list(&spoken, lang);
        let say = if stops.is_empty() {
            lang.pick(
                "沿途没有找到充电站。".to_owned(),
                "I found no charging station along the route.".to_owned(),
            )
        } else {
            lang.pick(format!("沿途有{spoken}。"), format!("Along the route: {spoken}."))
        };
        Ok((json!({"charging_stops": stops}), say))
    }
}

/// The eighth of the compass in which a point lies.
fn compass(from: GeoPoint, to: GeoPoint) -> (&'static str, &'static str, &'static str) {
    const EIGHTHS: [(&str, &str, &str); 8] = [
        ("north", "正北", "north"),
        ("northeast", "东北", "northeast"),
        ("east", "正东", "east"),
        ("southeast", "东南", "southeast"),
        ("south", "正南", "south"),
        ("southwest", "西南", "southwest"),
        ("west", "正西", "west"),
        ("northwest", "西北", "northwest"),
    ];
    let (lat1, lat2) = (from.lat().to_radians(), to.lat().to_radians());
    let east = (to.lon() - from.lon()).to_radians();
    let bearing = (east.sin() * lat2.cos()).atan2(lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * east.cos());
    let eighth = (bearing.to_degrees().rem_euclid(360.0) / 45.0).round() as usize % EIGHTHS.len();
    EIGHTHS.get(eighth).copied().unwrap_or(("north", "正北", "north"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compass_points_from_one_place_to_another() {
        let check = |to: (f64, f64), direction: &str| {
            let from = GeoPoint::new(40.0, 116.0).unwrap();
            assert_eq!(compass(from, GeoPoint::new(to.0, to.1).unwrap()).0, direction, "{to:?}");
        };
        check((41.0, 116.0), "north");
        check((39.0, 116.0), "south");
        check((40.0, 117.0), "east");
        check((40.0, 115.0), "west");
        check((41.0, 117.0), "northeast");
        check((39.0, 115.0), "southwest");
        check((40.0, 116.0), "north");
    }
}
