//! Units that are measured whether a kernel has them or not: the parameters that matter for their
//! clock, from small to large.

use std::collections::BTreeMap;

use sluice_circuit::access::{Access, Enable};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::atomics::{Atomics, Kind, Operation};
use sluice_circuit::units::barrier::Barrier;
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::groups::{self, Groups};
use sluice_circuit::units::items::{self, Items};
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::local_memory::{Banks, Collisions, LocalMemory};
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::registers::Registers;
use sluice_circuit::units::store::{Done, Store};

use super::units::Sample;

/// A port of 4 bytes.
const NARROW: Access = Access {
    bytes: 4,
    address_bits: 32,
};

/// A port of 16 bytes.
const WIDE: Access = Access {
    bytes: 16,
    address_bits: 32,
};

/// Requests under way.
const OUTSTANDING: u32 = 32;

/// By kind.
pub(super) fn by_kind() -> BTreeMap<String, Vec<Sample>> {
    let mut kinds: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    let all = [
        arbiters(),
        atomics(),
        barriers(),
        caches(),
        dispatch(),
        glue(),
        local_memories(),
        transfers(),
    ];
    for sample in all.into_iter().flatten() {
        let word = sample.kind.word().to_string();
        kinds.entry(word).or_default().push(sample);
    }
    kinds
}

fn sample(name: impl Into<String>, kind: impl UnitKind + 'static) -> Sample {
    Sample {
        name: name.into(),
        kind: Box::new(kind),
    }
}

fn arbiters() -> Vec<Sample> {
    let arbiter = |(readers, writers)| {
        let kind = Arbiter {
            readers,
            writers,
            access: NARROW,
            outstanding: OUTSTANDING,
            flush: Flush::Passed,
        };
        sample(format!("{readers} read, {writers} write"), kind)
    };
    [(1, 1), (4, 1), (12, 4), (30, 10)].map(arbiter).into()
}

fn atomics() -> Vec<Sample> {
    let operation = |kind, bits| Operation {
        kind,
        bits,
        enable: Enable::Always,
    };
    let unit = |name: &str, access, operations, done| {
        let kind = Atomics {
            access,
            operations,
            window: 16,
            outstanding: 16,
            done,
        };
        sample(name, kind)
    };
    let add = operation(Kind::Add, 32);
    let kinds = Kind::ALL.map(|kind| operation(kind, 64));
    vec![
        unit("add, local", NARROW, vec![add], Done::Acknowledged),
        unit("four add, global", NARROW, vec![add; 4], Done::Accepted),
        unit("all of 64 bits, global", WIDE, kinds.into(), Done::Accepted),
    ]
}

fn barriers() -> Vec<Sample> {
    let barrier = |slots: u32, places, width| {
        let kind = Barrier {
            fields: Fields::new([slots.trailing_zeros(), width]),
            slot: 0,
            slots,
            places,
        };
        sample(
            format!("{slots} slots, {places} tokens of {width} bits"),
            kind,
        )
    };
    vec![barrier(2, 64, 32), barrier(16, 1024, 64)]
}

fn caches() -> Vec<Sample> {
    let modes = [Mode::ReadOnly, Mode::WriteOnly, Mode::ReadWrite];
    let cache = |mode| {
        let kind = Cache {
            lines: 2048,
            line: 16,
            access: NARROW,
            outstanding: OUTSTANDING,
            mode,
        };
        sample(format!("2048 lines of 16 bytes, {mode:?}"), kind)
    };
    let port = |caches| {
        let kind = MemoryPort {
            readers: caches,
            datapaths: 1,
            longest_run: MemoryPort::LONGEST_RUN,
            writers: caches,
            address_bits: 32,
            line: 16,
            outstanding: OUTSTANDING,
        };
        sample(format!("{caches} caches, lines of 16 bytes"), kind)
    };
    let ports = [1, 3, 5].map(port);
    modes.map(cache).into_iter().chain(ports).collect()
}

fn dispatch() -> Vec<Sample> {
    let groups = |ways, dimensions: usize| {
        let id = groups::Id::Base;
        let outputs = (0..dimensions).map(|dimension| groups::Coordinate {
            id,
            dimension,
            width: 32,
        });
        let kind = Groups {
            ways,
            dimensions,
            order: groups::Order::ToRoom,
            outputs: outputs.collect(),
        };
        sample(format!("{dimensions} dimensions, {ways} ways"), kind)
    };
    let items = |dimensions: usize| {
        let inputs = (0..dimensions).map(|dimension| groups::Coordinate {
            id: groups::Id::Base,
            dimension,
            width: 32,
        });
        let outputs = (0..dimensions).map(|dimension| items::Coordinate {
            id: items::Id::Global,
            dimension,
            width: 32,
        });
        let kind = Items {
            inputs: inputs.collect(),
            carried: Fields::new([4]),
            outputs: outputs.collect(),
            size_bits: vec![11; dimensions],
        };
        sample(format!("{dimensions} dimensions"), kind)
    };
    let arguments = |count| {
        let kind = Registers::new(vec![32; count]);
        sample(format!("{count} arguments of 32 bits"), kind)
    };
    vec![
        groups(1, 3),
        groups(8, 3),
        items(1),
        items(2),
        items(3),
        sample(
            "16 inputs",
            Counter {
                inputs: 16,
                bits: 64,
            },
        ),
        arguments(60),
    ]
}

fn glue() -> Vec<Sample> {
    let fifo = |depth, width| {
        let kind = Fifo {
            fields: Fields::new([width]),
            depth,
        };
        sample(format!("{depth} tokens of {width} bits"), kind)
    };
    let gate = |exits, limit| {
        let kind = LoopGate {
            entry: Fields::new([32]),
            exits: vec![Fields::new([32]); exits],
            limit,
        };
        sample(format!("{exits} exits, {limit} tokens"), kind)
    };
    vec![fifo(16, 32), fifo(512, 32), gate(1, 16), gate(3, 200)]
}

fn local_memories() -> Vec<Sample> {
    let memory = |readers, writers, banks: u32, bytes: u64| {
        let words = bytes / u64::from(NARROW.bytes);
        let kind = LocalMemory {
            access: NARROW,
            bytes,
            readers,
            writers,
            banks: Banks::of_digits(banks, words.trailing_zeros()),
            known: Vec::new(),
            collisions: Collisions::Wait,
        };
        sample(
            format!("{readers} read, {writers} write, {banks} banks"),
            kind,
        )
    };
    vec![memory(1, 1, 1, 4096), memory(4, 2, 16, 16384)]
}

fn transfers() -> Vec<Sample> {
    let shapes = [
        ("32 bits", 1, 32, 4, NARROW),
        ("8 bits of 16 bytes", 1, 8, 1, WIDE),
        ("4 times 32 bits, in 4", 4, 32, 4, NARROW),
        ("4 times 32 bits, in 1", 4, 32, 16, WIDE),
    ];
    let mut all = Vec::new();
    for (name, lanes, lane_bits, alignment, access) in shapes {
        let vector = Vector {
            lanes,
            lane_bits,
            alignment,
        };
        let load = Load {
            vector,
            access,
            outstanding: OUTSTANDING,
            results: OUTSTANDING,
            enable: Enable::Field,
        };
        let store = |done| Store {
            vector,
            access,
            outstanding: OUTSTANDING,
            done,
            enable: Enable::Field,
        };
        all.push(sample(name, load));
        all.push(sample(name, store(Done::Accepted)));
        if lanes == 1 {
            all.push(sample(
                format!("{name}, acknowledged"),
                store(Done::Acknowledged),
            ));
        }
    }
    all
}
