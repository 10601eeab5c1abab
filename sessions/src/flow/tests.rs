use super::*;
use incar_core::{KnownName, Lang, NameMatch, NameSource, Timestamp};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Monday, 1 June 2026, 02:00 UTC: ten o'clock in Beijing.
const NOW: Timestamp = Timestamp::from_millis(1_780_279_200_000);
const DAY: u64 = 24 * 60 * 60 * 1000;

#[derive(Debug)]
struct Cities;

impl NameSource for Cities {
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName> {
        let known = match (heard, lang) {
            ("杭州" | "Hangzhou", Lang::Zh) => Some("杭州"),
            ("杭州" | "Hangzhou", Lang::En) => Some("Hangzhou"),
            _ => ["上海", "Paris"].into_iter().find(|city| heard.contains(city)),
        };
        let name = |name: &str| KnownName {
            name: name.to_owned(),
            matched: NameMatch::Exact,
        };
        known.map(name).into_iter().collect()
    }
}

fn names() -> BTreeMap<String, Arc<dyn NameSource>> {
    BTreeMap::from([("city".to_owned(), Arc::new(Cities) as Arc<dyn NameSource>)])
}

fn booking() -> FlowDefinition {
    let rooms = SlotKind::Choice(vec![
        Choice::new("king", "大床房", "king room"),
        Choice::new("suite", "套房", "suite"),
    ]);
    FlowDefinition::new(
        "book",
        "{city}，{day}，{nights}晚，{room}[，{guests}人][，{wish}]？",
        "A {room} in {city} on {day} for {nights|night|nights}[, {guests|guest|guests}]?",
    )
    .slot(Slot::new("city", SlotKind::Name).ask("哪里？", "Where?"))
    .slot(Slot::new("day", SlotKind::Date).ask("哪天？", "What day?"))
    .slot(Slot::new("nights", SlotKind::Integer { least: 1, most: 30 }).ask("几晚？", "How many nights?"))
    .slot(Slot::new("room", rooms).ask("房型？", "What room?").or_anything("king"))
    .slot(
        Slot::new("guests", SlotKind::Integer { least: 1, most: 9 })
            .ask("几位？", "How many?")
            .optional(),
    )
    .slot(
        Slot::new("wish", SlotKind::Text)
            .ask("还有要求吗？", "Any wishes?")
            .offered(),
    )
}

fn fill(values: Value) -> FlowInput {
    FlowInput::Fill {
        values: values.as_object().cloned().unwrap_or_default(),
        asks: None,
    }
}

fn play(flow: &FlowDefinition, state: FlowState, inputs: &[FlowInput]) -> (FlowState, FlowStep) {
    let names = names();
    let context = FlowContext::new(NOW, 480, Lang::Zh, &names);
    let start = flow.advance(state, fill(json!({})), &context);
    inputs
        .iter()
        .fold(start, |(state, _), input| flow.advance(state, input.clone(), &context))
}

/// What comes next in short: `slot: question`, or the summary.
fn next(step: &FlowStep) -> String {
    match step {
        FlowStep::Ask { slot, question, .. } => format!("{}: {question}", slot.as_deref().unwrap_or("-")),
        FlowStep::Confirm { question, .. } => question.clone(),
    }
}

fn check(inputs: &[FlowInput], expected: &str) {
    let (_, step) = play(&booking(), FlowState::default(), inputs);
    assert_eq!(next(&step), expected, "{inputs:?}");
}

#[test]
fn what_is_missing_is_asked_for_in_the_order_of_the_definition() {
    check(&[], "city: 哪里？");
    check(&[fill(json!({"city": "杭州"}))], "day: 哪天？");
    check(
        &[fill(json!({"city": "杭州", "day": "后天", "nights": 2}))],
        "room: 房型？",
    );
    check(
        &[fill(
            json!({"city": "杭州", "day": "后天", "nights": 2, "room": "大床房"}),
        )],
        "wish: 还有要求吗？",
    );
    check(
        &[fill(
            json!({"city": "杭州", "day": "后天", "nights": 2, "room": "king", "wish": "高楼层"}),
        )],
        "杭州，6月3日周三，2晚，大床房，高楼层？",
    );
}

#[test]
fn a_question_stays_while_other_values_are_given() {
    check(
        &[fill(json!({"nights": 2})), fill(json!({"room": "suite"}))],
        "city: 哪里？",
    );
    let asks = FlowInput::Fill {
        values: Map::new(),
        asks: Some("nights".into()),
    };
    check(std::slice::from_ref(&asks), "nights: 几晚？");
    check(&[fill(json!({"nights": 2})), asks], "city: 哪里？");
}

