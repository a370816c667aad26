//! What the cores of elementary functions occupy and take, beside the same functions as chains of
//! operations.

use std::error::Error;

use sluice_circuit::emit::emit;
use sluice_circuit::target::Target;
use sluice_kernel::simulate;

use crate::area::{Area, synthesise};
use crate::workloads::{Loaded, kernel_file};

/// A function as three expressions of `a` and `b`.
struct Function {
    name: &'static str,
    full: &'static str,
    native: &'static str,
    chain: &'static str,
}

macro_rules! of_one {
    ($name:literal) => {
        Function {
            name: $name,
            full: concat!($name, "(a)"),
            native: concat!("native_", $name, "(a)"),
            chain: concat!("__sluice_chain_", $name, "(a)"),
        }
    };
}

const FUNCTIONS: &[Function] = &[
    of_one!("exp"),
    of_one!("exp2"),
    of_one!("exp10"),
    of_one!("log"),
    of_one!("log2"),
    of_one!("log10"),
    of_one!("sin"),
    of_one!("cos"),
    Function {
        name: "rsqrt",
        full: "rsqrt(a)",
        native: "native_rsqrt(a)",
        chain: "1.0f / sqrt(a)",
    },
    Function {
        name: "recip",
        full: "__sluice_f32_recip(a)",
        native: "native_recip(a)",
        chain: "1.0f / a",
    },
    Function {
        name: "divide",
        full: "__sluice_f32_divide(a, b)",
        native: "native_divide(a, b)",
        chain: "a / b",
    },
    Function {
        name: "pow",
        full: "pow(a, b)",
        native: "native_powr(a, b)",
        chain: "__sluice_chain_pow(a, b)",
    },
];

/// What a kernel that does nothing else occupies, and the cycles of one work-item.
struct Measured {
    area: Area,
    cycles: u64,
}

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!("Elementary functions of float on an ECP5 (Yosys): what a kernel has more than one");
    println!("that adds a constant's sign, and takes longer for one work-item\n");
    println!(
        "{:<8} {:<8} {:>7} {:>7} {:>5} {:>6} {:>7}",
        "function", "as", "LUTs", "FFs", "DSPs", "BRAMs", "cycles"
    );
    // It moves the same data and computes next to nothing.
    let nothing = kernel("copysign(a, b)")?;
    for function in FUNCTIONS {
        for (how, value) in [
            ("core", function.full),
            ("native", function.native),
            ("chain", function.chain),
        ] {
            let all = kernel(value)?;
            println!(
                "{:<8} {how:<8} {:>7} {:>7} {:>5} {:>6} {:>7}",
                function.name,
                all.area.luts.saturating_sub(nothing.area.luts),
                all.area.ffs.saturating_sub(nothing.area.ffs),
                all.area.dsps - nothing.area.dsps,
                all.area.brams.saturating_sub(nothing.area.brams),
                all.cycles.saturating_sub(nothing.cycles),
            );
        }
    }
    println!();
    Ok(())
}

fn kernel(value: &str) -> Result<Measured, Box<dyn Error>> {
    let source = kernel_file("elementary.cl", &[format!("-DVALUE={value}")]);
    let launch = "-g 1 -a values:1.75 -a values:2.5 -a zero:1";
    let loaded = Loaded::new(&source, launch, &Target::ECP5, 1)?;
    let cycles = loaded.run(&simulate::Options::default())?.cycles;
    let circuit = &loaded.design.lowered.circuit;
    let area = synthesise(&emit(circuit), &circuit.name)?;
    Ok(Measured { area, cycles })
}
