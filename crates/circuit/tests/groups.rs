//! Units that know work-groups: every group and every work-item comes once and in order, barriers
//! hold groups until they are complete and mix none, slots are out once.

#[path = "groups/dispatch.rs"]
mod dispatch;
#[path = "groups/launches.rs"]
mod launches;
#[path = "units/rtl.rs"]
mod rtl;
#[path = "glue/script.rs"]
mod script;

use std::collections::BTreeMap;

use launches::{Begun, Launches};
use script::{Event, Pace, Port, Script, at, last_cycle};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::{Fields, Model, UnitKind};
use sluice_circuit::units::barrier::Barrier;
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::group_slots::GroupSlots;
use sluice_circuit::units::groups::{self, Groups, Order};
use sluice_circuit::units::items::{self, Items};

fn alone(kind: impl UnitKind + 'static) -> Circuit {
    Circuit::of_units("alone", vec![Box::new(kind)])
}

/// Local sizes, numbers of groups and offsets, by dimension.
type Shape = [[u64; 3]; 3];

const SHAPES: [Shape; 9] = [
    [[1, 1, 1], [1, 1, 1], [0, 0, 0]],
    [[5, 1, 1], [7, 1, 1], [100, 0, 0]],
    [[1, 1, 1], [9, 1, 1], [0, 0, 0]],
    [[1, 1, 1], [3, 4, 2], [0, 0, 9]],
    [[4, 3, 1], [2, 5, 1], [0, 7, 0]],
    [[2, 3, 4], [3, 2, 2], [10, u32::MAX as u64, 30]],
    [[7, 1, 2], [1, 4, 1], [3, 0, 9]],
    [[1, 6, 1], [3, 1, 1], [u32::MAX as u64 - 1, 1, 0]],
    [[2, 2, 2], [1, 1, 1], [0, u32::MAX as u64 - 1, 0]],
];

/// The constants of a launch, in the order of [`Groups`].
fn constants([local, groups, offset]: Shape) -> Vec<u64> {
    [groups, local, offset].concat()
}

fn group_ids() -> Vec<groups::Coordinate> {
    let ids = [groups::Id::Group, groups::Id::Base];
    let coordinate = |id, dimension| groups::Coordinate {
        id,
        dimension,
        width: 32,
    };
    let dimensions = 0..3;
    dimensions
        .flat_map(|dimension| ids.map(|id| coordinate(id, dimension)))
        .collect()
}

/// The tokens of a launch's groups, each computed by itself.
fn expected_groups([local, groups, offset]: Shape) -> Vec<Vec<u64>> {
    let group = |number: u64| {
        let places = [number, number / groups[0], number / groups[0] / groups[1]];
        let ids = (0..3).map(|d| {
            let group = places[d] % groups[d];
            [group, (offset[d] + group * local[d]) % (1 << 32)]
        });
        ids.flatten().collect()
    };
    (0..groups.iter().product()).map(group).collect()
}

fn dealing(ways: usize, order: Order) -> Circuit {
    let outputs = group_ids();
    alone(Groups {
        ways,
        dimensions: 3,
        order,
        outputs,
    })
}

/// Numbers of ways, and which of them get the groups.
const ORDERS: [(usize, Order); 5] = [
    (1, Order::ToRoom),
    (2, Order::ToRoom),
    (3, Order::ToRoom),
    (2, Order::InTurns),
    (3, Order::InTurns),
];

/// A start, and another one.
fn two_launches(shape: Shape) -> Script {
    let mut script = Script::new(vec![vec![vec![]; 2]]);
    script.constants = constants(shape);
    script
}

#[test]
fn every_group_goes_one_way_a_group_per_cycle() {
    for shape in SHAPES {
        for (ways, order) in ORDERS {
            let events = two_launches(shape).run(&dealing(ways, order), 2000);
            let given = events.iter().filter(|it| matches!(it.1, Port::Out(_)));
            let given: Vec<_> = given.map(|it| it.2.clone()).collect();
            let expected = expected_groups(shape);
            assert_eq!(given, [&expected[..], &expected].concat(), "{shape:?}");
            let cycles = 2 * (expected.len() as u64 + 1);
            assert_eq!(last_cycle(&events), cycles, "{shape:?}, {ways} ways");
        }
    }
}

