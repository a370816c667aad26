//! Forged objects: mutated at random, with a valid checksum. None may crash the process that links them.
//!
//! `SLUICE_FORGED=N` tries N mutations. Each batch runs in a process of its own, which is this test once more.

use std::process::Command;

use sluice_frontend::{Object, Options, Source, compile_object, link};
use xxhash_rust::xxh3::xxh3_128;

const SOURCE: &str = "\
constant int table[4] = {3, 1, 4, 1};\n\
struct pair { float a; int4 b; };\n\
int twice(int x) { return 2 * x + table[x & 3]; }\n\
kernel void k(global float *x, global struct pair *p, local int *l, int n) {\n\
    int i = get_global_id(0);\n\
    l[get_local_id(0)] = twice(i);\n\
    barrier(CLK_LOCAL_MEM_FENCE);\n\
    for (int j = 0; j < n; j++)\n\
        x[i] += sin(p[j].a) * convert_float(p[j].b.y) + l[j];\n\
    switch (n) { case 1: printf(\"%d %f\\n\", n, x[i]); break; case 7: atomic_inc(l); }\n\
}\n";

/// Pseudo-random numbers, the same in every run.
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

/// The bytes with some of them changed, and the checksum that belongs to them.
fn forged(bytes: &[u8], seed: u64) -> Vec<u8> {
    const CHECKSUM: usize = 16;
    const HEADER: usize = 20;
    let mut random = Random(seed);
    let mut bytes = bytes[..bytes.len() - CHECKSUM].to_vec();
    for _ in 0..=random.below(4) {
        let at = HEADER + random.below(bytes.len() - HEADER);
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes[at] = [0, 0xff, 0x7f, 0x80][random.below(4)],
            _ => {
                let from = HEADER + random.below(bytes.len() - HEADER);
                let count = random.below(16).min(bytes.len() - at.max(from));
                bytes.copy_within(from..from + count, at);
            }
        }
    }
    let checksum = xxh3_128(&bytes).to_le_bytes();
    bytes.extend(checksum);
    bytes
}

fn object() -> Object {
    let source = Source::from_text("forged.cl", SOURCE);
    compile_object(&source, &[], &Options::default()).expect("it compiles")
}

const SEEDS: &str = "SLUICE_FORGED_SEEDS";

/// What the process of a batch does.
fn link_batch(seeds: std::ops::Range<u64>) {
    let bytes = object().to_bytes();
    let mut linked = 0;
    for seed in seeds {
        let Ok(object) = Object::from_bytes(&forged(&bytes, seed)) else {
            continue;
        };
        eprintln!("seed {seed}");
        linked += u32::from(link(&[&object], &Options::default()).is_ok());
    }
    eprintln!("{linked} could be linked");
}

#[test]
fn forged_objects_crash_nothing() {
    if let Ok(seeds) = std::env::var(SEEDS) {
        let (from, to) = seeds.split_once("..").expect("the parent wrote it");
        let number = |text: &str| text.parse().expect("the parent wrote it");
        return link_batch(number(from)..number(to));
    }
    let count = std::env::var("SLUICE_FORGED").map_or(300, |count| {
        count.parse().expect("SLUICE_FORGED is a number")
    });
    const BATCH: u64 = 100;
    for from in (0..count).step_by(BATCH as usize) {
        let seeds = format!("{from}..{}", (from + BATCH).min(count));
        let output = Command::new(std::env::current_exe().expect("it runs"))
            .args(["--exact", "--nocapture", "forged_objects_crash_nothing"])
            .env(SEEDS, &seeds)
            .output()
            .expect("it runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        let mut last = messages.lines().rev().take(20).collect::<Vec<_>>();
        last.reverse();
        assert!(
            output.status.success(),
            "{seeds}: {}\n{}",
            output.status,
            last.join("\n")
        );
    }
}
