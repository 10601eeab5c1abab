//! Results of tools that only read, kept for a while.

use incar_core::{
    Effect, Lang, Refusal, Resolved, Timestamp, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, async_trait,
};
use moka::sync::Cache;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A tool whose calls change something: its results cannot be kept, since they stand for deeds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the results of `{0}` cannot be kept: it does not only read")]
pub struct NotOnlyRead(String);

/// Results of tools, by tool, language and canonical arguments. Bounded in memory: the longest unused go first.
///
/// [`ReadCache::around`] puts it round a tool. Two calls whose resolved arguments are the same JSON, in whatever order
/// their fields stand, share a result for the lifetime given there. Failures are not kept. It is for tools
/// whose answer depends on their arguments alone: not for one that tells the state of the car or knows its speaker.
#[derive(Clone)]
pub struct ReadCache {
    results: Cache<Key, Kept>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    tool: Arc<str>,
    lang: Lang,
    arguments: String,
}

#[derive(Debug, Clone)]
struct Kept {
    output: ToolOutput,
    since: Timestamp,
}

impl fmt::Debug for ReadCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadCache")
            .field("results", &self.results.entry_count())
            .finish()
    }
}

impl ReadCache {
    /// A cache of about so many bytes of results.
    pub fn of_bytes(bytes: u64) -> Self {
        let weigh = |key: &Key, kept: &Kept| {
            let size =
                key.arguments.len() + size_of(&kept.output.value) + kept.output.say.as_ref().map_or(0, String::len);
            u32::try_from(size).unwrap_or(u32::MAX)
        };
        Self {
            results: Cache::builder().max_capacity(bytes).weigher(weigh).build(),
        }
    }

    /// `tool` with its results kept for `lifetime`.
    ///
    /// # Errors
    /// [`NotOnlyRead`] for a tool that changes something.
    pub fn around(&self, tool: Arc<dyn Tool>, lifetime: Duration) -> Result<Arc<dyn Tool>, NotOnlyRead> {
        self.around_if(tool, lifetime, |_| true)
    }

    /// `tool` with those of its results kept for `lifetime` that `keeps` says may be.
    ///
    /// # Errors
    /// [`NotOnlyRead`] for a tool that changes something.
    pub fn around_if(
        &self,
        tool: Arc<dyn Tool>,
        lifetime: Duration,
        keeps: fn(&ToolOutput) -> bool,
    ) -> Result<Arc<dyn Tool>, NotOnlyRead> {
        let spec = tool.spec();
        match spec.effect {
            Effect::Read => Ok(Arc::new(Cached {
                name: Arc::from(&*spec.name),
                tool,
                lifetime,
                keeps,
                cache: self.clone(),
            })),
            Effect::Set | Effect::Act => Err(NotOnlyRead(spec.name.to_string())),
        }
    }
}

/// A tool whose results are kept.
struct Cached {
    name: Arc<str>,
    tool: Arc<dyn Tool>,
    lifetime: Duration,
    keeps: fn(&ToolOutput) -> bool,
    cache: ReadCache,
}

#[async_trait]
impl Tool for Cached {
    fn spec(&self) -> &Arc<ToolSpec> {
        self.tool.spec()
    }

    fn resolve(&self, arguments: &Value, context: ToolContext<'_>) -> Result<Resolved, Refusal> {
        self.tool.resolve(arguments, context)
    }

    async fn run(&self, arguments: &Value, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let key = Key {
            tool: self.name.clone(),
            lang: context.lang,
            arguments: canonical(arguments),
        };
        // The turn's clock decides, which a simulator moves by itself; the cache's own would not know.
        let now = context.clock.now();
        if let Some(kept) = self.cache.results.get(&key)
            && kept.since <= now
            && now.since(kept.since) < self.lifetime
        {
            return Ok(kept.output);
        }
        let output = self.tool.run(arguments, context).await?;
        if (self.keeps)(&output) {
            let kept = Kept {
                output: output.clone(),
                since: now,
            };
            self.cache.results.insert(key, kept);
        }
        Ok(output)
    }
}

