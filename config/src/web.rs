//! `[web]`: a search service, a reader of pages, and the offline articles behind both.

use crate::reading::{self, Reading};
use crate::secret::{self, KEY, Secret, Whereabouts};
use crate::settings::put;
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Faults, Place, Section};
use incar_web::{ConfigError, JinaReader, Network, Reader, SearchService, WebSettings, WebTools};

/// The web.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Web {
    settings: WebSettings,
    key: Option<Secret>,
    reader_key: Option<Secret>,
    place: Place,
}

const SEARCH: [(&str, Option<SearchService>); 5] = [
    ("offline", None),
    ("serpapi", Some(SearchService::SerpApi)),
    ("serper", Some(SearchService::Serper)),
    ("tavily", Some(SearchService::Tavily)),
    ("searxng", Some(SearchService::SearXng)),
];
const READERS: [(&str, Reader); 2] = [("fetch", Reader::Fetch), ("jina", Reader::Jina)];

/// Where the key of Jina Reader is.
const READER_KEY: Whereabouts = Whereabouts {
    env: "reader_key_env",
    file: "reader_key_file",
};

/// The keys that only what goes to a network has a use for.
const ONLINE: [&str; 10] = [
    "url",
    KEY.env,
    KEY.file,
    "reader",
    "reader_url",
    READER_KEY.env,
    READER_KEY.file,
    "timeout_s",
    "page_bytes",
    "allow",
];

/// By what names the settings ask for the keys that stand here.
const SEARCH_SECRET: &str = "web.key";
const READER_SECRET: &str = "web.reader_key";

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>, faults: &Faults) -> Option<Web> {
    let told = faults.count();
    let search = section.one_of("search", &SEARCH);
    let mut settings = WebSettings::default();
    settings.search = search.flatten();
    settings.url = section.text("url");
    settings.reader_url = section.text("reader_url");
    put(&mut settings.reader, section.one_of("reader", &READERS));
    put(
        &mut settings.timeout,
        section.integer("timeout_s", 1..=25_u32).map(u64::from),
    );
    put(
        &mut settings.page_words,
        reading::size(&section, "page_words", 100..=100_000),
    );
    put(
        &mut settings.page_bytes,
        reading::size(&section, "page_bytes", 10_000..=100_000_000),
    );
    put(
        &mut settings.keep_search,
        section.integer("keep_search_s", 0..=86_400_u32).map(u64::from),
    );
    put(
        &mut settings.keep_page,
        section.integer("keep_page_s", 0..=86_400_u32).map(u64::from),
    );
    put(&mut settings.offline_fallback, section.flag("offline_fallback"));
    settings.allow = networks(&section);
    let key = search_key(&section, reading, &settings);
    let usual =
        Some(JinaReader::KEY_VARIABLE).filter(|_| settings.reader == Reader::Jina && settings.reader_url.is_none());
    let reader_key = secret::read_or_usual(&section, reading, READER_KEY, usual);
    settings.key_env = key.is_some().then(|| SEARCH_SECRET.to_owned());
    settings.reader_key_env = Some(READER_SECRET.to_owned());
    let fits = search.is_some() || !section.has("search");
    if fits {
        check_use(&section, &settings);
    }
    let web = Web {
        settings,
        key,
        reader_key,
        place: section.place().clone(),
    };
    if faults.count() == told {
        web.check(&section);
    }
    section.finish();
    (faults.count() == told).then_some(web)
}

fn networks(section: &Section<'_>) -> Vec<String> {
    let written = section.texts("allow").unwrap_or_default();
    let network = |(text, place): (String, Place)| match text.parse::<Network>() {
        Ok(_) => Some(text),
        Err(_) => {
            let message = format!("`{text}` is no network");
            let fix = "write: allow = [\"192.168.10.0/24\"], or one address";
            section.fault_at(place, "allow", Code::UnknownValue, message, fix);
            None
        }
    };
    written.into_iter().filter_map(network).collect()
}

