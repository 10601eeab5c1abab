//! What the telephone's tools do and say.

use super::*;
use crate::contacts::PhoneBook;
use crate::testing::at_once;
use incar_core::{ManualClock, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolOutput, ToolRegistry};
use serde_json::{Value, json};

struct Bench {
    clock: Arc<ManualClock>,
    phone: Arc<SimulatedPhone>,
    registry: ToolRegistry,
    speaker: Speaker,
    lang: Lang,
}

impl Bench {
    fn new(lang: Lang) -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)));
        let phone = Arc::new(SimulatedPhone::new(
            Arc::new(PhoneBook::embedded().unwrap()),
            clock.clone(),
        ));
        let service: Arc<dyn PhoneService> = phone.clone();
        let mut registry = ToolRegistry::new();
        for tool in tools(&service) {
            registry.register_erased(tool).unwrap();
        }
        let speaker = Speaker::new("test", Seat::Driver);
        Self {
            clock,
            phone,
            registry,
            speaker,
            lang,
        }
    }

    fn call(&self, tool: &str, arguments: &Value) -> Result<ToolOutput, Refusal> {
        let context = ToolContext::new(&self.speaker, self.lang, &self.clock, "key");
        let tool = self.registry.get(tool).unwrap();
        let resolved = tool.resolve(arguments, context)?;
        Ok(at_once(tool.run(&resolved.arguments, context))?)
    }

    fn say(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, &arguments)
            .unwrap_or_else(|error| panic!("{arguments}: {error}"))
            .say
            .unwrap()
    }

    fn refused(&self, tool: &str, arguments: Value) -> ToolError {
        match self.call(tool, &arguments) {
            Err(Refusal::Failed(error)) => error,
            other => panic!("{arguments}: {other:?}"),
        }
    }

    fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    fn call_state(&self) -> Option<CallState> {
        self.phone.line().call.map(|call| call.state)
    }
}

fn check(tool: &str, rows: &[(Value, &str, &str)]) {
    for (arguments, zh, en) in rows {
        for (lang, said) in [(Lang::Zh, zh), (Lang::En, en)] {
            assert_eq!(
                &Bench::new(lang).say(tool, arguments.clone()),
                said,
                "{tool} {arguments}"
            );
        }
    }
}

#[test]
fn people_services_and_numbers_are_called() {
    check(
        "call",
        &[
            (json!({"contact": "张伟"}), "正在呼叫张伟。", "Calling 张伟."),
            (
                json!({"contact": "老婆"}),
                "正在呼叫王芳的手机。",
                "Calling 王芳 on the mobile.",
            ),
            (
                json!({"contact": "Alice"}),
                "正在呼叫Alice Johnson的手机。",
                "Calling Alice Johnson on the mobile.",
            ),
            (
                json!({"contact": "爸爸家里电话"}),
                "正在呼叫李建国的家里电话。",
                "Calling 李建国 on the home number.",
            ),
            (
                json!({"contact": "Bob at work"}),
                "正在呼叫Bob Smith的公司电话。",
                "Calling Bob Smith on the work number.",
            ),
            (
                json!({"contact": "李明（公司同事）"}),
                "正在呼叫李明的手机。",
                "Calling 李明 on the mobile.",
            ),
            (
                json!({"number": "一三八零零一三八零零零"}),
                "正在呼叫尾号8000的号码。",
                "Calling the number ending in 8000.",
            ),
            (
                json!({"number": "138 0013 8000"}),
                "正在呼叫尾号8000的号码。",
                "Calling the number ending in 8000.",
            ),
            (json!({"contact": "95588"}), "正在呼叫工商银行。", "Calling ICBC."),
            (json!({"number": "14000000007"}), "正在呼叫李雨桐。", "Calling 李雨桐."),
        ],
    );
}

