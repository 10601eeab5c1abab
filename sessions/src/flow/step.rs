//! What comes next.

use super::check::{FlowContext, Problem, checked};
use super::definition::{FlowDefinition, Need, Slot, SlotKind};
use super::state::FlowState;
use incar_core::Lang;
use serde_json::{Map, Value};

/// What was said to a flow.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FlowInput {
    /// Values for slots, as said; also none at all. `asks`: the slot that whoever understood it would
    /// ask for next.
    Fill {
        /// The values, by slot. What is no slot is left aside.
        values: Map<String, Value>,
        /// The slot to ask for, where it is open.
        asks: Option<String>,
    },
    /// The value given last is to be given anew.
    Back,
    /// What is asked for need not be said.
    Skip,
    /// Anything will do for what is asked.
    Anything,
    /// This slot is to be asked for anew.
    Change(String),
    /// Something of what was read out is wrong, and nobody said what.
    Doubt,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FlowStep {
    /// Ask.
    Ask {
        /// For this slot; `None`: for what is to be changed.
        slot: Option<String>,
        /// The question, with what was wrong with the last answer before it.
        question: String,
        /// Whether it says what was wrong, or why it is asked again: then no other wording will do.
        told: bool,
        /// What there is to choose from, as spoken.
        choices: Vec<String>,
        /// Whether what was said could be used or at least understood.
        understood: bool,
    },
    /// All is there: ask whether to make this call.
    Confirm {
        /// What is read out.
        question: String,
        /// The tool's arguments.
        arguments: Map<String, Value>,
        /// Whether what was said changed anything.
        understood: bool,
    },
}

/// What was made of an input.
struct Taken {
    understood: bool,
    /// The slot to ask for and why.
    problem: Option<(String, String)>,
    /// What to say before whatever is asked.
    note: Option<&'static str>,
}

impl Taken {
    fn plainly(understood: bool) -> Self {
        Self {
            understood,
            problem: None,
            note: None,
        }
    }
}

impl FlowDefinition {
    /// Takes `input` into `state`, and says what comes next. A state that another version of the
    /// definition wrote is brought into line first: unknown slots are dropped, values that will not do
    /// any more are asked for again.
    pub fn advance(&self, mut state: FlowState, input: FlowInput, context: &FlowContext<'_>) -> (FlowState, FlowStep) {
        state.fit(self);
        let asks = match &input {
            FlowInput::Fill { asks, .. } => asks.clone(),
            _ => None,
        };
        let doubt = input == FlowInput::Doubt;
        let mut taken = self.take(&mut state, input, context);
        if let Some(stale) = self.recheck(&mut state, context) {
            taken.problem.get_or_insert(stale);
        }
        if doubt && taken.problem.is_none() {
            state.asked = None;
            return (state, what_to_change(context.lang));
        }
        let asked = match &taken.problem {
            Some((slot, _)) => self.slot_named(slot),
            None => self.next(&state, asks.as_deref()),
        };
        let Some(slot) = asked else {
            state.asked = None;
            let step = FlowStep::Confirm {
                question: self.read_out(&state, context.lang),
                arguments: state.values.clone(),
                understood: taken.understood,
            };
            return (state, step);
        };
        state.asked = Some(slot.name.clone());
        let before = taken.problem.map(|(_, message)| message);
        let before = before.as_deref().or(taken.note);
        let step = FlowStep::Ask {
            slot: Some(slot.name.clone()),
            question: question(slot, before, context.lang),
            told: before.is_some(),
            choices: choices(slot, context.lang),
            understood: taken.understood,
        };
        (state, step)
    }

    /// Asks for `slot` anew because the tool itself would not take its value; `message` is the question.
    pub fn refuse(
        &self,
        mut state: FlowState,
        slot: &str,
        message: &str,
        choices: Vec<String>,
    ) -> (FlowState, FlowStep) {
        state.take(slot);
        state.asked = Some(slot.to_owned());
        let step = FlowStep::Ask {
            slot: Some(slot.to_owned()),
            question: message.to_owned(),
            told: true,
            choices,
            understood: true,
        };
        (state, step)
    }

