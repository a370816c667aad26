//! Transformations of loops keep results, on every kernel of `tests/run` and on random loop nests.

mod every_kernel;

use every_kernel::{Tally, check_files, check_programs, check_seeds};
use sluice_fuzz::loops::{Applied, check_kernel, check_program};
use sluice_generator::{Profile, loop_nest};
use sluice_kernel::loops::TRANSFORMATIONS;

impl Tally for Applied {
    fn add(&mut self, other: &Applied) {
        Applied::add(self, other);
    }
}

#[test]
fn kernels_of_the_tests_keep_their_results() {
    let applied: Applied = check_files(|kernel, launch| check_kernel(kernel, 1, launch));
    println!("{applied}");
    assert!(applied.count("if_convert") >= 50, "{applied}");
}

#[test]
fn random_loop_nests_keep_their_results() {
    // `SLUICE_SEEDS=FROM..TO` tries others.
    let seeds = std::env::var("SLUICE_SEEDS").unwrap_or("0..200".into());
    let (from, to) = seeds.split_once("..").expect("SLUICE_SEEDS is FROM..TO");
    let seeds = from.parse().unwrap()..to.parse().unwrap();
    let program = |seed| (seed, loop_nest(seed));
    let applied: Applied = check_programs(seeds, program, |(seed, program)| {
        check_program(program, *seed)
    });
    println!("{applied}");
    for transformation in TRANSFORMATIONS {
        assert!(applied.count(transformation.name) >= 1, "{applied}");
    }
}

#[test]
fn random_kernels_keep_their_results() {
    let check = |program: &_| check_program(program, 7);
    let mut applied: Applied = check_seeds(7000..7060, &Profile::default(), check);
    applied.add(&check_seeds(7000..7040, &Profile::small(), check));
    println!("{applied}");
    assert!(applied.count("if_convert") >= 50, "{applied}");
}
