//! The tool surface: names, arguments, values and effects are a contract that speech, models and scenarios rely on.

use super::*;
use incar_core::{Effect, Interruption, ToolCategory};

const POSITIONS: &str = "driver passenger rear_left rear_right front rear left right third_row all";

/// An argument, and what it may be.
type Argument = (&'static str, &'static str);
type Tool = (&'static str, Effect, &'static [Argument]);

/// The tool, its effect, and its arguments: `*` for required, then the values of an enum, a range, or a type.
const SURFACE: &[Tool] = &[
    (
        "control_window",
        Effect::Set,
        &[
            ("window*", POSITIONS),
            ("action*", "open close stop lock unlock"),
            ("percentage", "0–100"),
        ],
    ),
    (
        "control_sunroof",
        Effect::Set,
        &[("action*", "open close tilt stop"), ("percentage", "0–100")],
    ),
    (
        "control_sunshade",
        Effect::Set,
        &[
            ("shade", "roof front rear left right all"),
            ("action*", "open close stop"),
            ("percentage", "0–100"),
        ],
    ),
    (
        "control_door",
        Effect::Act,
        &[("door*", POSITIONS), ("action*", "open close lock unlock")],
    ),
    (
        "control_trunk",
        Effect::Act,
        &[
            ("trunk", "rear front"),
            ("action*", "open close stop"),
            ("percentage", "0–100"),
        ],
    ),
    (
        "set_ac_power",
        Effect::Set,
        &[("power*", "on off"), ("zone", POSITIONS)],
    ),
    (
        "set_temperature",
        Effect::Set,
        &[
            ("temperature", "16–32"),
            ("change", "number"),
            ("level", "max min"),
            ("zone", POSITIONS),
        ],
    ),
    (
        "set_fan_speed",
        Effect::Set,
        &[
            ("fan", "1–10"),
            ("change", "number"),
            ("level", "max min"),
            ("zone", POSITIONS),
        ],
    ),
    ("set_air_circulation", Effect::Set, &[("mode*", "inside outside auto")]),
    (
        "set_airflow",
        Effect::Set,
        &[
            (
                "direction",
                "face feet windshield face_feet feet_windshield away toward",
            ),
            ("swing", "on off"),
            ("zone", POSITIONS),
        ],
    ),
    (
        "set_defrost",
        Effect::Set,
        &[("window", "front rear mirrors all"), ("power*", "on off")],
    ),
    (
        "set_climate_mode",
        Effect::Set,
        &[
            (
                "mode*",
                "auto cool heat ventilate max_cool max_heat eco dry natural_wind comfort",
            ),
            ("power", "on off"),
        ],
    ),
    (
        "set_seat_heating",
        Effect::Set,
        &[
            ("seat", POSITIONS),
            ("power", "on off"),
            ("level", "string integer"),
            ("change", "number"),
        ],
    ),
    (
        "set_seat_ventilation",
        Effect::Set,
        &[
            ("seat", POSITIONS),
            ("power", "on off"),
            ("level", "string integer"),
            ("change", "number"),
        ],
    ),
    (
        "set_seat_massage",
        Effect::Set,
        &[
            ("seat", POSITIONS),
            ("power", "on off"),
            ("mode", "string"),
            ("level", "string integer"),
        ],
    ),
    (
        "adjust_seat",
        Effect::Set,
        &[
            ("seat", POSITIONS),
            (
                "part",
                "seat backrest cushion lumbar leg_rest foot_rest headrest arm_rest",
            ),
            ("direction*", "forward backward up down"),
            ("amount", "number"),
            ("unit", "degrees cm percent"),
        ],
    ),
    (
        "seat_memory",
        Effect::Act,
        &[("seat", POSITIONS), ("action*", "recall save"), ("slot*", "string")],
    ),
    (
        "set_steering_wheel_heating",
        Effect::Set,
        &[("power", "on off"), ("level", "string integer")],
    ),
    (
        "set_exterior_light",
        Effect::Set,
        &[
            (
                "light*",
                "low_beam high_beam fog_front fog_rear fog position hazard turn_left turn_right daytime welcome auto all",
            ),
            ("power*", "on off"),
        ],
    ),
    (
        "set_interior_light",
        Effect::Set,
        &[
            ("light*", "ambient reading dome all"),
            ("power", "on off"),
            ("position", POSITIONS),
            ("brightness", "0–100"),
            ("change", "number"),
            ("level", "max min"),
            ("color", "string"),
            ("mode", "string"),
        ],
    ),
    (
        "set_mirror",
        Effect::Set,
        &[
            ("mirror", "left right all"),
            ("action*", "fold unfold heat_on heat_off up down left right"),
        ],
    ),
    (
        "set_wiper",
        Effect::Set,
        &[("mode*", "off auto low high once wash"), ("wiper", "front rear")],
    ),
    (
        "set_screen",
        Effect::Set,
        &[
            ("screen", "center passenger rear cluster hud all"),
            ("power", "on off"),
            ("brightness", "0–100"),
            ("change", "number"),
            ("level", "max min"),
            ("mode", "day night auto"),
            ("move", "left right up down"),
        ],
    ),
    (
        "set_volume",
        Effect::Set,
        &[
            ("channel", "media navigation call system all"),
            ("volume", "0–100"),
            ("change", "number"),
            ("level", "max min"),
            ("mute", "on off"),
        ],
    ),
    (
        "set_drive_mode",
        Effect::Set,
        &[("mode*", "comfort sport eco snow mud race individual custom")],
    ),
    (
        "set_driver_assist",
        Effect::Set,
        &[
            (
                "feature*",
                "lane_assist adaptive_cruise blind_spot forward_collision traffic_sign parking_assist \
                 rear_cross_traffic auto_hold parking_brake stability fatigue surround_view",
            ),
            ("power*", "on off"),
        ],
    ),
    (
        "set_fragrance",
        Effect::Set,
        &[
            ("power", "on off"),
            ("level", "string integer"),
            ("change", "number"),
            ("scent", "string"),
        ],
    ),
    (
        "set_vehicle_feature",
        Effect::Set,
        &[("feature*", "string"), ("power*", "on off")],
    ),
    (
        "open_page",
        Effect::Act,
        &[("page*", "string"), ("action", "open close")],
    ),
    (
        "get_vehicle_status",
        Effect::Read,
        &[(
            "item*",
            "battery fuel range tire_pressure odometer speed doors windows lights climate seats temperature_inside \
             temperature_outside maintenance charging all",
        )],
    ),
];

