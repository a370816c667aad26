//! Area and latency of the cores of elementary functions, compared with the same functions as chains
//! of operations.

use std::error::Error;

use sluice_circuit::cost::Cost;
use sluice_circuit::family;
use sluice_circuit::report::Report;
use sluice_circuit::target::Target;
use sluice_kernel::launch::simulate;

use crate::workloads::{Loaded, kernel_file};

/// A function as three expressions of `a` and `b`.
struct Function {
    name: &'static str,
    /// The baseline: transfers the same data and computes next to nothing.
    copy: &'static str,
    full: &'static str,
    native: &'static str,
    chain: &'static str,
}

macro_rules! of_one {
    ($name:literal) => {
        Function {
            name: $name,
            copy: "fabs(a)",
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
    Function {
        // libclc's goes through the logarithm to base 2, too.
        chain: "__sluice_chain_log2(a) * 0.693147182f",
        ..of_one!("log")
    },
    of_one!("log2"),
    of_one!("log10"),
    of_one!("sin"),
    of_one!("cos"),
    Function {
        name: "rsqrt",
        copy: "fabs(a)",
        full: "rsqrt(a)",
        native: "native_rsqrt(a)",
        chain: "1.0f / sqrt(a)",
    },
    Function {
        name: "recip",
        copy: "fabs(a)",
        full: "__sluice_f32_recip(a)",
        native: "native_recip(a)",
        chain: "1.0f / a",
    },
    Function {
        name: "divide",
        copy: "copysign(a, b)",
        full: "__sluice_f32_divide(a, b)",
        native: "native_divide(a, b)",
        chain: "a / b",
    },
    Function {
        name: "powr",
        copy: "copysign(a, b)",
        full: "powr(a, b)",
        native: "native_powr(a, b)",
        chain: "__sluice_chain_pow(a, b)",
    },
];

/// The area of a kernel with only this function, and the cycles of one work-item.
struct Measured {
    cost: Cost,
    cycles: u64,
}

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!(
        "Elementary functions of float on an ECP5, areas as reports estimate them: what a kernel"
    );
    println!("has more than one that only copies, and how much longer one work-item takes\n");
    println!(
        "{:<8} {:<8} {:>7} {:>7} {:>5} {:>6} {:>7}",
        "function", "as", "LUTs", "FFs", "DSPs", "BRAMs", "cycles"
    );
    for function in FUNCTIONS {
        let nothing = kernel(function.copy)?;
        for (how, value) in [
            ("core", function.full),
            ("native", function.native),
            ("chain", function.chain),
        ] {
            let all = kernel(value)?;
            let more =
                |of: fn(&Cost) -> u32| i64::from(of(&all.cost)) - i64::from(of(&nothing.cost));
            println!(
                "{:<8} {how:<8} {:>7} {:>7} {:>5} {:>6} {:>7}",
                function.name,
                more(|cost| cost.logic),
                more(|cost| cost.registers),
                more(|cost| cost.multipliers),
                more(|cost| cost.block_memories),
                all.cycles - nothing.cycles,
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
    Ok(Measured {
        cost: Report::of(loaded.design.lowered.circuit(), &family::ECP5).total,
        cycles: loaded.cycles(&simulate::Options::default())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_smaller_and_faster_than_chains() {
        for function in FUNCTIONS {
            let [core, native, chain] = [function.full, function.native, function.chain]
                .map(|value| kernel(value).unwrap_or_else(|error| panic!("{error}")));
            let name = function.name;
            assert!(native.cost.logic < core.cost.logic, "{name}");
            assert!(core.cost.logic < chain.cost.logic, "{name}");
            assert!(
                core.cycles < chain.cycles && native.cycles <= core.cycles,
                "{name}"
            );
        }
    }
}
