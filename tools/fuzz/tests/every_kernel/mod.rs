//! Checks all kernels of the tests, or random ones, on two threads.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sluice_driver::{Case, Session, TestFile};
use sluice_fuzz::Finding;
use sluice_generator::{Profile, generate};
use sluice_kernel::launch::{Launch, Memory};
use sluice_kernel::program::Optimised;
use sluice_kernel::{Kernel, Program, passes};

/// What is counted, and can be added up.
pub trait Tally: Default + Send {
    /// Adds another one.
    fn add(&mut self, other: &Self);
}

/// Checks each of a number of things, and panics with all that is wrong.
fn check_all<T: Tally>(count: usize, check: impl Fn(usize) -> Result<T, String> + Sync) -> T {
    let next = AtomicUsize::new(0);
    let total = Mutex::new((T::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Relaxed);
                    if at >= count {
                        return;
                    }
                    let result = check(at);
                    let mut total = total.lock().expect("no checker panicked");
                    match result {
                        Ok(claims) => total.0.add(&claims),
                        Err(what) => total.1.push(what),
                    }
                }
            });
        }
    });
    let (claims, wrong) = total.into_inner().expect("no checker panicked");
    let count = wrong.len();
    assert!(wrong.is_empty(), "{count} wrong:\n{}", wrong.join("\n"));
    claims
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = ["tests/run", "examples"]
        .map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder exists"));
    let mut files: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    files
}

/// What is checked of a kernel, given how to make its launch with memory of its own.
type Check<'c, T> = dyn Fn(&Optimised, &dyn Fn() -> (Launch, Memory)) -> Result<T, String> + 'c;

/// Checks the kernel of a case.
fn check_case<T>(case: &Case, check: &Check<'_, T>) -> Result<T, String> {
    let source = case
        .compile
        .source()
        .map_err(|failure| failure.to_string())?;
    let compiled = sluice_frontend::compile(&source, &case.compile.options())
        .map_err(|error| error.to_string())?;
    let [kernel] = <[Kernel; 1]>::try_from(compiled.kernels)
        .map_err(|kernels| format!("{} kernels", kernels.len()))?;
    let program = Program::of(passes::optimise(kernel));
    let launch = || {
        let mut session = Session::bind(&program, [&case.launch]).expect("the case has run before");
        (session.launches.remove(0), session.memory)
    };
    check(&program.kernels()[0], &launch)
}

/// Checks the kernels of `tests/run` and the examples.
pub fn check_files<T: Tally>(
    check: impl Fn(&Optimised, &dyn Fn() -> (Launch, Memory)) -> Result<T, String> + Sync,
) -> T {
    let files = files();
    assert!(files.len() >= 80, "only {} files were found", files.len());
    check_all(files.len(), |at| {
        let path = &files[at];
        let file = TestFile::read(path).map_err(|error| error.to_string())?;
        let mut all = T::default();
        for case in &file.cases {
            let claims = check_case(case, &check);
            let claims = claims.map_err(|what| format!("{}:{}: {what}", path.display(), case.line));
            all.add(&claims?);
        }
        Ok(all)
    })
}

/// Checks random programs.
pub fn check_programs<T: Tally, P>(
    seeds: Range<u64>,
    program: impl Fn(u64) -> P + Sync,
    check: impl Fn(&P) -> Result<T, Finding> + Sync,
) -> T {
    let count = (seeds.end - seeds.start) as usize;
    check_all(count, |at| {
        let seed = seeds.start + at as u64;
        check(&program(seed)).map_err(|what| format!("seed {seed}: {what}"))
    })
}

/// Checks random programs of a profile.
pub fn check_seeds<T: Tally>(
    seeds: Range<u64>,
    profile: &Profile,
    check: impl Fn(&sluice_generator::Program) -> Result<T, Finding> + Sync,
) -> T {
    check_programs(seeds, |seed| generate(seed, profile), check)
}
