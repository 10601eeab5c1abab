//! Looking at a text file.

use crate::folder::Folder;
use crate::path::FilePath;
use crate::{on_disk, spec};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many lines and characters are shown at once; the rest is asked for by its lines.
const LINES: usize = 400;
const CHARACTERS: usize = 20_000;
/// So many characters of the first line are spoken.
const SPOKEN: usize = 80;

/// `view_text_file`.
#[derive(Debug)]
pub(super) struct ViewTextFile(pub(super) Arc<Folder>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The file, by its path in the folder.
    path: String,
    /// The first line, counted from 1; the beginning where not said.
    #[schemars(range(min = 1))]
    from_line: Option<usize>,
    /// The last line; the end where not said.
    #[schemars(range(min = 1))]
    to_line: Option<usize>,
}

#[async_trait]
impl TypedTool for ViewTextFile {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "view_text_file",
            Effect::Read,
            "查看文件夹里的一个文本文件，可以只看几行",
            "Show a text file of the folder, whole or some lines of it",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let path = FilePath::parse(&args.path).map_err(|error| error.spoken(cx.lang))?;
        let folder = self.0.clone();
        let text = on_disk(cx, move || folder.read(&path)).await?;
        let total = text.lines().count();
        let from = args.from_line.unwrap_or(1);
        if from > total.max(1) {
            let question = cx.lang.pick(
                format!("这个文件只有{total}行，从第几行开始？"),
                format!("The file has only {total} lines. From which line?"),
            );
            return Err(ToolError::ask(ErrorKind::OutOfRange, "from_line", question));
        }
        if args.to_line.is_some_and(|to| to < from) {
            let question = cx.lang.pick("到第几行为止？", "Up to which line?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "to_line", question));
        }
        let wanted = args.to_line.unwrap_or(total).min(total);
        let (shown, to) = lines(&text, from, wanted);
        let say = sentence(&args.path, total, &shown, cx.lang);
        let mut result = json!({
            "path": args.path.trim(),
            "from_line": from,
            "to_line": to,
            "lines": total,
            "text": shown,
        });
        if to < wanted
            && let Value::Object(fields) = &mut result
        {
            let notice = cx.lang.pick(
                format!("只显示到第{to}行，后面从第{}行接着看。", to + 1),
                format!("Shown up to line {to}; go on from line {}.", to + 1),
            );
            fields.insert("notice".into(), notice.into());
        }
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// The lines from one to another, as many as are shown at once, and the last that is shown. The first one is always
/// shown, cut if it must be.
fn lines(text: &str, from: usize, to: usize) -> (String, usize) {
    let (mut shown, mut characters, mut last) = (String::new(), 0, from);
    let wanted = text
        .lines()
        .enumerate()
        .skip(from - 1)
        .take((to + 1).saturating_sub(from).min(LINES));
    for (index, line) in wanted {
        let length = line.chars().count() + 1;
        if index + 1 == from {
            shown.extend(line.chars().take(CHARACTERS));
        } else if characters + length <= CHARACTERS {
            shown.push('\n');
            shown.push_str(line);
        } else {
            break;
        }
        characters += length;
        last = index + 1;
    }
    (shown, last)
}

fn sentence(path: &str, total: usize, shown: &str, lang: Lang) -> String {
    let first: String = shown.lines().next().unwrap_or_default().chars().take(SPOKEN).collect();
    let path = path.trim();
    match first.trim() {
        "" => lang.pick(format!("{path}共{total}行。"), format!("{path} has {total} lines.")),
        first => lang.pick(
            format!("{path}共{total}行：{first}"),
            format!("{path} has {total} lines: {first}"),
        ),
    }
}
