//! No launch shows a dependence that the analysis has denied, on every kernel of `tests/run` and on random
//! ones; and how precise the distances are.

mod every_kernel;

use every_kernel::{Tally, check_files, check_programs, check_seeds};
use sluice_fuzz::dependences::{Claims, check_program, check_stages};
use sluice_generator::{Profile, loop_nest};

impl Tally for Claims {
    fn add(&mut self, other: &Claims) {
        Claims::add(self, other);
    }
}

#[test]
fn no_kernel_of_the_tests_shows_a_dependence_that_was_denied() {
    let claims: Claims = check_files(|kernel, launch| check_stages(kernel, launch));
    println!("{claims}");
    assert!(claims.seen >= 500 && claims.within_seen >= 500, "{claims}");
    assert!(claims.exact >= 500 && claims.narrowed >= 10, "{claims}");
}

#[test]
fn no_random_kernel_shows_a_dependence_that_was_denied() {
    let mut claims: Claims = check_seeds(7000..7120, &Profile::default(), check_program);
    claims.add(&check_seeds(7000..7080, &Profile::small(), check_program));
    claims.add(&check_seeds(7000..7040, &Profile::crowded(), check_program));
    println!("{claims}");
    assert!(claims.seen >= 50 && claims.within_seen >= 50, "{claims}");
}

#[test]
fn no_random_loop_nest_shows_a_dependence_that_was_denied() {
    let claims: Claims = check_programs(0..300, loop_nest, check_program);
    println!("{claims}");
    assert!(claims.seen >= 2000 && claims.within_seen >= 500, "{claims}");
    assert!(claims.exact >= 2000 && claims.narrowed >= 50, "{claims}");
}
