//! Kinds of everyday places: what speech calls them.

use super::key::{fold, has_han};
use super::place::PlaceKind;
use memchr::memmem;
use std::sync::LazyLock;

static TABLE: LazyLock<Vec<Category>> = LazyLock::new(|| {
    include_str!("../../data/places/categories.tsv")
        .lines()
        .filter_map(Category::parse)
        .collect()
});

/// A kind of everyday place, a cuisine or a chain: one line of `data/places/categories.tsv`.
#[derive(Debug)]
pub struct Category {
    /// Its id, such as `fuel`.
    pub id: &'static str,
    /// The wider category it belongs to: a cuisine to `restaurant`, a chain to what it sells.
    pub parent: Option<&'static str>,
    /// What to call it in Chinese.
    pub zh: &'static str,
    /// What to call it in English.
    pub en: &'static str,
    /// Simulated places in each cell.
    pub(super) per_cell: f64,
    /// The kinds of real places that it also means.
    pub(super) kinds: Vec<PlaceKind>,
    words: Vec<String>,
    /// Names of simulated places, Chinese and English, with `{}` for a place-name.
    pub(super) templates: Vec<(&'static str, &'static str)>,
}

impl Category {
    fn parse(line: &'static str) -> Option<Self> {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let &[id, parent, per_cell, kinds, zh, en, zh_words, en_words, templates] = fields.as_slice() else {
            return None;
        };
        Some(Self {
            id,
            parent: Some(parent).filter(|parent| !parent.is_empty()),
            zh,
            en,
            per_cell: per_cell.parse().ok()?,
            kinds: kinds.split(',').filter_map(PlaceKind::from_name).collect(),
            words: zh_words
                .split(';')
                .chain(en_words.split(';'))
                .map(fold)
                .filter(|word| !word.is_empty())
                .collect(),
            templates: templates.split(';').filter_map(|both| both.split_once('=')).collect(),
        })
    }

    /// All categories.
    pub fn all() -> &'static [Self] {
        &TABLE
    }

    /// The category of this id.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|category| category.id == id)
    }

    /// The category that these words name, alone: "加油站", "the nearest gas stations".
    pub fn named(text: &str) -> Option<&'static Self> {
        let text = without_carriers(&fold(text));
        let singular = [text.strip_suffix("es"), text.strip_suffix('s')];
        let forms = [Some(text.as_str())]
            .into_iter()
            .chain(singular)
            .flatten()
            .collect::<Vec<_>>();
        forms.iter().find_map(|form| {
            Self::all()
                .iter()
                .find(|category| category.words.iter().any(|word| word == form))
        })
    }

    /// The category with whose word the text ends, as Chinese says it ("人民广场停车场"), or whose words an English
    /// text contains ("a cheap Sichuan restaurant"): the longest.
    pub fn ending(text: &str) -> Option<&'static Self> {
        let text = fold(text);
        Self::longest(|word| {
            let at = last_place(&text, word)?;
            (!has_han(&text) || at + word.len() == text.len()).then_some(at)
        })
    }

    /// The category whose word the text contains anywhere: the longest, and of equally long ones the last said.
    pub fn within(text: &str) -> Option<&'static Self> {
        let text = fold(text);
        Self::longest(|word| last_place(&text, word))
    }

    fn longest(place_of: impl Fn(&str) -> Option<usize>) -> Option<&'static Self> {
        let words = Self::all()
            .iter()
            .flat_map(|category| category.words.iter().map(move |word| (category, word)));
        let found = words.filter_map(|(category, word)| Some((word.chars().count(), place_of(word)?, category)));
        found
            .max_by_key(|&(length, at, _)| (length, at))
            .map(|(_, _, category)| category)
    }

    /// The categories of which a simulated place may have this name.
    pub(super) fn giving(name: &str) -> impl Iterator<Item = &'static Self> {
        let fits = |template: &str| {
            let (before, after) = template.split_once("{}").unwrap_or((template, ""));
            let rest = name.get(before.len()..).filter(|rest| rest.len() >= after.len());
            name.get(..before.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(before))
                && rest
                    .and_then(|rest| rest.get(rest.len() - after.len()..))
                    .is_some_and(|end| end.eq_ignore_ascii_case(after))
        };
        let gives = move |category: &&Self| category.templates.iter().any(|(zh, en)| fits(zh) || fits(en));
        Self::all().iter().filter(gives)
    }

    /// This category and those that belong to it.
    pub(super) fn family(&'static self) -> impl Iterator<Item = &'static Self> {
        let within = move |category: &&Self| {
            let parent = |of: &Self| of.parent.and_then(Self::by_id);
            let above = [Some(*category), parent(category), parent(category).and_then(parent)];
            above.into_iter().flatten().any(|ancestor| ancestor.id == self.id)
        };
        Self::all().iter().filter(within)
    }
}

/// Where a word stands last in a text: Chinese anywhere, but not a single character; Latin between word ends.
fn last_place(text: &str, word: &str) -> Option<usize> {
    if has_han(word) {
        return if word.chars().nth(1).is_some() {
            memmem::rfind(text.as_bytes(), word.as_bytes())
        } else {
            None
        };
    }
    let at = memmem::rfind(text.as_bytes(), word.as_bytes())?;
    let before = text.get(..at)?.chars().next_back();
    let mut after = text.get(at + word.len()..)?.chars();
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    let next = after.next();
    (ends(before) && (ends(next) || (next == Some('s') && ends(after.next())))).then_some(at)
}

const CARRIERS_ZH: [&str; 22] = [
    "帮我找",
    "找一下",
    "找一个",
    "找一家",
    "找个",
    "找家",
    "附近的",
    "附近",
    "最近的",
    "周边的",
    "周边",
    "旁边的",
    "沿途的",
    "沿途",
    "路上的",
    "有没有",
    "哪里有",
    "哪有",
    "一个",
    "一家",
    "个",
    "家",
];
const CARRIERS_EN: [&str; 14] = [
    "find", "me", "the", "a", "an", "any", "some", "nearest", "closest", "nearby", "near", "around", "here", "local",
];

/// Without the words around a category: "附近的加油站", "the nearest gas station".
fn without_carriers(text: &str) -> String {
    if has_han(text) {
        let mut text = text.replace(' ', "");
        while let Some(rest) = CARRIERS_ZH
            .iter()
            .find_map(|carrier| text.strip_prefix(carrier))
            .filter(|rest| !rest.is_empty())
        {
            text = rest.to_owned();
        }
        return text;
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    while words.len() > 1 && words.first().is_some_and(|word| CARRIERS_EN.contains(word)) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| CARRIERS_EN.contains(word)) {
        words.pop();
    }
    words.join(" ")
}
