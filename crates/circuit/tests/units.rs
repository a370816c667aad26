//! Each unit's Verilog against its model: the same environment, with random data and random stalls, must
//! see the same tokens in the same cycles.

#[path = "units/groups.rs"]
mod groups;
#[path = "units/random_environment.rs"]
mod random_environment;
#[path = "units/rtl.rs"]
mod rtl;

use groups::Groups;
use random_environment::{Log, LogHandle, RandomEnvironment, Stalls};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::UnitKind;
use sluice_circuit::units;

/// Cycles per sample and kind of stalls.
const CYCLES: u64 = 3000;

fn environment(
    circuit: &Circuit,
    seed: u64,
    stalls: Stalls,
    constants: &[u64],
) -> (RandomEnvironment, LogHandle) {
    let (mut environment, log) = RandomEnvironment::new(circuit, seed, stalls);
    environment.protocol = Box::new(Groups::of(circuit, constants));
    (environment, log)
}

fn simulate(circuit: &Circuit, seed: u64, stalls: Stalls, constants: &[u64]) -> Log {
    let (environment, log) = environment(circuit, seed, stalls, constants);
    let mut simulator = Simulator::new(circuit, Box::new(environment), constants);
    while simulator.step(CYCLES) {}
    log.take()
}

/// Constants: small ones, so that counters come to their ends.
fn constants(circuit: &Circuit, seed: u64) -> Vec<u64> {
    let mut random = random_environment::SplitMix64(seed);
    let wires = circuit.outer_constants();
    let mut values: Vec<u64> = wires
        .map(|(_, wire)| (random.next() % 12) & (u64::MAX >> (64 - wire.width)))
        .collect();
    groups::fit(circuit, &mut values);
    values
}

/// Runs all samples of a unit side by side in one circuit.
fn check(name: &str, samples: Vec<Box<dyn UnitKind>>) {
    let shown: Vec<String> = samples.iter().map(|kind| format!("{kind:?}")).collect();
    let circuit = Circuit::of_units(&format!("units_{name}"), samples);
    let model = rtl::build(&circuit);
    for (seed, stalls) in (0..).zip([Stalls::None, Stalls::Some, Stalls::Many]) {
        let wires = constants(&circuit, seed);
        let ours = simulate(&circuit, seed, stalls, &wires);
        let (environment, log) = environment(&circuit, seed, stalls, &wires);
        rtl::run(&model, Box::new(environment), &wires, |cycle| {
            cycle < CYCLES
        });
        let theirs = log.take();
        assert!(!ours.is_empty(), "{name}: no token passed");
        let differ = ours.iter().zip(&theirs).find(|(a, b)| a != b);
        assert_eq!(
            differ, None,
            "{name} under {stalls:?} stalls: model and Verilog differ; ports are those of {shown:#?}"
        );
        assert_eq!(ours.len(), theirs.len(), "{name} under {stalls:?} stalls");
    }
}

#[test]
fn models_equal_their_verilog() {
    for (name, samples) in units::catalog() {
        check(name, samples);
    }
}
