//! Stalls: every stalled cycle of every channel is counted and has the right cause.

#[path = "memory/bench.rs"]
#[expect(dead_code, reason = "patterns and records that other tests use")]
mod bench;
#[path = "stalls/circuits.rs"]
mod circuits;
#[path = "glue/loops.rs"]
#[expect(dead_code, reason = "choices that other tests use")]
mod loops;
#[path = "units/random_environment.rs"]
#[expect(
    dead_code,
    reason = "its generator is used, and by its neighbour the rest"
)]
mod random_environment;
#[path = "stalls/slow.rs"]
mod slow;
#[path = "memory/system.rs"]
mod system;

use bench::{Bench, Pattern};
use circuits::{Environment, Traffic, add, channels, diamond, fifo};
use loops::{First, Loop};
use slow::Slow;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::dram::Timing;
use sluice_circuit::sim::{ChannelUse, LineStalls, Simulator, Stalls};
use sluice_circuit::unit::{Model, UnitKind};
use sluice_circuit::units::cache::Mode;
use sluice_circuit::units::load::Vector;
use sluice_circuit::units::select::Policy;
use system::Object;

fn run(circuit: &Circuit, environment: Box<dyn Model>, cycles: u64) -> Stalls {
    let mut simulator = Simulator::new(circuit, environment, &[]);
    simulator.observe_stalls(circuit);
    while simulator.step(cycles) {}
    simulator.stalls().expect("they are observed")
}

/// The causes, the worst first.
fn causes(stalls: &Stalls) -> Vec<(&str, u64)> {
    let causes = stalls.units.iter().filter(|unit| unit.caused > 0);
    causes
        .map(|unit| (unit.name.as_str(), unit.caused))
        .collect()
}

/// What is counted twice is the same twice.
fn check_sums(circuit: &Circuit, stalls: &Stalls) {
    let caused: u64 = stalls.units.iter().map(|unit| unit.caused).sum();
    assert_eq!(caused, stalls.stalled);
    let held_up: u64 = stalls.units.iter().map(|unit| unit.was_held_up).sum();
    assert_eq!(held_up, stalls.stalled);
    let held: u64 = stalls.units.iter().map(|unit| unit.held_up_others).sum();
    assert_eq!(held, stalls.stalled);
    for channel in circuit.channels().keys() {
        let used = stalls.channels[channel];
        assert_eq!(used.passed + used.stalled + used.idle, stalls.cycles);
    }
}