#[test]
fn what_will_not_do_is_said_and_asked_again() {
    for (said, expected) in [
        (json!({"nights": 31}), "nights: 可以是1到30，31不行。几晚？"),
        (json!({"nights": "很多"}), "nights: 没听清是多少。几晚？"),
        (json!({"nights": 1.5}), "nights: 没听清是多少。几晚？"),
        (json!({"day": "昨天"}), "day: 这一天已经过去了。哪天？"),
        (json!({"day": "2026-05-31"}), "day: 这一天已经过去了。哪天？"),
        (json!({"day": "下个月"}), "day: 请说具体的一天。哪天？"),
        (json!({"day": "改天"}), "day: 没听清是哪一天。哪天？"),
        (json!({"city": "月亮城"}), "city: 没有找到“月亮城”。哪里？"),
        (json!({"room": "总统套房"}), "room: 可选的有大床房、套房。房型？"),
    ] {
        check(&[fill(json!({"city": "杭州"})), fill(said)], expected);
    }
}

#[test]
fn a_value_out_of_range_is_understood_and_noise_is_not() {
    for (said, heard) in [
        (json!({"nights": 31}), true),
        (json!({"day": "昨天"}), true),
        (json!({"nights": 2}), true),
        (json!({"city": "月亮城"}), false),
        (json!({"stars": 5}), false),
        (json!({}), false),
    ] {
        let (_, step) = play(&booking(), FlowState::default(), &[fill(said.clone())]);
        assert!(
            matches!(step, FlowStep::Ask { understood, .. } if understood == heard),
            "{said}"
        );
    }
}

#[test]
fn a_wrong_value_takes_the_place_of_an_earlier_right_one() {
    let (state, step) = play(
        &booking(),
        FlowState::default(),
        &[fill(json!({"city": "杭州", "nights": 2})), fill(json!({"nights": 40}))],
    );
    assert_eq!(state.value("nights"), None);
    assert_eq!(next(&step), "nights: 可以是1到30，40不行。几晚？");
}

#[test]
fn days_are_those_of_the_car() {
    let names = names();
    let late = Timestamp::from_millis(NOW.as_millis() + 15 * 60 * 60 * 1000);
    for (offset, day) in [(480, "2026-06-02"), (0, "2026-06-01"), (-300, "2026-06-01")] {
        let context = FlowContext::new(late, offset, Lang::Zh, &names);
        let (state, _) = booking().advance(FlowState::default(), fill(json!({"day": "今天"})), &context);
        assert_eq!(state.value("day"), Some(&json!(day)), "{offset}");
    }
}

#[test]
fn going_back_asks_for_what_was_given_last() {
    let given = [fill(json!({"city": "杭州"})), fill(json!({"room": "king"}))];
    let back = |times: usize| {
        let inputs: Vec<FlowInput> = given
            .iter()
            .cloned()
            .chain(std::iter::repeat_n(FlowInput::Back, times))
            .collect();
        next(&play(&booking(), FlowState::default(), &inputs).1)
    };
    assert_eq!(back(1), "room: 房型？");
    assert_eq!(back(2), "city: 哪里？");
    assert_eq!(back(3), "city: 已经是第一步了。哪里？");
}

#[test]
fn only_what_need_not_be_said_is_skipped() {
    let all = fill(json!({"city": "杭州", "day": "后天", "nights": 1, "room": "suite"}));
    check(&[FlowInput::Skip], "city: 这一项不能跳过。哪里？");
    check(&[all.clone(), FlowInput::Skip], "杭州，6月3日周三，1晚，套房？");
    check(
        &[all.clone(), FlowInput::Skip, FlowInput::Change("wish".into())],
        "wish: 还有要求吗？",
    );
    check(
        &[all, FlowInput::Change("guests".into()), FlowInput::Skip],
        "wish: 还有要求吗？",
    );
}

#[test]
fn anything_will_do_where_the_definition_says_what_that_is() {
    let but_room = fill(json!({"city": "杭州", "day": "后天", "nights": 1, "wish": "安静"}));
    check(
        &[but_room, FlowInput::Anything],
        "杭州，6月3日周三，1晚，大床房，安静？",
    );
    check(&[FlowInput::Anything], "city: 这个要您来定。哪里？");
}

#[test]
fn a_slot_is_asked_anew_by_name_and_a_doubt_asks_which() {
    let all = fill(json!({"city": "杭州", "day": "后天", "nights": 1, "room": "suite", "wish": "安静"}));
    check(&[all.clone(), FlowInput::Change("day".into())], "day: 哪天？");
    check(&[all.clone(), FlowInput::Doubt], "-: 好的，要改哪一项？");
    check(
        &[all.clone(), FlowInput::Doubt, fill(json!({"nights": 3}))],
        "杭州，6月3日周三，3晚，套房，安静？",
    );
    check(
        &[all, FlowInput::Doubt, FlowInput::Skip],
        "杭州，6月3日周三，1晚，套房，安静？",
    );
}

