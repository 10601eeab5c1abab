//! Reading a page.

use super::spec;
use crate::cut;
use crate::page::{Page, PageReader};
use crate::search::{Source, put};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many words of a page are spoken.
const SPOKEN_WORDS: usize = 60;

/// `read_page`.
#[derive(Debug)]
pub(super) struct ReadPage {
    pub(super) reader: Arc<dyn PageReader>,
    /// So many words of a page are given.
    pub(super) words: usize,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The address of the page, as a search result gives it.
    url: String,
}

#[async_trait]
impl TypedTool for ReadPage {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "read_page",
            "读一个网页的正文，网址来自搜索结果",
            "Read the text of a web page whose address a search gave",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let url = args.url.trim();
        if url.is_empty() {
            let question = cx.lang.pick("请问要读哪个网页？", "Which page?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "url", question));
        }
        // What follows # never leaves for the server.
        let url = url.split('#').next().unwrap_or(url).to_owned();
        Ok((Args { url }, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let page = self.reader.read(&args.url).await;
        let page = page.map_err(|error| error.spoken(cx.lang))?;
        Ok(ToolOutput::new(self.result(&page, cx.lang))?.say(sentence(&page, cx.lang)))
    }
}

impl ReadPage {
    fn result(&self, page: &Page, lang: Lang) -> Value {
        let begin = cut::beginning(page.text.trim(), self.words);
        let mut value = json!({
            "url": page.url,
            "source": page.source.name(),
            "title": page.title,
            "text": begin.text,
        });
        if let Some(updated) = &page.updated {
            put(&mut value, "updated", updated.as_str());
        }
        if begin.is_cut(self.words) {
            let notice = lang.pick(
                format!("全文{}词，这里只有前{}词。", begin.words, self.words),
                format!(
                    "The page has {} words; these are the first {}.",
                    begin.words, self.words
                ),
            );
            put(&mut value, "notice", notice);
        }
        value
    }
}

fn sentence(page: &Page, lang: Lang) -> String {
    let begin = cut::line(&page.text, SPOKEN_WORDS);
    let said = match page.title.trim() {
        "" => begin,
        title => lang.pick(format!("{title}：{begin}"), format!("{title}: {begin}")),
    };
    match page.source {
        Source::Web(_) => said,
        Source::Corpus => lang.pick(
            format!("离线资料，{said}"),
            format!("From the offline articles, {said}"),
        ),
    }
}
