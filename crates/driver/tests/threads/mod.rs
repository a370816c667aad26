//! Checks of many cases, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Checks each item; panics if a check does.
pub fn for_each<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
                    check(item);
                }
            });
        }
    });
}
