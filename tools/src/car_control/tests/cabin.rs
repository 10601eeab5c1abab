//! Seats, lights inside, volume and status.

use super::*;
use serde_json::json;

#[test]
fn seats_warm_and_cool() {
    check(
        "set_seat_heating",
        &[],
        &[
            (
                json!({"power": "on"}),
                "主驾座椅加热已开到2档。",
                "The driver's seat heating is on at level 2.",
                &[(DRIVER_SEAT, n(67.0))],
            ),
            (
                json!({"level": "3"}),
                "主驾座椅加热已开到3档，已经是最高。",
                "The driver's seat heating is on at level 3, the maximum.",
                &[(DRIVER_SEAT, n(100.0))],
            ),
            (
                json!({"level": 1, "seat": "front"}),
                "前排座椅加热已开到1档。",
                "The front seat heating is on at level 1.",
                &[(DRIVER_SEAT, n(33.0)), (PASSENGER_SEAT, n(33.0))],
            ),
            (
                json!({"change": 1}),
                "主驾座椅加热已开到1档。",
                "The driver's seat heating is on at level 1.",
                &[(DRIVER_SEAT, n(33.0))],
            ),
            (
                json!({"power": "off"}),
                "主驾座椅加热已经是关着的。",
                "The driver's seat heating is off already.",
                &[(DRIVER_SEAT, n(0.0))],
            ),
            (
                json!({"power": "on", "seat": "third_row"}),
                "第三排座椅加热已开到2档。",
                "The third-row seat heating is on at level 2.",
                &[(THIRD_ROW_SEAT, n(67.0))],
            ),
        ],
    );
    check(
        "set_seat_heating",
        &[(DRIVER_SEAT, n(33.0))],
        &[
            (
                json!({"power": "on"}),
                "主驾座椅加热已经是1档了。",
                "The driver's seat heating is at level 1 already.",
                &[(DRIVER_SEAT, n(33.0))],
            ),
            (
                json!({"change": -1}),
                "主驾座椅加热已关闭。",
                "The driver's seat heating is off.",
                &[(DRIVER_SEAT, n(0.0))],
            ),
        ],
    );
    check(
        "set_seat_ventilation",
        &[(DRIVER_SEAT, n(33.0))],
        &[
            (
                json!({"level": "max"}),
                "主驾座椅通风已开到3档，已经是最高。",
                "The driver's seat ventilation is on at level 3, the maximum.",
                &[(DRIVER_SEAT, n(-100.0))],
            ),
            (
                json!({"power": "off"}),
                "主驾座椅通风已经是关着的。",
                "The driver's seat ventilation is off already.",
                &[(DRIVER_SEAT, n(33.0))],
            ),
        ],
    );
}

#[test]
fn half_a_level_more_is_a_whole_one() {
    let bench = Bench::new();
    for tool in ["set_seat_heating", "set_seat_ventilation"] {
        let first = bench.resolve(tool, &json!({"change": 0.5})).unwrap();
        assert_eq!(first.arguments["level"], json!("1"), "{tool}");
        assert_eq!(bench.resolve(tool, &first.arguments).unwrap(), first, "{tool}");
    }
}

#[test]
fn heating_that_takes_the_place_of_ventilation_says_so() {
    let bench = Bench::new();
    bench.call("set_seat_ventilation", &json!({"power": "on"})).unwrap();
    let output = bench.call("set_seat_heating", &json!({"power": "on"})).unwrap();
    assert_eq!(output.value["replaced"], "seat ventilation");
}

#[test]
fn interior_lights_take_several_values_at_once() {
    let on = format!("{AMBIENT}.IsLightOn");
    let intensity = format!("{AMBIENT}.Intensity");
    let color = format!("{AMBIENT}.Color");
    let spot = format!("{DRIVER_SPOT}.IsLightOn");
    check(
        "set_interior_light",
        &[],
        &[
            (
                json!({"light": "ambient", "power": "on", "color": "红色", "brightness": 60}),
                "氛围灯已设为红色，亮度60%。",
                "The ambient light is set to red, 60% bright.",
                &[(&on, yes()), (&intensity, n(60.0)), (&color, "#FF0000".into())],
            ),
            (
                json!({"light": "ambient"}),
                "氛围灯已打开。",
                "The ambient light is on.",
                &[(&on, yes())],
            ),
            (
                json!({"light": "ambient", "power": "off"}),
                "氛围灯已经是关着的。",
                "The ambient light is off already.",
                &[(&on, no())],
            ),
            (
                json!({"light": "ambient", "brightness": 0}),
                "氛围灯已经是关着的。",
                "The ambient light is off already.",
                &[(&on, no())],
            ),
            (
                json!({"light": "ambient", "change": 10}),
                "氛围灯已设为亮度60%。",
                "The ambient light is set to 60% bright.",
                &[(&on, yes()), (&intensity, n(60.0))],
            ),
            (
                json!({"light": "reading", "power": "on"}),
                "主驾阅读灯已打开。",
                "The driver's reading light is on.",
                &[(&spot, yes()), (&on, no())],
            ),
            (
                json!({"light": "all", "power": "on"}),
                "全车车内灯已打开。",
                "All interior lights are on.",
                &[(&spot, yes()), (&on, yes()), ("Vehicle.Cabin.Light.IsDomeOn", yes())],
            ),
        ],
    );
}

