//! Random kernels on circuits: whatever their loops do and however memory answers, they end with the
//! interpreter's results.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use random_kernel::{INPUT_BYTES, ITEM_BYTES, ITEMS, PrivateAccesses, Random, random_kernel};
use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::interp;
use sluice_kernel::launch::simulate::{CycleLimit, Options, simulate};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::lower;
use sluice_kernel::passes::optimise;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;

fn launch(seed: u64) -> (Launch, Memory) {
    let mut random = Random::new(!seed);
    let mut memory = Memory::new();
    let out = memory.add(Buffer::from_bytes(&vec![
        0x55;
        (ITEMS * ITEM_BYTES) as usize
    ]));
    let input: Vec<u8> = (0..INPUT_BYTES).map(|_| random.bits() as u8).collect();
    let input = memory.add(Buffer::from_bytes(&input));
    let value = |bits| Argument::Value([bits].into_iter().collect());
    let range = NdRange {
        dims: 1,
        global: [ITEMS, 1, 1],
        local: [2, 1, 1],
        offset: [0; 3],
    };
    let args = vec![
        Argument::Buffer(out),
        Argument::Buffer(input),
        value(random.bits() & 0xffff_ffff),
        value(random.bits()),
    ];
    (Launch { range, args }, memory)
}

fn contents(memory: &Memory) -> Vec<u8> {
    let buffers = memory.buffers();
    buffers.flat_map(|(_, buffer)| buffer.to_bytes()).collect()
}

#[test]
fn circuits_of_random_kernels_end_with_the_results_of_the_interpreter() {
    let accesses = PrivateAccesses {
        guarded: false,
        out_of_bounds: false,
    };
    let lowered_kernels = compare(accesses, 0..600);
    assert!(lowered_kernels > 50, "only {lowered_kernels} have circuits");
}

#[test]
fn circuits_agree_with_the_interpreter_on_accesses_beyond_arrays() {
    let accesses = PrivateAccesses {
        guarded: true,
        out_of_bounds: true,
    };
    let lowered_kernels = compare(accesses, 600..1200);
    assert!(lowered_kernels > 50, "only {lowered_kernels} have circuits");
}

/// Compares the kernels with these seeds; says how many of them have a circuit.
fn compare(accesses: PrivateAccesses, seeds: std::ops::Range<u64>) -> u32 {
    let checks = match accesses.out_of_bounds {
        false => interp::Checks::default(),
        true => interp::Checks::NONE,
    };
    let mut lowered_kernels = 0;
    for seed in seeds {
        let kernel = optimise(random_kernel(seed, accesses));
        let Ok(lowered) = prepare(
            &Program::of(kernel.clone()),
            &Plan::default(),
            &Target::ECP5,
        )
        .and_then(|it| lower(&it)) else {
            continue;
        };
        lowered_kernels += 1;
        let (launch, expected) = launch(seed);
        let options = interp::Options {
            checks,
            ..interp::Options::default()
        };
        interp::run(&kernel, &launch, &expected, &options)
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}\n{kernel}"));
        for jitter in [0, 100] {
            let (launch, memory) = self::launch(seed);
            let options = Options {
                timing: Timing {
                    jitter,
                    seed,
                    ..Timing::default()
                },
                limit: CycleLimit::Cycles(10_000_000),
                ..Options::default()
            };
            simulate(&kernel, &lowered, &launch, &memory, &options)
                .unwrap_or_else(|stopped| panic!("seed {seed}: {stopped}\n{kernel}"));
            let same = contents(&memory) == contents(&expected);
            assert!(same, "seed {seed}: other results\n{kernel}");
        }
    }
    lowered_kernels
}
