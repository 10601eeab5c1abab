//! What a run's claims rest on, numbered in the order found.

use crate::data::one_line;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// No more sources than this are told apart: a run reads tens, not thousands.
const MOST: usize = 500;
/// So many characters of a title and of an excerpt are kept.
const TITLE: usize = 120;
const EXCERPT: usize = 300;
/// Results nest no deeper than this.
const DEEPEST: usize = 6;
/// The field in which a result tells a model how to cite it.
const CITE: &str = "cite";

/// Something that a claim can rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Source {
    /// Its number: `[3]` cites it.
    pub number: u32,
    /// Its title, on one line.
    pub title: String,
    /// Its address; of what has none (a section of the manual) the tool's name and its id.
    pub url: String,
    /// The beginning of its text.
    pub excerpt: String,
    /// The call that found it.
    pub call: String,
}

/// The sources of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sources {
    all: Vec<Source>,
}

/// A text whose citations were looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cited {
    /// The text without citations of what is no source.
    pub text: String,
    /// The numbers that it cites.
    pub numbers: BTreeSet<u32>,
    /// How many citations were taken out.
    pub removed: usize,
}

impl Sources {
    /// All of them, by number.
    pub fn all(&self) -> &[Source] {
        &self.all
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The source with that number.
    pub fn get(&self, number: u32) -> Option<&Source> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.all.get(index)
    }

    /// The source at that address.
    pub fn at(&self, url: &str) -> Option<&Source> {
        self.all.iter().find(|source| source.url == url)
    }

    /// Takes in what a result of `tool` names: everything with an address, or with an id and a title. Each such object in
    /// the result is told its citation (`"cite": "[3]"`), so that the model can use it. Returns the sources that are new.
    pub fn take_in(&mut self, tool: &str, call: &str, result: &mut Value) -> Vec<Source> {
        let known = self.all.len();
        self.walk(tool, call, result, DEEPEST);
        self.all.iter().skip(known).cloned().collect()
    }

