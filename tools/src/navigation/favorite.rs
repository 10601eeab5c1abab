//! The places that a driver has names for.

use std::fmt;

/// The name under which a place is kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Favorite {
    /// Where the driver lives.
    Home,
    /// Where the driver works.
    Company,
    /// A name of the driver's own, lower case.
    Named(String),
}

const HOME: [&str; 14] = [
    "home",
    "my home",
    "my house",
    "my place",
    "back home",
    "the house",
    "家",
    "家里",
    "我家",
    "我家里",
    "回家",
    "回我家",
    "自己家",
    "住的地方",
];
const COMPANY: [&str; 22] = [
    "company",
    "my company",
    "the company",
    "work",
    "my work",
    "office",
    "the office",
    "my office",
    "workplace",
    "my workplace",
    "公司",
    "我公司",
    "我们公司",
    "单位",
    "我单位",
    "我们单位",
    "办公室",
    "上班",
    "上班的地方",
    "去上班",
    "回公司",
    "工作的地方",
];

impl Favorite {
    /// The name that the driver said: words for home and for work, else the name as it is.
    pub fn of_words(said: &str) -> Self {
        let said = said.trim().to_lowercase();
        if HOME.contains(&said.as_str()) {
            Self::Home
        } else if COMPANY.contains(&said.as_str()) {
            Self::Company
        } else {
            Self::Named(said)
        }
    }

    /// As text: `home`, `company` or the name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Home => "home",
            Self::Company => "company",
            Self::Named(name) => name,
        }
    }
}

impl fmt::Display for Favorite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_and_work_have_many_words() {
        for (said, favorite) in [
            ("家", Favorite::Home),
            ("回家", Favorite::Home),
            (" My House ", Favorite::Home),
            ("公司", Favorite::Company),
            ("Work", Favorite::Company),
            ("健身房", Favorite::Named("健身房".into())),
            ("Homestead", Favorite::Named("homestead".into())),
        ] {
            assert_eq!(Favorite::of_words(said), favorite, "{said}");
        }
    }
}
