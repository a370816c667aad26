//! A circuit's Verilog under Verilator, with waveforms.

use std::path::Path;

use sluice_circuit::circuit::Circuit;
use sluice_circuit::unit::Model;
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{Effort, Trace};

/// Evaluations before the first cycle, and in each: the waveforms' time counts them. In the first
/// of a cycle all pins are settled.
const RESET: u64 = 6;
const PER_CYCLE: u64 = 2;

/// The time in the waveforms at which the pins of a cycle are to be seen.
pub fn time(cycle: u64) -> u64 {
    RESET + PER_CYCLE * cycle
}

/// Runs the Verilog for some cycles; gives its waveforms.
pub fn run(circuit: &Circuit, environment: Box<dyn Model>, cycles: u64) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let cache = folder.join("verilated");
    let rtl = Rtl::build(circuit, Trace::Vcd, Effort::QuickBuild, &cache)
        .unwrap_or_else(|error| panic!("{}: {error}", circuit.name));
    let path = folder.join(format!("{}.vcd", circuit.name));
    let mut run = rtl.start_traced(environment, &[], &path);
    while run.cycle() < cycles {
        run.step();
    }
    drop(run);
    std::fs::read_to_string(&path).expect("the waveforms were written")
}
