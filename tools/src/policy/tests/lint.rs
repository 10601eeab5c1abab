//! What a policy that loads would still never do.

use super::*;
use crate::policy::PolicyLayers;

fn linted(text: &str) -> Vec<String> {
    let bench = Bench::new();
    let layers = PolicyLayers::default().over("own.toml", text);
    let found = layers.lint(&Facts::of(bench.car.clone()), &bench.registry);
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn names_that_are_not_there_are_told_with_line_and_fix() {
    let row = |more: &str| {
        format!(
            "[[policy]]\nid = \"p\"\ndecision = \"confirm\"\nsay = {{ zh = \"说？\", en = \"Say?\" }}\ntool = \"control_window\"\n{more}\n"
        )
    };
    for (text, wanted) in [
        (
            row("").replace("control_window", "control_windw"),
            "own.toml:5: policy `p`.tool: there is no tool `control_windw`; did you mean `control_window`?",
        ),
        (
            row("arguments = { windows = \"all\" }"),
            "own.toml:6: policy `p`.arguments: the tool `control_window` has no argument `windows`; did you mean `window`?",
        ),
        (
            row("arguments = { action = [\"open\", \"opn\"] }"),
            "own.toml:6: policy `p`.arguments: `action` is never \"opn\"; did you mean `open`?",
        ),
        (
            row("when = { argument = \"percentage\", is = \"all\" }"),
            "own.toml:6: policy `p`.when.argument: `percentage` is never \"all\"; it is a number minimum 0 maximum 100",
        ),
        (
            row("when = { argument = \"window\", above = 3 }"),
            "own.toml:6: policy `p`.when.argument: `window` is no number; compare it with `is`",
        ),
        (
            row("when = { signal = \"Vehicle.Sped\", above = 3 }"),
            "own.toml:6: policy `p`.when.signal: the car has no signal `Vehicle.Sped`; did you mean `Vehicle.Speed`?",
        ),
        (
            row("when = { signal = \"Vehicle.Cabin.DriverPosition\", is = \"LEFTY\" }"),
            "own.toml:6: policy `p`.when.signal: `Vehicle.Cabin.DriverPosition` is never \"LEFTY\"; `Vehicle.Cabin.DriverPosition` is one of LEFT, MIDDLE, RIGHT, not LEFTY",
        ),
        (
            row("when = { any = [] }"),
            "own.toml:2: policy `p`: its condition never holds; mend `when`: any = [] never holds",
        ),
        (
            row("").replace("Say?", "Say {windw}?"),
            "own.toml:2: policy `p`.say: the tool `control_window` has no argument `windw`; did you mean `window`?",
        ),
    ] {
        assert_eq!(linted(&text), [wanted], "{text}");
    }
}

#[test]
fn a_policy_that_is_never_reached_is_told_with_what_settles_it() {
    let row = |id: &str, decision: &str, more: &str| {
        format!(
            "[[policy]]\nid = \"{id}\"\ntool = \"control_window\"\ndecision = \"{decision}\"\nsay = {{ zh = \"说。\", en = \"Say.\" }}\n{more}\n"
        )
    };
    let moving = "when = { fact = \"moving\" }";
    let open = "arguments = { action = \"open\" }";
    for (first, second, never) in [
        (row("a", "deny", ""), row("b", "deny", moving), Some("b")),
        (row("a", "deny", ""), row("b", "confirm", open), Some("b")),
        (row("a", "confirm", ""), row("b", "deny", ""), Some("a")),
        (row("a", "confirm", ""), row("b", "confirm", moving), Some("b")),
        (row("a", "confirm", moving), row("b", "confirm", moving), Some("b")),
        (row("a", "warn", moving), row("b", "allow", ""), Some("a")),
        (row("a", "deny", open), row("b", "confirm", ""), None),
        (row("a", "deny", moving), row("b", "confirm", ""), None),
        (row("a", "deny", "seat = \"rear_left\""), row("b", "confirm", ""), None),
        (
            row("a", "deny", "seat = [\"rear_left\", \"driver\"]"),
            row("b", "confirm", "seat = \"driver\""),
            Some("b"),
        ),
        (row("a", "confirm", ""), row("b", "warn", ""), None),
        (row("a", "allow", moving), row("b", "deny", moving), None),
    ] {
        let text = first + &second;
        let found = linted(&text);
        let wanted: Vec<String> = never
            .into_iter()
            .map(|id| format!("policy `{id}`: it never decides"))
            .collect();
        assert_eq!(found.len(), wanted.len(), "{text}\n{found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.contains(&wanted), "{text}\n{found}");
        }
    }
}
