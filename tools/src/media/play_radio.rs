//! Listening to the radio.

use std::sync::Arc;

use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::MediaService;
use super::{failed, names, now, spec, spoken};
use crate::library::{Band, Library, MediaItem, NameKind, NotFound, RadioQuery, Station, Tuning};

/// `play_radio`.
#[derive(Debug)]
pub(super) struct PlayRadio(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// A station's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    station: Option<String>,
    /// MHz on fm (87–108), kHz on am (522–1710).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frequency: Option<f64>,
    /// The band; told by the frequency where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    band: Option<Band>,
    /// What it is to broadcast: news, traffic, music.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    genre: Option<String>,
}

impl Args {
    fn tuning(&self, lang: Lang) -> Result<Option<Tuning>, ToolError> {
        let Some(frequency) = self.frequency else {
            return Ok(None);
        };
        Tuning::new(self.band, frequency).map(Some).map_err(|_| {
            ToolError::ask(
                ErrorKind::OutOfRange,
                "frequency",
                match self.band {
                    Some(Band::Fm) => lang.pick(
                        "调频从87到108兆赫，要听多少？",
                        "FM goes from 87 to 108 megahertz. Which frequency?",
                    ),
                    Some(Band::Am) => lang.pick(
                        "调幅从522到1710千赫，要听多少？",
                        "AM goes from 522 to 1710 kilohertz. Which frequency?",
                    ),
                    None => lang.pick(
                        "调频从87到108兆赫，调幅从522到1710千赫，要听多少？",
                        "FM goes from 87 to 108 megahertz, AM from 522 to 1710 kilohertz. Which frequency?",
                    ),
                },
            )
        })
    }
}

#[async_trait]
impl TypedTool for PlayRadio {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "play_radio",
            Effect::Act,
            "收听电台：按台名、频率、波段或节目类型；都不说就放本地电台",
            "Listen to the radio: by station, frequency, band or kind of programme; without any, a local station",
        )
        .with_names("station", names::source(&self.0, NameKind::Station))
        .untrusted()
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        if let Some(tuning) = args.tuning(cx.lang)? {
            args.band = Some(tuning.band);
            args.frequency = Some(tuning.frequency());
        }
        for said in [&mut args.station, &mut args.genre] {
            *said = said.take().filter(|said| !said.trim().is_empty());
        }
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let library = self.0.library();
        let tuning = args.tuning(cx.lang)?;
        let query = RadioQuery {
            station: args.station,
            tuning,
            band: args.band,
            genre: args.genre,
            city: self.0.radio_city(),
        };
        let queue = queue(&library, &query).map_err(|error| failed::not_found(&error, &library, cx.lang))?;
        let state = match self.0.play(queue, None).await {
            Ok(state) => state,
            Err(error) => return Err(failed::media(&error, &self.0.state(), cx.lang)),
        };
        let what = state
            .item
            .map(|item| spoken::item(&library, item, cx.lang))
            .unwrap_or_default();
        let say = cx.lang.pick(format!("正在播放{what}。"), format!("Playing {what}."));
        Ok(ToolOutput::new(now::describe(&library, &state))?.say(say))
    }
}

/// What was found, then the city's other stations of the band, so that "next station" leads somewhere.
fn queue(library: &Library, query: &RadioQuery) -> Result<Vec<MediaItem>, NotFound> {
    let found = match (library.find_stations(query), query.tuning) {
        (Ok(found), Some(tuning)) => {
            // A frequency means what is on the air here, not a station of another city.
            let here = found
                .into_iter()
                .find(|id| library.station(*id).is_some_and(|station| is_near(station, query)));
            vec![here.map_or(MediaItem::Tuning(tuning), MediaItem::Station)]
        }
        (Ok(found), None) => found.into_iter().map(MediaItem::Station).collect(),
        (Err(NotFound::NoStationOn { .. }), Some(tuning)) => vec![MediaItem::Tuning(tuning)],
        (Err(error), _) => return Err(error),
    };
    let band = found.first().and_then(|item| match item {
        MediaItem::Station(id) => Some(library.station(*id)?.tuning.band),
        MediaItem::Tuning(tuning) => Some(tuning.band),
        MediaItem::Song(_) | MediaItem::Video { .. } => None,
    });
    let others = library
        .stations()
        .iter()
        .filter(|station| query.city.as_ref() == Some(&station.city) && band == Some(station.tuning.band))
        .map(|station| MediaItem::Station(station.id))
        .filter(|item| !found.contains(item));
    Ok(found.iter().copied().chain(others).collect())
}

fn is_near(station: &Station, query: &RadioQuery) -> bool {
    query.city.as_ref().is_none_or(|city| *city == station.city)
}
