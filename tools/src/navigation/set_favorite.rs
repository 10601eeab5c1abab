//! Keeping places under names.

use super::favorite::Favorite;
use super::finder::{Finder, failed, means_here, no_fix};
use super::service::Around;
use super::{phrase, spec};
use crate::places::{Place, PlaceId};
use incar_core::{
    Bilingual, Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::hash::{BuildHasher, RandomState};

/// `set_favorite_place`.
#[derive(Debug)]
pub(super) struct SetFavoritePlace(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Under which name: home, company, or a name of the driver's own.
    place: String,
    /// Which place that is: its name, its id from a search, or here.
    location: String,
}

#[async_trait]
impl TypedTool for SetFavoritePlace {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_favorite_place",
            Effect::Act,
            "把一个地点存为家、公司或其他常用地址",
            "Keep a place as home, company or another favourite",
        )
        .with_names("location", self.0.names())
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        if args.place.trim().is_empty() {
            let question = cx.lang.pick("存为什么名字？", "Under which name?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "place", question));
        }
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let lang = cx.lang;
        let favorite = Favorite::of_words(&args.place);
        let place = if means_here(&args.location) {
            self.here(lang).await?
        } else {
            self.0.one(&args.location, Around::Car, "location", lang).await?
        };
        let at = phrase::full_name(&place, lang);
        let result = json!({"place": favorite.as_str(), "location": at, "id": place.id});
        let said = match &favorite {
            Favorite::Home => lang.pick("家", "Home"),
            Favorite::Company => lang.pick("公司", "Work"),
            Favorite::Named(_) => args.place.trim(),
        };
        let say = lang.pick(format!("已把{said}设为{at}。"), format!("{said} is now {at}."));
        let set = self.0.map.set_favorite(favorite, place).await;
        set.map_err(|error| failed(&error, lang))?;
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl SetFavoritePlace {
    /// Where the car is, named by what is near.
    async fn here(&self, lang: Lang) -> Result<Place, ToolError> {
        let map = self.0.map.as_ref();
        let position = map.position().ok_or_else(|| no_fix(lang))?;
        let near = map.nearest_place(position).await;
        let near = near.map_err(|error| failed(&error, lang))?;
        let (zh, en) = near.map_or_else(
            || ("存下的位置".to_owned(), "the saved position".to_owned()),
            |near| {
                let name = |lang| phrase::full_name(&near, lang);
                (format!("{}附近", name(Lang::Zh)), format!("near {}", name(Lang::En)))
            },
        );
        // An id is shown to models: it is to tell nothing of where that is.
        let spot = (position.lat().to_bits(), position.lon().to_bits());
        let id = PlaceId::new(format!("saved-{:016x}", RandomState::new().hash_one(spot)));
        Ok(Place::new(id, Bilingual::new(zh, en), position))
    }
}