fn search_key(section: &Section<'_>, reading: Reading<'_>, settings: &WebSettings) -> Option<Secret> {
    let service = settings.search;
    // A key that lies in the environment goes to the service's own address alone.
    let usual = service.and_then(SearchService::key_variable);
    let here = usual.filter(|_| settings.url.is_none());
    let key = secret::read_or_usual(section, reading, KEY, here);
    if let Some(service) = service
        && usual.is_some()
        && key.is_none()
    {
        secret::missing_key(section, "search", service.name(), here);
    }
    key
}

/// Tells of keys that what was chosen has no use for.
fn check_use(section: &Section<'_>, settings: &WebSettings) {
    if settings.search.is_none() {
        let fix = "write search = \"tavily\" or another service, or leave it out";
        reading::unused(section, &ONLINE, "the offline corpus", fix);
        reading::unused(section, &["offline_fallback"], "the offline corpus", fix);
        return;
    }
    match settings.reader {
        Reader::Jina => {
            let fix = "write reader = \"fetch\", or leave it out";
            reading::unused(section, &["page_bytes", "allow"], "Jina Reader", fix);
        }
        _ => {
            let fix = "write reader = \"jina\", or leave it out";
            let keys = ["reader_url", READER_KEY.env, READER_KEY.file];
            reading::unused(section, &keys, "a reader that fetches pages itself", fix);
        }
    }
}

impl Web {
    /// What the tools are made from. Keys are not among it.
    pub fn settings(&self) -> &WebSettings {
        &self.settings
    }

    /// `search_web` and `read_page`, with one cache.
    ///
    /// # Errors
    /// Where no client can be made, which was tried when the configuration was read.
    pub fn build(&self) -> Result<WebTools, Diagnostics> {
        self.with(&self.settings).map_err(|error| {
            let fix = "docs/configuration.md describes every key";
            Diagnostic::new(self.place.clone(), "web", Code::Unusable, error.to_string(), fix).into()
        })
    }

    fn with(&self, settings: &WebSettings) -> Result<WebTools, ConfigError> {
        settings.build_with(|name| {
            let secret = match name {
                SEARCH_SECRET => self.key.as_ref(),
                READER_SECRET => self.reader_key.as_ref(),
                _ => None,
            };
            secret.map(|secret| secret.expose().to_owned())
        })
    }

    /// Tells why no tools can be made, at the key that it is about.
    fn check(&self, section: &Section<'_>) {
        let mut search = self.settings.clone();
        search.reader = Reader::Fetch;
        if let Err(error) = self.with(&search) {
            unusable(section, &error, "search", "url", KEY);
        } else if let Err(error) = self.with(&self.settings) {
            unusable(section, &error, "reader", "reader_url", READER_KEY);
        }
    }
}

fn unusable(section: &Section<'_>, error: &ConfigError, what: &'static str, url: &'static str, key: Whereabouts) {
    let address = format!("write: {url} = \"https://host\"");
    match error {
        ConfigError::Url(_) => {
            let message = "it is no address of a service: it must begin with http:// or https:// and hold no key";
            section.fault(url, Code::UnknownValue, message, address);
        }
        ConfigError::NoUrl(_) => {
            let message = "it is missing: this service has no address of its own";
            section.fault(url, Code::Missing, message, address);
        }
        ConfigError::Key => {
            let at = if section.has(key.file) { key.file } else { key.env };
            let message = "the key is empty or holds characters that a key cannot have";
            section.fault(at, Code::Unusable, message, "put the key there and nothing else");
        }
        ConfigError::KeyOverPlainHttp(host) => {
            let message = format!("the key would go to `{host}` unencrypted");
            section.fault(url, Code::Conflict, message, "use https");
        }
        other => {
            let fix = "docs/configuration.md describes every key";
            section.fault(what, Code::Unusable, other.to_string(), fix);
        }
    }
}
