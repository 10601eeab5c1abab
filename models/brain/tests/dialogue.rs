//! What utterances come to within a conversation.

mod support;

use incar_core::{Lang, Outcome, ToolCall};
use support::{Cabin, check_dialogue};

#[test]
fn what_is_missing_is_asked_for_and_the_answer_completes_the_call() {
    check_dialogue(&[
        ("我想导航", "?start_navigation.destination{}"),
        ("去故宫", r#"start_navigation{"destination":"故宫"}"#),
    ]);
    check_dialogue(&[
        ("start navigation", "?start_navigation.destination{}"),
        (
            "to the Forbidden City",
            r#"start_navigation{"destination":"Forbidden City"}"#,
        ),
    ]);
    check_dialogue(&[
        ("打开车窗", r#"?control_window.window{"action":"open"}"#),
        ("主驾驶", r#"control_window{"action":"open","window":"driver"}"#),
    ]);
    check_dialogue(&[
        ("open the window", r#"?control_window.window{"action":"open"}"#),
        (
            "the driver's please",
            r#"control_window{"action":"open","window":"driver"}"#,
        ),
    ]);
    check_dialogue(&[
        ("关车窗", r#"?control_window.window{"action":"close"}"#),
        (
            "我说的是右后那一侧的车窗",
            r#"control_window{"action":"close","window":"rear_right"}"#,
        ),
    ]);
}

#[test]
fn music_is_asked_for_step_by_step() {
    check_dialogue(&[
        ("播放音乐", "?play_music.song{}"),
        ("周杰伦的", r#"?play_music.song{"artist":"周杰伦"}"#),
        ("晴天", r#"play_music{"artist":"周杰伦","song":"晴天"}"#),
    ]);
    check_dialogue(&[
        ("播放音乐", "?play_music.song{}"),
        ("周杰伦的晴天", r#"play_music{"artist":"周杰伦","song":"晴天"}"#),
    ]);
    check_dialogue(&[
        ("play some music", "?play_music.song{}"),
        ("something by Adele", r#"?play_music.song{"artist":"Adele"}"#),
        ("Hello", r#"play_music{"artist":"Adele","song":"Hello"}"#),
    ]);
    check_dialogue(&[("放点音乐", "?play_music.song{}"), ("随便", "play_music{}")]);
    check_dialogue(&[("play music", "?play_music.song{}"), ("anything", "play_music{}")]);
}

#[test]
fn something_else_in_between_is_served() {
    check_dialogue(&[
        ("打开车窗", r#"?control_window.window{"action":"open"}"#),
        ("先把空调打开", r#"set_ac_power{"power":"on"}"#),
    ]);
    check_dialogue(&[
        ("play some music", "?play_music.song{}"),
        ("how much battery is left", r#"get_vehicle_status{"item":"battery"}"#),
    ]);
}

#[test]
fn what_answers_nothing_is_declined() {
    check_dialogue(&[
        ("打开车窗", r#"?control_window.window{"action":"open"}"#),
        ("是的", "x"),
    ]);
    check_dialogue(&[
        ("打开车窗", r#"?control_window.window{"action":"open"}"#),
        ("天上有只鸟", "x"),
    ]);
    check_dialogue(&[("我想导航", "?start_navigation.destination{}"), ("我想想", "x")]);
}

#[test]
fn what_was_said_before_is_carried_on() {
    check_dialogue(&[
        (
            "副驾温度调到二十四度",
            r#"set_temperature{"temperature":24,"zone":"passenger"}"#,
        ),
        ("再高两度", r#"set_temperature{"change":2,"zone":"passenger"}"#),
        (
            "不对，二十三",
            r#"set_temperature{"temperature":23,"zone":"passenger"}"#,
        ),
    ]);
    check_dialogue(&[
        ("打开主驾车窗", r#"control_window{"action":"open","window":"driver"}"#),
        ("副驾也打开", r#"control_window{"action":"open","window":"passenger"}"#),
        ("关了吧", r#"control_window{"action":"close","window":"passenger"}"#),
    ]);
    check_dialogue(&[
        ("北京明天天气怎么样", r#"get_weather{"date":"明天","location":"北京"}"#),
        ("那上海呢", r#"get_weather{"date":"明天","location":"上海"}"#),
    ]);
    check_dialogue(&[
        ("set the volume to 40", r#"set_volume{"volume":40}"#),
        ("no, 25", r#"set_volume{"volume":25}"#),
    ]);
    check_dialogue(&[
        ("打开座椅加热", r#"set_seat_heating{"power":"on"}"#),
        ("不对，副驾的", r#"set_seat_heating{"power":"on","seat":"passenger"}"#),
    ]);
}

#[test]
fn any_words_at_all_are_no_follow_up() {
    for (first, call, next) in [
        ("给妈妈打电话", r#"call{"contact":"妈妈"}"#, "帮我写首诗"),
        ("给妈妈打电话", r#"call{"contact":"妈妈"}"#, "给我讲个故事"),
        ("给妈妈打电话", r#"call{"contact":"妈妈"}"#, "算了，帮我写首诗"),
        ("call Anna", r#"call{"contact":"Anna"}"#, "write a poem"),
        ("call Anna", r#"call{"contact":"Anna"}"#, "my sister sings in a choir"),
        (
            "导航到北京故宫",
            r#"start_navigation{"destination":"北京故宫"}"#,
            "我想写首歌词",
        ),
        ("播放邓紫棋的歌", r#"play_music{"artist":"邓紫棋"}"#, "今天的会议很长"),
    ] {
        check_dialogue(&[(first, call), (next, "x")]);
    }
    check_dialogue(&[
        ("导航到北京故宫", r#"start_navigation{"destination":"北京故宫"}"#),
        ("去颐和园", r#"start_navigation{"destination":"颐和园"}"#),
    ]);
    check_dialogue(&[
        ("what's the weather in London", r#"get_weather{"location":"London"}"#),
        ("and in Paris", r#"get_weather{"location":"Paris"}"#),
    ]);
    check_dialogue(&[
        ("给妈妈打电话", r#"call{"contact":"妈妈"}"#),
        ("不对，打给李雷", r#"call{"contact":"李雷"}"#),
    ]);
}

#[test]
fn not_is_no_correction() {
    check_dialogue(&[
        ("走高速优先", r#"set_route_preference{"preference":"highways_first"}"#),
        ("不走高速", r#"set_route_preference{"preference":"avoid_highways"}"#),
    ]);
    check_dialogue(&[
        (
            "take the highway",
            r#"set_route_preference{"preference":"highways_first"}"#,
        ),
        ("no highways", r#"set_route_preference{"preference":"avoid_highways"}"#),
    ]);
    check_dialogue(&[
        ("音量调到三十", r#"set_volume{"volume":30}"#),
        ("不，二十", r#"set_volume{"volume":20}"#),
    ]);
}

#[test]
fn what_was_opened_is_closed_again() {
    check_dialogue(&[
        ("open the sunroof", r#"control_sunroof{"action":"open"}"#),
        ("close it again", r#"control_sunroof{"action":"close"}"#),
    ]);
}

#[test]
fn a_tool_that_offers_choices_makes_the_driver_choose() {
    let mut cabin = Cabin::new();
    let call = ToolCall::new(
        "c1",
        "start_navigation",
        r#"{"destination":"加油站","preference":"fastest"}"#,
    );
    let error = r#"{"error":{"kind":"invalid_input","message":"找到三家，去哪一家？","argument":"destination","choices":["甲站","乙站","丙站"]}}"#;
    cabin.happened("去加油站", call, error, Outcome::Error);
    let reply = cabin.reply(Lang::Zh);
    let [ask] = reply.message.tool_calls.as_slice() else {
        panic!("{reply:?}")
    };
    assert_eq!(ask.name, "ask_user");
    assert_eq!(
        ask.arguments,
        r#"{"question":"找到三家，去哪一家？","choices":["甲站","乙站","丙站"],"tool":"start_navigation","slot":"destination","arguments":{"preference":"fastest"}}"#
    );
}

#[test]
fn a_correction_is_of_what_was_called_off_too() {
    let mut cabin = Cabin::new();
    let call = ToolCall::new("c1", "set_driver_assist", r#"{"feature":"lane_assist","power":"off"}"#);
    cabin.happened("关闭车道保持", call, "{}", Outcome::Cancelled);
    assert_eq!(
        cabin.say("不对，是盲区监测"),
        r#"set_driver_assist{"feature":"blind_spot","power":"off"}"#
    );
}

#[test]
fn the_reply_says_what_the_tools_said() {
    let mut cabin = Cabin::new();
    let call = ToolCall::new("c1", "set_temperature", r#"{"temperature":23}"#);
    cabin.happened("23度", call, "{}", Outcome::Ok);
    assert_eq!(cabin.reply(Lang::Zh).message.content, "好的，办好了。");
    assert_eq!(cabin.reply(Lang::En).message.content, "Done.");
}
