//! Stores with a size limit, shared by several processes, and in folders that cannot be written.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use sluice_cache::Store;

fn store(folder: &Path, limit: u64) -> Store {
    Store {
        folder: folder.to_owned(),
        limit,
    }
}

/// Makes an entry look as if it was used that many minutes ago.
fn age(store: &Store, name: &str, minutes: u64) {
    let time = SystemTime::now() - Duration::from_secs(60 * minutes);
    let file = File::open(store.folder.join(name)).expect("it is there");
    file.set_modified(time).expect("it is ours");
}

fn names(store: &Store) -> Vec<String> {
    let listed = fs::read_dir(&store.folder).expect("it is there");
    let names = listed.map(|entry| entry.expect("it is there").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("ours"))
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_kept_is_found_and_replaced() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(&folder.path().join("deep/er"), 100);
    assert_eq!(store.get("a"), None);
    store.put("a", b"one");
    store.put("a", b"two");
    assert_eq!(store.get("a").as_deref(), Some(&b"two"[..]));
    assert_eq!(names(&store), ["a"]);
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(folder.path(), 30);
    for (name, minutes) in [("a", 30), ("b", 20), ("c", 10)] {
        store.put(name, &[0; 10]);
        age(&store, name, minutes);
    }
    assert_eq!(names(&store), ["a", "b", "c"]);
    store.get("a").expect("it is used now");
    store.put("d", &[0; 10]);
    assert_eq!(names(&store), ["a", "c", "d"]);
}

#[test]
fn the_entry_just_made_stays_even_if_it_is_too_large() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(folder.path(), 5);
    store.put("a", &[0; 3]);
    store.put("b", &[0; 10]);
    assert_eq!(names(&store), ["b"]);
}

#[test]
fn folders_count_with_all_that_is_in_them() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(folder.path(), 15);
    fs::create_dir_all(folder.path().join("old/in")).expect("it can be made");
    fs::write(folder.path().join("old/in/file"), [0; 10]).expect("it can be written");
    age(&store, "old", 5);
    store.put("new", &[0; 10]);
    assert_eq!(names(&store), ["new"]);
}

#[test]
fn what_others_are_making_is_left_alone_for_a_day() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(folder.path(), 0);
    for (name, minutes) in [("unfinished-1-0", 60), ("unfinished-2-0", 25 * 60)] {
        fs::write(folder.path().join(name), [0; 10]).expect("it can be written");
        age(&store, name, minutes);
    }
    store.put("a", &[0; 10]);
    assert_eq!(names(&store), ["a", "unfinished-1-0"]);
}

#[test]
fn a_folder_that_cannot_be_made_holds_nothing() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("it can be written");
    let store = store(&file.join("below"), 100);
    store.put("a", b"one");
    assert_eq!(store.get("a"), None);
}

#[test]
fn many_at_once_see_whole_entries_only() {
    let folder = tempfile::tempdir().expect("there is room");
    let store = store(folder.path(), 5 * 4096);
    let work = |seed: usize| {
        for round in 0..200 {
            let number = (seed * 7 + round * 13) % 16;
            let name = format!("entry{number}");
            if let Some(bytes) = store.get(&name) {
                assert_eq!(bytes, vec![number as u8; 4096]);
            }
            store.put(&name, &vec![number as u8; 4096]);
        }
    };
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || work(seed));
        }
    });
    store.put("entry0", &[0; 4096]);
    assert!(names(&store).len() <= 5, "{:?}", names(&store));
}
