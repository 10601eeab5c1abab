use super::*;

fn ids(said: &str) -> Option<(Fit, Vec<String>)> {
    let book = PhoneBook::embedded().unwrap();
    book.lookup(said).map(|callee| match callee {
        Callee::People { fit, contacts } => (fit, contacts.iter().map(|contact| contact.id.clone()).collect()),
        Callee::Services { fit, services } => (fit, services.iter().map(|service| service.number.clone()).collect()),
    })
}

#[test]
fn people_and_services_are_found() {
    for (said, fit, expected) in [
        ("李明", Fit::Exact, vec!["li_ming_school", "li_ming_work"]),
        ("老婆", Fit::Alias, vec!["wang_fang"]),
        ("Mom", Fit::Alias, vec!["mother"]),
        ("我老婆", Fit::Part, vec!["wang_fang"]),
        ("smith", Fit::Part, vec!["bob_smith", "john_smith"]),
        ("David", Fit::Part, vec!["david_brown", "david_miller"]),
        ("Emly Davis", Fit::Spelling, vec!["emily_davis"]),
        ("黎明", Fit::Sound, vec!["li_ming_school", "li_ming_work"]),
        ("刘洋", Fit::Exact, vec!["liu_yang"]),
        ("110", Fit::Exact, vec!["110"]),
        ("救护车", Fit::Exact, vec!["120"]),
        ("工行", Fit::Exact, vec!["95588"]),
        ("China Mobile", Fit::Exact, vec!["10086"]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(ids(said), Some((fit, expected)), "{said}");
    }
    for said in ["", "欧阳锋", "nobody at all", "救", "李"] {
        assert_eq!(ids(said), None, "{said}");
    }
}

#[test]
fn emergency_numbers_are_known_however_written() {
    let book = PhoneBook::embedded().unwrap();
    for (number, expected) in [
        ("110", true),
        ("1 2 0", true),
        ("119", true),
        ("112", true),
        ("911", true),
        ("10086", false),
        ("1101", false),
        ("", false),
    ] {
        assert_eq!(book.is_emergency(number), expected, "{number:?}");
    }
    assert_eq!(book.service_with_number("95588").unwrap().kind, ServiceKind::Service);
    assert_eq!(book.contact_with_number("140-0000-0003").unwrap().id, "wang_fang");
}

#[test]
fn the_book_is_sorted_and_large_enough() {
    let book = PhoneBook::embedded().unwrap();
    assert!(book.contacts().len() >= 40);
    assert!(book.contacts().is_sorted_by_key(|contact| &contact.id));
    let is_other = |service: &ServiceNumber| service.kind != ServiceKind::Emergency;
    assert!(book.services().is_sorted_by_key(is_other));
    assert!(book.contacts().iter().any(|contact| contact.numbers.len() > 1));
}

#[test]
fn faults_are_refused() {
    let contact = |id: &str, alias: &str, number: &str, note: &str| {
        format!(
            "[[contact]]\nid = \"{id}\"\nname = \"李明\"\naliases = [\"{alias}\"]\nnote = \"{note}\"\nnumbers = [{{ label = \"mobile\", number = \"{number}\" }}]\n"
        )
    };
    let service = "[[service]]\nnumber = \"110\"\nkind = \"emergency\"\nzh = [\"报警\"]\nen = [\"police\"]\n";
    let good = contact("a", "甲", "14000000001", "同事");
    assert!(PhoneBook::parse(&format!("{good}{service}")).is_ok());
    for (second, problem) in [
        (
            contact("a", "乙", "14000000002", "同学"),
            DataProblem::Duplicate {
                name: "a".into(),
                owner: "a".into(),
            },
        ),
        (
            contact("b", "甲", "14000000002", "同学"),
            DataProblem::Duplicate {
                name: "甲".into(),
                owner: "a".into(),
            },
        ),
        (
            contact("b", "乙", "14000000001", "同学"),
            DataProblem::Duplicate {
                name: "14000000001".into(),
                owner: "a".into(),
            },
        ),
        (
            contact("b", "乙", "14000000002", "同事"),
            DataProblem::Duplicate {
                name: "同事".into(),
                owner: "李明".into(),
            },
        ),
        (
            contact("b", "乙", "12", "同学"),
            DataProblem::Value {
                column: "numbers",
                value: "12".into(),
            },
        ),
        (
            service.replace("110", "one"),
            DataProblem::Value {
                column: "number",
                value: "one".into(),
            },
        ),
        (
            service.replace("110", "119"),
            DataProblem::Duplicate {
                name: "报警".into(),
                owner: "119".into(),
            },
        ),
    ] {
        let error = PhoneBook::parse(&format!("{good}{second}{service}")).unwrap_err();
        assert_eq!(error.problem, problem, "{second}");
    }
}

#[test]
fn another_surname_is_another_person() {
    let book = PhoneBook::embedded().unwrap();
    assert!(matches!(book.lookup("Emily"), Some(Callee::People { .. })));
    assert_eq!(book.lookup("Emily Chen"), None);
}
