//! A fixed sample of random kernels. `make fuzz` runs as many as one has time for.

use sluice_fuzz::judge;
use sluice_generator::{Profile, generate};
use sluice_oracle::Oracle;

/// Judges seeds and panics with all findings.
fn check(seeds: std::ops::Range<u64>, oracle: Option<&Oracle>) {
    let profile = Profile::default();
    let findings: Vec<String> = seeds
        .filter_map(|seed| {
            let finding = judge(&generate(seed, &profile), oracle).err()?;
            Some(format!("seed {seed}: {finding}"))
        })
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn optimised_and_unoptimised_ir_agree() {
    check(1000..1150, None);
}

#[test]
fn the_interpreter_agrees_with_pocl() {
    let oracle = Oracle::pocl().unwrap_or_else(|error| panic!("{error}"));
    check(0..40, Some(&oracle));
}
