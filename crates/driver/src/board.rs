//! Targets: chips with their clock and memory, as data. Those in `crates/driver/targets` are built
//! in; others are read from files of the same form, which `docs/targets.md` explains.

mod file;

use std::path::Path;

use miette::NamedSource;
use serde::Serialize;
use sluice_circuit::access::{LINE, Lines};
use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::plan::{Figures, Plan, names};
use sluice_synth::nextpnr::Device;
use thiserror::Error;

use crate::failure::{Failure, FileReport};
use crate::files::read_text;
use file::{File, Memory, Mistake, Number};

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
    /// The chip as open tools know it, if they can place and route on it.
    pub open_tools: Option<Device>,
    /// Its external memory, in cycles.
    pub timing: Timing,
    /// The same in nanoseconds.
    speeds: Speeds,
    /// What circuits are built for where no plan says otherwise.
    pub figures: Figures,
    /// How much external memory there is.
    pub memory_bytes: u64,
    /// Memories of that speed, which circuits have a port each for, at most.
    pub channels: u32,
    /// How fast buffers are written and read by the host, in billions of bytes per second.
    pub host_gigabytes_per_second: f64,
}

/// External memory as a target's file describes it.
#[derive(Clone, PartialEq, Debug)]
struct Speeds {
    gigabytes_per_second: f64,
    row_hit_ns: f64,
    row_miss_ns: f64,
    row_change_ns: f64,
    banks: u32,
    row_bytes: u32,
}

/// More memory ports than a board has memories.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{banks} memory ports, but {target} has {channels} {}", if *.channels == 1 { "memory" } else { "memories" })]
pub struct TooManyBanks {
    /// The memory ports.
    pub banks: u32,
    /// The memories.
    pub channels: u32,
    /// The target's name.
    pub target: String,
}

/// What a chip has, in resources of its family.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chip {
    /// What its family counts as logic: look-up tables or adaptive logic modules.
    pub logic: u32,
    /// Flip-flops.
    pub registers: u32,
    /// Multiplier blocks.
    pub multipliers: u32,
    /// Block memories.
    pub block_memories: u32,
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
        let text = read_text(path)?;
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        read(&stem.to_string_lossy(), &text).map_err(|mistake| report(mistake, name, text))
    }
}

impl Board {
    /// The same board with another clock: its memory takes other numbers of cycles. Circuits are still
    /// built for the clock of the target.
    pub fn at_clock(&self, mhz: f64) -> Board {
        Board {
            mhz,
            timing: self.speeds.timing(mhz),
            ..self.clone()
        }
    }

    /// Bytes of a line: a beat moves what the memory does in a cycle of the target's clock.
    pub fn line_bytes(&self) -> u32 {
        let timing = self.speeds.timing(1000.0 / self.target.period);
        let bytes = timing.bytes_per_cycle.next_power_of_two();
        bytes.max(Lines::SHORTEST)
    }

    /// The plan for a program where nothing is chosen: a memory port for each location that a kernel names, as
    /// far as there are memories.
    pub fn plan_for(&self, program: &Program) -> Plan {
        let kernels = program.kernels().iter();
        let locations = kernels.map(|kernel| names::locations(kernel).len() as u32);
        let banks = locations.max().unwrap_or(0);
        self.plan().with_banks(banks.clamp(1, self.channels))
    }

    /// Refuses a plan with more memory ports than there are memories.
    pub fn check_banks(&self, plan: &Plan) -> Result<(), TooManyBanks> {
        match plan.banks <= self.channels {
            true => Ok(()),
            false => Err(TooManyBanks {
                banks: plan.banks,
                channels: self.channels,
                target: self.name.clone(),
            }),
        }
    }

    /// The plan without entries: what is built where nothing is chosen.
    pub fn plan(&self) -> Plan {
        let plan = Plan::new(self.figures);
        let line_bytes = self.line_bytes();
        // Far more addresses than bytes keep stray accesses away from other buffers. With short lines, bits of
        // addresses weigh more: twice as many addresses leave room between buffers.
        let twice = self.memory_bytes.next_power_of_two().trailing_zeros() + 1;
        let address_bits = match line_bytes {
            LINE => plan.address_bits.max(twice),
            _ => twice,
        };
        Plan {
            line_bytes,
            address_bits,
            ..plan
        }
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::find(DEFAULT).expect("it is built in")
    }
}

