//! The agents that ship.

use crate::agent::{AgentProfile, ToolAgentBase};
use incar_core::{Bilingual, ToolCategory};

macro_rules! agents {
    ($($(#[$doc:meta])* $name:ident => $profile:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name(AgentProfile);

        impl Default for $name {
            fn default() -> Self {
                Self($profile)
            }
        }

        impl ToolAgentBase for $name {
            fn profile(&self) -> &AgentProfile {
                &self.0
            }
        }
    )+};
}

agents! {
    /// Finds places and guides to them.
    NavigationAgent => AgentProfile::new("navigation", Bilingual::new("导航", "Navigation"))
        .can("查找地点", "find places")
        .can("开始和结束导航", "start and stop guidance")
        .can("查询路线信息", "tell about the route")
        .uses(ToolCategory::NAVIGATION)
        .with_priority(20);

    /// Plays music and other media.
    MusicAgent => AgentProfile::new("music", Bilingual::new("音乐和媒体", "Music and media"))
        .can("按歌名、歌手、专辑、风格播放", "play by song, artist, album or style")
        .can("控制播放", "control playback")
        .uses(ToolCategory::MUSIC)
        .with_priority(10);

    /// Calls and messages.
    PhoneAgent => AgentProfile::new("phone", Bilingual::new("电话", "Phone"))
        .can("打电话、接听和挂断", "call, answer and hang up")
        .can("发短信", "send messages")
        .can("查联系人和通话记录", "look up contacts and recent calls")
        .uses(ToolCategory::PHONE)
        .with_priority(30);

    /// Tells the weather.
    WeatherAgent => AgentProfile::new("weather", Bilingual::new("天气", "Weather"))
        .can("天气、空气质量、出行和穿衣建议", "weather, air quality, what to wear and do")
        .uses(ToolCategory::WEATHER)
        .with_priority(10);

    /// Answers from arithmetic, the clock and the owner's manual.
    KnowledgeAgent => AgentProfile::new("knowledge", Bilingual::new("问答", "Answers"))
        .can("时间日期、计算、单位换算", "time and date, arithmetic, units")
        .can("查用车手册", "look into the owner's manual")
        .uses(ToolCategory::KNOWLEDGE)
        .with_priority(10);

    /// Remembers what a driver prefers. Its work is the assistant's own, and so is its name.
    MemoryAgent => AgentProfile::new("assistant", Bilingual::new("记忆", "Memory"))
        .can("记住、列出和删除您的偏好", "remember, list and forget your preferences")
        .uses(ToolCategory::PREFERENCES)
        .with_priority(15);

    /// Controls the car itself.
    CarControlAgent => AgentProfile::new("car_control", Bilingual::new("车辆控制", "Car control"))
        .can("车窗、天窗、车门、后备箱", "windows, sunroof, doors, trunk")
        .can("空调、座椅、灯光、音量", "climate, seats, lights, volume")
        .can("查询车辆状态", "tell the car's state")
        .uses(ToolCategory::CAR_CONTROL)
        .with_priority(30);
}
