//! What speech calls a signal: the words of its path and description, and those that the host gives.

use super::place::is_place;
use std::collections::HashMap;

/// Words of a leaf that say too little alone: they take the word of their branch along.
const GENERAL: [&str; 22] = [
    "angle",
    "color",
    "count",
    "distance",
    "fan speed",
    "height",
    "intensity",
    "length",
    "level",
    "mode",
    "position",
    "power",
    "pressure",
    "range",
    "speed",
    "state",
    "status",
    "switch",
    "temperature",
    "tilt",
    "time",
    "volume",
];

/// Words of a boolean's leaf that only say that it is one.
const STATES: [&str; 11] = [
    "active",
    "activated",
    "deployed",
    "enabled",
    "engaged",
    "illuminated",
    "locked",
    "on",
    "open",
    "present",
    "defect",
];

/// The longest phrase of a description that serves as a name, in words.
const LONGEST: usize = 4;

/// `LumbarSupport` is "lumbar support", `HVAC` "hvac".
fn words_of(segment: &str) -> Vec<String> {
    let chars: Vec<char> = segment.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let begins = before.is_none_or(|before| {
            let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
            char.is_uppercase() && (before.is_lowercase() || next_is_lower) || char.is_numeric() != before.is_numeric()
        });
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(char.to_lowercase());
        }
    }
    words
}

/// The words of a path's segments without its places, the leaf's first; a boolean's leaf without "is … active".
fn steps(path: &str) -> Vec<Vec<String>> {
    let segments: Vec<&str> = path
        .split('.')
        .skip(1)
        .filter(|segment| *segment != "*" && !is_place(segment))
        .collect();
    let mut steps: Vec<Vec<String>> = segments.iter().rev().map(|segment| words_of(segment)).collect();
    if let Some(leaf) = steps.first_mut()
        && leaf.first().is_some_and(|word| word == "is")
    {
        leaf.remove(0);
        if leaf.last().is_some_and(|word| STATES.contains(&word.as_str())) {
            leaf.pop();
        }
    }
    steps.retain(|words| !words.is_empty());
    steps
}

/// The names that the path gives, the shortest first: "lumbar support", "backrest lumbar support".
fn names_of_path(path: &str) -> Vec<String> {
    let steps = steps(path);
    let mut names: Vec<String> = Vec::new();
    for length in 1..=steps.len().min(3) {
        let parts = steps.iter().take(length).rev().flatten().map(String::as_str);
        names.push(parts.collect::<Vec<_>>().join(" "));
    }
    // A lone branch may be as general as a leaf.
    let general = |name: &String| GENERAL.contains(&name.as_str());
    if names.len() > 1 && names.first().is_some_and(general) {
        names.remove(0);
    }
    names
}

/// The name that a description begins with: "Lumbar support (in/out position). 0 = …" is "lumbar support".
fn name_of_description(description: &str) -> Option<String> {
    let end = description
        .find(['.', '(', ',', '=', ':', ';', '?'])
        .unwrap_or(description.len());
    let sentence = description.get(..end)?.trim().to_lowercase();
    let plain = sentence.strip_prefix("the ").unwrap_or(&sentence);
    let words = plain.split_whitespace().count();
    let tells = !["is ", "are ", "indicates", "status", "current", "requested"]
        .iter()
        .any(|start| plain.starts_with(start));
    let tells = tells && !plain.contains(" or ");
    let clean = plain
        .chars()
        .all(|char| char.is_ascii_alphabetic() || char == ' ' || char == '-');
    ((2..=LONGEST).contains(&words) && tells && clean).then(|| plain.to_owned())
}

/// English names for each of `groups` (path and description): such that no two have one in common.
pub(super) fn english(groups: &[(&str, &str)]) -> Vec<Vec<String>> {
    let candidates: Vec<Vec<String>> = groups
        .iter()
        .map(|(path, description)| {
            let mut names = names_of_path(path);
            let described = name_of_description(description);
            let telling = |name: &String| !GENERAL.contains(&name.as_str()) && !names.contains(name);
            names.extend(described.filter(telling));
            names
        })
        .collect();
    let mut claims: HashMap<&str, usize> = HashMap::new();
    for name in candidates.iter().flatten() {
        *claims.entry(name).or_default() += 1;
    }
    let unique = |name: &&String| claims.get(name.as_str()) == Some(&1);
    let whole = |path: &str| {
        let parts: Vec<String> = steps(path).into_iter().rev().flatten().collect();
        parts.join(" ")
    };
    candidates
        .iter()
        .zip(groups)
        .map(|(names, (path, _))| {
            let own: Vec<String> = names.iter().filter(unique).cloned().collect();
            if own.is_empty() { vec![whole(path)] } else { own }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_from_segments() {
        for (segment, words) in [
            ("LumbarSupport", "lumbar support"),
            ("HVAC", "hvac"),
            ("IsABSActive", "is abs active"),
            ("Row1", "row 1"),
            ("IsOn", "is on"),
        ] {
            assert_eq!(words_of(segment).join(" "), words);
        }
    }

    #[test]
    fn names_come_from_path_and_description_and_are_nobody_elses() {
        let groups = [
            (
                "Vehicle.Cabin.Seat.*.*.Backrest.LumbarSupport",
                "Lumbar support (in/out position). 0 = Innermost.",
            ),
            ("Vehicle.Body.Horn.IsActive", "Horn active or inactive. True = Active."),
            (
                "Vehicle.Cabin.Seat.*.*.Headrest.Angle",
                "Headrest angle, relative to backrest",
            ),
            ("Vehicle.Body.Windshield.Front.Wiping.Intensity", ""),
            ("Vehicle.Cabin.Light.Spotlight.*.*.IsLightOn", "Is light on or off."),
            ("Vehicle.Cabin.Light.Ambient.*.*.IsLightOn", "Is light on or off."),
        ];
        let names = english(&groups);
        assert_eq!(
            names,
            [
                vec![
                    "lumbar support",
                    "backrest lumbar support",
                    "seat backrest lumbar support"
                ],
                vec!["horn", "body horn"],
                vec!["headrest angle", "seat headrest angle"],
                vec!["wiping intensity", "front wiping intensity"],
                vec!["spotlight light", "light spotlight light"],
                vec!["ambient light", "light ambient light"],
            ]
        );
    }
}
