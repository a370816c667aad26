//! What memories become on a family's chips, as Yosys maps them: a number of blocks that is exact,
//! or distributed memory, which is logic.

/// A memory with a port to write and one to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Bits of a word.
    pub bits: u32,
    /// Number of words.
    pub words: u32,
    /// What it is made of.
    pub style: Style,
}

/// What a memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Look-up tables.
    Distributed,
    /// Look-up tables, and a register behind what is read.
    Registered,
    /// Blocks.
    Block {
        /// Bits that are written together: as many as the word has, or those of a byte.
        together: u32,
    },
}

/// How Yosys makes memories on a family's chips.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Memories {
    /// Shapes of distributed memories, and what each takes of logic.
    distributed: &'static [(Shape, f64)],
    /// Shapes that a block can have.
    blocks: &'static [Shape],
    /// Bits of a block with a write enable of their own.
    byte: u32,
    /// Whether blocks also replace look-up tables with a register behind them: Yosys does not look at
    /// what the Verilog asks for.
    by_size: bool,
    /// The part of its blocks, in percent, that a memory has to use; a smaller one is distributed.
    least_percent: u32,
}

/// A number of words of a number of bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    bits: u32,
    words: u32,
}

const fn shape(bits: u32, words: u32) -> Shape {
    Shape { bits, words }
}

/// Every term that [`Memories::terms`] may give.
pub const TERMS: [&str; 7] = [
    DISTRIBUTED,
    OF_2_WAYS,
    OF_4_WAYS,
    OF_8_WAYS,
    OF_MANY_WAYS,
    WAYS,
    REGISTERS,
];

const DISTRIBUTED: &str = "distributed logic";
const OF_2_WAYS: &str = "bits of 2 ways";
const OF_4_WAYS: &str = "bits of 4 ways";
const OF_8_WAYS: &str = "bits of 8 ways";
const OF_MANY_WAYS: &str = "bits of many ways";
const WAYS: &str = "ways";
/// Registers behind distributed memories.
pub const REGISTERS: &str = "registers";

impl Memory {
    /// What terms of memories are named after.
    pub const OWNER: &'static str = "memory";

    /// A distributed memory.
    pub(crate) const fn distributed(bits: u32, words: u32) -> Memory {
        Memory {
            bits,
            words,
            style: Style::Distributed,
        }
    }

    /// A distributed memory with a register behind what is read.
    pub(crate) const fn registered(bits: u32, words: u32) -> Memory {
        Memory {
            bits,
            words,
            style: Style::Registered,
        }
    }

    /// A block memory whose words are written as a whole.
    pub(crate) const fn block(bits: u32, words: u32) -> Memory {
        Memory::block_of_bytes(bits, words, bits)
    }

    /// A block memory with a write enable for each `together` bits.
    pub(crate) const fn block_of_bytes(bits: u32, words: u32, together: u32) -> Memory {
        Memory {
            bits,
            words,
            style: Style::Block { together },
        }
    }
}

impl Memories {
    /// Lattice ECP5.
    pub const ECP5: Memories = Memories {
        distributed: &[(shape(4, 16), 6.0)],
        blocks: &[
            shape(36, 512),
            shape(18, 1024),
            shape(9, 2048),
            shape(4, 4096),
            shape(2, 8192),
            shape(1, 16384),
        ],
        byte: 9,
        by_size: false,
        least_percent: 0,
    };

    /// Xilinx Virtex-5 and series 7. A block of 36 kbit counts as two of 18.
    pub const XILINX: Memories = Memories {
        distributed: &[
            (shape(6, 32), 4.0),
            (shape(3, 64), 4.0),
            (shape(1, 128), 4.0),
        ],
        ..Memories::ECP5
    };

    /// Xilinx UltraScale+. A block of 36 kbit counts as two of 18.
    pub const ULTRASCALE: Memories = Memories {
        distributed: &[(shape(14, 32), 8.0), (shape(7, 64), 8.0)],
        ..Memories::ECP5
    };

    /// Intel Stratix V and Arria 10.
    pub const M20K: Memories = Memories {
        distributed: &[(shape(1, 32), 0.5)],
        blocks: &[
            shape(40, 512),
            shape(20, 1024),
            shape(10, 2048),
            shape(5, 4096),
            shape(2, 8192),
            shape(1, 16384),
        ],
        byte: 10,
        by_size: true,
        least_percent: 5,
    };

    /// The terms of what a memory takes of logic and registers.
    pub fn terms(&self, memory: &Memory) -> Vec<(&'static str, f64)> {
        let registers = match memory.style {
            Style::Distributed => 0,
            Style::Registered | Style::Block { .. } if self.blocks(memory) > 0 => {
                return Vec::new();
            }
            Style::Registered | Style::Block { .. } => memory.bits,
        };
        let choices = self.distributed.iter().map(|&(shape, logic)| {
            let ways = memory.words.div_ceil(shape.words);
            let cells = ways * memory.bits.div_ceil(shape.bits);
            (logic * f64::from(cells), ways)
        });
        let (logic, ways) = choices
            .min_by(|a, b| a.partial_cmp(b).expect("numbers"))
            .expect("a family has distributed memories");
        // Which word is read is chosen among the ways.
        let (choice, chosen) = match ways {
            1 => (OF_2_WAYS, 0),
            2 => (OF_2_WAYS, memory.bits),
            3 | 4 => (OF_4_WAYS, memory.bits),
            5..=8 => (OF_8_WAYS, memory.bits),
            _ => (OF_MANY_WAYS, memory.bits * ways),
        };
        vec![
            (DISTRIBUTED, logic),
            (choice, chosen.into()),
            (WAYS, if ways > 1 { ways.into() } else { 0.0 }),
            (REGISTERS, registers.into()),
        ]
    }

