//! Searching the web.

use super::spec;
use crate::cut;
use crate::search::{SearchQuery, SearchResults, Source, WebSearch};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// So many results are given where the count is not said.
const USUAL: usize = 5;
/// So many words of a query are sent: it is a question, not a letter.
const QUERY_WORDS: usize = 60;
/// So many words of what was found are spoken.
const SPOKEN_WORDS: usize = 60;

/// `search_web`.
#[derive(Debug)]
pub(super) struct SearchWeb(pub(super) Arc<dyn WebSearch>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to search for.
    query: String,
    /// How many results at most; 5 where not said.
    #[schemars(range(min = 1, max = 10))]
    count: Option<usize>,
}

#[async_trait]
impl TypedTool for SearchWeb {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "search_web",
            "上网搜索，得到网页的标题、网址和摘要",
            "Search the web: titles, addresses and snippets of pages",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let query = cut::line(&args.query, QUERY_WORDS);
        if query.is_empty() {
            let question = cx.lang.pick("请问要搜索什么？", "What should I search for?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "query", question));
        }
        let count = Some(args.count.unwrap_or(USUAL));
        Ok((Args { query, count }, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let query = SearchQuery::new(args.query, cx.lang).with_count(args.count.unwrap_or(USUAL));
        let mut results = self.0.search(&query).await.map_err(|error| error.spoken(cx.lang))?;
        results.hits.truncate(query.count);
        if results.hits.is_empty() && results.answer.is_none() {
            return Err(ToolError::new(ErrorKind::NotFound, nothing(results.source, cx.lang)));
        }
        Ok(ToolOutput::new(results.to_value(&query.text))?.say(sentence(&results, cx.lang)))
    }
}

fn nothing(source: Source, lang: Lang) -> &'static str {
    match source {
        Source::Web(_) => lang.pick("没有搜到相关内容。", "I found nothing about that on the web."),
        Source::Corpus => lang.pick(
            "现在只有离线资料，里面没有相关内容。",
            "I only have the offline articles right now, and they have nothing about that.",
        ),
    }
}

fn sentence(results: &SearchResults, lang: Lang) -> String {
    let found = match (&results.answer, results.hits.first()) {
        (Some(answer), _) => answer.text.clone(),
        (None, Some(hit)) => lang.pick(
            format!("{}：{}", hit.title, hit.snippet),
            format!("{}: {}", hit.title, hit.snippet),
        ),
        (None, None) => String::new(),
    };
    let found = cut::line(&found, SPOKEN_WORDS);
    match results.source {
        Source::Web(_) => found,
        Source::Corpus => lang.pick(
            format!("离线资料里查到，{found}"),
            format!("From the offline articles: {found}"),
        ),
    }
}
