//! Glue units in the simulator: nothing is lost, doubled or overtaken; each holds what it says and
//! passes a token per cycle; loops go on where their gate's limit leaves
//! room.

#[path = "glue/loops.rs"]
mod loops;
#[path = "glue/script.rs"]
mod script;

use loops::{DECISIONS, First, Loop};
use script::{Pace, Port, Script, at, last_cycle};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::credits::Credits;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::rejoin::Rejoin;
use sluice_circuit::units::select::{Policy, Select};

const MANY: u64 = 200;

fn alone(kind: impl UnitKind + 'static) -> Circuit {
    Circuit::of_units("alone", vec![Box::new(kind)])
}

/// The tokens `[0], [1], ...`
fn numbers(count: u64) -> Vec<Vec<u64>> {
    (0..count).map(|number| vec![number]).collect()
}

fn byte() -> Fields {
    Fields::new([8])
}

fn select(inputs: usize, policy: Policy) -> Select {
    Select {
        fields: byte(),
        inputs,
        policy,
    }
}

fn gate(exits: usize, limit: u32) -> LoopGate {
    LoopGate {
        entry: byte(),
        exits: vec![byte(); exits],
        limit,
    }
}

fn fork() -> Fork {
    Fork {
        fields: Fields::new([8, 16]),
        outputs: vec![vec![0], vec![1, 0], vec![]],
    }
}

fn branch() -> Branch {
    Branch {
        fields: byte(),
        on_true: vec![0],
        on_false: vec![0],
    }
}

#[test]
fn a_fork_gives_all_tokens_to_all_outputs_in_order() {
    let tokens: Vec<Vec<u64>> = (0..MANY).map(|n| vec![n, n * 7]).collect();
    for seed in 0..8 {
        let script = Script::new(vec![tokens.clone()]).stalling(seed);
        let events = script.run(&alone(fork()), 4000);
        let expected = |fields: &[usize]| -> Vec<Vec<u64>> {
            let pick = |token: &Vec<u64>| fields.iter().map(|&f| token[f]).collect();
            tokens.iter().map(pick).collect()
        };
        assert_eq!(at(&events, Port::Out(0)), expected(&[0]));
        assert_eq!(at(&events, Port::Out(1)), expected(&[1, 0]));
        assert_eq!(at(&events, Port::Out(2)), expected(&[]));
    }
}

#[test]
fn a_join_pairs_the_tokens_of_its_inputs() {
    let join = || Join {
        inputs: vec![byte(), Fields::NONE, Fields::new([9])],
    };
    for seed in 0..8 {
        let odd = (0..MANY).map(|n| vec![2 * n + 1]).collect();
        let tokens = vec![numbers(MANY), vec![vec![]; MANY as usize], odd];
        let events = Script::new(tokens).stalling(seed).run(&alone(join()), 4000);
        let pairs: Vec<Vec<u64>> = (0..MANY).map(|n| vec![n, 2 * n + 1]).collect();
        assert_eq!(at(&events, Port::Out(0)), pairs);
    }
}

#[test]
fn a_branch_sends_each_token_where_its_condition_says() {
    let holds = |n: u64| n.count_ones() % 2 == 1;
    let tokens: Vec<Vec<u64>> = (0..MANY).map(|n| vec![holds(n).into(), n]).collect();
    for seed in 0..8 {
        let script = Script::new(vec![tokens.clone()]).stalling(seed);
        let events = script.run(&alone(branch()), 4000);
        let (on_true, on_false): (Vec<_>, Vec<_>) = (0..MANY).partition(|&n| holds(n));
        assert_eq!(at(&events, Port::Out(0)).concat(), on_true);
        assert_eq!(at(&events, Port::Out(1)).concat(), on_false);
    }
}

#[test]
fn a_select_keeps_the_order_of_each_input_and_loses_nothing() {
    for policy in [Policy::FirstInputFirst, Policy::RoundRobin] {
        for (seed, inputs) in (0..).zip([2, 3, 5, 8]) {
            let fields = Fields::new([4, 16]);
            let kind = Select {
                fields,
                inputs,
                policy,
            };
            let of = |input: u64| (0..MANY).map(|n| vec![input, n]).collect::<Vec<_>>();
            let tokens: Vec<_> = (0..inputs as u64).map(of).collect();
            let script = Script::new(tokens.clone()).stalling(seed);
            let merged = at(&script.run(&alone(kind), 8000), Port::Out(0));
            assert_eq!(merged.len(), inputs * MANY as usize);
            for (input, expected) in (0..).zip(tokens) {
                let its: Vec<_> = merged.iter().filter(|t| t[0] == input).cloned().collect();
                assert_eq!(its, expected, "{policy:?}, input {input} of {inputs}");
            }
        }
    }
}

