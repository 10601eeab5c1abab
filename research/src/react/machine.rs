//! The loop of thought, action and observation, as a machine that does nothing itself: it says what to do next and is
//! told what came of it.

use super::reply::{self, Move};
use crate::budget::Budget;
use incar_core::{AssistantMessage, Lang, Message, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The bounds of a run in ReAct text mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReactLimits {
    /// Replies of the model; 5 unless set.
    pub iterations: u32,
    /// Calls of tools; 10 unless set.
    pub tool_calls: u32,
    /// Time from the first step on; 300 s unless set.
    pub time: Duration,
}

impl Default for ReactLimits {
    fn default() -> Self {
        Self {
            iterations: 5,
            tool_calls: 10,
            time: Duration::from_secs(300),
        }
    }
}

/// What of a budget bounds a run in ReAct text mode.
impl From<Budget> for ReactLimits {
    fn from(budget: Budget) -> Self {
        Self {
            iterations: budget.rounds,
            tool_calls: budget.calls,
            time: budget.time,
        }
    }
}

impl ReactLimits {
    /// The same with so many replies of the model.
    #[must_use]
    pub fn with_iterations(mut self, iterations: u32) -> Self {
        self.iterations = iterations;
        self
    }

    /// The same with so many calls of tools.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: u32) -> Self {
        self.tool_calls = calls;
        self
    }

    /// The same with so much time.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// The same bounds as a budget, of which a run tells what is left.
    pub fn budget(&self) -> Budget {
        Budget::default()
            .with_rounds(self.iterations)
            .with_calls(self.tool_calls)
            .with_time(self.time)
    }
}

/// How a run in ReAct text mode ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReactEnd {
    /// With this answer.
    Answered(String),
    /// Without one, when the model had said all that it may.
    IterationLimit,
    /// Without one, when the time had run out.
    TimeLimit,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReactStep {
    /// Ask the model with these messages, then [`React::said`].
    Ask(Vec<Message>),
    /// Call this tool with what stands after the bar, then [`React::observed`].
    Call { tool: String, input: String },
    /// Nothing.
    End(ReactEnd),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ask,
    Call { tool: String, input: String },
    Ended(ReactEnd),
}

/// A reply as far as it counts, and what the model was told to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Exchange {
    said: String,
    told: String,
}

/// A run in ReAct text mode. It can be written down and read again at any step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct React {
    /// The tools and the question, as the model is told them first.
    opening: String,
    lang: Lang,
    limits: ReactLimits,
    began: Option<Timestamp>,
    iterations: u32,
    tool_calls: u32,
    exchanges: Vec<Exchange>,
    state: State,
}

impl React {
    pub(crate) fn new(opening: impl Into<String>, lang: Lang, limits: ReactLimits) -> Self {
        Self {
            opening: opening.into(),
            lang,
            limits,
            began: None,
            iterations: 0,
            tool_calls: 0,
            exchanges: Vec::new(),
            state: State::Ask,
        }
    }

    /// How often the model replied.
    pub(crate) fn iterations(&self) -> u32 {
        self.iterations
    }

    /// How many tools were called.
    pub(crate) fn tool_calls(&self) -> u32 {
        self.tool_calls
    }

    /// Whether a text stands in what was observed.
    pub(crate) fn observed_text(&self, text: &str) -> bool {
        self.exchanges.iter().any(|exchange| exchange.told.contains(text))
    }

    /// What is to be done next, now.
    pub(crate) fn next(&mut self, now: Timestamp) -> ReactStep {
        let began = *self.began.get_or_insert(now);
        if !matches!(self.state, State::Ended(_)) && now.since(began) >= self.limits.time {
            self.state = State::Ended(ReactEnd::TimeLimit);
        }
        if self.state == State::Ask && self.iterations >= self.limits.iterations {
            self.state = State::Ended(ReactEnd::IterationLimit);
        }
        match &self.state {
            State::Ask => ReactStep::Ask(self.messages()),
            State::Call { tool, input } => ReactStep::Call {
                tool: tool.clone(),
                input: input.clone(),
            },
            State::Ended(end) => ReactStep::End(end.clone()),
        }
    }

    /// The model replied to [`ReactStep::Ask`].
    pub(crate) fn said(&mut self, text: &str) {
        if self.state != State::Ask {
            return;
        }
        self.iterations = self.iterations.saturating_add(1);
        let reply = match reply::read(text) {
            Ok(reply) => reply,
            Err(fault) => return self.exchange(text, self.again(fault.told(self.lang))),
        };
        let said = text.get(..reply.said).unwrap_or(text).trim_end();
        match reply.next {
            Move::Answer(answer) => self.state = State::Ended(ReactEnd::Answered(answer)),
            Move::Think => self.exchange(said, self.go_on()),
            Move::Act { .. } if self.tool_calls >= self.limits.tool_calls => {
                let spent = self.lang.pick("工具调用次数已用完。", "No tool calls are left.");
                self.exchange(said, self.again(spent));
            }
            Move::Act { tool, input } => {
                self.exchange(said, String::new());
                self.state = State::Call { tool, input };
            }
        }
    }

    /// The tool of [`ReactStep::Call`] answered, or what kept it from it.
    pub(crate) fn observed(&mut self, observation: &str) {
        if !matches!(self.state, State::Call { .. }) {
            return;
        }
        self.tool_calls = self.tool_calls.saturating_add(1);
        if let Some(last) = self.exchanges.last_mut() {
            last.told = format!("Observation: {observation}");
        }
        self.state = State::Ask;
    }

    fn exchange(&mut self, said: &str, told: String) {
        self.exchanges.push(Exchange {
            said: said.to_owned(),
            told,
        });
    }

