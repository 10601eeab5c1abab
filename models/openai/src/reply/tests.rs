use super::*;
use proptest::prelude::*;

/// Reads `pieces` as the client does.
fn read(pieces: &[&[u8]]) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut reader = ReplyReader::new(ReplyLimits::default(), 1);
    let mut events = VecDeque::new();
    let mut result = Ok(Progress::More);
    for piece in pieces {
        result = reader.push(piece, &mut events);
        if result != Ok(Progress::More) {
            break;
        }
    }
    let result = result.and_then(|_| reader.finish(&mut events));
    (events.into(), result.err())
}

/// Replies as services send them.
const RECORDED: &[&str] = &[
    concat!(
        "\u{feff}: keep-alive\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"想一想😀\"}}],\"usage\":null}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"正在导航到\\u6545宫\"}}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_a\",\"type\":\"function\",\"function\":{\"name\":\"search_location\",\"arguments\":\"\"}}]}}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"query\\\":\\\"北京\"}}]}}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"故宫\\\"}\"}}]}}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\r\n\r\n",
        "data: {\"id\":\"1\",\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\r\n\r\n",
        "data: [DONE]\r\n\r\n",
    ),
    "data:{\"choices\":[{\"delta\":{\"content\":\"好\"}}]}\n\ndata:{\"choices\":[{\"delta\":{},\n data: ignored\ndata:\"finish_reason\":\"stop\"}]}\n\n",
    "  {\"choices\": [{\"message\": {\"content\": \"好的\"}, \"finish_reason\": \"length\"}]}\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"好\"}}]}\n\nevent: error\ndata: {\"code\":\"Throttling\",\"message\":\"限流\"}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"cut",
];

#[test]
fn recorded_replies_say_what_they_say() {
    let (events, error) = read(&[RECORDED[0].as_bytes()]);
    assert_eq!(error, None);
    assert_eq!(
        events,
        [
            ModelEvent::Reasoning(Reasoning {
                field: "reasoning_content".into(),
                text: "想一想😀".into()
            }),
            ModelEvent::Text("正在导航到故宫".into()),
            ModelEvent::ToolCall(incar_core::ToolCall::new(
                "call_a",
                "search_location",
                "{\"query\":\"北京故宫\"}"
            )),
            ModelEvent::Usage(Usage::new(9, 4)),
            ModelEvent::Finish(ModelFinish::ToolCalls),
        ]
    );
    assert_eq!(
        read(&[RECORDED[1].as_bytes()]).0.last(),
        Some(&ModelEvent::Finish(ModelFinish::Stop))
    );
    assert_eq!(
        read(&[RECORDED[2].as_bytes()]).0.last(),
        Some(&ModelEvent::Finish(ModelFinish::Length))
    );
    assert!(read(&[RECORDED[3].as_bytes()]).1.unwrap().message.contains("限流"));
    assert_eq!(read(&[RECORDED[4].as_bytes()]), (vec![], Some(error::cut())));
}

#[test]
fn half_a_character_costs_a_character_and_not_the_reply() {
    let stream = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe5\x8c\"},\"finish_reason\":\"stop\"}]}\n\n";
    let (events, error) = read(&[stream]);
    assert_eq!(error, None);
    assert_eq!(events[0], ModelEvent::Text("a\u{fffd}".into()));
}

proptest! {
    #[test]
    fn however_a_reply_is_cut_it_says_the_same(which in 0..RECORDED.len(), mut cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
        let bytes = RECORDED[which].as_bytes();
        let mut cuts: Vec<usize> = cuts.drain(..).map(|cut| cut.index(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect();
        prop_assert_eq!(read(&pieces), read(&[bytes]));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), prefix in 0..4usize) {
        let prefix = ["", "data: ", "{", "data: {\"choices\":[{\"delta\":{\"tool_calls\":["][prefix];
        read(&[prefix.as_bytes(), &bytes, b"\n\n"]);
    }

    #[test]
    fn one_finish_comes_last_or_an_error(which in 0..RECORDED.len(), end in any::<prop::sample::Index>()) {
        let bytes = RECORDED[which].as_bytes();
        let (events, error) = read(&[&bytes[..end.index(bytes.len())]]);
        let finishes = events.iter().filter(|event| matches!(event, ModelEvent::Finish(_))).count();
        let is_last = matches!(events.last(), Some(ModelEvent::Finish(_)));
        prop_assert_eq!((finishes, is_last), (usize::from(error.is_none()), error.is_none()));
    }
}
