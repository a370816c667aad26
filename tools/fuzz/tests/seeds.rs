//! A fixed sample of random kernels. `make fuzz` runs as many as one has time for.

use std::ops::Range;
use std::path::Path;

use sluice_driver::CircuitExecutors;
use sluice_fuzz::{Choice, Circuits, Jury, Verdict, judge};
use sluice_generator::{Profile, generate};
use sluice_oracle::{Implementation, build_binary};

/// Judges seeds and panics with all findings.
fn check(seeds: Range<u64>, profile: &Profile, jury: Jury<'_>) {
    let findings: Vec<String> = seeds
        .filter_map(|seed| match judge(&generate(seed, profile), jury) {
            Ok(Verdict::Agreed) => None,
            Ok(Verdict::Skipped) => Some(format!("seed {seed}: no answer")),
            Ok(Verdict::NoCircuit(what)) => Some(format!("seed {seed}: {what} has no circuit")),
            Err(finding) => Some(format!("seed {seed}: {finding}")),
        })
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

fn on_circuits(datapaths: u32, executors: CircuitExecutors<'_>) -> Jury<'_> {
    Jury {
        oracle: None,
        circuits: Some(Circuits {
            choice: Choice::Datapaths(datapaths),
            executors,
        }),
    }
}

#[test]
fn optimised_and_unoptimised_ir_agree() {
    check(1000..1150, &Profile::default(), Jury::default());
}

#[test]
fn the_interpreter_agrees_with_pocl() {
    let binary = build_binary().unwrap_or_else(|error| panic!("{error}"));
    let pocl = Implementation::pocl(binary);
    let jury = Jury {
        oracle: Some(&pocl),
        circuits: None,
    };
    check(0..40, &Profile::default(), jury);
}

#[test]
fn circuits_agree_with_the_interpreter() {
    let jury = |datapaths| on_circuits(datapaths, CircuitExecutors::Simulator);
    check(0..30, &Profile::small(), jury(1));
    check(30..40, &Profile::small(), jury(2));
    check(40..50, &Profile::small(), jury(4));
    check(0..10, &Profile::crowded(), jury(1));
    check(10..14, &Profile::crowded(), jury(3));
    check(0..6, &Profile::default(), jury(1));
}

#[test]
fn circuits_compute_elementary_functions_as_the_interpreter_does() {
    let jury = |datapaths| on_circuits(datapaths, CircuitExecutors::Simulator);
    let small = Profile::small().with_elementary_functions();
    check(200..225, &small, jury(1));
    check(225..230, &small, jury(2));
    let usual = Profile::default().with_elementary_functions();
    check(200..204, &usual, jury(1));
}

#[test]
fn circuits_of_random_plans_agree_with_the_interpreter() {
    for (profile, seeds) in [(Profile::small(), 300..330), (Profile::crowded(), 300..308)] {
        for seed in seeds {
            let jury = Jury {
                oracle: None,
                circuits: Some(Circuits {
                    choice: Choice::RandomPlan(seed),
                    executors: CircuitExecutors::Simulator,
                }),
            };
            check(seed..seed + 1, &profile, jury);
        }
    }
}

/// Building Verilog takes seconds: three programs here, more with `--rtl`.
#[test]
fn verilog_of_circuits_agrees_in_memory_and_cycles() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let jury = |datapaths| on_circuits(datapaths, CircuitExecutors::SimulatorAndRtl(&folder));
    check(100..103, &Profile::small(), jury(1));
    check(103..104, &Profile::small(), jury(2));
}
