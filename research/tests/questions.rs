//! How often a question finds what answers it, and how often an answer gets its normal form: tables, kept as gates.
//!
//! `cargo test -p incar-research --test questions -- --nocapture` prints them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar_core::Lang;
use incar_research::{AnswerKind, normalize};
use incar_tools::knowledge::Manual;
use incar_web::{Corpus, SearchQuery, WebSearch};
use serde_json::json;

/// A question of the file.
struct Row {
    place: &'static str,
    question: &'static str,
    ids: Vec<&'static str>,
    bearing: &'static str,
    given: &'static str,
    kind: AnswerKind,
    normal: &'static str,
}

impl Row {
    fn lang(&self) -> Lang {
        Lang::of_text(self.question).unwrap()
    }

    /// What a search finds, the best first.
    async fn found(&self, corpus: &Corpus, manual: &Manual) -> Vec<String> {
        match self.place {
            "web" => {
                let query = SearchQuery::new(self.question, self.lang()).with_count(3);
                let hits = corpus.search(&query).await.map(|found| found.hits);
                let hits = hits.unwrap_or_default().into_iter();
                hits.filter_map(|hit| Some(hit.url.rsplit_once('/')?.1.to_owned()))
                    .collect()
            }
            _ => {
                let hits = manual.search(self.question, 3).into_iter();
                hits.map(|hit| hit.section.id.clone()).collect()
            }
        }
    }

    /// The texts that answer it, in its language.
    fn texts(&self, corpus: &Corpus, manual: &Manual) -> Vec<String> {
        let text = |id: &&str| match self.place {
            "web" => corpus.article(id).map(|article| article.text().to_owned()),
            _ => {
                let section = manual.sections().iter().find(|section| section.id == **id);
                section.map(|section| section.text.get(self.lang()).to_owned())
            }
        };
        self.ids.iter().filter_map(text).collect()
    }
}

fn rows() -> Vec<Row> {
    let lines = include_str!("questions.tsv").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [place, question, ids, bearing, given, kind, normal] = fields[..] else {
            panic!("{line}")
        };
        Row {
            place,
            question,
            ids: ids.split(' ').collect(),
            bearing,
            given,
            kind: serde_json::from_value(json!(kind)).unwrap(),
            normal,
        }
    };
    lines.map(row).collect()
}

/// Hits of so many tries, and those that missed.
#[derive(Default)]
struct Score {
    hits: usize,
    of: usize,
    missed: Vec<String>,
}

impl Score {
    fn count(&mut self, hit: bool, missed: impl FnOnce() -> String) {
        self.of += 1;
        self.hits += usize::from(hit);
        if !hit {
            self.missed.push(missed());
        }
    }

    fn add(&mut self, part: Self) {
        (self.hits, self.of) = (self.hits + part.hits, self.of + part.of);
        self.missed.extend(part.missed);
    }

    fn rate(&self) -> f64 {
        self.hits as f64 / self.of as f64
    }
}

fn print_row(name: &str, first: &Score, three: &Score) {
    eprintln!("| {name} | {} | {:.3} | {:.3} |", first.of, first.rate(), three.rate());
}

/// The figures when the questions or what reads them were last worked on, which they may not fall below.
const LEAST_FIRST: f64 = 0.91;
const LEAST_AMONG_THREE: f64 = 0.92;
const LEAST_NORMAL: f64 = 1.0;
const LEAST_KIND: f64 = 0.97;

#[tokio::test]
async fn questions_find_what_answers_them() {
    let (corpus, manual) = (Corpus::embedded(), Manual::embedded().unwrap());
    let rows = rows();
    assert!(rows.len() >= 60, "{}", rows.len());
    let (mut first, mut three) = (Score::default(), Score::default());
    eprintln!("| questions | how many | first | among three |");
    for (name, place, lang) in [
        ("articles, Chinese", "web", Lang::Zh),
        ("articles, English", "web", Lang::En),
        ("manual, Chinese", "manual", Lang::Zh),
        ("manual, English", "manual", Lang::En),
    ] {
        let (mut part, mut part_of_three) = (Score::default(), Score::default());
        for row in rows.iter().filter(|row| row.place == place && row.lang() == lang) {
            let question = row.question;
            let texts = row.texts(&corpus, &manual);
            assert_eq!(texts.len(), row.ids.len(), "{question}: no such article");
            let bears = texts.iter().any(|text| text.contains(row.bearing));
            assert!(bears, "{question}: {} stands nowhere", row.bearing);
            let found = row.found(&corpus, &manual).await;
            let answers = |id: &String| row.ids.contains(&id.as_str());
            let missed = || format!("{question} -> {found:?}, not {:?}", row.ids);
            part.count(found.first().is_some_and(answers), missed);
            part_of_three.count(found.iter().any(answers), missed);
        }
        print_row(name, &part, &part_of_three);
        first.add(part);
        three.add(part_of_three);
    }
    print_row("all", &first, &three);
    let (missed, all_missed) = (first.missed.join("\n  "), three.missed.join("\n  "));
    eprintln!("not first:\n  {missed}\nnot among three:\n  {all_missed}");
    assert!(first.rate() >= LEAST_FIRST && three.rate() >= LEAST_AMONG_THREE);
}

#[test]
fn answers_get_their_normal_form() {
    let (mut forms, mut kinds) = (Score::default(), Score::default());
    for row in rows() {
        let normal = normalize(row.given, row.kind);
        forms.count(normal == row.normal, || {
            format!("{} -> {normal}, not {}", row.given, row.normal)
        });
        let kind = AnswerKind::asked_by(row.question).unwrap_or_default();
        kinds.count(kind == row.kind, || {
            format!("{} -> {kind}, not {}", row.question, row.kind)
        });
    }
    eprintln!("normal form: {} answers, {:.3} right", forms.of, forms.rate());
    eprintln!("kind of answer: {} questions, {:.3} right", kinds.of, kinds.rate());
    eprintln!("{}\n{}", forms.missed.join("\n"), kinds.missed.join("\n"));
    assert!(forms.rate() >= LEAST_NORMAL && kinds.rate() >= LEAST_KIND);
}
