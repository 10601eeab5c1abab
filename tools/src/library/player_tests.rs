use proptest::prelude::*;

use super::super::{MediaItem, TrackId};
use super::*;

type Try = fn(&mut Player) -> Result<(), PlayerError>;

fn song(number: usize) -> MediaItem {
    MediaItem::Song(TrackId::of(&[&number.to_string()]))
}

/// A queue of songs that last 100, 200, 300 … ms.
fn queue(len: usize) -> Vec<QueueItem> {
    (0..len)
        .map(|number| QueueItem::timed(song(number), 100 * (number as u64 + 1)))
        .collect()
}

fn playing(len: usize) -> Player {
    let mut player = Player::default();
    player.play(queue(len), 0).unwrap();
    player
}

#[test]
fn nothing_plays_at_first() {
    let mut player = Player::default();
    assert_eq!(player.play(Vec::new(), 0), Err(PlayerError::EmptyQueue));
    assert_eq!(
        player.play(queue(2), 2),
        Err(PlayerError::NoSuchItem { index: 2, len: 2 })
    );
    let commands: [(&str, Try); 8] = [
        ("pause", Player::pause),
        ("resume", Player::resume),
        ("stop", Player::stop),
        ("next", Player::play_next),
        ("previous", Player::play_previous),
        ("replay", Player::replay),
        ("faster", Player::faster),
        ("seek", |player| player.seek(0)),
    ];
    for (name, command) in commands {
        assert_eq!(command(&mut player), Err(PlayerError::NothingPlaying), "{name}");
    }
    assert_eq!(player, Player::default());
    assert_eq!(player.advance(1000), Progress::Same);
}

#[test]
fn time_moves_through_the_queue_to_its_end() {
    let mut player = playing(3);
    assert_eq!(player.advance(99), Progress::Same);
    assert_eq!((player.index(), player.position_ms()), (Some(0), 99));
    assert_eq!(player.advance(1), Progress::Moved);
    assert_eq!((player.index(), player.position_ms()), (Some(1), 0));
    assert_eq!(player.advance(250), Progress::Moved);
    assert_eq!((player.index(), player.position_ms()), (Some(2), 50));
    assert_eq!(player.play_next(), Err(PlayerError::EndOfQueue));
    assert_eq!(player.advance(250), Progress::Ended);
    assert_eq!((player.index(), player.playback()), (Some(0), Playback::Stopped));
    assert_eq!(player.now_playing(), Err(PlayerError::NothingPlaying));
    player.resume().unwrap();
    assert_eq!(player.now_playing().unwrap().item, song(0));
}

#[test]
fn only_what_plays_moves() {
    let mut player = playing(2);
    player.pause().unwrap();
    assert_eq!(player.advance(1000), Progress::Same);
    assert_eq!(player.position_ms(), 0);
    player.resume().unwrap();
    player.advance(10);
    player.stop().unwrap();
    assert_eq!(
        (player.position_ms(), player.stop()),
        (0, Err(PlayerError::NothingPlaying))
    );
}

#[test]
fn repeating_one_stays_until_told_to_move() {
    let mut player = playing(2);
    player.set_repeat(Repeat::One);
    assert_eq!(player.advance(350), Progress::Moved);
    assert_eq!((player.index(), player.position_ms()), (Some(0), 50));
    player.play_next().unwrap();
    assert_eq!(player.index(), Some(1));
    assert_eq!(player.play_next(), Err(PlayerError::EndOfQueue));
}

#[test]
fn repeating_all_goes_round() {
    let mut player = playing(3);
    player.set_repeat(Repeat::All);
    player.play_previous().unwrap();
    assert_eq!(player.index(), Some(2));
    player.play_next().unwrap();
    assert_eq!(player.index(), Some(0));
    // A round lasts 600 ms: a million rounds and 150 ms later the second song has played 50 ms.
    assert_eq!(player.advance(600_000_000 + 150), Progress::Moved);
    assert_eq!((player.index(), player.position_ms()), (Some(1), 50));
}

#[test]
fn speed_counts() {
    let mut player = playing(1);
    player.faster().unwrap();
    assert_eq!(player.speed_percent(), 125);
    player.advance(40);
    assert_eq!(player.position_ms(), 50);
    for _ in 0..2 {
        player.faster().unwrap();
    }
    assert_eq!(player.faster(), Err(PlayerError::SpeedLimit { percent: 200 }));
    for _ in 0..5 {
        player.slower().unwrap();
    }
    assert_eq!(player.slower(), Err(PlayerError::SpeedLimit { percent: 50 }));
}

#[test]
fn moving_within_an_item_stays_within_it() {
    let mut player = playing(1);
    player.seek(60).unwrap();
    assert_eq!(player.forward(40), Err(PlayerError::BeyondEnd { duration_ms: 100 }));
    player.forward(39).unwrap();
    assert_eq!(player.position_ms(), 99);
    player.rewind(1000).unwrap();
    assert_eq!(player.position_ms(), 0);
    let mut radio = Player::default();
    radio.play(vec![QueueItem::endless(song(0))], 0).unwrap();
    assert_eq!(radio.advance(u64::MAX), Progress::Same);
    assert_eq!(radio.seek(1), Err(PlayerError::NotSeekable));
    assert_eq!(radio.faster(), Err(PlayerError::NotSeekable));
}

