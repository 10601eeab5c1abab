//! Whether what a policy adds would undo what was asked.

use crate::message::ToolCall;
use crate::speaker::Seat;
use serde_json::Value;

/// Whether `added` is a call of the same tool that wants something else of the same part. Two single
/// seats are different parts; anything wider may include the other.
pub(super) fn undoes(added: &ToolCall, said: &(String, Value)) -> bool {
    if added.name != said.0 {
        return false;
    }
    let added: Value = serde_json::from_str(&added.arguments).unwrap_or_default();
    let (Some(added), Some(said)) = (added.as_object(), said.1.as_object()) else {
        return true;
    };
    let mut differs = false;
    for (name, value) in added {
        match said.get(name) {
            Some(other) if other == value => {}
            Some(other) if is_part(name) && apart(value, other) => return false,
            Some(_) if is_part(name) => {}
            Some(_) => differs = true,
            None => {}
        }
    }
    differs
}

/// Arguments that say which part, not what is to become of it.
fn is_part(argument: &str) -> bool {
    let seats = ["window", "door", "seat", "zone", "position"];
    let parts = [
        "shade", "light", "feature", "channel", "trunk", "mirror", "screen", "wiper",
    ];
    seats.contains(&argument) || parts.contains(&argument)
}

/// Whether two names of parts, which are not the same, share nothing: two seats do not, and what is
/// no place in the car is told apart by its name; `all` and the rows and sides include others.
fn apart(a: &Value, b: &Value) -> bool {
    let seat = |value: &Value| value.as_str().and_then(Seat::from_name).is_some();
    let group = |value: &Value| matches!(value.as_str(), Some("all" | "front" | "rear" | "left" | "right") | None);
    seat(a) && seat(b) || !(seat(a) || seat(b) || group(a) || group(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_contrary_for_the_same_part_undoes() {
        let close = |window: &str| {
            ToolCall::new(
                "",
                "control_window",
                json!({"window": window, "action": "close"}).to_string(),
            )
        };
        for (said, added, undone) in [
            (json!({"window": "all", "action": "open"}), close("driver"), true),
            (json!({"window": "driver", "action": "open"}), close("driver"), true),
            (json!({"window": "rear", "action": "open"}), close("rear_left"), true),
            (json!({"window": "driver", "action": "open"}), close("passenger"), false),
            (
                json!({"window": "driver", "action": "close"}),
                close("passenger"),
                false,
            ),
            (json!({"window": "all", "action": "close"}), close("passenger"), false),
        ] {
            assert_eq!(
                undoes(&added, &("control_window".into(), said.clone())),
                undone,
                "{said}"
            );
        }
        assert!(!undoes(
            &close("driver"),
            &("control_door".into(), json!({"door": "driver", "action": "open"}))
        ));
    }
}
