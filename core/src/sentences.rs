//! Sentences one after another.

/// Puts sentences one after another, with a space where their script wants one; empty ones are left out.
///
/// ```
/// use incar_core::join_sentences;
/// assert_eq!(join_sentences(["Done.", "Which one?"]), "Done. Which one?");
/// assert_eq!(join_sentences(["好的。", "", "开哪个？"]), "好的。开哪个？");
/// ```
pub fn join_sentences<'a>(sentences: impl IntoIterator<Item = &'a str>) -> String {
    let mut whole = String::new();
    for sentence in sentences.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
        let ends_in_ascii = whole.chars().next_back().map(|last| last.is_ascii());
        if ends_in_ascii.is_some_and(|ascii| ascii || sentence.starts_with(|c: char| c.is_ascii_alphanumeric())) {
            whole.push(' ');
        }
        whole.push_str(sentence);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_joined_as_their_script_writes_them() {
        for (sentences, whole) in [
            (&["好的。", "开哪个？"][..], "好的。开哪个？"),
            (&["Done.", "Which one?"], "Done. Which one?"),
            (&["好的。", "OK?"], "好的。 OK?"),
            (&["About “A”:", "“B”."], "About “A”: “B”."),
            (&["", " a "], "a"),
            (&[], ""),
        ] {
            assert_eq!(join_sentences(sentences.iter().copied()), whole);
        }
    }
}