#[test]
fn a_select_follows_its_policy() {
    let tokens = |inputs: u64| (0..inputs).map(|i| vec![vec![i]; 20]).collect();
    let run = |policy| {
        let script = Script::new(tokens(3));
        at(&script.run(&alone(select(3, policy)), 100), Port::Out(0)).concat()
    };
    let one_after_the_other: Vec<u64> = (0..60).map(|at| at / 20).collect();
    assert_eq!(run(Policy::FirstInputFirst), one_after_the_other);
    let in_turns: Vec<u64> = (0..60).map(|at| at % 3).collect();
    assert_eq!(run(Policy::RoundRobin), in_turns);
}

/// Tokens at the inputs pass in as many cycles as there are, and the latency.
fn check_throughput(kind: impl UnitKind + 'static, tokens: Vec<Vec<Vec<u64>>>, most: u64) {
    let (shown, latency) = (format!("{kind:?}"), kind.latency());
    let events = Script::new(tokens).run(&alone(kind), 4 * most);
    assert_eq!(
        last_cycle(&events),
        most - 1 + u64::from(latency),
        "{shown}"
    );
    let first = events.iter().find(|event| matches!(event.1, Port::Out(_)));
    assert_eq!(
        first.expect("tokens leave").0,
        u64::from(latency),
        "{shown}"
    );
}

#[test]
fn every_unit_passes_a_token_per_cycle() {
    let fields = byte();
    check_throughput(Buffer { fields }, vec![numbers(MANY)], MANY);
    let pairs: Vec<Vec<u64>> = (0..MANY).map(|n| vec![n % 2, n]).collect();
    check_throughput(fork(), vec![pairs.clone()], MANY);
    check_throughput(branch(), vec![pairs], MANY);
    let inputs = vec![byte(); 3];
    check_throughput(Join { inputs }, vec![numbers(MANY); 3], MANY);
    for policy in [Policy::FirstInputFirst, Policy::RoundRobin] {
        check_throughput(select(3, policy), vec![numbers(MANY); 3], 3 * MANY);
        let only_last = vec![vec![], vec![], numbers(MANY)];
        check_throughput(select(3, policy), only_last, MANY);
    }
    let (exits, no_entries) = (vec![numbers(MANY); 3], vec![vec![]]);
    check_throughput(gate(3, 4), [no_entries, exits].concat(), MANY);
    check_throughput(gate(1, 1000), vec![numbers(MANY), vec![]], MANY);
}

/// How many tokens come in when none is taken.
fn held(kind: impl UnitKind + 'static, tokens: Vec<Vec<Vec<u64>>>) -> u32 {
    let mut script = Script::new(tokens);
    script.takes = Pace::Never;
    script.run(&alone(kind), 50).len() as u32
}

#[test]
fn every_unit_holds_what_it_says() {
    let fields = byte();
    let buffer = Buffer { fields };
    assert_eq!(held(buffer.clone(), vec![numbers(9)]), buffer.capacity());
    let pairs: Vec<Vec<u64>> = (0..9).map(|n| vec![n % 2, n]).collect();
    assert_eq!(held(fork(), vec![pairs.clone()]), fork().capacity());
    assert_eq!(held(branch(), vec![pairs]), branch().capacity());
    let one_way: Vec<Vec<u64>> = (0..9).map(|n| vec![1, n]).collect();
    assert_eq!(held(branch(), vec![one_way]), branch().capacity());
    let inputs = vec![byte(); 3];
    let join = Join { inputs };
    let passed_at_inputs = held(join.clone(), vec![numbers(9); 3]);
    assert_eq!(passed_at_inputs, 3 * join.capacity());
    for policy in [Policy::FirstInputFirst, Policy::RoundRobin] {
        let kind = || select(3, policy);
        let at_one = vec![vec![], numbers(9), vec![]];
        assert_eq!(held(kind(), at_one), kind().capacity());
        assert_eq!(held(kind(), vec![numbers(9); 3]), kind().capacity() + 2);
    }
    for limit in [1, 2, 7] {
        let kind = || gate(1, limit);
        assert_eq!(held(kind(), vec![numbers(9), vec![]]), kind().capacity());
        assert_eq!(held(kind(), vec![vec![], numbers(9)]), 2, "at an exit");
    }
}

