//! What the cells that Yosys makes count as.

use std::collections::BTreeMap;

use sluice_circuit::cost::Cost;
use sluice_circuit::family::{Family, Maker};

/// A resource that cells take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resource {
    Logic,
    Register,
    Multiplier,
    BlockMemory,
}

use Resource::{BlockMemory, Logic, Multiplier, Register};

/// A type of cell, the resource that it takes, and how much of it.
type Row = (&'static str, Resource, f64);

/// A carry cell is two tables. Sixteen words of four bits take two slices, and the two tables of a
/// third for writing.
const ECP5: &[Row] = &[
    ("LUT4", Logic, 1.0),
    ("PFUMX", Logic, 0.0),
    ("L6MUX21", Logic, 0.0),
    ("CCU2C", Logic, 2.0),
    ("TRELLIS_DPR16X4", Logic, 6.0),
    ("TRELLIS_FF", Register, 1.0),
    ("MULT18X18D", Multiplier, 1.0),
    ("DP16KD", BlockMemory, 1.0),
    ("PDPW16KD", BlockMemory, 1.0),
];

/// Carry cells and multiplexers stand beside the tables that they belong to. A multi-port memory counts the tables of
/// all its ports. Block memories of 36 kbit are two of 18.
const XILINX: &[Row] = &[
    ("CARRY4", Logic, 0.0),
    ("CARRY8", Logic, 0.0),
    ("MUXF7", Logic, 0.0),
    ("MUXF8", Logic, 0.0),
    ("MUXF9", Logic, 0.0),
    ("INV", Logic, 1.0),
    ("LUT1", Logic, 1.0),
    ("LUT2", Logic, 1.0),
    ("LUT3", Logic, 1.0),
    ("LUT4", Logic, 1.0),
    ("LUT5", Logic, 1.0),
    ("LUT6", Logic, 1.0),
    ("LUT6_2", Logic, 1.0),
    ("SRL16E", Logic, 1.0),
    ("SRLC32E", Logic, 1.0),
    ("RAM32X1D", Logic, 2.0),
    ("RAM64X1D", Logic, 2.0),
    ("RAM128X1D", Logic, 4.0),
    ("RAM32M", Logic, 4.0),
    ("RAM64M", Logic, 4.0),
    ("RAM32M16", Logic, 8.0),
    ("RAM64M8", Logic, 8.0),
    ("FDRE", Register, 1.0),
    ("FDSE", Register, 1.0),
    ("FDCE", Register, 1.0),
    ("FDPE", Register, 1.0),
    ("DSP48E", Multiplier, 1.0),
    ("DSP48E1", Multiplier, 1.0),
    ("DSP48E2", Multiplier, 1.0),
    ("RAMB18", BlockMemory, 1.0),
    ("RAMB36", BlockMemory, 2.0),
    ("RAMB18SDP", BlockMemory, 1.0),
    ("RAMB36SDP", BlockMemory, 2.0),
    ("RAMB18E1", BlockMemory, 1.0),
    ("RAMB36E1", BlockMemory, 2.0),
    ("RAMB18E2", BlockMemory, 1.0),
    ("RAMB36E2", BlockMemory, 2.0),
];

/// An adaptive logic module has one table of six inputs or two smaller ones, two bits of an adder,
/// or two bits of a memory of 32 words. A multiplier block has one multiplier of 27 bits by 27, or two
/// of 18 by 18.
const INTEL: &[Row] = &[
    ("MISTRAL_NOT", Logic, 0.5),
    ("MISTRAL_BUF", Logic, 0.0),
    ("MISTRAL_ALUT2", Logic, 0.5),
    ("MISTRAL_ALUT3", Logic, 0.5),
    ("MISTRAL_ALUT4", Logic, 0.5),
    ("MISTRAL_ALUT5", Logic, 0.5),
    ("MISTRAL_ALUT6", Logic, 1.0),
    ("MISTRAL_ALUT_ARITH", Logic, 0.5),
    ("MISTRAL_MLAB", Logic, 0.5),
    ("MISTRAL_FF", Register, 1.0),
    ("MISTRAL_MUL27X27", Multiplier, 1.0),
    ("MISTRAL_MUL18X18", Multiplier, 0.5),
    ("MISTRAL_MUL9X9", Multiplier, 0.5),
    ("altsyncram", BlockMemory, 1.0),
    ("MISTRAL_M20K", BlockMemory, 1.0),
];

/// Cells by type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cells(pub BTreeMap<String, u32>);

impl Cells {
    /// Adds a cell.
    pub fn add(&mut self, kind: &str) {
        match self.0.get_mut(kind) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(kind.to_owned(), 1);
            }
        }
    }

    /// How many there are of a type.
    pub fn count(&self, kind: &str) -> u32 {
        self.0.get(kind).copied().unwrap_or(0)
    }

    /// Types that are not known to be a family's cells, so that it is not known what they take.
    pub fn unknown(&self, family: &Family) -> Vec<&str> {
        let is_known = |kind: &String| rows(family).iter().any(|(known, ..)| known == kind);
        let kinds = self.0.keys().filter(|kind| !is_known(kind));
        kinds.map(String::as_str).collect()
    }

    /// What they take of a family's chips.
    pub fn cost(&self, family: &Family) -> Cost {
        let sum = |wanted| -> u32 {
            let rows = rows(family).iter();
            let rows = rows.filter(|&&(_, resource, _)| resource == wanted);
            let parts = rows.map(|&(kind, _, each)| f64::from(self.count(kind)) * each);
            parts.sum::<f64>().ceil() as u32
        };
        Cost {
            logic: sum(Logic),
            registers: sum(Register),
            multipliers: sum(Multiplier),
            block_memories: sum(BlockMemory),
        }
    }
}

