//! From what the driver says to the place that is meant.

use super::favorite::Favorite;
use super::phrase;
use super::service::{Around, NavigationError, NavigationService, Search};
use crate::places::{Hit, Matched, Place, PlaceId, clear_winner};
use incar_core::{ErrorKind, Lang, ToolError};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// So many choices are spoken.
pub(super) const MOST_SPOKEN: usize = 3;
/// Offered places are remembered, so many.
const MOST_OFFERED: usize = 24;
/// Everyday places have namesakes everywhere: one that was offered is meant only while it is so near.
const STILL_NEAR_M: f64 = 30_000.0;
const NEAREST: [&str; 6] = ["最近", "离我近", "nearest", "closest", "nearby one", "close one"];
const HERE: [&str; 14] = [
    "这里",
    "这儿",
    "这",
    "当前位置",
    "现在的位置",
    "我的位置",
    "我这里",
    "此处",
    "here",
    "this place",
    "current location",
    "my location",
    "current",
    "right here",
];

/// The map, and what the tools have offered of it.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    pub(super) map: Arc<dyn NavigationService>,
    offered: Arc<Mutex<VecDeque<(String, Place)>>>,
}

/// A place among others, under a name that none of the others has.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) place: Place,
    pub(super) distance_m: Option<f64>,
}

impl Choice {
    /// "西湖（约3公里）".
    pub(super) fn spoken(&self, lang: Lang) -> String {
        match self.distance_m {
            Some(metres) => {
                let about = phrase::about(metres, lang);
                lang.pick(
                    format!("{}（{about}）", self.label),
                    format!("{} ({about})", self.label),
                )
            }
            None => self.label.clone(),
        }
    }
}

impl Finder {
    pub(super) fn new(map: Arc<dyn NavigationService>) -> Self {
        Self {
            map,
            offered: Arc::default(),
        }
    }

