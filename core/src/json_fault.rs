//! What is wrong with a JSON text, without quoting it.

use serde_json::error::Category;

/// Where and how a JSON text is broken. Unlike the error's own message it repeats no value of the text,
/// so it may stand in a log.
///
/// ```
/// let error = serde_json::from_str::<u32>("\"something said\"").unwrap_err();
/// assert_eq!(incar_core::json_fault(&error), "not of the expected shape, line 1, column 16");
/// ```
pub fn json_fault(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Io => "not readable",
        Category::Syntax => "not JSON",
        Category::Data => "not of the expected shape",
        Category::Eof => "cut off",
    };
    format!("{what}, line {}, column {}", error.line(), error.column())
}
