//! Measures what a handshake per segment saves over a handshake per operation, on an ECP5, with
//! Yosys (Debian packages `yosys` and `iverilog`):
//!
//! ```text
//! cargo run --release -p sluice-circuit --example measure_styles [-- OPERATIONS]
//! ```
//!
//! Both circuits compute the same graph of 32-bit integer operations. One is a segment. The other
//! gives each operation a register, a second one behind it so that ready comes from a register, and
//! a handshake to every consumer, taken independently; queues balance ways of different length.
//! Simulator and Icarus check that both give the same tokens.

mod elastic;
#[path = "../graphs/mod.rs"]
mod graphs;
mod run;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::target::Target;
use sluice_circuit::units::segment::Segment;
use sluice_circuit::verilog::emit;

fn main() {
    let count = env::args().nth(1);
    let count = count.map_or(50, |count| count.parse().expect("a number of operations"));
    let graph = graphs::integers(count);
    let segment = Segment::schedule(graph.clone(), &Target::ECP5);
    let styles = [
        (
            "segment",
            Circuit::of_units("segment", vec![Box::new(segment)]),
        ),
        ("elastic", elastic::circuit(&graph)),
    ];
    let folder = env::temp_dir().join(format!("sluice-styles-{}", std::process::id()));
    let areas = styles.map(|(name, circuit)| {
        let folder = folder.join(name);
        let (tokens, cycles) = run::simulate(&circuit);
        write(&circuit, &folder);
        assert_eq!(
            run::with_icarus(&circuit, &folder),
            tokens,
            "{name}: Verilog"
        );
        println!("{name}: {} tokens in {cycles} cycles", tokens.len());
        (tokens, name, synthesise(&circuit, &folder))
    });
    let [(segment, ..), (elastic, ..)] = &areas;
    assert_eq!(segment, elastic, "both styles compute the same");
    println!(
        "\n{:10} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "", "LUTs", "logic", "memory", "FFs", "BRAMs"
    );
    for (_, name, area) in &areas {
        println!(
            "{name:10} {:6} {:6} {:6} {:6} {:6}",
            area.luts(),
            area.logic,
            area.memory,
            area.ffs,
            area.brams
        );
    }
    let [(_, _, segment), (_, _, elastic)] = &areas;
    let ratio = |a: u32, b: u32| f64::from(a) / f64::from(b);
    println!(
        "segment / elastic: {:.2} of the LUTs, {:.2} of the FFs",
        ratio(segment.luts(), elastic.luts()),
        ratio(segment.ffs, elastic.ffs)
    );
    fs::remove_dir_all(&folder).expect("the temporary directory is writable");
}

fn write(circuit: &Circuit, folder: &Path) {
    fs::create_dir_all(folder).expect("the temporary directory is writable");
    for file in emit(circuit) {
        fs::write(folder.join(&file.name), file.text).expect("the directory is writable");
    }
}

/// What a circuit occupies.
struct Area {
    /// Look-up tables of logic, those of carry chains included.
    logic: u32,
    /// Look-up tables of distributed memory.
    memory: u32,
    ffs: u32,
    brams: u32,
}

impl Area {
    fn luts(&self) -> u32 {
        self.logic + self.memory
    }
}

fn synthesise(circuit: &Circuit, folder: &Path) -> Area {
    let files: Vec<String> = emit(circuit).into_iter().map(|file| file.name).collect();
    // Without the delay, the mapper trades area for a speed that is not needed.
    let script = format!(
        "read_verilog {}; scratchpad -set abc9.D 4000; synth_ecp5 -abc9 -top {}; tee -o stat.txt stat",
        files.join(" "),
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
        let counts = lines.filter(|line| line.first() == Some(&kind));
        counts
            .filter_map(|line| line.get(1)?.parse::<u32>().ok())
            .sum()
    };
    Area {
        logic: cells("LUT4") + 2 * cells("CCU2C"),
        // Sixteen words of four bits take two slices, and the two tables of a third for writing.
        memory: 6 * cells("TRELLIS_DPR16X4"),
        ffs: cells("TRELLIS_FF"),
        brams: cells("DP16KD"),
    }
}
