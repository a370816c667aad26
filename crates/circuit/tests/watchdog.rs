//! What is said of deadlocks: which unit waits for which, and the ring, if there is one.

#[path = "stalls/circuits.rs"]
mod circuits;
#[path = "glue/loops.rs"]
#[expect(dead_code, reason = "choices that other tests use")]
mod loops;

use circuits::{Environment, Tokens, Traffic, add, byte, channels, diamond, fifo};
use loops::{First, Loop};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::{Fields, Model};
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::select::Policy;

/// What is said when nothing happens any more.
fn said(circuit: &Circuit, environment: Box<dyn Model>) -> String {
    let mut simulator = Simulator::new(circuit, environment, &[]);
    while simulator.step(10_000) {}
    assert!(simulator.is_quiescent());
    simulator.waiting(circuit).to_string()
}

#[test]
fn a_loop_with_more_tokens_than_it_can_turn_is_a_ring() {
    let kind = Loop {
        body_depth: 2,
        back_depth: 1,
        policy: Policy::FirstInputFirst,
        first: First::Entry,
    };
    let circuit = kind.circuit("round", kind.storage());
    let expected = "\
nothing has happened since cycle 12
these wait for each other in a ring:
  merge waits for body to take merged
  body waits for decide to take decided
  decide waits for back_edge to take again
  back_edge waits for merge to take back
these wait too:
  the environment waits for gate to take enter
";
    let tokens = Tokens::new(100, loops::DECISIONS);
    assert_eq!(said(&circuit, Box::new(tokens)), expected);
}

/// A join that needs what comes of it, which is not there to begin with.
fn needs_itself() -> Circuit {
    let mut circuit = Circuit::new("needs_itself");
    let [enter, around, back, leave] = channels(&mut circuit, ["enter", "around", "back", "leave"]);
    let joined = circuit.add_channel("joined", Fields::new([8, 8]));
    circuit.add_input(enter);
    circuit.add_output(leave);
    let join = Join {
        inputs: vec![byte(), byte()],
    };
    let fork = Fork {
        fields: Fields::new([8, 8]),
        outputs: vec![vec![0], vec![1]],
    };
    add(
        &mut circuit,
        ("gather", 12),
        join,
        &[enter, back],
        &[joined],
    );
    add(
        &mut circuit,
        ("split", 13),
        fork,
        &[joined],
        &[leave, around],
    );
    add(&mut circuit, ("queue", 14), fifo(2), &[around], &[back]);
    circuit
}

fn traffic(count: u64, period: u64) -> Traffic {
    Traffic {
        count,
        period,
        memory: None,
    }
}

#[test]
fn a_join_that_needs_what_comes_of_it_is_a_ring_of_missing_tokens() {
    let expected = "\
nothing has happened since cycle 0
these wait for each other in a ring:
  gather (line 12) waits for queue (line 14) to give back
  queue (line 14) waits for split (line 13) to give around
  split (line 13) waits for gather (line 12) to give joined
these wait too:
  the environment waits for gather (line 12) to take enter
";
    assert_eq!(
        said(&needs_itself(), Environment::new(traffic(3, 1))),
        expected
    );
}

#[test]
fn a_memory_that_never_answers_is_no_ring() {
    let never = Traffic {
        memory: Some(1 << 40),
        ..traffic(30, 1)
    };
    let expected = "\
nothing has happened since cycle 5
these wait:
  split (line 1) waits for load (line 2) to take address
  split (line 1) waits for queue (line 3) to take long
  load (line 2) waits for the environment to give response
  queue (line 3) waits for gather (line 4) to take short
  gather (line 4) waits for load (line 2) to give data
  the environment waits for split (line 1) to take enter
";
    // The answer is far away, not impossible: the watchdog is asked before.
    let circuit = diamond(2, 2);
    let mut simulator = Simulator::new(&circuit, Environment::new(never), &[]);
    while simulator.step(10_000) {}
    assert!(!simulator.is_quiescent());
    assert_eq!(simulator.waiting(&circuit).to_string(), expected);
}

#[test]
fn an_environment_that_never_takes_is_no_ring() {
    let expected = "\
nothing has happened since cycle 15
these wait:
  split (line 1) waits for load (line 2) to take address
  split (line 1) waits for queue (line 3) to take long
  load (line 2) waits for gather (line 4) to take data
  queue (line 3) waits for gather (line 4) to take short
  gather (line 4) waits for the environment to take leave
  the environment waits for split (line 1) to take enter
";
    let never = Traffic {
        memory: Some(4),
        ..traffic(30, 0)
    };
    assert_eq!(said(&diamond(2, 2), Environment::new(never)), expected);
}

#[test]
fn where_all_is_done_no_unit_waits() {
    let mut circuit = Circuit::new("free");
    let [a, b] = channels(&mut circuit, ["a", "b"]);
    circuit.add_input(a);
    circuit.add_output(b);
    add(&mut circuit, ("queue", 1), fifo(2), &[a], &[b]);
    let expected = "nothing has happened since cycle 12\n";
    assert_eq!(said(&circuit, Environment::new(traffic(10, 1))), expected);
}