fn chain(third: impl UnitKind + 'static) -> Circuit {
    let mut circuit = Circuit::new("chain");
    let [a, b, c, d, e] = channels(&mut circuit, ["a", "b", "c", "d", "e"]);
    circuit.add_input(a);
    circuit.add_output(e);
    add(&mut circuit, ("first", 1), fifo(2), &[a], &[b]);
    add(&mut circuit, ("second", 2), fifo(2), &[b], &[c]);
    add(&mut circuit, ("third", 3), third, &[c], &[d]);
    add(&mut circuit, ("fourth", 4), fifo(2), &[d], &[e]);
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
fn a_slow_unit_in_a_chain_causes_every_stall() {
    for period in [2, 3, 10] {
        let circuit = chain(Slow { period });
        let stalls = run(&circuit, Environment::new(traffic(100, 1)), 100 * period);
        check_sums(&circuit, &stalls);
        assert_eq!(causes(&stalls), [("third", stalls.stalled)], "{period}");
        // Of three full channels each waits all the time but when a token passes.
        assert!(stalls.stalled > 3 * 80 * (period - 1));
        let line = LineStalls {
            line: 3,
            caused: stalls.stalled,
        };
        assert_eq!(stalls.lines, [line]);
    }
}

#[test]
fn an_environment_that_takes_slowly_causes_every_stall() {
    let circuit = chain(fifo(2));
    let stalls = run(&circuit, Environment::new(traffic(100, 7)), 700);
    check_sums(&circuit, &stalls);
    assert_eq!(causes(&stalls), [("the environment", stalls.stalled)]);
    // The environment has no line: what it does to the unit nearest to it is that one's.
    let line = LineStalls {
        line: 4,
        caused: stalls.stalled,
    };
    assert_eq!((stalls.lines, stalls.without_line), (vec![line], 0));
}

#[test]
fn nothing_stalls_where_everything_flows() {
    let mut circuit = Circuit::new("free");
    let [a, b, c] = channels(&mut circuit, ["a", "b", "c"]);
    circuit.add_input(a);
    circuit.add_output(c);
    add(&mut circuit, ("first", 1), fifo(2), &[a], &[b]);
    add(&mut circuit, ("second", 2), fifo(2), &[b], &[c]);
    let stalls = run(&circuit, Environment::new(traffic(100, 1)), 200);
    assert_eq!((stalls.stalled, stalls.units.len()), (0, 0));
    let used = ChannelUse {
        passed: 100,
        stalled: 0,
        idle: 100,
    };
    assert_eq!(stalls.channels[b], used);
}

fn with_memory(latency: u64) -> Box<Environment> {
    Environment::new(Traffic {
        memory: Some(latency),
        ..traffic(50, 1)
    })
}

#[test]
fn a_join_waits_for_memory_by_way_of_the_load() {
    let circuit = diamond(8, 1);
    let stalls = run(&circuit, with_memory(20), 1500);
    check_sums(&circuit, &stalls);
    let line = LineStalls {
        line: 2,
        caused: stalls.stalled,
    };
    assert_eq!(stalls.lines, [line], "{stalls}");
    let [environment, load] = causes(&stalls)[..] else {
        panic!("memory, and the load on the way to and from it:\n{stalls}");
    };
    assert_eq!((environment.0, load.0), ("the environment", "load"));
    // Of the 24 cycles of a round the memory has the token in 20; the beginning and the end are
    // not a whole round.
    let share = environment.1 as f64 / stalls.stalled as f64;
    assert!((share - 20.0 / 24.0).abs() < 0.005, "{stalls}");
}

#[test]
fn a_queue_too_short_beside_the_load_costs_what_memory_takes() {
    // The load could have 16 requests under way, but the queue beside it holds only 3 tokens: the
    // fork waits for the queue, whose token waits at the join, which waits for memory.
    let circuit = diamond(2, 16);
    let stalls = run(&circuit, with_memory(20), 1500);
    check_sums(&circuit, &stalls);
    assert_eq!(causes(&stalls)[0].0, "the environment", "{stalls}");
    let channels = stalls.channels.values();
    assert_eq!(channels.map(|used| used.passed).sum::<u64>(), 8 * 50);
    let enter = circuit.inputs()[0];
    let used = stalls.channels[enter];
    assert!(used.stalled > 100, "{used:?}");
}

#[test]
fn a_loop_gate_at_its_limit_holds_up_the_entry() {
    let kind = Loop {
        body_depth: 4,
        back_depth: 4,
        policy: Policy::FirstInputFirst,
        first: First::BackEdge,
    };
    let circuit = kind.circuit("round", 1);
    let tokens = circuits::Tokens::new(40, loops::DECISIONS);
    let stalls = run(&circuit, Box::new(tokens), 1000);
    check_sums(&circuit, &stalls);
    assert_eq!(causes(&stalls), [("gate", stalls.stalled)]);
    assert_eq!(stalls.without_line, stalls.stalled);
}

#[test]
fn the_sums_hold_in_a_memory_system_under_random_work() {
    let vector = |lanes, lane_bits, alignment| Vector {
        lanes,
        lane_bits,
        alignment,
    };
    let objects = [
        Object {
            mode: Mode::ReadWrite,
            bytes: 4,
            lines: 8,
            outstanding: 32,
            loads: vec![vector(1, 32, 4), vector(4, 32, 4)],
            stores: vec![vector(1, 32, 4), vector(1, 16, 2)],
        },
        Object {
            mode: Mode::ReadOnly,
            bytes: 16,
            lines: 8,
            outstanding: 40,
            loads: vec![vector(4, 32, 16), vector(1, 16, 2)],
            stores: vec![],
        },
    ];
    let (circuit, ends) = system::circuit("system", &objects);
    for (pattern, bytes_per_cycle) in [(Pattern::Random(4096), 24), (Pattern::Sequential, 2)] {
        let timing = Timing {
            bytes_per_cycle,
            outstanding: 8,
            ..Timing::default()
        };
        let work = (pattern, 400, 8192);
        let (environment, handle) = Bench::new(&objects, &ends, timing, work, 1);
        let mut simulator = Simulator::new(&circuit, Box::new(environment), &[]);
        simulator.observe_stalls(&circuit);
        while !handle.is_flushed() && simulator.step(400_000) {}
        assert!(handle.is_flushed());
        let stalls = simulator.stalls().expect("they are observed");
        check_sums(&circuit, &stalls);
        assert!(stalls.stalled > 1000, "{stalls}");
    }
}
