//! FPGA families as data: how long paths take, what is counted, how Yosys maps designs to them, and
//! what that gave. Adding a family is a record in `family/table.rs`, its name in the list there, and
//! a file in `family/areas`, which `sluice-calibrate areas` writes.

pub mod areas;
mod delays;
pub mod memories;
pub mod multipliers;
mod table;

use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use crate::operators::Tile;
use areas::Areas;
use memories::Memories;
use multipliers::Multipliers;
pub use table::{ARRIA_10, ECP5, FAMILIES, SERIES_7, STRATIX_V, ULTRASCALE_PLUS, VIRTEX_5};

/// Chips that are made of the same blocks and have the same delays, but for their speed grade.
pub struct Family {
    /// Its name in target files and circuits.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// How long paths take.
    pub delays: Delays,
    /// Where the delays are from.
    pub source: Source,
    /// What its chips have.
    pub resources: Resources,
    /// The operands of a multiplier block, unsigned.
    pub tile: Tile,
    /// What terms of areas take.
    pub areas: LazyLock<Areas>,
    /// The name of their file, without its ending.
    pub areas_file: &'static str,
    /// What memories become.
    pub memories: Memories,
    /// What multiplications become.
    pub multipliers: Multipliers,
    /// How Yosys maps designs.
    pub synthesis: Synthesis,
    /// Four-input look-up tables that are as scarce as a block memory: what would take more is
    /// placed in block memories. An ECP5's figures decide this for every family.
    pub luts_per_block_memory: u32,
}

/// How Yosys maps designs to a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Synthesis {
    /// The command and its options.
    pub command: &'static str,
    /// The maker of the chips, whose cells the netlist consists of.
    pub maker: Maker,
}

/// A maker of chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Maker {
    /// Lattice.
    Lattice,
    /// Xilinx.
    Xilinx,
    /// Intel.
    Intel,
}

/// There is one record of each family.
impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        self.name == other.name
    }
}

/// Where figures are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Measured on this family.
    Measured,
    /// Scaled from an ECP5; not measured.
    ScaledFromEcp5,
}

/// What a family's chips have, by the names in reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Resources {
    /// What logic is counted in.
    pub logic: &'static str,
    /// Flip-flops.
    pub registers: &'static str,
    /// Multiplier blocks.
    pub multipliers: &'static str,
    /// Block memories.
    pub block_memories: &'static str,
    /// Bits of a block memory, in units of 1,024.
    pub block_memory_kbits: u32,
}

/// How long paths take, in nanoseconds, routing included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delays {
    /// One level of look-up tables.
    pub lut: f64,
    /// A multiplier block.
    pub dsp: f64,
    /// Clock to output and set-up of the registers around a step.
    pub register: f64,
    /// What a net with 64 sinks adds, such as the select line of a wide multiplexer.
    pub fan_out: f64,
    /// An addition, subtraction or comparison, by its bits.
    pub carry: Linear,
    /// A shifter, by the bits of its amount; the fan-out of its select lines is in it.
    pub shift: Linear,
    /// A count of leading zeros, by the bits of the count.
    pub lzc: Linear,
}

/// A delay that grows with a number of bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Linear {
    /// That of no bits.
    pub base: f64,
    /// What each bit adds.
    pub per_bit: f64,
}

impl Family {
    /// The family of that name.
    pub fn find(name: &str) -> Option<&'static Family> {
        FAMILIES.into_iter().find(|family| family.name == name)
    }

    /// The names of all families.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FAMILIES.into_iter().map(|family| family.name)
    }

    /// Where areas and delays are from, for people.
    pub fn basis(&self) -> String {
        let command = self.synthesis.command;
        let areas = match self.areas.counts() {
            [_, 0] => {
                format!("Areas are estimates, fitted to what Yosys' `{command}` makes of units.")
            }
            [all, some] => format!(
                "Areas are estimates, fitted to what Yosys' `{command}` makes of units;\n\
                 {some} of their {all} figures are not measured, but guessed or scaled from an ECP5's."
            ),
        };
        match self.source {
            Source::Measured => areas,
            Source::ScaledFromEcp5 => {
                format!("{areas}\nDelays are scaled from an ECP5's, not measured.")
            }
        }
    }
}

/// Its name: what it consists of stands in the table.
impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Resources {
    /// The resources that a [`Cost`](crate::cost::Cost) counts, in its order.
    pub fn names(&self) -> [&'static str; 4] {
        [
            self.logic,
            self.registers,
            self.multipliers,
            self.block_memories,
        ]
    }
}

impl Delays {
    /// These delays, each multiplied by a factor.
    pub const fn scaled(&self, factor: f64) -> Delays {
        Delays {
            lut: self.lut * factor,
            dsp: self.dsp * factor,
            register: self.register * factor,
            fan_out: self.fan_out * factor,
            carry: self.carry.scaled(factor),
            shift: self.shift.scaled(factor),
            lzc: self.lzc.scaled(factor),
        }
    }

    /// An addition, subtraction or comparison of that many bits.
    pub fn carry(&self, bits: u32) -> f64 {
        self.carry.at(bits)
    }

    /// A function of many inputs that is a tree of look-up tables, such as "any of them is set".
    pub fn tree(&self, inputs: u32) -> f64 {
        self.lut * f64::from(inputs.max(2).ilog2().div_ceil(2).max(1))
    }

    /// A shifter with that many amount bits.
    pub fn shift(&self, amount_bits: u32) -> f64 {
        match amount_bits {
            0 => 0.0,
            bits => self.shift.at(bits),
        }
    }

    /// A count of the leading zeros of that many bits.
    pub fn lzc(&self, bits: u32) -> f64 {
        self.lzc.at(bits.max(2).next_power_of_two().ilog2())
    }
}

impl Linear {
    const fn scaled(&self, factor: f64) -> Linear {
        Linear {
            base: self.base * factor,
            per_bit: self.per_bit * factor,
        }
    }

    fn at(&self, bits: u32) -> f64 {
        self.base + self.per_bit * f64::from(bits)
    }
}
