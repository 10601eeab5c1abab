//! Who may do what.

use super::*;
use crate::policy::Permissions;

const FILE: &str = r#"
[[role]]
name = "child"
seat = ["rear_left"]
person = "mia"

[[permission]]
id = "child"
role = "child"
deny = [
  { tool = "control_door", arguments = { action = ["open", "unlock"] } },
  "set_drive_mode",
]
say = { zh = "小朋友不能这样做。", en = "That is not for children." }

[[permission]]
id = "rear-driving"
seat = "rear"
when = { fact = "moving" }
deny = "set_mirror"

[[permission]]
id = "guest"
role = "guest"
allow = [{ effect = "read" }, "play_music", { tool = "set_volume" }]
"#;

fn bench(speed: f64) -> (Bench, Permissions) {
    let bench = Bench::new();
    bench.set("Vehicle.Speed", n(speed));
    let permissions = Permissions::from_toml("p.toml", FILE, Facts::of(bench.car.clone())).unwrap();
    (bench, permissions)
}

/// The permission that refuses the call, if one does.
fn refused(bench: &Bench, gate: &dyn PolicyGate, speaker: &Speaker, tool: &str, arguments: &Value) -> Option<String> {
    let spec = bench.registry.get(tool).unwrap().spec();
    let query = PolicyQuery::new(spec, arguments, speaker, Lang::En, "");
    match gate.decide(&query).into_iter().next() {
        Some(PolicyDecision::Deny { policy, reason }) => {
            assert!(reason.ends_with('.'), "{reason}");
            Some(policy)
        }
        _ => None,
    }
}

#[test]
fn a_seat_a_person_and_a_role_may_do_what_the_file_says() {
    let (bench, permissions) = bench(50.0);
    let on = |seat| Speaker::new("car", seat);
    let mia = on(Seat::Driver).with_person("mia");
    let guest = on(Seat::RearLeft).with_role("guest");
    let remote = on(Seat::Outside).with_role("remote");
    let (open, close) = (
        json!({"door": "driver", "action": "open"}),
        json!({"door": "driver", "action": "close"}),
    );
    let (sport, up, none) = (json!({"mode": "sport"}), json!({"direction": "up"}), json!({}));
    for (speaker, tool, arguments, wanted) in [
        (on(Seat::RearLeft), "control_door", &open, Some("child")),
        (on(Seat::RearLeft), "control_door", &close, None),
        (on(Seat::RearLeft), "set_drive_mode", &sport, Some("child")),
        (on(Seat::RearRight), "set_drive_mode", &sport, None),
        (mia.clone(), "set_drive_mode", &sport, Some("child")),
        (mia, "set_volume", &none, None),
        (on(Seat::RearRight), "set_mirror", &up, Some("rear-driving")),
        (on(Seat::Passenger), "set_mirror", &up, None),
        (guest.clone(), "set_volume", &none, None),
        (guest.clone(), "control_door", &close, Some("guest")),
        (guest, "get_vehicle_status", &none, None),
        (remote.clone(), "set_volume", &none, Some("unknown-role")),
        (remote, "get_vehicle_status", &none, None),
        (on(Seat::Driver), "control_door", &open, None),
        // What is denied to any seat is denied to who has none.
        (on(Seat::Outside), "control_door", &open, Some("child")),
        (on(Seat::Outside), "set_mirror", &up, Some("rear-driving")),
        (on(Seat::Outside), "set_volume", &none, None),
        (
            on(Seat::Outside).with_role("remote"),
            "set_volume",
            &none,
            Some("unknown-role"),
        ),
        (on(Seat::Outside).with_role("guest"), "set_volume", &none, None),
    ] {
        let refused = refused(&bench, &permissions, &speaker, tool, arguments);
        assert_eq!(refused.as_deref(), wanted, "{speaker:?} {tool} {arguments}");
    }
}

