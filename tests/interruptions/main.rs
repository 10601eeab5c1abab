//! Conversations that are interrupted at any point, in any order: proptest draws them and prints the seed of one that
//! fails. Time is virtual and there is one thread: a turn is interrupted by dropping its future where it is about to
//! touch the outside, with the process (the assistant is dropped too) or without it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod world;

use incar::turn::Dialogue;
use incar::{
    AgentResponse, AgentStatus, Assistant, Checkpoints, ErrorKind, History, Lang, SessionStore, Speaker, Stage,
    Utterance,
};
use incar_testkit::ScriptedReply;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use world::{CLAIM_AGE, World};

/// What the driver says, and what the model makes of it.
#[derive(Debug, Clone)]
enum Say {
    /// A wish: these calls in one reply.
    Wish(Vec<&'static str>),
    /// A wish that lacks a value.
    Vague,
    /// The value.
    Answer,
    Yes,
    No,
    NeverMind,
    Unclear,
    Silence,
}

/// What an interruption takes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dies {
    /// The turn: its future is dropped.
    Turn,
    /// The process; the next one recovers first.
    ProcessRecovered,
    /// The process; the next one only serves.
    Process,
}

#[derive(Debug, Clone)]
enum Step {
    Say(Say),
    /// Interrupted at the n-th time that the turn touches the outside, if it comes so far.
    Interrupted(Say, usize, Dies),
    /// Seconds pass.
    Pass(u64),
}

impl Say {
    fn text(&self) -> &'static str {
        match self {
            // No words that would answer a question.
            Self::Wish(_) => "now something about the seats",
            Self::Vague => "open the window",
            Self::Answer => "the left one",
            Self::Yes => "yes",
            Self::No => "no",
            Self::NeverMind => "never mind",
            Self::Unclear => "blah blah",
            Self::Silence => "",
        }
    }

    fn replies(&self) -> Vec<Value> {
        let calls = |tools: &[&str]| {
            let calls: Vec<Value> = tools.iter().map(|tool| json!({*tool: {}})).collect();
            vec![json!({ "calls": calls }), json!("All done.")]
        };
        match self {
            Self::Wish(tools) => calls(tools),
            Self::Vague => {
                let ask = json!({"question": "Which window?", "tool": "set", "slot": "window"});
                vec![json!({"calls": [{"ask_user": ask}]})]
            }
            Self::Answer => calls(&["set"]),
            Self::Yes | Self::No | Self::NeverMind => vec![json!("Well.")],
            Self::Unclear => vec![json!({"text": "Sorry?", "finish": "declined"})],
            Self::Silence => vec![],
        }
    }

    /// Calls that the model makes at most.
    fn calls(&self, tool: &str) -> usize {
        match self {
            Self::Wish(tools) => tools.iter().filter(|called| **called == tool).count(),
            Self::Answer => usize::from(tool == "set"),
            Self::Vague | Self::Yes | Self::No | Self::NeverMind | Self::Unclear | Self::Silence => 0,
        }
    }

    /// Whether it cannot end an open question, whatever comes in between.
    fn leaves_questions_open(&self) -> bool {
        match self {
            Self::Wish(tools) => tools.iter().all(|tool| matches!(*tool, "look" | "act" | "warmer")),
            Self::Silence => true,
            Self::Vague | Self::Answer | Self::Yes | Self::No | Self::NeverMind | Self::Unclear => false,
        }
    }
}

const TOOLS: [&str; 5] = ["look", "set", "act", "trunk", "warmer"];

