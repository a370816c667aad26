//! What was built once, kept between runs and for any number of processes at once.
//!
//! A folder holds entries, files or folders. They are made under a temporary name and renamed when complete, and
//! renamed before they are deleted, so that nobody ever sees half of one. Each folder has a limit; beyond it,
//! what was not used for longest is deleted. Nothing here fails: a cache that cannot be read or written is one
//! that holds nothing.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// What is still being made, or is on its way out.
const UNFINISHED: &str = "unfinished-";

/// What was left unfinished this long ago was left for good.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

const MEBIBYTE: u64 = 1 << 20;

/// The folder of all caches: `SLUICE_CACHE_DIR`, or `sluice` in the user's cache folder. There is none if
/// `SLUICE_CACHE` is 0, or if the user has no folder.
pub fn folder() -> Option<PathBuf> {
    folder_in(|name| std::env::var_os(name))
}

fn folder_in(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if variable("SLUICE_CACHE").is_some_and(|value| value == "0") {
        return None;
    }
    let folder = |name| variable(name).filter(|value| !value.is_empty());
    folder("SLUICE_CACHE_DIR")
        .map(PathBuf::from)
        .or_else(|| folder("XDG_CACHE_HOME").map(|base| PathBuf::from(base).join("sluice")))
        .or_else(|| folder("HOME").map(|base| PathBuf::from(base).join(".cache/sluice")))
}

/// How many bytes a cache may hold: `SLUICE_CACHE_SIZE`, in MiB like the number that is taken without it.
pub fn limit(default_mebibytes: u64) -> u64 {
    limit_in(|name| std::env::var_os(name), default_mebibytes)
}

fn limit_in(variable: impl Fn(&str) -> Option<OsString>, default_mebibytes: u64) -> u64 {
    let chosen = variable("SLUICE_CACHE_SIZE");
    let chosen = chosen.and_then(|value| value.to_str()?.trim().parse().ok());
    let mebibytes: u64 = chosen.unwrap_or(default_mebibytes);
    mebibytes.saturating_mul(MEBIBYTE)
}

/// A folder of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Where they are.
    pub folder: PathBuf,
    /// How many bytes they may have together.
    pub limit: u64,
}

impl Store {
    /// The contents of an entry that is a file.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = fs::read(&path).ok()?;
        mark_as_used(&path);
        Some(bytes)
    }

    /// Keeps a file, in place of what may be there.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        if self.write(name, bytes).is_ok() {
            self.trim(name);
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(&self.folder)?;
        file.write_all(bytes)?;
        file.persist(self.folder.join(name))?;
        Ok(())
    }

    /// A path for an entry that is being made, to be renamed when it is finished.
    pub fn unfinished(&self) -> PathBuf {
        static UNIQUE: AtomicU32 = AtomicU32::new(0);
        let number = UNIQUE.fetch_add(1, Ordering::Relaxed);
        self.folder
            .join(format!("{UNFINISHED}{}-{number}", process::id()))
    }

    /// Deletes what was not used for longest until the rest is within the limit. The entry `spared` stays: it
    /// is about to be used.
    pub fn trim(&self, spared: &str) {
        let Ok(listed) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut entries = Vec::new();
        let now = SystemTime::now();
        // What vanishes meanwhile, another process has deleted.
        for entry in listed.flatten() {
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else {
                continue;
            };
            let used = metadata.modified().unwrap_or(now);
            let name = entry.file_name();
            let unfinished = name.to_string_lossy().starts_with(UNFINISHED);
            match now.duration_since(used) {
                Ok(age) if unfinished && age > ABANDONED => delete(&path),
                Ok(_) | Err(_) if unfinished => {}
                Ok(_) | Err(_) => entries.push(Entry {
                    bytes: size(&path, &metadata),
                    spared: name == spared,
                    used,
                    path,
                }),
            }
        }
        entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        let mut held: u64 = entries.iter().map(|entry| entry.bytes).sum();
        for entry in entries.iter().filter(|entry| !entry.spared) {
            if held <= self.limit {
                break;
            }
            self.remove(&entry.path);
            held -= entry.bytes;
        }
    }

    /// Deletes an entry, if it is there: it is not what it should be.
    pub fn discard(&self, name: &str) {
        self.remove(&self.folder.join(name));
    }

    /// Takes an entry away at once, and deletes it then.
    fn remove(&self, path: &Path) {
        let leaving = self.unfinished();
        if fs::rename(path, &leaving).is_ok() {
            delete(&leaving);
        }
    }
}

struct Entry {
    path: PathBuf,
    used: SystemTime,
    bytes: u64,
    spared: bool,
}

/// Makes an entry the one that was used last.
pub fn mark_as_used(path: &Path) {
    // Without the permission it just grows old.
    let marked = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
    drop(marked);
}

/// Someone else may be deleting the same, or may have forbidden it.
fn delete(path: &Path) {
    drop(match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    });
}

/// The bytes of a file, or of all files in a folder.
fn size(path: &Path, metadata: &Metadata) -> u64 {
    if !metadata.is_dir() {
        return metadata.len();
    }
    let listed = fs::read_dir(path).into_iter().flatten().flatten();
    let sizes = listed.map(|entry| match entry.metadata() {
        Ok(metadata) => size(&entry.path(), &metadata),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables of an environment, as `NAME=value` words.
    fn environment(words: &str) -> impl Fn(&str) -> Option<OsString> {
        move |name| {
            let mut pairs = words.split(' ').filter_map(|word| word.split_once('='));
            pairs.find(|pair| pair.0 == name).map(|pair| pair.1.into())
        }
    }

    #[test]
    fn the_environment_chooses_the_folder() {
        let folder = |words| folder_in(environment(words));
        assert_eq!(folder(""), None);
        assert_eq!(folder("HOME=/u"), Some("/u/.cache/sluice".into()));
        assert_eq!(
            folder("HOME=/u XDG_CACHE_HOME=/x"),
            Some("/x/sluice".into())
        );
        assert_eq!(
            folder("HOME=/u XDG_CACHE_HOME=/x SLUICE_CACHE_DIR=/d"),
            Some("/d".into())
        );
        assert_eq!(folder("HOME=/u SLUICE_CACHE_DIR="), folder("HOME=/u"));
        assert_eq!(folder("HOME=/u SLUICE_CACHE=1"), folder("HOME=/u"));
        assert_eq!(folder("HOME=/u SLUICE_CACHE_DIR=/d SLUICE_CACHE=0"), None);
    }

    #[test]
    fn the_environment_chooses_the_limit() {
        let limit = |words| limit_in(environment(words), 5);
        assert_eq!(limit(""), 5 << 20);
        assert_eq!(limit("SLUICE_CACHE_SIZE=7"), 7 << 20);
        assert_eq!(limit("SLUICE_CACHE_SIZE=much"), 5 << 20);
        assert_eq!(limit("SLUICE_CACHE_SIZE=18446744073709551615"), u64::MAX);
    }
}
