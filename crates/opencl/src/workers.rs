//! The threads of a context: whatever computes or calls the program back does so on them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

/// Something to do.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// Threads that do jobs. None of them waits for another job, so any number of them is enough; more
/// than one lets a transfer pass a long simulation.
#[derive(Debug)]
pub(crate) struct Workers {
    shared: Arc<Shared>,
    /// Most threads that there may be.
    most: usize,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    idle: usize,
    threads: Vec<JoinHandle<()>>,
    is_closed: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} jobs, {} threads",
            self.jobs.len(),
            self.threads.len()
        )
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("jobs run outside of the lock")
    }
}

/// Threads that there may be at least.
const LEAST: usize = 4;

impl Workers {
    /// No threads yet: they start when there is something to do.
    pub(crate) fn new() -> Workers {
        Workers {
            shared: Arc::default(),
            // Asking takes longer than most jobs.
            most: thread::available_parallelism().map_or(LEAST, |it| it.get().max(LEAST)),
        }
    }

    /// Has a job done, soon.
    pub(crate) fn submit(&self, job: Job) {
        let mut state = self.shared.lock();
        state.jobs.push_back(job);
        if state.idle < state.jobs.len() && state.threads.len() < self.most {
            let shared = self.shared.clone();
            let spawned = thread::Builder::new()
                .name("sluice".to_owned())
                .spawn(move || work(&shared));
            match spawned {
                Ok(thread) => state.threads.push(thread),
                // The others will come to it.
                Err(_) if !state.threads.is_empty() => {}
                Err(error) => panic!("a thread is needed: {error}"),
            }
        }
        drop(state);
        self.shared.wake.notify_one();
    }
}

impl Drop for Workers {
    /// Waits for what is still to be done.
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        let threads = std::mem::take(&mut state.threads);
        drop(state);
        self.shared.wake.notify_all();
        let here = thread::current().id();
        for thread in threads.into_iter().filter(|it| it.thread().id() != here) {
            // A worker's panic was a command's, and is known there.
            let _ = thread.join();
        }
    }
}

/// Has something computed on a thread of ours, and waits for it; none if it panics.
pub(crate) fn compute<T: Send>(body: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            thread_mode::set();
            body()
        });
        thread.join().ok()
    })
}

fn work(shared: &Shared) {
    thread_mode::set();
    let mut state = shared.lock();
    loop {
        if let Some(job) = state.jobs.pop_front() {
            drop(state);
            // The end of a job, also by a panic, is seen in what it leaves behind.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            state = shared.lock();
        } else if state.is_closed {
            return;
        } else {
            state.idle += 1;
            state = shared
                .wake
                .wait(state)
                .expect("jobs run outside of the lock");
            state.idle -= 1;
        }
    }
}

/// What a thread inherits from the one that started it, and must not.
mod thread_mode {
    /// The default floating-point mode, whatever the program's is; and the program's signals stay
    /// with its own threads.
    pub(super) fn set() {
        #[cfg(target_arch = "x86_64")]
        {
            /// All exceptions masked, to nearest, denormals as they are.
            const DEFAULT: u32 = 0x1f80;
            // SAFETY: the register is this thread's, and the value its default.
            unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &DEFAULT, options(nostack)) };
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the register is this thread's, and the value its default.
        unsafe {
            std::arch::asm!("msr fpcr, {}", in(reg) 0_u64, options(nomem, nostack))
        };
        // SAFETY: the set is filled before it is used, and the mask is this thread's.
        unsafe {
            let mut all = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        }
    }
}
