//! What leaves the car with a request to a model in the cloud: docs/privacy.md, held.

use crate::server::{Asked, Reply, Service};
use incar::openai::{Config, Provider, RetryPolicy};
use incar::tools::contacts::PhoneBook;
use incar::tools::phone::PhoneService;
use incar::{AgentResponse, Lang, Seat, Utterance};
use incar_testkit::{ScriptedModel, ScriptedReply, Simulator};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const LATITUDE: f64 = 39.987_654;
const LONGITUDE: f64 = 116.321_234;
/// Somebody who is in no phone book.
const STRANGER: &str = "13966677788";

/// A round: a call of this tool, or a text.
enum Round {
    Call(&'static str, Value),
    Say(&'static str),
}

use Round::{Call, Say};

impl Round {
    fn reply(&self, id: usize) -> Reply {
        match self {
            Say(text) => Reply::saying(text),
            Call(tool, arguments) => {
                let function = json!({"name": tool, "arguments": arguments.to_string()});
                let call = json!({"index": 0, "id": format!("c{id}"), "type": "function", "function": function});
                let delta = json!({"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}}]});
                let end = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;
                Reply::events(&[&delta.to_string(), end])
            }
        }
    }
}

struct Car {
    simulator: Simulator,
    service: Service,
}

impl Car {
    async fn new(rounds: impl IntoIterator<Item = Round>) -> Self {
        let script = rounds.into_iter().zip(0..).map(|(round, id)| round.reply(id));
        let service = Service::start(script).await;
        let model = Config::new(Provider::Custom)
            .with_base_url(&service.url)
            .with_model("cloud")
            .with_key("sk-secret")
            .with_retry(RetryPolicy::never())
            .build()
            .unwrap();
        let simulator = Simulator::with_model(Arc::new(model)).unwrap();
        simulator
            .set("Vehicle.CurrentLocation.Latitude", &LATITUDE.into())
            .unwrap();
        simulator
            .set("Vehicle.CurrentLocation.Longitude", &LONGITUDE.into())
            .unwrap();
        simulator.set("Vehicle.Speed", &37.0.into()).unwrap();
        Self { simulator, service }
    }

    async fn say(&self, said: &str) -> AgentResponse {
        let speaker = self.simulator.speaker(Seat::Driver).with_person("the-person");
        self.simulator
            .assistant()
            .handle(Utterance::new(said).by(speaker).in_lang(Lang::Zh))
            .await
    }
}

/// All that was sent, as one text.
fn sent(asked: &[Asked]) -> String {
    asked.iter().map(|asked| asked.body.to_string()).collect()
}

/// The members of the cabin context of the last utterance.
fn context_of(asked: &Asked) -> BTreeSet<String> {
    let messages = asked.body["messages"].as_array().unwrap();
    let mut contexts = messages.iter().filter_map(|message| {
        let (_, rest) = message["content"].as_str()?.split_once("[Cabin state: ")?;
        serde_json::from_str::<serde_json::Map<String, Value>>(rest.split_once("]\n")?.0).ok()
    });
    contexts
        .next_back()
        .unwrap()
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// How often a cabin context stands in a request.
fn contexts_in(asked: &Asked) -> usize {
    asked.body["messages"].to_string().matches("[Cabin state: ").count()
}

#[tokio::test]
async fn a_request_has_these_fields_and_names_no_one() {
    let car = Car::new([Say("你好。")]).await;
    let response = car.say("你好").await;
    let asked = car.service.asked();
    let fields: Vec<&String> = asked[0].body.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        ["max_tokens", "messages", "model", "stream", "stream_options", "tools"]
    );
    let headers = asked[0]
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| *name != "host");
    let headers: BTreeSet<&str> = headers.collect();
    let expected = ["accept", "authorization", "content-length", "content-type"];
    assert!(
        headers.is_subset(&expected.into_iter().chain(["accept-encoding", "user-agent"]).collect()),
        "{headers:?}"
    );
    let everything = format!("{:?}{}", asked[0].headers, asked[0].body);
    for name in ["simulated-", "the-person", response.turn_id.as_str()] {
        assert!(!everything.contains(name), "{name}: {everything}");
    }
}

#[tokio::test]
async fn the_cabin_context_is_what_the_concerned_tools_need() {
    let always = ["date", "seat"].as_slice();
    let of_the_car = ["ac_on", "date", "open_windows", "seat", "speed_kmh"].as_slice();
    for (said, expected) in [
        ("放首晴天", always),
        ("导航去天安门", always),
        ("明天天气怎么样", always),
        ("打电话给张伟", always),
        ("打开空调", of_the_car),
    ] {
        let car = Car::new([Say("好的。")]).await;
        car.simulator
            .set("Vehicle.Cabin.Door.Row1.PassengerSide.Window.Position", &40.0.into())
            .unwrap();
        car.say(said).await;
        let asked = car.service.asked();
        let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(context_of(&asked[0]), expected, "{said}");
    }
}

#[tokio::test]
async fn what_the_car_knew_is_not_remembered_beyond_its_turn() {
    let car = Car::new([
        Call("set_ac_power", json!({"power": "on"})),
        Say("空调开了。"),
        Say("好的。"),
    ])
    .await;
    car.say("打开空调").await;
    car.say("放首晴天").await;
    let asked = car.service.asked();
    assert!(sent(&asked[..1]).contains("speed_kmh"));
    assert!(
        asked[2].body.to_string().contains("打开空调"),
        "the conversation is remembered"
    );
    assert_eq!(
        (contexts_in(&asked[2]), sent(&asked[2..]).contains("speed_kmh")),
        (1, false)
    );
}

/// Coordinates stay in the car even where the turn is about them: what leaves it are names of places.
#[tokio::test]
async fn the_exact_position_never_leaves() {
    let turns: Vec<(&str, Vec<Round>)> = vec![
        (
            "我在哪里",
            vec![
                Call("get_route_info", json!({"item": "current_location"})),
                Say("您在附近。"),
            ],
        ),
        (
            "把这里设为家",
            vec![
                Call("set_favorite_place", json!({"place": "home", "location": "这里"})),
                Say("设好了。"),
            ],
        ),
        (
            "回家",
            vec![Call("start_navigation", json!({"destination": "家"})), Say("出发。")],
        ),
        (
            "还有多远",
            vec![
                Call("get_route_info", json!({"item": "destination"})),
                Say("就在这里。"),
            ],
        ),
        (
            "附近的加油站",
            vec![Call("search_location", json!({"query": "加油站"})), Say("找到了。")],
        ),
        ("今天天气怎么样", vec![Call("get_weather", json!({})), Say("晴。")]),
        ("现在几点", vec![Call("get_datetime", json!({})), Say("十点。")]),
        (
            "放首晴天",
            vec![Call("play_music", json!({"song": "晴天"})), Say("好的。")],
        ),
        (
            "打开空调",
            vec![Call("set_ac_power", json!({"power": "on"})), Say("好的。")],
        ),
    ];
    let (said, rounds): (Vec<&str>, Vec<Vec<Round>>) = turns.into_iter().unzip();
    let car = Car::new(rounds.into_iter().flatten()).await;
    for said in &said {
        let response = car.say(said).await;
        let calls = &response.data.tool_results;
        assert!(
            calls.iter().all(|call| call.outcome == incar::Outcome::Ok),
            "{said}: {calls:?}"
        );
    }
    let asked = car.service.asked();
    assert_eq!(asked.len(), 2 * said.len());
    let sent = sent(&asked);
    // To a hundredth of a degree: about a kilometre.
    for part in [format!("{LATITUDE:.2}"), format!("{LONGITUDE:.2}"), "39.98".to_owned()] {
        assert!(!sent.contains(&part), "{part}: {sent}");
    }
}

/// All numbers of people in the phone book, as they are written there.
fn numbers() -> Vec<String> {
    let book = PhoneBook::embedded().unwrap();
    let numbers = book.contacts().iter().flat_map(|contact| &contact.numbers);
    numbers.map(|number| number.number.clone()).collect()
}

#[tokio::test]
async fn nobodys_number_leaves_but_what_the_driver_dictates() {
    let dictated = "13800138000";
    let turns: Vec<(&str, Vec<Round>)> = vec![
        (
            "打给张伟",
            vec![Call("call", json!({"contact": "张伟"})), Say("正在呼叫。")],
        ),
        (
            "挂断",
            vec![Call("control_call", json!({"action": "hang_up"})), Say("挂了。")],
        ),
        (
            "重拨",
            vec![Call("control_call", json!({"action": "redial"})), Say("正在重拨。")],
        ),
        (
            "挂断",
            vec![Call("control_call", json!({"action": "hang_up"})), Say("挂了。")],
        ),
        (
            "张伟的电话是多少",
            vec![Call("search_contact", json!({"name": "张伟"})), Say("在这里。")],
        ),
        (
            "看看通话记录",
            vec![Call("list_calls", json!({"kind": "recent"})), Say("有几个。")],
        ),
        (
            "发短信给张伟说我晚点到",
            vec![
                Call("send_message", json!({"contact": "张伟", "text": "我晚点到"})),
                Say("发了。"),
            ],
        ),
        (
            "拨打13800138000",
            vec![Call("call", json!({"number": dictated})), Say("正在呼叫。")],
        ),
        ("放首晴天", vec![Say("好的。")]),
    ];
    let (said, rounds): (Vec<&str>, Vec<Vec<Round>>) = turns.into_iter().unzip();
    let car = Car::new(rounds.into_iter().flatten()).await;
    car.simulator.phone().ring(STRANGER).unwrap();
    car.simulator.advance(std::time::Duration::from_secs(60));
    for said in &said {
        let response = car.say(said).await;
        let calls = &response.data.tool_results;
        assert!(
            calls.iter().all(|call| call.outcome == incar::Outcome::Ok),
            "{said}: {calls:?}"
        );
    }
    let asked = car.service.asked();
    let sent = sent(&asked);
    for number in numbers().iter().map(String::as_str).chain([STRANGER]) {
        assert!(!sent.contains(number), "{number}: {sent}");
    }
    // What the driver says himself stands where he and the model wrote it, and in no result.
    let messages = asked.last().unwrap().body["messages"].as_array().unwrap().clone();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    assert!(
        messages
            .iter()
            .any(|message| message["role"] == "user" && message.to_string().contains(dictated))
    );
    assert_eq!(
        results.filter(|message| message.to_string().contains(dictated)).count(),
        0
    );
}

/// The handles in what a model was asked.
fn handles(model: &ScriptedModel) -> Vec<String> {
    let asked = model.take_asked();
    let messages = serde_json::to_string(
        &asked
            .last()
            .unwrap()
            .messages
            .iter()
            .map(incar::Message::content)
            .collect::<Vec<_>>(),
    )
    .unwrap();
    let handles = messages
        .split("tel-")
        .skip(1)
        .map(|rest| format!("tel-{}", &rest[..16]));
    handles.collect()
}

#[tokio::test]
async fn a_handle_stands_for_its_number_in_calls_and_in_replies() {
    let model = Arc::new(ScriptedModel::default());
    let simulator = Simulator::with_model(model.clone()).unwrap();
    simulator.phone().ring(STRANGER).unwrap();
    simulator.advance(std::time::Duration::from_secs(60));
    let say = |said: &'static str| {
        let utterance = Utterance::new(said).by(simulator.speaker(Seat::Driver));
        async { simulator.assistant().handle(utterance).await }
    };

    model.push(ScriptedReply::call("list_calls", json!({"kind": "missed"})));
    model.push(ScriptedReply::Text("有一个未接来电。".into()));
    say("有未接来电吗").await;
    let handle = handles(&model).remove(0);
    model.push(ScriptedReply::call("call", json!({"number": handle})));
    model.push(ScriptedReply::Text("正在回拨。".into()));
    say("打回去").await;
    assert_eq!(simulator.phone().line().call.unwrap().number, STRANGER);

    model.push(ScriptedReply::call("search_contact", json!({"name": "张伟"})));
    model.push(ScriptedReply::Text("稍等。".into()));
    say("张伟的电话是多少").await;
    let handle = handles(&model).pop().unwrap();
    model.push(ScriptedReply::Text(format!("张伟的号码是{handle}。")));
    let response = say("再说一遍号码").await;
    let known = numbers();
    assert!(
        known
            .iter()
            .any(|number| response.message == format!("张伟的号码是{number}。")),
        "{}",
        response.message
    );
}

/// The brain reads a number out on the device; the cloud that answers next reads its handle.
#[tokio::test]
async fn what_the_device_said_of_a_number_is_kept_without_it() {
    use incar::brain::Brain;
    use incar::chain::{Chain, Link, Mode};
    let cloud = Arc::new(ScriptedModel::default());
    let clock = Arc::new(incar::ManualClock::default());
    let links = [Link::cloud(cloud.clone()), Link::device(Arc::new(Brain::new()))];
    let chain = Arc::new(Chain::new(clock, links).with_mode(Mode::DeviceOnly));
    let simulator = Simulator::with_model(chain.clone()).unwrap();
    let say = |said: &'static str| {
        let utterance = Utterance::new(said).by(simulator.speaker(Seat::Driver));
        async { simulator.assistant().handle(utterance).await }
    };
    let response = say("查一下张伟的电话号码").await;
    let spoken: Vec<String> = numbers()
        .into_iter()
        .filter(|number| response.message.contains(number))
        .collect();
    assert!(!spoken.is_empty(), "{}", response.message);
    chain.set_mode(Mode::CloudFirst);
    cloud.push(ScriptedReply::Text("不客气。".into()));
    say("谢谢你帮我查").await;
    let asked = format!(
        "{:?}",
        cloud
            .take_asked()
            .last()
            .unwrap()
            .messages
            .iter()
            .map(incar::Message::content)
            .collect::<Vec<_>>()
    );
    assert!(asked.contains("查一下张伟"), "{asked}");
    assert!(spoken.iter().all(|number| !asked.contains(number)), "{asked}");
}
