//! The embedded brain of incar: understands car speech on the device.
//!
//! An utterance becomes calls in these steps, each a module:
//! 1. `lexicon`: all words of the tools and the brain's own generic ones, compiled once per tool set;
//! 2. `lattice`: every span of the utterance with every reading it has (words, numbers, days), and
//!    `phrases`, the whole phrases among them;
//! 3. `search`, `frame` and `take`: the cheapest sequence of frames (one wish each) that reads it all;
//! 4. `understand` and `resolve`: corrections, shared verbs, negations; a frame's arguments as JSON;
//! 5. `answer`: what it is to the conversation, which `dialogue` reads back from the messages;
//! 6. `plan`: completion of what was not said, questions for what is missing;
//! 7. `reply`: the spoken reply to the tools' results.
//!
//! It knows no tool by name. A host's own tool is understood by the words it carries:
//!
//! ```
//! use incar_brain::{Band, Brain};
//! use incar_core::words::ToolWords;
//! use incar_core::{Bilingual, Effect, Seat, ToolCategory, ToolSet, ToolSpec};
//! use std::sync::Arc;
//!
//! let words = ToolWords::new()
//!     .topic(["车载冰箱", "冰箱", "fridge"])
//!     .value("power", "on", ["<open>"])
//!     .value("power", "off", ["<close>"])
//!     .number("temperature", ["度", "degrees"]);
//! let description = Bilingual::new("控制车载冰箱", "Control the car fridge");
//! let mut spec = ToolSpec::new("set_fridge", ToolCategory::CAR_CONTROL, Effect::Set, description);
//! // A `TypedTool` gets its schema from its arguments; here it is written by hand.
//! spec.parameters = serde_json::json!({
//!     "type": "object",
//!     "properties": {"power": {"enum": ["on", "off"]}, "temperature": {"type": "number"}},
//! });
//! let tools = ToolSet::new(vec![Arc::new(spec.with_words(words))]);
//!
//! let understood = Brain::new().explain("fridge to 5 degrees", &tools, Seat::Driver);
//! assert_eq!(understood.calls[0].tool, "set_fridge");
//! assert_eq!(understood.calls[0].arguments["temperature"], 5);
//! assert_eq!(understood.band(), Band::Act);
//! ```

mod answer;
mod brain;
mod confidence;
mod device;
mod dialogue;
mod frame;
mod generic;
mod lattice;
mod lexicon;
mod lint;
mod phrases;
mod plan;
mod reader;
mod reply;
mod resolve;
mod router;
mod schema;
mod search;
mod small_talk;
mod sounding;
mod symbols;
mod take;
mod template;
mod understand;
mod unwished;

pub use brain::{Brain, Concern, Explained, Explanation};
pub use confidence::{Band, Confidence};
pub use lexicon::WordsFault;
pub use lint::Coverage;
