//! The offered tools as JSON: written once for each set and language.

use crate::dialect::{Dialect, ParallelCalls};
use crate::schema::adapt;
use crate::written::Written;
use bytes::Bytes;
use incar_core::{ASK_USER, Lang, ToolSet, ToolSpec, ask_user_spec};
use serde::Serialize;
use serde_json::Value;

/// How many sets are kept.
const KEPT: usize = 64;

/// The sets written so far.
#[derive(Debug)]
pub(crate) struct ToolCache(Written<(u64, Lang)>);

impl Default for ToolCache {
    fn default() -> Self {
        Self(Written::new(KEPT))
    }
}

impl ToolCache {
    /// What stands in a request's body for `tools`: from the comma before them on.
    pub(crate) fn get(&self, tools: &ToolSet, lang: Lang, dialect: &Dialect) -> Bytes {
        let key = (tools.id(), lang);
        self.0.get(|of| *of == key, || key, || write(tools, lang, dialect))
    }
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Value,
}

fn write(tools: &ToolSet, lang: Lang, dialect: &Dialect) -> Vec<u8> {
    let wire = |spec: &'_ ToolSpec| {
        // Plain data with string keys always has a JSON form.
        serde_json::to_string(&WireTool {
            r#type: "function",
            function: WireFunction {
                name: &spec.name,
                description: spec.description.get(lang),
                parameters: adapt(&spec.parameters, &dialect.schema),
            },
        })
        .unwrap_or_default()
    };
    let asks = tools.get(ASK_USER).is_none().then(ask_user_spec);
    let list: Vec<String> = tools.specs().iter().chain(asks).map(|spec| wire(spec)).collect();
    let parallel = match dialect.parallel_calls {
        ParallelCalls::NotAsked => "",
        ParallelCalls::Asked => r#","parallel_tool_calls":true"#,
    };
    format!(r#","tools":[{}]{parallel}"#, list.join(",")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{Bilingual, Effect, ToolCategory};
    use std::sync::Arc;

    fn set() -> ToolSet {
        ToolSet::new(vec![Arc::new(ToolSpec::new(
            "control_window",
            ToolCategory::CAR_CONTROL,
            Effect::Set,
            Bilingual::new("控制车窗", "Control a window"),
        ))])
    }

    #[test]
    fn a_set_is_written_once_for_each_language() {
        let (cache, set) = (ToolCache::default(), set());
        let zh = cache.get(&set, Lang::Zh, &Dialect::COMMON);
        assert!(std::str::from_utf8(&zh).unwrap().contains("控制车窗"));
        assert_eq!(
            zh.as_ptr(),
            cache.get(&set, Lang::Zh, &Dialect::COMMON).as_ptr(),
            "the same bytes"
        );
        let en = cache.get(&set, Lang::En, &Dialect::COMMON);
        assert!(std::str::from_utf8(&en).unwrap().contains("Control a window"));
    }

    #[test]
    fn the_oldest_set_goes_first() {
        let cache = ToolCache::default();
        let sets: Vec<ToolSet> = (0..=KEPT).map(|_| set()).collect();
        let kept: Vec<Bytes> = sets
            .iter()
            .map(|set| cache.get(set, Lang::En, &Dialect::COMMON))
            .collect();
        let newest = cache.get(&sets[KEPT], Lang::En, &Dialect::COMMON);
        assert_eq!(newest.as_ptr(), kept[KEPT].as_ptr());
        assert_eq!(
            cache.get(&sets[0], Lang::En, &Dialect::COMMON),
            kept[0],
            "written again, the same"
        );
    }
}
