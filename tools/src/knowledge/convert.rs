//! Converting units.

use super::units::{UnitError, convert};
use super::{figures, spec};
use incar_core::{ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `convert_unit`.
#[derive(Debug)]
pub(super) struct ConvertUnit;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// How much.
    value: f64,
    /// The unit it is in: a name or a sign.
    from: String,
    /// The unit it is wanted in.
    to: String,
}

#[async_trait]
impl TypedTool for ConvertUnit {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "convert_unit",
            "换算单位：长度、面积、体积、重量、速度、温度、气压、能量、功率、油耗、数据量、时间",
            "Convert units of length, area, volume, mass, speed, temperature, pressure, energy, power, consumption, data and time",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let converted = convert(args.value, &args.from, &args.to).map_err(|error| spoken(error, cx.lang))?;
        let (value, short) = (figures::short(args.value), figures::short(converted.value));
        let (from, to) = (converted.from.get(cx.lang), converted.to.get(cx.lang));
        let about = figures::about(converted.value);
        let is_exact = short.parse() == Ok(converted.value);
        let say = match is_exact {
            true => cx.lang.pick(
                format!("{value}{from}等于{short}{to}。"),
                format!("{value} {from} is {short} {to}."),
            ),
            false => cx.lang.pick(
                format!("{value}{from}约等于{about}{to}。"),
                format!("{value} {from} is about {about} {to}."),
            ),
        };
        let result = json!({
            "value": crate::vehicle::number(converted.value),
            "from": from,
            "to": to,
        });
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn spoken(error: UnitError, lang: Lang) -> ToolError {
    match error {
        UnitError::UnknownFrom(unit) => unknown("from", &unit, lang),
        UnitError::UnknownTo(unit) => unknown("to", &unit, lang),
        UnitError::Incompatible { from, to } => {
            let (from, to) = (from.get(lang), to.get(lang));
            ToolError::ask(
                ErrorKind::InvalidInput,
                "to",
                lang.pick(
                    format!("{from}不能换算成{to}，要换成什么单位？"),
                    format!("{from} can't be converted into {to}. Which unit would you like?"),
                ),
            )
        }
        UnitError::Impossible => ToolError::ask(
            ErrorKind::OutOfRange,
            "value",
            lang.pick("没有这样的数值，是多少？", "There is no such amount. How much is it?"),
        ),
    }
}

fn unknown(argument: &str, unit: &str, lang: Lang) -> ToolError {
    ToolError::ask(
        ErrorKind::NotFound,
        argument,
        lang.pick(
            format!("我不认识单位“{unit}”，是哪个单位？"),
            format!("I don't know the unit {unit}. Which unit is it?"),
        ),
    )
}