    /// The number of blocks; of a memory that is distributed, none.
    pub fn blocks(&self, memory: &Memory) -> u32 {
        let together = match memory.style {
            Style::Block { together } => together,
            Style::Registered if self.by_size => memory.bits,
            Style::Registered | Style::Distributed => return 0,
        };
        let uses = |shape: &Shape| -> (u32, u32) {
            let across = self.across(shape, memory.bits, together);
            let blocks = across * memory.words.div_ceil(shape.words);
            let used = u64::from(memory.bits) * u64::from(memory.words);
            let percent = 100 * used / (u64::from(blocks) * shape.size());
            (blocks, percent as u32)
        };
        let enough = self.blocks.iter().map(uses);
        let enough = enough.filter(|&(_, percent)| percent >= self.least_percent);
        enough.map(|(blocks, _)| blocks).min().unwrap_or(0)
    }

    /// Blocks of a shape beside each other for a word whose bits are written by `together`.
    fn across(&self, shape: &Shape, bits: u32, together: u32) -> u32 {
        match bits.div_ceil(together) {
            1 => bits.div_ceil(shape.bits),
            groups if shape.bits < self.byte => groups * together.div_ceil(shape.bits),
            groups => {
                let bytes = groups * together.div_ceil(self.byte);
                bytes.div_ceil(shape.bits / self.byte)
            }
        }
    }
}

impl Shape {
    fn size(&self) -> u64 {
        u64::from(self.bits) * u64::from(self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(memories: &Memories, bits: u32, words: u32) -> u32 {
        memories.blocks(&Memory::block(bits, words))
    }

    fn blocks_of_bytes(memories: &Memories, bytes: u32, words: u32) -> u32 {
        memories.blocks(&Memory::block_of_bytes(8 * bytes, words, 8))
    }

    /// Bits, words, and the blocks that Yosys 0.23 makes: 18 kbit of ECP5 or UltraScale+, and 20 kbit.
    const WHOLE_WORDS: [(u32, u32, u32, u32); 17] = [
        (26, 17, 1, 0),
        (60, 40, 2, 2),
        (8, 100, 1, 0),
        (40, 300, 2, 1),
        (37, 512, 2, 1),
        (73, 512, 3, 2),
        (19, 600, 2, 1),
        (26, 1024, 2, 2),
        (19, 1024, 2, 1),
        (37, 1024, 3, 2),
        (9, 2048, 1, 1),
        (10, 2048, 2, 1),
        (33, 2048, 4, 4),
        (77, 2048, 9, 8),
        (5, 3000, 2, 1),
        (9, 4096, 2, 2),
        (3, 8192, 2, 2),
    ];

    /// Bytes and words.
    const BYTES: [(u32, u32, u32, u32); 12] = [
        (4, 4, 1, 0),
        (4, 64, 1, 1),
        (4, 128, 1, 1),
        (4, 512, 1, 1),
        (4, 1024, 2, 2),
        (4, 2048, 4, 4),
        (1, 2048, 1, 1),
        (4, 4096, 8, 8),
        (2, 8192, 8, 8),
        (8, 512, 2, 2),
        (3, 512, 1, 1),
        (1, 1024, 1, 1),
    ];

    #[test]
    fn memories_take_the_blocks_that_yosys_makes() {
        for (bits, words, eighteen, twenty) in WHOLE_WORDS {
            for memories in [Memories::ECP5, Memories::XILINX, Memories::ULTRASCALE] {
                assert_eq!(
                    blocks(&memories, bits, words),
                    eighteen,
                    "{bits} by {words}"
                );
            }
            assert_eq!(
                blocks(&Memories::M20K, bits, words),
                twenty,
                "{bits} by {words}"
            );
        }
    }

    #[test]
    fn memories_of_bytes_take_the_blocks_that_yosys_makes() {
        for (bytes, words, eighteen, twenty) in BYTES {
            for memories in [Memories::ECP5, Memories::XILINX, Memories::ULTRASCALE] {
                let found = blocks_of_bytes(&memories, bytes, words);
                assert_eq!(found, eighteen, "{bytes} bytes by {words}");
            }
            let found = blocks_of_bytes(&Memories::M20K, bytes, words);
            assert_eq!(found, twenty, "{bytes} bytes by {words}");
        }
    }

    #[test]
    fn the_lines_of_a_cache_take_the_blocks_that_yosys_makes() {
        let lines = Memory::block_of_bytes(576, 1024, 9);
        assert_eq!(Memories::ECP5.blocks(&lines), 32);
        assert_eq!(Memories::ULTRASCALE.blocks(&lines), 32);
        assert_eq!(Memories::M20K.blocks(&lines), 32);
    }

    /// Bits, words, and the blocks of 20 kbit that Yosys 0.23 makes of slots and queues.
    #[test]
    fn queues_of_intel_are_blocks_if_they_are_large_enough() {
        for (bits, words, expected) in [(9, 512, 1), (11, 2048, 2), (12, 4096, 3), (3, 128, 0)] {
            let memory = Memory::registered(bits, words);
            assert_eq!(
                Memories::M20K.blocks(&memory),
                expected,
                "{bits} by {words}"
            );
            assert_eq!(Memories::ECP5.blocks(&memory), 0);
            assert_eq!(Memories::M20K.blocks(&Memory::distributed(bits, words)), 0);
        }
    }

    #[test]
    fn a_block_memory_that_is_distributed_has_registers() {
        let terms = Memories::M20K.terms(&Memory::block(8, 100));
        assert!(terms.contains(&(REGISTERS, 8.0)), "{terms:?}");
        assert!(Memories::ECP5.terms(&Memory::block(8, 100)).is_empty());
    }
}
