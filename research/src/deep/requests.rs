//! What the model is asked at each step of deep research.

use super::DeepRun;
use super::plan::{Subtask, lines};
use crate::data::fenced;
use crate::prompts::{Prompt, Task};
use incar_core::Message;

/// A system prompt and a conversation.
#[derive(Debug)]
pub(super) struct Wording {
    pub(super) system: &'static str,
    pub(super) messages: Vec<Message>,
}

impl DeepRun {
    pub(super) fn to_decompose(&self) -> Wording {
        let lang = self.head.lang;
        let above = std::iter::once(&self.root).chain(&self.stack).take(self.depth() - 1);
        let plan = |task: &Subtask| format!("{}\n{}", task.objective, task.plan_in_words(lang));
        let plans = lines(above.map(plan), lang);
        self.with_reports(Task::Decompose, &[("plans", &plans)])
    }

    /// The prompt comes first, so that the calls and their results that follow it are answered next.
    pub(super) fn to_reason(&self) -> Wording {
        let lang = self.head.lang;
        let depth = self.depth().to_string();
        let hint = match self.can_go_deeper() {
            true => String::new(),
            false => format!("\n{}\n", Prompt::of(Task::Depth, lang).user(&[])),
        };
        let Wording { system, mut messages } = self.with_reports(Task::Reason, &[("depth", &depth), ("hint", &hint)]);
        messages.extend(self.working.messages().iter().cloned());
        Wording { system, messages }
    }

    pub(super) fn to_extend(&self, query: &str) -> Wording {
        self.after_results(Task::Extend, &[("query", query)])
    }

    pub(super) fn to_suffice(&self, query: &str, subtask: &str) -> Wording {
        self.after_results(Task::Suffice, &[("query", query), ("subtask", subtask)])
    }

    pub(super) fn to_summarize(&self) -> Wording {
        self.after_results(Task::Summarize, &[])
    }

    pub(super) fn to_reflect(&self, trouble: &str) -> Wording {
        self.after_results(Task::Reflect, &[("trouble", trouble)])
    }

    pub(super) fn to_report(&self) -> Wording {
        let gaps = self.root.gaps_in_words(self.head.lang);
        let Wording { system, messages } = self.with_reports(Task::Report, &[("gaps", &gaps)]);
        Wording {
            system,
            messages: self.after_working(messages),
        }
    }

    /// A prompt with the intermediate reports in it.
    fn with_reports(&self, task: Task, values: &[(&str, &str)]) -> Wording {
        let reports = self.reports.iter().map(|report| fenced(&report.text));
        let reports = lines(reports, self.head.lang);
        self.wording(task, &[values, &[("reports", &reports)]].concat())
    }

    /// A prompt after the raw results.
    fn after_results(&self, task: Task, values: &[(&str, &str)]) -> Wording {
        let Wording { system, messages } = self.wording(task, values);
        Wording {
            system,
            messages: self.after_working(messages),
        }
    }

    fn after_working(&self, messages: Vec<Message>) -> Vec<Message> {
        if self.working.is_empty() {
            return messages;
        }
        // A conversation begins with what somebody asked.
        let begin = Message::user(self.head.question.clone());
        let working = self.working.messages().iter().cloned();
        std::iter::once(begin).chain(working).chain(messages).collect()
    }

    fn wording(&self, task: Task, values: &[(&str, &str)]) -> Wording {
        let lang = self.head.lang;
        let prompt = Prompt::of(task, lang);
        let (plan, gaps) = (self.task().plan_in_words(lang), self.task().gaps_in_words(lang));
        let usual = [
            ("question", self.head.question.as_str()),
            ("objective", self.task().objective.as_str()),
            ("plan", &plan),
            ("gaps", &gaps),
        ];
        // What a step says of itself comes before what every step knows.
        Wording {
            system: prompt.system,
            messages: vec![Message::user(prompt.user(&[values, &usual].concat()))],
        }
    }
}
