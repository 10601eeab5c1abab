//! The table of signals read backwards: what setting a signal comes to, as calls of the tools here.
//!
//! Policies and permissions speak of those tools. By this table what they say of a call holds for whoever sets its signal
//! directly, too. Paths are those of `signals.rs` and others of the Vehicle Signal Specification for the same part (a
//! door's `Position`, `IsOpen` and `Switch`). Where a path or a value leaves open which call it is, it is each that it
//! may be.

use super::feature::PAGE;
use super::place::{Layout, Position};
use crate::features::{FeatureCatalogue, PageCatalogue};
use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
use serde_json::{Map, Value, json};

/// A call of one of the tools here, as much of it as a signal tells.
#[derive(Debug)]
pub(crate) struct Deed {
    /// Its name and effect; no more of it is asked for.
    pub(crate) tool: ToolSpec,
    pub(crate) arguments: Value,
}

/// What setting `signal` to `value` comes to; nothing where no tool here does that.
pub(crate) fn deeds(signal: &str, value: &Value, layout: Layout) -> Vec<Deed> {
    let rows = TABLE.iter().flat_map(|row| row.deeds(signal, value, layout));
    rows.chain(features(signal, value)).chain(page(signal, value)).collect()
}

type Arguments = &'static [(&'static str, &'static str)];

/// Signals of one meaning.
struct Row {
    tool: &'static str,
    effect: Effect,
    /// Arguments whatever the signal and its value.
    with: Arguments,
    /// `{name}` stands for any segment; `|` parts what the last segment may be.
    path: &'static str,
    place: Place,
    value: Meaning,
}

