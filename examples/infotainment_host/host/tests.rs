//! What the host promises a driver, on its own services and a clock that stands still.

use super::*;
use incar::{AgentResponse, AgentStatus, ManualClock};
use tokio::sync::mpsc;

struct Bench {
    host: Host,
    shown: mpsc::UnboundedReceiver<Shown>,
}

impl Bench {
    async fn new() -> Self {
        let (sender, shown) = mpsc::unbounded_channel();
        let host = Host::start(Screen::sending_to(sender), Arc::new(ManualClock::default()))
            .await
            .unwrap();
        Self { host, shown }
    }

    /// Plays a line to the end of its turn; the response, where the screen saw one.
    async fn play(&mut self, line: &str) -> Option<AgentResponse> {
        let step = Step::parse(line).unwrap().unwrap();
        self.host.play(step).await.unwrap();
        while self.host.is_busy() {
            self.host.turn_ended().await;
        }
        let mut response = None;
        while let Ok(shown) = self.shown.try_recv() {
            if let Shown::Turn(TurnEvent::Done { response: done }) = shown {
                response = Some(*done);
            }
        }
        response
    }

    /// Plays lines, each with the status and what must be among the words that are spoken.
    async fn check(&mut self, lines: &[(&str, AgentStatus, &str)]) {
        for (line, status, words) in lines {
            let response = self.play(line).await.unwrap();
            assert_eq!(response.status, *status, "{line}: {}", response.message);
            assert!(response.message.contains(words), "{line}: {}", response.message);
        }
    }

    fn target(&self, signal: &str) -> f64 {
        self.host.gateway.target(signal).unwrap().as_number().unwrap()
    }
}

const DRIVER_WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";

#[tokio::test]
async fn a_question_and_the_music_outlive_the_ignition() {
    let mut bench = Bench::new().await;
    bench
        .check(&[
            ("播放周杰伦的晴天", AgentStatus::Success, "晴天"),
            ("打开车窗", AgentStatus::WaitingInput, "哪个车窗"),
        ])
        .await;
    bench.play("/ignition off").await;
    assert!(bench.play("主驾驶").await.is_none(), "nobody listens while it is off");
    bench.play("/ignition on").await;
    bench
        .check(&[
            ("主驾驶", AgentStatus::Completed, "主驾车窗"),
            ("what's playing?", AgentStatus::Success, "Sunny Day"),
        ])
        .await;
    assert_eq!(bench.target(DRIVER_WINDOW), 100.0);
}

#[tokio::test]
async fn the_makers_tool_is_understood_and_its_policy_asks_first() {
    const CHARGE: &str = "/signal Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed 12";
    let mut bench = Bench::new().await;
    bench
        .check(&[
            ("打开车载冰箱", AgentStatus::Success, "4度"),
            ("fridge to 5 degrees", AgentStatus::Success, "5 degrees"),
            ("fridge to 40 degrees", AgentStatus::WaitingInput, "15"),
            ("8 degrees", AgentStatus::Completed, "8 degrees"),
            ("关掉冰箱", AgentStatus::Success, "关了"),
        ])
        .await;
    bench.play(CHARGE).await;
    bench
        .check(&[
            ("turn the fridge on", AgentStatus::WaitingInput, "battery is low"),
            ("no", AgentStatus::Cancelled, ""),
            ("打开冰箱", AgentStatus::WaitingInput, "电量不多"),
            ("好的", AgentStatus::Completed, "8度"),
        ])
        .await;
}

#[tokio::test]
async fn the_shipped_policies_hold_and_a_missing_part_is_told() {
    let mut bench = Bench::new().await;
    bench.play("/signal Vehicle.Speed 80").await;
    bench
        .check(&[
            ("open the trunk", AgentStatus::Error, "while driving"),
            ("打开天窗", AgentStatus::Error, "没有"),
            ("passenger: 我这边调到20度", AgentStatus::Success, "副驾"),
        ])
        .await;
}

#[tokio::test]
async fn a_turn_runs_to_its_end_when_its_listener_has_left() {
    let mut bench = Bench::new().await;
    bench.play("/screen off").await;
    let read = bench.play("what's playing?").await;
    assert!(read.is_some(), "a tool that only reads leaves the screen alone");
    let unheard = bench.play("open the driver window").await;
    assert!(unheard.is_none(), "the screen was black");
    assert_eq!(bench.target(DRIVER_WINDOW), 100.0);
    assert_eq!((bench.host.logbook.count(), bench.host.logbook.in_doubt()), (1, 0));
}

#[tokio::test]
async fn shutting_down_lets_a_turn_end_and_shows_what_it_did() {
    let mut bench = Bench::new().await;
    let step = Step::parse("open the driver window").unwrap().unwrap();
    bench.host.play(step).await.unwrap();
    let gateway = bench.host.gateway.clone();
    bench.host.shut_down().await;
    assert_eq!(gateway.target(DRIVER_WINDOW), Ok(100.0.into()));
    let mut last = Vec::new();
    while let Ok(shown) = bench.shown.try_recv() {
        if let Shown::Journal(line) | Shown::Host(line) = shown {
            last.push(line);
        }
    }
    assert!(
        last.iter().any(|line| line.starts_with("Ok: control_window")),
        "{last:?}"
    );
    assert!(
        last.last().is_some_and(|line| line.ends_with("in doubt: 0")),
        "{last:?}"
    );
}
