//! Calls of the API with bad values, by chance with fixed seeds: null pointers and wrong handles, sizes
//! of zero and beyond all bounds, offsets that wrap, wait lists with holes. Each call answers with
//! the code of one of its bad arguments, or succeeds if there are none; none crashes.
//!
//! A handle is wrong if it is null, of another kind, or of an object that is gone: the loader follows
//! any other pointer before Sluice sees it. `SLUICE_HOSTILE=N` tries N times as many sequences.
#![allow(unsafe_code)] // The API is C.
#![allow(deprecated)] // Programs of before OpenCL 2.0 call what is.

mod buffers;
mod commands;
mod objects;
#[path = "../api/random/mod.rs"]
mod random;
#[path = "../api/support/mod.rs"]
mod support;
mod world;

use std::cell::Cell;

use opencl_sys::*;
use random::Random;
use support::{assert_code, call};
use world::World;

/// A call in the making: which codes its bad arguments allow.
pub struct Attempt<'a> {
    /// Where chance comes from.
    pub random: &'a mut Random,
    /// Calls so far that succeeded, and that were refused.
    outcomes: &'a [Cell<u64>; 2],
    allowed: Vec<cl_int>,
    /// What was bad, for messages.
    bad: Vec<String>,
}

impl Attempt<'_> {
    /// A good argument, or now and then a bad one with the code that it gets.
    pub fn choose<T: Clone>(&mut self, name: &str, good: T, bad: &[(T, cl_int)]) -> T {
        if bad.is_empty() || self.random.below(5) > 0 {
            return good;
        }
        let at = self.random.below(bad.len());
        let (value, code) = bad[at].clone();
        self.allow(code, &format!("{name} (its bad value {at})"));
        value
    }

    /// The code is one of the right answers.
    pub fn allow(&mut self, code: cl_int, what: &str) {
        self.allowed.push(code);
        self.bad.push(format!("{what}: {code}"));
    }

    /// One of several values.
    pub fn any<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.random.below(values.len())].clone()
    }

    /// Whether the call should have succeeded.
    #[track_caller]
    pub fn check(&self, function: &str, code: cl_int) -> bool {
        let right = match self.allowed.is_empty() {
            true => code == CL_SUCCESS,
            false => self.allowed.contains(&code),
        };
        assert!(right, "{function} answers {code}; bad: {:?}", self.bad);
        let outcome = &self.outcomes[usize::from(code != CL_SUCCESS)];
        outcome.set(outcome.get() + 1);
        code == CL_SUCCESS
    }
}

type Call = fn(&World, &mut Attempt<'_>);

const CALLS: [&[Call]; 3] = [&objects::CALLS, &buffers::CALLS, &commands::CALLS];

/// Makes calls; how many succeeded, and how many were refused.
fn sequence(seed: u64, calls: usize) -> [u64; 2] {
    let world = World::new();
    let outcomes = Default::default();
    let mut random = Random::new(seed);
    let all: Vec<Call> = CALLS.concat();
    for _ in 0..calls {
        let call = all[random.below(all.len())];
        let mut attempt = Attempt {
            random: &mut random,
            outcomes: &outcomes,
            allowed: Vec::new(),
            bad: Vec::new(),
        };
        call(&world, &mut attempt);
    }
    // The program is none the worse for it.
    world.check_that_all_works();
    outcomes.map(Cell::into_inner)
}

#[test]
fn bad_arguments_get_their_codes() {
    let times = std::env::var("SLUICE_HOSTILE").ok();
    let times: u64 = times.map_or(1, |text| text.parse().expect("SLUICE_HOSTILE is a number"));
    for seed in 0..20 * times {
        let result = std::panic::catch_unwind(|| sequence(seed, 1500));
        let outcomes = result.unwrap_or_else(|_| panic!("seed {seed}"));
        assert!(outcomes.iter().all(|&count| count > 300), "{outcomes:?}");
    }
}

#[test]
fn handles_of_objects_that_are_gone_are_refused_ever_after() {
    let world = World::new();
    let session = &world.session;
    let gone: Vec<cl_event> = (0..2000).map(|_| *support::user_event(session)).collect();
    for event in gone {
        assert_code!(CL_INVALID_EVENT, clRetainEvent(event));
        assert_code!(CL_INVALID_EVENT, clReleaseEvent(event));
        assert_code!(CL_INVALID_EVENT, clSetUserEventStatus(event, 0));
    }
}

#[test]
fn all_tests_hold_on_the_other_executor() {
    support::run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
