//! A circuit's Verilog under Verilator, for tests.

use std::path::Path;

use sluice_circuit::circuit::Circuit;
use sluice_circuit::unit::Model;
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{Effort, Trace};

/// The Verilated circuit.
pub fn build(circuit: &Circuit) -> Rtl {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    Rtl::build(circuit, Trace::Off, Effort::QuickBuild, &cache)
        .unwrap_or_else(|error| panic!("{}: {error}", circuit.name))
}

/// Runs the Verilog with a model of its environment, as long as `goes_on` says, which is asked with the
/// number of each cycle.
pub fn run(
    rtl: &Rtl,
    environment: Box<dyn Model>,
    constants: &[u64],
    goes_on: impl Fn(u64) -> bool,
) {
    let mut run = rtl.start(environment, constants);
    while goes_on(run.cycle()) {
        run.step();
    }
}
