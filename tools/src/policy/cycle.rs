//! Amendments whose calls are amended in turn, back to where they began.

use super::row::{Action, Row};
use crate::toml_file::{Code, Diagnostic, Faults};
use serde_json::Value;
use std::collections::BTreeSet;

/// Refuses them, each circle once.
pub(super) fn refuse_cycles(rows: &[Row], faults: &Faults) {
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for start in rows {
        let mut path = vec![start.id.as_str()];
        let mut seen = BTreeSet::new();
        if !told.contains(start.id.as_str()) && leads_back(rows, start, start, &mut path, &mut seen) {
            told.extend(path.iter().copied());
            path.push(&start.id);
            let message = format!("its amendments go round in a circle: {}", path.join(" → "));
            let fix = "take a call out, or narrow what one of them is about by arguments";
            let key = format!("policy `{}`", start.id);
            faults.push(Diagnostic::new(start.place.clone(), key, Code::Cycle, message, fix));
        }
    }
}

fn leads_back<'a>(
    rows: &'a [Row],
    from: &'a Row,
    start: &Row,
    path: &mut Vec<&'a str>,
    seen: &mut BTreeSet<&'a str>,
) -> bool {
    let Action::Amend(_, calls) = &from.action else {
        return false;
    };
    for call in calls {
        let arguments = Value::Object(call.arguments.clone());
        let amended =
            |row: &&Row| matches!(row.action, Action::Amend(..)) && row.scope.fits(&call.tool.text, &arguments);
        for next in rows.iter().filter(amended) {
            if next.id == start.id {
                return true;
            }
            if seen.insert(&next.id) {
                path.push(&next.id);
                if leads_back(rows, next, start, path, seen) {
                    return true;
                }
                path.pop();
            }
        }
    }
    false
}