fn report(mistake: Mistake, path: &str, text: String) -> Failure {
    let help = mistake
        .help
        .unwrap_or_else(|| "docs/targets.md lists the keys; no others are known".into());
    Failure::Target(Box::new(FileReport {
        message: mistake.message,
        at: mistake.span.map(Into::into),
        source_code: NamedSource::new(path, text),
        help,
    }))
}

fn read(name: &str, text: &str) -> Result<Board, Mistake> {
    let file = File::read(text)?;
    let mhz = file.clock.mhz.value();
    let speeds = Speeds::of(&file.memory);
    Ok(Board {
        name: name.into(),
        description: file.description.clone(),
        target: Target {
            family: file.family()?,
            period: 1000.0 / mhz,
            grade: file.grade(),
        },
        mhz,
        chip: file.chip(),
        open_tools: file.open_tools()?,
        timing: speeds.timing(mhz),
        speeds,
        figures: Figures {
            latency: file.defaults.latency.count(),
            cache_bytes: file.defaults.cache_bytes.count(),
            ..Figures::default()
        },
        channels: file.memory.channels.as_ref().map_or(1, Number::count),
        memory_bytes: (file.memory.gigabytes.value() * f64::from(1 << 30)) as u64,
        host_gigabytes_per_second: file.host.gigabytes_per_second.value(),
    })
}

impl Speeds {
    fn of(memory: &Memory) -> Speeds {
        Speeds {
            gigabytes_per_second: memory.gigabytes_per_second.value(),
            row_hit_ns: memory.row_hit_ns.value(),
            row_miss_ns: memory.row_miss_ns.value(),
            row_change_ns: memory.row_change_ns.value(),
            banks: memory.banks.count(),
            row_bytes: memory.row_bytes.count(),
        }
    }

