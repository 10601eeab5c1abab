//! The form of the articles, and that questions find theirs.

use super::*;
use std::collections::HashMap;

/// Questions as drivers and research agents put them, and the articles that answer them. The first ones are one hop
/// each of a question of several.
const QUESTIONS: &str = include_str!("questions.tsv");

fn questions() -> Vec<(&'static str, Vec<&'static str>)> {
    let rows = QUESTIONS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        let (question, ids) = line.split_once('\t').unwrap();
        (question, ids.split(' ').collect())
    })
    .collect()
}

#[test]
fn every_file_is_sound() {
    let mut count: HashMap<Lang, usize> = HashMap::new();
    let mut seen = HashSet::new();
    for (lang, file) in FILES {
        for article in article::read(lang, file).unwrap_or_else(|fault| panic!("{fault}")) {
            let id = article.id();
            assert!(seen.insert(id), "{id} stands twice");
            let of_id = id
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(of_id && id.ends_with(lang.pick("-zh", "-en")), "{id}");
            let words = cut::beginning(article.text(), 0).words;
            let bounds = lang.pick(80..=280, 70..=250);
            assert!(bounds.contains(&words), "{id} has {words} words");
            assert_eq!(Lang::of_text(article.text()), Some(lang), "{id}");
            let updated = article.updated().is_none_or(|updated| updated.starts_with(['1', '2']));
            assert!(updated && !article.tags().is_empty(), "{id}");
            *count.entry(lang).or_default() += 1;
        }
    }
    assert!(
        count[&Lang::Zh] >= LEAST_ZH && count[&Lang::En] >= LEAST_EN,
        "{count:?}"
    );
}

const LEAST_ZH: usize = 70;
const LEAST_EN: usize = 55;

#[tokio::test]
async fn questions_find_their_articles() {
    let corpus = Corpus::embedded();
    let (mut first, mut among_three, mut missed) = (0, 0, Vec::new());
    let questions = questions();
    for (question, ids) in &questions {
        for id in ids {
            assert!(corpus.article(id).is_some(), "{id} is no article");
        }
        let lang = Lang::of_text(question).unwrap();
        let query = SearchQuery::new(*question, lang).with_count(3);
        let found = corpus.search(&query).await.unwrap();
        assert_eq!(found.source, Source::Corpus);
        let found: Vec<&str> = found
            .hits
            .iter()
            .map(|hit| hit.url.strip_prefix(ADDRESS).unwrap())
            .collect();
        let is_first = found.first().is_some_and(|id| ids.contains(id));
        let is_there = found.iter().any(|id| ids.contains(id));
        first += usize::from(is_first);
        among_three += usize::from(is_there);
        if !is_first {
            missed.push(format!("{question}: {found:?}"));
        }
    }
    let (all, missed) = (questions.len(), missed.join("\n"));
    assert!(all >= 40, "{all} questions");
    assert!(first * 100 >= all * 90, "{first} of {all} first\n{missed}");
    assert!(
        among_three * 100 >= all * 97,
        "{among_three} of {all} among three\n{missed}"
    );
}

#[tokio::test]
async fn what_the_articles_say_nothing_of_finds_nothing() {
    let corpus = Corpus::embedded();
    for question in [
        "zyxwv qqq",
        "斐波那契数列的通项公式",
        "who wrote hamlet",
        "how do I bake sourdough bread",
        "",
    ] {
        let lang = Lang::of_text(question).unwrap_or_default();
        let found = corpus.search(&SearchQuery::new(question, lang)).await.unwrap();
        assert!(found.hits.is_empty(), "{question}: {:?}", found.hits);
    }
}

#[tokio::test]
async fn a_snippet_begins_where_the_answer_stands() {
    let corpus = Corpus::embedded();
    for (question, says) in [
        ("西湖哪一年列入世界遗产", "2011年6月"),
        ("东湖绿道什么时候开放", "2016年12月28日"),
        ("when did Hoover Dam get dedicated", "30 September 1935"),
        ("when did Navy Pier open", "opened in 1916"),
    ] {
        let lang = Lang::of_text(question).unwrap();
        let found = corpus.search(&SearchQuery::new(question, lang)).await.unwrap();
        let snippet = &found.hits[0].snippet;
        assert!(snippet.contains(says), "{question}: {snippet}");
    }
}

#[tokio::test]
async fn every_article_is_read_by_the_address_that_a_search_gives() {
    let corpus = Corpus::embedded();
    for article in corpus.articles() {
        let page = corpus.read(&address(article)).await.unwrap();
        assert_eq!(
            (page.title.as_str(), page.text.as_str()),
            (article.title(), article.text())
        );
        assert_eq!(
            (page.source, page.updated.as_deref()),
            (Source::Corpus, article.updated())
        );
    }
    for url in ["incar://corpus/no-such-article", "https://example.com/", ""] {
        assert_eq!(corpus.read(url).await, Err(WebError::Offline), "{url}");
    }
}

#[test]
fn old_and_new_articles_on_one_subject_tell_their_age() {
    let corpus = Corpus::embedded();
    let mut pairs = 0;
    for old in corpus
        .articles()
        .iter()
        .filter(|article| article.id().contains("-old-"))
    {
        let new = corpus.article(&old.id().replace("-old-", "-")).unwrap();
        assert!(old.updated().unwrap() < new.updated().unwrap(), "{}", old.id());
        pairs += 1;
    }
    assert!(pairs >= 3, "{pairs} pairs");
}
