//! Tags (genres, moods, languages …) and the words by which speech names them.

use std::collections::HashMap;

use crate::data_file::{DataError, DataProblem, rows};
use crate::names::{NameIndex, Partial, Role};

const COLUMNS: &[&str] = &["kind", "id", "includes", "words"];

/// What a tag tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TagKind {
    Genre,
    Mood,
    Scene,
    Instrument,
    Language,
    Theme,
    Era,
    /// Film, series, cartoon …
    Kind,
}

impl TagKind {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "genre" => Some(Self::Genre),
            "mood" => Some(Self::Mood),
            "scene" => Some(Self::Scene),
            "instrument" => Some(Self::Instrument),
            "language" => Some(Self::Language),
            "theme" => Some(Self::Theme),
            "era" => Some(Self::Era),
            "kind" => Some(Self::Kind),
            _ => None,
        }
    }
}

/// A tag, with the other tags of its kind that it includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) kind: TagKind,
    pub(super) id: String,
    includes: Vec<String>,
}

impl Tag {
    /// Whether having the tag `id` means having this one.
    pub(super) fn covers(&self, id: &str) -> bool {
        self.id == id || self.includes.iter().any(|included| included == id)
    }
}

/// A property asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Tag(Tag),
    Year(u16),
}

impl Wanted {
    /// What to call it in a result.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Tag(tag) => tag.id.clone(),
            Self::Year(year) => year.to_string(),
        }
    }
}

/// The tags of a file and their words.
#[derive(Clone, Debug, Default)]
pub(super) struct TagWords {
    tags: Vec<Tag>,
    words: NameIndex<usize>,
}

impl TagWords {
    pub(super) fn read(file: &'static str, text: &str) -> Result<Self, DataError> {
        let mut read = Self::default();
        let mut words = Vec::new();
        let mut owners: HashMap<String, String> = HashMap::new();
        let rows = rows(file, text, COLUMNS)?;
        for row in &rows {
            let kind = TagKind::from_name(row.text("kind")).ok_or_else(|| row.value_error("kind"))?;
            let id = row.required("id")?.to_owned();
            row.required("words")?;
            let place = read.tags.len();
            for word in row.list("words") {
                if let Some(owner) = owners.insert(word.clone(), id.clone()) {
                    return Err(row.error(DataProblem::Duplicate { name: word, owner }));
                }
                words.push((place, Role::Main, word));
            }
            if read.has(kind, &id) {
                return Err(row.error(DataProblem::Duplicate {
                    name: id.clone(),
                    owner: id,
                }));
            }
            read.tags.push(Tag {
                kind,
                id,
                includes: row.list("includes"),
            });
        }
        for (tag, row) in read.tags.iter().zip(&rows) {
            if let Some(value) = tag.includes.iter().find(|id| !read.has(tag.kind, id)) {
                return Err(row.error(DataProblem::Unknown {
                    column: "includes",
                    value: value.clone(),
                }));
            }
        }
        read.words = words.into_iter().collect();
        Ok(read)
    }

    /// Whether there is a tag of a kind with this id.
    pub(super) fn has(&self, kind: TagKind, id: &str) -> bool {
        self.tags.iter().any(|tag| tag.kind == kind && tag.id == id)
    }

    /// Whether what was said is a tag's word and nothing else.
    pub(super) fn is_word(&self, said: &str) -> bool {
        self.words.exact(said).is_some()
    }

    /// The properties that words name, all of them wanted at once: `欢快的粤语歌` is happy and Cantonese. Empty where the
    /// words name none.
    pub(super) fn resolve(&self, said: &str) -> Vec<Wanted> {
        if let Some(year) = year(said) {
            return vec![Wanted::Year(year)];
        }
        let places = match self.words.exact(said) {
            Some(found) => found.ids,
            None => match self.words.within(said) {
                within if within.is_empty() => self
                    .words
                    .lookup(said, Partial::Never)
                    .map(|found| found.ids)
                    .unwrap_or_default(),
                within => within,
            },
        };
        places
            .into_iter()
            .filter_map(|place| self.tags.get(place))
            .cloned()
            .map(Wanted::Tag)
            .collect()
    }
}

/// A year said alone: `1966`, `2005年`.
fn year(said: &str) -> Option<u16> {
    let said = said.trim().trim_end_matches('年');
    said.parse()
        .ok()
        .filter(|year| said.len() == 4 && (1900..2100).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "kind\tid\tincludes\twords\nmood\thappy\t\t欢快|happy\nlanguage\tcantonese\t\t粤语\nlanguage\tchinese\tcantonese\t中文\n";

    #[test]
    fn words_name_properties() {
        let words = TagWords::read("t", TEXT).unwrap();
        for (said, expected) in [
            ("欢快", vec!["happy"]),
            ("欢快的粤语歌", vec!["happy", "cantonese"]),
            ("HAPPY", vec!["happy"]),
            ("1966", vec!["1966"]),
            ("2005年", vec!["2005"]),
            ("196", vec![]),
            ("朋克", vec![]),
        ] {
            let found: Vec<String> = words.resolve(said).iter().map(Wanted::name).collect();
            assert_eq!(found, expected, "{said}");
        }
    }

    #[test]
    fn a_wide_tag_covers_a_narrow_one() {
        let words = TagWords::read("t", TEXT).unwrap();
        let [Wanted::Tag(tag)] = &words.resolve("中文")[..] else {
            panic!("one tag")
        };
        assert!(tag.covers("cantonese") && tag.covers("chinese") && !tag.covers("happy"));
    }

    #[test]
    fn faults_are_refused() {
        for (row, problem) in [
            (
                "mood\tsad\t\t欢快",
                DataProblem::Duplicate {
                    name: "欢快".into(),
                    owner: "happy".into(),
                },
            ),
            (
                "mood\thappy\t\tglad",
                DataProblem::Duplicate {
                    name: "happy".into(),
                    owner: "happy".into(),
                },
            ),
            (
                "colour\tred\t\t红",
                DataProblem::Value {
                    column: "kind",
                    value: "colour".into(),
                },
            ),
            (
                "mood\tsad\tblue\t伤感",
                DataProblem::Unknown {
                    column: "includes",
                    value: "blue".into(),
                },
            ),
            ("mood\tsad\t\t", DataProblem::Empty { column: "words" }),
        ] {
            let error = TagWords::read("t", &format!("{TEXT}{row}\n")).unwrap_err();
            assert_eq!((error.place.as_str(), error.problem), ("line 5", problem));
        }
    }
}