fn any_say() -> impl Strategy<Value = Say> {
    prop_oneof![
        6 => prop::collection::vec(prop::sample::select(&TOOLS[..]), 1..4).prop_map(Say::Wish),
        3 => Just(Say::Vague), 3 => Just(Say::Answer), 3 => Just(Say::Yes), 1 => Just(Say::No),
        1 => Just(Say::NeverMind), 1 => Just(Say::Unclear), 1 => Just(Say::Silence),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let dies = prop::sample::select(&[Dies::Turn, Dies::ProcessRecovered, Dies::Process][..]);
    prop_oneof![
        3 => any_say().prop_map(Step::Say),
        5 => (any_say(), 0usize..24, dies).prop_map(|(say, at, dies)| Step::Interrupted(say, at, dies)),
        1 => prop_oneof![0u64..30, 290u64..310].prop_map(Step::Pass),
    ]
}

/// What must hold of every response, interrupted before or not.
fn check_response(response: &AgentResponse) {
    let kind = response.error.as_ref().map(|error| error.kind);
    assert!(
        !matches!(kind, Some(ErrorKind::Busy | ErrorKind::Store | ErrorKind::Internal)),
        "{response:?}"
    );
    assert!(!response.message.is_empty(), "{response:?}");
    if response.status == AgentStatus::WaitingInput {
        assert!(
            response.message.ends_with(response.prompt.as_deref().unwrap()),
            "{response:?}"
        );
    }
}

/// The conversation so far, and what was asked of it.
struct Conversation {
    world: World,
    assistant: Assistant,
    said: Vec<Say>,
    interruptions: usize,
    /// The question that must still be open, and the time of its end.
    open: Option<(String, u64)>,
}

impl Conversation {
    fn new() -> Self {
        let world = World::new();
        let assistant = world.assistant();
        Self {
            world,
            assistant,
            said: Vec::new(),
            interruptions: 0,
            open: None,
        }
    }

    async fn step(&mut self, step: &Step) {
        match step {
            Step::Pass(seconds) => self.world.clock.advance(Duration::from_secs(*seconds)),
            Step::Say(say) => {
                let response = self.say(say, None).await.unwrap();
                self.heard(&response);
            }
            Step::Interrupted(say, at, dies) => match self.say(say, Some(*at)).await {
                Some(response) => self.heard(&response),
                None => self.interrupt(say, *dies).await,
            },
        }
        self.check().await;
    }

    /// `None`: interrupted.
    async fn say(&mut self, say: &Say, interrupted_at: Option<usize>) -> Option<AgentResponse> {
        self.world.model.clear();
        for reply in say.replies() {
            let reply: ScriptedReply = serde_json::from_value(reply).unwrap();
            self.world.model.push(reply);
        }
        self.said.push(say.clone());
        self.world.interrupt_at(interrupted_at);
        let response = self.assistant.handle(Utterance::new(say.text()).in_lang(Lang::En));
        let response = tokio::select! {
            biased;
            response = response => Some(response),
            () = self.world.interrupted() => None,
        };
        self.world.interrupt_at(None);
        for asked in self.world.model.take_asked() {
            assert!(
                History::try_from(asked.messages).is_ok(),
                "a model sees only valid histories"
            );
        }
        response
    }

    async fn interrupt(&mut self, say: &Say, dies: Dies) {
        self.interruptions += 1;
        if !say.leaves_questions_open() {
            self.open = None;
        }
        if dies == Dies::Turn {
            return;
        }
        self.assistant = self.world.assistant();
        // As if the store had been opened anew: the claims of the process before have ended.
        self.world.clock.advance(CLAIM_AGE);
        if dies == Dies::ProcessRecovered {
            for recovered in self.assistant.recover().await.unwrap() {
                check_response(&recovered.response);
                // It may have asked something new, on top of what was open.
                if recovered.response.prompt.is_some() {
                    self.open = None;
                }
            }
        }
    }

    fn heard(&mut self, response: &AgentResponse) {
        check_response(response);
        let now = self.world.now();
        if let Some((question, end)) = &self.open
            && now < *end
            && self.said.last().is_some_and(Say::leaves_questions_open)
        {
            assert_eq!(
                response.prompt.as_ref(),
                Some(question),
                "a question was lost: {response:?}"
            );
        }
        let end = now + 300_000;
        self.open = response.prompt.clone().map(|question| (question, end));
    }

    async fn check(&self) {
        // No second effect: what is `act` ran once for each key, and nothing ran more often than it was called.
        let ledger = self.world.ledger();
        for tool in TOOLS {
            let keys: Vec<&str> = ledger
                .iter()
                .filter(|(did, _)| did == tool)
                .map(|(_, key)| key.as_str())
                .collect();
            let distinct = keys.iter().collect::<BTreeSet<_>>().len();
            let called: usize = self.said.iter().map(|say| say.calls(tool)).sum();
            match tool {
                "look" => {}
                "set" | "warmer" => assert!(keys.len() <= distinct + self.interruptions, "{keys:?}"),
                _ => assert_eq!(keys.len(), distinct, "a second effect of one call: {ledger:?}"),
            }
            if tool == "warmer" {
                // Each is two degrees from where it was, however often it was repeated.
                assert_eq!(
                    self.world.degrees(),
                    20 + 2 * i64::try_from(distinct).unwrap(),
                    "{ledger:?}"
                );
            }
            assert!(tool == "look" || distinct <= called, "{tool}: {distinct} of {called}");
        }
    }

    /// A last utterance brings everything to its end; then nothing is in doubt that was not told, and what is kept
    /// can be read.
    async fn end(&mut self) {
        let response = self.say(&Say::Silence, None).await.unwrap();
        self.heard(&response);
        self.check().await;
        assert_eq!(
            self.world.journal_open(),
            Vec::<String>::new(),
            "in doubt and never told"
        );
        let (store, now) = (&self.world.store, incar::Clock::now(&*self.world.clock));
        assert!(store.interrupted(now).await.unwrap().is_empty(), "left under way");
        let owner = Speaker::new("car", incar::Seat::Driver).owner();
        for (id, _) in SessionStore::list(store, &owner).await.unwrap() {
            let lease = store.claim(&id, &owner, now).await.unwrap();
            assert_eq!(lease.record.stage, Stage::Waiting);
            let dialogue = Dialogue::from_json(&lease.record.state).unwrap();
            assert!(dialogue.open_question().is_some(), "what is kept waits");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_interleaving_leaves_valid_histories_no_lost_question_and_no_second_effect(
        steps in prop::collection::vec(any_step(), 1..12)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut conversation = Conversation::new();
            for step in &steps {
                conversation.step(step).await;
            }
            conversation.end().await;
        });
    }
}
