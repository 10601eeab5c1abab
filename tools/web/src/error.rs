//! Why nothing came from the web.

use incar_core::{ErrorKind, Lang, ToolError};
use std::time::Duration;

/// What is wrong with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlFault {
    /// It is no URL, or names no host.
    Malformed,
    /// It is neither http nor https.
    Scheme,
    /// It holds a user name or a password.
    Credentials,
    /// Its port is not one of the web's.
    Port,
}

/// Why a search or a page did not come.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebError {
    /// The address is not one to read.
    #[error("the address cannot be read: {0:?}")]
    Url(UrlFault),
    /// The host is in a network that pages may not be read from (the car's own, this machine).
    #[error("`{host}` is not on the public web")]
    NotPublic {
        /// The host.
        host: String,
    },
    /// There is no connection: no such name, refused, broken.
    #[error("no connection: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("no answer in time")]
    Late,
    /// The service does not accept the key.
    #[error("the service does not accept the key (status {0})")]
    Key(u16),
    /// The service was asked too often.
    #[error("the service was asked too often")]
    TooOften {
        /// When it may be asked again, if it says so.
        retry_after: Option<Duration>,
    },
    /// What was paid for at the service is used up.
    #[error("what was paid for is used up")]
    UsedUp,
    /// There is no such page.
    #[error("there is no such page")]
    NoPage,
    /// Another status that is no success.
    #[error("status {0}")]
    Status(u16),
    /// More redirects than are followed, or one that leads nowhere.
    #[error("the page redirects too often or nowhere")]
    Redirects,
    /// The page is no text.
    #[error("the page is {0}, not text")]
    NotText(String),
    /// The reply is longer than is read.
    #[error("the reply is longer than {limit} bytes")]
    TooLarge {
        /// How much is read, in bytes.
        limit: usize,
    },
    /// What came is not what was asked for.
    #[error("the reply cannot be read: {0}")]
    Unreadable(String),
    /// There is no network, and the offline corpus does not have it.
    #[error("only the offline corpus is there, and does not have this")]
    Offline,
}

impl WebError {
    /// Whether the network or the service is at fault, so that the offline corpus may answer instead.
    pub(crate) fn is_outage(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Late | Self::TooOften { .. } | Self::UsedUp => true,
            Self::Status(status) => *status >= 500,
            _ => false,
        }
    }

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Url(_) => ErrorKind::InvalidInput,
            Self::NotPublic { .. } => ErrorKind::Denied,
            Self::Late => ErrorKind::ToolTimeout,
            Self::NoPage | Self::Offline => ErrorKind::NotFound,
            Self::NotText(_) | Self::TooLarge { .. } => ErrorKind::Unsupported,
            Self::TooOften { .. } => ErrorKind::Busy,
            Self::Unreachable(_)
            | Self::Key(_)
            | Self::UsedUp
            | Self::Status(_)
            | Self::Redirects
            | Self::Unreadable(_) => ErrorKind::ToolFailed,
        }
    }

    fn sentence(&self, lang: Lang) -> String {
        let (zh, en) = match self {
            Self::Url(UrlFault::Malformed) => ("这不是一个网址。", "That is no web address."),
            Self::Url(UrlFault::Scheme) => ("我只能读网页地址。", "I can only read web addresses."),
            Self::Url(UrlFault::Credentials) => (
                "带用户名或密码的网址我不读。",
                "I don't read addresses with a user name or password.",
            ),
            Self::Url(UrlFault::Port) => ("这个网址的端口我不读。", "I don't read that port of a site."),
            Self::NotPublic { .. } => (
                "这个网址不在公共网络上，我不能读。",
                "That address is not on the public web, so I can't read it.",
            ),
            Self::Unreachable(_) => ("现在连不上网络。", "I can't reach the network right now."),
            Self::Late => ("网络没有及时响应。", "The network didn't answer in time."),
            Self::Key(_) => ("搜索服务的密钥无效。", "The web service doesn't accept the key."),
            Self::TooOften { retry_after: None } => (
                "查询太频繁了，请稍后再试。",
                "That was too often. Please try again later.",
            ),
            Self::TooOften {
                retry_after: Some(wait),
            } => {
                let seconds = wait.as_secs().max(1);
                return lang.pick(
                    format!("查询太频繁了，请{seconds}秒后再试。"),
                    format!("That was too often. Please try again in {seconds} seconds."),
                );
            }
            Self::UsedUp => ("网络服务的额度用完了。", "The web service's allowance is used up."),
            Self::NoPage => ("没有这个网页。", "There is no such page."),
            Self::Status(_) | Self::Unreadable(_) => ("网络服务出错了。", "The web service failed."),
            Self::Redirects => ("这个网页打不开。", "That page can't be opened."),
            Self::NotText(_) => (
                "这个网页不是文字，我读不了。",
                "That page is not text, so I can't read it.",
            ),
            Self::TooLarge { .. } => ("这个网页太大了，我读不了。", "That page is too large for me to read."),
            Self::Offline => (
                "现在没有网络，离线资料里也没有这一页。",
                "There is no network, and the offline articles don't have that page.",
            ),
        };
        lang.pick(zh, en).to_owned()
    }

    /// The failure as a tool tells it.
    pub(crate) fn spoken(&self, lang: Lang) -> ToolError {
        ToolError::new(self.kind(), self.sentence(lang))
    }
}
