//! A critical path by unit: each step is what the path passes of one unit, or of one operator in a
//! segment, with its source lines.

use std::path::Path;

use serde::Serialize;
use sluice_circuit::circuit::{Circuit, Unit};
use sluice_circuit::hierarchy::Hierarchy;
use sluice_circuit::unit::UnitPart;
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

fn owner<'h>(cell: &str, hierarchy: &'h Hierarchy) -> Owner<'h> {
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
                None => data.lines.clone(),
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
