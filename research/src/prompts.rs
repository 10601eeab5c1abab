//! What models are told: files of their own, a version in the first line, one for each task and language.

use incar_core::Lang;

/// What a model is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Research over many rounds.
    Rounds,
    /// Answer with JSON of a schema: added to the task that is asked so.
    Structured,
    /// Mend a reply that was no such JSON.
    Repair,
    /// Go on with a text that was cut off.
    GoOn,
    /// Deep research: split a task into a plan and a checklist of gaps.
    Decompose,
    /// Deep research: the next calls for a subtask.
    Reason,
    /// Deep research: no deeper subtask can be opened; added to what is asked.
    Depth,
    /// Deep research: is what a search found enough, or is a page to be read?
    Extend,
    /// Deep research: is it enough after the page was read?
    Suffice,
    /// Deep research: what was found so far, as a report.
    Summarize,
    /// Deep research: what to do about a step that failed.
    Reflect,
    /// Deep research: the final report.
    Report,
    /// The team: a plan for a question.
    TeamPlan,
    /// The team: a plan for what is left after steps failed.
    TeamReplan,
    /// The team: what is next for a step.
    TeamStep,
    /// The team: a call that finds another source for a finding.
    TeamSeek,
    /// The team: what other sources say of a finding.
    TeamJudge,
    /// The team: the answer from what the steps found.
    TeamSynthesise,
    /// Thoughts and actions in text.
    React,
    /// In the car: what the driver hears of an answer, and what is proposed.
    Brief,
}

/// Each task's file, in Chinese and in English.
const FILES: &[(Task, &str, &str)] = &[
    (
        Task::Rounds,
        include_str!("../prompts/zh/rounds.md"),
        include_str!("../prompts/en/rounds.md"),
    ),
    (
        Task::Structured,
        include_str!("../prompts/zh/structured.md"),
        include_str!("../prompts/en/structured.md"),
    ),
    (
        Task::Repair,
        include_str!("../prompts/zh/repair.md"),
        include_str!("../prompts/en/repair.md"),
    ),
    (
        Task::GoOn,
        include_str!("../prompts/zh/go_on.md"),
        include_str!("../prompts/en/go_on.md"),
    ),
    (
        Task::Decompose,
        include_str!("../prompts/zh/decompose.md"),
        include_str!("../prompts/en/decompose.md"),
    ),
    (
        Task::Reason,
        include_str!("../prompts/zh/reason.md"),
        include_str!("../prompts/en/reason.md"),
    ),
    (
        Task::Depth,
        include_str!("../prompts/zh/depth.md"),
        include_str!("../prompts/en/depth.md"),
    ),
    (
        Task::Extend,
        include_str!("../prompts/zh/extend.md"),
        include_str!("../prompts/en/extend.md"),
    ),
    (
        Task::Suffice,
        include_str!("../prompts/zh/suffice.md"),
        include_str!("../prompts/en/suffice.md"),
    ),
    (
        Task::Summarize,
        include_str!("../prompts/zh/summarize.md"),
        include_str!("../prompts/en/summarize.md"),
    ),
    (
        Task::Reflect,
        include_str!("../prompts/zh/reflect.md"),
        include_str!("../prompts/en/reflect.md"),
    ),
    (
        Task::Report,
        include_str!("../prompts/zh/report.md"),
        include_str!("../prompts/en/report.md"),
    ),
    (
        Task::TeamPlan,
        include_str!("../prompts/zh/team_plan.md"),
        include_str!("../prompts/en/team_plan.md"),
    ),
    (
        Task::TeamReplan,
        include_str!("../prompts/zh/team_replan.md"),
        include_str!("../prompts/en/team_replan.md"),
    ),
    (
        Task::TeamStep,
        include_str!("../prompts/zh/team_step.md"),
        include_str!("../prompts/en/team_step.md"),
    ),
    (
        Task::TeamSeek,
        include_str!("../prompts/zh/team_seek.md"),
        include_str!("../prompts/en/team_seek.md"),
    ),
    (
        Task::TeamJudge,
        include_str!("../prompts/zh/team_judge.md"),
        include_str!("../prompts/en/team_judge.md"),
    ),
    (
        Task::TeamSynthesise,
        include_str!("../prompts/zh/team_synthesise.md"),
        include_str!("../prompts/en/team_synthesise.md"),
    ),
    (
        Task::React,
        include_str!("../prompts/zh/react.md"),
        include_str!("../prompts/en/react.md"),
    ),
    (
        Task::Brief,
        include_str!("../prompts/zh/brief.md"),
        include_str!("../prompts/en/brief.md"),
    ),
];

