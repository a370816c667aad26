//! Control trees: files with a kernel and its tree, random graphs and random kernels.
//!
//! A file in `tests/structure` holds a kernel, perhaps lines `; pass: NAME` for what is done to it
//! first, and behind the line `; ----` the kernel after the passes, if there are any, and its tree
//! or why it has none. `SLUICE_BLESS=1` writes the second part anew.

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
    ControlTree, Edge, LoopBody, hoist_ids, loop_capacities, make_reducible, prepare,
    split_at_barriers,
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

/// The kernel after the passes that the text names, if any, and the tree.
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
    match ControlTree::of(&kernel) {
        Ok(tree) => {
            let valid = tree.verify(&kernel);
            valid.unwrap_or_else(|error| panic!("{name}: {error}\n{tree}"));
            text + &tree.to_string()
        }
        Err(irreducible) => format!("{text}{irreducible}\n"),
    }
}

#[test]
fn files_have_the_trees_that_they_say() {
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

fn check_loop_bodies(kernel: &Kernel) {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let capacities = loop_capacities(kernel, &cfg, &loops, weight);
    for (loop_, data) in loops.iter() {
        let body = LoopBody::of(kernel, &cfg, &loops, loop_);
        let capacity = capacities[loop_];
        let least = u64::from(capacity.limit - capacity.queue);
        assert!(least < body.shortest(weight), "{kernel}");
        if loops.iter().all(|(_, other)| other.parent != Some(loop_)) {
            assert_eq!(u64::from(capacity.limit), body.longest(weight) - 1);
            assert_eq!(least, body.shortest(weight) - 1);
        }
        let lengths = rounds(kernel, data.header, &data.blocks, &mut vec![data.header]);
        assert_eq!(Some(body.shortest(weight)), lengths.iter().copied().min());
        assert_eq!(Some(body.longest(weight)), lengths.iter().copied().max());
    }
}

#[test]
fn every_random_graph_has_a_valid_tree_or_a_reason() {
    let mut random = Random::new(3);
    let mut refused = 0;
    for at in 0..4000 {
        let mut kernel = random_graph(&mut random);
        let cfg = Cfg::of(&kernel);
        let loops = Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg));
        let tree = ControlTree::of(&kernel);
        assert_eq!(tree.is_ok(), loops.is_reducible(), "{at}\n{kernel}");
        if let Err(irreducible) = tree {
            refused += 1;
            for cycle in &irreducible.cycles {
                assert!(cycle.entries.len() > 1, "{at}: {irreducible}\n{kernel}");
            }
            assert!(!irreducible.cycles.is_empty());
            assert!(make_reducible(&mut kernel).is_yes());
        }
        let tree = ControlTree::of(&kernel).unwrap_or_else(|error| panic!("{at}: {error}"));
        let valid = tree.verify(&kernel);
        valid.unwrap_or_else(|error| panic!("{at}: {error}\n{kernel}{tree}"));
        check_loop_bodies(&kernel);
    }
    assert!((100..2000).contains(&refused), "{refused} of 4000");
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
fn prepared_random_kernels_keep_their_results_and_have_valid_trees() {
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
        tangled += u32::from(ControlTree::of(&kernel).is_err());
        let changed = prepare(&mut kernel);
        assert!(changed.is_yes(), "seed {seed}: constants move at least");
        verify(&kernel).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{kernel}"));
        assert!(results(&kernel, seed) == expected, "seed {seed}\n{kernel}");
        let tree = ControlTree::of(&kernel).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let valid = tree.verify(&kernel);
        valid.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{kernel}{tree}"));
        assert!(!prepare(&mut kernel).is_yes(), "seed {seed}");
    }
    assert!(tangled > 30, "{tangled} of 200 have tangled cycles");
}

#[test]
fn the_tree_of_a_kernel_is_no_tree_of_another() {
    let kernel = |edges: &str| parse(&format!("kernel \"k\"\n{{\n{edges}}}\n")).unwrap();
    let line = kernel("b0:\n jump b1\nb1:\n return\n");
    let ring = kernel("b0:\n jump b1\nb1:\n jump b1\n");
    let tree = ControlTree::of(&line).unwrap();
    assert_eq!(tree.verify(&line), Ok(()));
    assert_eq!(tree.verify(&ring), Err("T3: n0 has other exits".into()));
}

#[test]
fn a_loop_body_has_its_edges_and_the_blocks_of_its_rounds() {
    // b1 is the header of a loop with the inner loop b2, b3 and two latches; b3 only goes back.
    let branch = |at: u32, yes, no| format!("v{at}: i1 = const 1\nbranch v{at}, b{yes}, b{no}\n");
    let text = format!(
        "kernel \"k\"\n{{\nb0:\n{}b1:\n{}b2:\n{}b3:\njump b2\nb4:\n{}b5:\njump b1\nb6:\nreturn\n}}\n",
        branch(0, 1, 6),
        branch(1, 2, 6),
        branch(2, 3, 4),
        branch(3, 1, 5)
    );
    let kernel = parse(&text).unwrap();
    let cfg = Cfg::of(&kernel);
    let loops = Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg));
    let (outer, _) = loops.iter().next().unwrap();
    let body = LoopBody::of(&kernel, &cfg, &loops, outer);
    let edges = |edges: &[Edge]| edges.iter().map(Edge::to_string).collect::<Vec<_>>();
    assert_eq!(edges(&body.entries), ["b0->b1"]);
    assert_eq!(edges(&body.backs), ["b4->b1", "b5->b1"]);
    assert_eq!(edges(&body.exits), ["b1->b6"]);
    let blocks: Vec<u32> = body.blocks.iter().map(|block| block.as_u32()).collect();
    assert_eq!(blocks, [1, 2, 4, 5]);
    assert_eq!((body.shortest(|_| 1), body.longest(|_| 1)), (3, 4));
}