#[test]
fn a_gate_never_has_more_inside_than_its_limit() {
    for (seed, (limit, exits)) in (0..).zip([(1, 1), (2, 1), (3, 3), (8, 2), (40, 16)]) {
        let mut script = Script::new(vec![vec![]; 1 + exits]).stalling(seed);
        script.tokens[0] = numbers(MANY);
        script.echo = Some((0, (1..=exits).collect()));
        let events = script.run(&alone(gate(exits, limit)), 6000);
        let (mut inside, mut left) = (0_u32, 0);
        for (cycle, port, _) in &events {
            match port {
                Port::In(0) => inside += 1,
                Port::In(_) => inside -= 1,
                Port::Out(0) => {}
                Port::Out(_) => left += 1,
            }
            assert!(
                inside <= limit,
                "{inside} inside in cycle {cycle}, limit {limit}"
            );
        }
        assert_eq!((inside, left), (0, MANY), "all have been inside");
    }
}

#[test]
fn a_gate_admits_up_to_its_limit() {
    for limit in [1, 2, 9, 33] {
        // No token leaves: what has entered stays inside.
        let script = Script::new(vec![numbers(MANY), vec![]]);
        let events = script.run(&alone(gate(1, limit)), 500);
        assert_eq!(at(&events, Port::Out(0)), numbers(limit.into()));
        assert_eq!(at(&events, Port::In(0)).len(), limit as usize);
    }
}

/// Series of 1, 2, ... iterations as they are issued.
fn series(count: u64) -> Vec<Vec<u64>> {
    let lengths = 1..=count;
    let issued = lengths.flat_map(|length| (1..=length).map(move |at| at < length));
    issued.map(|more| vec![more.into()]).collect()
}

#[test]
fn a_rejoin_waits_for_iterations_that_have_not_ended() {
    let issued = series(5)[1..].to_vec();
    for ended in 0..=2 {
        let script = Script::new(vec![issued.clone(), vec![vec![]; ended]]);
        let events = script.run(&alone(Rejoin { ended: 1, bits: 8 }), 100);
        let done = at(&events, Port::Out(0)).len();
        assert_eq!(done, usize::from(ended == 2), "{ended} have ended");
        let taken = at(&events, Port::In(0)).len();
        assert_eq!(taken, if done == 0 { 2 } else { 5 }, "of this series");
    }
}

#[test]
fn a_rejoin_says_once_per_series_that_all_have_ended() {
    const SERIES: u64 = 20;
    for (seed, ended) in (0..).zip([1, 2, 5, 16]) {
        let issued = series(SERIES);
        let total = issued.len();
        // Which iterations end by which way does not matter.
        let ways = (0..ended).map(|way| vec![vec![]; (total + way) / ended]);
        let tokens = std::iter::once(issued).chain(ways).collect();
        let script = Script::new(tokens).stalling(seed);
        let events = script.run(&alone(Rejoin { ended, bits: 12 }), 5000);
        let (mut complete, mut done, mut ends) = (0, 0, 0);
        for (_, port, token) in &events {
            match port {
                Port::In(0) => complete += 1 - token[0],
                Port::In(_) => ends += 1,
                Port::Out(_) => {
                    done += 1;
                    assert_eq!(complete, done, "all of the series were issued");
                    assert!(ends >= done * (done + 1) / 2, "all of them have ended");
                }
            }
        }
        assert_eq!((done, ends), (SERIES, total as u64), "{ended} ways");
    }
}

