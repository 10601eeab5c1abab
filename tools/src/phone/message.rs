//! Writing to somebody.

use super::callee::{self, Target};
use super::handle;
use super::names::ContactNames;
use super::{PhoneService, spec};
use incar_core::{Effect, ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// Longer texts are cut off by telephones.
const LONGEST_TEXT: usize = 500;

/// `send_message`.
#[derive(Debug)]
pub(super) struct SendMessage(pub(super) Arc<dyn PhoneService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// To whom: a name from the phone book, or a number.
    contact: String,
    /// What it says, in the driver's words.
    text: String,
    /// Resolved: the number it goes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    number: Option<String>,
}

#[async_trait]
impl TypedTool for SendMessage {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "send_message",
            Effect::Act,
            "给联系人或号码发短信",
            "Send a text message to a contact or a number",
        )
        .with_names("contact", Arc::new(ContactNames(self.0.clone())))
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let number = handle::number(&*self.0, &args.contact);
        let said = number.as_deref().unwrap_or(&args.contact);
        let target = callee::find(&self.0.book(), "contact", said, cx.lang)?;
        let text = args.text.trim().to_owned();
        if text.is_empty() {
            return Err(ToolError::ask(
                ErrorKind::InvalidInput,
                "text",
                cx.lang.pick("短信要写什么？", "What should the message say?"),
            ));
        }
        if text.chars().count() > LONGEST_TEXT {
            return Err(ToolError::ask(
                ErrorKind::OutOfRange,
                "text",
                cx.lang.pick(
                    "这条短信太长了，请说短一点。",
                    "That message is too long. Please make it shorter.",
                ),
            ));
        }
        let resolved = Args {
            contact: target.name.clone().unwrap_or(args.contact),
            text,
            number: Some(target.number),
        };
        Ok((resolved, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let book = self.0.book();
        let target = match args.number {
            Some(number) => Target {
                name: callee::name_of(&book, &number, cx.lang),
                number,
            },
            None => callee::find(&book, "contact", &args.contact, cx.lang)?,
        };
        let sent = self
            .0
            .send(&target.number, &args.text)
            .await
            .map_err(|error| error.spoken(cx.lang))?;
        let whom = target.spoken(cx.lang);
        let (number, private) = handle::told(&*self.0, &sent.number);
        let result = json!({"contact": target.name, "number": number, "text": sent.text, "sent": true});
        let say = cx.lang.pick(
            format!("已给{whom}发送短信：{}。", trimmed(&sent.text)),
            format!("Message sent to {whom}: {}.", trimmed(&sent.text)),
        );
        Ok(ToolOutput::new(result)?.say(say).private(private))
    }
}

/// The text without the stop at its end: the sentence around it has its own.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(['。', '.', '！', '!'])
}
