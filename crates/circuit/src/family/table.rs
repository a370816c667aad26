//! The table of families.
//!
//! The delays of the ECP5 are measured (`delays.rs`); those of the other families are scaled from them. What terms
//! of areas take is fitted to what Yosys 0.23 makes of units. It maps Virtex-5 and series 7 to the same look-up
//! tables and registers, so they share a table; it has no command for Arria 10 and Stratix V, so both are mapped
//! as Cyclone 10 GX, which has the same blocks.

use std::sync::LazyLock;

use super::areas::Areas;
use super::memories::Memories;
use super::multipliers::Multipliers;
use super::{Family, Maker, Resources, Source, Synthesis, delays};
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

const fn xilinx_resources(multipliers: &'static str) -> Resources {
    Resources {
        logic: "LUT6s",
        registers: "FFs",
        multipliers,
        block_memories: "RAMB18s",
        block_memory_kbits: 18,
    }
}

const INTEL_SYNTHESIS: Synthesis = Synthesis {
    command: "synth_intel_alm -family cyclone10gx -noiopad -noclkbuf",
    maker: Maker::Intel,
};

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
    areas: LazyLock::new(|| Areas::read(include_str!("areas/ecp5.txt"))),
    areas_file: "ecp5",
    memories: Memories::ECP5,
    multipliers: Multipliers::ECP5,
    synthesis: Synthesis {
        command: "synth_ecp5 -abc9",
        maker: Maker::Lattice,
    },
    luts_per_block_memory: 400,
};

/// Xilinx Virtex-5. Scaled from ECP5; not measured.
pub static VIRTEX_5: Family = Family {
    name: "virtex_5",
    description: "Xilinx Virtex-5",
    delays: delays::ECP5.scaled(0.85),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48Es"),
    tile: Tile::DSP48E,
    areas: LazyLock::new(|| Areas::read(include_str!("areas/series_7.txt"))),
    areas_file: "series_7",
    memories: Memories::XILINX,
    multipliers: Multipliers::XILINX,
    synthesis: Synthesis {
        command: "synth_xilinx -family xc5v -flatten -noiopad -noclkbuf",
        maker: Maker::Xilinx,
    },
    luts_per_block_memory: 360,
};

/// Xilinx series 7, with the delays of an Artix-7. Scaled from ECP5; not measured.
pub static SERIES_7: Family = Family {
    name: "series_7",
    description: "Xilinx series 7",
    delays: delays::ECP5.scaled(0.9),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48E1s"),
    tile: Tile::DSP48E,
    areas: LazyLock::new(|| Areas::read(include_str!("areas/series_7.txt"))),
    areas_file: "series_7",
    memories: Memories::XILINX,
    multipliers: Multipliers::XILINX,
    synthesis: Synthesis {
        command: "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
        maker: Maker::Xilinx,
    },
    luts_per_block_memory: 235,
};

/// Xilinx UltraScale+. Scaled from ECP5; not measured.
pub static ULTRASCALE_PLUS: Family = Family {
    name: "ultrascale_plus",
    description: "Xilinx UltraScale+",
    delays: delays::ECP5.scaled(0.48),
    source: Source::ScaledFromEcp5,
    resources: xilinx_resources("DSP48E2s"),
    tile: Tile::ULTRASCALE,
    areas: LazyLock::new(|| Areas::read(include_str!("areas/ultrascale_plus.txt"))),
    areas_file: "ultrascale_plus",
    memories: Memories::ULTRASCALE,
    multipliers: Multipliers::XILINX,
    synthesis: Synthesis {
        command: "synth_xilinx -family xcup -flatten -noiopad -noclkbuf",
        maker: Maker::Xilinx,
    },
    luts_per_block_memory: 274,
};

/// Intel Arria 10. Scaled from ECP5; not measured.
pub static ARRIA_10: Family = Family {
    name: "arria_10",
    description: "Intel Arria 10",
    delays: delays::ECP5.scaled(0.6),
    source: Source::ScaledFromEcp5,
    resources: INTEL_RESOURCES,
    tile: Tile::ARRIA10,
    areas: LazyLock::new(|| Areas::read(include_str!("areas/intel_alm.txt"))),
    areas_file: "intel_alm",
    memories: Memories::M20K,
    multipliers: Multipliers::INTEL,
    synthesis: INTEL_SYNTHESIS,
    luts_per_block_memory: 315,
};

/// Intel Stratix V. Scaled from ECP5; not measured.
pub static STRATIX_V: Family = Family {
    name: "stratix_v",
    description: "Intel Stratix V",
    delays: delays::ECP5.scaled(0.7),
    source: Source::ScaledFromEcp5,
    resources: INTEL_RESOURCES,
    tile: Tile::ARRIA10,
    areas: LazyLock::new(|| Areas::read(include_str!("areas/intel_alm.txt"))),
    areas_file: "intel_alm",
    memories: Memories::M20K,
    multipliers: Multipliers::INTEL,
    synthesis: INTEL_SYNTHESIS,
    luts_per_block_memory: 183,
};
