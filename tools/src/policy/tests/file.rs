//! What holds of every file: what is not known, the order of decisions, faults and circles.

use super::*;

/// A car that answers nothing.
#[derive(Debug)]
struct SilentCar;

#[incar_core::async_trait]
impl Vehicle for SilentCar {
    fn info(&self, _: &str) -> Option<Arc<crate::vehicle::SignalInfo>> {
        None
    }
    fn value(&self, signal: &str) -> Result<SignalValue, crate::vehicle::VehicleError> {
        Err(crate::vehicle::VehicleError::NoAnswer(signal.into()))
    }
    fn target(&self, signal: &str) -> Result<SignalValue, crate::vehicle::VehicleError> {
        self.value(signal)
    }
    async fn actuate(
        &self,
        _: &[crate::vehicle::Command],
    ) -> Result<Vec<crate::vehicle::Actuation>, crate::vehicle::VehicleError> {
        Ok(Vec::new())
    }
    fn snapshot(&self) -> std::collections::BTreeMap<String, SignalValue> {
        Default::default()
    }
}

#[test]
fn what_is_not_known_counts_as_unsafe() {
    let bench = Bench::new();
    let policies = Policies::shipped(Facts::of(Arc::new(SilentCar))).unwrap();
    let speaker = Speaker::new("test", Seat::Driver);
    for (tool, arguments, wanted) in [
        (
            "control_door",
            json!({"door": "driver", "action": "open"}),
            "door-moving",
        ),
        (
            "control_trunk",
            json!({"trunk": "rear", "action": "open", "percentage": 100}),
            "trunk-moving",
        ),
        (
            "control_window",
            json!({"window": "driver", "action": "open", "percentage": 100}),
            "window-speed",
        ),
        (
            "control_sunroof",
            json!({"action": "open", "percentage": 100}),
            "sunroof-weather",
        ),
    ] {
        let spec = bench.registry.get(tool).unwrap().spec();
        let decisions = policies.decide(&PolicyQuery::new(spec, &arguments, &speaker, Lang::En, ""));
        let policy = match decisions.into_iter().next() {
            Some(PolicyDecision::Deny { policy, .. } | PolicyDecision::Confirm { policy, .. }) => policy,
            other => panic!("{tool}: {other:?}"),
        };
        assert_eq!(policy, wanted);
    }
}

