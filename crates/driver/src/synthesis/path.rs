//! A critical path by unit: each step is what the path passes of one unit, or of one operator in a
//! segment, with its source lines.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use sluice_circuit::circuit::{Channel, Circuit, End, Unit};
use sluice_circuit::hierarchy::Hierarchy;
use sluice_circuit::unit::UnitPart;
use sluice_synth::fan_out::fan_out;
use sluice_synth::netlist::plain_name;
use sluice_synth::nextpnr::Leg;
use sluice_synth::scan;

use super::design::circuit_path;
use crate::files::read_text;

/// A part of a path.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Step {
    /// The unit, if it is in one.
    pub(crate) unit: Option<String>,
    /// The operator in it, if that is known.
    pub(crate) part: Option<String>,
    /// What the unit, and the operator in it, is.
    pub(crate) kind: String,
    /// The source lines that it works for.
    pub(crate) lines: Vec<SourceLine>,
    /// Nanoseconds in cells.
    pub(crate) logic_ns: f64,
    /// Nanoseconds in wires that lead to its cells.
    pub(crate) routing_ns: f64,
}

/// A wire of a path.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct LongWire {
    /// The net, with the names of the instances that it is in, from the circuit's module.
    pub(crate) net: String,
    /// Nanoseconds.
    pub(crate) ns: f64,
    /// Columns and rows of the chip between its ends.
    pub(crate) distance: u32,
    /// The inputs that the net leads to, if they could be counted.
    pub(crate) fan_out: Option<usize>,
}

/// A line of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct SourceLine {
    /// The file, without its folder.
    pub(crate) file: String,
    /// Its number.
    pub(crate) line: u32,
    /// What stands there; nothing if the file cannot be read.
    pub(crate) text: String,
}

/// The source file of a circuit.
pub(crate) struct SourceText {
    name: String,
    text: String,
}

/// Where a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner<'h> {
    Unit(Unit, Option<&'h UnitPart>),
    /// Between units.
    Connections,
    /// In the module with the AXI ports.
    Shell,
    /// In the shift registers around the design.
    Ports,
}

impl SourceText {
    /// The text of the file that a circuit comes from, if `file` is that.
    pub(crate) fn of(circuit: &Circuit, file: &Path) -> SourceText {
        let name = circuit.source.clone().unwrap_or_default();
        let is_file = file
            .file_name()
            .is_some_and(|it| it.to_string_lossy() == name);
        let text = match is_file {
            true => read_text(file).unwrap_or_default(),
            false => String::new(),
        };
        SourceText { name, text }
    }

    fn line(&self, line: u32) -> SourceLine {
        let text = self.text.lines().nth((line as usize).saturating_sub(1));
        SourceLine {
            file: self.name.clone(),
            line,
            text: text.unwrap_or_default().trim().to_owned(),
        }
    }
}

/// The steps of a path.
pub(crate) fn steps(legs: &[Leg], circuit: &Circuit, source: &SourceText) -> Vec<Step> {
    let hierarchy = Hierarchy::of(circuit);
    let mut steps: Vec<(Owner<'_>, Step)> = Vec::new();
    for leg in legs {
        // A wire belongs to the cell that it leads to.
        let owner = owner(&leg.to.cell, &hierarchy);
        if steps.last().is_none_or(|(last, _)| *last != owner) {
            steps.push((owner, step(owner, circuit, source)));
        }
        let (_, step) = steps.last_mut().expect("one was just added");
        match leg.is_routing() {
            true => step.routing_ns += leg.delay,
            false => step.logic_ns += leg.delay,
        }
    }
    steps.into_iter().map(|(_, step)| step).collect()
}

/// The wire of a path that takes longest; the netlist has the inputs that it leads to.
pub(crate) fn longest_wire(legs: &[Leg], netlist: &Path) -> Option<LongWire> {
    let wires = legs.iter().filter(|leg| leg.is_routing());
    let longest = wires.max_by(|a, b| a.delay.total_cmp(&b.delay))?;
    let net = longest.net.as_deref()?;
    let plain = plain_name(net);
    let inside = plain.strip_prefix(&(circuit_path() + "."));
    let ((x0, y0), (x1, y1)) = (longest.from.loc, longest.to.loc);
    Some(LongWire {
        net: inside.unwrap_or(&plain).to_owned(),
        fan_out: fan_out(netlist, net).ok().flatten(),
        ns: longest.delay,
        distance: x0.abs_diff(x1) + y0.abs_diff(y1),
    })
}

fn owner<'h>(cell: &str, hierarchy: &'h Hierarchy) -> Owner<'h> {
    let cell = plain_name(cell);
    let inside = |path: &str| cell.strip_prefix(path)?.strip_prefix('.');
    match (inside(&circuit_path()), inside(scan::INSTANCE)) {
        (Some(name), _) => match hierarchy.find(name) {
            Some(place) => Owner::Unit(place.unit, place.part),
            None => Owner::Connections,
        },
        (None, Some(_)) => Owner::Shell,
        (None, None) => Owner::Ports,
    }
}

