//! The library of hardware modules: what units and operators are made of, whatever the kernel.

use std::collections::BTreeMap;

use sluice_circuit::verilog::Source;
use sluice_circuit::{operators, units};

/// The library's Verilog files by name.
pub(crate) fn files() -> BTreeMap<&'static str, &'static str> {
    let units = units::catalog().into_iter().flat_map(|(_, kinds)| kinds);
    let units = units.flat_map(|kind| kind.module().sources);
    let operators = operators::catalog().into_iter();
    let operators = operators.flat_map(|(_, kinds)| kinds);
    let operators = operators.flat_map(|operator| operator.sources().to_vec());
    let sources = units.chain(operators);
    sources.map(|Source { file, text }| (file, text)).collect()
}
