//! Working out a sum.

use super::arithmetic::{ArithmeticError, evaluate};
use super::{figures, spec};
use incar_core::{ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `calculate`.
#[derive(Debug)]
pub(super) struct Calculate;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The sum, written or in words: "(3+5)*2", "15% of 84", 八十四的百分之十五.
    expression: String,
}

#[async_trait]
impl TypedTool for Calculate {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec("calculate", "计算算式", "Work out an arithmetic expression")
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let evaluated = evaluate(&args.expression).map_err(|error| spoken(error, cx.lang))?;
        let short = figures::short(evaluated.value);
        let is_rounded = evaluated.approximate || short.parse() != Ok(evaluated.value);
        let about = if is_rounded { cx.lang.pick("约", "about ") } else { "" };
        let say = cx
            .lang
            .pick(format!("{about}等于{short}。"), format!("It is {about}{short}."));
        let result = json!({
            "expression": evaluated.expression,
            "result": evaluated.result,
            "value": crate::vehicle::number(evaluated.value),
            "approximate": evaluated.approximate,
        });
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn spoken(error: ArithmeticError, lang: Lang) -> ToolError {
    let question = match error {
        ArithmeticError::NotArithmetic => lang.pick(
            "这个算式我没听懂，请再说一遍。",
            "I didn't get that sum. Please say it again.",
        ),
        ArithmeticError::DivisionByZero => lang.pick("零不能做除数。", "That divides by zero, which has no result."),
        ArithmeticError::NotReal => lang.pick("这个算式没有实数结果。", "That has no real result."),
        ArithmeticError::TooLarge => lang.pick("这个算式太大，算不了。", "That is too large to work out."),
    };
    match error {
        ArithmeticError::NotArithmetic => ToolError::ask(ErrorKind::InvalidInput, "expression", question),
        ArithmeticError::DivisionByZero | ArithmeticError::NotReal => ToolError::new(ErrorKind::InvalidInput, question),
        ArithmeticError::TooLarge => ToolError::new(ErrorKind::OutOfRange, question),
    }
}
