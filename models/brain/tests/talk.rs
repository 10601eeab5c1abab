//! Talk around a command, and words that only look like one.

mod support;

use support::{check_commands, check_dialogue};

#[test]
fn a_command_beside_talk_is_done_where_it_is_addressed() {
    check_commands(&[
        (
            "哎你听我说昨天那谁又迟到了，把空调打开",
            r#"set_ac_power{"power":"on"}"#,
        ),
        ("今天真是累死了，打开座椅按摩", r#"set_seat_massage{"power":"on"}"#),
        (
            "so I told him the thing was broken, anyway, turn on the ac",
            r#"set_ac_power{"power":"on"}"#,
        ),
        ("昨天我把空调打开睡了一晚上", "x"),
        ("他跟我说，把空调打开", r#"~set_ac_power{"power":"on"}"#),
        ("给我讲讲，那个空调打开的原理", "x"),
        ("我昨天看了个电影，主角打开车窗，然后就掉下去了", "x"),
        ("请问要打给谁", "x"),
    ]);
}

#[test]
fn a_settings_page_is_opened_and_nothing_is_switched() {
    check_commands(&[
        ("打开空调设置", r#"open_page{"action":"open","page":"空调设置"}"#),
        ("打开座椅设置", r#"open_page{"action":"open","page":"座椅设置"}"#),
        (
            "open the seat settings",
            r#"open_page{"action":"open","page":"seat settings"}"#,
        ),
        (
            "打开空调设置26度",
            r#"set_ac_power{"power":"on"} set_temperature{"temperature":26}"#,
        ),
    ]);
}

#[test]
fn messages_keep_all_that_is_told() {
    check_commands(&[
        (
            "告诉小李我晚点到",
            r#"send_message{"contact":"小李","text":"我晚点到"}"#,
        ),
        (
            "给小王发消息说我马上就到了",
            r#"send_message{"contact":"小王","text":"我马上就到了"}"#,
        ),
        (
            "text Bob I am on my way",
            r#"send_message{"contact":"Bob","text":"I am on my way"}"#,
        ),
        (
            "tell Alice I'm on my way",
            r#"send_message{"contact":"Alice","text":"I'm on my way"}"#,
        ),
        (
            "tell Alice I'm late",
            r#"send_message{"contact":"Alice","text":"I'm late"}"#,
        ),
    ]);
}

#[test]
fn names_may_hold_carrier_words() {
    check_commands(&[
        ("哈尔滨天气", r#"get_weather{"location":"哈尔滨"}"#),
        ("呼和浩特天气怎么样", r#"get_weather{"location":"呼和浩特"}"#),
        ("在说明书里查一下冬季轮胎", r#"search_manual{"query":"冬季轮胎"}"#),
        (
            "不走高速，走国道",
            r#"set_route_preference{"preference":"avoid_highways"}"#,
        ),
    ]);
}

#[test]
fn an_open_question_takes_no_other_wish_for_its_answer() {
    check_dialogue(&[("打电话", "?call.contact{}"), ("帮我写首诗", "x")]);
    check_dialogue(&[
        ("打电话", "?call.contact{}"),
        ("打开天窗", r#"control_sunroof{"action":"open"}"#),
    ]);
    check_dialogue(&[("打电话", "?call.contact{}"), ("王芳", r#"call{"contact":"王芳"}"#)]);
}

#[test]
fn what_goes_on_about_the_last_calls_says_something_of_its_own() {
    check_dialogue(&[
        (
            "开一下空调，风大一点",
            r#"set_ac_power{"power":"on"} set_fan_speed{"change":1}"#,
        ),
        ("关掉", r#"set_ac_power{"power":"off"}"#),
    ]);
    check_dialogue(&[
        ("在说明书里查一下胎压", r#"search_manual{"query":"胎压"}"#),
        ("为什么呢", "x"),
    ]);
    check_dialogue(&[
        ("有没有未接来电", r#"list_calls{"kind":"missed"}"#),
        ("the recent ones", r#"list_calls{"kind":"recent"}"#),
    ]);
}
