//! What the access analysis claims agrees with the addresses that the interpreter sees, on every kernel
//! of `tests/run` and on random ones.

mod every_kernel;

use every_kernel::{Tally, check_files, check_seeds};
use sluice_fuzz::accesses::{Claims, check_program, check_stages};
use sluice_generator::Profile;

impl Tally for Claims {
    fn add(&mut self, other: &Claims) {
        Claims::add(self, other);
    }
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

#[test]
fn claims_hold_for_the_kernels_of_the_tests() {
    let claims: Claims = check_files(|kernel, launch| check_stages(kernel, launch));
    println!("{claims:?}");
    let share = |count: u64| 100.0 * count as f64 / claims.accesses as f64;
    println!(
        "{} accesses, {:.1} % with a known form, {:.1} % of ids, iterations and uniform values",
        claims.accesses,
        share(claims.known),
        share(claims.affine)
    );
    assert_all_kinds(&claims, 10_000);
}

#[test]
fn claims_hold_for_random_kernels() {
    let mut claims: Claims = check_seeds(5000..5150, &Profile::default(), check_program);
    claims.add(&check_seeds(5000..5100, &Profile::small(), check_program));
    claims.add(&check_seeds(5000..5050, &Profile::crowded(), check_program));
    println!("{claims:?}");
    assert_all_kinds(&claims, 1_000);
}
