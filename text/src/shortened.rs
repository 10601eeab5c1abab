//! Texts that are too long.

/// The beginning of a text, of at most `longest` characters, with "…" where it is cut.
///
/// ```
/// assert_eq!(incar_text::shortened("a long story", 6), "a long…");
/// assert_eq!(incar_text::shortened("short", 6), "short");
/// ```
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => text.get(..end).unwrap_or(text).trim_end().to_owned() + "…",
        None => text.to_owned(),
    }
}
