//! A process that dies at any step, and another that takes the run up: the end is the same, nothing is fetched or written
//! twice.

use crate::model::{Memory, Remembered, Remembering};
use crate::scenario::Scenario;
use crate::world::{self, World};
use incar_core::async_trait;
use incar_research::{FileName, MemoryStorage, ResearchError, RunRecord, Storage, StorageError};
use incar_testkit::ScriptedModel;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// When a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Death {
    /// Right before what it wants to write is written.
    Before,
    /// Right after.
    After,
}

/// Storage that stops a run, as a process's death would, at the `at`th writing.
#[derive(Debug)]
pub(crate) struct Deadly {
    inner: Arc<MemoryStorage>,
    at: usize,
    death: Death,
    writings: AtomicUsize,
    /// How often a report was written.
    reports: AtomicUsize,
}

impl Deadly {
    pub(crate) fn new(inner: Arc<MemoryStorage>, at: usize, death: Death) -> Self {
        Self {
            inner,
            at,
            death,
            writings: AtomicUsize::new(0),
            reports: AtomicUsize::new(0),
        }
    }
}

#[async_trait]
impl Storage for Deadly {
    async fn put(&self, name: &FileName, text: &str) -> Result<(), StorageError> {
        let number = self.writings.fetch_add(1, Ordering::SeqCst);
        let dies = number >= self.at;
        if number == self.at && self.death == Death::After || !dies {
            self.reports
                .fetch_add(usize::from(name.as_str().ends_with(".md")), Ordering::SeqCst);
            self.inner.put(name, text).await?;
        }
        if dies {
            Err(StorageError("the process died".into()))
        } else {
            Ok(())
        }
    }

    async fn get(&self, name: &FileName) -> Result<Option<String>, StorageError> {
        self.inner.get(name).await
    }

    async fn remove(&self, name: &FileName) -> Result<(), StorageError> {
        self.inner.remove(name).await
    }

    async fn names(&self) -> Result<Vec<FileName>, StorageError> {
        self.inner.names().await
    }
}

/// What came of a run, and what it took.
#[derive(Debug, PartialEq)]
struct Came {
    record: RunRecord,
    files: Vec<(String, String)>,
    fetched: Vec<String>,
    reports: usize,
    writings: usize,
}

/// Plays the first question of a scenario without a crash; `None` where it does not come to an answer.
async fn undisturbed(scenario: &Scenario, memory: &Memory) -> Option<Came> {
    let storage = Arc::new(Deadly::new(Arc::default(), usize::MAX, Death::After));
    let world = World::with_storage(scenario, storage.clone());
    let model = ScriptedModel::default();
    let [first, ..] = scenario.asks.as_slice() else {
        panic!("{}", scenario.about)
    };
    first.model.iter().cloned().for_each(|reply| model.push(reply));
    let model = Remembering {
        model,
        memory: memory.clone(),
    };
    let researcher = world.researcher(scenario, Arc::new(model));
    let record = world::begin(&researcher, scenario, &first.question).await.ok()?;
    Some(Came {
        record,
        files: world.files().await,
        fetched: world.fetched(),
        reports: storage.reports.load(Ordering::SeqCst),
        writings: storage.writings.load(Ordering::SeqCst),
    })
}

/// The same where the process dies at a writing and another takes the run up.
async fn crashed(scenario: &Scenario, memory: &Memory, at: usize, death: Death) -> Option<Came> {
    let kept: Arc<MemoryStorage> = Arc::default();
    let dying = Arc::new(Deadly::new(kept.clone(), at, death));
    let first = World::with_storage(scenario, dying.clone());
    let researcher = first.researcher(scenario, Arc::new(Remembered(memory.clone())));
    let question = &scenario.asks.first()?.question;
    let died = world::begin(&researcher, scenario, question).await;
    assert!(matches!(died, Err(ResearchError::Storage(_))), "{died:?}");

    let living = Arc::new(Deadly::new(kept, usize::MAX, Death::After));
    let second = World::with_storage(scenario, living.clone());
    let researcher = second.researcher(scenario, Arc::new(Remembered(memory.clone())));
    let open = researcher.unfinished().await.unwrap();
    let record = match open.as_slice() {
        [open] => researcher
            .resume(open)
            .await
            .unwrap_or_else(|error| panic!("{}: {at} {death:?}: {error}", scenario.about)),
        // It died before anything was kept, or after everything was.
        _ => {
            let names = second.files().await;
            let id = names.iter().find_map(|(name, _)| name.strip_suffix("_record.json"))?;
            let id = incar_research::RunId::new(id).unwrap();
            researcher.resume(&id).await.unwrap()
        }
    };
    let reports = |storage: &Deadly| storage.reports.load(Ordering::SeqCst);
    Some(Came {
        record,
        files: second.files().await,
        fetched: [first.fetched(), second.fetched()].concat(),
        reports: reports(&dying) + reports(&living),
        writings: 0,
    })
}

#[tokio::test]
async fn a_run_that_is_taken_up_anywhere_ends_as_if_nothing_had_happened() {
    let mut runs = 0;
    for (name, scenario) in Scenario::all() {
        let memory = Memory::default();
        let Some(whole) = undisturbed(&scenario, &memory).await else {
            continue;
        };
        for at in 0..whole.writings {
            for death in [Death::Before, Death::After] {
                let place = format!("{name}, writing {at}, {death:?}");
                let Some(again) = crashed(&scenario, &memory, at, death).await else {
                    assert_eq!((at, death), (0, Death::Before), "{place}: the run is lost");
                    continue;
                };
                runs += 1;
                assert_eq!(again.record, whole.record, "{place}");
                assert_eq!(again.files, whole.files, "{place}");
                let sorted = |mut fetched: Vec<String>| {
                    fetched.sort();
                    fetched
                };
                match death {
                    // What was saved is neither fetched nor written again.
                    Death::After => {
                        assert_eq!(sorted(again.fetched), sorted(whole.fetched.clone()), "{place}");
                        assert_eq!(again.reports, whole.reports, "{place}");
                    }
                    // What came right before the death is lost with it: the calls of that one step are made again.
                    Death::Before => {
                        let more = again.fetched.len() - whole.fetched.len();
                        assert!(more <= 1, "{place}: {more} fetched again");
                        assert!(again.reports <= whole.reports, "{place}");
                    }
                }
            }
        }
    }
    assert!(runs > 200, "only {runs} crashes were tried");
}
