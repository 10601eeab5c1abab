use super::names::{city_named, destination_named};
use super::*;
use crate::testing::{Gone, Shelf, at_once};
use incar_core::{ManualClock, Refusal, Seat, Speaker, ToolContext, ToolOutput, ToolRegistry};
use jiff::civil::date;
use serde_json::{Value, json};

struct Desk {
    registry: ToolRegistry,
    speaker: Speaker,
    clock: ManualClock,
}

impl Desk {
    fn new(records: Arc<dyn RecordStore>) -> Self {
        let service: Arc<dyn BookingService> = Arc::new(SimulatedBooking::new(records.clone()));
        let mut registry = ToolRegistry::new();
        for tool in tools(&service, &records) {
            registry.register_erased(tool).unwrap();
        }
        Self {
            registry,
            speaker: Speaker::new("car", Seat::Driver),
            clock: ManualClock::at(Timestamp::from_millis(1_780_279_200_000)),
        }
    }

    fn call(&self, tool: &str, arguments: Value, key: &str) -> Result<ToolOutput, ToolError> {
        self.clock.advance(Duration::from_secs(1));
        let tool = self.registry.get(tool).unwrap();
        let cx = ToolContext::new(&self.speaker, Lang::Zh, &self.clock, key);
        let resolved = tool.resolve(&arguments, cx).map_err(|refusal| match refusal {
            Refusal::Misfit(wrong) => panic!("{wrong}"),
            Refusal::Failed(error) => error,
        })?;
        at_once(tool.run(&resolved.arguments, cx))
    }

    fn ok(&self, tool: &str, arguments: Value, key: &str) -> Value {
        self.call(tool, arguments, key).unwrap().value
    }

    /// How many bookings are listed.
    fn booked(&self) -> usize {
        self.ok("list_bookings", json!({}), "k")["bookings"]
            .as_array()
            .unwrap()
            .len()
    }
}

fn stay(city: &str, room: &str) -> Value {
    json!({"city": city, "check_in": "2026-06-03", "nights": 2, "room_type": room})
}

#[test]
fn a_room_is_booked_once_however_often_it_is_tried() {
    let desk = Desk::new(Arc::new(Shelf::default()));
    let first = desk.ok("book_hotel", stay("杭州", "king"), "turn:1");
    let again = desk.ok("book_hotel", stay("杭州", "king"), "turn:1");
    let other = desk.ok("book_hotel", stay("杭州", "king"), "turn:2");
    assert_eq!(first, again);
    assert_ne!(first["number"], other["number"]);
    assert_eq!(desk.booked(), 2);
}

#[test]
fn the_simulated_hotel_is_the_same_on_every_machine_and_says_so() {
    let desk = Desk::new(Arc::new(Shelf::default()));
    let booked = desk.ok("book_hotel", stay("杭州", "suite"), "turn:1");
    let elsewhere = Desk::new(Arc::new(Shelf::default())).ok("book_hotel", stay("杭州", "suite"), "turn:1");
    assert_eq!(booked, elsewhere);
    assert_eq!(booked["simulated"], true);
    assert_eq!(booked["check_out"], "2026-06-05");
    assert_eq!(
        booked["total"].as_u64(),
        booked["price_per_night"].as_u64().map(|price| price * 2)
    );
    let standard = desk.ok("book_hotel", stay("杭州", "standard"), "turn:2");
    assert!(standard["price_per_night"].as_u64() < booked["price_per_night"].as_u64());
}

#[test]
fn what_is_called_off_is_found_by_number_place_order_and_all() {
    for (which, left) in [
        ("杭州", 2),
        ("杭州那个", 2),
        ("西安", 2),
        ("第二个", 2),
        ("last", 2),
        ("刚才订的", 2),
        ("all", 0),
        ("全部", 0),
    ] {
        let desk = Desk::new(Arc::new(Shelf::default()));
        desk.ok("book_hotel", stay("杭州", "king"), "turn:1");
        desk.ok("book_hotel", stay("上海", "twin"), "turn:2");
        let trip = json!({"destination": "西安", "start_date": "2026-07-01", "days": 3});
        desk.ok("save_trip", trip, "turn:3");
        desk.ok("cancel_booking", json!({"which": which}), "k");
        let list = desk.ok("list_bookings", json!({}), "k");
        let count = |shelf: &str| list[shelf].as_array().unwrap().len();
        assert_eq!(count("bookings") + count("trips"), left, "{which}");
    }
}