#[test]
fn volumes_are_set_and_muted() {
    let muted = "Vehicle.Incar.Infotainment.Media.IsMuted";
    check(
        "set_volume",
        &[],
        &[
            (
                json!({"volume": 5}),
                "媒体音量调到5。",
                "The media volume is at 5 now.",
                &[(MEDIA, n(5.0))],
            ),
            (
                json!({"change": 10}),
                "媒体音量调到40。",
                "The media volume is at 40 now.",
                &[(MEDIA, n(40.0))],
            ),
            (
                json!({"level": "max"}),
                "媒体音量调到100，已经是最高。",
                "The media volume is at 100 now, the maximum.",
                &[(MEDIA, n(100.0))],
            ),
            (
                json!({"mute": "on"}),
                "媒体音量已静音。",
                "The media volume is muted.",
                &[(muted, yes()), (MEDIA, n(30.0))],
            ),
            (
                json!({"channel": "navigation", "mute": "on"}),
                "导航音量已静音。",
                "The navigation volume is muted.",
                &[("Vehicle.Cabin.Infotainment.Navigation.Mute", "MUTED".into())],
            ),
            (
                json!({"channel": "all", "volume": 20}),
                "全部音量调到20。",
                "The volume of everything is at 20 now.",
                &[(MEDIA, n(20.0)), ("Vehicle.Incar.Infotainment.Call.Volume", n(20.0))],
            ),
        ],
    );
    check(
        "set_volume",
        &[(muted, yes())],
        &[(
            json!({"volume": 40}),
            "媒体音量调到40。",
            "The media volume is at 40 now.",
            &[(muted, no())],
        )],
    );
}

#[test]
fn the_status_of_the_car_is_told() {
    check(
        "get_vehicle_status",
        &[
            (PASSENGER_WINDOW, n(100.0)),
            ("Vehicle.Chassis.Axle.Row2.Wheel.Left.Tire.IsPressureLow", yes()),
        ],
        &[
            (
                json!({"item": "battery"}),
                "电量还有80%。",
                "The battery is at 80%.",
                &[],
            ),
            (
                json!({"item": "range"}),
                "续航还有400公里。",
                "The range is 400 kilometres.",
                &[],
            ),
            (
                json!({"item": "fuel"}),
                "这是纯电车，没有油箱。",
                "This is an electric car, it has no fuel tank.",
                &[],
            ),
            (
                json!({"item": "windows"}),
                "副驾车窗开着。",
                "The passenger's window is open.",
                &[],
            ),
            (
                json!({"item": "doors"}),
                "车门和后备箱都关着，车门没有上锁。",
                "All doors and the trunk are closed, the doors are unlocked.",
                &[],
            ),
            (
                json!({"item": "tire_pressure"}),
                "左后轮胎压偏低。",
                "Tyre pressure is low: rear left.",
                &[],
            ),
            (
                json!({"item": "speed"}),
                "现在时速0公里。",
                "The speed is 0 kilometres per hour.",
                &[],
            ),
            (
                json!({"item": "odometer"}),
                "总里程12345公里。",
                "The odometer reads 12345 kilometres.",
                &[],
            ),
            (json!({"item": "lights"}), "车灯都关着。", "All lights are off.", &[]),
            (
                json!({"item": "climate"}),
                "空调关着，设定22度，风量3档。",
                "The air conditioning is off, set to 22 degrees, fan 3.",
                &[],
            ),
            (
                json!({"item": "seats"}),
                "座椅加热和通风都没开。",
                "Seat heating and ventilation are off.",
                &[],
            ),
            (
                json!({"item": "temperature_inside"}),
                "车内22度。",
                "It is 22 degrees inside.",
                &[],
            ),
            (
                json!({"item": "temperature_outside"}),
                "车外20度。",
                "It is 20 degrees outside.",
                &[],
            ),
            (
                json!({"item": "maintenance"}),
                "距下次保养还有7655公里。",
                "The next service is due in 7655 kilometres.",
                &[],
            ),
            (
                json!({"item": "charging"}),
                "没有在充电。",
                "The car is not charging.",
                &[],
            ),
            (
                json!({"item": "all"}),
                "电量还有80%，续航还有400公里，左后轮胎压偏低，车门和后备箱都关着，车门没有上锁，副驾车窗开着。",
                "The battery is at 80%. The range is 400 kilometres. Tyre pressure is low: rear left. All doors and the trunk are closed, the doors are unlocked. The passenger's window is open.",
                &[],
            ),
        ],
    );
}
