//! The passes: files with a kernel and what becomes of it, and random kernels that must leave the
//! same results behind.
//!
//! A file in `tests/passes` holds lines `; pass: NAME`, a kernel, and behind the line `; ----` the
//! text after the passes have run in that order. `SLUICE_BLESS=1` writes the second part anew.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use std::path::{Path, PathBuf};

use random_kernel::{INPUT_BYTES, ITEM_BYTES, ITEMS, PrivateAccesses, Random, random_kernel};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{Checks, Options, run};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::passes::{self, PASSES, by_name, operator_bits, optimise};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let list = |dir: &Path| {
        let entries = std::fs::read_dir(dir).expect("the folder is there");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let folders = list(&root).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| list(&folder));
    files
        .filter(|path| path.extension().is_some_and(|ext| ext == "ir"))
        .collect()
}

/// What the passes named in the text make of the kernel in it.
fn transformed(path: &Path, input: &str) -> String {
    let name = path.display();
    let mut kernel = parse(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let passes: Vec<&str> = input
        .lines()
        .filter_map(|line| line.strip_prefix("; pass: "))
        .collect();
    assert!(!passes.is_empty(), "{name}: no `; pass: NAME`");
    for pass in passes {
        let pass = by_name(pass).unwrap_or_else(|| panic!("{name}: no pass {pass}"));
        let before = kernel.to_string();
        let changed = (pass.run)(&mut kernel);
        kernel.compact();
        assert_eq!(
            changed.is_yes(),
            kernel.to_string() != before,
            "{name}: {} says {changed:?}",
            pass.name
        );
        verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {}: {errors}", pass.name));
    }
    kernel.to_string()
}

/// The lines of both, marked where they differ, in order.
fn difference(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tails = old[same_start..]
        .iter()
        .rev()
        .zip(new[same_start..].iter().rev());
    let same_end = tails.take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    for line in &old[same_start..old.len() - same_end] {
        text += &format!("-{line}\n");
    }
    for line in &new[same_start..new.len() - same_end] {
        text += &format!("+{line}\n");
    }
    text
}

#[test]
fn files_become_what_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = transformed(&path, input);
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).unwrap();
        } else {
            failures += &format!("{}\n{}\n", path.display(), difference(expected, &actual));
        }
    }
    assert!(failures.is_empty(), "SLUICE_BLESS=1 accepts:\n{failures}");
}

#[test]
fn every_pass_has_files() {
    for pass in PASSES {
        let own = files();
        let own = own.iter().filter(|path| {
            let folder = path.parent().and_then(Path::file_name);
            folder.is_some_and(|folder| folder == pass.name)
        });
        assert!(own.count() >= 8, "tests/passes/{} has too few", pass.name);
    }
}

/// What a kernel leaves behind.
fn results(kernel: &Kernel, seed: u64) -> Vec<u8> {
    let mut random = Random::new(!seed);
    let mut memory = Memory::new();
    let out = memory.add(Buffer::from_bytes(&vec![
        0x55;
        (ITEMS * ITEM_BYTES) as usize
    ]));
    let input: Vec<u8> = (0..INPUT_BYTES).map(|_| random.bits() as u8).collect();
    let input = memory.add(Buffer::from_bytes(&input));
    let value = |bits| Argument::Value([bits].into_iter().collect());
    let launch = Launch {
        range: NdRange {
            dims: 1,
            global: [ITEMS, 1, 1],
            local: [2, 1, 1],
            offset: [[0, 5, 0xffff_fffb][random.below(3)], 0, 0],
        },
        args: vec![
            Argument::Buffer(out),
            Argument::Buffer(input),
            value(random.bits() & 0xffff_ffff),
            value(random.bits()),
        ],
    };
    launch.check(kernel).expect("the launch fits");
    let options = Options {
        checks: Checks::default(),
        step_limit: 1 << 24,
        ..Options::default()
    };
    run(kernel, &launch, &memory, &options)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}\n{kernel}"));
    memory.buffer(out).to_bytes()
}

/// What accesses beyond an array read is defined for circuits only: passes forward what was written.
const GUARDED: PrivateAccesses = PrivateAccesses {
    guarded: true,
    out_of_bounds: false,
};

/// Checks one seed; says the operator bits before and after all passes.
fn check_seed(seed: u64) -> (u64, u64) {
    let original = random_kernel(seed, GUARDED);
    verify(&original).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{original}"));
    let expected = results(&original, seed);
    let check = |kernel: &Kernel, what: &str| {
        verify(kernel)
            .unwrap_or_else(|errors| panic!("seed {seed}: {what}: {errors}\n{original}\n{kernel}"));
        let same = results(kernel, seed) == expected;
        assert!(
            same,
            "seed {seed}: {what} changes results\n{original}\n{kernel}"
        );
    };
    for pass in PASSES {
        let mut kernel = original.clone();
        let changed = (pass.run)(&mut kernel);
        check(&kernel, pass.name);
        assert!(
            changed.is_yes() || kernel == original,
            "seed {seed}: {}",
            pass.name
        );
        let once = kernel.clone();
        let again = (pass.run)(&mut kernel);
        if ["narrow_widths", "remove_dead_code", "simplify_blocks"].contains(&pass.name) {
            assert!(
                !again.is_yes(),
                "seed {seed}: {} is not idempotent\n{once}\n{kernel}",
                pass.name
            );
        }
        check(&kernel, pass.name);
    }
    let mut kernel = original.clone();
    for step in passes::ORDER {
        let pass = by_name(step.pass).expect("the order names passes");
        let bits = operator_bits(&kernel);
        let _ = (pass.run)(&mut kernel);
        check(&kernel, &format!("the order up to {}", pass.name));
        let is_wider = pass.name == "narrow_widths" && operator_bits(&kernel) > bits;
        assert!(!is_wider, "seed {seed}: wider\n{kernel}");
    }
    (operator_bits(&original), operator_bits(&kernel))
}

#[test]
fn random_kernels_keep_their_results() {
    // `SLUICE_SEEDS=FROM..TO` tries others.
    let seeds = std::env::var("SLUICE_SEEDS").unwrap_or("0..300".into());
    let (from, to) = seeds.split_once("..").expect("SLUICE_SEEDS is FROM..TO");
    let (mut before, mut after) = (0, 0);
    for seed in from.parse().unwrap()..to.parse().unwrap() {
        let (old, new) = check_seed(seed);
        before += old;
        after += new;
    }
    println!("operator bits {before} -> {after}");
    assert!(after < before, "narrowing saves something");
}

#[test]
fn a_pass_is_found_by_its_name() {
    assert!(PASSES.iter().all(|pass| by_name(pass.name).is_some()));
    assert!(by_name("no_such_pass").is_none());
    let mut prefix = random_kernel(1, GUARDED);
    let kernel = optimise(prefix.clone());
    passes::optimise_until(&mut prefix, passes::ORDER.last().unwrap().pass);
    assert_eq!(*kernel, prefix);
}
