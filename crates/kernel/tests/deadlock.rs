//! Loops whose work-items change from a long way round to a short one: they stand still without the
//! limits of loops, and end with them, whatever memory does.
//!
//! The first two are the examples of SOFF, figure 6.

use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_kernel::interp;
use sluice_kernel::launch::simulate::{CycleLimit, Options, Outcome, Stopped, simulate};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::{LoopLimits, lower_with};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program};

const ITEMS: u64 = 512;
const TABLE: u64 = 256;

/// A kernel of `tests/deadlock` and how many rounds its work-items go.
struct Example {
    kernel: Optimised,
    rounds: u64,
}

impl Example {
    fn new(text: &str, rounds: u64) -> Example {
        let kernel = Optimised::read(text).unwrap_or_else(|error| panic!("{error}"));
        Example { kernel, rounds }
    }

    fn launch(&self) -> (Launch, Memory) {
        let mut memory = Memory::new();
        let mut words = |words: Vec<u32>| {
            let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            Argument::Buffer(memory.add(Buffer::from_bytes(&bytes)))
        };
        let spread = |at: u64| (at as u32).wrapping_mul(0x9e37_79b9);
        let mut args = vec![
            words((0..ITEMS).map(spread).collect()),
            words((0..TABLE).map(spread).collect()),
            words(vec![0; ITEMS as usize]),
        ];
        args.push(Argument::Value([self.rounds].into_iter().collect()));
        let range = NdRange {
            dims: 1,
            global: [ITEMS, 1, 1],
            local: [64, 1, 1],
            offset: [0; 3],
        };
        (Launch { range, args }, memory)
    }

    fn simulate(&self, limits: LoopLimits, timing: Timing) -> Result<(Outcome, Vec<u8>), Stopped> {
        let plan = Plan::default();
        let lowered = prepare(&Program::of(self.kernel.clone()), &plan, &Target::ECP5)
            .and_then(|it| lower_with(&it, limits))
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        let (launch, memory) = self.launch();
        let options = Options {
            timing,
            limit: CycleLimit::Cycles(10_000_000),
            ..Options::default()
        };
        let outcome = simulate(&self.kernel, &lowered, &launch, &memory, &options)?;
        Ok((outcome, contents(&memory)))
    }

    /// Without limits it deadlocks; with them it ends with the interpreter's results, also when
    /// memory takes its time.
    fn check(&self) {
        let (launch, memory) = self.launch();
        interp::run(&self.kernel, &launch, &memory, &interp::Options::default())
            .unwrap_or_else(|fault| panic!("{fault:?}"));
        let expected = contents(&memory);
        let jittery = |(jitter, seed)| Timing {
            jitter,
            seed,
            ..Timing::default()
        };
        let stopped = self.simulate(LoopLimits::Off, Timing::default());
        assert!(
            matches!(stopped, Err(Stopped::Stuck { .. })),
            "without limits: {:?}",
            stopped.map(|(outcome, _)| outcome)
        );
        for timing in [(0, 0), (20, 1), (20, 2), (400, 3)].map(jittery) {
            let (_, results) = self
                .simulate(LoopLimits::Enforced, timing.clone())
                .unwrap_or_else(|stopped| panic!("{timing:?}: {stopped}"));
            assert!(results == expected, "{timing:?}: other results");
        }
    }
}

fn contents(memory: &Memory) -> Vec<u8> {
    memory
        .buffers()
        .flat_map(|(_, buffer)| buffer.to_bytes())
        .collect()
}

#[test]
fn work_items_that_turn_to_the_short_way_do_not_stop_each_other() {
    Example::new(include_str!("deadlock/long-then-short.ir"), 40).check();
}

#[test]
fn work_items_that_turn_to_a_second_and_a_third_way_do_not_stop_each_other() {
    Example::new(include_str!("deadlock/no-priority-helps.ir"), 300).check();
}

#[test]
fn work_items_that_pass_an_inner_loop_quickly_do_not_stop_each_other() {
    Example::new(include_str!("deadlock/inner-loop-gets-short.ir"), 60).check();
}