fn step(owner: Owner<'_>, circuit: &Circuit, source: &SourceText) -> Step {
    let (mut unit, mut part, mut lines) = (None, None, Vec::new());
    let kind = match owner {
        Owner::Connections => "connections of units".to_owned(),
        Owner::Shell => "AXI ports".to_owned(),
        Owner::Ports => "registers at the ports".to_owned(),
        Owner::Unit(at, inside) => {
            let data = &circuit.units()[at];
            unit = Some(data.name.clone());
            part = inside.map(|it| it.name.clone());
            lines = match inside.and_then(|it| it.line) {
                Some(line) => vec![line],
                None => lines_of(circuit, at),
            };
            match inside {
                Some(inside) => format!("{}, {}", data.kind.word(), inside.kind),
                None => data.kind.word().to_owned(),
            }
        }
    };
    Step {
        unit,
        part,
        kind,
        lines: lines.into_iter().map(|line| source.line(line)).collect(),
        logic_ns: 0.0,
        routing_ns: 0.0,
    }
}

/// The source lines that a unit works for. One that has none of its own, as a cache, works for the
/// nearest units that have.
fn lines_of(circuit: &Circuit, unit: Unit) -> Vec<u32> {
    let mut seen = BTreeSet::from([unit]);
    let mut nearest = vec![unit];
    while !nearest.is_empty() {
        let units = nearest.iter().map(|&unit| &circuit.units()[unit]);
        let lines: BTreeSet<u32> = units.flat_map(|data| data.lines.iter().copied()).collect();
        if !lines.is_empty() {
            return lines.into_iter().collect();
        }
        let around = nearest.iter().flat_map(|&unit| neighbours(circuit, unit));
        nearest = around.filter(|&unit| seen.insert(unit)).collect();
    }
    Vec::new()
}

/// The units at the other ends of a unit's channels.
fn neighbours(circuit: &Circuit, unit: Unit) -> Vec<Unit> {
    let data = &circuit.units()[unit];
    let channel = |&at: &Channel| &circuit.channels()[at];
    let sources = data.inputs.iter().map(|it| channel(it).from);
    let sinks = data.outputs.iter().map(|it| channel(it).to);
    let unit = sources.chain(sinks).filter_map(|end| match end {
        End::Unit(unit, _) => Some(unit),
        End::Environment(_) | End::Discarded | End::Open => None,
    });
    unit.collect()
}

impl Step {
    /// Nanoseconds in all.
    pub(crate) fn ns(&self) -> f64 {
        self.logic_ns + self.routing_ns
    }

    /// The kind of the unit alone.
    pub(crate) fn unit_kind(&self) -> &str {
        self.kind.split(',').next().unwrap_or(&self.kind)
    }

    /// The unit, or what it is in none.
    pub(crate) fn name(&self) -> &str {
        self.unit.as_deref().unwrap_or(&self.kind)
    }
}
