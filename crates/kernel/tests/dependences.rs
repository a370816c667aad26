//! Dependence analysis: files with a kernel and what is known of its loops.
//!
//! A file in `tests/dependences` holds a kernel and behind the line `; ----` the complete result of the
//! analysis. `SLUICE_BLESS=1` writes the second part anew. That nothing is denied which happens is
//! shown by comparison with the addresses of launches: `tools/fuzz/tests/dependences.rs`.

use std::path::{Path, PathBuf};

use sluice_kernel::Kernel;
use sluice_kernel::analysis::dependence::{Buffers, Dependences, LoopDependences};
use sluice_kernel::ir::{BinaryOp, InstData};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dependences")
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn kernel(input: &str) -> Kernel {
    let kernel = parse(input).unwrap_or_else(|error| panic!("{error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    kernel
}

#[test]
fn files_have_the_dependences_that_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = Dependences::of(&kernel(input), Buffers::Distinct).to_string();
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).unwrap();
        } else {
            failures += &format!("{}\n{actual}\n", path.display());
        }
    }
    assert!(failures.is_empty(), "not as the files say:\n{failures}");
}

/// The kernel of a file, and the dependences of its first loop.
fn first_loop(name: &str, buffers: Buffers) -> (Kernel, LoopDependences) {
    let text = std::fs::read_to_string(folder().join(name)).expect("the file is there");
    let (input, _) = text.split_once(SEPARATOR).expect("it has two parts");
    let kernel = kernel(input);
    let dependences = Dependences::of(&kernel, buffers);
    let (_, first) = dependences.iter().next().expect("it has a loop");
    let first = first.clone();
    (kernel, first)
}

#[test]
fn buffers_that_may_be_the_same_depend_on_each_other_unless_they_are_restrict() {
    let (_, distinct) = first_loop("vector_add.ir", Buffers::Distinct);
    assert_eq!(distinct.carried().count(), 0);
    let (_, aliased) = first_loop("vector_add.ir", Buffers::MayAlias);
    assert!(aliased.carried().count() >= 2, "{aliased}");
    let (_, restrict) = first_loop("vector_add_restrict.ir", Buffers::MayAlias);
    assert_eq!(restrict.carried().count(), 0, "{restrict}");
}

/// The greatest interval that any recurrence asks for, if additions take 7 cycles, accesses 10 and the
/// rest nothing.
fn interval(kernel: &Kernel, dependences: &LoopDependences) -> Option<u64> {
    let latency = |inst| match kernel.inst(inst) {
        InstData::Binary {
            op: BinaryOp::FAdd, ..
        } => 7,
        data if data.access_effect().is_some() => 10,
        _ => 0,
    };
    let recurrences = dependences.recurrences();
    let intervals = recurrences.iter().map(|it| it.interval(latency));
    intervals.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

#[test]
fn recurrences_limit_the_interval() {
    let (kernel, sum) = first_loop("sum.ir", Buffers::Distinct);
    assert_eq!(interval(&kernel, &sum), Some(7));
    let (kernel, memory) = first_loop("distance_7.ir", Buffers::Distinct);
    // A load, an addition and a store in seven iterations: 27 / 7.
    assert_eq!(interval(&kernel, &memory), Some(4));
    let (kernel, add) = first_loop("vector_add.ir", Buffers::Distinct);
    assert_eq!(interval(&kernel, &add), Some(1));
}

#[test]
fn a_recurrence_through_an_inner_loop_has_no_interval() {
    let (kernel, outer) = first_loop("sum_of_rows.ir", Buffers::Distinct);
    assert_eq!(interval(&kernel, &outer), None);
}
