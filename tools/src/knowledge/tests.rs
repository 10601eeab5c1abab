//! What is known and how it is told.

use super::*;
use crate::places::GeoPoint;
use crate::testing::at_once;
use incar_core::{
    ErrorKind, Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolOutput, ToolRegistry,
};
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug)]
struct Beijing;

impl Locator for Beijing {
    fn position(&self) -> Option<GeoPoint> {
        GeoPoint::new(39.909, 116.397).ok()
    }
}

fn call(tool: &str, lang: Lang, arguments: &Value) -> Result<ToolOutput, Refusal> {
    // 2026-06-01 10:00 in Beijing, a Monday.
    let clock = ManualClock::at(Timestamp::from_millis(1_780_279_200_000));
    let locator: Arc<dyn Locator> = Arc::new(Beijing);
    let mut registry = ToolRegistry::new();
    for tool in tools(&Arc::new(Manual::embedded().unwrap()), &locator) {
        registry.register_erased(tool).unwrap();
    }
    let speaker = Speaker::new("test", Seat::Driver);
    let context = ToolContext::new(&speaker, lang, &clock, "key");
    let tool = registry.get(tool).unwrap();
    let resolved = tool.resolve(arguments, context)?;
    Ok(at_once(tool.run(&resolved.arguments, context))?)
}

fn check(tool: &str, rows: &[(Value, &str, &str)]) {
    for (arguments, zh, en) in rows {
        for (lang, said) in [(Lang::Zh, zh), (Lang::En, en)] {
            let output = call(tool, lang, arguments).unwrap_or_else(|error| panic!("{arguments}: {error}"));
            assert_eq!(output.say.as_deref(), Some(*said), "{arguments}");
        }
    }
}

fn check_refused(tool: &str, rows: &[(Value, ErrorKind, Option<&str>)]) {
    for (arguments, kind, argument) in rows {
        match call(tool, Lang::En, arguments) {
            Err(Refusal::Failed(error)) => {
                assert_eq!(
                    (error.kind, error.argument.as_deref()),
                    (*kind, *argument),
                    "{arguments}: {error}"
                );
            }
            other => panic!("{arguments}: {other:?}"),
        }
    }
}

#[test]
fn the_time_is_told_here_and_elsewhere_now_and_later() {
    check(
        "get_datetime",
        &[
            (json!({}), "现在是6月1日周一，10:00。", "It is 10:00 on Monday, June 1."),
            (
                json!({"location": "东京"}),
                "东京现在是6月1日周一，11:00。",
                "In Tokyo it is 11:00 on Monday, June 1.",
            ),
            (
                json!({"location": "New York"}),
                "纽约现在是5月31日周日，22:00。",
                "In New York City it is 22:00 on Sunday, May 31.",
            ),
            (
                json!({"offset": "后天"}),
                "是6月3日周三。",
                "That is Wednesday, June 3.",
            ),
            (
                json!({"offset": "in two hours"}),
                "是6月1日周一，12:00。",
                "It is 12:00 on Monday, June 1.",
            ),
            (
                json!({"offset": "P7M"}),
                "是2027年1月1日周五。",
                "That is Friday, January 1, 2027.",
            ),
        ],
    );
    check_refused(
        "get_datetime",
        &[
            (json!({"location": "qwertyuiop"}), ErrorKind::NotFound, None),
            (json!({"offset": "banana"}), ErrorKind::InvalidInput, Some("offset")),
        ],
    );
}

#[test]
fn sums_are_worked_out_written_and_spoken() {
    for (said, result) in [
        ("15% of 84", "12.6"),
        ("15 percent of 84", "12.6"),
        ("what's fifteen percent of eighty four", "12.6"),
        ("八十四的百分之十五", "12.6"),
        ("三加五乘二", "13"),
        ("（三加五）乘以二等于多少？", "16"),
        ("(3+5)*2", "16"),
        ("3 + 5 × 2 = ?", "13"),
        ("1000-2000", "-1000"),
        ("10/4", "2.5"),
        ("3/4 + 1/4", "1"),
        ("0.1+0.2", "0.3"),
        ("ten minus five", "5"),
        ("三乘负二", "-6"),
        ("5!", "120"),
        ("2^10", "1024"),
        ("二的十次方", "1024"),
        ("十六的平方根", "4"),
        ("根号九加一", "4"),
        ("the square root of 144", "12"),
        ("sqrt(9+16)", "5"),
        ("五的平方", "25"),
        ("seven squared", "49"),
        ("200 - 20%", "160"),
        ("twelve divided by four", "3"),
        ("half of 84", "42"),
        ("一百二十除以五", "24"),
        ("1.5万加500", "15500"),
    ] {
        let evaluated = evaluate(said).unwrap_or_else(|error| panic!("{said}: {error}"));
        assert_eq!(evaluated.result, result, "{said} read as {}", evaluated.expression);
    }
}

