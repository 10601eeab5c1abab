//! What the car says of itself.

use super::car::Car;
use super::fan::per_level;
use super::motion::place_name;
use super::place::{Noun, Position, Subject};
use super::signals::Placed;
use super::{signals, spec};
use crate::vehicle::{SignalValue, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// `get_vehicle_status`.
#[derive(Debug)]
pub(super) struct GetVehicleStatus(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to tell.
    item: Item,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Item {
    Battery,
    Fuel,
    Range,
    TirePressure,
    Odometer,
    Speed,
    Doors,
    Windows,
    Lights,
    Climate,
    Seats,
    TemperatureInside,
    TemperatureOutside,
    Maintenance,
    Charging,
    All,
}

/// What "how is the car" tells.
const SUMMARY: [Item; 5] = [
    Item::Battery,
    Item::Range,
    Item::TirePressure,
    Item::Doors,
    Item::Windows,
];

const CHARGE: &str = "Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed";
const CHARGING: &str = "Vehicle.Powertrain.TractionBattery.Charging.IsCharging";
const CHARGING_TIME: &str = "Vehicle.Powertrain.TractionBattery.Charging.TimeToComplete";
const CABLE: &str = "Vehicle.Powertrain.TractionBattery.Charging.ChargingPort.AnyPosition.IsChargingCableConnected";
const RANGE: &str = "Vehicle.Powertrain.Range";
const FUEL: &str = "Vehicle.Powertrain.FuelSystem.RelativeLevel";
const FUEL_KIND: &str = "Vehicle.Powertrain.FuelSystem.HybridType";

/// What one item is: the value, and a sentence about it without its full stop.
struct Told {
    value: Value,
    say: String,
}

#[async_trait]
impl TypedTool for GetVehicleStatus {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "get_vehicle_status",
            Effect::Read,
            "查询车辆状态：电量、续航、胎压、车门、车窗、空调等",
            "Tell the state of the car: battery, range, tyres, doors, windows, climate and more",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let items: &[Item] = if args.item == Item::All { &SUMMARY } else { &[args.item] };
        let mut result = Map::new();
        let mut said = Vec::new();
        let mut unread = None;
        for item in items {
            let told = match self.tell(*item, cx.lang) {
                Ok(told) => told,
                Err(error) => {
                    unread = Some(error);
                    continue;
                }
            };
            if let Value::String(name) = serde_json::to_value(item).unwrap_or_default() {
                result.insert(name, told.value);
            }
            said.push(told.say);
        }
        // Of a summary, what can be read is told.
        if let (Some(error), true) = (unread, said.is_empty()) {
            return Err(error);
        }
        let say = match cx.lang {
            Lang::Zh => format!("{}。", said.join("，")),
            Lang::En => format!("{}.", said.join(". ")),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl GetVehicleStatus {
    fn tell(&self, item: Item, lang: Lang) -> Result<Told, ToolError> {
        match item {
            Item::Battery => {
                let percent = self.number(CHARGE, lang)?.round();
                Ok(Told {
                    value: json!({"percent": number(percent)}),
                    say: lang.pick(format!("电量还有{percent}%"), format!("The battery is at {percent}%")),
                })
            }
            Item::Fuel => self.fuel(lang),
            Item::Range => {
                let km = (self.number(RANGE, lang)? / 1000.0).round();
                Ok(Told {
                    value: json!({"km": number(km)}),
                    say: lang.pick(format!("续航还有{km}公里"), format!("The range is {km} kilometres")),
                })
            }
            Item::TirePressure => self.tires(lang),
            Item::Odometer => {
                let km = (self.number("Vehicle.TraveledDistance", lang)? / 1000.0).round();
                Ok(Told {
                    value: json!({"km": number(km)}),
                    say: lang.pick(format!("总里程{km}公里"), format!("The odometer reads {km} kilometres")),
                })
            }
            Item::Speed => {
                let speed = self.number("Vehicle.Speed", lang)?.round();
                Ok(Told {
                    value: json!({"km_per_hour": number(speed)}),
                    say: lang.pick(
                        format!("现在时速{speed}公里"),
                        format!("The speed is {speed} kilometres per hour"),
                    ),
                })
            }
            Item::Doors => self.doors(lang),
            Item::Windows => self.open_parts(signals::WINDOW, WINDOWS, lang),
            Item::Lights => self.lights(lang),
            Item::Climate => self.climate(lang),
            Item::Seats => self.seats(lang),
            Item::TemperatureInside => {
                let signal = "Vehicle.Cabin.HVAC.AmbientAirTemperature";
                self.temperature(signal, ("车内", "inside"), lang)
            }
            Item::TemperatureOutside => self.temperature("Vehicle.Exterior.AirTemperature", ("车外", "outside"), lang),
            Item::Maintenance => self.maintenance(lang),
            Item::Charging => self.charging(lang),
            Item::All => Err(super::car::unsupported(lang)),
        }
    }

    /// A number now: what moves is told where it is, not where it goes.
    fn number(&self, signal: &str, lang: Lang) -> Result<f64, ToolError> {
        let value = self.0.known(signal).and_then(|value| value.as_number());
        value.ok_or_else(|| unread(lang))
    }

    /// Whether a signal is true; not where this car has no such thing. What is not known is not told as off.
    fn is(&self, signal: &str, lang: Lang) -> Result<bool, ToolError> {
        match self.0.known(signal) {
            Some(value) => Ok(value == SignalValue::Bool(true)),
            None if self.0.has(signal) => Err(unread(lang)),
            None => Ok(false),
        }
    }

    fn fuel(&self, lang: Lang) -> Result<Told, ToolError> {
        let kind = self.0.known(FUEL_KIND);
        if kind.as_ref().and_then(SignalValue::as_text) == Some("NOT_APPLICABLE") {
            return Ok(Told {
                value: json!({"has_tank": false}),
                say: lang.pick(
                    "这是纯电车，没有油箱".to_owned(),
                    "This is an electric car, it has no fuel tank".to_owned(),
                ),
            });
        }
        let percent = self.number(FUEL, lang)?;
        Ok(Told {
            value: json!({"percent": number(percent)}),
            say: lang.pick(format!("油量还有{percent}%"), format!("The tank is at {percent}%")),
        })
    }

    fn tires(&self, lang: Lang) -> Result<Told, ToolError> {
        let tires = [
            ("front_left", "Row1", "Left"),
            ("front_right", "Row1", "Right"),
            ("rear_left", "Row2", "Left"),
            ("rear_right", "Row2", "Right"),
        ];
        let mut value = Map::new();
        let (mut low, mut bars) = (Vec::new(), Vec::new());
        for (name, row, side) in tires {
            let tire = format!("Vehicle.Chassis.Axle.{row}.Wheel.{side}.Tire");
            let bar = self.number(&format!("{tire}.Pressure"), lang)? / 100.0;
            let is_low = self.is(&format!("{tire}.IsPressureLow"), lang)?;
            value.insert(name.into(), json!({"bar": bar, "low": is_low}));
            bars.push(bar);
            if is_low {
                low.push(name);
            }
        }
        let names = |zh: fn(&str) -> &'static str| low.iter().map(|name| zh(name)).collect::<Vec<_>>().join("、");
        let zh_name = |name: &str| match name {
            "front_left" => "左前轮",
            "front_right" => "右前轮",
            "rear_left" => "左后轮",
            _ => "右后轮",
        };
        let least = bars.iter().copied().fold(f64::INFINITY, f64::min);
        let say = if low.is_empty() {
            lang.pick(
                format!("胎压正常，最低{least}巴"),
                format!("Tyre pressure is fine, {least} bar at least"),
            )
        } else {
            let en = low.join(" and ").replace('_', " ");
            lang.pick(
                format!("{}胎压偏低", names(zh_name)),
                format!("Tyre pressure is low: {en}"),
            )
        };
        Ok(Told {
            value: Value::Object(value),
            say,
        })
    }

    /// Doors or windows: those that stand open.
    fn open_parts(&self, placed: Placed, noun: Noun, lang: Lang) -> Result<Told, ToolError> {
        let (mut value, mut open) = (Map::new(), Vec::new());
        for part in self.0.parts_at(placed, Position::All, lang)? {
            let at = self.number(&part.signal, lang)?;
            if let Some(name) = place_name(part.spot.position()).as_str() {
                value.insert(name.to_owned(), number(at));
                if at > 0.0 {
                    open.push(Subject::at(part.spot.position(), noun, lang).text);
                }
            }
        }
        let say = if open.is_empty() {
            lang.pick(
                format!("{}都关着", noun.zh),
                format!("All {} are closed", noun.en_plural),
            )
        } else {
            let en = |open: &[String]| open.join(" and ");
            let be = if open.len() > 1 { "are" } else { "is" };
            lang.pick(format!("{}开着", open.join("、")), format!("{} {be} open", en(&open)))
        };
        Ok(Told {
            value: Value::Object(value),
            say,
        })
    }

    /// The doors, whether they are locked, and the trunk where it stands open.
    fn doors(&self, lang: Lang) -> Result<Told, ToolError> {
        let mut told = self.open_parts(signals::DOOR, DOORS, lang)?;
        let locks = self.0.parts(signals::DOOR_LOCK, Position::All);
        let locks = locks.iter().map(|lock| self.is(&lock.signal, lang));
        let locks = locks.collect::<Result<Vec<_>, _>>()?;
        let locked = locks.iter().filter(|locked| **locked).count();
        let state = match locked {
            0 => ("none", "没有上锁", "unlocked"),
            all if all == locks.len() => ("all", "都锁着", "locked"),
            _ => ("some", "有的锁着有的没锁", "partly locked"),
        };
        let trunk = self.0.has(signals::TRUNK_REAR) && self.number(signals::TRUNK_REAR, lang)? > 0.0;
        let mut doors = self.0.parts(signals::DOOR, Position::All).into_iter();
        let any_open = doors.any(|door| self.number(&door.signal, lang).is_ok_and(|at| at > 0.0));
        if let Value::Object(value) = &mut told.value {
            value.insert("locked".into(), state.0.into());
            value.insert("trunk_open".into(), trunk.into());
        }
        let (zh, en) = if trunk {
            ("，后备箱开着", ", and the trunk is open")
        } else {
            ("", "")
        };
        if !trunk && !any_open {
            told.say = lang
                .pick("车门和后备箱都关着", "All doors and the trunk are closed")
                .to_owned();
        }
        told.say = lang.pick(
            format!("{}，车门{}{zh}", told.say, state.1),
            format!("{}, the doors are {}{en}", told.say, state.2),
        );
        Ok(told)
    }

    fn lights(&self, lang: Lang) -> Result<Told, ToolError> {
        let lights = [
            ("low_beam", "近光灯", "low beam", "Vehicle.Body.Lights.Beam.Low.IsOn"),
            ("high_beam", "远光灯", "high beam", "Vehicle.Body.Lights.Beam.High.IsOn"),
            (
                "fog_front",
                "前雾灯",
                "front fog light",
                "Vehicle.Body.Lights.Fog.Front.IsOn",
            ),
            (
                "fog_rear",
                "后雾灯",
                "rear fog light",
                "Vehicle.Body.Lights.Fog.Rear.IsOn",
            ),
            (
                "position",
                "示廓灯",
                "position light",
                "Vehicle.Body.Lights.Parking.IsOn",
            ),
            (
                "hazard",
                "双闪",
                "hazard light",
                "Vehicle.Body.Lights.Hazard.IsSignaling",
            ),
            ("dome", "顶灯", "dome light", signals::DOME_ON),
        ];
        let mut value = Map::new();
        let (mut zh, mut en) = (Vec::new(), Vec::new());
        for (name, zh_name, en_name, signal) in lights {
            let on = self.is(signal, lang)?;
            value.insert(name.into(), on.into());
            if on {
                zh.push(zh_name);
                en.push(en_name);
            }
        }
        let say = if zh.is_empty() {
            lang.pick("车灯都关着".to_owned(), "All lights are off".to_owned())
        } else {
            lang.pick(
                format!("开着的灯有{}", zh.join("、")),
                format!("These lights are on: {}", en.join(", ")),
            )
        };
        Ok(Told {
            value: Value::Object(value),
            say,
        })
    }

    fn climate(&self, lang: Lang) -> Result<Told, ToolError> {
        let on = self.is(signals::AC, lang)?;
        let drivers = |placed: Placed| {
            let parts = self.0.parts_at(placed, Position::Driver, lang)?;
            let first = parts
                .first()
                .map_or_else(|| Err(unread(lang)), |part| self.number(&part.signal, lang))?;
            Ok::<_, ToolError>((first, parts))
        };
        let (temperature, _) = drivers(signals::ZONE_TEMPERATURE)?;
        let (fan, fans) = drivers(signals::ZONE_FAN)?;
        let fan = (fan / per_level(&self.0, &fans)).round();
        let (zh, en) = if on {
            ("空调开着", "The air conditioning is on")
        } else {
            ("空调关着", "The air conditioning is off")
        };
        Ok(Told {
            value: json!({"power": if on { "on" } else { "off" }, "temperature": number(temperature), "fan": number(fan)}),
            say: lang.pick(
                format!("{zh}，设定{temperature}度，风量{fan}档"),
                format!("{en}, set to {temperature} degrees, fan {fan}"),
            ),
        })
    }

    fn seats(&self, lang: Lang) -> Result<Told, ToolError> {
        let (mut value, mut on) = (Map::new(), Vec::new());
        for part in self.0.parts_at(signals::SEAT_HEATING_COOLING, Position::All, lang)? {
            let percent = self.number(&part.signal, lang)?;
            let (kind, noun) = if percent > 0.0 {
                ("heating", SEAT_HEATING)
            } else {
                ("ventilation", SEAT_VENTILATION)
            };
            let level = (percent.abs() * 3.0 / 100.0).round();
            if level > 0.0
                && let Some(name) = place_name(part.spot.position()).as_str()
            {
                value.insert(name.to_owned(), json!({kind: number(level)}));
                let text = Subject::at(part.spot.position(), noun, lang).text;
                on.push(lang.pick(format!("{text}{level}档"), format!("{text} is at level {level}")));
            }
        }
        let say = if on.is_empty() {
            lang.pick(
                "座椅加热和通风都没开".to_owned(),
                "Seat heating and ventilation are off".to_owned(),
            )
        } else {
            on.join(lang.pick("，", ". "))
        };
        Ok(Told {
            value: Value::Object(value),
            say,
        })
    }

    fn temperature(&self, signal: &str, place: (&str, &str), lang: Lang) -> Result<Told, ToolError> {
        let degrees = (self.number(signal, lang)? * 2.0).round() / 2.0;
        Ok(Told {
            value: json!({"celsius": number(degrees)}),
            say: lang.pick(
                format!("{}{degrees}度", place.0),
                format!("It is {degrees} degrees {}", place.1),
            ),
        })
    }

    fn maintenance(&self, lang: Lang) -> Result<Told, ToolError> {
        let km = self.number("Vehicle.Service.DistanceToService", lang)?.round();
        let due = self.is("Vehicle.Service.IsServiceDue", lang)? || km <= 0.0;
        Ok(Told {
            value: json!({"due": due, "km_to_service": number(km)}),
            say: if due {
                lang.pick("车辆该保养了".to_owned(), "The car is due for service".to_owned())
            } else {
                lang.pick(
                    format!("距下次保养还有{km}公里"),
                    format!("The next service is due in {km} kilometres"),
                )
            },
        })
    }

    fn charging(&self, lang: Lang) -> Result<Told, ToolError> {
        let (charging, cable) = (self.is(CHARGING, lang)?, self.is(CABLE, lang)?);
        let minutes = (self.number(CHARGING_TIME, lang)? / 60.0).round();
        let say = match (charging, cable) {
            (true, _) if minutes > 0.0 => lang.pick(
                format!("正在充电，还要{minutes}分钟充满"),
                format!("The car is charging, {minutes} minutes to full"),
            ),
            (true, _) => lang.pick("正在充电".to_owned(), "The car is charging".to_owned()),
            (false, true) => lang.pick(
                "充电枪已插，没在充电".to_owned(),
                "The cable is in, but the car is not charging".to_owned(),
            ),
            (false, false) => lang.pick("没有在充电".to_owned(), "The car is not charging".to_owned()),
        };
        Ok(Told {
            value: json!({"charging": charging, "cable": cable, "minutes_to_full": number(minutes)}),
            say,
        })
    }
}

fn unread(lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::ToolFailed,
        lang.pick("现在读不到。", "I cannot read that right now."),
    )
}

const DOORS: Noun = Noun {
    zh: "车门",
    en: "door",
    en_plural: "doors",
};
const WINDOWS: Noun = Noun {
    zh: "车窗",
    en: "window",
    en_plural: "windows",
};
const SEAT_HEATING: Noun = Noun {
    zh: "座椅加热",
    en: "seat heating",
    en_plural: "seat heating",
};
const SEAT_VENTILATION: Noun = Noun {
    zh: "座椅通风",
    en: "seat ventilation",
    en_plural: "seat ventilation",
};
