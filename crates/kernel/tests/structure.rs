//! Loops and what prepares them: files with a kernel and its loops, random graphs and random kernels.
//!
//! A file in `tests/structure` holds a kernel, perhaps lines `; pass: NAME` for what is done to it
//! first, and behind the line `; ----` the kernel after the passes, if there are any, and its loops.
//! `SLUICE_BLESS=1` writes the second part anew.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use std::path::{Path, PathBuf};

use random_kernel::{INPUT_BYTES, ITEM_BYTES, ITEMS, PrivateAccesses, Random, random_kernel};
use sluice_kernel::Kernel;
use sluice_kernel::analysis::{Cfg, Dominators, Loops};
use sluice_kernel::interp::{Options, run};
use sluice_kernel::ir::Block;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::passes::{Changed, optimise};
use sluice_kernel::structure::{
    hoist_ids, loop_capacities, make_reducible, prepare, split_at_barriers,
};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

type Pass = (&'static str, fn(&mut Kernel) -> Changed);

const PASSES: [Pass; 4] = [
    ("make_reducible", make_reducible),
    ("hoist_ids", hoist_ids),
    ("split_at_barriers", split_at_barriers),
    ("prepare", prepare),
];

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/structure");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn loops_of(kernel: &Kernel) -> Loops {
    let cfg = Cfg::of(kernel);
    Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg))
}

/// The loops, inner ones further to the right, and whether there are cycles that are no loops.
fn print_loops(kernel: &Kernel) -> String {
    let loops = loops_of(kernel);
    let list = |blocks: &[Block]| {
        let blocks: Vec<String> = blocks.iter().map(|block| block.to_string()).collect();
        blocks.join(", ")
    };
    let mut text = String::new();
    for (loop_, data) in loops.iter() {
        let exits: Vec<String> = data
            .exits
            .iter()
            .map(|exit| format!("{}->{}", exit.from, exit.to))
            .collect();
        text += &format!(
            "{:indent$}{loop_} of {} back from {} left by {}\n",
            "",
            list(&data.blocks),
            list(&data.latches),
            exits.join(", "),
            indent = 2 * (data.depth as usize - 1),
        );
    }
    if loops.is_empty() {
        text += "no loops\n";
    }
    if !loops.is_reducible() {
        text += "a cycle has several entries\n";
    }
    text
}

/// The kernel after the passes that the text names, if any, and the loops.
fn result(path: &Path, input: &str) -> String {
    let name = path.display();
    let mut kernel = parse(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let mut text = String::new();
    let lines = input.lines();
    for pass in lines.filter_map(|line| line.strip_prefix("; pass: ")) {
        let before = kernel.to_string();
        let (_, run) = PASSES.iter().find(|(name, _)| *name == pass).unwrap();
        let changed = run(&mut kernel);
        kernel.compact();
        verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {pass}: {errors}"));
        text = kernel.to_string();
        assert_eq!(changed.is_yes(), text != before, "{name}: {pass}");
    }
    text + &print_loops(&kernel)
}

#[test]
fn files_have_the_loops_that_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = result(&path, input);
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).unwrap();
        } else {
            failures += &format!("{}\n{actual}\n", path.display());
        }
    }
    assert!(failures.is_empty(), "SLUICE_BLESS=1 accepts:\n{failures}");
}

/// A kernel with random edges; all blocks are reachable.
fn random_graph(random: &mut Random) -> Kernel {
    let count = 1 + random.below(12);
    let mut text = String::from("kernel \"graph\"\n{\n");
    for block in 0..count {
        text += &format!("b{block}:\n");
        let mut target = || format!("b{}", 1 + random.below(count.max(2) - 1));
        let (first, second) = (target(), target());
        text += &match (count, random.below(8)) {
            (1, _) | (_, 0) => "return\n".into(),
            (_, 1..=3) => format!("jump {first}\n"),
            _ => format!("v{block}: i1 = arg 0\nbranch v{block}, {first}, {second}\n"),
        };
    }
    let mut kernel = parse(&(text + "}\n")).unwrap();
    let cfg = Cfg::of(&kernel);
    kernel.retain_blocks(|&block| cfg.is_reachable(block));
    kernel.compact();
    kernel
}