#[test]
fn what_cannot_be_told_apart_is_asked_and_nothing_is_called_off() {
    let desk = Desk::new(Arc::new(Shelf::default()));
    let nothing = desk.call("cancel_booking", json!({"which": "all"}), "k").unwrap_err();
    assert_eq!((nothing.kind, nothing.argument), (ErrorKind::NotFound, None));
    desk.ok("book_hotel", stay("杭州", "king"), "turn:1");
    desk.ok("book_hotel", stay("杭州", "twin"), "turn:2");
    for which in ["杭州", "南京", "第五个"] {
        let asked = desk.call("cancel_booking", json!({"which": which}), "k").unwrap_err();
        assert_eq!(
            (asked.argument.as_deref(), asked.choices.len()),
            (Some("which"), 2),
            "{which}"
        );
        let choice = asked.choices.first().unwrap().clone();
        assert!(asked.message.contains(&choice), "{which}");
    }
    assert_eq!(desk.booked(), 2);
    let one = desk
        .call("cancel_booking", json!({"which": "杭州"}), "k")
        .unwrap_err()
        .choices
        .remove(0);
    desk.ok("cancel_booking", json!({"which": one}), "k");
    assert_eq!(desk.booked(), 1);
}

#[test]
fn a_store_out_of_reach_is_said_and_nothing_is_booked() {
    let desk = Desk::new(Arc::new(Gone));
    for (tool, arguments) in [
        ("book_hotel", stay("杭州", "king")),
        (
            "save_trip",
            json!({"destination": "西安", "start_date": "2026-07-01", "days": 3}),
        ),
        ("list_bookings", json!({})),
        ("cancel_booking", json!({"which": "all"})),
    ] {
        let error = desk.call(tool, arguments, "k").unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::ToolFailed | ErrorKind::Store),
            "{tool}: {error}"
        );
    }
}

#[test]
fn cities_and_destinations_are_known_by_their_names() {
    for (said, city, destination) in [
        ("杭州", Some("杭州"), Some("杭州")),
        ("Hangzhou", Some("杭州"), Some("杭州")),
        ("伦敦", Some("伦敦"), Some("伦敦")),
        ("日本", None, Some("日本")),
        ("云南", None, Some("云南")),
        ("西湖", Some("西湖区"), Some("西湖区")),
        ("月亮城", None, None),
        ("加油站", None, None),
        ("", None, None),
    ] {
        let zh = |place: Option<crate::places::Place>| place.map(|place| place.spoken_name(Lang::Zh).to_owned());
        assert_eq!(zh(city_named(said)).as_deref(), city, "{said}");
        let found = zh(destination_named(said));
        assert_eq!(found.is_some(), destination.is_some(), "{said}: {found:?}");
    }
}

#[test]
fn a_plan_shows_each_sight_once_the_best_known_first() {
    let plan = |interests| Itinerary::plan("西安", date(2026, 7, 1), 4, interests, Lang::Zh).unwrap();
    let sights = |plan: &Itinerary| -> Vec<String> { plan.days.iter().flat_map(|day| day.sights.clone()).collect() };
    let usual = plan(None);
    assert_eq!(usual.days.len(), 4);
    assert_eq!(usual.days[3].date, date(2026, 7, 4));
    let mut seen = sights(&usual);
    assert!(seen.contains(&"兵马俑".to_owned()), "{seen:?}");
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all, "nothing twice");
    assert!(sights(&plan(Some("博物馆")))[0].contains("博物馆") || sights(&plan(Some("博物馆"))) != sights(&usual));
    let country = Itinerary::plan("日本", date(2026, 7, 1), 2, None, Lang::Zh).unwrap();
    assert!(sights(&country).contains(&"富士山".to_owned()), "{country:?}");
    let long = Itinerary::plan("桂林", date(2026, 7, 1), 30, None, Lang::En).unwrap();
    assert_eq!(long.days.len(), 30);
    assert!(
        long.spoken(Lang::En).ends_with("then time of your own"),
        "{}",
        long.spoken(Lang::En)
    );
    assert!(Itinerary::plan("月亮城", date(2026, 7, 1), 2, None, Lang::Zh).is_none());
}
