//! Looking somebody up.

use super::callee::{self, Entry};
use super::handle;
use super::names::ContactNames;
use super::{PhoneService, spec};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// So many of several are spoken.
const SPOKEN: usize = 3;

/// `search_contact`.
#[derive(Debug)]
pub(super) struct SearchContact(pub(super) Arc<dyn PhoneService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The name, or a part of it.
    name: String,
}

#[async_trait]
impl TypedTool for SearchContact {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "search_contact",
            Effect::Read,
            "在通讯录里查找联系人的号码",
            "Find somebody's number in the contacts",
        )
        .with_names("name", Arc::new(ContactNames(self.0.clone())))
        .untrusted()
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let book = self.0.book();
        let mut found = callee::entries(&book, &args.name);
        if found.is_empty() {
            // A number asks whose it is.
            let number = callee::as_number(&args.name);
            found.extend(
                number
                    .and_then(|number| book.contact_with_number(&number))
                    .map(Entry::Person),
            );
        }
        let mut private = Vec::new();
        let mut told = |number: &str| {
            let (told, hidden) = handle::told(&*self.0, number);
            private.extend(hidden);
            told
        };
        let list: Vec<Value> = found.iter().map(|entry| describe(*entry, &mut told, cx.lang)).collect();
        let say = match found.as_slice() {
            [] => {
                return Err(ToolError::new(
                    ErrorKind::NotFound,
                    cx.lang.pick(
                        format!("通讯录里没有“{}”。", args.name.trim()),
                        format!("I can't find {} in your contacts.", args.name.trim()),
                    ),
                ));
            }
            [only] => one(*only, cx.lang),
            several => many(several, cx.lang),
        };
        let output = ToolOutput::new(json!({"total": list.len(), "contacts": list}))?;
        Ok(output.say(say).private(private))
    }
}

fn describe(entry: Entry<'_>, told: &mut impl FnMut(&str) -> String, lang: Lang) -> Value {
    match entry {
        Entry::Person(contact) => {
            let numbers = contact.numbers.iter();
            let numbers = numbers.map(|number| json!({"label": number.label, "number": told(&number.number)}));
            let numbers: Vec<Value> = numbers.collect();
            json!({"name": contact.name, "note": contact.note, "numbers": numbers})
        }
        Entry::Service(service) => {
            json!({"name": entry.name(lang), "numbers": [{"number": service.number}]})
        }
    }
}

/// Somebody's numbers: the driver asked for them.
fn one(entry: Entry<'_>, lang: Lang) -> String {
    let name = entry.name(lang);
    let numbers: Vec<String> = match entry {
        Entry::Person(contact) => contact
            .numbers
            .iter()
            .map(|number| {
                let (label, digits) = (callee::label_name(number.label, lang), &number.number);
                lang.pick(format!("{label}{digits}"), format!("{label} {digits}"))
            })
            .collect(),
        Entry::Service(service) => vec![service.number.clone()],
    };
    let numbers = numbers.join(lang.pick("，", ", "));
    lang.pick(format!("{name}：{numbers}。"), format!("{name}: {numbers}."))
}

/// Several are told by name only: whose number is wanted is not known yet.
fn many(several: &[Entry<'_>], lang: Lang) -> String {
    let names: Vec<String> = several.iter().take(SPOKEN).map(|entry| entry.choice(lang)).collect();
    let total = several.len();
    lang.pick(
        format!("找到{total}个联系人：{}。", names.join("、")),
        format!("I found {total} contacts: {}.", names.join(", ")),
    )
}
