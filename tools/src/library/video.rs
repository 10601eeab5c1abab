//! Films, series and shows.

use serde::{Deserialize, Serialize};

use super::tags::{TagKind, Wanted};
use super::{Library, NotFound, VideoId};
use crate::names::{Fit, NameIndex, Partial, Role};

/// Kinds of video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VideoKind {
    /// A film.
    Film,
    /// A series with actors.
    Series,
    /// A cartoon series.
    Cartoon,
    /// A documentary.
    Documentary,
    /// A show or news programme.
    Show,
}

impl VideoKind {
    /// The kind with this id in the data.
    pub(super) fn from_id(id: &str) -> Option<Self> {
        match id {
            "film" => Some(Self::Film),
            "series" => Some(Self::Series),
            "cartoon" => Some(Self::Cartoon),
            "documentary" => Some(Self::Documentary),
            "show" => Some(Self::Show),
            _ => None,
        }
    }
}

/// A film, series or show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Video {
    /// Its id.
    pub id: VideoId,
    /// The title, Chinese where there is one.
    pub title: String,
    /// Other titles.
    pub aliases: Vec<String>,
    /// What kind it is.
    pub kind: VideoKind,
    /// Leading cast, voices or presenters.
    pub actors: Vec<String>,
    /// Genres: ids of `video_tags.tsv`; never empty.
    pub genres: Vec<String>,
    /// How many seasons it has, where closed and known.
    pub seasons: Option<u16>,
    /// How many episodes all seasons have together, where closed and known.
    pub episodes: Option<u16>,
    /// The year first shown.
    pub year: u16,
}

impl Video {
    fn fits(&self, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Year(year) => self.year == *year,
            Wanted::Tag(tag) if tag.kind == TagKind::Kind => VideoKind::from_id(&tag.id) == Some(self.kind),
            Wanted::Tag(tag) => self.genres.iter().any(|genre| tag.covers(genre)),
        }
    }

    /// Whether it has a season and an episode; what is not known is taken to be there.
    fn has(&self, season: Option<u16>, episode: Option<u16>) -> bool {
        let up_to = |asked: Option<u16>, known: Option<u16>| {
            asked.is_none_or(|asked| asked >= 1 && known.is_none_or(|known| asked <= known))
        };
        match self.kind {
            VideoKind::Film => season.is_none() && episode.is_none(),
            _ => up_to(season, self.seasons) && up_to(episode, self.episodes),
        }
    }
}

/// What video is wanted, in the driver's words without the carrier words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VideoQuery {
    /// A title.
    pub title: Option<String>,
    /// A kind: film, series, cartoon …
    pub kind: Option<String>,
    /// A genre.
    pub genre: Option<String>,
    /// Somebody who plays in it.
    pub actor: Option<String>,
    /// A season, from 1.
    pub season: Option<u16>,
    /// An episode, from 1.
    pub episode: Option<u16>,
}

/// Videos that were found: at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VideoMatches {
    /// The videos, best first, of equals the newest.
    pub videos: Vec<VideoId>,
    /// How well the title or the actor fitted.
    pub fit: Fit,
}

impl Library {
    /// Finds videos. Everything said must fit; words of kind and genre may stand in either, or in `title`.
    ///
    /// # Errors
    /// [`NotFound`] says which part was not found.
    pub fn find_videos(&self, query: &VideoQuery) -> Result<VideoMatches, NotFound> {
        if *query == VideoQuery::default() {
            return Err(NotFound::NothingAsked);
        }
        let mut videos: Vec<&Video> = self.videos.iter().collect();
        videos.sort_by_key(|video| std::cmp::Reverse(video.year));
        for said in [&query.kind, &query.genre].into_iter().flatten() {
            let wanted = self.video_tags.resolve(said);
            if wanted.is_empty() {
                return Err(unknown(said));
            }
            videos.retain(|video| wanted.iter().all(|wanted| video.fits(wanted)));
        }
        let mut fit = Fit::Exact;
        if let Some(said) = &query.actor {
            fit = fit.max(keep_actor(&mut videos, said)?);
        }
        if let Some(said) = &query.title {
            fit = fit.max(self.keep_title(&mut videos, said)?);
        }
        let Some(first) = videos.first() else {
            return Err(NotFound::NothingFitsAll);
        };
        let no_such = NotFound::NoSuchEpisode {
            title: first.title.clone(),
            season: query.season,
            episode: query.episode,
        };
        videos.retain(|video| video.has(query.season, query.episode));
        if videos.is_empty() {
            return Err(no_such);
        }
        Ok(VideoMatches {
            videos: videos.into_iter().map(|video| video.id).collect(),
            fit,
        })
    }