#[test]
fn what_is_no_sum_is_told_so() {
    for (said, error) in [
        ("", ArithmeticError::NotArithmetic),
        ("今天天气", ArithmeticError::NotArithmetic),
        ("3 +", ArithmeticError::NotArithmetic),
        ("(3", ArithmeticError::NotArithmetic),
        ("5 miles to km", ArithmeticError::NotArithmetic),
        ("system('ls')", ArithmeticError::NotArithmetic),
        ("4 5", ArithmeticError::NotArithmetic),
        ("1/0", ArithmeticError::DivisionByZero),
        ("五除以零", ArithmeticError::DivisionByZero),
        ("sqrt(0-4)", ArithmeticError::NotReal),
        ("9^9^9^9", ArithmeticError::TooLarge),
        (&"(".repeat(200), ArithmeticError::NotArithmetic),
        (
            &format!("{}1{}", "(".repeat(50), ")".repeat(50)),
            ArithmeticError::TooLarge,
        ),
    ] {
        assert_eq!(evaluate(said).map(|evaluated| evaluated.result), Err(error), "{said}");
    }
}

#[test]
fn results_are_spoken() {
    check(
        "calculate",
        &[
            (json!({"expression": "84*15%"}), "等于12.6。", "It is 12.6."),
            (json!({"expression": "10/3"}), "约等于3.33333。", "It is about 3.33333."),
        ],
    );
    check_refused(
        "calculate",
        &[
            (
                json!({"expression": "hello"}),
                ErrorKind::InvalidInput,
                Some("expression"),
            ),
            (json!({"expression": "1/0"}), ErrorKind::InvalidInput, None),
        ],
    );
}

#[test]
fn units_are_converted() {
    for (value, from, to, expected) in [
        (100.0, "公里", "英里", 62.137_119),
        (5.0, "斤", "kg", 2.5),
        (1.0, "亩", "平方米", 666.666_667),
        (20.0, "gallons", "升", 75.708_236),
        (100.0, "km/h", "mph", 62.137_119),
        (100.0, "码", "mph", 62.137_119),
        (212.0, "华氏度", "摄氏度", 100.0),
        (-40.0, "C", "F", -40.0),
        (25.0, "度", "华氏度", 77.0),
        (10.0, "度", "千焦", 36_000.0),
        (36.0, "psi", "bar", 2.482_113),
        (2.5, "公斤", "kPa", 245.166_25),
        (8.0, "L/100km", "mpg", 29.401_823),
        (30.0, "miles per gallon", "升每百公里", 7.840_486),
        (2.0, "GB", "MB", 2000.0),
        (90.0, "分钟", "小时", 1.5),
        (8.0, "oz", "ml", 236.588_236),
        (8.0, "oz", "克", 226.796_185),
    ] {
        let converted = convert(value, from, to).unwrap_or_else(|error| panic!("{value} {from}: {error}"));
        assert!(
            (converted.value - expected).abs() < 1e-5,
            "{value} {from} = {} {to}",
            converted.value
        );
    }
    check(
        "convert_unit",
        &[
            (
                json!({"value": 10, "from": "公里", "to": "英里"}),
                "10公里约等于6.214英里。",
                "10 kilometers is about 6.214 miles.",
            ),
            (
                json!({"value": 2, "from": "hours", "to": "分钟"}),
                "2小时等于120分钟。",
                "2 hours is 120 minutes.",
            ),
        ],
    );
    check_refused(
        "convert_unit",
        &[
            (
                json!({"value": 1, "from": "smoots", "to": "m"}),
                ErrorKind::NotFound,
                Some("from"),
            ),
            (
                json!({"value": 1, "from": "m", "to": "dollars"}),
                ErrorKind::NotFound,
                Some("to"),
            ),
            (
                json!({"value": 1, "from": "hours", "to": "miles"}),
                ErrorKind::InvalidInput,
                Some("to"),
            ),
            (
                json!({"value": -300, "from": "C", "to": "F"}),
                ErrorKind::OutOfRange,
                Some("value"),
            ),
            (
                json!({"value": 0, "from": "mpg", "to": "L/100km"}),
                ErrorKind::OutOfRange,
                Some("value"),
            ),
        ],
    );
}

