//! A fixed sample of random kernels. `make fuzz` runs as many as one has time for.

use std::ops::Range;
use std::path::Path;

use sluice_driver::Opinions;
use sluice_fuzz::{Jury, Verdict, judge};
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

fn on_circuits(opinions: Opinions<'_>) -> Jury<'_> {
    Jury {
        oracle: None,
        circuits: Some(opinions),
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
    let jury = on_circuits(Opinions::Simulator);
    let profile = Profile::small().without_synchronisation();
    check(0..40, &profile, jury);
    let profile = Profile::crowded().without_synchronisation();
    check(0..10, &profile, jury);
    let profile = Profile::default().without_synchronisation();
    check(0..6, &profile, jury);
}

/// Building Verilog takes seconds: three programs here, more with `--rtl`.
#[test]
fn verilog_of_circuits_agrees_in_memory_and_cycles() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let jury = on_circuits(Opinions::SimulatorAndRtl(&folder));
    let profile = Profile::small().without_synchronisation();
    check(100..103, &profile, jury);
}
