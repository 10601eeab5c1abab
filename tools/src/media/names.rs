//! The names that the tools' arguments take.

use std::sync::Arc;

use incar_core::{KnownName, Lang, NameMatch, NameSource};

use super::service::MediaService;
use crate::library::NameKind;
use crate::names::Fit;

/// More names than this are of no use to anybody.
const MOST: usize = 5;

/// The library's names of one kind. The library is asked for each time: a back end's may change.
#[derive(Debug)]
struct LibraryNames {
    media: Arc<dyn MediaService>,
    kind: NameKind,
}

/// The names of `kind` in the library of `media`.
pub(super) fn source(media: &Arc<dyn MediaService>, kind: NameKind) -> Arc<dyn NameSource> {
    Arc::new(LibraryNames {
        media: media.clone(),
        kind,
    })
}

impl NameSource for LibraryNames {
    fn look_up(&self, heard: &str, _: Lang) -> Vec<KnownName> {
        let library = self.media.library();
        let Some(found) = library.look_up(self.kind, heard) else {
            return Vec::new();
        };
        let matched = match found.fit {
            Fit::Exact | Fit::Alias => NameMatch::Exact,
            Fit::Part | Fit::Spelling => NameMatch::Partial,
            Fit::Sound => NameMatch::Sound,
        };
        let names = found.ids.into_iter().take(MOST);
        names
            .map(|name| KnownName {
                name: name.to_owned(),
                matched,
            })
            .collect()
    }
}
