//! Measures how segments are scheduled and how fast their models run:
//!
//! ```text
//! cargo run --release -p sluice-circuit --example measure_segment [-- --write FOLDER]
//! ```
//!
//! With `--write` it writes their Verilog instead, each one's to a folder of its own.

mod graphs;

use std::fs;
use std::path::Path;
use std::time::Instant;

use graphs::{integers, web};
use sluice_circuit::arith::{Format, Subnormals};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::operators::Tile;
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::operators::fmul::Fmul;
use sluice_circuit::operators::mul::{Half, Mul};
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, Model, UnitKind};
use sluice_circuit::units::segment::samples::random_graph;
use sluice_circuit::units::segment::{
    Graph, Inline, InlineOp, Kind, Operand, Operation, OperationTime, Segment,
};
use sluice_circuit::verilog::emit;

/// Tokens that pass while the time is taken, which is done several times: the best time has the
/// least of other processes in it.
const TOKENS: u64 = 500;
const TRIALS: u64 = 300;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measure_all(),
        ["--write", folder] => graphs().into_iter().for_each(|graph| write(folder, graph)),
        _ => panic!("usage: measure_segment [--write FOLDER]"),
    }
}

fn graphs() -> [Graph; 7] {
    [
        address(),
        integers(50),
        integers(400),
        butterfly(),
        floats(50),
        floats(200),
        random_graph(7, 300),
    ]
}

fn write(folder: &str, graph: Graph) {
    let folder = Path::new(folder).join(&graph.name);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let segment = Segment::schedule(graph, &Target::ECP5);
    for file in emit(&Circuit::of_units("top", vec![Box::new(segment)])) {
        fs::write(folder.join(&file.name), file.text).expect("the file can be written");
    }
}

fn measure_all() {
    println!(
        "{:16} {:>4} {:>6} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>7} {:>7}",
        "segment",
        "ops",
        "MHz",
        "lat.",
        "cap.",
        "regs",
        "lines",
        "inside",
        "queues",
        "LUTs",
        "FFs",
        "schedule",
        "ns/tok.",
        "ns/op"
    );
    for graph in graphs() {
        for megahertz in [100.0, 140.0, 200.0] {
            let target = Target {
                period: 1000.0 / megahertz,
                ..Target::ECP5
            };
            measure(graph.clone(), &target, megahertz);
        }
    }
}

fn measure(graph: Graph, target: &Target, megahertz: f64) {
    let start = Instant::now();
    let segment = Segment::schedule(graph, target);
    let scheduling = start.elapsed();
    let report = segment.report();
    let times = segment.times().operations.iter();
    let operations = times.filter(|&&time| time != OperationTime::Unused).count();
    let (tokens, time) = simulate(&segment);
    println!(
        "{:16} {operations:4} {megahertz:6} {:5} {:5} {:5} {:6} {:6} {:6} {:6} {:6} {:7.1}ms {:7.0} {:7.2}",
        segment.graph().name,
        report.latency,
        report.capacity,
        report.register_bits,
        report.delay_line_bits,
        report.operator_bits,
        report.queue_bits,
        report.cost.logic,
        report.cost.registers,
        scheduling.as_secs_f64() * 1e3,
        time / tokens as f64,
        time / (tokens * operations as u64) as f64,
    );
}

/// An environment that always gives and takes.
struct Stream {
    tokens: Vec<Vec<u64>>,
    outputs: usize,
}

