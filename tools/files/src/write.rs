//! Writing a text file.

use crate::folder::{Folder, Written};
use crate::path::FilePath;
use crate::{on_disk, spec};
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `write_text_file`. Writing the same text twice is writing it once, so it is a `set`.
#[derive(Debug)]
pub(super) struct WriteTextFile(pub(super) Arc<Folder>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The file, by its path in the folder.
    path: String,
    /// All that the file is to hold; what it held before is gone.
    text: String,
}

#[async_trait]
impl TypedTool for WriteTextFile {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "write_text_file",
            Effect::Set,
            "把文字写进文件夹里的一个文本文件，代替原来的内容",
            "Write a text file of the folder, in place of what it held",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        // Nobody is asked whether to write where nothing can be written.
        FilePath::parse(&args.path).map_err(|error| error.spoken(cx.lang))?;
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let path = FilePath::parse(&args.path).map_err(|error| error.spoken(cx.lang))?;
        let (folder, text) = (self.0.clone(), args.text.clone());
        let written = on_disk(cx, move || folder.write(&path, &text)).await?;
        let lines = args.text.lines().count();
        let result = json!({
            "path": args.path.trim(),
            "lines": lines,
            "bytes": args.text.len(),
            "created": written == Written::Created,
        });
        let path = args.path.trim();
        let say = match written {
            Written::Created => cx.lang.pick(
                format!("已新建{path}，共{lines}行。"),
                format!("I made {path}, {lines} lines."),
            ),
            Written::Replaced => cx.lang.pick(
                format!("已更新{path}，共{lines}行。"),
                format!("I updated {path}, {lines} lines."),
            ),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}
