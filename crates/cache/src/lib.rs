//! A build cache on disk, kept between runs and shared by any number of processes.
//!
//! A folder holds entries, files or folders. They are made under a temporary name and renamed when complete, and
//! renamed before they are deleted, so that no process ever sees an incomplete one. Each folder has a size limit;
//! beyond it, the least recently used entries are deleted. Nothing here fails: a cache that cannot be read or
//! written behaves like an empty one.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// The name prefix of entries that are being made or deleted.
const UNFINISHED: &str = "unfinished-";

/// Unfinished entries of this age are left over from a process that was killed.
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

/// How many bytes a cache may hold: `SLUICE_CACHE_SIZE`, in MiB, or else the default.
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
    /// The path of the folder.
    pub folder: PathBuf,
    /// The maximum size of all entries together, in bytes.
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

    /// Stores a file, replacing an entry of the same name.
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

    /// Deletes the least recently used entries until the rest is within the limit. The entry `spared` stays: it is
    /// about to be used.
    pub fn trim(&self, spared: &str) {
        let Ok(listed) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut entries = Vec::new();
        let now = SystemTime::now();
        // Entries may vanish meanwhile: other processes delete, too.
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

    /// Deletes a damaged entry, if it exists.
    pub fn discard(&self, name: &str) {
        self.remove(&self.folder.join(name));
    }

    /// Renames an entry, so that it disappears at once, and then deletes it.
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

/// Marks an entry as the most recently used.
pub fn mark_as_used(path: &Path) {
    // Without the permission, the entry keeps its old time.
    let marked = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
    drop(marked);
}

/// Ignores errors: another process may have deleted it, or permissions may forbid it.
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