#[test]
fn with_stalls_too_every_group_goes_one_way_and_each_way_is_in_order() {
    for (seed, shape) in (0..).zip(SHAPES) {
        for (ways, order) in ORDERS {
            let script = two_launches(shape).stalling(seed);
            let events = script.run(&dealing(ways, order), 4000);
            let expected = expected_groups(shape);
            let number = |token: &Vec<u64>| expected.iter().position(|it| it == token);
            let mut seen = Vec::new();
            for way in 0..ways {
                let tokens = at(&events, Port::Out(way));
                let numbers: Vec<_> = tokens.iter().filter_map(number).collect();
                let backwards = numbers.windows(2).filter(|it| it[0] >= it[1]).count();
                assert!(backwards <= 1, "{shape:?}: only the next launch goes back");
                seen.extend(numbers);
            }
            seen.sort_unstable();
            let each: Vec<usize> = (0..expected.len()).flat_map(|it| [it, it]).collect();
            assert_eq!(seen, each, "{shape:?}, {ways} ways");
        }
    }
}

#[test]
fn a_way_that_takes_nothing_leaves_the_groups_to_the_others() {
    let mut script = Script::new(vec![vec![vec![]]]);
    script.constants = constants(SHAPES[1]);
    script.refused = Some(1);
    let events = script.run(&dealing(2, Order::ToRoom), 100);
    // One stands where it is not taken.
    assert_eq!(at(&events, Port::Out(0)).len(), 6);
    assert_eq!(at(&events, Port::Out(1)).len(), 0);
}

#[test]
fn in_turns_a_way_that_takes_nothing_is_waited_for() {
    let mut script = Script::new(vec![vec![vec![]]]);
    script.constants = constants(SHAPES[1]);
    script.refused = Some(1);
    let events = script.run(&dealing(2, Order::InTurns), 100);
    // The one that stands at the other way is its first, and its second one has no room.
    assert_eq!(at(&events, Port::Out(0)).len(), 2);
    assert_eq!(at(&events, Port::Out(1)).len(), 0);
}

/// What makes work-items, alone.
fn groups_and_items(ids: Vec<items::Coordinate>) -> Circuit {
    let mut circuit = Circuit::new("items");
    let sizes = dispatch::add_sizes(&mut circuit);
    let start = circuit.add_channel("start", Fields::NONE);
    circuit.add_input(start);
    let item = dispatch::add(&mut circuit, start, &sizes, ids);
    circuit.add_output(item);
    circuit
}

/// Digits of `number` to these bases, the first one lowest.
fn digits(mut number: u64, bases: [u64; 3]) -> [u64; 3] {
    bases.map(|base| {
        let digit = number % base;
        number /= base;
        digit
    })
}

/// The tokens of a launch's work-items, each computed by itself.
fn work_items([local, groups, offset]: Shape) -> Vec<Vec<u64>> {
    let in_group: u64 = local.iter().product();
    let total = in_group * groups.iter().product::<u64>();
    let work_item = |number: u64| {
        let l = digits(number % in_group, local);
        let g = digits(number / in_group, groups);
        let ids = (0..3).map(|d| {
            let global = (offset[d] + g[d] * local[d] + l[d]) % (1 << 32);
            [global, l[d], g[d]]
        });
        ids.flatten().collect()
    };
    (0..total).map(work_item).collect()
}

