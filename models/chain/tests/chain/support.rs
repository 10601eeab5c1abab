//! Models that do what a case needs, and what a chain of them says.

use futures_util::{StreamExt, stream};
use incar_chain::{Chain, Deadlines, Link, Retry};
use incar_core::{
    ChatModel, ChatRequest, DeviceModel, Lang, ManualClock, Message, ModelChoice, ModelError, ModelEvent, ModelFinish,
    ModelReply, ModelStream, PassedReason, Seat, Speaker, ToolSet,
};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a model does, one thing after the other. A script that ends breaks the reply off.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    Says(&'static str),
    Waits(u64),
    Stops,
    Finishes(ModelFinish),
    Fails(ModelError),
    /// More and more, without ever letting anybody else run.
    Floods,
}

/// A model with one script for each time it is asked; the last one stays.
#[derive(Debug)]
pub(crate) struct Model {
    name: &'static str,
    scripts: Mutex<VecDeque<Vec<Does>>>,
    asked: Mutex<Vec<usize>>,
    pub(crate) confidence: f32,
    most_tools: usize,
}

pub(crate) fn says(text: &'static str) -> Vec<Does> {
    vec![Does::Says(text), Does::Stops]
}

pub(crate) fn fails(error: ModelError) -> Vec<Does> {
    vec![Does::Fails(error)]
}

pub(crate) fn down() -> ModelError {
    ModelError::unavailable("down").with_status(500)
}

impl Model {
    pub(crate) fn new(name: &'static str, scripts: impl IntoIterator<Item = Vec<Does>>) -> Arc<Self> {
        Arc::new(Self {
            name,
            scripts: Mutex::new(scripts.into_iter().collect()),
            asked: Mutex::default(),
            confidence: 0.0,
            most_tools: 25,
        })
    }

    pub(crate) fn brain(confidence: f32) -> Arc<Self> {
        Arc::new(Self {
            name: "brain",
            scripts: Mutex::new([says("from the brain")].into()),
            asked: Mutex::default(),
            confidence,
            most_tools: usize::MAX,
        })
    }

    /// How often it was asked.
    pub(crate) fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// How many tools it was offered when it was asked last.
    pub(crate) fn offered(&self) -> usize {
        *self.asked.lock().unwrap().last().unwrap()
    }
}

impl ChatModel for Model {
    fn name(&self) -> &str {
        self.name
    }

    fn most_tools(&self) -> usize {
        self.most_tools
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let offered = request.tools.map_or(0, |tools| tools.specs().len());
        self.asked.lock().unwrap().push(offered);
        let mut scripts = self.scripts.lock().unwrap();
        let script = if scripts.len() > 1 {
            scripts.pop_front()
        } else {
            scripts.front().cloned()
        };
        drop(scripts);
        let steps = stream::iter(script.unwrap_or_default());
        let events = steps.then(|step| async move {
            match step {
                Does::Says(text) => stream::iter(vec![Ok(ModelEvent::Text(text.into()))]).boxed(),
                Does::Stops => stream::iter(vec![Ok(ModelEvent::Finish(ModelFinish::Stop))]).boxed(),
                Does::Finishes(finish) => stream::iter(vec![Ok(ModelEvent::Finish(finish))]).boxed(),
                Does::Fails(error) => stream::iter(vec![Err(error)]).boxed(),
                Does::Floods => stream::repeat(Ok(ModelEvent::Text("more ".into()))).boxed(),
                Does::Waits(millis) => {
                    tokio::time::sleep(Duration::from_millis(millis)).await;
                    stream::empty().boxed()
                }
            }
        });
        events.flatten().boxed()
    }
}

impl DeviceModel for Model {
    fn confidence(&self, _: &ChatRequest<'_>) -> f32 {
        self.confidence
    }
}

/// A chain whose models are waited for a second and ten, and asked once.
pub(crate) fn chain(clouds: &[&Arc<Model>], brain: Option<&Arc<Model>>, clock: &Arc<ManualClock>) -> Chain {
    let clouds = clouds.iter().map(|model| impatient(Link::cloud((*model).clone())));
    let brain = brain.map(|brain| Link::device(brain.clone()));
    Chain::new(clock.clone(), clouds.chain(brain))
}

pub(crate) fn impatient(link: Link) -> Link {
    let deadlines = Deadlines::new(Duration::from_secs(1), Duration::from_secs(10));
    link.with_deadlines(deadlines).with_retry(Retry::never())
}

/// What a chain says within `turn`.
pub(crate) async fn ask_in(
    chain: &Chain,
    turn: &str,
    tools: Option<(&ToolSet, &ToolSet)>,
) -> Result<ModelReply, ModelError> {
    let speaker = Speaker::new("car", Seat::Driver);
    let messages = [Message::user("打开车窗")];
    let mut request = ChatRequest::new("", &messages, &speaker, Lang::Zh).in_turn(turn);
    if let Some((offered, all)) = tools {
        request = request.with_tools(offered).with_all_tools(all);
    }
    ModelReply::collect(chain.stream(request)).await
}

pub(crate) async fn ask(chain: &Chain) -> Result<ModelReply, ModelError> {
    ask_in(chain, "", None).await
}

/// The events and the error that a chain answers with.
pub(crate) async fn events(chain: &Chain) -> (Vec<ModelEvent>, Option<ModelError>) {
    let speaker = Speaker::new("car", Seat::Driver);
    let messages = [Message::user("打开车窗")];
    let mut stream = chain.stream(ChatRequest::new("", &messages, &speaker, Lang::Zh));
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows an error");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

/// Who answered, and whom it stood in for: `("brain", [("cloud", late)])`.
pub(crate) fn told(choice: &ModelChoice) -> (&str, Vec<(&str, PassedReason)>) {
    let passed = choice.passed.iter().map(|passed| (passed.name.as_str(), passed.why));
    (&choice.name, passed.collect())
}

/// A device model that is sure of everything and answers nothing.
#[derive(Debug)]
pub(crate) struct Broken;

impl ChatModel for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn stream<'a>(&'a self, _: ChatRequest<'a>) -> ModelStream<'a> {
        stream::empty().boxed()
    }
}

impl DeviceModel for Broken {
    fn confidence(&self, _: &ChatRequest<'_>) -> f32 {
        1.0
    }
}
