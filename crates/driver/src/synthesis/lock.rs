//! A lock on a design: of several processes that synthesise the same one, one does the work and the
//! others wait for its result.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use sluice_synth::interrupt;
use sluice_synth::job::JobError;

/// How often a process looks whether it has the lock.
const POLL: Duration = Duration::from_millis(100);

/// A lock that is held until it is dropped, or by no process that is still running.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock that the file at `path` is; before it waits for another process, it calls
    /// `waiting`. There is none if the file system has no locks.
    ///
    /// # Errors
    ///
    /// If the process is asked to end while it waits.
    pub(super) fn take(path: &Path, waiting: impl FnOnce()) -> Result<Option<Lock>, JobError> {
        let mut waiting = Some(waiting);
        loop {
            match attempt(path) {
                Ok(Some(file)) => {
                    let path = path.to_owned();
                    return Ok(Some(Lock { _file: file, path }));
                }
                Ok(None) => {}
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = waiting.take() {
                        waiting();
                    }
                    thread::sleep(POLL);
                }
            }
            if interrupt::requested() {
                return Err(JobError::Interrupted);
            }
        }
    }
}

/// The locked file; none if the process that had it has removed it meanwhile.
fn attempt(path: &Path) -> Result<Option<File>, TryLockError> {
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).write(true).open(path);
    let file = file.map_err(TryLockError::Error)?;
    file.try_lock()?;
    let same = |it: &fs::Metadata| io::Result::Ok(file.metadata()?.ino() == it.ino());
    let is_there = fs::metadata(path).and_then(|it| same(&it)).unwrap_or(false);
    Ok(is_there.then_some(file))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is held: a process that waits for it looks whether it is still there.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_second_waits_for_the_first_and_no_file_is_left() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("lock");
        let first = Lock::take(&path, || panic!("it is free")).expect("it is taken");
        assert!(first.is_some());
        let (waits, waiting) = channel();
        thread::scope(|scope| {
            let second = scope.spawn(|| Lock::take(&path, || waits.send(()).expect("it is heard")));
            waiting.recv().expect("the second waits");
            drop(first);
            let second = second.join().expect("it does not panic");
            assert!(second.expect("it is taken").is_some());
        });
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
