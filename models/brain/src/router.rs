//! The brain as the one who tells, without a model call, which tools an utterance concerns.

use crate::Brain;
use incar_core::{Lang, ToolRouter, ToolSet};

impl ToolRouter for Brain {
    fn rank(&self, utterance: &str, tools: &ToolSet, _: Lang) -> Vec<usize> {
        self.concerned(utterance, tools)
            .into_iter()
            .map(|concern| concern.tool)
            .collect()
    }
}
