//! Each operator's Verilog against its model, under Verilator.

mod vectors;

use std::path::Path;
use std::sync::Mutex;
use std::thread;

use sluice_circuit::operators::{self, Operator, Regs};
use sluice_circuit::target::Target;
use sluice_circuit::verilog;
use sluice_verilator::{Design, Effort, Model, Port, Trace};

/// About 150 MHz.
const TARGET: Target = Target {
    period: 6.6,
    ..Target::ECP5
};

/// One operator with one choice of parameters and registers inside the bench.
struct Variant<'a> {
    operator: &'a dyn Operator,
    sample: usize,
    regs: Regs,
}

/// All samples of an operator side by side in one design, each without registers, with all, with
/// every third and with those that a clock asks for; the same operands go to all four.
fn variants(samples: &[Box<dyn Operator>]) -> Vec<Variant<'_>> {
    let mut variants = Vec::new();
    for (sample, operator) in samples.iter().enumerate() {
        let operator: &dyn Operator = &**operator;
        let steps = operator.steps(&TARGET.delays()).len();
        let some = (0..steps).step_by(3).fold(0, |bits, step| bits | 1 << step);
        let choices = [
            Regs::NONE,
            Regs::all(steps),
            Regs::new(some),
            operator.pipeline(&TARGET),
        ];
        variants.extend(choices.map(|regs| Variant {
            operator,
            sample,
            regs,
        }));
    }
    variants
}

fn input(sample: usize, port: &str) -> String {
    format!("i{sample}{port}")
}

fn output(variant: usize, port: &str) -> String {
    format!("o{variant}{port}")
}

fn ports(samples: &[Box<dyn Operator>], variants: &[Variant]) -> Vec<Port> {
    let mut ports = vec![Port::input(verilog::CLOCK, 1)];
    for (sample, operator) in samples.iter().enumerate() {
        for port in operator.inputs() {
            ports.push(Port::input(input(sample, port.name), port.width));
        }
    }
    for (index, variant) in variants.iter().enumerate() {
        for port in variant.operator.outputs() {
            ports.push(Port::output(output(index, port.name), port.width));
        }
    }
    ports
}

fn bench(ports: &[Port], variants: &[Variant]) -> String {
    let declaration = |port: &Port| {
        let direction = match port.direction {
            sluice_verilator::Direction::Input => "input",
            sluice_verilator::Direction::Output => "output",
        };
        format!("{direction} wire [{}:0] {}", port.width - 1, port.name)
    };
    let header: Vec<String> = ports.iter().map(declaration).collect();
    let mut text = format!("module bench({});\n", header.join(", "));
    for (index, variant) in variants.iter().enumerate() {
        let inputs = variant.operator.inputs().into_iter();
        let inputs = inputs.map(|port| (port.name, input(variant.sample, port.name)));
        let outputs = variant.operator.outputs().into_iter();
        let outputs = outputs.map(|port| (port.name, output(index, port.name)));
        let all: Vec<(&str, String)> = inputs.chain(outputs).collect();
        let all: Vec<(&str, &str)> = all.iter().map(|(p, e)| (*p, e.as_str())).collect();
        let name = format!("u{index}");
        text += &verilog::operator_instance(variant.operator, variant.regs, &name, &all);
    }
    text + "endmodule\n"
}

fn build(name: &str, samples: &[Box<dyn Operator>], variants: &[Variant]) -> Model {
    let ports = ports(samples, variants);
    let bench = bench(&ports, variants);
    let mut sources: Vec<_> = samples
        .iter()
        .flat_map(|operator| operator.sources())
        .collect();
    sources.sort();
    sources.dedup();
    let files = sources.iter().map(|source| (source.file, source.text));
    let files: Vec<(&str, &str)> = files.chain([("bench.v", bench.as_str())]).collect();
    let design = Design {
        top: "bench",
        sources: &files,
        parameters: &[],
        ports: &ports,
        trace: Trace::Off,
        effort: Effort::FastRun,
    };
    let cache = Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/verilator"));
    Model::build(&design, cache).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The operands of all samples side by side; shorter lists are repeated.
fn operands(samples: &[Box<dyn Operator>], count: usize) -> Vec<u64> {
    let mut random = vectors::Random::new(0x51u64);
    let lists: Vec<_> = samples
        .iter()
        .map(|operator| vectors::rows(&operator.inputs(), count, &mut random))
        .collect();
    let rows = lists
        .iter()
        .map(Vec::len)
        .max()
        .expect("every operator has samples");
    let row = |index: usize| lists.iter().flat_map(move |list| &list[index % list.len()]);
    (0..rows).flat_map(row).copied().collect()
}

fn check(name: &str, samples: &[Box<dyn Operator>], count: usize) {
    let variants = variants(samples);
    let model = build(name, samples, &variants);
    let inputs = operands(samples, count);
    let mut latencies = Vec::new();
    for variant in &variants {
        let outputs = variant.operator.outputs().len();
        latencies.extend(std::iter::repeat_n(variant.regs.latency(), outputs));
    }
    let outputs = model.instance().run_vectors(&inputs, &latencies);
    let width: usize = samples.iter().map(|operator| operator.inputs().len()).sum();
    let rows = inputs
        .chunks_exact(width)
        .zip(outputs.chunks_exact(latencies.len()));
    for (row, (mut inputs, mut outputs)) in rows.enumerate() {
        for group in variants.chunk_by(|a, b| a.sample == b.sample) {
            let operator = group[0].operator;
            let operands;
            (operands, inputs) = inputs.split_at(operator.inputs().len());
            let mut expected = vec![0; operator.outputs().len()];
            operator.evaluate(operands, &mut expected);
            for variant in group {
                let results;
                (results, outputs) = outputs.split_at(expected.len());
                assert!(
                    results == expected,
                    "{operator:?}, registers {}, row {row}: {operands:x?} gives {results:x?}, \
                     the model says {expected:x?}",
                    variant.regs,
                );
            }
        }
    }
}

/// The operators that `SLUICE_OPERATOR` names, or all.
fn wanted(name: &str) -> bool {
    std::env::var("SLUICE_OPERATOR").map_or(true, |wanted| wanted.split(',').any(|w| w == name))
}

#[test]
fn every_module_computes_what_its_model_says() {
    let count = vectors::rows_or(if cfg!(debug_assertions) {
        20_000
    } else {
        100_000
    });
    let catalog = operators::catalog();
    let queue = Mutex::new(catalog.iter().filter(|(name, _)| wanted(name)));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no holder panics").next();
                    let Some((name, samples)) = next else { break };
                    check(name, samples, count);
                }
            });
        }
    });
}