/// The same text for the same arguments: fields in the order of their names, those that were not said left out.
fn canonical(arguments: &Value) -> String {
    let mut text = String::new();
    write_canonical(arguments, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut said: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
            said.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in said {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}

/// About how many bytes a value takes.
fn size_of(value: &Value) -> usize {
    let own = std::mem::size_of::<Value>();
    own + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size_of).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + size_of(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{call_at, clock};
    use incar_core::{Bilingual, Erased, ErrorKind, ToolCategory, TypedTool};
    use proptest::prelude::*;
    use serde_json::json;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts its calls; fails where it is asked to.
    struct Counting {
        effect: Effect,
        calls: Arc<AtomicUsize>,
    }

    #[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    struct Args {
        query: String,
        count: Option<u32>,
    }

    #[async_trait]
    impl TypedTool for Counting {
        type Args = Args;

        fn spec(&self) -> ToolSpec {
            ToolSpec::new(
                "look",
                ToolCategory::KNOWLEDGE,
                self.effect,
                Bilingual::new("看", "look"),
            )
        }

        async fn run(&self, args: Args, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
            let calls = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
            match args.query.as_str() {
                "fail" => Err(ToolError::new(ErrorKind::ToolFailed, "no")),
                query => Ok(ToolOutput::new(json!({"call": calls, "query": query}))?.say("said")),
            }
        }
    }

    fn cached(bytes: u64) -> (Vec<Arc<dyn Tool>>, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let effect = Effect::Read;
        let tool = Arc::new(Erased::new(Counting {
            effect,
            calls: calls.clone(),
        }));
        let tool = ReadCache::of_bytes(bytes)
            .around(tool, Duration::from_secs(60))
            .unwrap();
        (vec![tool], calls)
    }

    #[tokio::test]
    async fn the_same_question_is_asked_once_within_its_lifetime() {
        let (tools, calls) = cached(1 << 20);
        let clock = clock();
        // What is asked, how long after the question before, and how many calls there were then.
        for (what, lang, arguments, after, count) in [
            ("first", Lang::Zh, json!({"query": "a", "count": 1}), 0, 1),
            ("again", Lang::Zh, json!({"query": "a", "count": 1}), 0, 1),
            ("in another order", Lang::Zh, json!({"count": 1, "query": "a"}), 59, 1),
            ("too old", Lang::Zh, json!({"count": 1, "query": "a"}), 1, 2),
            ("fresh again", Lang::Zh, json!({"count": 1, "query": "a"}), 59, 2),
            ("another language", Lang::En, json!({"query": "a", "count": 1}), 0, 3),
            ("other arguments", Lang::Zh, json!({"query": "a", "count": 2}), 0, 4),
            ("one left out", Lang::Zh, json!({"query": "a"}), 0, 5),
            ("one not said", Lang::Zh, json!({"query": "a", "count": null}), 0, 5),
        ] {
            clock.advance(Duration::from_secs(after));
            let output = call_at(&clock, &tools, "look", lang, &arguments).await.unwrap();
            assert_eq!(calls.load(Ordering::SeqCst), count, "{what}");
            assert_eq!(
                (output.say.as_deref(), &output.value["query"]),
                (Some("said"), &json!("a"))
            );
        }
    }

    #[tokio::test]
    async fn failures_are_not_kept() {
        let (tools, calls) = cached(1 << 20);
        for count in 1..4 {
            assert!(
                call_at(&clock(), &tools, "look", Lang::Zh, &json!({"query": "fail"}))
                    .await
                    .is_err()
            );
            assert_eq!(calls.load(Ordering::SeqCst), count);
        }
    }

    #[test]
    fn results_of_deeds_cannot_be_kept() {
        for effect in [Effect::Set, Effect::Act] {
            let calls = Arc::default();
            let tool = Arc::new(Erased::new(Counting { effect, calls }));
            let refused = ReadCache::of_bytes(1).around(tool, Duration::from_secs(60));
            assert_eq!(refused.err(), Some(NotOnlyRead("look".into())));
        }
    }

    #[tokio::test]
    async fn what_is_kept_is_bounded() {
        let clock = clock();
        let cache = ReadCache::of_bytes(100_000);
        let tool = Erased::new(Counting {
            effect: Effect::Read,
            calls: Arc::default(),
        });
        let tools = [cache.around(Arc::new(tool), Duration::from_secs(60)).unwrap()];
        for n in 0..200 {
            let query = format!("{n} {}", "x".repeat(5000));
            call_at(&clock, &tools, "look", Lang::Zh, &json!({"query": query}))
                .await
                .unwrap();
        }
        cache.results.run_pending_tasks();
        assert!(cache.results.weighted_size() <= 100_000 && cache.results.entry_count() > 0);
    }

    proptest! {
        #[test]
        fn different_arguments_have_different_keys(
            one in prop::collection::btree_map("[a-c]{1,2}", "[a-c\",:{}]{0,3}", 0..3),
            other in prop::collection::btree_map("[a-c]{1,2}", "[a-c\",:{}]{0,3}", 0..3),
        ) {
            prop_assert_eq!(canonical(&json!(one)) == canonical(&json!(other)), one == other);
        }
    }
}
