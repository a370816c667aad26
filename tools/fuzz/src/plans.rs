//! Random plans: whatever one says, the results are the same.

use std::fmt::Write;

use sluice_driver::plan::{PlanFile, Scope};
use sluice_kernel::plan::{Buffers, MemoryUnit, Plan, Unroll, names};
use sluice_kernel::prepare::order::loop_choices;
use sluice_kernel::{Optimised, Program};

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn pick(&mut self, choices: &[u64]) -> u64 {
        choices[(self.next() % choices.len() as u64) as usize]
    }

    fn chance(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }
}

const LATENCIES: &[u64] = &[1, 2, 3, 7, 16, 64, 128, 300];
const CACHE_BYTES: &[u64] = &[128, 256, 512, 4096, 1 << 14, 1 << 16];

/// The text of a random plan for a kernel.
fn text(kernel: &Optimised, seed: u64) -> String {
    let mut random = Random(seed);
    let banks = random.pick(&[1, 1, 2, 3]);
    let name = &kernel.name;
    let mut text = format!("[bitstream.b]\nkernels = [\"{name}\"]\nbanks = {banks}\n");
    let buffers = match random.chance() {
        true => Buffers::Disjoint,
        false => Buffers::MayAlias,
    };
    let line = |text: &mut String, key: &str, value: String| {
        writeln!(text, "{key} = {value}").expect("strings accept all text");
    };
    text += &format!("[kernel.\"{name}\"]\n");
    let word = match buffers {
        Buffers::Disjoint => "\"disjoint\"",
        Buffers::MayAlias => "\"may-alias\"",
    };
    line(&mut text, "buffers", word.into());
    if random.chance() {
        let memory = MemoryUnit::ALL[random.next() as usize % MemoryUnit::ALL.len()];
        line(&mut text, "memory", format!("\"{}\"", memory.name()));
    }
    let figures: [(&str, &[u64]); 6] = [
        ("datapaths", &[1, 1, 2, 3]),
        ("latency", LATENCIES),
        ("cache_bytes", CACHE_BYTES),
        ("on_chip_bytes", &[0, 100, 4096, 1 << 16]),
        ("local_bytes", &[1, 1000, 1 << 14, 1 << 16]),
        ("barrier_bits", &[0, 5000, 1 << 21]),
    ];
    for (key, choices) in figures {
        if random.chance() {
            line(&mut text, key, random.pick(choices).to_string());
        }
    }
    let required = kernel.work_group_size.required;
    let lanes = random.pick(&[1, 2, 4, 8, 16]);
    if required.is_none_or(|[x, ..]| u64::from(x).is_multiple_of(lanes)) && random.chance() {
        line(&mut text, "lanes", lanes.to_string());
    }
    if kernel.work_group_size.required.is_none() && random.chance() {
        let items = random.pick(&[1, 7, 64, 2048]);
        line(&mut text, "work_group", items.to_string());
    }
    for set in names::shared_caches(kernel, buffers) {
        let choices: Vec<u64> = (0..banks).collect();
        let figures = [
            ("cache_bytes", random.pick(CACHE_BYTES)),
            ("latency", random.pick(LATENCIES)),
            ("bank", random.pick(&choices)),
        ];
        for object in set {
            let object = &kernel.objects[object].name;
            text += &format!("[kernel.\"{name}\".object.\"{object}\"]\n");
            for (key, value) in figures {
                if random.chance() {
                    line(&mut text, key, value.to_string());
                }
            }
        }
    }
    for access in names::accesses(kernel) {
        if access.reads && access.is_of_buffer && random.chance() {
            text += &format!("[kernel.\"{name}\".access.\"{}\"]\n", access.name);
            line(&mut text, "latency", random.pick(LATENCIES).to_string());
        }
    }
    // Loops that are unrolled together may be too large.
    let mut unrolled = Plan::default().otherwise;
    for named in names::loops(kernel) {
        let factor = random.pick(&[0, 1, 2, 3, 4, 8]);
        let by = match factor {
            0 => Unroll::Full,
            _ => Unroll::By(factor as u32),
        };
        let mut more = unrolled.clone();
        more.unroll.insert(named.key, by);
        if random.chance() && loop_choices(kernel, &more).is_ok() {
            unrolled = more;
            text += &format!("[kernel.\"{name}\".loop.\"{}\"]\n", named.name);
            let value = match by {
                Unroll::Full => "\"full\"".into(),
                Unroll::By(factor) => factor.to_string(),
            };
            line(&mut text, "unroll", value);
        }
    }
    text
}

/// A random plan for a kernel, made from its text.
pub(crate) fn random_plan(kernel: &Optimised, seed: u64) -> Result<Plan, String> {
    let text = text(kernel, seed);
    let program = Program::of(kernel.clone());
    let wrong = |what: String| format!("{what} in the plan\n{text}");
    let file = PlanFile::parse(&text).map_err(|mistake| wrong(mistake.message))?;
    if PlanFile::parse(&file.to_string()).as_ref() != Ok(&file) {
        return Err(wrong(format!("it comes back as\n{file}\n")));
    }
    let plan = file.apply(&program, Scope::Whole, Plan::default());
    plan.map_err(|mistake| wrong(mistake.message))
}
