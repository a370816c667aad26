//! Executes launches: checks them and shares their work-groups out among threads.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use crate::{
    ir::ObjectKind,
    launch::{Argument, Launch, Memory},
};

use super::{
    Checks, Concurrency, Fault, Options, Outcome, Program,
    checks::{Observer, Shadow, Unwatched},
    execute::Worker,
    group::GroupRunner,
    index_space::IndexSpace,
    lanes::LANES,
    memory::{Owned, Regions, Sharing, VARIABLES},
    trace::{Traced, Tracer},
};

/// Work-items that a thread takes at a time from kernels without groups.
const CHUNK: u64 = 64 * LANES as u64;

/// Bytes of local and private memory that a thread may use.
const MOST_MEMORY: u64 = 1 << 32;

/// A launch that threads take work from.
struct Job<'a> {
    program: &'a Program,
    launch: &'a Launch,
    memory: &'a Memory,
    options: &'a Options<'a>,
    sharing: Sharing,
    /// Whether work-items run group by group.
    grouped: bool,
    /// The next work-group or chunk of work-items.
    next: AtomicU64,
    /// The first piece of work that failed: those behind it are not begun any more.
    failed: AtomicU64,
}

/// A fault and the piece of work that it is in.
struct Failure {
    piece: u64,
    fault: Box<Fault>,
}

impl Program {
    /// Executes a launch; its results are left in `memory`.
    pub fn run(
        &self,
        launch: &Launch,
        memory: &Memory,
        options: &Options<'_>,
    ) -> Result<Outcome, Fault> {
        launch.check(&self.kernel)?;
        self.check_size(launch, memory)?;
        launch.fill_variables(&self.kernel, memory, VARIABLES);
        // Bounds and barriers are a group's own affair; these two compare work-items of all groups.
        let Checks {
            bounds: _,
            divergence: _,
            uninitialised,
            races,
        } = options.checks;
        let collects = options.findings.is_some();
        let threads = if self.ordered || uninitialised || races || collects {
            1
        } else {
            options.threads.max(1)
        };
        let job = Job {
            program: self,
            launch,
            memory,
            options,
            sharing: if threads > 1 || options.concurrency == Concurrency::Shared {
                Sharing::Threads
            } else {
                Sharing::Exclusive
            },
            grouped: self.grouped || uninitialised || races,
            next: AtomicU64::new(0),
            failed: AtomicU64::new(u64::MAX),
        };
        let outcome = if uninitialised || races {
            job.work(Shadow::new(options.checks))
        } else if threads == 1 {
            job.work(Unwatched)
        } else {
            job.work_in_threads(threads)
        };
        outcome.map_err(|failure| *failure.fault)
    }
}

impl Program {
    /// Executes a launch group by group on one thread, and shows a tracer what work-items do. Of the
    /// checks, those for reads of uninitialised memory and for races are left out.
    pub fn run_traced(
        &self,
        launch: &Launch,
        memory: &Memory,
        options: &Options<'_>,
        tracer: &mut dyn Tracer,
    ) -> Result<Outcome, Fault> {
        launch.check(&self.kernel)?;
        self.check_size(launch, memory)?;
        launch.fill_variables(&self.kernel, memory, VARIABLES);
        let job = Job {
            program: self,
            launch,
            memory,
            options,
            sharing: Sharing::Exclusive,
            grouped: true,
            next: AtomicU64::new(0),
            failed: AtomicU64::new(u64::MAX),
        };
        let outcome = job.work(Traced(tracer));
        outcome.map_err(|failure| *failure.fault)
    }
}

