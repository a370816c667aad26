//! Targets: chips with their clock and memory, as data. Those in `crates/driver/targets` are built
//! in; others are read from files of the same form, which `docs/targets.md` explains.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sluice_circuit::access::LINE;
use sluice_circuit::dram::Timing;
use sluice_circuit::operators::Tile;
use sluice_circuit::target::Target;

use crate::failure::Failure;

/// The target that is taken if none is named.
pub(crate) const DEFAULT: &str = "arria10-pac";

const BUILT_IN: [(&str, &str); 5] = [
    ("arria10-pac", include_str!("../targets/arria10-pac.toml")),
    ("de5-net", include_str!("../targets/de5-net.toml")),
    ("ecp5-85", include_str!("../targets/ecp5-85.toml")),
    ("f1-vu9p", include_str!("../targets/f1-vu9p.toml")),
    ("hc-1", include_str!("../targets/hc-1.toml")),
];

/// A chip with its clock and memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// What it is called on the command line.
    pub name: String,
    /// What it is.
    pub description: String,
    /// What circuits are built for.
    pub target: Target,
    /// The clock in megahertz.
    pub mhz: f64,
    /// What the chip has.
    pub chip: Chip,
    /// Its external memory, in cycles.
    pub timing: Timing,
    /// How much external memory there is.
    pub memory_bytes: u64,
    /// How fast buffers are written and read by the host, in billions of bytes per second.
    pub host_gigabytes_per_second: f64,
}

/// What a chip has.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    /// Look-up tables.
    pub luts: u32,
    /// Flip-flops.
    pub registers: u32,
    /// Multiplier blocks.
    pub multipliers: u32,
    /// Block memories.
    pub block_memories: u32,
    /// Look-up tables that are as scarce as a block memory.
    pub luts_per_block_memory: u32,
    /// The operands of a multiplier block, in bits.
    pub multiplier: [u32; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    description: String,
    clock: Clock,
    chip: Chip,
    memory: Memory,
    host: Host,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    mhz: f64,
    slowness: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    gigabytes: f64,
    gigabytes_per_second: f64,
    row_hit_ns: f64,
    row_miss_ns: f64,
    row_change_ns: f64,
    banks: u32,
    row_bytes: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    gigabytes_per_second: f64,
}

impl Board {
    /// The names of those built in.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|&(name, _)| name)
    }

    /// The board of that name, or the one described in that file.
    pub fn find(name: &str) -> Result<Board, Failure> {
        if let Some(&(name, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            return Ok(read(name, text).expect("the tests read every target"));
        }
        let names: Vec<&str> = Board::names().collect();
        let help = format!("targets are {}, or a file like theirs", names.join(", "));
        let path = Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") {
            return Err(Failure::usage(format!("no target `{name}`"), help));
        }
        let text = std::fs::read_to_string(path).map_err(|source| Failure::File {
            action: "read",
            path: name.into(),
            source,
        })?;
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        read(&stem.to_string_lossy(), &text)
            .map_err(|why| Failure::usage(format!("{name}: {why}"), help))
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::find(DEFAULT).expect("it is built in")
    }
}

fn read(name: &str, text: &str) -> Result<Board, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let positive = [
        ("clock.mhz", file.clock.mhz),
        ("clock.slowness", file.clock.slowness),
        (
            "memory.gigabytes_per_second",
            file.memory.gigabytes_per_second,
        ),
        ("host.gigabytes_per_second", file.host.gigabytes_per_second),
        ("memory.banks", file.memory.banks.into()),
        ("memory.row_bytes", file.memory.row_bytes.into()),
        (
            "chip.multiplier",
            file.chip.multiplier[0].min(file.chip.multiplier[1]).into(),
        ),
    ];
    if let Some((what, _)) = positive
        .iter()
        .find(|&&(_, value)| value.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater))
    {
        return Err(format!("{what} must be greater than zero"));
    }
    let [a, b] = file.chip.multiplier;
    Ok(Board {
        name: name.into(),
        description: file.description,
        target: Target {
            period: 1000.0 / file.clock.mhz,
            slowness: file.clock.slowness,
            tile: Tile { a, b },
            luts_per_block: file.chip.luts_per_block_memory,
        },
        mhz: file.clock.mhz,
        chip: file.chip,
        timing: timing(&file.memory, file.clock.mhz),
        memory_bytes: (file.memory.gigabytes * f64::from(1 << 30)) as u64,
        host_gigabytes_per_second: file.host.gigabytes_per_second,
    })
}

/// The memory in cycles of the circuit's clock. The circuit's own bus moves a line in a cycle at
/// most.
fn timing(memory: &Memory, mhz: f64) -> Timing {
    let cycles = |ns: f64| (ns * mhz / 1000.0).round() as u32;
    let bytes = memory.gigabytes_per_second * 1000.0 / mhz;
    Timing {
        row_hit: cycles(memory.row_hit_ns).max(1),
        row_miss: cycles(memory.row_miss_ns).max(1),
        row_change: cycles(memory.row_change_ns),
        banks: memory.banks,
        row_bytes: memory.row_bytes,
        bytes_per_cycle: (bytes as u32).clamp(1, LINE),
        ..Timing::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_target_can_be_read() {
        for name in Board::names() {
            let board = Board::find(name).unwrap_or_else(|failure| panic!("{name}: {failure}"));
            assert_eq!(board.name, name);
        }
    }

    #[test]
    fn the_reference_target_is_the_ecp5() {
        assert_eq!(Board::find("ecp5-85").unwrap().target, Target::ECP5);
    }

    #[test]
    fn memory_is_counted_in_cycles_of_the_clock() {
        let timing = Board::find("ecp5-85").unwrap().timing;
        assert_eq!((timing.row_hit, timing.row_miss), (28, 34));
        assert_eq!(timing.bytes_per_cycle, 11);
    }

    #[test]
    fn a_board_without_a_way_to_its_host_is_refused() {
        let text = BUILT_IN[0].1.replace("[host]", "[nobody]");
        assert!(read("x", &text).unwrap_err().contains("nobody"));
        let text = BUILT_IN[0].1.replace("= 7.9", "= 0");
        assert_eq!(
            read("x", &text).unwrap_err(),
            "host.gigabytes_per_second must be greater than zero"
        );
    }

    #[test]
    fn a_clock_that_stands_still_is_refused() {
        let text = BUILT_IN[0].1.replace("mhz = 200", "mhz = 0");
        assert_eq!(
            read("x", &text).unwrap_err(),
            "clock.mhz must be greater than zero"
        );
    }
}