#[test]
fn shuffle_plays_everything_once_and_goes_back_the_same_way() {
    let mut player = playing(20);
    player.jump(7).unwrap();
    player.shuffle(42);
    let mut heard = vec![player.index().unwrap()];
    while player.play_next().is_ok() {
        heard.push(player.index().unwrap());
    }
    assert_eq!(heard[0], 7);
    let mut sorted = heard.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    for expected in heard.iter().rev().skip(1) {
        player.play_previous().unwrap();
        assert_eq!(player.index(), Some(*expected));
    }
    player.play_in_order();
    player.play_next().unwrap();
    assert_eq!(player.index(), Some(8));
}

#[test]
fn a_saved_player_that_contradicts_itself_is_refused() {
    let player = playing(2);
    let saved = serde_json::to_value(&player).unwrap();
    for (key, value) in [
        ("cursor", serde_json::json!(2)),
        ("order", serde_json::json!([0, 0])),
        ("order", serde_json::json!([0])),
        ("position_ms", serde_json::json!(100)),
        ("speed_percent", serde_json::json!(0)),
        ("queue", serde_json::json!([])),
    ] {
        let mut wrong = saved.clone();
        wrong[key] = value;
        assert!(serde_json::from_value::<Player>(wrong).is_err(), "{key}");
    }
}

#[derive(Clone, Debug)]
enum Command {
    Play(usize, usize),
    Pause,
    Resume,
    Stop,
    Next,
    Previous,
    Replay,
    Jump(usize),
    Seek(u64),
    Forward(u64),
    Rewind(u64),
    Repeat(Repeat),
    Shuffle(u64),
    InOrder,
    Faster,
    Slower,
    Advance(u64),
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        (0..6usize, 0..6usize).prop_map(|(len, start)| Command::Play(len, start)),
        Just(Command::Pause),
        Just(Command::Resume),
        Just(Command::Stop),
        Just(Command::Next),
        Just(Command::Previous),
        Just(Command::Replay),
        (0..6usize).prop_map(Command::Jump),
        (0..700u64).prop_map(Command::Seek),
        (0..700u64).prop_map(Command::Forward),
        (0..700u64).prop_map(Command::Rewind),
        prop_oneof![Just(Repeat::Off), Just(Repeat::One), Just(Repeat::All)].prop_map(Command::Repeat),
        any::<u64>().prop_map(Command::Shuffle),
        Just(Command::InOrder),
        Just(Command::Faster),
        Just(Command::Slower),
        prop_oneof![0..2000u64, any::<u64>()].prop_map(Command::Advance),
    ]
}

fn run(player: &mut Player, command: &Command) -> Result<(), PlayerError> {
    match *command {
        Command::Play(len, start) => player.play(queue(len), start),
        Command::Pause => player.pause(),
        Command::Resume => player.resume(),
        Command::Stop => player.stop(),
        Command::Next => player.play_next(),
        Command::Previous => player.play_previous(),
        Command::Replay => player.replay(),
        Command::Jump(index) => player.jump(index),
        Command::Seek(position) => player.seek(position),
        Command::Forward(by) => player.forward(by),
        Command::Rewind(by) => player.rewind(by),
        Command::Repeat(repeat) => {
            player.set_repeat(repeat);
            Ok(())
        }
        Command::Shuffle(seed) => {
            player.shuffle(seed);
            Ok(())
        }
        Command::InOrder => {
            player.play_in_order();
            Ok(())
        }
        Command::Faster => player.faster(),
        Command::Slower => player.slower(),
        Command::Advance(elapsed) => {
            player.advance(elapsed);
            Ok(())
        }
    }
}

proptest! {
    // Each case saves and restores the player at every step.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_done_the_player_never_contradicts_itself(commands in prop::collection::vec(command(), 0..60)) {
        let mut player = Player::default();
        for command in &commands {
            let before = player.clone();
            if run(&mut player, command).is_err() {
                prop_assert_eq!(&player, &before, "{:?} failed and left a trace", command);
            }
            prop_assert_eq!(player.contradiction(), None, "{:?}", command);
            let saved = serde_json::to_string(&player).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Player>(&saved).unwrap(), &player);
        }
    }

    #[test]
    fn next_then_previous_returns(commands in prop::collection::vec(command(), 0..40)) {
        let mut player = playing(5);
        for command in &commands {
            let _ = run(&mut player, command);
            let mut other = player.clone();
            if other.play_next().is_ok() {
                prop_assert_eq!(other.play_previous(), Ok(()));
                prop_assert_eq!(other.index(), player.index());
            }
        }
    }
}