    fn again(&self, fault: &str) -> String {
        let again = self.lang.pick("请按格式重写。", "Please write it again in the form.");
        format!("{fault} {again}")
    }

    fn go_on(&self) -> String {
        let go_on = self.lang.pick("请继续。", "Go on.");
        go_on.to_owned()
    }

    /// The conversation: the question, and each reply with what was told to it. Before the last reply the model hears
    /// that it is the last.
    fn messages(&self) -> Vec<Message> {
        let mut texts = vec![self.opening.clone()];
        let mut messages = Vec::new();
        for exchange in &self.exchanges {
            messages.extend(texts.pop().map(Message::user));
            messages.push(Message::Assistant(AssistantMessage::text(exchange.said.as_str())));
            texts.push(exchange.told.clone());
        }
        let last = texts.pop().unwrap_or_default();
        let is_last = self.iterations.saturating_add(1) >= self.limits.iterations;
        messages.push(Message::user(match is_last {
            true => format!("{last}\n{}", last_call(self.lang)),
            false => last,
        }));
        messages
    }
}

fn last_call(lang: Lang) -> &'static str {
    lang.pick(
        "（这是最后一步：不要再用工具，直接写 Answer。不知道就写 Answer: unknown）",
        "(This is the last step: no more tools, write your Answer. If you do not know, write Answer: unknown)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(secs: u64) -> Timestamp {
        Timestamp::from_millis(secs * 1_000)
    }

    fn react(limits: ReactLimits) -> React {
        React::new("Question: 法国首都在哪里？", Lang::Zh, limits)
    }

    /// What the model is asked last.
    fn asked(step: &ReactStep) -> &str {
        match step {
            ReactStep::Ask(messages) => messages.last().map(Message::content).unwrap_or_default(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_question_is_thought_about_looked_up_and_answered() {
        let mut run = react(ReactLimits::default());
        assert_eq!(asked(&run.next(at(0))), "Question: 法国首都在哪里？");
        run.said("Thought: 搜\nAction: search_web|法国首都\nObservation: 里昂\nAnswer: 里昂");
        let call = ReactStep::Call {
            tool: "search_web".into(),
            input: "法国首都".into(),
        };
        assert_eq!(run.next(at(1)), call);
        run.observed("巴黎是法国的首都");
        let step = run.next(at(2));
        let ReactStep::Ask(messages) = &step else {
            panic!("{step:?}")
        };
        assert_eq!(
            messages[1].content(),
            "Thought: 搜\nAction: search_web|法国首都",
            "what it made up is gone"
        );
        assert_eq!(asked(&step), "Observation: 巴黎是法国的首都");
        run.said("Thought: 知道了\nAnswer: 巴黎");
        assert_eq!(run.next(at(3)), ReactStep::End(ReactEnd::Answered("巴黎".into())));
        assert_eq!((run.iterations(), run.tool_calls()), (2, 1));
    }

    #[test]
    fn what_misses_the_form_is_told_and_costs_a_reply() {
        let mut run = react(ReactLimits::default());
        for (said, told) in [
            ("巴黎", "开头"),
            ("Action: None", "请继续"),
            ("Action: search_web", "工具名|输入"),
        ] {
            run.next(at(0));
            run.said(said);
            assert!(asked(&run.next(at(0))).contains(told), "{said}");
        }
        run.said("Answer: 巴黎");
        assert_eq!(run.next(at(0)), ReactStep::End(ReactEnd::Answered("巴黎".into())));
    }

    #[test]
    fn each_bound_ends_the_run() {
        let search = "Action: search_web|x";
        let mut run = react(ReactLimits::default().with_iterations(2));
        for last in [false, true] {
            assert_eq!(asked(&run.next(at(0))).contains("最后一步"), last);
            run.said(search);
            run.observed("…");
        }
        assert_eq!(run.next(at(0)), ReactStep::End(ReactEnd::IterationLimit));

        let mut run = react(ReactLimits::default().with_tool_calls(1));
        run.next(at(0));
        run.said(search);
        run.observed("…");
        run.said(search);
        assert!(asked(&run.next(at(0))).contains("已用完"));
        assert_eq!(run.tool_calls(), 1);

        let mut run = react(ReactLimits::default());
        run.next(at(7));
        run.said(search);
        assert!(matches!(run.next(at(306)), ReactStep::Call { .. }));
        assert_eq!(run.next(at(307)), ReactStep::End(ReactEnd::TimeLimit));
        run.observed("late");
        assert_eq!(
            run.next(at(0)),
            ReactStep::End(ReactEnd::TimeLimit),
            "what ended has ended"
        );
    }

    proptest! {
        #[test]
        fn a_run_that_was_written_and_read_goes_on_as_it_would_have(
            replies in prop::collection::vec(prop::sample::select(vec![
                "Thought: t\nAction: search_web|x", "Action: None", "nonsense", "Answer: 巴黎",
            ]), 0..8),
        ) {
            let mut whole = react(ReactLimits::default());
            let mut broken = whole.clone();
            for (second, reply) in (0u64..).zip(replies) {
                let steps = (whole.next(at(second)), broken.next(at(second)));
                prop_assert_eq!(&steps.0, &steps.1);
                for run in [&mut whole, &mut broken] {
                    run.said(reply);
                    run.observed("o");
                }
                broken = serde_json::from_str(&serde_json::to_string(&broken).unwrap()).unwrap();
                prop_assert!(whole.iterations() <= 5 && whole.tool_calls() <= 5);
            }
            prop_assert_eq!(whole, broken);
        }
    }
}
