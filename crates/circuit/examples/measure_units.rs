//! Measures what units occupy on an ECP5, with Yosys (Debian package `yosys`), beside what they say:
//!
//! ```text
//! cargo run -p sluice-circuit --example measure_units -- [UNIT...]
//! ```
//!
//! The parameters are such as kernels have; the figures are the data of each unit's `cost`. Look-up
//! tables count two per carry cell and six per block of distributed memory.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sluice_circuit::access::{Access, Enable};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::cost::Cost;
use sluice_circuit::family;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::group_slots::GroupSlots;
use sluice_circuit::units::groups::{self, Groups};
use sluice_circuit::units::items::{self, Items};
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::store::{Done, Store};
use sluice_circuit::verilog::emit;

const ADDRESS_BITS: u32 = 40;
const OUTSTANDING: u32 = 128;

fn access(bytes: u32) -> Access {
    Access {
        bytes,
        address_bits: ADDRESS_BITS,
    }
}

fn boxed(kind: impl UnitKind + 'static) -> Box<dyn UnitKind> {
    Box::new(kind)
}

fn caches() -> Vec<Box<dyn UnitKind>> {
    let modes = [Mode::ReadOnly, Mode::WriteOnly, Mode::ReadWrite];
    let choices = modes.map(|mode| [4, 8, 16, 64].map(|bytes| (mode, bytes)));
    let cache = |(mode, bytes)| Cache {
        lines: Cache::DEFAULT_LINES,
        access: access(bytes),
        outstanding: OUTSTANDING,
        mode,
    };
    let choices = choices.into_iter().flatten();
    choices.map(|choice| boxed(cache(choice))).collect()
}

fn memory_ports() -> Vec<Box<dyn UnitKind>> {
    let port = |caches| MemoryPort {
        caches,
        address_bits: ADDRESS_BITS,
        outstanding: OUTSTANDING,
    };
    [1, 2, 3, 5, 8].map(|caches| boxed(port(caches))).into()
}

fn arbiters() -> Vec<Box<dyn UnitKind>> {
    let choices = [
        (1, 0, 4),
        (0, 1, 4),
        (2, 0, 4),
        (1, 1, 4),
        (5, 0, 4),
        (4, 4, 8),
        (12, 4, 4),
        (2, 0, 16),
        (2, 1, 64),
    ];
    let arbiter = |(readers, writers, bytes)| Arbiter {
        readers,
        writers,
        access: access(bytes),
        outstanding: OUTSTANDING,
        flush: Flush::Passed,
    };
    choices.map(|choice| boxed(arbiter(choice))).into()
}

/// Lanes, their bits, the alignment, and the bytes of the port.
const VECTORS: [(u32, u32, u32, u32); 7] = [
    (1, 32, 4, 4),
    (1, 8, 1, 4),
    (1, 32, 4, 16),
    (1, 64, 8, 8),
    (4, 32, 16, 16),
    (4, 32, 4, 16),
    (16, 32, 64, 64),
];

fn vectors() -> impl Iterator<Item = (Vector, Access)> {
    VECTORS.iter().map(|&(lanes, lane_bits, alignment, bytes)| {
        let vector = Vector {
            lanes,
            lane_bits,
            alignment,
        };
        (vector, access(bytes))
    })
}

fn loads() -> Vec<Box<dyn UnitKind>> {
    let load = |(vector, access)| Load {
        vector,
        access,
        outstanding: OUTSTANDING,
        enable: Enable::Always,
    };
    vectors().map(|choice| boxed(load(choice))).collect()
}

fn stores() -> Vec<Box<dyn UnitKind>> {
    let store = |(vector, access)| Store {
        vector,
        access,
        outstanding: 2,
        done: Done::Accepted,
        enable: Enable::Always,
    };
    vectors().map(|choice| boxed(store(choice))).collect()
}

fn dealers() -> Vec<Box<dyn UnitKind>> {
    let dealer = |ways, dimensions: usize, ids: &[groups::Id], width| Groups {
        ways,
        outputs: coordinates(dimensions, ids, |id, dimension| groups::Coordinate {
            id,
            dimension,
            width,
        }),
    };
    let both = [groups::Id::Group, groups::Id::Base];
    vec![
        boxed(dealer(1, 1, &[groups::Id::Base], 32)),
        boxed(dealer(1, 1, &both, 32)),
        boxed(dealer(1, 2, &[groups::Id::Base], 16)),
        boxed(dealer(4, 2, &[groups::Id::Base], 32)),
        boxed(dealer(4, 3, &both, 32)),
    ]
}

