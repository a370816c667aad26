//! Loads, stores, arbiters, caches, the port to external memory and DRAM as one circuit: right
//! against a plain array of bytes, the same in the simulator and in Verilog, and as fast as it must
//! be.

#[path = "memory/bench.rs"]
mod bench;
#[path = "units/random_environment.rs"]
#[expect(
    dead_code,
    reason = "its generator is used, and by its neighbour the rest"
)]
mod random_environment;
#[path = "units/rtl.rs"]
mod rtl;
#[path = "memory/system.rs"]
mod system;

use bench::{Bench, Handle, Pattern, Record};
use random_environment::SplitMix64;
use sluice_circuit::dram::Timing;
use sluice_circuit::sim::Simulator;
use sluice_circuit::units::cache::Mode;
use sluice_circuit::units::load::Vector;
use system::Object;

/// More cycles than any run here needs.
const LIMIT: u64 = 400_000;

fn vector(lanes: u32, lane_bits: u32, alignment: u32) -> Vector {
    Vector {
        lanes,
        lane_bits,
        alignment,
    }
}

fn scalar(bytes: u32) -> Vector {
    vector(1, 8 * bytes, bytes)
}

/// Small caches, so that everything conflicts.
fn mixed() -> Vec<Object> {
    vec![
        Object {
            mode: Mode::ReadWrite,
            bytes: 4,
            lines: 8,
            outstanding: 32,
            loads: vec![scalar(4), scalar(1), vector(4, 32, 4)],
            stores: vec![scalar(4), scalar(2)],
        },
        Object {
            mode: Mode::ReadWrite,
            bytes: 64,
            lines: 4,
            outstanding: 16,
            loads: vec![vector(16, 32, 64), vector(3, 32, 4), scalar(8)],
            stores: vec![vector(2, 64, 8), vector(16, 32, 64)],
        },
        Object {
            mode: Mode::ReadOnly,
            bytes: 16,
            lines: 8,
            outstanding: 40,
            loads: vec![vector(4, 32, 16), vector(4, 32, 1), scalar(2)],
            stores: vec![],
        },
        Object {
            mode: Mode::WriteOnly,
            bytes: 8,
            lines: 4,
            outstanding: 16,
            loads: vec![],
            stores: vec![scalar(8), scalar(4), vector(3, 8, 1)],
        },
    ]
}

fn slow_dram(seed: u64) -> Timing {
    Timing {
        row_hit: 12,
        row_miss: 30,
        row_change: 7,
        banks: 4,
        row_bytes: 512,
        bytes_per_cycle: 24,
        outstanding: 16,
        jitter: 25,
        stalls: 20,
        seed,
    }
}

fn simulate(name: &str, objects: &[Object], timing: Timing, work: (Pattern, u64, usize)) -> Record {
    let (circuit, ends) = system::circuit(name, objects);
    let (environment, handle) = Bench::new(objects, &ends, timing, work, 1);
    let mut simulator = Simulator::new(&circuit, Box::new(environment), &[]);
    while !handle.is_flushed() && simulator.step(LIMIT) {}
    finish(handle)
}

fn verilate(name: &str, objects: &[Object], timing: Timing, work: (Pattern, u64, usize)) -> Record {
    let (circuit, ends) = system::circuit(name, objects);
    let model = rtl::build(&circuit);
    let (environment, handle) = Bench::new(objects, &ends, timing, work, 1);
    let goes_on = |cycle| !handle.is_flushed() && cycle < LIMIT;
    rtl::run(&model, Box::new(environment), &[], goes_on);
    finish(handle)
}

fn finish(handle: Handle) -> Record {
    assert!(handle.is_flushed(), "everything is done before the limit");
    handle.check_memory();
    let record = handle.record.lock().unwrap();
    record.clone()
}

#[test]
fn random_accesses_give_what_an_array_would() {
    for seed in 0..4 {
        simulate(
            "memory_mixed",
            &mixed(),
            slow_dram(seed),
            (Pattern::Random(3000), 3000, 4096),
        );
    }
}

#[test]
fn simulator_and_verilog_agree_on_every_cycle() {
    let work = (Pattern::Random(2000), 500, 4096);
    let ours = simulate("memory_mixed", &mixed(), slow_dram(7), work);
    let theirs = verilate("memory_mixed", &mixed(), slow_dram(7), work);
    assert_eq!(ours, theirs);
}

#[test]
fn verilog_streams_as_fast_as_the_simulator() {
    let objects = [
        stream(Mode::ReadWrite, 4, scalar(4)),
        stream(Mode::WriteOnly, 16, vector(4, 32, 16)),
    ]
    .concat();
    let work = (Pattern::Sequential, 2000, 65536);
    let ours = simulate("memory_streams", &objects, far_dram(), work);
    let theirs = verilate("memory_streams", &objects, far_dram(), work);
    assert_eq!(ours, theirs);
}