#[test]
fn an_iteration_waits_for_the_one_that_many_credits_before() {
    for count in [1, 2, 3, 10] {
        let kind = || Credits { count };
        // No credit comes back.
        let events = Script::new(vec![vec![]]).run(&alone(kind()), 100);
        assert_eq!(at(&events, Port::Out(0)).len(), count as usize);
        assert_eq!(last_cycle(&events), u64::from(count) - 1, "one per cycle");
        let back = vec![vec![]; 50];
        let events = Script::new(vec![back.clone()]).run(&alone(kind()), 200);
        assert_eq!(at(&events, Port::Out(0)).len(), 50 + count as usize);
        let mut script = Script::new(vec![back]);
        script.takes = Pace::Never;
        assert_eq!(script.run(&alone(kind()), 100), [], "it is full");
    }
}

#[test]
fn a_counter_says_once_per_launch_that_all_have_come() {
    for total in [0, 1, 2, 7, MANY] {
        let some = vec![vec![]; 2 * total as usize + 5];
        let mut script = Script::new(vec![vec![vec![]; 2], some]);
        script.constants = vec![total];
        let events = script.run(
            &alone(Counter {
                inputs: 1,
                bits: 64,
            }),
            2000,
        );
        let ends: Vec<u64> = events
            .iter()
            .filter(|event| event.1 == Port::Out(0))
            .map(|event| event.0)
            .collect();
        // A launch takes its start, its items and its end, a cycle each.
        assert_eq!(ends, [total + 1, 2 * total + 3], "total {total}");
        let taken = at(&events, Port::In(1)).len() as u64;
        assert_eq!(taken, 2 * total, "no item is counted for another launch");
    }
}

fn round(first: First) -> Loop {
    Loop {
        body_depth: 5,
        back_depth: 3,
        policy: Policy::FirstInputFirst,
        first,
    }
}

/// A loop's token that goes round this often.
fn token(number: u64, rounds: usize) -> Vec<u64> {
    assert!(rounds < DECISIONS, "it leaves in the end");
    let decisions = (0..DECISIONS).map(|at| u64::from(at < rounds));
    decisions.chain([number]).collect()
}

/// How many of `MANY` tokens come out of a loop, and the cycle in which something happened last.
fn outcome(kind: &Loop, limit: u32, rounds: impl Fn(u64) -> usize) -> (u64, u64) {
    let tokens = (0..MANY).map(|number| token(number, rounds(number)));
    let script = Script::new(vec![tokens.collect()]);
    let events = script.run(&kind.circuit("round", limit), 5000);
    let mut out = at(&events, Port::Out(0)).concat();
    out.sort_unstable();
    out.dedup();
    (out.len() as u64, last_cycle(&events))
}

#[test]
fn a_loop_that_may_fill_its_storage_deadlocks_and_with_one_less_it_finishes() {
    let entry_first = round(First::Entry);
    let storage = entry_first.storage();
    let (finished, last) = outcome(&entry_first, storage, |_| 2);
    assert_eq!(finished, 0);
    assert!(last < 50, "silent from cycle {last} on");
    let (finished, _) = outcome(&entry_first, storage - 1, |_| 2);
    assert_eq!(finished, MANY);
}

#[test]
fn a_loop_whose_exits_come_late_needs_its_limit_too() {
    let entry_first = round(First::Entry);
    let storage = entry_first.storage();
    let long_then_short = |number: u64| if number < 100 { 10 } else { 1 };
    assert_eq!(outcome(&entry_first, storage, long_then_short).0, 0);
    assert_eq!(outcome(&entry_first, storage - 1, long_then_short).0, MANY);
}

#[test]
fn loops_within_their_limit_finish_under_all_policies_and_stalls() {
    for (seed, first) in (0..6).flat_map(|s| [(s, First::Entry), (s, First::BackEdge)]) {
        for policy in [Policy::FirstInputFirst, Policy::RoundRobin] {
            let kind = Loop {
                body_depth: 1 + seed as u32 % 4,
                back_depth: 1 + seed as u32 / 4,
                policy,
                first,
            };
            let rounds = |number: u64| (number * 11 + seed) as usize % 4;
            let tokens = (0..MANY).map(|number| token(number, rounds(number)));
            let script = Script::new(vec![tokens.collect()]).stalling(seed);
            let circuit = kind.circuit("round", kind.storage() - 1);
            let mut out = at(&script.run(&circuit, 8000), Port::Out(0)).concat();
            out.sort_unstable();
            assert_eq!(
                out,
                (0..MANY).collect::<Vec<u64>>(),
                "{policy:?}, {first:?}"
            );
        }
    }
}
