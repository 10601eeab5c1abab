//! Policies that never come to be asked, because another one has settled every call that they are about.

use super::row::{Action, Row};
use crate::toml_file::{Code, Diagnostic, Faults};

/// Tells of each policy that can decide nothing.
pub(super) fn tell(rows: &[Row], faults: &Faults) {
    for (at, row) in rows.iter().enumerate() {
        let fault = |message: String, fix: &str| {
            let key = format!("policy `{}`", row.id);
            faults.push(Diagnostic::new(
                row.place.clone(),
                key,
                Code::NeverReached,
                message,
                fix,
            ));
        };
        if row.when.is_never() {
            fault(
                "its condition never holds".to_owned(),
                "mend `when`: any = [] never holds",
            );
            continue;
        }
        let others = rows.iter().enumerate().filter(|(other, _)| *other != at);
        let mut settling = others.filter(|(other, above)| settles(above, row, *other < at));
        if let Some((_, above)) = settling.next() {
            let message = format!(
                "it never decides: `{}` ({}) settles every call that it is about",
                above.id, above.place
            );
            fault(
                message,
                "narrow that one by `when`, `arguments` or `seat`, or take this one out",
            );
        }
    }
}

/// Whether `above` settles whatever `row` is about; `first`: it stands before it.
fn settles(above: &Row, row: &Row, first: bool) -> bool {
    let wider_seats =
        above.seats.is_empty() || !row.seats.is_empty() && row.seats.iter().all(|seat| above.seats.contains(seat));
    // What is not known of a condition restricts, and allows nothing: two that are written alike agree in it only where
    // neither allows.
    let restricts = |row: &Row| !matches!(row.action, Action::Allow);
    let alike = above.when.same_as(&row.when) && (restricts(above) == restricts(row));
    let wider = wider_seats && above.scope.covers(&row.scope) && (above.when.is_always() || alike);
    wider
        && match (&above.action, &row.action) {
            (Action::Allow, Action::Allow) => first,
            (Action::Allow, _) => true,
            (Action::Deny(_), Action::Deny(_)) | (Action::Confirm(_), Action::Confirm(_)) => first,
            (Action::Deny(_), Action::Confirm(_) | Action::Amend(..) | Action::Warn(_)) => true,
            _ => false,
        }
}
