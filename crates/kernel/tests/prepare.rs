//! Steps that prepare kernels: each leaves a kernel with the results that it had.
//!
//! A file in `tests/prepare` holds a line `; step: NAME`, a kernel, and behind the line `; ----` what the
//! steps up to that one make of it with the default plan. `SLUICE_BLESS=1` writes the second part anew.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use std::path::Path;

use random_kernel::{INPUT_BYTES, ITEM_BYTES, ITEMS, PrivateAccesses, Random, random_kernel};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks, Options};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::passes::optimise;
use sluice_kernel::plan::{Buffers, Plan};
use sluice_kernel::prepare::order::{STEPS, kernel_after};
use sluice_kernel::program::Optimised;
use sluice_kernel::verify::verify;

fn results(kernel: &Kernel, seed: u64) -> Vec<u8> {
    results_of(kernel, seed, Launch::clone)
}

/// What a launch leaves, which `adapt` fits to the kernel.
fn results_of(kernel: &Kernel, seed: u64, adapt: impl Fn(&Launch) -> Launch) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut memory = Memory::new();
    let out = memory.add(Buffer::from_bytes(&vec![7; (ITEMS * ITEM_BYTES) as usize]));
    let input: Vec<u8> = (0..INPUT_BYTES).map(|_| random.next() as u8).collect();
    let input = memory.add(Buffer::from_bytes(&input));
    let value = |bits| Argument::Value([bits].into_iter().collect());
    let args = vec![
        Argument::Buffer(out),
        Argument::Buffer(input),
        value(random.next() & 0xffff_ffff),
        value(random.next()),
    ];
    let range = NdRange {
        dims: 1,
        global: [ITEMS, 1, 1],
        local: [2, 1, 1],
        offset: [0; 3],
    };
    let options = Options {
        checks: Checks::NONE,
        ..Options::default()
    };
    interp::run(kernel, &adapt(&Launch { range, args }), &memory, &options)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{kernel}"));
    memory.buffer(out).to_bytes()
}

const SEPARATOR: &str = "; ----\n";

/// The kernel of a file behind the step that it names.
fn prepared(path: &Path, input: &str) -> String {
    let name = path.display();
    let mut steps = input
        .lines()
        .filter_map(|line| line.strip_prefix("; step: "));
    let step = steps
        .next()
        .unwrap_or_else(|| panic!("{name}: no `; step: NAME`"));
    let kernel = Optimised::read(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let after = kernel_after(&kernel, &Plan::default(), step).expect("a step");
    let mut kernel = after.unwrap_or_else(|why| panic!("{name}: {why}")).kernel;
    kernel.compact();
    kernel.to_string()
}

#[test]
fn files_become_what_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prepare");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let found = prepared(&path, input);
        if bless {
            let text = format!("{input}{SEPARATOR}{found}");
            std::fs::write(&path, text).expect("the file can be written");
        } else {
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}

#[test]
fn every_step_keeps_the_results_of_random_kernels() {
    let accesses = PrivateAccesses {
        guarded: true,
        out_of_bounds: true,
    };
    let mut compared = 0;
    for seed in 0..200 {
        let kernel = optimise(random_kernel(seed, accesses));
        let expected = results(&kernel, seed);
        let plan = Plan::default().with_buffers(match seed % 2 {
            0 => Buffers::Disjoint,
            _ => Buffers::MayAlias,
        });
        for step in STEPS {
            let after = kernel_after(&kernel, &plan, step.name).expect("a step");
            let Ok(after) = after else { break };
            let (name, prepared) = (step.name, &after.kernel);
            verify(prepared).unwrap_or_else(|errors| panic!("{name}: {errors}\n{prepared}"));
            let found = results_of(prepared, seed, |launch| after.launch(launch));
            assert!(
                found == expected,
                "seed {seed}: {name} changes results\n{kernel}\n{prepared}"
            );
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} kernels were compared");
}

#[test]
fn steps_have_names_of_their_own() {
    let mut names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), STEPS.len());
    let kernel = random_kernel(
        1,
        PrivateAccesses {
            guarded: false,
            out_of_bounds: false,
        },
    );
    assert!(kernel_after(&optimise(kernel), &Plan::default(), "polish").is_none());
}

#[test]
fn a_kernel_that_is_laid_out_is_not_prepared_again() {
    let accesses = PrivateAccesses {
        guarded: false,
        out_of_bounds: false,
    };
    let plan = Plan::default();
    let kernel = optimise(random_kernel(1, accesses));
    let after = kernel_after(&kernel, &plan, "lay_out").expect("a step");
    let text = after.expect("it has a circuit").kernel.to_string();
    assert!(text.contains("item_slot"), "{text}");
    let read = Optimised::read(&text).expect("the printer's text");
    let again = kernel_after(&read, &plan, "structure").expect("a step");
    assert_eq!(
        again.expect_err("it has slots").to_string(),
        "a kernel that is laid out already cannot become a circuit yet"
    );
}
