//! The code that `docs/adding-a-unit.md` quotes is that of the files it names, and its example runs.

#[path = "units/random_environment.rs"]
mod random_environment;
#[path = "units/rtl.rs"]
mod rtl;

use std::path::Path;

use random_environment::{Log, RandomEnvironment, Stalls};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::units::counter::Counter;

/// Cycles that the example runs.
const CYCLES: u64 = 400;

/// The last file that is named before each block of code, and the block.
fn quotes(page: &str) -> Vec<(&str, &str)> {
    let fences = ["```rust\n", "```verilog\n"];
    let starts = fences.iter().flat_map(|fence| {
        let starts = page.match_indices(fence);
        starts.map(|(start, fence)| (start, start + fence.len()))
    });
    let quotes = starts.map(|(start, code)| {
        let before = &page[..start];
        let file = before.rfind("`crates/").expect("a file is named above");
        let file = before[file + 1..].split('`').next().expect("its end");
        let code = page[code..].split("```").next();
        (file, code.expect("the block has an end"))
    });
    quotes.collect()
}

#[test]
fn the_quoted_code_is_in_the_files() {
    let quotes = quotes(include_str!("../../../docs/adding-a-unit.md"));
    assert_eq!(quotes.len(), 10, "blocks");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, code) in quotes {
        let text = std::fs::read_to_string(root.join(file)).expect("the file is there");
        assert!(text.contains(code), "{file} does not contain\n{code}");
    }
}

/// A counter whose ports are the circuit's.
fn example() -> Circuit {
    let mut circuit = Circuit::new("example");
    let total = circuit.add_constant("total", 64);
    let counter = circuit
        .unit(
            "counter",
            Counter {
                inputs: 1,
                bits: 64,
            },
        )
        .constants([total])
        .with_new_channels()
        .add();
    circuit.add_input(counter.input(Counter::START));
    circuit.add_input(counter.input(Counter::ended(0)));
    circuit.add_output(counter.output(Counter::FINISHED));
    circuit
}

#[test]
fn the_example_counts_in_simulator_and_verilog() {
    let circuit = example();
    assert_eq!(sluice_circuit::verify::verify(&circuit), Ok(()));
    let model = rtl::build(&circuit);
    for stalls in [Stalls::None, Stalls::Some, Stalls::Many] {
        let (environment, log) = RandomEnvironment::new(&circuit, 1, stalls);
        let mut simulator = Simulator::new(&circuit, Box::new(environment), &[5]);
        while simulator.step(CYCLES) {}
        let simulated: Log = log.take();
        let (environment, log) = RandomEnvironment::new(&circuit, 1, stalls);
        rtl::run(&model, Box::new(environment), &[5], |cycle| cycle < CYCLES);
        assert_eq!(simulated, log.take());
        // The port behind the two inputs is the output.
        let passed = |port: usize| simulated.iter().filter(|event| event.1 == port).count();
        let (ended, finished) = (passed(1), passed(2));
        assert!(finished > 5, "{finished} launches");
        let counted = ended / 5;
        assert!(counted == finished || counted == finished + 1, "{ended}");
    }
}
