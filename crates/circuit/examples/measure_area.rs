//! Measures what the operators occupy on an ECP5, with Yosys (Debian package `yosys`):
//!
//! ```text
//! cargo run --release -p sluice-circuit --example measure_area -- [--period NS | --all] [OPERATOR...]
//! ```
//!
//! The registers are those for a clock period, all (`--all`), or none. The figures of `--all` are the
//! data of each operator's `logic`: there, Yosys trades no area for depth across steps. Look-up
//! tables count those of carry chains (two per CCU2C).

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use sluice_circuit::family;
use sluice_circuit::operators::{self, Operator, Regs};
use sluice_circuit::target::Target;
use sluice_circuit::verilog;

/// Where registers stand.
enum Choice {
    None,
    All,
    Period(f64),
}

fn main() {
    let mut names: Vec<String> = env::args().skip(1).collect();
    let choice = match names.first().map(String::as_str) {
        Some("--period") => {
            let period = names[1].parse().expect("a period in nanoseconds");
            names.drain(..2);
            Choice::Period(period)
        }
        Some("--all") => {
            names.remove(0);
            Choice::All
        }
        Some(_) | None => Choice::None,
    };
    let folder = env::temp_dir().join(format!("sluice-area-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary directory is writable");
    println!("LUTs  (declared)   FFs  (declared)  DSPs  blocks  latency  operator and registers");
    for (name, samples) in operators::catalog() {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        for operator in samples {
            let regs = match choice {
                Choice::None => Regs::NONE,
                Choice::All => Regs::all(operator.steps(&family::ECP5.delays).len()),
                Choice::Period(period) => operator.pipeline(&Target {
                    period,
                    ..Target::ECP5
                }),
            };
            report(&*operator, regs, &folder);
        }
    }
    fs::remove_dir_all(&folder).expect("the temporary directory is writable");
}

fn report(operator: &dyn Operator, regs: Regs, folder: &Path) {
    let stat = synthesise(operator, regs, folder);
    let cells = |kind: &str| -> u32 {
        let lines = stat
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let counts = lines.filter(|line| line.first() == Some(&kind));
        counts
            .filter_map(|line| line.get(1)?.parse::<u32>().ok())
            .sum()
    };
    let luts = cells("LUT4") + 2 * cells("CCU2C");
    let declared = operator.cost(regs, &family::ECP5);
    println!(
        "{luts:5} {:10} {:6} {:10} {:5} {:7} {:8}  {operator:?} {regs}",
        declared.logic,
        cells("TRELLIS_FF"),
        declared.registers,
        cells("MULT18X18D"),
        cells("DP16KD"),
        regs.latency(),
    );
}

fn synthesise(operator: &dyn Operator, regs: Regs, folder: &Path) -> String {
    let (mut header, mut connections) = (vec!["input wire clk".to_owned()], Vec::new());
    let inputs = operator.inputs().into_iter().map(|port| ("input", port));
    let outputs = operator.outputs().into_iter().map(|port| ("output", port));
    for (direction, port) in inputs.chain(outputs) {
        header.push(format!(
            "{direction} wire [{}:0] {}",
            port.width - 1,
            port.name
        ));
        connections.push((port.name, port.name));
    }
    let instance = verilog::operator_instance(operator, regs, "it", &connections);
    let top = format!("module top({});\n{instance}endmodule\n", header.join(", "));
    let mut script = String::from("read_verilog top.v");
    fs::write(folder.join("top.v"), top).expect("the temporary directory is writable");
    for source in operator.sources() {
        fs::write(folder.join(source.file), source.text).expect("the directory is writable");
        script += &format!(" {}", source.file);
    }
    script += "; synth_ecp5 -abc9 -top top; tee -o stat.txt stat";
    let output = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder)
        .output();
    let output = output.expect("yosys runs: install the Debian package `yosys`");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::read_to_string(folder.join("stat.txt")).expect("yosys wrote its statistics")
}