    /// The one place that is meant.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none; a question about `argument` where there are several.
    pub(super) async fn one(&self, said: &str, around: Around, argument: &str, lang: Lang) -> Result<Place, ToolError> {
        if said.trim().is_empty() {
            let question = lang.pick("请问要去哪里？", "Which place?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, argument, question));
        }
        if let Some(place) = self.known(said, lang).await? {
            return Ok(place);
        }
        let hits = self.search(Search::new(said).around(around), lang).await?;
        match meant(said, &hits) {
            Some(hit) => Ok(hit.place.clone()),
            None if hits.is_empty() => Err(not_found(said, lang)),
            None => {
                let mut choices = self.offer(&hits, lang);
                choices.truncate(MOST_SPOKEN);
                match choices.as_slice() {
                    [only] => Ok(only.place.clone()),
                    _ => Err(ask_which(&choices, argument, lang)),
                }
            }
        }
    }

    /// The likeliest place, without asking: for what is easily put right.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none.
    pub(super) async fn likeliest(&self, said: &str, around: Around, lang: Lang) -> Result<Place, ToolError> {
        if let Some(place) = self.known(said, lang).await? {
            return Ok(place);
        }
        let hits = self.search(Search::new(said).around(around), lang).await?;
        let first = hits.into_iter().next().ok_or_else(|| not_found(said, lang))?;
        Ok(first.place)
    }

    /// The hits of a search.
    pub(super) async fn search(&self, search: Search, lang: Lang) -> Result<Vec<Hit>, ToolError> {
        self.map.search(&search).await.map_err(|error| failed(&error, lang))
    }

    /// The places as choices whose names differ. They are remembered, so that a name alone means its place afterwards.
    pub(super) fn offer(&self, hits: &[Hit], lang: Lang) -> Vec<Choice> {
        let here = self.map.position();
        let mut choices: Vec<Choice> = Vec::new();
        for hit in hits {
            let label = phrase::full_name(&hit.place, lang);
            if choices.iter().all(|choice| choice.label != label) {
                choices.push(Choice {
                    label,
                    place: hit.place.clone(),
                    distance_m: here.map(|here| here.distance_m(hit.place.position)),
                });
            }
        }
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        for choice in &choices {
            offered.retain(|(label, _)| *label != choice.label);
            offered.push_front((choice.label.clone(), choice.place.clone()));
        }
        offered.truncate(MOST_OFFERED);
        choices
    }

    /// What needs no search: home, company and other favourites, here, an id, and what was offered before.
    async fn known(&self, said: &str, lang: Lang) -> Result<Option<Place>, ToolError> {
        let said = said.trim();
        let favorite = Favorite::of_words(said);
        if let Some(place) = self.map.favorite(&favorite) {
            return Ok(Some(place));
        }
        match favorite {
            Favorite::Home => return Err(unset(lang.pick("家", "home"), lang)),
            Favorite::Company => return Err(unset(lang.pick("公司", "work"), lang)),
            Favorite::Named(_) => {}
        }
        if said.contains(':') && said.is_ascii() && !said.contains(' ') {
            let found = self.map.place(&PlaceId::new(said)).await;
            let place = found.map_err(|error| failed(&error, lang))?;
            return place.map(Some).ok_or_else(|| not_found(said, lang));
        }
        Ok(self.offered_as(said))
    }

    fn offered_as(&self, said: &str) -> Option<Place> {
        let here = self.map.position();
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let meant = |(label, place): &&(String, Place)| {
            let near = here.is_none_or(|here| here.distance_m(place.position) <= STILL_NEAR_M);
            label.eq_ignore_ascii_case(said) && (!place.simulated || near)
        };
        offered.iter().find(meant).map(|(_, place)| place.clone())
    }
}

/// Whether these words mean where the car is.
pub(super) fn means_here(said: &str) -> bool {
    HERE.contains(&said.trim().to_lowercase().as_str())
}

/// The hit that is meant, unless one has to ask.
pub(super) fn meant<'a>(said: &str, hits: &'a [Hit]) -> Option<&'a Hit> {
    let said = said.to_lowercase();
    let of_kind = hits.iter().all(|hit| hit.matched == Matched::Category);
    if of_kind && NEAREST.iter().any(|word| said.contains(word)) {
        return hits.first();
    }
    clear_winner(hits)
}

fn ask_which(choices: &[Choice], argument: &str, lang: Lang) -> ToolError {
    let spoken: Vec<String> = choices.iter().map(|choice| choice.spoken(lang)).collect();
    let spoken = phrase::list(&spoken, lang);
    let question = lang.pick(
        format!("找到了{spoken}，要去哪一个？"),
        format!("I found {spoken}. Which one?"),
    );
    let labels = choices.iter().map(|choice| choice.label.clone()).collect();
    ToolError::choose(argument, labels, question)
}

/// Nothing by that name.
pub(super) fn not_found(said: &str, lang: Lang) -> ToolError {
    let said: String = said.trim().chars().take(40).collect();
    ToolError::new(
        ErrorKind::NotFound,
        lang.pick(format!("没有找到“{said}”。"), format!("I could not find {said}.")),
    )
}

fn unset(name: &str, lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::NotFound,
        lang.pick(
            format!("还没有设置{name}的地址。"),
            format!("Your {name} address is not set yet."),
        ),
    )
}

/// A failure of the map, as the driver hears it.
pub(super) fn failed(error: &NavigationError, lang: Lang) -> ToolError {
    match error {
        NavigationError::NoGuidance => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick("现在没有在导航。", "There is no route right now."),
        ),
        NavigationError::Unavailable(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "地图没有响应，请稍后再试。",
                "The map did not answer. Please try again later.",
            ),
        ),
    }
}

/// The car does not know where it is.
pub(super) fn no_fix(lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::ToolFailed,
        lang.pick("现在定位不到车的位置。", "I cannot tell where the car is right now."),
    )
}
