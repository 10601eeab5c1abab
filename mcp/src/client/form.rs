//! A question of a server to the driver (elicitation): a small form, asked one field at a time.

use super::schema::plain_text;
use incar_core::Lang;
use serde_json::{Map, Number, Value};

/// How many values one form may ask for: a driver is no clerk.
const MOST_FIELDS: usize = 4;
/// How many values may be chosen from.
const MOST_CHOICES: usize = 12;
/// How long what a server wants said may be, in characters.
const LONGEST_MESSAGE: usize = 300;
/// How long a title or a choice may be, in characters.
const LONGEST_LABEL: usize = 60;

/// A form on its way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    message: String,
    fields: Vec<Field>,
    answered: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    name: String,
    title: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// Only whether it is agreed to.
    Consent,
    Boolean,
    Text {
        shortest: usize,
        longest: usize,
    },
    Number {
        whole: bool,
        low: f64,
        high: f64,
    },
    /// Values with what they are called.
    Choice(Vec<(String, String)>),
}

/// What an answer makes of a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// More is to be asked.
    Next,
    /// All values are there.
    Complete(Value),
    /// The driver does not want to answer.
    Declined,
    /// It does not fit.
    Unclear,
}

const YES: [&str; 14] = [
    "yes", "yeah", "ok", "okay", "sure", "true", "accept", "是", "是的", "对", "好", "好的", "可以", "确定",
];
const NO: [&str; 12] = [
    "no", "nope", "false", "decline", "cancel", "reject", "不", "不要", "不用", "否", "取消", "拒绝",
];

impl Form {
    /// Reads what a server asks for; `None` where no driver can be asked that.
    pub(crate) fn read(message: &str, schema: &Value) -> Option<Self> {
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_object);
        let all = properties
            .map(|all| all.keys().map(String::as_str).collect::<Vec<_>>())
            .unwrap_or_default();
        // What need not be answered is not asked, unless nothing else is.
        let wanted = if required.is_empty() { &all } else { &required };
        if wanted.len() > MOST_FIELDS {
            return None;
        }
        let fields: Option<Vec<Field>> = wanted
            .iter()
            .map(|name| Field::read(name, properties?.get(*name)?))
            .collect();
        let mut fields = fields?;
        if fields.is_empty() {
            fields.push(Field {
                name: String::new(),
                title: String::new(),
                kind: Kind::Consent,
            });
        }
        fields.reverse();
        Some(Self {
            message: plain_text(message, LONGEST_MESSAGE),
            fields,
            answered: Map::new(),
        })
    }

    /// The question for the next value, and what may be answered.
    pub(crate) fn question(&self, server: &str, lang: Lang) -> (String, Vec<String>) {
        let (title, choices) = match self.fields.last() {
            Some(field) => (field.title.as_str(), field.choices(lang)),
            None => ("", Vec::new()),
        };
        let what = if title.is_empty() || self.message.contains(title) {
            self.message.clone()
        } else {
            lang.pick(
                format!("{}（{title}）", self.message),
                format!("{} ({title})", self.message),
            )
        };
        (
            lang.pick(format!("{server}问：{what}"), format!("{server} asks: {what}")),
            choices,
        )
    }

    /// Takes an answer in.
    pub(crate) fn answer(&mut self, said: &str) -> Heard {
        let Some(field) = self.fields.last() else {
            return Heard::Complete(Value::Object(self.answered.clone()));
        };
        let plain = said.trim().trim_end_matches(['。', '.', '!', '！']).to_lowercase();
        let value = match &field.kind {
            Kind::Consent if YES.contains(&plain.as_str()) => {
                self.fields.pop();
                return Heard::Complete(Value::Object(Map::new()));
            }
            Kind::Consent | Kind::Text { .. } | Kind::Number { .. } | Kind::Choice(_) if is_refusal(&plain) => {
                return Heard::Declined;
            }
            Kind::Consent if NO.contains(&plain.as_str()) => return Heard::Declined,
            Kind::Consent => return Heard::Unclear,
            Kind::Boolean if YES.contains(&plain.as_str()) => true.into(),
            Kind::Boolean if NO.contains(&plain.as_str()) => false.into(),
            Kind::Boolean => return Heard::Unclear,
            Kind::Text { shortest, longest } => {
                let length = said.trim().chars().count();
                if length < *shortest || length > *longest {
                    return Heard::Unclear;
                }
                said.trim().into()
            }
            Kind::Number { whole, low, high } => match plain.parse::<f64>() {
                Ok(number) if number >= *low && number <= *high && (!whole || number.fract() == 0.0) => {
                    match as_number(number, *whole) {
                        Some(number) => Value::Number(number),
                        None => return Heard::Unclear,
                    }
                }
                _ => return Heard::Unclear,
            },
            Kind::Choice(values) => {
                let meant = values
                    .iter()
                    .find(|(value, called)| value.to_lowercase() == plain || called.to_lowercase() == plain);
                match meant {
                    Some((value, _)) => value.as_str().into(),
                    None => return Heard::Unclear,
                }
            }
        };
        if let Some(field) = self.fields.pop() {
            self.answered.insert(field.name, value);
        }
        if self.fields.is_empty() {
            Heard::Complete(Value::Object(self.answered.clone()))
        } else {
            Heard::Next
        }
    }
}

/// Whether the driver would not answer, rather than answer no.
fn is_refusal(plain: &str) -> bool {
    ["decline", "cancel", "取消", "拒绝"].contains(&plain)
}

