//! What single utterances come to.

mod support;

use incar_core::Seat;
use support::{Cabin, check_commands};

#[test]
fn the_examples_of_the_tool_surface() {
    check_commands(&[
        (
            "把空调调到23度，打开座椅加热，顺便放首周杰伦的晴天",
            r#"set_temperature{"temperature":23} set_seat_heating{"power":"on"} play_music{"artist":"周杰伦","song":"晴天"}"#,
        ),
        (
            "set the ac to 23 degrees, turn on the seat heating and play Yesterday by Adele",
            r#"set_temperature{"temperature":23} set_seat_heating{"power":"on"} play_music{"artist":"Adele","song":"Yesterday"}"#,
        ),
        ("打开车窗", r#"?control_window.window{"action":"open"}"#),
        ("open the window", r#"?control_window.window{"action":"open"}"#),
    ]);
}

#[test]
fn the_car() {
    check_commands(&[
        ("打开主驾驶车窗", r#"control_window{"action":"open","window":"driver"}"#),
        (
            "右后车窗开一半",
            r#"control_window{"action":"open","percentage":50,"window":"rear_right"}"#,
        ),
        (
            "close the rear left window",
            r#"control_window{"action":"close","window":"rear_left"}"#,
        ),
        (
            "close the windows",
            r#"control_window{"action":"close","window":"all"}"#,
        ),
        (
            "天窗打开百分之四十",
            r#"control_sunroof{"action":"open","percentage":40}"#,
        ),
        ("tilt the sunroof", r#"control_sunroof{"action":"tilt"}"#),
        ("把副驾车门锁上", r#"control_door{"action":"lock","door":"passenger"}"#),
        ("open the trunk", r#"control_trunk{"action":"open"}"#),
        ("关闭后备箱", r#"control_trunk{"action":"close"}"#),
        ("关空调", r#"set_ac_power{"power":"off"}"#),
        ("switch the ac on please", r#"set_ac_power{"power":"on"}"#),
        ("温度调到二十一度半", r#"set_temperature{"temperature":21.5}"#),
        (
            "set the temperature to nineteen and a half",
            r#"set_temperature{"temperature":19.5}"#,
        ),
        ("把后排温度调低两度", r#"set_temperature{"change":-2,"zone":"rear"}"#),
        ("温度调到最高", r#"set_temperature{"level":"max"}"#),
        ("风量调大一点", r#"set_fan_speed{"change":1}"#),
        ("fan speed to six", r#"set_fan_speed{"fan":6}"#),
        (
            "副驾座椅加热开到二挡",
            r#"set_seat_heating{"level":"2","seat":"passenger"}"#,
        ),
        (
            "turn off the seat heater for the driver",
            r#"set_seat_heating{"power":"off","seat":"driver"}"#,
        ),
        (
            "氛围灯调成蓝色",
            r#"set_interior_light{"color":"蓝色","light":"ambient"}"#,
        ),
        (
            "turn on the reading light",
            r#"set_interior_light{"light":"reading","power":"on"}"#,
        ),
        ("音量调到35", r#"set_volume{"volume":35}"#),
        ("turn the volume up", r#"set_volume{"change":10}"#),
        ("空调关小一点", r#"set_temperature{"change":-1}"#),
        ("静音", r#"set_volume{"mute":"on"}"#),
        ("还能跑多远", r#"get_vehicle_status{"item":"range"}"#),
        (
            "what's the tire pressure",
            r#"get_vehicle_status{"item":"tire_pressure"}"#,
        ),
    ]);
}

#[test]
fn the_way_and_the_music() {
    check_commands(&[
        ("导航到北京故宫", r#"start_navigation{"destination":"北京故宫"}"#),
        (
            "take me to the railway station",
            r#"start_navigation{"destination":"railway station"}"#,
        ),
        (
            "去人民医院不走高速",
            r#"start_navigation{"destination":"人民医院","preference":"avoid_highways"}"#,
        ),
        (
            "附近有没有停车场",
            r#"search_location{"near":"current","query":"停车场"}"#,
        ),
        (
            "find the nearest pharmacy",
            r#"search_location{"near":"current","query":"pharmacy"}"#,
        ),
        (
            "导航到最近的充电站",
            r#"search_location{"near":"current","query":"充电站"}"#,
        ),
        ("take me home", r#"start_navigation{"destination":"home"}"#),
        ("取消导航", "stop_navigation{}"),
        ("stop navigation", "stop_navigation{}"),
        ("还有多久能到", r#"get_route_info{"item":"remaining_time"}"#),
        ("我想导航", "?start_navigation.destination{}"),
        ("播放音乐", "?play_music.song{}"),
        ("play some music", "?play_music.song{}"),
        ("播放邓紫棋的歌", r#"play_music{"artist":"邓紫棋"}"#),
        ("来点爵士", r#"play_music{"genre":"爵士"}"#),
        ("play some songs by Queen", r#"play_music{"artist":"Queen"}"#),
        ("下一首", r#"control_playback{"action":"next"}"#),
        ("pause the music", r#"control_playback{"action":"pause"}"#),
        ("这是什么歌", r#"get_now_playing{"item":"song"}"#),
    ]);
}

#[test]
fn several_wishes_share_what_they_can() {
    check_commands(&[
        (
            "关闭车窗打开空调",
            r#"?control_window.window{"action":"close"} set_ac_power{"power":"on"}"#,
        ),
        (
            "打开主驾和副驾的座椅加热",
            r#"set_seat_heating{"power":"on","seat":"front"}"#,
        ),
        (
            "close the windows and the sunroof",
            r#"control_window{"action":"close","window":"all"} control_sunroof{"action":"close"}"#,
        ),
        (
            "主驾二十四度副驾二十六度",
            r#"set_temperature{"temperature":24,"zone":"driver"} set_temperature{"temperature":26,"zone":"passenger"}"#,
        ),
        (
            "打开天窗打开左后和右前的车窗",
            r#"control_sunroof{"action":"open"} control_window{"action":"open","window":"rear_left"} control_window{"action":"open","window":"passenger"}"#,
        ),
    ]);
}

#[test]
fn the_last_wish_counts_and_what_is_refused_is_not_done() {
    check_commands(&[
        ("导航去机场不对去火车站", r#"start_navigation{"destination":"火车站"}"#),
        ("温度调到二十二不二十四度", r#"set_temperature{"temperature":24}"#),
        (
            "set it to twenty no make that eighteen",
            r#"set_temperature{"temperature":18}"#,
        ),
        ("别开空调", "-"),
        ("先别开天窗", "-"),
        ("座椅加热不用开了", "-"),
        ("空调开了吗", r#"get_vehicle_status{"item":"climate"}"#),
        ("are the doors locked", r#"get_vehicle_status{"item":"doors"}"#),
        ("is the trunk closed", r#"get_vehicle_status{"item":"doors"}"#),
        ("后备箱关好了没", r#"get_vehicle_status{"item":"doors"}"#),
        ("遮阳帘关了没有", "x"),
    ]);
}

#[test]
fn what_is_not_for_the_car_is_declined() {
    check_commands(&[
        ("我跟他说了好几遍都不听", "x"),
        ("你今天心情好吗", "x"),
        ("我妈说晚上包饺子", "x"),
        ("what a lovely song that was in the old days", "x"),
        ("did you feed the cat", "x"),
        ("tell me about the history of rome", "x"),
        ("", "x"),
        ("……", "x"),
        ("😀😀", "x"),
    ]);
}

#[test]
fn my_side_is_the_speakers() {
    for (seat, window) in [
        (Seat::Driver, "driver"),
        (Seat::Passenger, "passenger"),
        (Seat::RearRight, "rear_right"),
    ] {
        let mut cabin = Cabin::new();
        cabin.seat = seat;
        let expected = format!(r#"control_window{{"action":"open","window":"{window}"}}"#);
        assert_eq!(cabin.say("打开我这边的车窗"), expected);
        cabin.reset();
        assert_eq!(cabin.say("open my window"), expected);
    }
}

#[test]
fn out_of_range_is_asked_about() {
    check_commands(&[
        ("温度调到五十度", "?set_temperature.temperature{}"),
        ("set the temperature to 50 degrees", "?set_temperature.temperature{}"),
        ("风量调到二十挡", "?set_fan_speed.fan{}"),
    ]);
}

#[test]
fn what_is_asked_about_is_not_moved() {
    check_commands(&[
        ("is the driver window open?", r#"get_vehicle_status{"item":"windows"}"#),
        (
            "is the passenger window closed",
            r#"get_vehicle_status{"item":"windows"}"#,
        ),
        ("主驾车窗开着吗", r#"get_vehicle_status{"item":"windows"}"#),
        ("how fast are we going", r#"get_vehicle_status{"item":"speed"}"#),
        ("关上所有车窗", r#"control_window{"action":"close","window":"all"}"#),
        ("打开所有车窗", r#"control_window{"action":"open","window":"all"}"#),
    ]);
}

#[test]
fn each_wish_has_its_own_seat() {
    check_commands(&[
        (
            "副驾温度调到23度，副驾座椅加热调到二档",
            r#"set_temperature{"temperature":23,"zone":"passenger"} set_seat_heating{"level":"2","seat":"passenger"}"#,
        ),
        (
            "set the passenger temperature to 22 and the passenger seat heating to one",
            r#"set_temperature{"temperature":22,"zone":"passenger"} set_seat_heating{"level":"1","seat":"passenger"}"#,
        ),
    ]);
}

#[test]
fn a_number_is_taken_back() {
    check_commands(&[
        (
            "把温度调到二十二度，不对，二十四度",
            r#"set_temperature{"temperature":24}"#,
        ),
        ("温度调到二十一度不对二十三度", r#"set_temperature{"temperature":23}"#),
        ("把音量调到三十，不对，四十", r#"set_volume{"volume":40}"#),
    ]);
}

#[test]
fn with_and_without_highways() {
    check_commands(&[
        ("不走高速", r#"set_route_preference{"preference":"avoid_highways"}"#),
        ("别走高速", r#"set_route_preference{"preference":"avoid_highways"}"#),
        ("避开高速", r#"set_route_preference{"preference":"avoid_highways"}"#),
        ("no highways", r#"set_route_preference{"preference":"avoid_highways"}"#),
        ("走高速优先", r#"set_route_preference{"preference":"highways_first"}"#),
        ("高速优先", r#"set_route_preference{"preference":"highways_first"}"#),
    ]);
}

#[test]
fn films_are_watched() {
    check_commands(&[
        (
            "播放电影泰坦尼克号",
            r#"play_video{"kind":"电影","title":"泰坦尼克号"}"#,
        ),
        ("我要看电影功夫", r#"play_video{"kind":"电影","title":"功夫"}"#),
        (
            "播放动画片小猪佩奇",
            r#"play_video{"kind":"动画片","title":"小猪佩奇"}"#,
        ),
        (
            "在后排屏播放小猪佩奇",
            r#"play_video{"screen":"rear","title":"小猪佩奇"}"#,
        ),
        ("看一集小猪佩奇", r#"play_video{"title":"小猪佩奇"}"#),
        (
            "播放舌尖上的中国第二季",
            r#"play_video{"season":2,"title":"舌尖上的中国"}"#,
        ),
        ("播放电影", r#"play_video{"kind":"电影"}"#),
        ("放电影主题曲", r#"play_music{"theme":"电影"}"#),
    ]);
}

#[test]
fn names_are_kept_whole() {
    check_commands(&[
        ("收听中国之声", r#"play_radio{"station":"中国之声"}"#),
        ("播放北京交通广播", r#"play_radio{"station":"北京交通广播"}"#),
        ("听音乐之声", r#"play_radio{"station":"音乐之声"}"#),
        ("播放热歌榜", r#"play_music{"chart":"热歌榜"}"#),
        (
            "open the display settings",
            r#"open_page{"action":"open","page":"display settings"}"#,
        ),
        ("打开充电页面", r#"open_page{"action":"open","page":"充电页面"}"#),
        ("打开蓝牙设置", r#"open_page{"action":"open","page":"蓝牙设置"}"#),
        ("关闭蓝牙设置", r#"open_page{"action":"close","page":"蓝牙设置"}"#),
        ("打开氛围灯设置", r#"open_page{"action":"open","page":"氛围灯设置"}"#),
        (
            "打开空调设置26度",
            r#"set_ac_power{"power":"on"} set_temperature{"temperature":26}"#,
        ),
        ("打开计算器", r#"open_page{"action":"open","page":"计算器"}"#),
        ("关闭日历", r#"open_page{"action":"close","page":"日历"}"#),
        ("open the calendar", r#"open_page{"action":"open","page":"calendar"}"#),
    ]);
}

#[test]
fn brakes_places_and_seats() {
    check_commands(&[
        (
            "拉起电子手刹",
            r#"set_driver_assist{"feature":"parking_brake","power":"on"}"#,
        ),
        (
            "松开手刹",
            r#"set_driver_assist{"feature":"parking_brake","power":"off"}"#,
        ),
        (
            "release the parking brake",
            r#"set_driver_assist{"feature":"parking_brake","power":"off"}"#,
        ),
        (
            "把家设为颐和园",
            r#"set_favorite_place{"location":"颐和园","place":"home"}"#,
        ),
        ("把座椅位置保存到记忆1", r#"seat_memory{"action":"save","slot":"1"}"#),
        ("记住座椅位置4", r#"seat_memory{"action":"save","slot":"4"}"#),
        (
            "set the ambient light brightness to 80",
            r#"set_interior_light{"brightness":80,"light":"ambient"}"#,
        ),
    ]);
}

#[test]
fn what_is_half_understood_is_asked_about() {
    check_commands(&[
        (
            "pop the trunk please my hands are full",
            r#"~control_trunk{"action":"open","percentage":100}"#,
        ),
        ("你说这导航靠不靠谱", "x"),
    ]);
}
