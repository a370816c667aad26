//! Circuits of several glue units, and launches of sensible sizes: model and Verilog agree cycle by
//! cycle.

#[path = "groups/dispatch.rs"]
mod dispatch;
#[path = "glue/loops.rs"]
mod loops;
#[path = "units/random_environment.rs"]
mod random_environment;
#[path = "units/rtl.rs"]
mod rtl;

use loops::{First, Loop};
use random_environment::{RandomEnvironment, Stalls};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::text::parse;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::select::Policy;
use sluice_circuit::verify::verify;

const CYCLES: u64 = 3000;

/// Compares model and Verilog; tokens must pass at every port.
fn check(circuit: &Circuit, constants: &[u64]) {
    let verilog = rtl::build(circuit);
    for (seed, stalls) in (0..).zip([Stalls::None, Stalls::Some, Stalls::Many]) {
        let (environment, log) = RandomEnvironment::new(circuit, seed, stalls);
        let mut simulator = Simulator::new(circuit, Box::new(environment), constants);
        while simulator.step(CYCLES) {}
        let ours = log.take();
        for port in 0..circuit.inputs().len() + circuit.outputs().len() {
            let passes = ours.iter().any(|event| event.1 == port);
            assert!(passes, "{}: no token at port {port}", circuit.name);
        }
        let (environment, log) = RandomEnvironment::new(circuit, seed, stalls);
        rtl::run(&verilog, Box::new(environment), constants, |cycle| {
            cycle < CYCLES
        });
        let theirs = log.take();
        let differ = ours.iter().zip(&theirs).find(|(a, b)| a != b);
        assert_eq!(differ, None, "{} under {stalls:?} stalls", circuit.name);
        assert_eq!(ours.len(), theirs.len(), "{}", circuit.name);
    }
}

#[test]
fn loops_equal_their_verilog() {
    let fair = Loop {
        body_depth: 5,
        back_depth: 3,
        policy: Policy::RoundRobin,
        first: First::BackEdge,
    };
    check(&fair.circuit("glue_loop", fair.storage() - 1), &[]);
    let full = Loop {
        body_depth: 2,
        back_depth: 1,
        policy: Policy::FirstInputFirst,
        first: First::Entry,
    };
    check(&full.circuit("glue_full_loop", full.storage()), &[]);
}

/// A pipelined loop: iterations are issued one after another, three of them are under way at once, and
/// the loop is done when all of them have ended.
const PIPELINED: &str = "\
circuit glue_pipelined
channel limit: 32
channel iteration: 32
channel more: 1
channel credit
channel result: 32
channel ending
channel passed
channel ended
channel returned
channel done
input limit
output result
output done
unit issue: segment {
  name glue_issue
  target {family: ecp5, period: 7.143, grade: 1.0}
  input in0: 32
  v0 = and in0.0, 7:32
  v1.i = state {width: 32}
  v2 = add v1, 1:32
  v3 = ult v2, v0
  v4 = select v3, v2, 0:32
  next v1: v4
  repeat v3
  output out0 depth 0: v1
  output out1 depth 0: v3
}
  in0 <- limit
  out0 -> iteration
  out1 -> more
unit body: segment {
  name glue_body
  target {family: ecp5, period: 7.143, grade: 1.0}
  input in0: 32
  input in1
  v0.sum = state {width: 32}
  v1 = fadd {format: f32, sum: add} v0, in0.0
  next v0: v1
  output out0 depth 0: v1
  output out1 depth 0
}
  in0 <- iteration
  in1 <- credit
  out0 -> result
  out1 -> ending
unit queue: fifo {fields: [], depth: 4}
  in <- ending
  out -> passed
unit both: fork {fields: [], outputs: [[], []]}
  in <- passed
  out_0 -> ended
  out_1 -> returned
unit credits: credits {count: 3}
  in <- returned
  out -> credit
unit rejoin: rejoin {ended: 1, bits: 8}
  issued <- more
  ended_0 <- ended
  done -> done
";

#[test]
fn pipelined_loops_equal_their_verilog() {
    let circuit = parse(PIPELINED).unwrap();
    assert_eq!(verify(&circuit), Ok(()));
    check(&circuit, &[]);
}

/// A start goes to the groups and to the counter, where their work-items arrive.
fn launch() -> Circuit {
    let mut circuit = Circuit::new("glue_launch");
    let sizes = dispatch::add_sizes(&mut circuit);
    let total = circuit.add_constant("total", 64);
    let [start, go, count, arrived, finished] = ["start", "go", "count", "arrived", "finished"]
        .map(|name| circuit.add_channel(name, Fields::NONE));
    let items = dispatch::add(&mut circuit, go, &sizes, dispatch::all_ids());
    let fields = circuit.channels()[items].fields.clone();
    let seen = circuit.add_channel("seen", fields.clone());
    circuit.add_input(start);
    circuit.add_output(finished);
    circuit.add_output(seen);
    let both = Fork {
        fields: Fields::NONE,
        outputs: vec![vec![], vec![]],
    };
    let watch = Fork {
        outputs: vec![vec![], (0..fields.len()).collect()],
        fields,
    };
    let units: [(&str, Box<dyn UnitKind>, _, _, _); 3] = [
        ("both", Box::new(both), vec![start], vec![go, count], vec![]),
        (
            "watch",
            Box::new(watch),
            vec![items],
            vec![arrived, seen],
            vec![],
        ),
        (
            "counter",
            Box::new(Counter {
                inputs: 1,
                bits: 64,
            }),
            vec![count, arrived],
            vec![finished],
            vec![total],
        ),
    ];
    for (name, kind, inputs, outputs, constants) in units {
        circuit
            .any_unit(name, kind)
            .inputs_in_order(inputs)
            .outputs_in_order(outputs)
            .constants(constants)
            .add();
    }
    circuit
}

#[test]
fn launches_equal_their_verilog() {
    let circuit = launch();
    for (local, groups, offset) in [
        ([4, 3, 2], [3, 2, 2], [5, 0, 1000]),
        ([1, 1, 1], [7, 1, 2], [0, 0, 0]),
        ([8, 1, 3], [1, 5, 1], [u32::MAX as u64 - 2, 3, 0]),
        ([1, 1, 1], [1, 1, 1], [1, 2, 3]),
    ] {
        let global: [u64; 3] = std::array::from_fn(|d| local[d] * groups[d]);
        let total: u64 = global.iter().product();
        let constants = [&groups[..], &local, &offset, &[total]].concat();
        check(&circuit, &constants);
    }
}