impl Model for Stream {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        for (port, token) in self.tokens.iter().enumerate() {
            io.offer(port, token);
        }
        for port in 0..self.outputs {
            io.accept(port, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for (port, token) in self.tokens.iter_mut().enumerate() {
            if io.given(port) {
                for field in token.iter_mut() {
                    *field ^= *field >> 1 & 1;
                }
                io.offer(port, token);
            }
        }
    }
}

/// Tokens that passed and the nanoseconds that it took, the simulator and the environment included.
fn simulate(segment: &Segment) -> (u64, f64) {
    let circuit = Circuit::of_units("alone", vec![Box::new(segment.clone())]);
    let tokens = segment.inputs().into_iter().map(|port| {
        let widths = port.fields.widths();
        widths
            .map(|width| 0x3f9a_3f9a_3f9a_3f9a & (u64::MAX >> (64 - width)))
            .collect()
    });
    let stream = Stream {
        tokens: tokens.collect(),
        outputs: segment.outputs().len(),
    };
    let constants = vec![3; segment.constants().len()];
    let mut simulator = Simulator::new(&circuit, Box::new(stream), &constants);
    let trials = (1..=TRIALS).map(|trial| {
        let start = Instant::now();
        while simulator.step(trial * TOKENS) {}
        start.elapsed().as_nanos() as f64
    });
    (TOKENS, trials.fold(f64::INFINITY, f64::min))
}

/// `a[y * width + x]` with a bounds check: what every kernel does.
fn address() -> Graph {
    let mut graph = Graph::new("address");
    let fields = graph.add_input(Fields::new([32, 32, 32]));
    let [width, height] = ["width", "height"].map(|name| graph.add_constant(name, 32));
    let base = graph.add_constant("a", 40);
    let mut add = |kind: Kind, operands: &[Operand], name: &str, line: u32| {
        let operation = graph.add(Operation {
            kind,
            operands: operands.to_vec(),
            name: Some(name.into()),
            line: Some(line),
        });
        Operand::Result {
            operation,
            output: 0,
        }
    };
    let inline = |op, width| Kind::Inline(Inline { op, width });
    let mul = Mul {
        width: 32,
        half: Half::Low,
        tile: Tile::ECP5,
    };
    let mul = || Kind::Operator(std::sync::Arc::new(mul));
    let row = add(mul(), &[fields[1], width], "row", 4);
    let index = add(inline(InlineOp::Add, 32), &[row, fields[0]], "index", 4);
    let wide = add(inline(InlineOp::Sext { to: 40 }, 32), &[index], "index", 4);
    let scaled = add(
        inline(InlineOp::ShiftLeft { by: 2 }, 40),
        &[wide],
        "offset",
        4,
    );
    let address = add(inline(InlineOp::Add, 40), &[base, scaled], "address", 4);
    let x_inside = add(
        inline(InlineOp::Ult, 32),
        &[fields[0], width],
        "x_inside",
        3,
    );
    let y_inside = add(
        inline(InlineOp::Ult, 32),
        &[fields[1], height],
        "y_inside",
        3,
    );
    let inside = add(inline(InlineOp::And, 1), &[x_inside, y_inside], "inside", 3);
    graph.add_output(&[address], 0);
    graph.add_output(&[inside, index, fields[2]], 4);
    graph
}

fn adder(sum: Sum) -> Fadd {
    let format = Format::F32;
    Fadd { format, sum }
}

fn multiplier() -> Fmul {
    Fmul {
        format: Format::F32,
        tile: Tile::ECP5,
        subnormals: Subnormals::Kept,
    }
}

/// A complex butterfly of a Fourier transform.
fn butterfly() -> Graph {
    let mut graph = Graph::new("butterfly");
    let [ar, ai, br, bi, wr, wi] = graph.add_input(Fields::new([32; 6]))[..] else {
        unreachable!("six fields");
    };
    let products = [(br, wr), (bi, wi), (br, wi), (bi, wr)];
    let [rr, ii, ri, ir] = products.map(|(a, b)| graph.add_operator(multiplier(), &[a, b]));
    let tr = graph.add_operator(adder(Sum::Subtract), &[rr, ii]);
    let ti = graph.add_operator(adder(Sum::Add), &[ri, ir]);
    let sums = [
        (Sum::Add, ar, tr),
        (Sum::Add, ai, ti),
        (Sum::Subtract, ar, tr),
        (Sum::Subtract, ai, ti),
    ];
    let results = sums.map(|(sum, a, t)| graph.add_operator(adder(sum), &[a, t]));
    graph.add_output(&results, 0);
    graph
}

/// Sums and products of floats; each result is used.
fn floats(count: usize) -> Graph {
    web(
        format!("floats_{count}"),
        count,
        |graph, index, operands| match index % 2 {
            0 => graph.add_operator(multiplier(), operands),
            _ => graph.add_operator(adder(Sum::Add), operands),
        },
    )
}