    fn take(&self, state: &mut FlowState, input: FlowInput, context: &FlowContext<'_>) -> Taken {
        let lang = context.lang;
        match input {
            FlowInput::Fill { values, .. } => self.fill(state, &values, context),
            FlowInput::Back => match state.given.last().cloned() {
                Some(last) => {
                    state.take(&last);
                    state.asked = Some(last);
                    Taken::plainly(true)
                }
                None => Taken {
                    note: Some(lang.pick("已经是第一步了。", "This is the first step.")),
                    ..Taken::plainly(true)
                },
            },
            FlowInput::Change(slot) => {
                state.take(&slot);
                state.skipped.retain(|skipped| *skipped != slot);
                state.asked = Some(slot);
                Taken::plainly(true)
            }
            FlowInput::Skip => match self.asked(state) {
                Some(slot) if slot.need == Need::Required => Taken {
                    note: Some(lang.pick("这一项不能跳过。", "I do need that one.")),
                    ..Taken::plainly(true)
                },
                Some(slot) => {
                    state.skipped.push(slot.name.clone());
                    Taken::plainly(true)
                }
                None => Taken::plainly(true),
            },
            FlowInput::Anything => match self.asked(state) {
                Some(Slot {
                    name,
                    anything: Some(value),
                    ..
                }) => Taken::plainly(state.put(name, value.clone())),
                Some(slot) if slot.need != Need::Required => {
                    state.skipped.push(slot.name.clone());
                    Taken::plainly(true)
                }
                Some(_) => Taken {
                    note: Some(lang.pick("这个要您来定。", "That one is up to you.")),
                    ..Taken::plainly(true)
                },
                None => Taken::plainly(true),
            },
            FlowInput::Doubt => Taken::plainly(true),
        }
    }

    /// Takes values in, in the order of the definition, so that it does not matter how they came.
    fn fill(&self, state: &mut FlowState, values: &Map<String, Value>, context: &FlowContext<'_>) -> Taken {
        let mut taken = Taken::plainly(false);
        for slot in &self.slots {
            let Some(said) = values.get(&slot.name).filter(|said| !said.is_null()) else {
                continue;
            };
            if state.value(&slot.name) == Some(said) {
                continue;
            }
            match checked(slot, said, context) {
                Ok(value) => taken.understood |= state.put(&slot.name, value),
                Err(Problem { message, understood }) => {
                    // What will not do does not stand for what stood there before.
                    state.take(&slot.name);
                    taken.understood |= understood;
                    taken.problem.get_or_insert((slot.name.clone(), message));
                }
            }
        }
        taken
    }

    /// Takes out what will not do any more: a day that has passed since, a bound that has changed.
    fn recheck(&self, state: &mut FlowState, context: &FlowContext<'_>) -> Option<(String, String)> {
        let mut stale = None;
        for slot in &self.slots {
            let Some(value) = state.value(&slot.name).cloned() else {
                continue;
            };
            match checked(slot, &value, context) {
                // A name stays as it was said first, whatever the language of what is said now: a yes is
                // to exactly that call.
                Ok(_) if slot.kind == SlotKind::Name => {}
                Ok(same) if same == value => {}
                Ok(other) => {
                    state.put(&slot.name, other);
                }
                Err(problem) => {
                    state.take(&slot.name);
                    stale.get_or_insert((slot.name.clone(), problem.message));
                }
            }
        }
        stale
    }

    /// What is still to be asked for, in the order of the definition.
    pub fn open(&self, state: &FlowState) -> Vec<&Slot> {
        let due = |slot: &&Slot| slot.need != Need::Optional && is_open(slot, state);
        self.slots.iter().filter(due).collect()
    }

    /// The slot that was asked for and is still open.
    fn asked(&self, state: &FlowState) -> Option<&Slot> {
        let slot = self.slot_named(state.asked.as_deref()?)?;
        is_open(slot, state).then_some(slot)
    }

    /// What to ask for: what the model would ask for, what was asked for already, then by the order of
    /// the definition.
    fn next(&self, state: &FlowState, asks: Option<&str>) -> Option<&Slot> {
        let wanted = asks.and_then(|name| self.slot_named(name));
        wanted
            .filter(|slot| is_open(slot, state))
            .or_else(|| self.asked(state))
            .or_else(|| self.open(state).first().copied())
    }
}

fn is_open(slot: &Slot, state: &FlowState) -> bool {
    state.value(&slot.name).is_none() && !state.skipped.contains(&slot.name)
}

fn question(slot: &Slot, before: Option<&str>, lang: Lang) -> String {
    let named = || {
        let called = slot.called.first().unwrap_or(&slot.name);
        lang.pick(format!("{called}是什么？"), format!("What about the {called}?"))
    };
    let question = slot.ask.as_ref().map_or_else(named, |ask| ask.get(lang).to_owned());
    match before {
        Some(before) => lang.pick(format!("{before}{question}"), format!("{before} {question}")),
        None => question,
    }
}

fn choices(slot: &Slot, lang: Lang) -> Vec<String> {
    match &slot.kind {
        SlotKind::Choice(choices) => choices
            .iter()
            .map(|choice| choice.spoken.get(lang).to_owned())
            .collect(),
        SlotKind::Date | SlotKind::Integer { .. } | SlotKind::Name | SlotKind::Text => Vec::new(),
    }
}

fn what_to_change(lang: Lang) -> FlowStep {
    FlowStep::Ask {
        slot: None,
        question: lang.pick("好的，要改哪一项？", "OK, what should I change?").to_owned(),
        told: true,
        choices: Vec::new(),
        understood: true,
    }
}
