//! Pages, friendly and hostile.

use crate::site::{Answer, Site};
use incar_core::async_trait;
use incar_web::{FetchConfig, Fetcher, HostResolver, PageReader, Ports, UrlFault, WebError};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PARAGRAPH: &str = "The lake was dammed in 1934, and it is, as people say, very deep and very cold.";

/// Names with the answers that each look-up gets, the last again and again; remembers what was looked up.
#[derive(Debug, Default)]
struct Names {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    fn new<'a>(names: impl IntoIterator<Item = (&'a str, &'a [&'a str])>) -> Arc<Self> {
        let addresses = |answer: &&str| answer.split(' ').map(|address| address.parse().unwrap()).collect();
        let answers = names
            .into_iter()
            .map(|(name, answers)| (name.to_owned(), answers.iter().map(addresses).collect()));
        Arc::new(Self {
            answers: Mutex::new(answers.collect()),
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl HostResolver for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answers = answers.get_mut(host).ok_or_else(|| io::Error::other("no such name"))?;
        match answers.len() {
            1 => Ok(answers[0].clone()),
            _ => Ok(answers.pop_front().unwrap()),
        }
    }
}

/// Nothing is allowed but the public web; any port, since tests get theirs from the system.
fn strict() -> FetchConfig {
    FetchConfig::default()
        .with_ports(Ports::Any)
        .with_timeout(Duration::from_secs(20))
}

/// 127.0.0.1 plays the public web; the rest of this machine is what it is.
fn config() -> FetchConfig {
    strict().with_allowed("127.0.0.1".parse().unwrap())
}

fn fetcher() -> Fetcher {
    config().build().unwrap()
}

#[tokio::test]
async fn a_page_is_read_by_its_type() {
    let gbk = encoding_rs_gbk();
    let site = Site::start(move |path| match path {
        "/html" => Answer::html(format!("<title>Lake</title><nav>Menu</nav><p>{PARAGRAPH}</p>")),
        "/gbk" => Answer::new(200, &["content-type: text/html"], &gbk),
        "/plain" => Answer::new(200, &["content-type: text/plain"], "a < b\nc"),
        "/json" => Answer::json(r#"{"opened":1934}"#),
        "/title" => Answer::html(format!("<title>{}</title><p>x", "word ".repeat(100_000))),
        "/xhtml" => Answer::new(200, &["content-type: application/xhtml+xml"], "<p>x</p>"),
        _ => Answer::new(404, &[], ""),
    })
    .await;
    for (path, title, text) in [
        ("/html", "Lake", PARAGRAPH),
        ("/gbk", "西湖", "西湖在杭州。"),
        ("/plain", "", "a < b\nc"),
        ("/json", "", r#"{"opened":1934}"#),
        ("/xhtml", "", "x"),
    ] {
        let page = fetcher().read(&site.url(path)).await.unwrap();
        assert_eq!((page.title.as_str(), page.text.as_str()), (title, text), "{path}");
        assert_eq!(page.url, site.url(path));
    }
    let page = fetcher().read(&site.url("/title")).await.unwrap();
    assert!(page.title.len() < 200 && page.text == "x", "{}", page.title);
    assert_eq!(fetcher().read(&site.url("/none")).await, Err(WebError::NoPage));
    let head = site.asked()[0].to_ascii_lowercase();
    for line in ["accept-encoding: identity", "user-agent: incar/"] {
        assert!(head.contains(line), "{head}");
    }
    for line in ["cookie", "referer", "authorization"] {
        assert!(!head.contains(line), "{head}");
    }
}

/// A page in GBK that says so itself.
fn encoding_rs_gbk() -> Vec<u8> {
    let mut page = b"<meta charset=gbk><title>".to_vec();
    page.extend([0xce, 0xf7, 0xba, 0xfe]); // 西湖
    page.extend(b"</title><p>");
    page.extend([0xce, 0xf7, 0xba, 0xfe, 0xd4, 0xda, 0xba, 0xbc, 0xd6, 0xdd, 0xa1, 0xa3]); // 西湖在杭州。
    page
}

#[tokio::test]
async fn what_is_no_text_is_refused_unread() {
    let site = Site::start(|path| match path {
        "/picture" => Answer::new(200, &["content-type: image/png"], "\u{89}PNG"),
        "/archive" => Answer::new(200, &["content-type: application/octet-stream"], "x"),
        "/none" => Answer::new(200, &[], "x"),
        "/packed" => Answer::new(200, &["content-type: text/html", "content-encoding: gzip"], "x"),
        "/liar" => Answer::html(b"<p>\0\0\0"),
        _ => Answer::new(500, &[], "x"),
    })
    .await;
    for (path, what) in [
        ("/picture", "image/png"),
        ("/archive", "application/octet-stream"),
        ("/none", "of no known type"),
        ("/packed", "gzip"),
        ("/liar", "binary data"),
    ] {
        assert_eq!(
            fetcher().read(&site.url(path)).await,
            Err(WebError::NotText(what.to_owned()))
        );
    }
    assert_eq!(fetcher().read(&site.url("/")).await, Err(WebError::Status(500)));
}

#[tokio::test]
async fn huge_and_endless_pages_are_given_up_at_the_bound() {
    let site = Site::start(|path| match path {
        "/told" => Answer::html("x".repeat(100_001)),
        "/untold" => Answer::endless(&["content-type: text/html"], "<p>more and more "),
        "/slow" => Answer::Hang(b"HTTP/1.1 200 X\r\ncontent-type: text/html\r\n\r\n<p>a".to_vec()),
        "/silent" => Answer::Hang(Vec::new()),
        "/headers" => Answer::Endless(b"HTTP/1.1 200 X\r\n".to_vec(), b"x-more: and more\r\n".to_vec()),
        _ => Answer::html("x".repeat(100_000)),
    })
    .await;
    let bounded = config().with_limit(100_000).build().unwrap();
    assert!(bounded.read(&site.url("/just")).await.is_ok());
    for path in ["/told", "/untold"] {
        let read = bounded.read(&site.url(path)).await;
        assert_eq!(read, Err(WebError::TooLarge { limit: 100_000 }), "{path}");
    }
    assert!(matches!(
        bounded.read(&site.url("/headers")).await,
        Err(WebError::Unreachable(_))
    ));
    let hurried = config().with_timeout(Duration::from_millis(200)).build().unwrap();
    for path in ["/slow", "/silent"] {
        assert_eq!(hurried.read(&site.url(path)).await, Err(WebError::Late), "{path}");
    }
}

#[tokio::test]
async fn five_redirects_are_followed_and_no_more() {
    let site = Site::start(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(0) => Answer::html(PARAGRAPH),
        Ok(left) => Answer::redirect(&format!("/{}", left - 1)),
        Err(_) => Answer::new(302, &[], ""),
    })
    .await;
    let page = fetcher().read(&site.url("/5")).await.unwrap();
    assert_eq!((page.url, page.text.as_str()), (site.url("/0"), PARAGRAPH));
    assert_eq!(fetcher().read(&site.url("/6")).await, Err(WebError::Redirects));
    assert_eq!(
        site.paths(),
        ["/5", "/4", "/3", "/2", "/1", "/0", "/6", "/5", "/4", "/3", "/2", "/1"]
    );
    assert_eq!(fetcher().read(&site.url("/nowhere")).await, Err(WebError::Redirects));
}

#[tokio::test]
async fn a_redirect_to_where_pages_may_not_be_read_from_is_not_followed() {
    let inner = Site::at("127.0.0.2:0", |_| Answer::html("the secret of the car")).await;
    let port = inner.port;
    let site = Site::start(move |path| match path {
        "/loopback" => Answer::redirect(&format!("http://127.0.0.2:{port}/")),
        "/mapped" => Answer::redirect(&format!("http://[::ffff:127.0.0.2]:{port}/")),
        "/metadata" => Answer::redirect("http://169.254.169.254/latest/meta-data/"),
        "/private" => Answer::redirect("http://192.168.1.1/"),
        "/named" => Answer::redirect(&format!("http://inner.test:{port}/")),
        "/user" => Answer::redirect("http://me:pass@example.com/"),
        _ => Answer::redirect("file:///etc/passwd"),
    })
    .await;
    let names = Names::new([("inner.test", &["127.0.0.2"] as &[&str])]);
    let fetcher = config().with_resolver(names).build().unwrap();
    let refused = |host: &str| WebError::NotPublic { host: host.to_owned() };
    for (path, error) in [
        ("/loopback", refused("127.0.0.2")),
        ("/mapped", refused("[::ffff:7f00:2]")),
        ("/metadata", refused("169.254.169.254")),
        ("/private", refused("192.168.1.1")),
        ("/named", refused("inner.test")),
        ("/user", WebError::Url(UrlFault::Credentials)),
        ("/file", WebError::Url(UrlFault::Scheme)),
    ] {
        assert_eq!(fetcher.read(&site.url(path)).await, Err(error), "{path}");
    }
    assert_eq!(inner.asked().len(), 0);
}

#[tokio::test]
async fn a_name_is_judged_by_every_address_that_it_has() {
    let site = Site::start(|_| Answer::html(PARAGRAPH)).await;
    let names = Names::new([
        ("good.test", &["127.0.0.1"] as &[&str]),
        ("inner.test", &["127.0.0.2"]),
        ("both.test", &["127.0.0.1 127.0.0.2"]),
        ("mapped.test", &["::ffff:10.0.0.1"]),
        ("translated.test", &["64:ff9b::a9fe:a9fe"]),
        ("local.test", &["fe80::1"]),
        ("metadata.test", &["169.254.169.254"]),
    ]);
    let fetcher = config().with_resolver(names.clone()).build().unwrap();
    let at = |host: &str| format!("http://{host}:{}/", site.port);
    assert!(fetcher.read(&at("good.test")).await.is_ok());
    for host in [
        "inner.test",
        "both.test",
        "mapped.test",
        "translated.test",
        "local.test",
        "metadata.test",
    ] {
        let refused = WebError::NotPublic { host: host.to_owned() };
        assert_eq!(fetcher.read(&at(host)).await, Err(refused));
    }
    assert!(matches!(
        fetcher.read(&at("no.test")).await,
        Err(WebError::Unreachable(_))
    ));
    assert_eq!(site.asked().len(), 1);
    // Without leave not even 127.0.0.1 is read.
    let strict = strict().with_resolver(names).build().unwrap();
    assert!(matches!(
        strict.read(&at("good.test")).await,
        Err(WebError::NotPublic { .. })
    ));
    assert!(matches!(
        strict.read(&site.url("/")).await,
        Err(WebError::NotPublic { .. })
    ));
    assert_eq!(site.asked().len(), 1);
}

#[tokio::test]
async fn a_name_that_changes_its_address_leads_nowhere_else() {
    let inner = Site::at("127.0.0.2:0", |_| Answer::html("the secret of the car")).await;
    let port = inner.port;
    let site = Site::at(&format!("127.0.0.1:{port}"), |path| match path {
        "/again" => Answer::redirect("/more"),
        _ => Answer::html(PARAGRAPH),
    })
    .await;
    // A good address at first, this machine's own from the second look-up on.
    let changing = || Names::new([("rebind.test", &["127.0.0.1", "127.0.0.2"] as &[&str])]);
    let names = changing();
    let fetcher = config().with_resolver(names.clone()).build().unwrap();
    // One look-up is checked and connected to: there is no second one that could differ.
    let page = fetcher.read(&format!("http://rebind.test:{port}/")).await.unwrap();
    assert_eq!((page.text.as_str(), names.asked().len()), (PARAGRAPH, 1));
    // The next page, or a redirect to the same host, is looked up and checked anew.
    let refused = Err(WebError::NotPublic {
        host: "rebind.test".to_owned(),
    });
    assert_eq!(fetcher.read(&format!("http://rebind.test:{port}/")).await, refused);
    let names = changing();
    let fetcher = config().with_resolver(names.clone()).build().unwrap();
    assert_eq!(fetcher.read(&format!("http://rebind.test:{port}/again")).await, refused);
    assert_eq!(
        (site.paths(), inner.asked().len()),
        (vec!["/".to_owned(), "/again".to_owned()], 0)
    );
}
