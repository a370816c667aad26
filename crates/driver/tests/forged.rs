//! Forged program binaries: the IR of their kernels mutated at random, with a valid checksum. They
//! are refused or become circuits, and crash nothing.
//!
//! `SLUICE_FORGED=N` tries N mutations. Each batch runs in a process of its own, which is this test once more, with
//! bounded memory.

use std::ops::Range;
use std::process::Command;

use sluice_driver::Board;
use sluice_driver::program::{
    self, Binary, Contents, Input, NoKernels, Options, Passes, Request, Source,
};
use sluice_kernel::Program;
use sluice_kernel::lower::lower;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use xxhash_rust::xxh3::xxh3_128;

const SOURCE: &str = "\
constant int table[4] = {3, 1, 4, 1};\n\
kernel void k(global float *x, global const int4 *p, local int *l, int n) {\n\
    int i = get_global_id(0);\n\
    float near[5];\n\
    l[get_local_id(0)] = table[i & 3];\n\
    barrier(CLK_LOCAL_MEM_FENCE);\n\
    for (int j = 0; j < n; j++) {\n\
        near[j % 5] = x[i + j] * convert_float(p[j].y) + l[j];\n\
        if (near[(j + n) % 5] > 7.5f) break;\n\
    }\n\
    x[i] = near[n % 5];\n\
    switch (n) { case 1: printf(\"%d %f\\n\", n, x[i]); break; case 7: atomic_inc(l); }\n\
}\n";

/// Numbers by chance, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

const CHECKSUM: usize = 16;
const HEADER: usize = 20;

/// The bytes with some of them changed, and the checksum that belongs to them.
fn forged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = bytes[..bytes.len() - CHECKSUM].to_vec();
    for _ in 0..=random.below(3) {
        let at = HEADER + random.below(bytes.len() - HEADER);
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            // What stays IR more often: a digit for a digit, a word for a word.
            1 | 2 => {
                let digits = bytes.iter().enumerate().skip(at);
                let digit = digits
                    .filter(|(_, byte)| byte.is_ascii_digit())
                    .map(|(at, _)| at);
                if let Some(at) = digit.take(1).next() {
                    bytes[at] = b'0' + random.below(10) as u8;
                }
            }
            _ => {
                let from = HEADER + random.below(bytes.len() - HEADER);
                let count = random.below(8).min(bytes.len() - at.max(from));
                bytes.copy_within(from..from + count, at);
            }
        }
    }
    let checksum = xxh3_128(&bytes).to_le_bytes();
    bytes.extend(checksum);
    bytes
}

const SEEDS: &str = "SLUICE_FORGED_SEEDS";

/// What the process of a batch does.
fn read_batch(seeds: Range<u64>) {
    let request = Request {
        input: Input::Source(&Source::from_text("forged.cl", SOURCE)),
        options: &Options::default(),
        passes: Passes::Run,
        no_kernels: NoKernels::Refused,
    };
    let built = program::build(&request, None, |_| Ok(()));
    let program = built.expect("it is right").program;
    let binary = Binary {
        target: "arria10-pac".into(),
        datapaths: 1,
        options: String::new(),
        contents: Contents::Executable(program),
    };
    let target = Board::find("arria10-pac").expect("it is built in").target;
    let bytes = binary.to_bytes();
    let (mut read, mut lowered) = (0, 0);
    for seed in seeds {
        let Ok(binary) = Binary::from_bytes(&forged(&bytes, seed)) else {
            continue;
        };
        eprintln!("seed {seed}");
        let Contents::Executable(program) = binary.contents else {
            continue;
        };
        for kernel in program.kernels().iter().cloned() {
            read += 1;
            lowered += u32::from(
                prepare(&Program::of(kernel), &Plan::default(), &target)
                    .and_then(|it| lower(&it))
                    .is_ok(),
            );
        }
    }
    eprintln!("{read} read, {lowered} lowered");
}

#[test]
fn forged_binaries_crash_nothing() {
    if let Ok(seeds) = std::env::var(SEEDS) {
        let (from, to) = seeds.split_once("..").expect("the parent wrote it");
        let number = |text: &str| text.parse().expect("the parent wrote it");
        return read_batch(number(from)..number(to));
    }
    let count = std::env::var("SLUICE_FORGED").map_or(500, |count| {
        count.parse().expect("SLUICE_FORGED is a number")
    });
    const BATCH: u64 = 500;
    for from in (0..count).step_by(BATCH as usize) {
        let seeds = format!("{from}..{}", (from + BATCH).min(count));
        let test = std::env::current_exe().expect("it runs");
        let limited =
            "ulimit -v 4194304; exec \"$0\" --exact --nocapture forged_binaries_crash_nothing";
        let output = Command::new("timeout")
            .args(["--signal=KILL", "300", "sh", "-c", limited])
            .arg(test)
            .env(SEEDS, &seeds)
            .output()
            .expect("it runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        let mut last = messages.lines().rev().take(20).collect::<Vec<_>>();
        last.reverse();
        let last = last.join("\n");
        assert!(
            output.status.success(),
            "{seeds}: {}\n{last}",
            output.status
        );
    }
}