#[test]
fn every_work_item_comes_once_in_order_and_without_gaps() {
    let circuit = groups_and_items(dispatch::all_ids());
    for (seed, shape) in (0..).zip(SHAPES) {
        let script = two_launches(shape);
        let events = script.run(&circuit, 4000);
        let expected = work_items(shape);
        let twice = [&expected[..], &expected].concat();
        assert_eq!(at(&events, Port::Out(0)), twice, "{shape:?}");
        let outs = events.iter().filter(|it| it.1 == Port::Out(0));
        let cycles: Vec<u64> = outs.map(|it| it.0).collect();
        for launch in cycles.chunks(expected.len()) {
            let gapless: Vec<u64> = (launch[0]..).take(expected.len()).collect();
            assert_eq!(launch, gapless, "{shape:?}: an item per cycle");
        }
        let events = script.stalling(seed).run(&circuit, 8000);
        assert_eq!(at(&events, Port::Out(0)), twice, "{shape:?}, stalls");
    }
}

#[test]
fn work_items_have_as_many_bits_of_their_ids_as_they_carry() {
    use items::Id;
    let ids = [(Id::Global, 3), (Id::Local, 1), (Id::Group, 2)];
    let ids = ids.map(|(id, width)| items::Coordinate {
        id,
        dimension: 0,
        width,
    });
    let shape = [[3, 1, 1], [5, 1, 1], [6, 0, 0]];
    let mut script = Script::new(vec![vec![vec![]]]);
    script.constants = constants(shape);
    let events = script.run(&groups_and_items(ids.into()), 100);
    let cut = |id: Vec<u64>| vec![id[0] % 8, id[1] % 2, id[2] % 4];
    let expected: Vec<_> = work_items(shape).into_iter().map(cut).collect();
    assert_eq!(at(&events, Port::Out(0)), expected);
}

#[test]
fn a_launch_of_no_work_items_gives_no_token_and_takes_the_next_start() {
    let circuit = groups_and_items(dispatch::all_ids());
    for dimension in 0..3 {
        let mut groups = [3, 3, 2];
        groups[dimension] = 0;
        let mut script = Script::new(vec![vec![vec![]; 3]]);
        script.constants = constants([[2, 2, 1], groups, [0, 0, 0]]);
        let events = script.run(&circuit, 100);
        assert_eq!(at(&events, Port::Out(0)), Vec::<Vec<u64>>::new());
        assert_eq!(at(&events, Port::In(0)).len(), 3);
    }
}

#[test]
fn items_carry_what_their_group_carries() {
    let unfold = Items {
        inputs: Vec::new(),
        carried: Fields::new([8, 3]),
        outputs: vec![items::Coordinate {
            id: items::Id::Local,
            dimension: 1,
            width: 4,
        }],
        size_bits: vec![32, 2, 32],
    };
    let mut script = Script::new(vec![vec![vec![200, 5], vec![7, 1]]]);
    script.constants = vec![1, 3, 1];
    let events = script.run(&alone(unfold), 100);
    let expected = [
        [200, 5, 0],
        [200, 5, 1],
        [200, 5, 2],
        [7, 1, 0],
        [7, 1, 1],
        [7, 1, 2],
    ];
    assert_eq!(at(&events, Port::Out(0)), expected);
}

#[test]
fn items_need_what_they_are_computed_from() {
    let with = |width| Items {
        inputs: vec![groups::Coordinate {
            id: groups::Id::Base,
            dimension: 1,
            width,
        }],
        carried: Fields::NONE,
        outputs: vec![items::Coordinate {
            id: items::Id::Global,
            dimension: 1,
            width: 20,
        }],
        size_bits: vec![32; 3],
    };
    assert_eq!(with(20).check(), Ok(()));
    assert!(with(19).check().is_err());
}

#[test]
fn a_counter_of_several_inputs_counts_all_that_come_at_once() {
    for (inputs, total) in [(2, 7), (3, 300), (16, 16), (16, 1000)] {
        let some = |input| vec![vec![]; (total + input) / inputs];
        let items = (0..inputs).map(some);
        let tokens = [vec![vec![vec![]]], items.collect()].concat();
        let mut script = Script::new(tokens);
        script.constants = vec![total as u64];
        let events = script.run(&alone(Counter { inputs, bits: 64 }), 2000);
        assert_eq!(at(&events, Port::Out(0)).len(), 1, "{inputs} inputs");
        let cycles = 2 + total.div_ceil(inputs) as u64;
        assert_eq!(last_cycle(&events), cycles, "{inputs} inputs, {total}");
    }
}