/// What stands before the part that is the same for every run, and before the part with this run's values.
const SYSTEM: &str = "# system\n";
const USER: &str = "# user\n";

/// A prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// Counts up with every change of what it brings about; traces and records of runs can name it.
    pub(crate) version: u32,
    /// The system prompt: the same for every run, so that services can cache it.
    pub(crate) system: &'static str,
    user: &'static str,
}

impl Prompt {
    /// The prompt of a task.
    pub(crate) fn of(task: Task, lang: Lang) -> Self {
        let file = FILES.iter().find(|(named, ..)| *named == task);
        // A test holds that every task has a file that can be read.
        let text = file.map_or("", |(_, zh, en)| lang.pick(zh, en));
        Self::parse(text).unwrap_or(Self {
            version: 0,
            system: text,
            user: "",
        })
    }

    fn parse(text: &'static str) -> Option<Self> {
        let (head, text) = text.split_once('\n')?;
        let version = head.strip_prefix("version:")?.trim().parse().ok()?;
        let (system, user) = match text.split_once(USER) {
            Some((system, user)) => (system, user),
            None => (text, ""),
        };
        let system = system.trim_start().strip_prefix(SYSTEM).unwrap_or_default();
        Some(Self {
            version,
            system: system.trim(),
            user: user.trim(),
        })
    }

    /// The user's part with these values in their places. A value is put in as it is: what looks like a place in it
    /// (a question with `{plan}` in it) stays text.
    pub(crate) fn user(&self, values: &[(&str, &str)]) -> String {
        let mut whole = String::new();
        let mut rest = self.user;
        while let Some((before, after)) = rest.split_once('{') {
            whole.push_str(before);
            let place = after.split_once('}');
            let value = place.and_then(|(name, after)| {
                let value = values.iter().find(|(known, _)| *known == name)?;
                Some((value.1, after))
            });
            match value {
                Some((value, after)) => {
                    whole.push_str(value);
                    rest = after;
                }
                None => {
                    whole.push('{');
                    rest = after;
                }
            }
        }
        whole.push_str(rest);
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn places(user: &str) -> BTreeSet<&str> {
        let after = user.split('{').skip(1);
        after.filter_map(|part| Some(part.split_once('}')?.0)).collect()
    }

    #[test]
    fn every_task_has_a_file_in_both_languages_with_the_same_places() {
        for (task, zh, en) in FILES {
            let (zh, en) = (Prompt::parse(zh).unwrap(), Prompt::parse(en).unwrap());
            assert!(zh.version >= 1 && zh.version == en.version, "{task:?}");
            assert_eq!(places(zh.user), places(en.user), "{task:?}");
            for prompt in [zh, en] {
                assert!(!prompt.system.is_empty() || !prompt.user.is_empty(), "{task:?}");
                assert!(
                    places(prompt.system).is_empty(),
                    "{task:?}: a system prompt is the same for every run"
                );
            }
            assert_ne!((zh.system, zh.user), (en.system, en.user), "{task:?}");
        }
        let tasks: BTreeSet<String> = FILES.iter().map(|(task, ..)| format!("{task:?}")).collect();
        assert_eq!(tasks.len(), FILES.len());
    }

    #[test]
    fn a_value_is_text_whatever_it_looks_like() {
        let prompt = Prompt {
            version: 1,
            system: "",
            user: "Q: {question} P: {plan} {unknown} {",
        };
        assert_eq!(
            prompt.user(&[("question", "what is {plan}?"), ("plan", "none")]),
            "Q: what is {plan}? P: none {unknown} {"
        );
    }
}
