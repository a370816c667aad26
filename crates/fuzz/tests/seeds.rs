//! A fixed sample of random kernels. `make fuzz` runs as many as one has time for.

use sluice_fuzz::{Verdict, judge};
use sluice_generator::{Profile, generate};
use sluice_oracle::{Implementation, build_binary};

/// Judges seeds and panics with all findings.
fn check(seeds: std::ops::Range<u64>, oracle: Option<&Implementation>) {
    let profile = Profile::default();
    let findings: Vec<String> = seeds
        .filter_map(|seed| match judge(&generate(seed, &profile), oracle) {
            Ok(Verdict::Agreed) => None,
            Ok(Verdict::Skipped) => Some(format!("seed {seed}: no answer")),
            Err(finding) => Some(format!("seed {seed}: {finding}")),
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
    let binary = build_binary().unwrap_or_else(|error| panic!("{error}"));
    check(0..40, Some(&Implementation::pocl(binary)));
}