/// The lengths of all rounds of a loop: paths from the header back to it that pass no block twice.
fn rounds(kernel: &Kernel, header: Block, inside: &[Block], path: &mut Vec<Block>) -> Vec<u64> {
    let mut lengths = Vec::new();
    for target in kernel.successors(*path.last().unwrap()) {
        if target.block == header {
            lengths.push(path.iter().map(|&block| u64::from(weight(block))).sum());
        } else if inside.contains(&target.block) && !path.contains(&target.block) {
            path.push(target.block);
            lengths.extend(rounds(kernel, header, inside, path));
            path.pop();
        }
    }
    lengths
}

fn weight(block: Block) -> u32 {
    block.as_u32() * 7 % 5 + 2
}

fn check_loop_capacities(kernel: &Kernel) {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let capacities = loop_capacities(kernel, &cfg, &loops, weight);
    for (loop_, data) in loops.iter() {
        let lengths = rounds(kernel, data.header, &data.blocks, &mut vec![data.header]);
        let shortest = lengths.iter().copied().min().expect("a loop has a latch");
        let longest = lengths.iter().copied().max().expect("a loop has a latch");
        let capacity = capacities[loop_];
        let least = u64::from(capacity.limit - capacity.queue);
        assert!(least < shortest, "{kernel}");
        if loops.iter().all(|(_, other)| other.parent != Some(loop_)) {
            assert_eq!(u64::from(capacity.limit), longest - 1);
            assert_eq!(least, shortest - 1);
        }
    }
}

#[test]
fn every_random_graph_becomes_reducible_and_its_loops_admit_what_fits() {
    let mut random = Random::new(3);
    let mut tangled = 0;
    for at in 0..4000 {
        let mut kernel = random_graph(&mut random);
        let is_tangled = !loops_of(&kernel).is_reducible();
        tangled += u32::from(is_tangled);
        assert_eq!(make_reducible(&mut kernel).is_yes(), is_tangled, "{at}");
        assert!(loops_of(&kernel).is_reducible(), "{at}\n{kernel}");
        check_loop_capacities(&kernel);
    }
    assert!((100..2000).contains(&tangled), "{tangled} of 4000");
}

/// What a kernel leaves behind.
fn results(kernel: &Kernel, seed: u64) -> Vec<u8> {
    let mut random = Random::new(!seed);
    let mut memory = Memory::new();
    let out = Buffer::from_bytes(&vec![0x55; (ITEMS * ITEM_BYTES) as usize]);
    let out = memory.add(out);
    let input: Vec<u8> = (0..INPUT_BYTES).map(|_| random.bits() as u8).collect();
    let input = memory.add(Buffer::from_bytes(&input));
    let value = |bits| Argument::Value([bits].into_iter().collect());
    let launch = Launch {
        range: NdRange {
            dims: 1,
            global: [ITEMS, 1, 1],
            local: [2, 1, 1],
            offset: [0, 0, 0],
        },
        args: vec![
            Argument::Buffer(out),
            Argument::Buffer(input),
            value(random.bits() & 0xffff_ffff),
            value(random.bits()),
        ],
    };
    let options = Options {
        step_limit: 1 << 24,
        ..Options::default()
    };
    run(kernel, &launch, &memory, &options)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}\n{kernel}"));
    memory.buffer(out).to_bytes()
}

#[test]
fn prepared_random_kernels_keep_their_results_and_are_reducible() {
    let mut tangled = 0;
    let accesses = PrivateAccesses {
        guarded: true,
        out_of_bounds: false,
    };
    for seed in 0..200 {
        let mut kernel = random_kernel(seed, accesses);
        if seed % 2 == 0 {
            kernel = optimise(kernel).into_kernel();
        }
        let expected = results(&kernel, seed);
        tangled += u32::from(!loops_of(&kernel).is_reducible());
        let changed = prepare(&mut kernel);
        assert!(changed.is_yes(), "seed {seed}: constants move at least");
        verify(&kernel).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{kernel}"));
        assert!(results(&kernel, seed) == expected, "seed {seed}\n{kernel}");
        assert!(loops_of(&kernel).is_reducible(), "seed {seed}\n{kernel}");
        assert!(!prepare(&mut kernel).is_yes(), "seed {seed}");
    }
    assert!(tangled > 30, "{tangled} of 200 have tangled cycles");
}
