//! The web for a voice assistant: `search_web` and `read_page`, over services behind [`WebSearch`] and [`PageReader`],
//! and an offline [`Corpus`] that stands in for both where there is no network.
//!
//! [`WebTools`] puts them together:
//!
//! ```
//! use incar_web::WebTools;
//!
//! let tools = WebTools::offline().tools();
//! assert_eq!(tools.len(), 2);
//! ```
//!
//! What comes from the web is bounded in size and time, is marked untrusted, and is fetched only from public addresses
//! unless the host allows others.

mod cache;
mod clients;
mod config;
mod corpus;
mod cut;
mod error;
mod fallback;
mod fetch;
mod http;
mod page;
mod search;
mod settings;
#[cfg(test)]
mod testing;
mod tools;

pub use cache::{NotOnlyRead, ReadCache};
pub use clients::{Access, JinaReader, SearchClient, SearchService};
pub use config::ConfigError;
pub use corpus::{Article, Corpus};
pub use error::{UrlFault, WebError};
pub use fetch::{FetchConfig, Fetcher, HostResolver, Network, NetworkFault, Ports};
pub use page::{Page, PageReader};
pub use search::{DirectAnswer, SearchHit, SearchQuery, SearchResults, Source, WebSearch};
pub use settings::{Reader, WebSettings};
pub use tools::{Lifetimes, WebTools};
