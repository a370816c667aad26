//! What Yosys makes of single units.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use crate::alone::emit_units;
use crate::measurements::{Key, Measurements, versions};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::cost::Cost;
use sluice_circuit::target::Target;
use sluice_circuit::unit::UnitKind;
use sluice_synth::Design;
use sluice_synth::cells::Cells;
use sluice_synth::netlist::Netlist;
use sluice_synth::tools::Tool;
use sluice_synth::yosys;

/// The name of the module with the units of a run.
const TOP: &str = "measured";

/// Units that one run of Yosys maps: its start takes a second.
const BATCH: usize = 12;

/// Measures units for one target.
pub struct Measurer {
    target: Target,
    /// What was measured before and is measured now.
    pub kept: Measurements,
    /// The versions of the tools, and what Yosys does with any unit.
    context: String,
    unmeasured: Unmeasured,
    /// How long Yosys has run.
    pub spent: Duration,
}

/// What becomes of units that were not measured before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmeasured {
    /// They are measured.
    Mapped,
    /// They are left out.
    Skipped,
}

/// A unit with its size.
pub struct Measured {
    /// The unit.
    pub kind: Box<dyn UnitKind>,
    /// What it takes.
    pub cost: Cost,
}

impl Measurer {
    /// For a target.
    pub fn new(target: Target, unmeasured: Unmeasured) -> Result<Measurer, Box<dyn Error>> {
        let kept = Measurer::kept(target.family.areas_file)?;
        Measurer::with(target, kept, unmeasured)
    }

    /// For a target, with what was measured before.
    pub fn with(
        target: Target,
        kept: Measurements,
        unmeasured: Unmeasured,
    ) -> Result<Measurer, Box<dyn Error>> {
        let no_units = Design {
            files: Vec::new(),
            top: TOP.into(),
            apart: vec![TOP.into()],
        };
        Ok(Measurer {
            context: versions(&[Tool::Yosys])? + &yosys::script(&no_units, &target),
            target,
            kept,
            unmeasured,
            spent: Duration::ZERO,
        })
    }

    /// What was measured before for families that share a table.
    pub fn kept(table: &str) -> Result<Measurements, Box<dyn Error>> {
        Measurements::open(&format!("areas_{table}"))
    }

    /// The sizes of units, which come back in their order.
    pub fn measure(
        &mut self,
        kinds: Vec<Box<dyn UnitKind>>,
    ) -> Result<Vec<Measured>, Box<dyn Error>> {
        let mut found: Vec<Option<Measured>> = Vec::new();
        let mut missing: Vec<(usize, Box<dyn UnitKind>)> = Vec::new();
        for (at, kind) in kinds.into_iter().enumerate() {
            let key = self.key(&*kind);
            match self.kept.get(&key) {
                Some(cells) => found.push(Some(self.measured(kind, &Cells(cells)))),
                None => {
                    found.push(None);
                    missing.push((at, kind));
                }
            }
        }
        if self.unmeasured == Unmeasured::Skipped {
            missing.clear();
        }
        while !missing.is_empty() {
            let (batch, rest) = split(missing);
            missing = rest;
            let (places, kinds): (Vec<usize>, Vec<_>) = batch.into_iter().unzip();
            let before = self.spent;
            for (at, measured) in places.into_iter().zip(self.map(kinds)?) {
                found[at] = Some(measured);
            }
            eprintln!(
                "{}: mapped in {:.0} s, {} units are left",
                self.target.family.name,
                (self.spent - before).as_secs_f64(),
                missing.len()
            );
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn map(&mut self, kinds: Vec<Box<dyn UnitKind>>) -> Result<Vec<Measured>, Box<dyn Error>> {
        let start = Instant::now();
        let circuit = Circuit::of_units(TOP, kinds);
        let design = Design {
            files: emit_units(&circuit),
            top: TOP.into(),
            apart: vec![TOP.into()],
        };
        let folder = tempfile::tempdir()?;
        let netlist = yosys::map(&design, &self.target, folder.path(), &mut |_| {})?;
        let netlist = Netlist::read(&netlist)?;
        self.spent += start.elapsed();
        let names: Vec<String> = circuit.units().values().map(|it| it.name.clone()).collect();
        let measured = circuit.into_kinds().into_iter().zip(names);
        measured
            .map(|(kind, name)| {
                let cells = netlist.cells_in(&name);
                let key = self.key(&*kind);
                self.kept.put(&key, &cells.0)?;
                Ok(self.measured(kind, &cells))
            })
            .collect()
    }

    fn measured(&self, kind: Box<dyn UnitKind>, cells: &Cells) -> Measured {
        let family = self.target.family;
        for unknown in cells.unknown(family) {
            eprintln!("{}: {unknown} counts as nothing", family.name);
        }
        let cost = cells.cost(family);
        Measured { kind, cost }
    }

    fn key(&self, kind: &dyn UnitKind) -> Key {
        let module = format!("{:?}", kind.module());
        let wires: Vec<String> = kind.drives().into_iter().map(|it| it.name).collect();
        let wires = wires.iter().map(String::as_str);
        let parts = [self.context.as_str(), &module].into_iter().chain(wires);
        Key::new(kind.word(), parts)
    }
}

type Placed = Vec<(usize, Box<dyn UnitKind>)>;

/// The next units to map together, and the others. Modules that are made for one unit may have the
/// names of others.
fn split(missing: Placed) -> (Placed, Placed) {
    let mut names = BTreeSet::new();
    let (mut batch, mut rest) = (Vec::new(), Vec::new());
    for (at, kind) in missing {
        let module = kind.module();
        let is_own = module.text.is_some();
        let is_new = !is_own || !names.contains(&module.name);
        if batch.len() < BATCH && is_new {
            if is_own {
                names.insert(module.name);
            }
            batch.push((at, kind));
        } else {
            rest.push((at, kind));
        }
    }
    (batch, rest)
}