/// Which argument takes what a path leaves open.
enum Place {
    Nowhere,
    /// The place of `{row}` and `{side}`.
    Seat(&'static str),
    /// The left or right one of `{side}`.
    Side(&'static str),
    /// `{name}` itself, in lower case.
    Named(&'static str),
}

/// What a value says.
enum Meaning {
    /// How far open: a percentage, yes or no, or the position of a switch.
    Opens,
    /// Whether it is locked.
    Locks,
    /// Whether it is locked, of what no tool locks: what is unlocked can be opened.
    Unlatches,
    /// The argument `power`.
    Power,
    /// The argument `power`: on where the number has this sign.
    PowerBySign(f64),
    /// A number, of which so many are one of the argument's.
    Number(&'static str, f64),
    /// One of these names, else its own in lower case.
    Name(&'static str, Arguments),
    /// Yes, or no.
    Either(Arguments, Arguments),
    /// One of these ways, which a target alone does not tell.
    Moves(&'static [Arguments]),
    /// What each name comes to.
    Cases(&'static [(&'static str, &'static [Arguments])]),
    /// Nothing beyond what the row says.
    Anything,
}

use Meaning::{Anything, Cases, Either, Locks, Moves, Name, Number, Opens, Power, PowerBySign, Unlatches};
use Place::{Named, Nowhere, Seat, Side};

const fn set(tool: &'static str, with: Arguments, path: &'static str, place: Place, value: Meaning) -> Row {
    Row {
        tool,
        effect: Effect::Set,
        with,
        path,
        place,
        value,
    }
}

const fn act(tool: &'static str, with: Arguments, path: &'static str, place: Place, value: Meaning) -> Row {
    Row {
        effect: Effect::Act,
        ..set(tool, with, path, place, value)
    }
}

const SEAT_WAYS: &[Arguments] = &[
    &[("direction", "forward")],
    &[("direction", "backward")],
    &[("direction", "up")],
    &[("direction", "down")],
];
const MIRROR_WAYS: &[Arguments] = &[
    &[("action", "up")],
    &[("action", "down")],
    &[("action", "left")],
    &[("action", "right")],
];
const SCREEN_WAYS: &[Arguments] = &[
    &[("move", "up")],
    &[("move", "down")],
    &[("move", "left")],
    &[("move", "right")],
];
const LIGHT_SWITCH: &[(&str, &[Arguments])] = &[
    (
        "OFF",
        &[
            &[("light", "auto"), ("power", "off")],
            &[("light", "low_beam"), ("power", "off")],
        ],
    ),
    (
        "POSITION",
        &[
            &[("light", "position"), ("power", "on")],
            &[("light", "low_beam"), ("power", "off")],
        ],
    ),
    (
        "DAYTIME_RUNNING_LIGHTS",
        &[
            &[("light", "daytime"), ("power", "on")],
            &[("light", "low_beam"), ("power", "off")],
        ],
    ),
    ("AUTO", &[&[("light", "auto"), ("power", "on")]]),
    ("BEAM", &[&[("light", "low_beam"), ("power", "on")]]),
];

#[rustfmt::skip] // One meaning a line.
const TABLE: &[Row] = &[
    // Doors, windows, shades, trunk.
    act("control_door", &[], "Vehicle.Cabin.Door.{row}.{side}.Position|IsOpen|Switch", Seat("door"), Opens),
    act("control_door", &[], "Vehicle.Cabin.Door.{row}.{side}.IsLocked", Seat("door"), Locks),
    set("control_window", &[], "Vehicle.Cabin.Door.{row}.{side}.Window.Position|IsOpen|Switch", Seat("window"), Opens),
    set("control_window", &[], "Vehicle.Incar.Door.{row}.{side}.Window.IsLocked", Seat("window"), Locks),
    set("control_sunroof", &[], "Vehicle.Cabin.Sunroof.Position|IsOpen|Switch", Nowhere, Opens),
    set("control_sunshade", &[("shade", "roof")], "Vehicle.Cabin.Sunroof.Shade.Position|IsOpen|Switch", Nowhere, Opens),
    set("control_sunshade", &[("shade", "front")], "Vehicle.Incar.FrontShade.Position", Nowhere, Opens),
    set("control_sunshade", &[("shade", "rear")], "Vehicle.Cabin.RearShade.Position|IsOpen|Switch", Nowhere, Opens),
    set("control_sunshade", &[], "Vehicle.Cabin.Door.{row}.{side}.Shade.Position|IsOpen|Switch", Side("shade"), Opens),
    act("control_trunk", &[], "Vehicle.Body.Trunk.{trunk}.Position|IsOpen|Switch", Named("trunk"), Opens),
    act("control_trunk", &[], "Vehicle.Body.Trunk.{trunk}.IsLocked", Named("trunk"), Unlatches),
    // Climate.
    set("set_ac_power", &[], "Vehicle.Cabin.HVAC.IsAirConditioningActive", Nowhere, Power),
    set("set_ac_power", &[], "Vehicle.Incar.HVAC.Station.{row}.{side}.IsActive", Seat("zone"), Power),
    set("set_temperature", &[], "Vehicle.Cabin.HVAC.Station.{row}.{side}.Temperature", Seat("zone"), Number("temperature", 1.0)),
    set("set_fan_speed", &[], "Vehicle.Cabin.HVAC.Station.{row}.{side}.FanSpeed", Seat("zone"), Number("fan", 10.0)),
    set("set_air_circulation", &[], "Vehicle.Cabin.HVAC.IsRecirculationActive", Nowhere, Either(&[("mode", "inside")], &[("mode", "outside")])),
    set("set_air_circulation", &[], "Vehicle.Incar.HVAC.IsCirculationAuto", Nowhere, Either(&[("mode", "auto")], &[])),
    set("set_airflow", &[], "Vehicle.Incar.HVAC.Station.{row}.{side}.Airflow|Aim", Seat("zone"), Name("direction", &[])),
    set("set_airflow", &[], "Vehicle.Cabin.HVAC.Station.{row}.{side}.AirDistribution", Seat("zone"), Name("direction", &[("UP", "windshield"), ("MIDDLE", "face"), ("DOWN", "feet")])),
    set("set_airflow", &[], "Vehicle.Incar.HVAC.Station.{row}.{side}.IsSwinging", Seat("zone"), Either(&[("swing", "on")], &[("swing", "off")])),
    set("set_defrost", &[("window", "front")], "Vehicle.Cabin.HVAC.IsFrontDefrosterActive", Nowhere, Power),
    set("set_defrost", &[("window", "rear")], "Vehicle.Cabin.HVAC.IsRearDefrosterActive", Nowhere, Power),
    set("set_defrost", &[("window", "mirrors")], "Vehicle.Body.Mirrors.{side}.IsHeatingOn", Nowhere, Power),
    set("set_climate_mode", &[], "Vehicle.Incar.HVAC.Mode", Nowhere, Name("mode", &[])),
    set("set_fragrance", &[], "Vehicle.Incar.Fragrance.IsActive", Nowhere, Power),
    set("set_fragrance", &[], "Vehicle.Incar.Fragrance.Level", Nowhere, Number("level", 1.0)),
    set("set_fragrance", &[], "Vehicle.Incar.Fragrance.Scent", Nowhere, Name("scent", &[])),
    // Seats and the steering wheel.
    set("set_seat_heating", &[], "Vehicle.{home}.Seat.{row}.{side}.HeatingCooling", Seat("seat"), PowerBySign(1.0)),
    set("set_seat_heating", &[], "Vehicle.{home}.Seat.{row}.{side}.{part}.HeatingCooling", Seat("seat"), PowerBySign(1.0)),
    set("set_seat_heating", &[], "Vehicle.{home}.Seat.{row}.{side}.IsWarmerSwitchEngaged", Seat("seat"), Power),
    set("set_seat_ventilation", &[], "Vehicle.{home}.Seat.{row}.{side}.HeatingCooling", Seat("seat"), PowerBySign(-1.0)),
    set("set_seat_ventilation", &[], "Vehicle.{home}.Seat.{row}.{side}.{part}.HeatingCooling", Seat("seat"), PowerBySign(-1.0)),
    set("set_seat_ventilation", &[], "Vehicle.{home}.Seat.{row}.{side}.IsCoolerSwitchEngaged", Seat("seat"), Power),
    set("set_seat_massage", &[], "Vehicle.{home}.Seat.{row}.{side}.Massage.Level", Seat("seat"), PowerBySign(1.0)),
    set("set_seat_massage", &[], "Vehicle.{home}.Seat.{row}.{side}.Massage.TypeActive", Seat("seat"), Name("mode", &[])),
    set("set_steering_wheel_heating", &[], "Vehicle.Chassis.SteeringWheel.HeatingCooling", Nowhere, PowerBySign(1.0)),
    set("adjust_seat", &[("part", "seat")], "Vehicle.{home}.Seat.{row}.{side}.Position|Height|IsForwardSwitchEngaged|IsBackwardSwitchEngaged|IsUpSwitchEngaged|IsDownSwitchEngaged", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "cushion")], "Vehicle.{home}.Seat.{row}.{side}.Tilt|IsTiltForwardSwitchEngaged|IsTiltBackwardSwitchEngaged", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "cushion")], "Vehicle.{home}.Seat.{row}.{side}.Seating.Length|SideBolsterSupportLeft|SideBolsterSupportRight|IsForwardSwitchEngaged|IsBackwardSwitchEngaged", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "backrest")], "Vehicle.{home}.Seat.{row}.{side}.Backrest.Recline|IsReclineForwardSwitchEngaged|IsReclineBackwardSwitchEngaged|SideBolsterSupport|SideBolsterSupportLeft|SideBolsterSupportRight|UpperShoulderSupport|IsMoreSideBolsterSupportSwitchEngaged|IsLessSideBolsterSupportSwitchEngaged", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "lumbar")], "Vehicle.{home}.Seat.{row}.{side}.Backrest.LumbarSupport|LumbarHeight|TopLumbarSupport|MidLumbarSupport|BottomLumbarSupport|IsLumbarUpSwitchEngaged|IsLumbarDownSwitchEngaged|IsMoreLumbarSupportSwitchEngaged|IsLessLumbarSupportSwitchEngaged", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "headrest")], "Vehicle.{home}.Seat.{row}.{side}.Headrest.{what}", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "leg_rest")], "Vehicle.{home}.Seat.{row}.{side}.LegRest.{what}", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "foot_rest")], "Vehicle.{home}.Seat.{row}.{side}.FootRest.{what}", Seat("seat"), Moves(SEAT_WAYS)),
    set("adjust_seat", &[("part", "arm_rest")], "Vehicle.{home}.Seat.{row}.{side}.ArmRest.{what}", Seat("seat"), Moves(SEAT_WAYS)),
    act("seat_memory", &[("action", "save")], "Vehicle.{home}.Seat.{row}.{side}.Memory", Seat("seat"), Anything),
    // Lights.
    set("set_exterior_light", &[("light", "low_beam")], "Vehicle.Body.Lights.Beam.Low.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "high_beam")], "Vehicle.Body.Lights.Beam.High.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "high_beam")], "Vehicle.Body.Lights.IsHighBeamSwitchOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "fog_front")], "Vehicle.Body.Lights.Fog.Front.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "fog_rear")], "Vehicle.Body.Lights.Fog.Rear.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "position")], "Vehicle.Body.Lights.Parking.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "daytime")], "Vehicle.Body.Lights.Running.IsOn", Nowhere, Power),
    set("set_exterior_light", &[("light", "hazard")], "Vehicle.Body.Lights.Hazard.IsSignaling", Nowhere, Power),
    set("set_exterior_light", &[("light", "turn_left")], "Vehicle.Body.Lights.DirectionIndicator.Left.IsSignaling", Nowhere, Power),
    set("set_exterior_light", &[("light", "turn_right")], "Vehicle.Body.Lights.DirectionIndicator.Right.IsSignaling", Nowhere, Power),
    set("set_exterior_light", &[("light", "welcome")], "Vehicle.Incar.Lights.Welcome.IsOn", Nowhere, Power),
    set("set_exterior_light", &[], "Vehicle.Body.Lights.LightSwitch", Nowhere, Cases(LIGHT_SWITCH)),
    set("set_interior_light", &[("light", "ambient")], "Vehicle.Cabin.Light.AmbientLight.{row}.{side}.IsLightOn", Seat("position"), Power),
    set("set_interior_light", &[("light", "ambient")], "Vehicle.Cabin.Light.AmbientLight.{row}.{side}.Intensity", Seat("position"), Number("brightness", 1.0)),
    set("set_interior_light", &[("light", "ambient")], "Vehicle.Cabin.Light.AmbientLight.{row}.{side}.Color", Seat("position"), Name("color", &[])),
    set("set_interior_light", &[("light", "ambient")], "Vehicle.Incar.Light.AmbientLight.Mode", Nowhere, Name("mode", &[])),
    set("set_interior_light", &[("light", "reading")], "Vehicle.Cabin.Light.Spotlight.{row}.{side}.IsLightOn", Seat("position"), Power),
    set("set_interior_light", &[("light", "reading")], "Vehicle.Cabin.Light.Spotlight.{row}.{side}.Intensity", Seat("position"), Number("brightness", 1.0)),
    set("set_interior_light", &[("light", "reading")], "Vehicle.Cabin.Light.Spotlight.{row}.{side}.Color", Seat("position"), Name("color", &[])),
    set("set_interior_light", &[("light", "dome")], "Vehicle.Cabin.Light.IsDomeOn", Nowhere, Power),
    set("set_interior_light", &[("light", "dome")], "Vehicle.Incar.Light.Dome.Intensity", Nowhere, Number("brightness", 1.0)),
    // Mirrors, wipers, screens, sound.
    set("set_mirror", &[], "Vehicle.Body.Mirrors.{side}.IsFolded", Side("mirror"), Either(&[("action", "fold")], &[("action", "unfold")])),
    set("set_mirror", &[], "Vehicle.Body.Mirrors.{side}.IsHeatingOn", Side("mirror"), Either(&[("action", "heat_on")], &[("action", "heat_off")])),
    set("set_mirror", &[], "Vehicle.Body.Mirrors.{side}.Pan|Tilt|Yaw", Side("mirror"), Moves(MIRROR_WAYS)),
    set("set_wiper", &[], "Vehicle.Body.Windshield.{wiper}.Wiping.Mode", Named("wiper"), Name("mode", &[("RAIN_SENSOR", "auto"), ("SLOW", "low"), ("FAST", "high")])),
    act("set_wiper", &[("mode", "once")], "Vehicle.Incar.Windshield.{wiper}.SingleWipes", Named("wiper"), Anything),
    act("set_wiper", &[("mode", "wash")], "Vehicle.Incar.Windshield.{wiper}.Washes", Named("wiper"), Anything),
    set("set_screen", &[("screen", "center")], "Vehicle.Cabin.Infotainment.HMI.Brightness", Nowhere, Number("brightness", 1.0)),
    set("set_screen", &[("screen", "center")], "Vehicle.Cabin.Infotainment.HMI.DayNightMode", Nowhere, Name("mode", &[])),
    set("set_screen", &[], "Vehicle.Incar.Screen.{screen}.Brightness", Named("screen"), Number("brightness", 1.0)),
    set("set_screen", &[], "Vehicle.Incar.Screen.{screen}.IsOn", Named("screen"), Power),
    set("set_screen", &[], "Vehicle.Incar.Screen.{screen}.Mode", Named("screen"), Name("mode", &[])),
    set("set_screen", &[], "Vehicle.Incar.Screen.{screen}.Pan|Tilt", Named("screen"), Moves(SCREEN_WAYS)),
    set("set_volume", &[], "Vehicle.{home}.Infotainment.{channel}.Volume", Named("channel"), Number("volume", 1.0)),
    set("set_volume", &[], "Vehicle.{home}.Infotainment.{channel}.IsMuted", Named("channel"), Either(&[("mute", "on")], &[("mute", "off")])),
    set("set_volume", &[], "Vehicle.{home}.Infotainment.{channel}.Mute", Named("channel"), Name("mute", &[("MUTED", "on"), ("UNMUTED", "off")])),
    // Driving.
    set("set_drive_mode", &[], "Vehicle.Incar.DriveMode", Nowhere, Name("mode", &[])),
    set("set_drive_mode", &[], "Vehicle.Powertrain.Transmission.PerformanceMode", Nowhere, Name("mode", &[("NORMAL", "comfort"), ("ECONOMY", "eco")])),
    set("set_driver_assist", &[("feature", "lane_assist")], "Vehicle.ADAS.LaneDepartureDetection.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "adaptive_cruise")], "Vehicle.ADAS.CruiseControl.IsEnabled|IsAdaptive|IsActive", Nowhere, Power),
    set("set_driver_assist", &[("feature", "blind_spot")], "Vehicle.Incar.ADAS.BlindSpot.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "forward_collision")], "Vehicle.ADAS.ObstacleDetection.Front.{side}.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "rear_cross_traffic")], "Vehicle.ADAS.ObstacleDetection.Rear.{side}.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "rear_cross_traffic")], "Vehicle.Incar.ADAS.RearCrossTraffic.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "traffic_sign")], "Vehicle.Incar.ADAS.TrafficSign.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "parking_assist")], "Vehicle.Incar.ADAS.ParkingAssist.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "surround_view")], "Vehicle.Incar.ADAS.SurroundView.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "auto_hold")], "Vehicle.Incar.Brake.IsAutoHoldEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "parking_brake")], "Vehicle.Chassis.ParkingBrake.IsEngaged", Nowhere, Power),
    set("set_driver_assist", &[("feature", "stability")], "Vehicle.ADAS.ESC.IsEnabled", Nowhere, Power),
    set("set_driver_assist", &[("feature", "fatigue")], "Vehicle.ADAS.DMS.IsEnabled", Nowhere, Power),
];

