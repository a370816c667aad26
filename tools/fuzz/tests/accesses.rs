//! What the access analysis claims agrees with the addresses that the interpreter sees, on every kernel
//! of `tests/run` and on random ones.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sluice_driver::{Case, Session, TestFile};
use sluice_fuzz::accesses::{Claims, check_program, check_stages};
use sluice_generator::{Profile, generate};
use sluice_kernel::{Kernel, Program, passes};

/// Checks each of a number of things on two threads, and panics with all that is wrong.
fn check_all(count: usize, check: impl Fn(usize) -> Result<Claims, String> + Sync) -> Claims {
    let next = AtomicUsize::new(0);
    let total = Mutex::new((Claims::default(), Vec::new()));
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
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{claims:?}");
    claims
}

/// Panics if some kind of claim has hardly been checked.
fn assert_all_kinds(claims: &Claims, least: u64) {
    let kinds = [
        ("addresses", claims.addresses),
        ("ranges", claims.ranges),
        ("strides", claims.strides),
        ("strides of loops", claims.loop_strides),
        ("uniform", claims.uniform),
        ("distances", claims.distances),
    ];
    for (kind, count) in kinds {
        assert!(count >= least, "{kind}: only {count} were checked");
    }
    let pairs = [
        ("apart", claims.apart),
        ("own", claims.own),
        ("others", claims.others),
        ("conditional", claims.conditional),
    ];
    for (kind, count) in pairs {
        assert!(count >= 20, "{kind}: only {count} pairs were checked");
    }
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

fn check_case(case: &Case) -> Result<Claims, String> {
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
    check_stages(&program.kernels()[0], launch)
}

#[test]
fn claims_hold_for_the_kernels_of_the_tests() {
    let files = files();
    assert!(files.len() >= 80, "only {} files were found", files.len());
    let claims = check_all(files.len(), |at| {
        let path = &files[at];
        let file = TestFile::read(path).map_err(|error| error.to_string())?;
        let mut all = Claims::default();
        for case in &file.cases {
            let claims = check_case(case);
            let claims = claims.map_err(|what| format!("{}:{}: {what}", path.display(), case.line));
            all.add(&claims?);
        }
        Ok(all)
    });
    let share = |count: u64| 100.0 * count as f64 / claims.accesses as f64;
    println!(
        "{} accesses, {:.1} % with a known form, {:.1} % of ids, iterations and uniform values",
        claims.accesses,
        share(claims.known),
        share(claims.affine)
    );
    assert_all_kinds(&claims, 10_000);
}

fn check_seeds(seeds: Range<u64>, profile: &Profile) -> Claims {
    let count = (seeds.end - seeds.start) as usize;
    check_all(count, |at| {
        let seed = seeds.start + at as u64;
        check_program(&generate(seed, profile)).map_err(|what| format!("seed {seed}: {what}"))
    })
}

#[test]
fn claims_hold_for_random_kernels() {
    let mut claims = check_seeds(5000..5150, &Profile::default());
    claims.add(&check_seeds(5000..5100, &Profile::small()));
    claims.add(&check_seeds(5000..5050, &Profile::crowded()));
    assert_all_kinds(&claims, 1_000);
}
