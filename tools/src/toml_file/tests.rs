use super::*;
use std::time::Duration;

/// What is told of `text` where it is read as the test says.
fn told(text: &str, read: impl Fn(&Section<'_>)) -> String {
    let document = Document::parse("f.toml", text).unwrap();
    let faults = Faults::default();
    let root = document.root(&faults);
    if let Some(section) = root.section("s") {
        read(&section);
        section.finish();
    }
    root.finish();
    faults.into_diagnostics().to_string()
}

#[test]
fn what_is_right_is_read() {
    let text = "[s]\ntext = \"a\"\nflag = true\nwhole = 0x1_0\nhalf = 0.5\nwait_ms = 20\nmany = [\"a\", \"b\"]\none = \"x\"\n[[s.each]]\nn = 1\n[[s.each]]\nn = 2";
    let wrong = told(text, |s| {
        assert_eq!(s.text("text").as_deref(), Some("a"));
        assert_eq!(s.flag("flag"), Some(true));
        assert_eq!(s.integer("whole", 0..=99_u8), Some(16));
        assert_eq!(s.number("half", 0.0..=1.0), Some(0.5));
        assert_eq!(s.millis("wait_ms"), Some(Duration::from_millis(20)));
        let many: Vec<String> = s.texts("many").unwrap().into_iter().map(|(text, _)| text).collect();
        assert_eq!(many, ["a", "b"]);
        assert_eq!(s.one_of("one", &[("x", 1), ("y", 2)]), Some(1));
        assert_eq!(s.text("absent"), None);
        let lines: Vec<String> = s.sections("each").iter().map(|each| each.place().to_string()).collect();
        assert_eq!(lines, ["f.toml:9", "f.toml:11"]);
        for each in s.sections("each") {
            assert!(each.integer("n", 1..=2_u8).is_some());
            each.finish();
        }
    });
    assert_eq!(wrong, "");
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_what_to_do() {
    let read = |s: &Section<'_>| {
        s.text("text");
        s.flag("flag");
        s.integer("whole", 1..=9_u8);
        s.number("half", 0.0..=1.0);
        s.one_of("one", &[("kuksa", 1), ("simulated", 2)]);
        s.texts("many");
        s.text("key_env");
        s.text("reader_key_env");
        s.required_text("name", "name = \"Ann\"");
    };
    for (text, wanted) in [
        (
            "text = 3",
            "f.toml:3: s.text: it must be a text, not a whole number; put it in quotes",
        ),
        (
            "text = \"\"",
            "f.toml:3: s.text: it is empty; write a value, or leave the key out",
        ),
        (
            "flag = \"true\"",
            "f.toml:3: s.flag: it must be true or false, not a text; write it without quotes",
        ),
        ("whole = 10", "f.toml:3: s.whole: it cannot be 10; it goes from 1 to 9"),
        (
            "whole = 1.5",
            "f.toml:3: s.whole: it must be a whole number, not a number; write a whole number",
        ),
        ("half = 2", "f.toml:3: s.half: it cannot be 2; it goes from 0 to 1"),
        (
            "one = \"kuska\"",
            "f.toml:3: s.one: it cannot be `kuska`; did you mean `kuksa`?",
        ),
        (
            "one = \"x\"",
            "f.toml:3: s.one: it cannot be `x`; there is kuksa, simulated",
        ),
        (
            "many = [\n\"a\",\n4,\n]",
            "f.toml:5: s.many: it must be a text, not a whole number; put it in quotes",
        ),
        (
            "hlaf = 1",
            "f.toml:3: s.hlaf: there is no such key; did you mean `half`?",
        ),
        (
            "key = \"sk-abc\"",
            "f.toml:3: s.key: a secret must not stand in the file; put it in an environment variable and write `key_env = \"ITS_NAME\"`, or in a file of its own and write `key_file = \"path\"`",
        ),
        (
            "reader_key = \"sk-abc\"",
            "f.toml:3: s.reader_key: a secret must not stand in the file; put it in an environment variable and write `reader_key_env = \"ITS_NAME\"`, or in a file of its own and write `reader_key_file = \"path\"`",
        ),
    ] {
        assert_eq!(told(&format!("[s]\nname = \"n\"\n{text}\n"), read), wanted, "{text}");
    }
    assert_eq!(
        told("[s]\n", read),
        "f.toml:1: s.name: it is missing; write: name = \"Ann\""
    );
    assert_eq!(
        told("s = 3\n", read),
        "f.toml:1: s: it must be a table, not a whole number; write a table"
    );
}

#[test]
fn a_file_that_is_no_toml_is_told_with_the_line() {
    let error = Document::parse("f.toml", "[s]\na = 1\nb = = 2\n")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("f.toml:3: it is no TOML: "), "{error}");
}

#[test]
fn an_environment_variable_takes_the_place_of_what_the_file_says() {
    let mut document = Document::parse("f.toml", "[s]\nn = 1\n").unwrap();
    document.set_from_variable("s", "n", "APP_S_N", "12");
    document.set_from_variable("t", "on", "APP_T_ON", "yes");
    let faults = Faults::default();
    let root = document.root(&faults);
    assert_eq!(root.section("s").unwrap().integer("n", 0..=99_u8), Some(12));
    assert_eq!(root.section("t").unwrap().flag("on"), None);
    assert_eq!(
        faults.into_diagnostics().to_string(),
        "APP_T_ON: t.on: it must be true or false, not a variable's text; write true or false"
    );
}

#[test]
fn what_stands_in_a_file_is_not_shown_by_debug() {
    let document = Document::parse("f.toml", "[s]\nkey = \"sk-abc\"\n").unwrap();
    assert!(!format!("{document:?}").contains("sk-abc"));
}