#[test]
fn the_summary_is_spoken_in_the_speakers_language() {
    let names = names();
    let context = FlowContext::new(NOW, 480, Lang::En, &names);
    let flow = booking();
    for (nights, guests, expected) in [
        (1, Some(1), "A suite in Paris on Friday, June 5 for 1 night, 1 guest?"),
        (2, Some(3), "A suite in Paris on Friday, June 5 for 2 nights, 3 guests?"),
        (2, None, "A suite in Paris on Friday, June 5 for 2 nights?"),
    ] {
        let said = json!({"city": "Paris", "day": "2026-06-05", "nights": nights, "room": "suite", "guests": guests, "wish": "a view"});
        let (_, step) = flow.advance(FlowState::default(), fill(said), &context);
        assert_eq!(next(&step), expected);
    }
}

#[test]
fn a_name_stays_as_it_was_said_when_the_language_changes() {
    let all = json!({"city": "杭州", "day": "后天", "nights": 1, "room": "suite", "wish": "安静"});
    let (state, _) = play(&booking(), FlowState::default(), &[fill(all)]);
    let names = names();
    let context = FlowContext::new(NOW, 480, Lang::En, &names);
    let before = Value::Object(state.values.clone());
    let (state, _) = booking().advance(state, fill(before.clone()), &context);
    assert_eq!(Value::Object(state.values), before);
}

#[test]
fn days_later_a_day_that_has_passed_is_asked_for_again() {
    let (state, _) = play(
        &booking(),
        FlowState::default(),
        &[fill(json!({"city": "杭州", "day": "明天", "nights": 2}))],
    );
    let names = names();
    let later = Timestamp::from_millis(NOW.as_millis() + 6 * DAY);
    let context = FlowContext::new(later, 480, Lang::Zh, &names);
    let written = state.to_value();
    let (state, step) = booking().advance(
        FlowState::from_value(Some(&written)),
        fill(json!({"room": "king"})),
        &context,
    );
    assert_eq!(next(&step), "day: 这一天已经过去了。哪天？");
    assert_eq!(state.value("nights"), Some(&json!(2)), "what still will do is kept");
}

#[test]
fn a_changed_definition_meets_an_old_state() {
    let all = fill(json!({"city": "杭州", "day": "后天", "nights": 20, "room": "suite", "wish": "安静"}));
    let (old, _) = play(&booking(), FlowState::default(), &[all]);
    let changed = |edit: &dyn Fn(&mut FlowDefinition)| {
        let mut flow = booking().with_version(2);
        edit(&mut flow);
        next(&play(&flow, FlowState::from_value(Some(&old.to_value())), &[]).1)
    };
    let slot = |name: &str, kind: SlotKind| Slot::new(name, kind).ask("新的？", "New?");
    assert_eq!(changed(&|_| {}), "杭州，6月3日周三，20晚，套房，安静？");
    assert_eq!(
        changed(&|flow| flow.slots.retain(|slot| slot.name != "wish")),
        "杭州，6月3日周三，20晚，套房？",
        "a slot that is gone is dropped"
    );
    assert_eq!(
        changed(&|flow| flow.slots.push(slot("smoking", SlotKind::Text))),
        "smoking: 新的？",
        "a new one is asked for"
    );
    assert_eq!(
        changed(&|flow| flow.slots[2] = slot("nights", SlotKind::Integer { least: 1, most: 7 })),
        "nights: 可以是1到7，20不行。新的？",
        "a narrower one is checked again"
    );
    assert_eq!(
        changed(&|flow| flow.slots[4] = slot("wish", SlotKind::Date)),
        "wish: 没听清是哪一天。新的？",
        "one of another kind too"
    );
    for broken in [
        json!(null),
        json!(7),
        json!({"values": 3}),
        json!({"asked": "no_such_slot"}),
    ] {
        let (_, step) = play(&booking(), FlowState::from_value(Some(&broken)), &[]);
        assert_eq!(next(&step), "city: 哪里？", "{broken}");
    }
}