impl Row {
    fn deeds(&self, signal: &str, value: &Value, layout: Layout) -> Vec<Deed> {
        let Some(open) = left_open(self.path, signal) else {
            return Vec::new();
        };
        let place = self.place.argument(&open, layout);
        let deed = |meant: Map<String, Value>| {
            let mut arguments = written(self.with);
            arguments.extend(place.clone());
            arguments.extend(meant);
            Deed::new(self.tool, self.effect, arguments)
        };
        self.value.arguments(value).into_iter().map(deed).collect()
    }
}

impl Deed {
    fn new(tool: &'static str, effect: Effect, arguments: Map<String, Value>) -> Self {
        Self {
            tool: ToolSpec::new(tool, ToolCategory::CAR_CONTROL, effect, Bilingual::new("", "")),
            arguments: arguments.into(),
        }
    }
}

/// What stands in a signal where its path leaves that open, by name; `None` where it is another signal.
fn left_open<'a>(path: &'static str, signal: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let (mut wanted, mut segments) = (path.split('.'), signal.split('.'));
    let mut open = Vec::new();
    loop {
        match (wanted.next(), segments.next()) {
            (None, None) => return Some(open),
            (Some(wanted), Some(segment)) => match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) => open.push((name, segment)),
                None if wanted.split('|').any(|one| one == segment) => {}
                None => return None,
            },
            _ => return None,
        }
    }
}

