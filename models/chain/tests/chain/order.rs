//! Who is asked first.

use crate::support::{Broken, Does, Model, ask, ask_in, chain, down, fails, says, told};
use incar_chain::{Chain, Link, Mode};
use incar_core::{
    Bilingual, ChatModel, Effect, ManualClock, ModelReason, PassedReason, ToolCategory, ToolSet, ToolSpec,
};
use std::sync::Arc;

#[tokio::test]
async fn the_mode_says_who_is_asked_first() {
    let sure = Mode::DeviceFirst { sure: 0.8 };
    for (what, mode, confidence, cloud_is_up, name, why) in [
        ("cloud first", Mode::CloudFirst, 1.0, true, "cloud", ModelReason::First),
        (
            "cloud first, down",
            Mode::CloudFirst,
            1.0,
            false,
            "brain",
            ModelReason::Fallback,
        ),
        ("device first, sure", sure, 0.8, true, "brain", ModelReason::Sure),
        ("device first, unsure", sure, 0.79, true, "cloud", ModelReason::First),
        (
            "device first, unsure, down",
            sure,
            0.0,
            false,
            "brain",
            ModelReason::Fallback,
        ),
        (
            "device only",
            Mode::DeviceOnly,
            0.0,
            true,
            "brain",
            ModelReason::DeviceOnly,
        ),
    ] {
        let script = if cloud_is_up {
            says("from the cloud")
        } else {
            fails(down())
        };
        let (cloud, brain) = (Model::new("cloud", [script]), Model::brain(confidence));
        let chain = chain(&[&cloud], Some(&brain), &Arc::default()).with_mode(mode);
        let model = ask(&chain).await.unwrap().model.unwrap();
        assert_eq!((model.name.as_str(), model.why), (name, why), "{what}");
        let asks_cloud = !matches!(why, ModelReason::Sure | ModelReason::DeviceOnly);
        assert_eq!(cloud.count(), usize::from(asks_cloud), "{what}");
    }
}

#[tokio::test]
async fn a_device_that_is_sure_but_fails_is_followed_by_the_cloud() {
    let cloud = Model::new("cloud", [says("from the cloud")]);
    let links = [Link::cloud(cloud), Link::device(Arc::new(Broken))];
    let chain = Chain::new(Arc::new(ManualClock::default()), links).with_mode(Mode::DEVICE_FIRST);
    let model = ask(&chain).await.unwrap().model.unwrap();
    assert_eq!(told(&model), ("cloud", vec![("broken", PassedReason::Unavailable)]));
}

#[tokio::test]
async fn the_mode_can_change_while_driving() {
    let (cloud, brain) = (Model::new("cloud", [says("from the cloud")]), Model::brain(0.0));
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    assert_eq!((chain.name(), chain.most_tools()), ("cloud > brain", 25));
    ask(&chain).await.unwrap();
    chain.set_mode(Mode::DeviceOnly);
    ask(&chain).await.unwrap();
    assert_eq!((cloud.count(), brain.count(), chain.most_tools()), (1, 1, usize::MAX));
}

#[tokio::test]
async fn the_rounds_of_a_turn_stay_with_who_answers_it() {
    let scripts = [fails(down()), says("round two"), says("another turn")];
    let (cloud, brain) = (Model::new("cloud", scripts), Model::brain(0.0));
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    for _ in 0..3 {
        let model = ask_in(&chain, "turn-1", None).await.unwrap().model.unwrap();
        assert_eq!(told(&model), ("brain", vec![("cloud", PassedReason::Unavailable)]));
        assert_eq!(model.why, ModelReason::Fallback);
    }
    assert_eq!(cloud.count(), 1, "its fault costs its time but once");
    let model = ask_in(&chain, "turn-2", None).await.unwrap().model.unwrap();
    assert_eq!(told(&model), ("cloud", vec![]), "a new turn, a new chance");
}

#[tokio::test]
async fn who_answers_a_turn_may_still_fail_in_a_later_round() {
    let (cloud, brain) = (
        Model::new("cloud", [says("round one"), fails(down())]),
        Model::brain(0.0),
    );
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    ask_in(&chain, "turn", None).await.unwrap();
    for round in [2, 3] {
        let model = ask_in(&chain, "turn", None).await.unwrap().model.unwrap();
        assert_eq!(
            told(&model),
            ("brain", vec![("cloud", PassedReason::Unavailable)]),
            "{round}"
        );
    }
    assert_eq!(cloud.count(), 2);
}

#[tokio::test]
async fn a_turn_that_turns_private_leaves_the_cloud_out() {
    let (cloud, brain) = (Model::new("cloud", [says("round one")]), Model::brain(0.0));
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    ask_in(&chain, "turn", None).await.unwrap();
    chain.set_mode(Mode::DeviceOnly);
    let model = ask_in(&chain, "turn", None).await.unwrap().model.unwrap();
    assert_eq!((told(&model), model.why), (("brain", vec![]), ModelReason::DeviceOnly));
    assert_eq!(cloud.count(), 1);
}

#[tokio::test]
async fn a_model_that_takes_all_tools_gets_them_all() {
    let spec = |n: usize| {
        let description = Bilingual::new("事", "A deed");
        Arc::new(ToolSpec::new(
            format!("tool_{n}"),
            ToolCategory::CAR_CONTROL,
            Effect::Set,
            description,
        ))
    };
    let (shortlist, all) = (
        ToolSet::new((0..24).map(spec).collect()),
        ToolSet::new((0..60).map(spec).collect()),
    );
    let (cloud, brain) = (Model::new("cloud", [vec![Does::Fails(down())]]), Model::brain(0.0));
    let chain = chain(&[&cloud], Some(&brain), &Arc::default());
    ask_in(&chain, "", Some((&shortlist, &all))).await.unwrap();
    assert_eq!((cloud.offered(), brain.offered()), (24, 60));
    ask(&chain).await.unwrap();
    assert_eq!(brain.offered(), 0, "where no tools may be called, none are");
}
