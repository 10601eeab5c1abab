//! The tools, called the way the runner calls them.

mod control_playback;
mod favorites;
mod get_now_playing;
mod names;
mod play_music;
mod play_radio;
mod play_video;

use incar_core::{Effect, ErrorKind, Lang, Refusal};
use serde_json::{Value, json};

use super::testing::Bench;

const ZH: Lang = Lang::Zh;
const EN: Lang = Lang::En;

fn playing(lang: Lang, arguments: Value) -> Bench {
    let bench = Bench::new(lang);
    bench.say("play_music", arguments);
    bench
}
