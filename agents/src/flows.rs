//! The agents with a flow that ship: hotel rooms and trips.

use crate::agent::{AgentProfile, ToolAgentBase};
use crate::flow::SessionAgentBase;
use incar_core::{Bilingual, Lang, ToolCategory};
use incar_sessions::flow::{Choice, FlowDefinition, Slot, SlotKind};
use incar_tools::booking::Itinerary;
use serde_json::{Map, Value};

/// Books hotel rooms.
#[derive(Debug, Clone)]
pub struct HotelBookingAgent {
    profile: AgentProfile,
    flow: FlowDefinition,
}

/// Plans trips, day by day.
#[derive(Debug, Clone)]
pub struct TripPlanningAgent {
    profile: AgentProfile,
    flow: FlowDefinition,
}

impl Default for HotelBookingAgent {
    fn default() -> Self {
        let rooms = SlotKind::Choice(vec![
            Choice::new("king", "大床房", "king room"),
            Choice::new("twin", "双床房", "twin room"),
            Choice::new("standard", "标准间", "standard room"),
            Choice::new("suite", "套房", "suite"),
            Choice::new("family", "家庭房", "family room"),
        ]);
        let nights = SlotKind::Integer { least: 1, most: 30 };
        let guests = SlotKind::Integer { least: 1, most: 20 };
        let flow = FlowDefinition::new(
            "book_hotel",
            "预订{city}的{room_type}，{check_in}入住，住{nights}晚[，{guests}位客人]，确认预订吗？",
            "A {room_type} in {city} from {check_in} for {nights|night|nights}[, {guests|guest|guests}]. Shall I book it?",
        )
        .called([
            "酒店", "宾馆", "房间", "预订", "预定", "订房", "订酒店", "酒店预订", "hotel", "room", "booking", "reservation",
            "hotel booking", "hotel reservation",
        ])
        .slot(Slot::new("city", SlotKind::Name).called(["城市", "地点", "地方", "目的地", "city", "place", "location"]))
        .slot(Slot::new("check_in", SlotKind::Date).called([
            "入住日期", "入住时间", "日期", "时间", "入住的日期", "入住的时间", "check-in date", "check in date", "check-in",
            "check in", "date", "day", "arrival date", "check in day",
        ]))
        .slot(Slot::new("nights", nights).called([
            "晚数", "天数", "几晚", "住几晚", "住宿天数", "入住天数", "number of nights", "nights", "length of stay",
        ]))
        .slot(
            Slot::new("room_type", rooms)
                .called(["房型", "房间类型", "房间", "room type", "room", "kind of room", "type of room"])
                .or_anything("standard"),
        )
        .slot(Slot::new("guests", guests).optional().called([
            "人数", "客人数", "客人", "入住人数", "number of guests", "guests", "number of people", "people",
        ]));
        let profile = AgentProfile::new("hotel_booking", Bilingual::new("酒店预订", "Hotel booking"))
            .can("订酒店、查看和取消预订", "book hotels, list and cancel bookings")
            .uses(ToolCategory::HOTEL_BOOKING)
            .with_priority(10);
        Self { profile, flow }
    }
}

impl Default for TripPlanningAgent {
    fn default() -> Self {
        let days = SlotKind::Integer { least: 1, most: 30 };
        let people = SlotKind::Integer { least: 1, most: 50 };
        let flow = FlowDefinition::new(
            "save_trip",
            "{start_date}出发去{destination}玩{days}天[，{people}个人][，喜欢{interests}]，要保存这个行程吗？",
            "{days|day|days} in {destination} from {start_date}[, {people|person|people}][, interests: {interests}]. Shall I save the trip?",
        )
        .called([
            "行程", "旅行", "旅游", "计划", "行程规划", "旅行计划", "规划", "trip", "plan", "vacation", "holiday", "journey",
            "itinerary",
        ])
        .slot(Slot::new("destination", SlotKind::Name).called([
            "目的地", "地方", "地点", "城市", "destination", "place", "city",
        ]))
        .slot(Slot::new("start_date", SlotKind::Date).called([
            "出发日期", "出发时间", "日期", "时间", "开始日期", "start date", "departure date", "date", "starting date",
            "starting day", "day of departure", "departure",
        ]))
        .slot(Slot::new("days", days).called([
            "天数", "几天", "玩几天", "时长", "number of days", "days", "length", "duration",
        ]))
        .slot(Slot::new("people", people).optional().called([
            "人数", "几个人", "number of people", "people", "number of travelers",
        ]))
        .slot(Slot::new("interests", SlotKind::Text).optional().called(["兴趣", "爱好", "喜好", "interests", "interest"]));
        let profile = AgentProfile::new("trip_planning", Bilingual::new("行程规划", "Trip planning"))
            .can("按天规划和保存行程", "plan trips day by day and save them")
            .uses(ToolCategory::TRIP_PLANNING)
            .with_priority(10);
        Self { profile, flow }
    }
}

impl ToolAgentBase for HotelBookingAgent {
    fn profile(&self) -> &AgentProfile {
        &self.profile
    }
}

impl SessionAgentBase for HotelBookingAgent {
    fn flow(&self) -> &FlowDefinition {
        &self.flow
    }
}

impl ToolAgentBase for TripPlanningAgent {
    fn profile(&self) -> &AgentProfile {
        &self.profile
    }
}

impl SessionAgentBase for TripPlanningAgent {
    fn flow(&self) -> &FlowDefinition {
        &self.flow
    }

    fn preview(&self, arguments: &Map<String, Value>, lang: Lang) -> Option<String> {
        let text = |slot: &str| arguments.get(slot).and_then(Value::as_str);
        let days = arguments.get("days").and_then(Value::as_u64)?;
        let plan = Itinerary::plan(
            text("destination")?,
            text("start_date")?.parse().ok()?,
            u8::try_from(days).ok()?,
            text("interests"),
            lang,
        )?;
        let spoken = plan.spoken(lang);
        Some(lang.pick(format!("行程安排：{spoken}。"), format!("The plan is {spoken}.")))
    }
}