#[test]
fn every_tool_has_exactly_the_arguments_of_the_contract() {
    let bench = Bench::new();
    assert_eq!(bench.registry.iter().count(), SURFACE.len());
    for (tool, effect, arguments) in SURFACE {
        let spec = bench
            .registry
            .get(tool)
            .unwrap_or_else(|| panic!("{tool} is missing"))
            .spec();
        assert_eq!(
            (&spec.category, spec.effect),
            (&ToolCategory::CAR_CONTROL, *effect),
            "{tool}"
        );
        let interruption = if *effect == Effect::Read {
            Interruption::Cancellable
        } else {
            Interruption::RunsToEnd
        };
        assert_eq!((spec.interruption, spec.timeout.as_secs()), (interruption, 5), "{tool}");
        assert!(
            !spec.description.zh.is_empty() && !spec.description.en.is_empty(),
            "{tool}"
        );
        let properties = spec.parameters["properties"].as_object().unwrap();
        assert_eq!(properties.len(), arguments.len(), "{tool}: {properties:?}");
        for (argument, values) in *arguments {
            let name = argument.trim_end_matches('*');
            assert_eq!(
                spec.required().any(|required| required == name),
                name != *argument,
                "{tool}.{name}"
            );
            let schema = spec
                .argument(name)
                .unwrap_or_else(|| panic!("{tool}.{name} is missing"));
            assert_eq!(sorted(&shape(schema)), sorted(values), "{tool}.{name}");
        }
    }
}

/// A schema in the words of [`SURFACE`].
fn shape(schema: &Value) -> String {
    let texts = |values: &Value| {
        let texts = values.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.collect::<Vec<_>>().join(" ")
    };
    match (&schema["enum"], &schema["minimum"], &schema["maximum"], &schema["type"]) {
        (Value::Array(_), ..) => texts(&schema["enum"]),
        (_, Value::Number(low), Value::Number(high), _) => format!("{low}–{high}"),
        (_, _, _, Value::String(kind)) => kind.clone(),
        (_, _, _, kinds) => texts(kinds),
    }
}

fn sorted(words: &str) -> Vec<&str> {
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.sort_unstable();
    words
}