    fn keep_title(&self, videos: &mut Vec<&Video>, said: &str) -> Result<Fit, NotFound> {
        let is_left = |id: &VideoId| videos.iter().any(|video| video.id == *id);
        if let Some(found) = self.video_names.lookup_among(said, Partial::MostOfName, is_left) {
            videos.retain(|video| found.ids.contains(&video.id));
            return Ok(found.fit);
        }
        if !self.video_tags.is_word(said) {
            return Err(unknown(said));
        }
        let wanted = self.video_tags.resolve(said);
        videos.retain(|video| wanted.iter().all(|wanted| video.fits(wanted)));
        Ok(Fit::Exact)
    }
}

fn keep_actor(videos: &mut Vec<&Video>, said: &str) -> Result<Fit, NotFound> {
    let actors = videos
        .iter()
        .flat_map(|video| video.actors.iter().map(|actor| (video.id, Role::Main, actor)));
    let actors: NameIndex<_> = actors.collect();
    let found = actors.lookup(said, Partial::MostOfName).ok_or_else(|| unknown(said))?;
    videos.retain(|video| found.ids.contains(&video.id));
    Ok(found.fit)
}

fn unknown(said: &str) -> NotFound {
    NotFound::UnknownVideo { said: said.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(query: &VideoQuery) -> Result<Vec<String>, NotFound> {
        let library = Library::shared();
        let found = library.find_videos(query)?;
        Ok(found
            .videos
            .iter()
            .map(|id| library.video(*id).unwrap().title.clone())
            .collect())
    }

    fn titled(title: &str) -> VideoQuery {
        VideoQuery {
            title: Some(title.into()),
            ..VideoQuery::default()
        }
    }

    #[test]
    fn videos_are_found_by_title() {
        for (said, first) in [
            ("流浪地球", "流浪地球"),
            ("流浪地球二", "流浪地球2"),
            ("zootopia", "疯狂动物城"),
            ("the shawshenk redemption", "肖申克的救赎"),
            ("射雕英雄传", "射雕英雄传"),
            ("真还传", "甄嬛传"),
        ] {
            assert_eq!(titles(&titled(said)).unwrap()[0], first, "{said}");
        }
        assert!(matches!(
            titles(&titled("没有这部片子的名字")),
            Err(NotFound::UnknownVideo { .. })
        ));
        assert_eq!(titles(&VideoQuery::default()), Err(NotFound::NothingAsked));
    }

    #[test]
    fn kind_genre_and_actor_all_count() {
        let library = Library::shared();
        let query = VideoQuery {
            kind: Some("电影".into()),
            genre: Some("科幻".into()),
            actor: Some("吴京".into()),
            ..VideoQuery::default()
        };
        assert_eq!(titles(&query).unwrap(), ["流浪地球2", "流浪地球"]);
        let query = VideoQuery {
            genre: Some("cartoons".into()),
            ..VideoQuery::default()
        };
        for id in library.find_videos(&query).unwrap().videos {
            assert_eq!(library.video(id).unwrap().kind, VideoKind::Cartoon);
        }
        assert!(titles(&titled("战争片")).unwrap().contains(&"亮剑".to_owned()));
    }

    #[test]
    fn an_episode_that_is_not_there_is_said() {
        let of = |title: &str, season, episode| {
            titles(&VideoQuery {
                season,
                episode,
                ..titled(title)
            })
        };
        assert_eq!(of("亮剑", None, Some(11)).unwrap(), ["亮剑"]);
        assert_eq!(of("Friends", Some(10), Some(2)).unwrap(), ["老友记"]);
        for (title, season, episode) in [
            ("亮剑", None, Some(31)),
            ("Friends", Some(11), None),
            ("泰坦尼克号", Some(2), None),
            ("亮剑", None, Some(0)),
        ] {
            assert!(
                matches!(of(title, season, episode), Err(NotFound::NoSuchEpisode { .. })),
                "{title} {season:?} {episode:?}"
            );
        }
    }
}