#[test]
fn the_strictest_decides_and_allow_settles() {
    let bench = Bench::new();
    let row = |id: &str, decision: &str, more: &str| {
        format!(
            "[[policy]]\nid = \"{id}\"\ntool = \"set_volume\"\ndecision = \"{decision}\"\nsay = {{ zh = \"说。\", en = \"Say {{volume}}.\" }}\n{more}\n"
        )
    };
    let call = "calls = [{ tool = \"set_fan_speed\", arguments = { fan = 1 } }]";
    let check = |text: String, wanted: &[&str]| {
        let policies = Policies::from_toml(&text, Facts::of(bench.car.clone())).unwrap();
        let arguments = json!({"volume": 5});
        let spec = bench.registry.get("set_volume").unwrap().spec();
        let query = PolicyQuery::new(spec, &arguments, &bench.speaker, Lang::En, "");
        let ids: Vec<String> = policies
            .decide(&query)
            .into_iter()
            .map(|decision| match decision {
                PolicyDecision::Warn { policy, say } => {
                    assert_eq!(say, "Say 5.");
                    policy
                }
                PolicyDecision::Allow { policy }
                | PolicyDecision::Deny { policy, .. }
                | PolicyDecision::Confirm { policy, .. }
                | PolicyDecision::Amend { policy, .. } => policy,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(ids, wanted);
    };
    let all = [
        row("w", "warn", ""),
        row("a", "amend", call),
        row("c", "confirm", ""),
        row("d", "deny", ""),
    ]
    .concat();
    check(all.clone(), &["d", "c", "a", "w"]);
    check(all + &row("ok", "allow", ""), &["ok"]);
    check(row("c1", "confirm", "") + &row("c2", "confirm", ""), &["c1", "c2"]);
}

#[test]
fn a_fault_in_a_file_names_the_policy_and_the_problem() {
    let bench = Bench::new();
    let check = |text: &str, wanted: &str| {
        let error = Policies::from_toml(text, Facts::of(bench.car.clone()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(wanted), "{text}\n{error}");
    };
    let say = "say = { zh = \"说。\", en = \"Say.\" }\n";
    let row = |more: &str| format!("[[policy]]\nid = \"p\"\ntool = \"t\"\n{say}{more}");
    check("[[policy", "policies.toml:1: it is no TOML: ");
    check(
        "[[polic]]\nid = 1",
        "policies.toml:1: polic: there is no such key; did you mean `policy`?",
    );
    check(
        "[[policy]]\ntool = \"t\"\ndecision = \"deny\"",
        "policies.toml:1: policy.id: it is missing; write: id = ",
    );
    check(
        &row("decision = \"forbid\""),
        "policies.toml:5: policy `p`.decision: it cannot be `forbid`; there is allow, amend, confirm, deny, warn",
    );
    check(
        &row("decision = \"deny\"\nwhenn = 1"),
        "policies.toml:6: policy `p`.whenn: there is no such key; did you mean `when`?",
    );
    check(
        &row("decision = \"deny\"\nwhen = { fact = \"flying\" }"),
        "policies.toml:6: policy `p`.when.fact: there is no fact `flying`; there is ",
    );
    for broken in [
        "{}",
        "{ signal = \"S\" }",
        "{ signal = \"S\", above = 1, below = 3 }",
        "{ fact = \"moving\", all = [] }",
    ] {
        check(
            &row(&format!("decision = \"deny\"\nwhen = {broken}")),
            "policies.toml:6: policy `p`.when: it ",
        );
    }
    check(
        &row("decision = \"amend\""),
        "policies.toml:1: policy `p`.calls: it is missing",
    );
    check(
        &row("decision = \"deny\"\ncalls = [{ tool = \"u\" }]"),
        "policies.toml:6: policy `p`.calls: only an amendment has calls",
    );
    check(
        &row("decision = \"deny\"\nseat = \"roof\""),
        "policies.toml:6: policy `p`.seat: there is no seat `roof`; there is driver, ",
    );
    check(
        "[[policy]]\nid = \"p\"\ntool = \"t\"\ndecision = \"deny\"",
        "policies.toml:1: policy `p`.say: it is missing; write: say = { zh",
    );
    check(
        &(row("decision = \"deny\"\n") + &row("decision = \"deny\"")),
        "policies.toml:7: policy.id: another policy has the id `p`; give each an id of its own",
    );
    // All that is wrong is told at once.
    check(&row("decision = \"deny\"\nwhenn = 1\nseatt = 1"), "seatt");
}

#[test]
fn amendments_that_go_round_in_a_circle_are_refused() {
    let bench = Bench::new();
    let row = |id: &str, tool: &str, on: &str, next: &str, next_on: &str| {
        format!(
            "[[policy]]\nid = \"{id}\"\ntool = \"{tool}\"\narguments = {{ on = \"{on}\" }}\ndecision = \"amend\"\nsay = {{ zh = \"说。\", en = \"Say.\" }}\ncalls = [{{ tool = \"{next}\", arguments = {{ on = \"{next_on}\" }} }}]\n"
        )
    };
    let load = |text: String| Policies::from_toml(&text, Facts::of(bench.car.clone()));
    let error = load(row("p", "a", "x", "b", "x") + &row("q", "b", "x", "a", "x")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("policies.toml:2: policy `p`: its amendments go round in a circle: p → q → p; ")
    );
    assert_eq!(error.len(), 1);
    assert!(load(row("p", "a", "x", "a", "x")).is_err());
    // The same tool with other arguments is no circle.
    assert!(load(row("p", "a", "x", "a", "y")).is_ok());
}

#[test]
fn a_host_adds_facts_of_its_own() {
    let bench = Bench::new();
    let text = "[[policy]]\nid = \"p\"\ntool = \"set_volume\"\nwhen = { fact = \"baby_asleep\" }\ndecision = \"confirm\"\nsay = { zh = \"说？\", en = \"Sure?\" }\n";
    for (known, decisions) in [(Some(true), 1), (Some(false), 0), (None, 1)] {
        let facts = Facts::of(bench.car.clone()).with("baby_asleep", Arc::new(move |_: &PolicyQuery<'_>| known));
        let policies = Policies::from_toml(text, facts).unwrap();
        let arguments = json!({});
        let spec = bench.registry.get("set_volume").unwrap().spec();
        let query = PolicyQuery::new(spec, &arguments, &bench.speaker, Lang::En, "");
        assert_eq!(policies.decide(&query).len(), decisions, "{known:?}");
    }
}