fn unfolders() -> Vec<Box<dyn UnitKind>> {
    let unfolder = |dimensions: usize, ids: &[items::Id], width| {
        let inputs = [groups::Id::Group, groups::Id::Base];
        Items {
            inputs: coordinates(dimensions, &inputs, |id, dimension| groups::Coordinate {
                id,
                dimension,
                width,
            }),
            carried: Fields::new([3]),
            outputs: coordinates(dimensions, ids, |id, dimension| items::Coordinate {
                id,
                dimension,
                width,
            }),
        }
    };
    let all = [items::Id::Global, items::Id::Local, items::Id::Group];
    vec![
        boxed(unfolder(1, &[items::Id::Global], 32)),
        boxed(unfolder(1, &[items::Id::Local, items::Id::Group], 32)),
        boxed(unfolder(2, &[items::Id::Global], 16)),
        boxed(unfolder(2, &all, 32)),
        boxed(unfolder(3, &[items::Id::Global], 32)),
    ]
}

/// These identifiers in each dimension.
fn coordinates<I: Copy, C>(dimensions: usize, ids: &[I], make: impl Fn(I, usize) -> C) -> Vec<C> {
    let of = |dimension| ids.iter().map(move |&id| (id, dimension));
    let all = (0..dimensions).flat_map(of);
    all.map(|(id, dimension)| make(id, dimension)).collect()
}

fn group_slots() -> Vec<Box<dyn UnitKind>> {
    let choices = [(2, 256, 32), (4, 64, 64), (16, 1024, 96), (64, 256, 32)];
    let slots = |(count, most_items, width): (u32, u32, usize)| GroupSlots {
        count,
        most_items,
        fields: Fields::new(vec![32; width / 32]),
    };
    choices.map(|choice| boxed(slots(choice))).into()
}

type Measured = (&'static str, fn() -> Vec<Box<dyn UnitKind>>);

const UNITS: [Measured; 8] = [
    ("groups", dealers),
    ("items", unfolders),
    ("group_slots", group_slots),
    ("store", stores),
    ("load", loads),
    ("arbiter", arbiters),
    ("memory_port", memory_ports),
    ("cache", caches),
];

fn main() {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let folder = env::temp_dir().join(format!("sluice-units-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary directory is writable");
    println!(" LUTs declared ratio    FFs declared ratio  BRAMs declared  unit");
    for (name, kinds) in UNITS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            kinds().into_iter().for_each(|kind| report(kind, &folder));
        }
    }
    fs::remove_dir_all(&folder).expect("the temporary directory is writable");
}

fn report(kind: Box<dyn UnitKind>, folder: &Path) {
    let (declared, name) = (kind.cost(&family::ECP5), format!("{kind:?}"));
    let found = synthesise(&Circuit::of_units("alone", vec![kind]), folder);
    let ratio = |declared: u32, found: u32| f64::from(declared) / f64::from(found.max(1));
    println!(
        "{:5} {:8} {:5.2} {:6} {:8} {:5.2} {:6} {:8}  {name}",
        found.logic,
        declared.logic,
        ratio(declared.logic, found.logic),
        found.registers,
        declared.registers,
        ratio(declared.registers, found.registers),
        found.block_memories,
        declared.block_memories,
    );
}

fn synthesise(circuit: &Circuit, folder: &Path) -> Cost {
    let mut script = String::from("read_verilog");
    for file in emit(circuit) {
        fs::write(folder.join(&file.name), &file.text).expect("the directory is writable");
        script += &format!(" {}", file.name);
    }
    // Without the delay, the mapper trades area for a speed that is not needed.
    script += &format!(
        "; scratchpad -set abc9.D 4000; synth_ecp5 -abc9 -top {}; tee -o stat.txt stat",
        circuit.name
    );
    let output = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder)
        .output();
    let output = output.expect("yosys runs: install the Debian package `yosys`");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    let stat = fs::read_to_string(folder.join("stat.txt")).expect("yosys wrote its statistics");
    let cells = |kind: &str| -> u32 {
        let lines = stat
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let mut counts = lines.filter(|line| line.first() == Some(&kind));
        let last = counts.next_back();
        last.map_or(0, |line| line[1].parse().expect("a number of cells"))
    };
    Cost {
        logic: cells("LUT4") + 2 * cells("CCU2C") + 6 * cells("TRELLIS_DPR16X4"),
        registers: cells("TRELLIS_FF"),
        multipliers: cells("MULT18X18D"),
        block_memories: cells("DP16KD"),
    }
}