#[test]
fn a_condition_counts() {
    let (bench, permissions) = bench(0.0);
    let rear = Speaker::new("car", Seat::RearRight);
    assert_eq!(refused(&bench, &permissions, &rear, "set_mirror", &json!({})), None);
}

#[test]
fn no_policy_allows_what_a_permission_denies() {
    let bench = Bench::new();
    let facts = || Facts::of(bench.car.clone());
    let text = "[[permission]]\nid = \"none\"\nseat = \"all\"\ndeny = [{ effect = \"set\" }]\n";
    let policies = Arc::new(Policies::shipped(facts()).unwrap());
    let gate = Permissions::from_toml("p.toml", text, facts())
        .unwrap()
        .before(policies);
    let hazard = json!({"light": "hazard", "power": "on"});
    let driver = Speaker::new("car", Seat::Driver);
    let refused = refused(&bench, &gate, &driver, "set_exterior_light", &hazard);
    assert_eq!(refused.as_deref(), Some("none"));
}

#[test]
fn a_refusal_that_no_answer_would_change_comes_before_the_question() {
    let (bench, permissions) = bench(0.0);
    let asked = |tool: &str, speaker: &Speaker| {
        let spec = bench.registry.get(tool).unwrap().spec();
        let arguments = json!({});
        let query = PolicyQuery::new(spec, &arguments, speaker, Lang::Zh, "").before_asking();
        !permissions.decide(&query).is_empty()
    };
    let child = Speaker::new("car", Seat::RearLeft);
    assert!(asked("set_drive_mode", &child));
    assert!(!asked("control_door", &child));
    let guest = Speaker::new("car", Seat::Driver).with_role("guest");
    assert!(asked("control_door", &guest));
    assert!(!asked("set_volume", &guest));
}

#[test]
fn a_fault_in_a_file_is_told_with_its_line() {
    let bench = Bench::new();
    for (text, wanted) in [
        (
            "[[permission]]\nid = \"p\"\nseat = \"rear_lef\"\ndeny = \"t\"",
            "p.toml:3: permission.seat: there is no seat `rear_lef`; did you mean `rear_left`?",
        ),
        (
            "[[permission]]\nid = \"p\"\ndeny = \"t\"",
            "p.toml:1: permission.seat: it is missing; write: seat = \"rear\", person = \"..\" or role = \"..\"",
        ),
        (
            "[[permission]]\nid = \"p\"\nseat = \"rear\"",
            "p.toml:1: permission.deny: it is missing; write: deny = [\"control_door\"]",
        ),
        (
            "[[permission]]\nid = \"p\"\nseat = \"rear\"\ndeny = [{ effect = \"writes\" }]",
            "p.toml:4: permission.deny.effect: it cannot be `writes`; there is act, read, set",
        ),
        (
            "[[permission]]\nid = \"p\"\nseat = \"rear\"\ndeny = \"t\"\n[[permission]]\nid = \"p\"\nseat = \"rear\"\ndeny = \"t\"",
            "p.toml:6: permission.id: another permission has the id `p`; give each an id of its own",
        ),
    ] {
        let error = Permissions::from_toml("p.toml", text, Facts::of(bench.car.clone())).unwrap_err();
        assert_eq!(error.to_string(), wanted, "{text}");
    }
}

#[test]
fn names_that_are_not_there_are_told() {
    let bench = Bench::new();
    let text = "[[permission]]\nid = \"p\"\nseat = \"rear\"\ndeny = [\"control_dor\", { tool = \"control_door\", arguments = { action = \"opn\" } }]";
    let permissions = Permissions::from_toml("p.toml", text, Facts::of(bench.car.clone())).unwrap();
    assert_eq!(
        permissions.lint(&bench.registry).to_string(),
        "p.toml:4: permission `p`.tool: there is no tool `control_dor`; did you mean `control_door`?\n\
         p.toml:4: permission `p`.arguments: `action` is never \"opn\"; did you mean `open`?"
    );
}
