//! What happens where a model does not answer.

use crate::support::{Does, Model, ask, chain, down, events, fails, impatient, says, told};
use incar_chain::{BreakerSettings, Chain, Deadlines, Link, Retry};
use incar_core::{
    ErrorKind, ManualClock, ModelChoice, ModelError, ModelEvent, ModelFinish, ModelReason, PassedModel, PassedReason,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn what_another_model_can_cure_is_answered_by_it() {
    use Does::{Finishes, Says, Stops, Waits};
    use PassedReason::{Late, Refused, Unavailable};
    let key = ModelError::rejected("wrong key").with_status(401);
    for (what, script, why, seconds) in [
        ("down", fails(down()), Unavailable, 0),
        ("a wrong key", fails(key), Refused, 0),
        ("cut off before it began", vec![], Unavailable, 0),
        ("cut off in the middle", vec![Says("I will op")], Unavailable, 0),
        (
            "failed in the middle",
            vec![Says("I "), Does::Fails(down())],
            Unavailable,
            0,
        ),
        ("nothing said", vec![Stops], Unavailable, 0),
        ("blanks alone", vec![Says(" \n"), Stops], Unavailable, 0),
        (
            "thought to the last token",
            vec![Finishes(ModelFinish::Length)],
            Unavailable,
            0,
        ),
        ("never begins", vec![Waits(60_000)], Late, 1),
        ("never ends", vec![Says("Well"), Waits(60_000)], Late, 10),
        (
            "drips",
            std::iter::repeat_n([Says("x"), Waits(900)], 99).flatten().collect(),
            Late,
            10,
        ),
    ] {
        let (cloud, brain) = (Model::new("cloud", [script]), Model::brain(0.0));
        let chain = chain(&[&cloud], Some(&brain), &Arc::default());
        let started = Instant::now();
        let reply = ask(&chain).await.unwrap();
        assert_eq!(reply.message.content, "from the brain", "{what}");
        let model = reply.model.unwrap();
        assert_eq!(
            (told(&model), model.why),
            (("brain", vec![("cloud", why)]), ModelReason::Fallback),
            "{what}"
        );
        assert_eq!(started.elapsed().as_secs(), seconds, "{what}: virtual time");
    }
}

#[tokio::test]
async fn a_model_that_never_lets_the_timer_run_is_late_too() {
    let (cloud, brain) = (Model::new("cloud", [vec![Does::Floods]]), Model::brain(0.0));
    let soon = Deadlines::new(Duration::from_millis(50), Duration::from_millis(50));
    let links = [Link::cloud(cloud).with_deadlines(soon), Link::device(brain)];
    let reply = ask(&Chain::new(Arc::new(ManualClock::default()), links)).await.unwrap();
    assert_eq!(
        told(&reply.model.unwrap()),
        ("brain", vec![("cloud", PassedReason::Late)])
    );
}

#[tokio::test]
async fn what_no_other_model_should_try_is_the_answer() {
    for status in [Some(400), Some(422), None] {
        let mut error = ModelError::rejected("inappropriate content");
        error.status = status;
        let (cloud, brain) = (Model::new("cloud", [fails(error.clone())]), Model::brain(1.0));
        let chain = chain(&[&cloud], Some(&brain), &Arc::default());
        for _ in 0..5 {
            assert_eq!(ask(&chain).await.unwrap_err(), error);
        }
        assert_eq!(
            (cloud.count(), brain.count()),
            (5, 0),
            "nor does it count against the model"
        );
    }
    let filtered = vec![Does::Says("I "), Does::Finishes(ModelFinish::ContentFilter)];
    let (cloud, brain) = (Model::new("cloud", [filtered]), Model::brain(1.0));
    let reply = ask(&chain(&[&cloud], Some(&brain), &Arc::default())).await.unwrap();
    assert_eq!((reply.finish, brain.count()), (Some(ModelFinish::ContentFilter), 0));
}

#[tokio::test]
async fn a_conversation_too_long_for_one_model_does_not_count_against_it() {
    let too_long = ModelError::rejected("too long").with_status(413);
    let (cloud, brain) = (Model::new("cloud", [fails(too_long)]), Model::brain(0.0));
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    for _ in 0..5 {
        assert_eq!(ask(&chain).await.unwrap().message.content, "from the brain");
    }
    assert_eq!(cloud.count(), 5);
}

#[tokio::test]
async fn the_next_model_says_that_what_came_before_is_void() {
    let broken = vec![Does::Says("I will op"), Does::Fails(down())];
    let (cloud, second) = (Model::new("cloud", [broken]), Model::new("second", [says("Done.")]));
    let (events, error) = events(&chain(&[&cloud, &second], None, &Arc::default())).await;
    assert_eq!(error, None);
    let passed = PassedModel::new("cloud", PassedReason::Unavailable);
    assert_eq!(
        events,
        [
            ModelEvent::Started(ModelChoice::new("cloud", ModelReason::First)),
            ModelEvent::Text("I will op".into()),
            ModelEvent::Started(ModelChoice::new("second", ModelReason::Fallback).after(vec![passed])),
            ModelEvent::Text("Done.".into()),
            ModelEvent::Finish(ModelFinish::Stop),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn where_nobody_answers_the_last_fault_says_why() {
    let (cloud, second) = (
        Model::new("cloud", [vec![Does::Waits(60_000)]]),
        Model::new("second", [fails(down())]),
    );
    let chain = chain(&[&cloud, &second], None, &Arc::default());
    assert_eq!(ask(&chain).await.unwrap_err(), down());
    let empty = Chain::new(Arc::new(ManualClock::default()), []);
    assert_eq!(ask(&empty).await.unwrap_err().kind, ErrorKind::ModelUnavailable);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_fails_before_its_first_event_is_asked_again() {
    let ms = Duration::from_millis;
    let busy = |wait| ModelError::unavailable("busy").with_status(429).with_retry_after(wait);
    let patient = Retry::new(2, ms(200), ms(600));
    for (what, scripts, asked, waited) in [
        ("once", vec![fails(down()), says("here")], 2, 200),
        ("twice", vec![fails(down()), fails(down()), says("here")], 3, 400),
        ("when it wants", vec![fails(busy(Some(ms(450)))), says("here")], 2, 450),
        ("at once", vec![fails(busy(Some(ms(0)))), says("here")], 2, 0),
        (
            "no longer than it may take",
            vec![fails(busy(Some(ms(601)))), says("late")],
            1,
            0,
        ),
        ("no more than it may", vec![fails(down())], 3, 400),
        (
            "never once it spoke",
            vec![vec![Does::Says("I "), Does::Fails(down())], says("again")],
            1,
            0,
        ),
    ] {
        let (cloud, brain) = (Model::new("cloud", scripts), Model::brain(0.0));
        let links = [
            impatient(Link::cloud(cloud.clone())).with_retry(patient),
            Link::device(brain.clone()),
        ];
        let chain = Chain::new(Arc::new(ManualClock::default()), links);
        let started = Instant::now();
        let reply = ask(&chain).await.unwrap();
        let expected = if brain.count() == 0 { "here" } else { "from the brain" };
        assert_eq!(reply.message.content, expected, "{what}");
        assert_eq!((cloud.count(), started.elapsed()), (asked, ms(waited)), "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn retries_end_with_the_first_deadline() {
    let slow_fault = vec![Does::Waits(400), Does::Fails(down())];
    let (cloud, brain) = (Model::new("cloud", [slow_fault]), Model::brain(0.0));
    let retry = Retry::new(9, Duration::from_millis(200), Duration::from_secs(1));
    let links = [
        impatient(Link::cloud(cloud.clone())).with_retry(retry),
        Link::device(brain.clone()),
    ];
    let chain = Chain::new(Arc::new(ManualClock::default()), links);
    let started = Instant::now();
    ask(&chain).await.unwrap();
    assert_eq!((cloud.count(), started.elapsed()), (2, Duration::from_millis(1000)));
}

#[tokio::test]
async fn a_model_that_keeps_failing_is_left_alone_for_a_while() {
    let clock = Arc::new(ManualClock::default());
    let scripts = [vec![fails(down()); 4], vec![says("well again")]].concat();
    let (cloud, brain) = (Model::new("cloud", scripts), Model::brain(0.0));
    let links = [
        impatient(Link::cloud(cloud.clone())).with_breaker(BreakerSettings::new(3, Duration::from_secs(30))),
        Link::device(brain.clone()),
    ];
    let chain = Chain::new(clock.clone(), links);
    for asked in [1, 2, 3, 3, 3] {
        let model = ask(&chain).await.unwrap().model.unwrap();
        let why = if cloud.count() == asked && brain.count() > asked {
            PassedReason::Resting
        } else {
            PassedReason::Unavailable
        };
        assert_eq!(told(&model), ("brain", vec![("cloud", why)]));
        assert_eq!(cloud.count(), asked);
    }
    clock.advance(Duration::from_secs(30));
    ask(&chain).await.unwrap();
    ask(&chain).await.unwrap();
    assert_eq!(cloud.count(), 4, "one probe, which failed");
    clock.advance(Duration::from_secs(30));
    assert_eq!(ask(&chain).await.unwrap().message.content, "well again");
    assert_eq!(ask(&chain).await.unwrap().message.content, "well again");
}

#[tokio::test]
async fn a_model_that_is_left_alone_without_another_fails_at_once() {
    let clock = Arc::new(ManualClock::default());
    let busy = ModelError::unavailable("busy").with_retry_after(Some(Duration::from_secs(20)));
    let cloud = Model::new("cloud", [fails(busy), says("here")]);
    let chain = chain(&[&cloud], None, &clock);
    ask(&chain).await.unwrap_err();
    clock.advance(Duration::from_secs(15));
    let error = ask(&chain).await.unwrap_err();
    assert_eq!(
        (error.kind, error.retry_after),
        (ErrorKind::ModelUnavailable, Some(Duration::from_secs(5)))
    );
    assert_eq!(cloud.count(), 1);
    clock.advance(Duration::from_secs(5));
    assert_eq!(ask(&chain).await.unwrap().message.content, "here");
}