fn barrier(slots: u32, places: u32) -> Barrier {
    Barrier {
        fields: Fields::new([16, slots.trailing_zeros()]),
        slot: 1,
        slots,
        places,
    }
}

/// Work-items of `groups` groups come to a barrier mixed, and come again whenever they have left.
fn rounds(groups: u64, size: u64, shift: u64) -> Script {
    let items = (0..groups * size).map(|at| {
        let mixed = at * 7919 % (groups * size);
        vec![mixed / groups, mixed % groups]
    });
    let mut script = Script::new(vec![items.collect()]);
    script.constants = vec![size, shift];
    script.echo = Some((0, vec![0]));
    script
}

/// No work-item leaves before all of its group have come; groups leave whole, in the order in which they
/// came. Gives the number of whole rounds by slot.
fn check_rounds(events: &[Event], size: usize) -> BTreeMap<u64, usize> {
    let mut came: BTreeMap<u64, Vec<&[u64]>> = BTreeMap::new();
    let mut left: BTreeMap<u64, usize> = BTreeMap::new();
    let mut leaving: Option<u64> = None;
    for (cycle, port, token) in events {
        let came = came.entry(token[1]).or_default();
        match port {
            Port::In(_) => came.push(token),
            Port::Out(_) => {
                let left = left.entry(token[1]).or_default();
                let complete = came.len() / size * size;
                assert!(
                    *left < complete,
                    "cycle {cycle}: {token:?} leaves too early"
                );
                assert_eq!(came[*left], token, "in the order in which they came");
                assert!(
                    leaving.is_none_or(|slot| slot == token[1]),
                    "one group at a time"
                );
                *left += 1;
                leaving = (!left.is_multiple_of(size)).then_some(token[1]);
            }
        }
    }
    left.into_iter()
        .map(|(slot, left)| (slot, left / size))
        .collect()
}

#[test]
fn a_barrier_lets_a_group_out_when_it_is_complete_and_mixes_none() {
    for (seed, (groups, size, shift)) in
        (0..).zip([(1, 5, 3), (2, 16, 4), (4, 3, 2), (8, 1, 0), (3, 7, 3)])
    {
        let circuit = alone(barrier(8, 64));
        let script = rounds(groups, size, shift);
        for script in [script.clone(), script.stalling(seed)] {
            let events = script.run(&circuit, 4000);
            let rounds = check_rounds(&events, size as usize);
            assert_eq!(rounds.len() as u64, groups, "all groups go on");
            let fewest = 4000 / (groups * size + 40);
            let enough = |&(_, &count): &(&u64, &usize)| count as u64 >= fewest / 3;
            assert!(
                rounds.iter().all(|it| enough(&it)),
                "{groups} of {size}: {rounds:?}"
            );
        }
    }
}

#[test]
fn an_incomplete_group_stays_while_others_pass() {
    let mut script = Script::new(vec![vec![
        vec![0, 0],
        vec![1, 1],
        vec![2, 1],
        vec![3, 2],
        vec![4, 2],
    ]]);
    script.constants = vec![2, 1];
    let events = script.run(&alone(barrier(4, 8)), 100);
    assert_eq!(at(&events, Port::Out(0)), [[1, 1], [2, 1], [3, 2], [4, 2]]);
}

#[test]
fn a_barrier_passes_a_token_per_cycle_with_two_groups_in_turns() {
    let events = rounds(2, 16, 4).run(&alone(barrier(2, 32)), 2000);
    let count = |port| {
        let late = events.iter().filter(|it| it.0 >= 200 && it.1 == port);
        late.count()
    };
    assert_eq!((count(Port::In(0)), count(Port::Out(0))), (1800, 1800));
}