#[test]
fn a_call_is_resolved_to_its_number() {
    let bench = Bench::new(Lang::En);
    let context = ToolContext::new(&bench.speaker, bench.lang, &bench.clock, "key");
    let resolved = bench
        .registry
        .get("call")
        .unwrap()
        .resolve(&json!({"contact": "Alice"}), context)
        .unwrap();
    assert_eq!(
        resolved.arguments,
        json!({"contact": "Alice", "number": "+12025550101"})
    );
    assert_eq!(resolved.effect, Effect::Act);
}

#[test]
fn who_is_not_clear_is_asked_for() {
    let bench = Bench::new(Lang::Zh);
    for (tool, arguments, kind, argument, choices) in [
        ("call", json!({}), ErrorKind::InvalidInput, Some("contact"), 0),
        (
            "call",
            json!({"contact": "李明"}),
            ErrorKind::InvalidInput,
            Some("contact"),
            2,
        ),
        ("call", json!({"contact": "火星人马文"}), ErrorKind::NotFound, None, 0),
        (
            "call",
            json!({"number": "12"}),
            ErrorKind::InvalidInput,
            Some("number"),
            0,
        ),
        (
            "send_message",
            json!({"contact": "李明", "text": "好"}),
            ErrorKind::InvalidInput,
            Some("contact"),
            2,
        ),
        (
            "send_message",
            json!({"contact": "张伟", "text": " "}),
            ErrorKind::InvalidInput,
            Some("text"),
            0,
        ),
    ] {
        let error = bench.refused(tool, arguments.clone());
        assert_eq!((error.kind, error.argument.as_deref()), (kind, argument), "{arguments}");
        assert_eq!(error.choices.len(), choices, "{arguments}: {error}");
        assert!(bench.phone.line().call.is_none() && bench.phone.messages().is_empty());
    }
}

#[test]
fn a_choice_that_was_offered_is_understood() {
    let bench = Bench::new(Lang::En);
    for name in ["李明", "David"] {
        let choices = bench.refused("call", json!({"contact": name})).choices;
        assert!(choices.len() > 1, "{name}");
        for choice in choices {
            let said = bench.say("call", json!({"contact": choice}));
            assert!(said.starts_with(&format!("Calling {name}")), "{choice}: {said}");
            bench.say("control_call", json!({"action": "hang_up"}));
        }
    }
}

#[test]
fn a_call_is_dialled_rings_and_is_answered() {
    let bench = Bench::new(Lang::Zh);
    bench.say("call", json!({"contact": "张伟"}));
    for (seconds, state) in [(0, CallState::Dialing), (2, CallState::Ringing), (5, CallState::Active)] {
        bench.advance(seconds);
        assert_eq!(bench.call_state(), Some(state));
    }
    assert_eq!(
        bench.refused("call", json!({"contact": "李娜"})).message,
        "正在通话中，请先挂断。"
    );
    assert_eq!(bench.say("control_call", json!({"action": "mute"})), "麦克风已静音。");
    assert_eq!(bench.phone.state().get("Phone.Call.IsMuted"), Some(&true.into()));
    assert_eq!(bench.say("control_call", json!({"action": "hang_up"})), "已挂断。");
    let last = bench.phone.calls().remove(0);
    assert_eq!((last.direction, last.end), (CallDirection::Outgoing, CallEnd::Talked));
    assert_eq!(bench.say("control_call", json!({"action": "redial"})), "正在重拨张伟。");
    assert_eq!(bench.call_state(), Some(CallState::Dialing));
}

