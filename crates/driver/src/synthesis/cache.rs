//! What came of earlier runs: a folder of results for each design, named by a hash of everything that
//! decides them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use sluice_cache::Store;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// The default size limit.
const MEBIBYTES: u64 = 2048;

/// The file that says that an entry is complete.
const RECORD: &str = "record.json";

/// How results were obtained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The tools' versions, by name.
    pub(crate) tools: BTreeMap<String, String>,
    /// How long they took.
    pub(crate) seconds: f64,
    /// The checksum of each file.
    files: BTreeMap<String, String>,
}

/// A folder that is removed when this is dropped, unless it was given another name.
#[derive(Debug)]
pub(super) struct WorkFolder(pub(super) PathBuf);

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // If it has another name, there is nothing to remove.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The cache that the environment chooses; none if there is to be none, or if it cannot be written.
pub(super) fn store() -> Option<Store> {
    let folder = sluice_cache::folder()?.join("synth");
    fs::create_dir_all(&folder).ok()?;
    let limit = sluice_cache::limit(MEBIBYTES);
    Some(Store { folder, limit })
}

/// The name of a design's entry.
pub(super) fn entry_name<'p>(design: &str, parts: impl IntoIterator<Item = &'p str>) -> String {
    let mut hasher = Xxh3::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    format!("{design}-{:032x}", hasher.digest128())
}

/// Where the lock of an entry is: among what is not counted as an entry.
pub(super) fn lock_path(store: &Store, entry: &str) -> PathBuf {
    store.folder.join(format!("unfinished-{entry}.lock"))
}

/// The record of a folder whose files are as they were made.
pub(super) fn read(folder: &Path) -> Option<Record> {
    let text = fs::read(folder.join(RECORD)).ok()?;
    let record: Record = serde_json::from_slice(&text).ok()?;
    let is_intact = |(name, sum): (&String, &String)| {
        fs::read(folder.join(name)).is_ok_and(|bytes| checksum(&bytes) == *sum)
    };
    record.files.iter().all(is_intact).then_some(record)
}

/// Completes a folder: keeps these files and those that end in `.log`, and writes the record.
pub(super) fn complete(
    folder: &Path,
    kept: &[&str],
    tools: BTreeMap<String, String>,
    seconds: f64,
) -> io::Result<Record> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false if kept.contains(&&*name) || name.ends_with(".log") => {
                files.insert(name, checksum(&fs::read(entry.path())?));
            }
            false => fs::remove_file(entry.path())?,
        }
    }
    let record = Record {
        tools,
        seconds,
        files,
    };
    let text = serde_json::to_vec_pretty(&record).expect("records are plain data");
    fs::write(folder.join(RECORD), text)?;
    Ok(record)
}

impl Record {
    /// The names of the logs.
    pub(crate) fn logs(&self) -> impl Iterator<Item = &str> {
        let names = self.files.keys().map(String::as_str);
        names.filter(|name| name.ends_with(".log"))
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_or_unfinished_entry_is_none() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path();
        for (name, text) in [("netlist.json", "{}"), ("yosys.log", "ok"), ("a.v", "")] {
            fs::write(path.join(name), text).expect("it is written");
        }
        fs::create_dir(path.join("tmp")).expect("it is made");
        assert_eq!(read(path), None);
        let record = complete(path, &["netlist.json"], BTreeMap::new(), 1.5);
        let record = record.expect("it is completed");
        assert_eq!(read(path).as_ref(), Some(&record));
        assert_eq!(record.logs().collect::<Vec<_>>(), ["yosys.log"]);
        assert_eq!(fs::read_dir(path).expect("a folder").count(), 3);
        fs::write(path.join("netlist.json"), "{ }").expect("it is written");
        assert_eq!(read(path), None);
    }

    #[test]
    fn names_tell_where_parts_end() {
        assert_ne!(entry_name("d", ["ab", "c"]), entry_name("d", ["a", "bc"]));
        assert_eq!(entry_name("d", ["ab"]), entry_name("d", ["ab"]));
    }
}