/// One unit on one object.
fn stream(mode: Mode, bytes: u32, unit: Vector) -> Vec<Object> {
    let (loads, stores) = match mode {
        Mode::ReadOnly | Mode::ReadWrite => (vec![unit], vec![]),
        Mode::WriteOnly => (vec![], vec![unit]),
    };
    vec![Object {
        mode,
        bytes,
        lines: 64,
        outstanding: 160,
        loads,
        stores,
    }]
}

/// Memory that answers after 100 cycles, one line per cycle.
fn far_dram() -> Timing {
    Timing {
        row_hit: 100,
        row_miss: 100,
        row_change: 0,
        outstanding: 256,
        ..Timing::default()
    }
}

/// Accesses per cycle, from the first token taken to the last one given, but for the latency of the
/// first.
fn rate(record: &Record) -> f64 {
    let (first, last) = (record.ends[0], record.ends[record.ends.len() - 1]);
    (record.ends.len() - 1) as f64 / (last - first) as f64
}

#[test]
fn sequential_loads_run_at_the_speed_of_the_clock() {
    for bytes in [1, 2, 4, 8] {
        let objects = stream(Mode::ReadOnly, bytes, scalar(bytes));
        let record = simulate(
            "stream",
            &objects,
            far_dram(),
            (Pattern::Sequential, 8000, 65536),
        );
        assert!(rate(&record) >= 0.97, "{bytes}: {}", rate(&record));
    }
}

#[test]
fn lines_are_loaded_at_the_speed_of_memory() {
    for (speed, lanes) in [(64, 16), (16, 16), (64, 4), (24, 4)] {
        let timing = Timing {
            bytes_per_cycle: speed,
            ..far_dram()
        };
        let unit = vector(lanes, 32, 4 * lanes);
        let objects = stream(Mode::ReadWrite, 4 * lanes, unit);
        let record = simulate("stream", &objects, timing, (Pattern::Lines, 2000, 130_000));
        let best = f64::from(speed) / 64.0;
        assert!(rate(&record) >= 0.97 * best, "{speed}: {}", rate(&record));
    }
}

#[test]
fn sequential_stores_run_at_the_speed_of_the_clock() {
    for bytes in [1, 4, 8] {
        let objects = stream(Mode::WriteOnly, bytes, scalar(bytes));
        let record = simulate(
            "stream",
            &objects,
            far_dram(),
            (Pattern::Sequential, 16000, 131072),
        );
        assert!(rate(&record) >= 0.99, "{bytes}: {}", rate(&record));
    }
    let objects = stream(Mode::WriteOnly, 64, vector(16, 32, 64));
    let record = simulate(
        "stream",
        &objects,
        far_dram(),
        (Pattern::Sequential, 2000, 131072),
    );
    // A line per cycle, and as much time at the end for what the cache still holds.
    assert!(rate(&record) >= 0.9, "64: {}", rate(&record));
}

#[test]
fn an_array_is_updated_in_place_at_the_speed_of_the_clock() {
    let objects = vec![Object {
        mode: Mode::ReadWrite,
        bytes: 4,
        lines: 64,
        outstanding: 160,
        loads: vec![scalar(4)],
        stores: vec![scalar(4)],
    }];
    let work = (Pattern::Sequential, 8000, 65536);
    let record = simulate("update", &objects, far_dram(), work);
    // A line: 16 loads, 16 stores, and a cycle for the dirty line that leaves.
    assert!(
        rate(&record) >= 0.97 * 32.0 / 33.0,
        "accesses per cycle: {}",
        rate(&record)
    );
}

/// An object of any shape.
fn random_object(random: &mut SplitMix64) -> Object {
    let mut below = |limit: u64| random.next() % limit;
    let mode = [Mode::ReadWrite, Mode::ReadOnly, Mode::WriteOnly][below(3) as usize];
    let mut units = |count: u64| -> Vec<Vector> {
        let unit = |_| {
            let lanes = [1, 2, 3, 4, 8, 16][below(6) as usize];
            vector(lanes, 8 << below(4), 1 << below(7))
        };
        (0..count).map(unit).collect()
    };
    let (loads, stores) = match mode {
        Mode::ReadWrite => (units(2), units(2)),
        Mode::ReadOnly => (units(3), vec![]),
        Mode::WriteOnly => (vec![], units(2)),
    };
    Object {
        mode,
        bytes: 1 << below(7),
        lines: 2 << below(4),
        outstanding: 1 + below(20) as u32,
        loads,
        stores,
    }
}

#[test]
fn systems_of_any_shape_work() {
    let mut random = SplitMix64(99);
    for seed in 0..30 {
        let objects: Vec<Object> = (0..1 + seed % 3)
            .map(|_| random_object(&mut random))
            .collect();
        simulate(
            "any",
            &objects,
            slow_dram(seed),
            (Pattern::Random(2000), 200, 2048),
        );
    }
}
