//! A fixed sample of random kernels. `make fuzz` runs as many as one has time for.

use std::ops::Range;
use std::path::Path;

use sluice_driver::CircuitExecutors;
use sluice_fuzz::{Choice, Circuits, Executors, Outcome, check};
use sluice_generator::{Profile, Program, generate, loop_nest};
use sluice_oracle::{Implementation, build_binary};

/// Checks seeds and panics with all findings.
fn check_seeds(seeds: Range<u64>, profile: &Profile, executors: Executors<'_>) {
    check_programs(seeds, |seed| generate(seed, profile), executors);
}

/// Checks the programs of seeds and panics with all findings.
fn check_programs(seeds: Range<u64>, program: impl Fn(u64) -> Program, executors: Executors<'_>) {
    let findings: Vec<String> = seeds
        .filter_map(|seed| match check(&program(seed), executors) {
            Ok(Outcome::Agreed) => None,
            Ok(Outcome::Skipped) => Some(format!("seed {seed}: no answer")),
            Ok(Outcome::NoCircuit(what)) => Some(format!("seed {seed}: {what} has no circuit")),
            Err(finding) => Some(format!("seed {seed}: {finding}")),
        })
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

fn on_circuits(datapaths: u32, executors: CircuitExecutors<'_>) -> Executors<'_> {
    Executors {
        oracle: None,
        circuits: Some(Circuits {
            choice: Choice::Datapaths(datapaths),
            executors,
        }),
    }
}

#[test]
fn optimised_and_unoptimised_ir_agree() {
    check_seeds(1000..1150, &Profile::default(), Executors::default());
}

#[test]
fn the_interpreter_agrees_with_pocl() {
    let binary = build_binary().unwrap_or_else(|error| panic!("{error}"));
    let pocl = Implementation::pocl(binary);
    let executors = Executors {
        oracle: Some(&pocl),
        circuits: None,
    };
    check_seeds(0..40, &Profile::default(), executors);
}

#[test]
fn circuits_agree_with_the_interpreter() {
    let executors = |datapaths| on_circuits(datapaths, CircuitExecutors::Simulator);
    check_seeds(0..30, &Profile::small(), executors(1));
    check_seeds(30..40, &Profile::small(), executors(2));
    check_seeds(40..50, &Profile::small(), executors(4));
    check_seeds(0..10, &Profile::crowded(), executors(1));
    check_seeds(10..14, &Profile::crowded(), executors(3));
    check_seeds(0..6, &Profile::default(), executors(1));
}

#[test]
fn loop_nests_agree_on_interpreter_pocl_and_circuits() {
    check_programs(0..100, loop_nest, Executors::default());
    let binary = build_binary().unwrap_or_else(|error| panic!("{error}"));
    let pocl = Implementation::pocl(binary);
    let on_pocl = Executors {
        oracle: Some(&pocl),
        circuits: None,
    };
    check_programs(100..110, loop_nest, on_pocl);
    let on_circuits = on_circuits(1, CircuitExecutors::Simulator);
    check_programs(110..122, loop_nest, on_circuits);
}

#[test]
fn circuits_compute_elementary_functions_as_the_interpreter_does() {
    let executors = |datapaths| on_circuits(datapaths, CircuitExecutors::Simulator);
    let small = Profile::small().with_elementary_functions();
    check_seeds(200..225, &small, executors(1));
    check_seeds(225..230, &small, executors(2));
    let usual = Profile::default().with_elementary_functions();
    check_seeds(200..204, &usual, executors(1));
}

#[test]
fn circuits_of_random_plans_agree_with_the_interpreter() {
    for (profile, seeds) in [(Profile::small(), 300..330), (Profile::crowded(), 300..308)] {
        for seed in seeds {
            let executors = Executors {
                oracle: None,
                circuits: Some(Circuits {
                    choice: Choice::RandomPlan(seed),
                    executors: CircuitExecutors::Simulator,
                }),
            };
            check_seeds(seed..seed + 1, &profile, executors);
        }
    }
}

/// Building Verilog takes seconds: three programs here, more with `--rtl`.
#[test]
fn verilog_of_circuits_agrees_in_memory_and_cycles() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let executors = |datapaths| on_circuits(datapaths, CircuitExecutors::SimulatorAndRtl(&folder));
    check_seeds(100..103, &Profile::small(), executors(1));
    check_seeds(103..104, &Profile::small(), executors(2));
}