impl Program {
    /// Refuses what does not exist and what cannot be held in memory.
    fn check_size(&self, launch: &Launch, memory: &Memory) -> Result<(), Fault> {
        for arg in &launch.args {
            if let Argument::Buffer(id) = *arg
                && !memory.buffers().any(|(other, _)| other == id)
            {
                return Err(Fault::NoSuchBuffer(id));
            }
        }
        let objects = self.kernel.objects.values();
        let local = objects.map(|object| match object.kind {
            ObjectKind::Local { size } => size,
            ObjectKind::LocalPerItem { bytes } => bytes.saturating_mul(launch.range.group_size()),
            ObjectKind::LocalArg { param } => match launch.args[param as usize] {
                Argument::Local(size) => size,
                Argument::Value(_) | Argument::Buffer(_) | Argument::Null | Argument::Struct(_) => {
                    0
                }
            },
            ObjectKind::Buffer { .. }
            | ObjectKind::StructArg { .. }
            | ObjectKind::Private { .. }
            | ObjectKind::Table { .. } => 0,
        });
        let local = local.fold(0, u64::saturating_add);
        let strips = if self.grouped {
            launch.range.group_size().div_ceil(LANES as u64)
        } else {
            1
        };
        let private = self.private_words.saturating_mul(4 * LANES as u64);
        let bytes = local.saturating_add(private.saturating_mul(strips));
        if bytes > MOST_MEMORY {
            return Err(Fault::TooMuchMemory {
                bytes,
                most: MOST_MEMORY,
            });
        }
        Ok(())
    }
}

impl Job<'_> {
    /// Executes the launch on several threads. Of several faults the one that one thread would
    /// have come to is reported: work is taken in order, and what was taken before a failing piece
    /// is finished.
    fn work_in_threads(&self, threads: usize) -> Result<Outcome, Failure> {
        let total: Mutex<Result<Outcome, Failure>> = Mutex::new(Ok(Outcome::default()));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let result = self.work(Unwatched);
                    let mut total = total.lock().expect("no thread panics while it adds");
                    match (&mut *total, result) {
                        (Ok(total), Ok(outcome)) => total.add(&outcome),
                        (Err(first), Err(other)) if first.piece < other.piece => {}
                        (total, Err(failure)) => *total = Err(failure),
                        (Err(_), Ok(_)) => {}
                    }
                });
            }
        });
        total.into_inner().expect("no thread panics while it adds")
    }

    /// Executes what is left of the launch.
    fn work<O: Observer>(&self, observer: O) -> Result<Outcome, Failure> {
        let owned = Owned::new(self.program, self.launch);
        let regions = Regions::new(self.program, self.launch, self.memory, &owned);
        let mut runner = GroupRunner {
            worker: Worker {
                program: self.program,
                launch: self.launch,
                space: IndexSpace::new(self.launch.range),
                regions,
                options: self.options,
                sharing: self.sharing,
                observer,
                outcome: Outcome::default(),
                addresses: [0; LANES],
                stride: None,
            },
            owned: &owned,
            idle: Vec::new(),
        };
        let range = &self.launch.range;
        if self.grouped {
            let groups: u64 = range.num_groups().iter().product();
            while let Some(group) = self.take(1, groups) {
                runner
                    .run_group(group)
                    .map_err(|fault| self.fail(group, fault))?;
            }
        } else {
            let items = range.work_items();
            while let Some(first) = self.take(CHUNK, items) {
                runner
                    .run_items(first, CHUNK.min(items - first))
                    .map_err(|fault| self.fail(first, fault))?;
            }
        }
        Ok(runner.worker.outcome)
    }

    /// Takes the next `count` of `all` pieces of work.
    fn take(&self, count: u64, all: u64) -> Option<u64> {
        let first = self.next.fetch_add(count, Relaxed);
        (first < all.min(self.failed.load(Relaxed))).then_some(first)
    }

    fn fail(&self, piece: u64, fault: Box<Fault>) -> Failure {
        self.failed.fetch_min(piece, Relaxed);
        Failure { piece, fault }
    }
}

impl Outcome {
    fn add(&mut self, other: &Outcome) {
        self.instructions += other.instructions;
        self.loads += other.loads;
        self.stores += other.stores;
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.violations += other.violations;
        self.printed.extend_from_slice(&other.printed);
    }
}