fn rows(family: &Family) -> &'static [Row] {
    match family.synthesis.maker {
        Maker::Lattice => ECP5,
        Maker::Xilinx => XILINX,
        Maker::Intel => INTEL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_circuit::family::{ARRIA_10, ECP5, FAMILIES, ULTRASCALE_PLUS, VIRTEX_5};

    fn cost(cells: &[(&str, u32)], family: &Family) -> [u32; 4] {
        let cells = cells.iter().map(|&(kind, count)| (kind.to_owned(), count));
        Cells(cells.collect()).cost(family).counts()
    }

    #[test]
    fn carry_chains_and_memories_of_an_ecp5_are_tables() {
        let cells = [
            ("LUT4", 3),
            ("PFUMX", 1),
            ("CCU2C", 2),
            ("TRELLIS_DPR16X4", 1),
        ];
        assert_eq!(cost(&cells, &ECP5), [13, 0, 0, 0]);
    }

    #[test]
    fn shift_registers_and_memories_of_xilinx_are_tables() {
        let cells = [
            ("LUT6", 3),
            ("MUXF7", 1),
            ("CARRY8", 2),
            ("SRL16E", 5),
            ("RAM64M8", 1),
        ];
        assert_eq!(cost(&cells, &ULTRASCALE_PLUS), [16, 0, 0, 0]);
    }

    #[test]
    fn a_large_block_memory_of_xilinx_is_two_small_ones() {
        let cells = [("RAMB18SDP", 1), ("RAMB36", 2), ("RAMB36SDP", 1)];
        assert_eq!(cost(&cells, &VIRTEX_5), [0, 0, 0, 7]);
    }

    #[test]
    fn two_small_multipliers_of_intel_are_a_block() {
        let cells = [
            ("MISTRAL_MUL27X27", 1),
            ("MISTRAL_MUL18X18", 3),
            ("altsyncram", 4),
        ];
        assert_eq!(cost(&cells, &ARRIA_10), [0, 0, 3, 4]);
    }

    #[test]
    fn cells_that_are_not_a_familys_are_told() {
        let cells = Cells([("BOX".to_owned(), 1)].into());
        for family in FAMILIES {
            assert_eq!(cells.unknown(family), ["BOX"]);
        }
        assert!(
            Cells([("LUT4".to_owned(), 1)].into())
                .unknown(&ECP5)
                .is_empty()
        );
    }
}