    /// The memory in cycles of the circuit's clock. The circuit's own bus moves a line in a cycle at
    /// most.
    fn timing(&self, mhz: f64) -> Timing {
        let cycles = |ns: f64| (ns * mhz / 1000.0).round() as u32;
        let bytes = self.gigabytes_per_second * 1000.0 / mhz;
        Timing {
            row_hit: cycles(self.row_hit_ns).max(1),
            row_miss: cycles(self.row_miss_ns).max(1),
            row_change: cycles(self.row_change_ns),
            banks: self.banks,
            row_bytes: self.row_bytes,
            bytes_per_cycle: (bytes as u32).clamp(1, LINE),
            ..Timing::default()
        }
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
    fn another_clock_leaves_the_memory_as_fast_as_it_is() {
        let board = Board::find("ecp5-85").unwrap();
        assert_eq!(board.at_clock(board.mhz), board);
        let slow = board.at_clock(board.mhz / 2.0);
        assert_eq!(slow.target, board.target);
        assert_eq!(
            slow.timing.bytes_per_cycle,
            (2 * board.timing.bytes_per_cycle).min(LINE)
        );
        assert!(slow.timing.row_miss.abs_diff(board.timing.row_miss / 2) <= 1);
    }

    #[test]
    fn memory_is_counted_in_cycles_of_the_clock() {
        let timing = Board::find("ecp5-85").unwrap().timing;
        assert_eq!((timing.row_hit, timing.row_miss), (28, 34));
        assert_eq!(timing.bytes_per_cycle, 11);
    }

    #[test]
    fn a_board_without_a_way_to_its_host_is_refused() {
        let text = BUILT_IN[0].1.replace("[host]", "[cable]");
        assert!(read("x", &text).unwrap_err().message.contains("cable"));
    }

    /// Changes a field of a target that is built in.
    fn with(field: &str, value: &str) -> String {
        let (table, key) = field.split_once('.').unwrap();
        let mut inside = false;
        let all = BUILT_IN[0].1.replace("[chip]\n", "[chip]\ngrade = 1.0\n");
        let lines = all.lines().map(|line| {
            if line.starts_with('[') {
                inside = line.starts_with(&format!("[{table}]"));
            }
            match line.strip_prefix(key) {
                Some(rest) if inside && rest.starts_with(" =") => format!("{key} = {value}"),
                _ => line.to_owned(),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_speed_grade_scales_the_family_s_delays() {
        let slow = read("x", &with("chip.grade", "1.5"))
            .expect("it is right")
            .target;
        assert_eq!(slow.delays(), slow.family.delays.scaled(1.5));
        assert_eq!(Board::default().target.grade, 1.0);
    }

    #[test]
    fn an_unknown_family_is_refused_with_the_known_ones() {
        let text = with("chip.family", "\"spartan_6\"");
        let mistake = read("x", &text).expect_err("there is no such family");
        assert_eq!(mistake.message, "no family `spartan_6`");
        assert_eq!(&text[mistake.span.expect("its place")], "\"spartan_6\"");
        let help = "families are arria_10, ecp5, series_7, stratix_v, ultrascale_plus, virtex_5";
        assert_eq!(mistake.help.as_deref(), Some(help));
    }

    /// The ECP5's target with another table for open tools.
    fn with_open_tools(table: &str) -> String {
        let (_, text) = BUILT_IN[2];
        let (before, rest) = text.split_once("[chip.open_tools]").expect("its table");
        let (_, after) = rest.split_once("\n\n").expect("its end");
        format!("{before}[chip.open_tools]\n{table}\n\n{after}")
    }

    #[test]
    fn an_ecp5_can_be_placed_with_open_tools() {
        let device = Board::find("ecp5-85").unwrap().open_tools;
        let expected = Device {
            size: "85k".into(),
            speed: 8,
            package: "CABGA756".into(),
        };
        assert_eq!(device, Some(expected));
        assert_eq!(Board::default().open_tools, None);
    }

    #[test]
    fn chips_that_open_tools_do_not_know_are_refused_with_their_place() {
        let table = |size, speed, package| {
            format!("size = \"{size}\"\nspeed = {speed}\npackage = \"{package}\"")
        };
        for (table, place, message) in [
            (
                table("84k", "8", "CABGA756"),
                "\"84k\"",
                "chip.open_tools.size",
            ),
            (table("85k", "9", "CABGA756"), "9", "chip.open_tools.speed"),
            (
                table("85k", "6.5", "CABGA756"),
                "6.5",
                "chip.open_tools.speed",
            ),
            (
                table("85k", "8", "BGA1"),
                "\"BGA1\"",
                "chip.open_tools.package",
            ),
        ] {
            let text = with_open_tools(&table);
            let mistake = read("x", &text).expect_err(&table);
            assert!(mistake.message.contains(message), "{}", mistake.message);
            assert_eq!(&text[mistake.span.expect("its place")], place);
            assert!(mistake.help.is_some());
        }
        let (family, other) = ("family = \"ecp5\"", "family = \"series_7\"");
        let text = with_open_tools(&table("85k", "8", "CABGA756")).replace(family, other);
        let mistake = read("x", &text).expect_err("nextpnr does not know it");
        assert_eq!(
            mistake.message,
            "chip.open_tools is for chips of the family ecp5"
        );
        let span = mistake.span.expect("its place");
        assert_eq!(&text[span], "\"series_7\"");
    }

    #[test]
    fn what_no_board_can_have_is_refused_with_its_field_and_place() {
        for (field, values) in [
            ("clock.mhz", "0 -1 1e-300 1e300 nan inf"),
            ("chip.grade", "0 -1 nan inf"),
            ("chip.logic", "0 -1 0.5 nan 1e30"),
            ("chip.registers", "0 -1 1e30"),
            ("chip.multipliers", "-1 1e30"),
            ("chip.block_memories", "-1 1e30"),
            ("memory.gigabytes", "0 -1 nan inf 1e30"),
            ("memory.gigabytes_per_second", "0 -1 nan inf 1e30"),
            ("memory.row_hit_ns", "-1 nan inf 1e30"),
            ("memory.row_miss_ns", "-1 nan inf 1e30"),
            ("memory.row_change_ns", "-1 nan inf 1e30"),
            ("memory.channels", "0 -1 1.5 33 nan"),
            ("memory.banks", "0 -1 1.5 1000000000 nan"),
            ("memory.row_bytes", "0 -1 63 1e30"),
            ("host.gigabytes_per_second", "0 -1 nan inf"),
            ("defaults.latency", "0 -1 0.5 1e9"),
            ("defaults.cache_bytes", "0 1 -2 64 1000 1.5 1e9"),
        ] {
            for value in values.split(' ') {
                let text = with(field, value);
                let mistake = read("x", &text).expect_err(field);
                assert!(mistake.message.contains(field), "{field} = {value}");
                let span = mistake.span.expect("its place");
                assert!(value.contains(&text[span]), "{field} = {value}");
                assert!(mistake.help.expect("help").contains(" from "), "{field}");
            }
        }
    }
}
