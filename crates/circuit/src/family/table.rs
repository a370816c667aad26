//! The table of families.
//!
//! Only the ECP5's figures are measured: its delays are in `delays.rs`. Those of the other
//! families are scaled from ECP5; not measured. How areas convert is an estimate, too:
//!
//! - *Logic.* Vendors also give the size of their chips in four-input look-up tables with a register,
//!   1.6 for each six-input table of a Virtex-5 or Artix-7 and 2.65 for each adaptive logic module of a
//!   Stratix V. One factor does not fit all: where an ECP5 needs 779 tables for a binary32 addition
//!   and 313 for an arbiter, Yosys 0.23 makes 422 and 425 six-input tables (`synth_xilinx`, two small
//!   ones not yet packed into one), and 293 and 157 modules (`synth_intel_alm`, two small tables to a
//!   module).
//! - *Registers* are the same everywhere.
//! - *Multipliers* are not converted: operators are built of the family's.
//! - *Block memories.* One of 20 kbit has at least as many words as one of 18 kbit in each width, and
//!   no more if the words are bytes: it counts as one.

use super::{Family, Resources, Source, Worth, delays};
use crate::operators::Tile;

/// Every family.
pub static FAMILIES: [&Family; 6] = [
    &ARRIA_10,
    &ECP5,
    &SERIES_7,
    &STRATIX_V,
    &ULTRASCALE_PLUS,
    &VIRTEX_5,
];

/// A six-input look-up table of Xilinx, and a block memory of 18 kbit.
const fn xilinx_worth(luts_per_block_memory: u32) -> Worth {
    Worth {
        luts_per_logic: 1.6,
        brams_per_block_memory: 1.0,
        luts_per_block_memory,
    }
}

/// An adaptive logic module of Intel, and a block memory of 20 kbit.
const fn intel_worth(luts_per_block_memory: u32) -> Worth {
    Worth {
        luts_per_logic: 2.65,
        brams_per_block_memory: 1.0,
        luts_per_block_memory,
    }
}

const fn xilinx_resources(multipliers: &'static str) -> Resources {
    Resources {
        logic: "LUT6s",
        registers: "FFs",
        multipliers,
        block_memories: "RAMB18s",
        block_memory_kbits: 18,
    }
}

const INTEL_RESOURCES: Resources = Resources {
    logic: "ALMs",
    registers: "FFs",
    multipliers: "DSPs",
    block_memories: "M20Ks",
    block_memory_kbits: 20,
};

/// Lattice ECP5.
pub static ECP5: Family = Family {
    name: "ecp5",
    description: "Lattice ECP5",
    delays: delays::ECP5,
    source: Source::Measured,
    resources: Resources {
        logic: "LUT4s",
        registers: "FFs",
        multipliers: "MULT18s",
        block_memories: "EBRs",
        block_memory_kbits: 18,
    },
    tile: Tile::ECP5,
    worth: Worth {
        luts_per_logic: 1.0,
        brams_per_block_memory: 1.0,
        luts_per_block_memory: 400,
    },
};

/// Xilinx Virtex-5. Scaled from ECP5; not measured.
pub static VIRTEX_5: Family = Family {
    name: "virtex_5",
    description: "Xilinx Virtex-5",
    delays: delays::ECP5.scaled(0.85),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48Es"),
    tile: Tile::DSP48E,
    worth: xilinx_worth(360),
};

/// Xilinx series 7, with the delays of an Artix-7. Scaled from ECP5; not measured.
pub static SERIES_7: Family = Family {
    name: "series_7",
    description: "Xilinx series 7",
    delays: delays::ECP5.scaled(0.9),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48E1s"),
    tile: Tile::DSP48E,
    worth: xilinx_worth(235),
};

/// Xilinx UltraScale+. Scaled from ECP5; not measured.
pub static ULTRASCALE_PLUS: Family = Family {
    name: "ultrascale_plus",
    description: "Xilinx UltraScale+",
    delays: delays::ECP5.scaled(0.48),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48E2s"),
    tile: Tile::ULTRASCALE,
    worth: xilinx_worth(274),
};

/// Intel Arria 10. Scaled from ECP5; not measured.
pub static ARRIA_10: Family = Family {
    name: "arria_10",
    description: "Intel Arria 10",
    delays: delays::ECP5.scaled(0.6),
    source: Source::ScaledFromEcp5,
    resources: INTEL_RESOURCES,
    tile: Tile::ARRIA10,
    worth: intel_worth(315),
};

/// Intel Stratix V. Scaled from ECP5; not measured.
pub static STRATIX_V: Family = Family {
    name: "stratix_v",
    description: "Intel Stratix V",
    delays: delays::ECP5.scaled(0.7),
    source: Source::ScaledFromEcp5,
    resources: INTEL_RESOURCES,
    tile: Tile::ARRIA10,
    worth: intel_worth(183),
};
