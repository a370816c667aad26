//! What came of a synthesis, beside what was estimated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sluice_circuit::circuit::{Circuit, Unit};
use sluice_circuit::clock;
use sluice_circuit::cost::Cost;
use sluice_circuit::family::{Resources, Source};
use sluice_circuit::hierarchy::Hierarchy;
use sluice_synth::cells::Cells;
use sluice_synth::netlist::Netlist;
use sluice_synth::{scan, yosys};

use super::advice::{Size, advice};
use super::design::circuit_path;
use super::path::{LongWire, SourceText, Step, longest_wire, steps};
use super::run::Synthesised;
use crate::board::{Board, Chip};

/// What a design takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Area {
    /// What the family counts as logic.
    pub(crate) luts: u32,
    /// Flip-flops.
    pub(crate) registers: u32,
    /// Multiplier blocks.
    pub(crate) multipliers: u32,
    /// Block memories.
    pub(crate) block_memories: u32,
}

/// Where the clock is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClockSource {
    /// The design was placed and routed.
    Placed,
    /// It was not.
    Estimated,
}

/// What was estimated.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Estimate {
    /// Its area.
    #[serde(flatten)]
    pub(crate) area: Area,
    /// Its clock.
    pub(crate) mhz: f64,
}

/// What a unit takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct UnitArea {
    /// Its name; nothing for what is in none.
    pub(crate) unit: Option<String>,
    /// What it is.
    pub(crate) kind: String,
    /// The source lines that it works for.
    pub(crate) lines: Vec<u32>,
    /// What was measured.
    #[serde(flatten)]
    pub(crate) area: Area,
    /// What was estimated.
    pub(crate) estimate: Area,
}

/// What came of a synthesis.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) design: String,
    pub(crate) target: String,
    pub(crate) family: &'static str,
    /// What was measured: by Yosys.
    #[serde(flatten)]
    pub(crate) area: Area,
    /// The clock that was reached or, if it was not placed, estimated.
    pub(crate) mhz: f64,
    /// The target's clock.
    pub(crate) target_mhz: f64,
    /// The tool that the area is from.
    #[serde(rename = "area")]
    pub(crate) area_source: &'static str,
    #[serde(rename = "clock")]
    pub(crate) clock_source: ClockSource,
    /// How the clock was obtained, in words.
    pub(crate) clock_basis: String,
    pub(crate) estimate: Estimate,
    pub(crate) chip: Chip,
    pub(crate) resources: Resources,
    /// Empty if it was not placed.
    pub(crate) critical_path: Vec<Step>,
    /// The wire of it that takes longest.
    pub(crate) longest_wire: Option<LongWire>,
    pub(crate) advice: Vec<String>,
    /// The largest first.
    pub(crate) units: Vec<UnitArea>,
    pub(crate) tools: BTreeMap<String, String>,
    /// How long the tools took.
    pub(crate) seconds: f64,
    /// Whether that was in an earlier run.
    pub(crate) cached: bool,
    /// Where the files are, if they were written.
    pub(crate) folder: Option<PathBuf>,
    /// The bitstream, if there is one.
    pub(crate) bitstream: Option<PathBuf>,
}

impl From<Cost> for Area {
    fn from(cost: Cost) -> Area {
        Area {
            luts: cost.logic,
            registers: cost.registers,
            multipliers: cost.multipliers,
            block_memories: cost.block_memories,
        }
    }
}

impl Area {
    /// By resource, in the order of [`Resources::names`].
    pub(crate) fn counts(&self) -> [u32; 4] {
        [
            self.luts,
            self.registers,
            self.multipliers,
            self.block_memories,
        ]
    }
}

/// What a design takes of its board's chip: its own cells, without those of the ports' registers.
pub(crate) fn measured(netlist: &Netlist, board: &Board) -> Cost {
    netlist.cells_in(scan::INSTANCE).cost(board.target.family)
}

impl Report {
    /// What came of the synthesis of a circuit, whose source is `file` and whose kernels have up to
    /// `datapaths` datapaths.
    pub(crate) fn of(
        circuit: &Circuit,
        file: &Path,
        board: &Board,
        datapaths: u32,
        result: &Synthesised,
    ) -> Report {
        let family = board.target.family;
        let estimated = sluice_circuit::report::Report::of(circuit, family).total;
        let estimate = Estimate {
            area: estimated.into(),
            mhz: clock::estimate(circuit, &board.target).mhz,
        };
        let (clock_source, mhz) = match &result.placed {
            Some(placed) => (ClockSource::Placed, placed.mhz),
            None => (ClockSource::Estimated, estimate.mhz),
        };
        let mut all_units = circuit.units().values();
        let size = Size {
            datapaths,
            has_caches: all_units.any(|unit| unit.kind.word() == "cache"),
        };
        let path = result.placed.iter().flat_map(|placed| &placed.path);
        let path: Vec<_> = path.cloned().collect();
        let critical_path = steps(&path, circuit, &SourceText::of(circuit, file));
        Report {
            design: circuit.name.clone(),
            target: board.name.clone(),
            family: family.name,
            area: measured(&result.netlist, board).into(),
            mhz,
            target_mhz: board.mhz,
            area_source: "yosys",
            clock_source,
            clock_basis: basis(clock_source, board),
            estimate,
            chip: board.chip.clone(),
            resources: family.resources,
            advice: advice(&critical_path, mhz, board.mhz, size),
            critical_path,
            longest_wire: longest_wire(&path, &result.folder.join(yosys::NETLIST)),
            units: units(circuit, &result.netlist, board),
            tools: result.record.tools.clone(),
            seconds: result.record.seconds,
            cached: result.is_cached,
            folder: None,
            bitstream: None,
        }
    }
}

fn basis(source: ClockSource, board: &Board) -> String {
    match (source, board.target.family.source) {
        (ClockSource::Placed, _) => "placed and routed".into(),
        (ClockSource::Estimated, Source::Measured) => "estimated".into(),
        (ClockSource::Estimated, Source::ScaledFromEcp5) => {
            "estimated; delays scaled from ECP5".into()
        }
    }
}

/// What each unit takes, and the rest of the design.
fn units(circuit: &Circuit, netlist: &Netlist, board: &Board) -> Vec<UnitArea> {
    let hierarchy = Hierarchy::of(circuit);
    let mut cells: BTreeMap<Option<Unit>, Cells> = BTreeMap::new();
    let (inside, circuit_inside) = (format!("{}.", scan::INSTANCE), circuit_path() + ".");
    for (name, kind) in &netlist.cells {
        if name.starts_with(&inside) {
            let name = name.strip_prefix(&circuit_inside);
            let unit = name.and_then(|name| hierarchy.find(name));
            let unit = unit.map(|place| place.unit);
            cells.entry(unit).or_default().add(kind);
        }
    }
    let family = board.target.family;
    let mut area = |unit| Area::from(cells.remove(&unit).unwrap_or_default().cost(family));
    let row = |(unit, data): (Unit, &sluice_circuit::circuit::UnitData)| UnitArea {
        unit: Some(data.name.clone()),
        kind: data.kind.word().to_owned(),
        lines: data.lines.clone(),
        area: area(Some(unit)),
        estimate: data.kind.cost(family).into(),
    };
    let mut rows: Vec<UnitArea> = circuit.units().iter().map(row).collect();
    rows.push(UnitArea {
        unit: None,
        kind: "AXI ports and connections".into(),
        lines: Vec::new(),
        area: area(None),
        estimate: Area::default(),
    });
    rows.sort_by_key(|row| (std::cmp::Reverse(row.area.counts()), row.unit.clone()));
    rows
}
