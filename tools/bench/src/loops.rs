//! Loops of one work-item: cycles per iteration, and how each loop goes through the circuit.

use std::error::Error;

use sluice_driver::Board;
use sluice_kernel::launch::simulate;

use crate::workloads::{Loaded, kernel_file};

const BOARD: &str = "arria10-pac";

/// A kernel of one work-item and its launch.
struct Single {
    name: &'static str,
    file: &'static str,
    options: &'static [&'static str],
    launch: &'static str,
    /// Iterations of the innermost loop.
    iterations: u64,
    /// Cycles per iteration, at most; none where no goal is set.
    goal: Option<f64>,
}

const SINGLE: &[Single] = &[
    Single {
        name: "vector add",
        file: "single/vector_add.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 4096",
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "sum, exact order",
        file: "single/sum.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a zero:1 -a 4096",
        iterations: 4096,
        goal: None,
    },
    Single {
        name: "sum, relaxed math",
        file: "single/sum.cl",
        options: &["-cl-fast-relaxed-math"],
        launch: "-g 1 -a rand:4096:1 -a zero:1 -a 4096",
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "prefix sum, exact order",
        file: "single/prefix_sum.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a zero:4096 -a 4096",
        iterations: 4096,
        goal: None,
    },
    Single {
        name: "matrix product, 64",
        file: "single/matrix_product.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 64",
        iterations: 64 * 64 * 64,
        goal: Some(1.1),
    },
    Single {
        name: "FIR of 16 taps",
        file: "single/fir.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a rand:16:2 -a zero:4096 -a 4096",
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "common subsequence",
        file: "single/common_subsequence.cl",
        options: &[],
        launch: "-g 1 -a rand:64:1:0:4 -a rand:64:2:0:4 -a zero:1 -a 64 -a 64",
        iterations: 64 * 64,
        goal: Some(4.0),
    },
    Single {
        name: "Sobel, 64 x 64",
        file: "single/sobel.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a zero:4096 -a 64",
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "histogram, 256 bins",
        file: "single/histogram.cl",
        options: &[],
        launch: "-g 1 -a rand:4096:1 -a zero:256 -a 4096",
        iterations: 4096,
        goal: Some(1.2),
    },
];

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!("Loops of one work-item on {BOARD}: cycles of whole launches\n");
    println!(
        "{:<24} {:>9} {:>9} {:>14} {:>6}",
        "kernel", "cycles", "iterations", "per iteration", "goal"
    );
    for single in SINGLE {
        let cycles = single.cycles()?;
        let goal = single.goal.map_or("-".into(), |goal| goal.to_string());
        println!(
            "{:<24} {:>9} {:>9} {:>14.2} {:>6}",
            single.name,
            cycles,
            single.iterations,
            cycles as f64 / single.iterations as f64,
            goal
        );
    }
    println!();
    Ok(())
}

impl Single {
    fn cycles(&self) -> Result<u64, Box<dyn Error>> {
        let board = Board::find(BOARD)?;
        let options: Vec<String> = self.options.iter().map(|it| (*it).into()).collect();
        let source = kernel_file(self.file, &options);
        let loaded = Loaded::new(&source, self.launch, &board.target, 1)?;
        let options = simulate::Options {
            timing: board.timing,
            ..simulate::Options::default()
        };
        loaded.cycles(&options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn per_iteration(name: &str) -> f64 {
        let mut all = SINGLE.iter();
        let single = all.find(|it| it.name == name).expect("it is listed");
        let cycles = single.cycles().unwrap_or_else(|error| panic!("{error}"));
        cycles as f64 / single.iterations as f64
    }

    fn check_goal(name: &str) {
        let single = SINGLE.iter().find(|it| it.name == name);
        let goal = single.and_then(|it| it.goal).expect("it has a goal");
        let measured = per_iteration(name);
        assert!(
            measured <= goal,
            "{name}: {measured:.2} cycles per iteration"
        );
    }

    #[test]
    fn vector_add_starts_an_iteration_per_cycle() {
        check_goal("vector add");
    }

    #[test]
    fn a_sum_that_may_be_reassociated_starts_an_iteration_per_cycle() {
        check_goal("sum, relaxed math");
    }

    #[test]
    fn a_matrix_product_computes_a_product_per_cycle() {
        check_goal("matrix product, 64");
    }

    #[test]
    fn a_shift_register_takes_a_sample_per_cycle() {
        check_goal("FIR of 16 taps");
    }

    #[test]
    fn a_histogram_counts_a_value_per_cycle() {
        check_goal("histogram, 256 bins");
    }

    #[test]
    fn a_sum_in_order_takes_as_long_as_the_adder() {
        let measured = per_iteration("sum, exact order");
        assert!(measured < 5.1, "{measured:.2} cycles per iteration");
    }
}
