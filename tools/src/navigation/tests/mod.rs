//! What the driver gets when asking for places and routes, in both languages.

mod finding;
mod guidance;
mod map;

use super::testing::Bench;
use incar_core::Lang;
use serde_json::Value;

const BOTH: [Lang; 2] = [Lang::Zh, Lang::En];

fn say(bench: &Bench, tool: &str, arguments: Value) -> String {
    bench.call(tool, arguments).say.unwrap()
}
