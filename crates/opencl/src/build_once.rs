//! Values that take long to build: the first thread that wants one builds it, others that want the same one
//! wait for it, and those that want another one go on.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A place for a value, shared by the threads that want it.
type Cell<V, E> = Arc<OnceLock<Result<V, E>>>;

/// Built values by key. What could not be built is tried again the next time.
pub(crate) struct BuildOnce<K, V, E> {
    cells: Mutex<Vec<(K, Cell<V, E>)>>,
}

impl<K, V, E> Default for BuildOnce<K, V, E> {
    fn default() -> Self {
        BuildOnce {
            cells: Mutex::default(),
        }
    }
}

impl<K, V, E> fmt::Debug for BuildOnce<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildOnce").finish_non_exhaustive()
    }
}

impl<K: PartialEq + Clone, V: Clone, E: Clone> BuildOnce<K, V, E> {
    /// The value of a key. The lock is not held while it is built.
    pub(crate) fn get(&self, key: &K, build: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let cell = self.cell(key);
        let built = cell.get_or_init(build).clone();
        if built.is_err() {
            self.lock().retain(|(_, other)| !Arc::ptr_eq(other, &cell));
        }
        built
    }

    fn cell(&self, key: &K) -> Cell<V, E> {
        let mut cells = self.lock();
        if let Some((_, cell)) = cells.iter().find(|(it, _)| it == key) {
            return cell.clone();
        }
        let cell = Cell::default();
        cells.push((key.clone(), cell.clone()));
        cell
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(K, Cell<V, E>)>> {
        self.cells.lock().unwrap_or_else(|it| it.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    type Values = BuildOnce<u32, u32, String>;

    #[test]
    fn eight_threads_build_a_value_once() {
        let (values, builds, start) = (Values::default(), AtomicU32::new(0), Barrier::new(8));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    let value = values.get(&7, || Ok(100 + builds.fetch_add(1, Relaxed)));
                    assert_eq!(value, Ok(100));
                });
            }
        });
        assert_eq!(builds.load(Relaxed), 1);
    }

    /// One value is not finished before all the others are: with a lock over builds, nothing would end.
    #[test]
    fn a_value_that_is_being_built_holds_up_no_other() {
        let values = Values::default();
        let (done, others) = mpsc::channel();
        thread::scope(|scope| {
            let values = &values;
            scope.spawn(move || {
                let slow = values.get(&0, || {
                    let sum = (1..8).map(|_| others.recv().expect("they go on")).sum();
                    Ok(sum)
                });
                assert_eq!(slow, Ok(28));
            });
            for key in 1..8 {
                let done = done.clone();
                scope.spawn(move || {
                    assert_eq!(values.get(&key, || Ok(key)), Ok(key));
                    done.send(key).expect("the slow one waits");
                });
            }
        });
    }

    #[test]
    fn what_could_not_be_built_is_tried_again() {
        let values = Values::default();
        assert_eq!(values.get(&1, || Err("no".into())), Err("no".into()));
        assert_eq!(values.get(&1, || Ok(5)), Ok(5));
        assert_eq!(values.get(&1, || Err("no".into())), Ok(5));
    }
}
