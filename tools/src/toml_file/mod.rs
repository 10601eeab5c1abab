//! TOML files that people write, read with types: what is wrong is told with file, line, key and fix, all of it at once.
//!
//! Every file that a maker may write goes through here: policies, permissions, words of signals, the configuration.
//! A [`Document`] is read through [`Section`]s. Whatever a section is asked for is a key it knows; what is left over in
//! [`Section::finish`] is an unknown key, told with the nearest known one.
//!
//! ```
//! use incar_tools::toml_file::{Document, Faults};
//!
//! let faults = Faults::default();
//! let document = Document::parse("fridge.toml", "[fridge]\nshelfs = 3\n")?;
//! let root = document.root(&faults);
//! if let Some(fridge) = root.section("fridge") {
//!     let _shelves: Option<u8> = fridge.integer("shelves", 1..=9);
//!     fridge.finish();
//! }
//! let error = faults.into_result(()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "fridge.toml:2: fridge.shelfs: there is no such key; did you mean `shelves`?"
//! );
//! # Ok::<(), incar_tools::toml_file::Diagnostics>(())
//! ```

mod diagnostic;
mod document;
mod section;
#[cfg(test)]
mod tests;
mod text;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Faults, Place, choice};
pub use document::{Document, Item, Node};
pub use section::Section;
pub use text::read_text;

pub(crate) use document::Entry;