#[test]
fn the_manual_has_what_drivers_look_for() {
    let manual = Manual::embedded().unwrap();
    assert!(manual.sections().len() >= 60);
    for (query, id) in [
        ("胎压多少合适", "tire_pressure"),
        ("how much air do the tyres need", "tire_pressure"),
        ("爆胎了怎么办", "tire_change"),
        ("黄色马蹄形感叹号灯亮了", "tire_pressure_light"),
        ("充到80%要多久", "charging_dc"),
        ("the charging cable is stuck", "charging_unplug"),
        ("儿童座椅怎么装", "child_seat"),
        ("how do I install a child seat", "child_seat"),
        ("红色电池灯是什么意思", "light_battery_red"),
        ("what does the turtle light mean", "light_turtle"),
        ("怎么换雨刮片", "wiper_blades"),
        ("replace the wiper blades", "wiper_blades"),
        ("钥匙没电了怎么开门", "key_battery"),
        ("key fob battery is dead", "key_battery"),
        ("车有多高", "dimensions"),
        ("how often is maintenance due", "maintenance"),
        ("加什么型号的制动液", "fluids"),
        ("能拖挂房车吗", "trailer"),
        ("玻璃起雾了怎么除雾", "defog"),
        ("how does adaptive cruise control work", "adaptive_cruise"),
        ("中控屏黑屏了", "infotainment_restart"),
        ("car broke down, how is it towed", "towing"),
    ] {
        let hits = manual.search(query, 3);
        let found: Vec<&str> = hits.iter().map(|hit| hit.section.id.as_str()).collect();
        assert_eq!(found.first(), Some(&id), "{query}: {found:?}");
        assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
    }
    for query in ["who won the football match", "周杰伦的新专辑", "", "？！"] {
        assert!(manual.search(query, 3).is_empty(), "{query}");
    }
}

#[test]
fn each_section_is_found_by_its_own_title() {
    let manual = Manual::embedded().unwrap();
    for section in manual.sections() {
        for title in [&section.title.zh, &section.title.en] {
            let hits = manual.search(title, 1);
            assert_eq!(
                hits.first().map(|hit| hit.section.id.as_str()),
                Some(section.id.as_str()),
                "{title}"
            );
        }
        for (text, stop) in [(&section.text.zh, "。"), (&section.text.en, ". ")] {
            let sentences = format!("{text} ").matches(stop).count();
            assert!((2..=6).contains(&sentences), "{}: {text}", section.id);
        }
    }
}

#[test]
fn the_manual_is_told_by_its_first_sentence() {
    check(
        "search_manual",
        &[(
            json!({"query": "胎压 tire pressure"}),
            "胎压：冷态标准胎压前后轮均为2.5巴（250千帕，36 psi），满载时后轮为2.8巴。",
            "Tire pressure: The standard cold pressure is 2.5 bar (250 kPa, 36 psi) for all tires, and 2.8 bar for the rear tires when fully loaded.",
        )],
    );
    check_refused(
        "search_manual",
        &[(json!({"query": "周杰伦的新专辑"}), ErrorKind::NotFound, None)],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_text_makes_a_sum_panic(said in "\\PC{0,40}") {
        let _ = evaluate(&said);
    }

    #[test]
    fn nor_does_what_looks_like_one(said in "[0-9零一二三十百万加减乘除以的点分之平方根号次()（）+*/^!.% -]{0,16}") {
        let _ = evaluate(&said);
    }

    #[test]
    fn whole_numbers_add_up(a in -10_000_i32..10_000, b in 0_i32..10_000) {
        prop_assert_eq!(evaluate(&format!("{a}+{b}")).map(|sum| sum.value), Ok(f64::from(a + b)));
    }

    #[test]
    fn converting_there_and_back_gives_the_same(value in 0.1..1e6_f64) {
        for (a, b) in [("km", "miles"), ("C", "F"), ("mpg", "l/100km"), ("kWh", "kJ"), ("psi", "bar")] {
            let there = convert(value, a, b).unwrap().value;
            let back = convert(there, b, a).unwrap().value;
            prop_assert!((back - value).abs() <= 1e-9 * value.max(1.0), "{} {}", value, a);
        }
    }
}