#[test]
fn a_definition_that_does_not_fit_its_tool_is_refused() {
    use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
    let mut tool = ToolSpec::new("book", ToolCategory::new("x"), Effect::Act, Bilingual::default());
    tool.parameters = json!({
        "type": "object",
        "properties": {"city": {}, "day": {}, "nights": {}, "room": {}, "guests": {}, "wish": {}},
        "required": ["city", "day"]
    });
    let fault = |edit: &dyn Fn(&mut FlowDefinition)| {
        let mut flow = booking();
        edit(&mut flow);
        flow.fitted(&tool).map(|_| ()).unwrap_err().to_string()
    };
    assert!(booking().fitted(&tool).is_ok());
    assert_eq!(
        fault(&|flow| flow.slots.push(Slot::new("stars", SlotKind::Text).optional())),
        "slot `stars` is no argument of `book`"
    );
    assert_eq!(
        fault(&|flow| flow.slots[1].need = Need::Optional),
        "`book` requires `day`, which the flow does not"
    );
    assert_eq!(
        fault(&|flow| flow.slots[3].ask = None),
        "slot `room` has no question, neither its own nor one of the tool's words"
    );
    assert_eq!(
        fault(&|flow| flow.summary.en.push_str("{price}")),
        "the summary names `price`, which is no slot"
    );
}

#[test]
fn a_definition_is_data() {
    let written = serde_json::to_string(&booking()).unwrap();
    assert_eq!(serde_json::from_str::<FlowDefinition>(&written).unwrap(), booking());
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("杭州")),
        Just(json!("后天")),
        Just(json!("大床房")),
        Just(json!(null)),
        Just(json!([1, {"a": 2}])),
        (-5_i64..50).prop_map(|n| json!(n)),
        any::<f64>().prop_map(|n| json!(n)),
        ".{0,12}".prop_map(|s| json!(s)),
    ]
}

fn any_input() -> impl Strategy<Value = FlowInput> {
    let slot = prop_oneof![
        Just("city"),
        Just("day"),
        Just("nights"),
        Just("room"),
        Just("guests"),
        Just("wish"),
        Just("none")
    ];
    let values = proptest::collection::btree_map(slot.clone().prop_map(str::to_owned), any_value(), 0..3);
    prop_oneof![
        4 => (values, proptest::option::of(slot.clone().prop_map(str::to_owned)))
            .prop_map(|(values, asks)| FlowInput::Fill { values: values.into_iter().collect(), asks }),
        1 => Just(FlowInput::Back),
        1 => Just(FlowInput::Skip),
        1 => Just(FlowInput::Anything),
        1 => Just(FlowInput::Doubt),
        1 => slot.prop_map(|slot| FlowInput::Change(slot.to_owned())),
    ]
}

proptest! {
    #[test]
    fn the_same_values_in_any_order_make_the_same_call(order in Just(vec![0, 1, 2, 3, 4, 5]).prop_shuffle(), together in 1_usize..4) {
        let said = [
            json!({"city": "上海"}), json!({"day": "明天"}), json!({"nights": "两"}),
            json!({"room": "套房"}), json!({"guests": 2}), json!({"wish": "安静"}),
        ];
        let inputs: Vec<FlowInput> = order
            .chunks(together)
            .map(|chunk| {
                let mut values = Map::new();
                chunk.iter().for_each(|&nth: &usize| values.extend(said[nth].as_object().unwrap().clone()));
                FlowInput::Fill { values, asks: None }
            })
            .collect();
        let (_, step) = play(&booking(), FlowState::default(), &inputs);
        let FlowStep::Confirm { arguments, .. } = step else { panic!("{step:?}") };
        prop_assert_eq!(
            Value::Object(arguments),
            json!({"city": "上海", "day": "2026-06-02", "nights": 2, "room": "suite", "guests": 2, "wish": "安静"})
        );
    }

    #[test]
    fn whatever_is_said_a_call_is_whole_and_its_values_will_do(inputs in proptest::collection::vec(any_input(), 0..12)) {
        let flow = booking();
        let names = names();
        let context = FlowContext::new(NOW, 480, Lang::Zh, &names);
        let mut state = FlowState::default();
        for input in inputs {
            let (next, step) = flow.advance(state, input, &context);
            // It is the same whether it was written down in between or not.
            prop_assert_eq!(&FlowState::from_value(Some(&next.to_value())), &next);
            match step {
                FlowStep::Confirm { arguments, .. } => {
                    for slot in flow.slots.iter().filter(|slot| slot.need == Need::Required) {
                        prop_assert!(arguments.contains_key(&slot.name), "{} is missing", slot.name);
                    }
                    let again = flow.advance(next.clone(), fill(Value::Object(arguments.clone())), &context).1;
                    let same = matches!(again, FlowStep::Confirm { arguments: same, .. } if same == arguments);
                    prop_assert!(same);
                }
                FlowStep::Ask { slot: Some(slot), question, .. } => {
                    prop_assert!(next.value(&slot).is_none());
                    prop_assert!(!question.is_empty());
                }
                FlowStep::Ask { slot: None, .. } => {}
            }
            state = next;
        }
    }
}
