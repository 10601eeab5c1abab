//! Calling somebody.

use super::callee::{self, Target};
use super::handle;
use super::names::ContactNames;
use super::{PhoneService, spec};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `call`.
#[derive(Debug)]
pub(super) struct CallTool(pub(super) Arc<dyn PhoneService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Whom: a name from the phone book, a nickname, a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contact: Option<String>,
    /// The number, where it was said itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
}

impl CallTool {
    fn target(&self, args: &Args, lang: Lang) -> Result<Target, ToolError> {
        let book = self.0.book();
        let said = args.number.as_ref().or(args.contact.as_ref());
        if let Some(number) = said.and_then(|said| handle::number(&*self.0, said)) {
            return callee::of_number(&book, "number", &number, lang);
        }
        match (&args.number, &args.contact) {
            (Some(number), _) => callee::of_number(&book, "number", number, lang),
            (None, Some(contact)) => callee::find(&book, "contact", contact, lang),
            (None, None) => Err(ToolError::ask(
                ErrorKind::InvalidInput,
                "contact",
                lang.pick("要打给谁？", "Who would you like to call?"),
            )),
        }
    }
}

#[async_trait]
impl TypedTool for CallTool {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "call",
            Effect::Act,
            "打电话给联系人或号码",
            "Call a contact or a number",
        )
        .with_names("contact", Arc::new(ContactNames(self.0.clone())))
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let number = Some(self.target(&args, cx.lang)?.number);
        Ok((Args { number, ..args }, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let target = self.target(&args, cx.lang)?;
        let call = self
            .0
            .dial(&target.number)
            .await
            .map_err(|error| error.spoken(cx.lang))?;
        let book = self.0.book();
        // The one of several numbers that was chosen is told.
        let label = book
            .contact_with_number(&target.number)
            .filter(|contact| contact.numbers.len() > 1)
            .and_then(|contact| contact.numbers.iter().find(|number| number.number == target.number))
            .map(|number| number.label);
        let whom = target.spoken(cx.lang);
        let say = match label.map(|label| callee::label_name(label, cx.lang)) {
            Some(label) => cx.lang.pick(
                format!("正在呼叫{whom}的{label}。"),
                format!("Calling {whom} on the {label}."),
            ),
            None => cx.lang.pick(format!("正在呼叫{whom}。"), format!("Calling {whom}.")),
        };
        let (number, private) = handle::told(&*self.0, &call.number);
        let result = json!({
            "contact": target.name,
            "number": number,
            "label": label,
            "state": call.state,
        });
        Ok(ToolOutput::new(result)?.say(say).private(private))
    }
}
