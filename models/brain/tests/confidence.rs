//! How sure the brain says it is, before it answers.

#[path = "support/mod.rs"]
mod support;

use incar_brain::Brain;
use incar_core::{
    AskUser, AssistantMessage, ChatRequest, DeviceModel, Lang, Message, Outcome, Seat, Speaker, ToolCall, ToolMessage,
};

fn confidence(messages: &[Message]) -> f32 {
    let (speaker, tools) = (Speaker::new("car", Seat::Driver), support::tools());
    Brain::new().confidence(&ChatRequest::new("", messages, &speaker, Lang::Zh).with_tools(&tools))
}

fn after_a_call(id: &str) -> Vec<Message> {
    let call = ToolCall::new(id, "control_window", "{}");
    let result = ToolMessage::new(&call, "{}", Outcome::Ok);
    vec![
        Message::user("打开车窗"),
        Message::Assistant(AssistantMessage::calls(vec![call])),
        Message::Tool(result),
    ]
}

#[test]
fn a_clear_wish_is_sure_and_what_it_declines_is_not() {
    for said in ["打开主驾车窗", "空调调到22度", "open the trunk", "打开车窗", "你好"] {
        assert!(
            confidence(&[Message::user(said)]) >= 0.8,
            "{said}: {}",
            confidence(&[Message::user(said)])
        );
    }
    for said in ["帮我写一首关于秋天的诗", "why is the sky blue", "量子力学是什么", ""] {
        assert_eq!(confidence(&[Message::user(said)]), 0.0, "{said}");
    }
}

#[test]
fn an_answer_to_a_known_question_is_sure() {
    let mut ask = AskUser::new("请问是哪个车窗？");
    (ask.tool, ask.slot) = (Some("control_window".into()), Some("window".into()));
    ask.arguments = serde_json::from_str(r#"{"action":"open"}"#).unwrap();
    let call = ToolCall::new("brain_1", "ask_user", serde_json::to_string(&ask).unwrap());
    let result = ToolMessage::new(&call, r#"{"asked":true}"#, Outcome::Ok);
    let asked = [
        Message::user("打开车窗"),
        Message::Assistant(AssistantMessage::calls(vec![call])),
        Message::Tool(result),
        Message::user("主驾驶"),
    ];
    assert!(confidence(&asked) >= 0.8);
}

#[test]
fn it_speaks_of_its_own_calls_and_leaves_another_models_to_that_one() {
    assert_eq!(confidence(&after_a_call("brain_1")), 1.0);
    assert_eq!(confidence(&after_a_call("call_abc")), 0.0);
}