impl Place {
    /// The argument; `None` where it is not said yet (`*`), or nowhere.
    fn argument(&self, open: &[(&'static str, &str)], layout: Layout) -> Option<(String, Value)> {
        let segment = |name: &str| {
            open.iter()
                .find(|(known, _)| *known == name)
                .map_or("", |(_, segment)| segment)
        };
        let is_driver_side = match segment("side") {
            "DriverSide" | "Driver" => Some(true),
            "PassengerSide" | "Passenger" => Some(false),
            "Left" => Some(layout == Layout::LeftHandDrive),
            "Right" => Some(layout == Layout::RightHandDrive),
            _ => None,
        };
        let is_left = is_driver_side.map(|driver| driver == (layout == Layout::LeftHandDrive));
        let (argument, value) = match self {
            Self::Nowhere => return None,
            Self::Seat(_) | Self::Side(_) if open.iter().any(|(_, segment)| *segment == "*") => return None,
            Self::Seat(argument) => {
                let position = match (segment("row"), is_driver_side, is_left) {
                    ("Row1", Some(true), _) => Position::Driver,
                    ("Row1", Some(false), _) => Position::Passenger,
                    ("Row1", None, _) => Position::Front,
                    ("Row2", _, Some(true)) => Position::RearLeft,
                    ("Row2", _, Some(false)) => Position::RearRight,
                    ("Row2", _, None) => Position::Rear,
                    ("Row3", ..) => Position::ThirdRow,
                    _ => Position::All,
                };
                (argument, json!(position))
            }
            Self::Side(argument) => (
                argument,
                json!(is_left.map_or("all", |left| if left { "left" } else { "right" })),
            ),
            Self::Named(argument) => (argument, json!(segment(argument).to_lowercase())),
        };
        Some(((*argument).to_owned(), value))
    }
}

impl Meaning {
    /// The arguments of each call that the value may be.
    fn arguments(&self, value: &Value) -> Vec<Map<String, Value>> {
        match self {
            Self::Opens => opening(value).into_iter().collect(),
            Self::Locks => choices(value, &[("action", "lock")], &[("action", "unlock")]),
            Self::Unlatches => match value.as_bool() {
                Some(true) => Vec::new(),
                Some(false) | None => vec![written(&[("action", "open")])],
            },
            Self::Power => choices(value, &[("power", "on")], &[("power", "off")]),
            Self::PowerBySign(sign) => {
                let on = value
                    .as_f64()
                    .map_or(Value::Null, |number| (number * sign > 0.0).into());
                choices(&on, &[("power", "on")], &[("power", "off")])
            }
            Self::Number(argument, per) => {
                let number = value.as_f64().map_or(Value::Null, |number| (number / per).into());
                vec![Map::from_iter([((*argument).to_owned(), number)])]
            }
            Self::Name(argument, names) => {
                let own = value.as_str().unwrap_or_default();
                let known = names.iter().find(|(name, _)| *name == own);
                let name = known.map_or_else(|| own.to_lowercase(), |(_, said)| (*said).to_owned());
                vec![Map::from_iter([((*argument).to_owned(), name.into())])]
            }
            Self::Either(yes, no) => choices(value, yes, no),
            Self::Moves(ways) => ways.iter().map(|way| written(way)).collect(),
            Self::Cases(cases) => {
                let case = cases.iter().find(|(name, _)| value.as_str() == Some(name));
                let calls = case.map_or(&[][..], |(_, calls)| calls);
                calls.iter().map(|arguments| written(arguments)).collect()
            }
            Self::Anything => vec![Map::new()],
        }
    }
}

fn written(arguments: Arguments) -> Map<String, Value> {
    let written = arguments
        .iter()
        .map(|&(name, value)| (name.to_owned(), Value::from(value)));
    written.collect()
}

/// What yes or no comes to; both where it is neither.
fn choices(value: &Value, yes: Arguments, no: Arguments) -> Vec<Map<String, Value>> {
    let both = [(true, yes), (false, no)];
    let may_be = both
        .into_iter()
        .filter(|(is, _)| value.as_bool().is_none_or(|value| value == *is));
    may_be.map(|(_, arguments)| written(arguments)).collect()
}

/// How a part opens or shuts. A position of a switch that is not known opens it.
fn opening(value: &Value) -> Option<Map<String, Value>> {
    let (action, percentage) = match (value, value.as_f64()) {
        (_, Some(number)) if number < 0.0 => ("tilt", -number),
        (_, Some(number)) => (if number > 0.0 { "open" } else { "close" }, number),
        (Value::Bool(false), _) => ("close", 0.0),
        (Value::String(switch), _) => match switch.as_str() {
            "INACTIVE" => return None,
            "CLOSE" | "ONE_SHOT_CLOSE" | "TILT_DOWN" => ("close", 0.0),
            "TILT_UP" => ("tilt", 100.0),
            _ => ("open", 100.0),
        },
        _ => ("open", 100.0),
    };
    Some(Map::from_iter([
        ("action".to_owned(), action.into()),
        ("percentage".to_owned(), percentage.into()),
    ]))
}

/// Functions of the car that the signal switches.
fn features(signal: &str, value: &Value) -> Vec<Deed> {
    let Ok(catalogue) = FeatureCatalogue::shared() else {
        return Vec::new();
    };
    let found = catalogue
        .features()
        .iter()
        .filter(|feature| feature.signals.iter().any(|own| own == signal));
    let deeds = found.flat_map(|feature| {
        let calls = Power.arguments(value).into_iter();
        calls.map(|mut arguments| {
            let is_off = arguments.get("power").is_some_and(|power| power == "off");
            arguments.insert("feature".to_owned(), json!(feature.en.first()));
            arguments.insert("id".to_owned(), json!(feature.id));
            arguments.insert("takes_protection".to_owned(), json!(feature.off_is_unsafe && is_off));
            Deed::new("set_vehicle_feature", Effect::Set, arguments)
        })
    });
    deeds.collect()
}

/// The page of the head unit that the signal brings to the front. One that is not known may be for typing.
fn page(signal: &str, value: &Value) -> Option<Deed> {
    let id = value.as_str().filter(|_| signal == PAGE)?;
    let pages = PageCatalogue::shared().ok();
    let page = pages.as_ref().and_then(|pages| pages.page(id));
    let arguments = json!({
        "page": page.and_then(|page| page.en.first()),
        "id": id,
        "action": if id.is_empty() { "close" } else { "open" },
        "needs_typing": page.is_none_or(|page| page.needs_typing_or_reading),
    });
    let Value::Object(arguments) = arguments else {
        return None;
    };
    Some(Deed::new("open_page", Effect::Act, arguments))
}