#[expect(clippy::cast_possible_truncation, reason = "a whole number in range was asked for")]
fn as_number(number: f64, whole: bool) -> Option<Number> {
    if whole && number.abs() < 9e15 {
        return Some(Number::from(number as i64));
    }
    Number::from_f64(number)
}

impl Field {
    fn read(name: &str, schema: &Value) -> Option<Self> {
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        let title = text("title").or(text("description")).unwrap_or(name);
        let number = |key: &str, other: f64| schema.get(key).and_then(Value::as_f64).unwrap_or(other);
        let length = |key: &str, other: usize| {
            let length = schema.get(key).and_then(Value::as_u64);
            length.and_then(|length| usize::try_from(length).ok()).unwrap_or(other)
        };
        let kind = match text("type")? {
            "boolean" => Kind::Boolean,
            kind @ ("number" | "integer") => Kind::Number {
                whole: kind == "integer",
                low: number("minimum", f64::MIN),
                high: number("maximum", f64::MAX),
            },
            "string" => match choices(schema) {
                Some(choices) if (1..=MOST_CHOICES).contains(&choices.len()) => Kind::Choice(choices),
                Some(_) => return None,
                None => Kind::Text {
                    shortest: length("minLength", 1),
                    longest: length("maxLength", 1_000).min(1_000),
                },
            },
            _ => return None,
        };
        Some(Self {
            name: name.to_owned(),
            title: plain_text(title, LONGEST_LABEL),
            kind,
        })
    }

    fn choices(&self, lang: Lang) -> Vec<String> {
        match &self.kind {
            Kind::Choice(values) => values.iter().map(|(_, called)| called.clone()).collect(),
            Kind::Consent | Kind::Boolean => lang.pick(["是", "不"], ["yes", "no"]).map(str::to_owned).to_vec(),
            Kind::Text { .. } | Kind::Number { .. } => Vec::new(),
        }
    }
}

/// The values that may be chosen, with what they are called.
fn choices(schema: &Value) -> Option<Vec<(String, String)>> {
    let label = |text: &str| plain_text(text, LONGEST_LABEL);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let names = schema.get("enumNames").and_then(Value::as_array);
        let named = |index: usize| names.and_then(|names| names.get(index)).and_then(Value::as_str);
        return values
            .iter()
            .enumerate()
            .map(|(index, value)| Some((value.as_str()?.to_owned(), label(named(index).or(value.as_str())?))))
            .collect();
    }
    let titled = schema.get("oneOf").or(schema.get("anyOf"))?.as_array()?;
    titled
        .iter()
        .map(|one| {
            let value = one.get("const")?.as_str()?;
            Some((
                value.to_owned(),
                label(one.get("title").and_then(Value::as_str).unwrap_or(value)),
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn form(schema: Value) -> Form {
        Form::read("Where to?", &schema).unwrap()
    }

    #[test]
    fn a_form_is_asked_value_by_value() {
        let mut form = form(
            json!({"type": "object", "required": ["city", "nights", "breakfast", "class"], "properties": {
            "city": {"type": "string", "title": "City", "minLength": 2},
            "nights": {"type": "integer", "minimum": 1, "maximum": 9},
            "breakfast": {"type": "boolean"},
            "class": {"type": "string", "enum": ["eco", "biz"], "enumNames": ["Economy", "Business"]},
            "remark": {"type": "string"}}}),
        );
        assert_eq!(
            form.question("Hotels", Lang::En),
            ("Hotels asks: Where to? (City)".into(), vec![])
        );
        assert_eq!(form.answer("x"), Heard::Unclear);
        assert_eq!(form.answer(" Bonn "), Heard::Next);
        assert_eq!(form.answer("12"), Heard::Unclear);
        assert_eq!(form.answer("2.5"), Heard::Unclear);
        assert_eq!(form.answer("2"), Heard::Next);
        assert_eq!(form.question("Hotels", Lang::Zh).1, ["是", "不"]);
        assert_eq!(form.answer("No."), Heard::Next);
        assert_eq!(form.question("Hotels", Lang::Zh).1, ["Economy", "Business"]);
        assert_eq!(form.answer("first"), Heard::Unclear);
        let whole = json!({"city": "Bonn", "nights": 2, "breakfast": false, "class": "biz"});
        assert_eq!(form.answer("business"), Heard::Complete(whole));
    }

    #[test]
    fn a_question_without_values_wants_a_yes() {
        for (said, heard) in [
            ("好的", Heard::Complete(json!({}))),
            ("no", Heard::Declined),
            ("cancel", Heard::Declined),
            ("perhaps", Heard::Unclear),
        ] {
            assert_eq!(
                form(json!({"type": "object", "properties": {}})).answer(said),
                heard,
                "{said}"
            );
        }
    }

    #[test]
    fn what_no_driver_can_be_asked_is_not() {
        let many: Map<String, Value> = (0..9).map(|n| (format!("f{n}"), json!({"type": "string"}))).collect();
        let choices: Vec<String> = (0..99).map(|n| n.to_string()).collect();
        for schema in [
            json!({"properties": {"a": {"type": "array", "items": {"type": "string"}}}}),
            json!({"properties": {"a": {"type": "object"}}}),
            json!({"properties": {"a": {}}, "required": ["a"]}),
            json!({"properties": {}, "required": ["a"]}),
            json!({"properties": many}),
            json!({"properties": {"a": {"type": "string", "enum": choices}}}),
        ] {
            assert_eq!(Form::read("?", &schema), None, "{schema}");
        }
    }
}
