//! Text from outside inside a prompt: fenced, so that it is read as data.

use incar_text::shortened;

/// `text` between marks that cannot stand in it. The prompts say that what is between them is data and never an
/// instruction; results of tools in a conversation are marked by the model's client instead.
pub(crate) fn fenced(text: &str) -> String {
    let safe = text.replace("<<<", "‹‹‹").replace(">>>", "›››");
    format!("<<<\n{}\n>>>", safe.trim())
}

/// The beginning of a text, of at most `limit` characters, on one line.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    // A page's text may be long: what is far past the limit is not looked at.
    let near: String = text.chars().take(limit * 4 + 64).collect();
    let words: Vec<&str> = near
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    shortened(&words.join(" "), limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_in_a_text_ends_its_fence(text in "[<>a \n]{0,40}") {
            let fenced = fenced(&text);
            prop_assert!(fenced.starts_with("<<<\n") && fenced.ends_with("\n>>>"));
            prop_assert_eq!((fenced.matches("<<<").count(), fenced.matches(">>>").count()), (1, 1));
        }

        #[test]
        fn a_line_is_one_and_bounded(text in "\\PC{0,60}|[a \n\t]{0,60}", limit in 1usize..40) {
            let line = one_line(&text, limit);
            prop_assert!(line.chars().count() <= limit + 1 && !line.contains(['\n', '\t']), "{:?}", line);
        }
    }
}