    fn walk(&mut self, tool: &str, call: &str, value: &mut Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(tool, call, item, depth)),
            Value::Object(fields) => {
                if let Some(number) = self.number_of(tool, call, fields) {
                    fields.insert(CITE.to_owned(), format!("[{number}]").into());
                }
                for (name, field) in fields.iter_mut() {
                    if name != "error" {
                        self.walk(tool, call, field, depth);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The number of what an object describes; `None` where that is no source.
    fn number_of(&mut self, tool: &str, call: &str, fields: &Map<String, Value>) -> Option<u32> {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::trim);
        let title = text("title").unwrap_or_default();
        let url = match (text("url"), text("id")) {
            (Some(url), _) if !url.is_empty() => one_line(url, 2_048),
            (_, Some(id)) if !id.is_empty() && !title.is_empty() => format!("{tool}:{}", one_line(id, TITLE)),
            _ => return None,
        };
        let body = text("snippet").or_else(|| text("text")).unwrap_or_default();
        if let Some(known) = self.all.iter_mut().find(|source| source.url == url) {
            if known.title == known.url && !title.is_empty() {
                known.title = one_line(title, TITLE);
            }
            return Some(known.number);
        }
        if self.all.len() >= MOST {
            return None;
        }
        let number = u32::try_from(self.all.len() + 1).ok()?;
        let title = if title.is_empty() { url.as_str() } else { title };
        self.all.push(Source {
            number,
            title: one_line(title, TITLE),
            excerpt: one_line(body, EXCERPT),
            call: call.to_owned(),
            url,
        });
        Some(number)
    }

    /// Looks at the citations of a text: `[3]`, `[1, 2]`, `【3】`. Those of what is no source are taken out.
    ///
    /// ```
    /// use incar_research::Sources;
    ///
    /// let mut sources = Sources::default();
    /// let mut result = serde_json::json!({"results": [{"title": "West Lake", "url": "https://e.com/lake"}]});
    /// sources.take_in("search_web", "call_1", &mut result);
    /// let cited = sources.cite("The lake is in Hangzhou [1], and the moon is of cheese [7].");
    /// assert_eq!(cited.text, "The lake is in Hangzhou [1], and the moon is of cheese.");
    /// assert_eq!(cited.removed, 1);
    /// ```
    pub fn cite(&self, text: &str) -> Cited {
        let mut cited = Cited {
            text: String::with_capacity(text.len()),
            numbers: BTreeSet::new(),
            removed: 0,
        };
        let mut rest = text;
        while let Some(open) = rest.find(['[', '【']) {
            let (before, from) = rest.split_at(open);
            cited.text.push_str(before);
            match citation(from) {
                Some((numbers, after)) => {
                    let (known, unknown): (Vec<u32>, Vec<u32>) =
                        numbers.into_iter().partition(|number| self.get(*number).is_some());
                    cited.removed += unknown.len();
                    if known.is_empty() {
                        let kept = cited.text.trim_end_matches(' ').len();
                        cited.text.truncate(kept);
                    } else {
                        let numbers: Vec<String> = known.iter().map(u32::to_string).collect();
                        cited.text.push_str(&format!("[{}]", numbers.join(", ")));
                    }
                    cited.numbers.extend(known);
                    rest = after;
                }
                None => {
                    let mut chars = from.chars();
                    cited.text.extend(chars.next());
                    rest = chars.as_str();
                }
            }
        }
        cited.text.push_str(rest);
        cited
    }
}

/// The numbers of a citation at the beginning of a text, and what follows it. A link (`[1](…)`) and anything else in
/// brackets is none.
fn citation(text: &str) -> Option<(Vec<u32>, &str)> {
    let (inner, after) = match text.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?,
        None => text.strip_prefix('【')?.split_once('】')?,
    };
    if after.starts_with('(') {
        return None;
    }
    let numbers = inner
        .split([',', '，', '、', ' '])
        .map(str::trim)
        .filter(|number| !number.is_empty());
    let numbers: Vec<u32> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some((numbers, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn three() -> Sources {
        let mut sources = Sources::default();
        let mut result = json!({"results": [
            {"title": "A", "url": "https://e.com/a", "snippet": "first\nline"},
            {"title": "B", "url": "https://e.com/b"},
            {"url": "https://e.com/c"},
        ]});
        assert_eq!(sources.take_in("search_web", "c1", &mut result).len(), 3);
        assert_eq!(result["results"][2]["cite"], "[3]");
        sources
    }

    #[test]
    fn whatever_has_an_address_is_a_source_once() {
        let mut sources = three();
        let mut page = json!({"url": "https://e.com/a", "title": "A", "text": "whole"});
        assert_eq!(sources.take_in("read_page", "c2", &mut page), []);
        assert_eq!(page["cite"], "[1]");
        let mut manual = json!({"sections": [{"id": "tires", "title": "Tires", "text": "2.5 bar"}]});
        let new = sources.take_in("search_manual", "c3", &mut manual);
        assert_eq!(
            new.iter().map(|new| (new.number, new.url.as_str())).collect::<Vec<_>>(),
            [(4, "search_manual:tires")]
        );
        for no_source in [
            json!({"result": 140}),
            json!("https://e.com"),
            json!({"error": {"id": "x", "title": "y"}}),
        ] {
            let mut value = no_source.clone();
            assert_eq!(sources.take_in("calculate", "c4", &mut value), []);
            assert_eq!(value, no_source);
        }
        assert_eq!(sources.get(1).unwrap().excerpt, "first line");
        assert_eq!(sources.get(3).unwrap().title, "https://e.com/c");
        assert_eq!((sources.get(0), sources.get(5)), (None, None));
    }

    #[test]
    fn a_citation_of_no_source_is_taken_out_and_nothing_else_is() {
        for (text, clean, numbers, removed) in [
            ("It rains [1].", "It rains [1].", vec![1], 0),
            ("It rains [9].", "It rains.", vec![], 1),
            ("下雨【2】。", "下雨[2]。", vec![2], 0),
            ("下雨[0][4]，有风[3]。", "下雨，有风[3]。", vec![3], 2),
            ("both [1, 7，2]", "both [1, 2]", vec![1, 2], 1),
            (
                "a [link](https://e.com) and [x]",
                "a [link](https://e.com) and [x]",
                vec![],
                0,
            ),
            ("[7](https://e.com)", "[7](https://e.com)", vec![], 0),
            ("open [ and [[1]]", "open [ and [[1]]", vec![1], 0),
            ("- [ ] task, [-1]", "- [ ] task, [-1]", vec![], 0),
            ("[99999999999]", "[99999999999]", vec![], 0),
        ] {
            let cited = three().cite(text);
            let found: Vec<u32> = cited.numbers.into_iter().collect();
            assert_eq!(
                (cited.text.as_str(), found, cited.removed),
                (clean, numbers, removed),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_cited_is_a_source_and_a_clean_text_stays_as_it_is(text in "[a\\[\\]【】0-9, (]{0,40}") {
            let once = three().cite(&text);
            prop_assert!(once.numbers.iter().all(|number| (1..=3).contains(number)));
        }
    }
}