#[test]
fn a_barrier_has_the_latency_and_the_places_that_it_says() {
    for (slots, places, size, shift) in [(2, 32, 16, 4), (8, 8, 1, 0), (64, 128, 2, 1)] {
        let kind = barrier(slots, places);
        let (latency, capacity) = (kind.latency(), kind.capacity());
        let items = (0..u64::from(places)).map(|it| vec![it, it / size]);
        let mut script = Script::new(vec![items.collect()]);
        script.constants = vec![size, shift];
        let circuit = alone(kind);
        let events = script.run(&circuit, 1000);
        let outs: Vec<u64> = events
            .iter()
            .filter(|it| it.1 == Port::Out(0))
            .map(|it| it.0)
            .collect();
        let first = size - 1 + u64::from(latency);
        let gapless: Vec<u64> = (first..first + u64::from(places)).collect();
        assert_eq!(outs, gapless, "group after group without a gap");
        script.takes = Pace::Never;
        assert_eq!(script.run(&circuit, 1000).len() as u32, capacity);
    }
}

#[test]
fn a_barrier_that_holds_an_incomplete_group_waits_for_its_input() {
    let mut script = Script::new(vec![vec![vec![0, 0], vec![1, 1], vec![2, 1]]]);
    script.constants = vec![2, 1];
    let circuit = alone(barrier(4, 8));
    let (mut simulator, _) = script.begin(&circuit);
    while simulator.step(100) {}
    let said = simulator.waiting(&circuit).to_string();
    assert!(
        said.ends_with("these wait:\n  u0 waits for the environment to give u0_in\n"),
        "{said}"
    );
}

fn group_slots(fields: Fields) -> GroupSlots {
    GroupSlots {
        count: 8,
        most_items: 16,
        fields,
    }
}

/// Slots for groups, and the work-items of groups: what they carry is the slot.
fn slots_and_items() -> Circuit {
    let mut circuit = Circuit::new("slots");
    let sizes = ["local_size_0", "local_size_1", "local_size_2", "resident"];
    let sizes = sizes.map(|name| circuit.add_constant(name, 32));
    let slots = group_slots(Fields::NONE);
    let number = Fields::new([slots.bits()]);
    let unfold = Items {
        inputs: Vec::new(),
        carried: number.clone(),
        outputs: Vec::new(),
        size_bits: vec![4; 3],
    };
    let group = circuit.add_channel("group", Fields::NONE);
    let [ended, begun, item] =
        ["ended", "begun", "item"].map(|name| circuit.add_channel(name, number.clone()));
    circuit.add_input(group);
    circuit.add_input(ended);
    circuit.add_output(item);
    let units: [(Box<dyn UnitKind>, _, _, _); 2] = [
        (
            Box::new(slots),
            vec![group, ended],
            begun,
            vec![sizes[0], sizes[3]],
        ),
        (Box::new(unfold), vec![begun], item, sizes[..3].to_vec()),
    ];
    for (kind, inputs, output, constants) in units {
        circuit
            .any_unit(kind.word(), kind)
            .inputs_in_order(inputs)
            .outputs_in_order([output])
            .constants(constants)
            .add();
    }
    circuit
}

#[test]
fn a_slot_is_free_again_when_its_whole_group_has_ended() {
    for resident in [1, 2, 3] {
        let mut script = Script::new(vec![vec![vec![]; 5], Vec::new()]);
        script.constants = vec![3, 1, 1, resident];
        // Work-items end in the cycle behind that in which they come.
        script.echo = Some((0, vec![1]));
        let events = script.run(&slots_and_items(), 200);
        let slots = (0..15).map(|item| vec![item / 3 % resident]);
        assert_eq!(at(&events, Port::Out(0)), slots.collect::<Vec<_>>());
        let outs = events.iter().filter(|it| it.1 == Port::Out(0));
        let cycles: Vec<u64> = outs.map(|it| it.0).collect();
        // Four cycles until the slot is free, one to the items, two to the first of them.
        let again = cycles[3 * resident as usize] - cycles[2];
        assert_eq!(again, 1 + 4 + 1 + 2, "{resident} slots");
    }
}