#[test]
fn somebody_calls_and_is_answered_refused_or_missed() {
    let bench = Bench::new(Lang::En);
    let father = "14000000005";
    for (action, said, end) in [
        ("answer", "Answered the call from 李建国.", CallEnd::Talked),
        ("reject", "Rejected the call from 李建国.", CallEnd::Rejected),
    ] {
        bench.phone.ring(father).unwrap();
        assert_eq!(bench.say("control_call", json!({"action": action})), said);
        if bench.call_state().is_some() {
            bench.say("control_call", json!({"action": "hang_up"}));
        }
        assert_eq!(bench.phone.calls()[0].end, end);
    }
    bench.phone.ring(father).unwrap();
    assert_eq!(bench.phone.ring(father), Err(PhoneError::Busy));
    bench.advance(30);
    assert_eq!(bench.call_state(), None);
    assert!(bench.phone.calls()[0].is_missed());
    assert!(
        bench
            .say("list_calls", json!({"kind": "missed"}))
            .starts_with("You have 3 missed calls: 李建国, just now")
    );
}

#[test]
fn what_cannot_be_done_with_a_call_is_said() {
    let bench = Bench::new(Lang::Zh);
    for (action, said) in [
        ("answer", "现在没有来电。"),
        ("reject", "现在没有来电。"),
        ("hang_up", "现在没有通话。"),
        ("mute", "现在没有通话。"),
    ] {
        assert_eq!(bench.refused("control_call", json!({"action": action})).message, said);
    }
    for (action, said) in [
        ("speaker_on", "免提已经是打开的。"),
        ("speaker_off", "免提已关闭。"),
        ("speaker_on", "免提已打开。"),
    ] {
        assert_eq!(bench.say("control_call", json!({"action": action})), said);
    }
}

#[test]
fn messages_are_sent_and_kept() {
    let bench = Bench::new(Lang::En);
    let said = bench.say("send_message", json!({"contact": "Alice", "text": "on my way."}));
    assert_eq!(said, "Message sent to Alice Johnson: on my way.");
    let sent = bench.phone.messages();
    assert_eq!(
        (sent[0].number.as_str(), sent[0].text.as_str()),
        ("+12025550101", "on my way.")
    );
    bench.phone.reset();
    assert!(bench.phone.messages().is_empty());
}

#[test]
fn calls_and_contacts_are_listed() {
    check(
        "list_calls",
        &[
            (
                json!({"kind": "missed"}),
                "有2个未接来电：张伟，35分钟前；Sarah Taylor，19小时前。",
                "You have 2 missed calls: 张伟, 35 minutes ago; Sarah Taylor, 19 hours ago.",
            ),
            (
                json!({}),
                "最近通话：张伟，35分钟前未接；王芳，1小时前呼出；陈秀英，3小时前来电。",
                "Your recent calls: 张伟, missed 35 minutes ago; 王芳, outgoing 1 hour ago; 陈秀英, incoming 3 hours ago.",
            ),
        ],
    );
    check(
        "search_contact",
        &[
            (
                json!({"name": "妹妹"}),
                "李娜：手机14000000012。",
                "李娜: mobile 14000000012.",
            ),
            (
                json!({"name": "李明"}),
                "找到2个联系人：李明（大学同学）、李明（公司同事）。",
                "I found 2 contacts: 李明 (大学同学), 李明 (公司同事).",
            ),
            (json!({"name": "火警"}), "火警：119。", "fire brigade: 119."),
        ],
    );
    assert_eq!(
        Bench::new(Lang::En)
            .refused("search_contact", json!({"name": "Zzyzx"}))
            .kind,
        ErrorKind::NotFound
    );
}

#[test]
fn names_are_offered_as_they_are_heard() {
    let bench = Bench::new(Lang::Zh);
    let source = bench.registry.get("call").unwrap().spec().names["contact"].clone();
    for (heard, first, matched) in [
        ("老婆", Some("老婆"), Some(incar_core::NameMatch::Exact)),
        ("章伟", Some("张伟"), Some(incar_core::NameMatch::Sound)),
        ("qqqq", None, None),
    ] {
        let names = source.look_up(heard, Lang::Zh);
        let found = names.first();
        assert_eq!(found.map(|name| name.name.as_str()), first, "{heard}");
        assert_eq!(found.map(|name| name.matched), matched, "{heard}");
    }
}
