//! Lanes: files with a kernel and what becomes of it, and random kernels that must leave the same results behind.
//!
//! A file in `tests/lanes` holds a line `; lanes: N`, a kernel, and behind the line `; ----` the kernel of tokens, or
//! why there is none. `SLUICE_BLESS=1` writes the second part anew.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use std::path::{Path, PathBuf};

use random_kernel::{INPUT_BYTES, ITEM_BYTES, ITEMS, PrivateAccesses, Random, random_kernel};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Checks, Options};
use sluice_kernel::lanes::pack_lanes;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::passes::{optimise, skip};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lanes");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The kernel of tokens, or why there is none.
fn packed(path: &Path, input: &str) -> String {
    let name = path.display();
    let mut kernel = parse(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let lanes = input
        .lines()
        .find_map(|line| line.strip_prefix("; lanes: "));
    let lanes = lanes.and_then(|lanes| lanes.parse().ok());
    let lanes = lanes.unwrap_or_else(|| panic!("{name}: no `; lanes: N`"));
    match pack_lanes(&mut kernel, lanes) {
        Err(refusal) => format!("; {refusal}\n"),
        Ok(()) => {
            verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}\n{kernel}"));
            kernel.to_string()
        }
    }
}

#[test]
fn kernels_become_what_the_files_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some();
    let files = files();
    assert!(files.len() >= 5, "only {} files", files.len());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = packed(&path, input);
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).expect("it is ours");
        } else {
            assert_eq!(actual, expected, "{}", path.display());
        }
    }
}

fn results(kernel: &Kernel, seed: u64, lanes: u32) -> Vec<u8> {
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
        local: [ITEMS, 1, 1],
        offset: [0; 3],
    };
    let launch = Launch {
        range: range.in_lanes(lanes),
        args,
    };
    let options = Options {
        checks: Checks::NONE,
        ..Options::default()
    };
    interp::run(kernel, &launch, &memory, &options)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{kernel}"));
    memory.buffer(out).to_bytes()
}

#[test]
fn random_kernels_keep_their_results() {
    let accesses = PrivateAccesses {
        guarded: true,
        out_of_bounds: true,
    };
    let mut compared = 0;
    for seed in 0..300 {
        let mut kernel = random_kernel(seed, accesses);
        kernel.work_group_size.required = None;
        let kernel = match seed % 2 {
            0 => optimise(kernel),
            _ => skip(kernel),
        };
        let expected = results(&kernel, seed, 1);
        for lanes in [2, 4, 8, 16]
            .into_iter()
            .filter(|&it| ITEMS.is_multiple_of(it.into()))
        {
            let mut tokens = Kernel::clone(&kernel);
            if pack_lanes(&mut tokens, lanes).is_err() {
                continue;
            }
            verify(&tokens).unwrap_or_else(|errors| panic!("{seed}: {errors}\n{tokens}"));
            let found = results(&tokens, seed, lanes);
            assert!(
                found == expected,
                "seed {seed}: {lanes} lanes change results\n{kernel}\n{tokens}"
            );
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} kernels were compared");
}
