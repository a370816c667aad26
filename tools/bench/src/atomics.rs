//! Atomic operations per cycle, compared with the upper bound for a design with sixteen locks per memory.

use std::error::Error;

use sluice_circuit::target::Target;
use sluice_kernel::launch::simulate;

use crate::locks::{Requesters, least_cycles};
use crate::workloads::{Loaded, kernel_file};

/// Operations of each launch, and how many of them a work-item does.
const OPERATIONS: u64 = 65536;
const EACH: u64 = 16;

/// A memory that holds counters, with the kernels that measure it.
struct CounterMemory {
    name: &'static str,
    /// The kernel that counts words, and the unit that holds the counts.
    count: &'static str,
    unit: &'static str,
    /// The kernel that chases pointers, and its number of work-items.
    chase: &'static str,
    chasers: u64,
    /// The number of words; a work-item uses the word of its number modulo that.
    words: u64,
    arguments: &'static str,
}

const MEMORIES: [CounterMemory; 2] = [
    CounterMemory {
        name: "local",
        count: "atomics_local.cl",
        unit: "local_counts",
        chase: "chase_local.cl",
        chasers: 64,
        words: 256,
        arguments: "-a zero:4096",
    },
    CounterMemory {
        name: "global",
        count: "atomics_global.cl",
        unit: "cache_counts",
        chase: "chase_global.cl",
        chasers: 1,
        words: 4096,
        arguments: "-a zero:4096 -a 4095",
    },
];

/// The access patterns: name, and the buffer with the word of each operation.
const WORDS: [(&str, &str); 3] = [
    ("one word", "zero:65536"),
    ("256 at random", "rand:65536:1:0:255"),
    ("each its own", "iota:65536"),
];

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!(
        "Atomics: operations per cycle of {OPERATIONS}, and at most with sixteen locks by line:"
    );
    println!("with any number of requesters, and with one, in order; a lock is held while memory");
    println!("reads, or for as long as a load takes that waits for another one\n");
    println!(
        "{:<7} {:<14} {:>8} {:>6}  {:>5} {:>9} {:>6} {:>9} {:>6}",
        "memory", "words", "cycles", "here", "held", "any", "ratio", "in order", "ratio"
    );
    for memory in &MEMORIES {
        let load = memory.load_latency()?;
        for (name, words) in WORDS {
            let counted = memory.count(words)?;
            let rate = |cycles| OPERATIONS as f64 / cycles as f64;
            for held in [counted.read_latency, load] {
                let least =
                    |requesters| least_cycles(counted.addresses.iter().copied(), held, requesters);
                let (any, in_order) = (least(Requesters::Any), least(Requesters::InOrder));
                let ratio = |theirs| theirs as f64 / counted.cycles as f64;
                println!(
                    "{:<7} {name:<14} {:>8} {:>6.3}  {held:>5} {:>9.3} {:>6.2} {:>9.3} {:>6.2}",
                    memory.name,
                    counted.cycles,
                    rate(counted.cycles),
                    rate(any),
                    ratio(any),
                    rate(in_order),
                    ratio(in_order),
                );
            }
        }
    }
    println!();
    Ok(())
}

/// A launch that counted words.
struct Counted {
    cycles: u64,
    /// Cycles that the memory takes to answer a read.
    read_latency: u64,
    /// The addresses of the counted words, in the order of operations for round-robin work-items.
    addresses: Vec<u64>,
}

impl CounterMemory {
    fn count(&self, words: &str) -> Result<Counted, Box<dyn Error>> {
        let items = OPERATIONS / EACH;
        let launch = format!("-g {items} -a {words} {} -a {EACH}", self.arguments);
        let loaded = Loaded::new(&kernel_file(self.count, &[]), &launch, &Target::ECP5, 1)?;
        let mut units = loaded.design.lowered.circuit().units().values();
        let unit = units.find(|unit| unit.name == self.unit);
        let unit = unit.ok_or_else(|| format!("{}: no {}", self.count, self.unit))?;
        let session = loaded.bind()?;
        let (_, words) = session.memory.buffers().next().expect("words come first");
        let number = |word: &[u8]| u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let bytes = words.to_bytes();
        let numbers = bytes.chunks_exact(4).map(number).map(u64::from);
        Ok(Counted {
            cycles: loaded.cycles(&simulate::Options::default())?,
            read_latency: unit.kind.latency().into(),
            addresses: numbers.map(|number| 4 * (number % self.words)).collect(),
        })
    }

    /// Cycles of a dependent load that hits.
    fn load_latency(&self) -> Result<u64, Box<dyn Error>> {
        const ROUNDS: u64 = 100;
        const LOADS: [u64; 2] = [2, 10];
        let cycles = |loads: u64| -> Result<u64, Box<dyn Error>> {
            let launch = format!("-g {} -a zero:64 -a zero:1 -a {ROUNDS}", self.chasers);
            let source = kernel_file(self.chase, &[format!("-DLOADS={loads}")]);
            let loaded = Loaded::new(&source, &launch, &Target::ECP5, 1)?;
            loaded.cycles(&simulate::Options::default())
        };
        let [few, many] = LOADS;
        Ok((cycles(many)? - cycles(few)?) / (ROUNDS * (many - few)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured cycles, and the lower bound with locks that any number of requesters acquire for the
    /// latency of a read.
    fn compare(memory: &CounterMemory, words: usize) -> (u64, u64) {
        let counted = memory.count(WORDS[words].1);
        let counted = counted.unwrap_or_else(|error| panic!("{error}"));
        let (addresses, held) = (counted.addresses, counted.read_latency);
        let locks = least_cycles(addresses, held, Requesters::Any);
        (counted.cycles, locks)
    }

    #[test]
    fn operations_on_one_word_do_not_wait_for_memory() {
        for memory in &MEMORIES {
            let (here, locks) = compare(memory, 0);
            assert!(2 * here < locks, "{}: {here}, {locks}", memory.name);
        }
    }
}
