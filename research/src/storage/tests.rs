//! What every storage does.

use super::*;

fn name(name: &str) -> FileName {
    FileName::new(name).unwrap()
}

async fn keeps(storage: &dyn Storage) {
    assert_eq!(storage.get(&name("a.md")).await, Ok(None));
    storage.put(&name("b.md"), "two").await.unwrap();
    storage.put(&name("a.md"), "long, long one").await.unwrap();
    storage.put(&name("a.md"), "一").await.unwrap();
    assert_eq!(storage.get(&name("a.md")).await, Ok(Some("一".into())));
    storage.put(&name("c.md"), "three").await.unwrap();
    for _ in 0..2 {
        storage.remove(&name("c.md")).await.unwrap();
    }
    assert_eq!(storage.names().await, Ok(vec![name("a.md"), name("b.md")]));
}

#[tokio::test]
async fn a_text_is_kept_until_another_takes_its_place() {
    keeps(&MemoryStorage::default()).await;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("made/on/the/way");
    keeps(&FolderStorage::open(&folder).unwrap()).await;
    keeps_names(&FolderStorage::open(&folder).unwrap()).await;
}

async fn keeps_names(again: &FolderStorage) {
    assert_eq!(
        again.get(&name("b.md")).await,
        Ok(Some("two".into())),
        "it outlives who wrote it"
    );
}

#[tokio::test]
async fn a_crash_in_the_middle_of_writing_leaves_the_old_text() {
    let place = tempfile::tempdir().unwrap();
    let storage = FolderStorage::open(place.path()).unwrap();
    storage.put(&name("a.md"), "whole").await.unwrap();
    // What a process leaves behind that dies before it moves the file to its place.
    std::fs::write(place.path().join(".a.md.new"), "ha").unwrap();
    assert_eq!(storage.get(&name("a.md")).await, Ok(Some("whole".into())));
    assert_eq!(storage.names().await, Ok(vec![name("a.md")]));
    storage.put(&name("a.md"), "whole again").await.unwrap();
    assert_eq!(storage.get(&name("a.md")).await, Ok(Some("whole again".into())));
}

#[tokio::test]
async fn a_folder_that_is_gone_is_told() {
    let place = tempfile::tempdir().unwrap();
    let storage = FolderStorage::open(place.path().join("runs")).unwrap();
    std::fs::remove_dir(storage.path()).unwrap();
    assert!(storage.put(&name("a.md"), "x").await.is_err());
    assert_eq!(storage.get(&name("a.md")).await, Ok(None));
    assert!(storage.names().await.is_err());
}