#[test]
fn groups_get_slots_one_per_cycle_while_some_are_free() {
    let groups: Vec<_> = (0..40).map(|number| vec![number]).collect();
    let mut script = Script::new(vec![groups.clone(), Vec::new()]);
    script.constants = vec![1, 8];
    let circuit = alone(group_slots(Fields::new([8])));
    let none_ends = script.run(&circuit, 100);
    let given = (0..8).map(|number| vec![number, number]);
    assert_eq!(at(&none_ends, Port::Out(0)), given.collect::<Vec<_>>());
    let outs = none_ends.iter().filter(|it| it.1 == Port::Out(0));
    let cycles: Vec<u64> = outs.map(|it| it.0).collect();
    assert_eq!(cycles, (cycles[0]..cycles[0] + 8).collect::<Vec<_>>());

    // Slots go round in six cycles: two of eight are always free.
    let all_end = Script {
        tokens: vec![vec![vec![]; 40], Vec::new()],
        echo: Some((0, vec![1])),
        ..script
    };
    let events = all_end.run(&alone(group_slots(Fields::NONE)), 100);
    let outs = events.iter().filter(|it| it.1 == Port::Out(0));
    let cycles: Vec<u64> = outs.map(|it| it.0).collect();
    assert_eq!(cycles, (cycles[0]..cycles[0] + 40).collect::<Vec<_>>());
}

#[test]
fn slots_for_groups_hold_what_they_say() {
    let kind = group_slots(Fields::new([8]));
    let (latency, capacity) = (kind.latency(), kind.capacity());
    let mut script = Script::new(vec![vec![vec![7]; 9], Vec::new()]);
    script.constants = vec![1, 8];
    let circuit = alone(kind);
    let events = script.run(&circuit, 100);
    let first = |port| events.iter().find(|it| it.1 == port).expect("it passes").0;
    assert_eq!(first(Port::Out(0)) - first(Port::In(0)), latency.into());
    script.takes = Pace::Never;
    let taken = at(&script.run(&circuit, 100), Port::In(0));
    assert_eq!(taken.len(), capacity as usize);
}

#[test]
fn a_group_that_gets_no_slot_waits_for_one_to_come_back() {
    let mut script = Script::new(vec![vec![vec![]; 3], Vec::new()]);
    script.constants = vec![1, 2];
    let circuit = alone(group_slots(Fields::NONE));
    let (mut simulator, _) = script.begin(&circuit);
    while simulator.step(100) {}
    let said = simulator.waiting(&circuit).to_string();
    assert!(
        said.contains("  u0 waits for the environment to give u0_ended\n"),
        "{said}"
    );
}

/// Slots under launches that use different numbers of them.
fn begun(run: impl FnOnce(Box<dyn Model>)) -> Vec<Begun> {
    let launches = vec![(3, 8, 20), (2, 3, 9), (1, 1, 4), (5, 8, 9), (5, 4, 11)];
    let (environment, log) = Launches::new(launches);
    run(Box::new(environment));
    std::mem::take(&mut log.lock().expect("no thread panicked"))
}

#[test]
fn each_launch_uses_as_many_slots_as_it_is_told_and_the_verilog_the_same() {
    const CYCLES: u64 = 3000;
    let circuit = launches::circuit(group_slots(Fields::NONE));
    let ours = begun(|environment| {
        let mut simulator = Simulator::new(&circuit, environment, &[]);
        while simulator.step(CYCLES) {}
    });
    for (launch, (used, groups)) in [(8, 20), (3, 9), (1, 4), (8, 9), (4, 11)]
        .into_iter()
        .enumerate()
    {
        let its = ours.iter().filter(|it| it.1 == launch);
        let slots: Vec<u64> = its.map(|it| it.2).collect();
        assert_eq!(slots.len(), groups, "launch {launch}");
        let mut distinct = slots.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct, (0..used).collect::<Vec<u64>>(), "launch {launch}");
    }
    let verilog = rtl::build(&circuit);
    let theirs = begun(|environment| rtl::run(&verilog, environment, &[], |cycle| cycle < CYCLES));
    assert_eq!(ours, theirs);
}
