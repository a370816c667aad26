//! Loops of one work-item: cycles per iteration, and how each loop goes through the circuit.

use std::error::Error;

use sluice_driver::Board;
use sluice_kernel::launch::simulate;
use sluice_kernel::lower::LoopDescription;

use crate::workloads::{Loaded, kernel_file};

/// The board that loops are simulated on.
pub const BOARD: &str = "arria10-pac";

/// A kernel of one work-item and its launch.
pub struct Single {
    pub name: &'static str,
    pub file: &'static str,
    pub options: &'static [&'static str],
    pub launch: fn() -> String,
    /// Iterations of the innermost loop.
    pub iterations: u64,
    /// Cycles per iteration, at most; none where no goal is set.
    pub goal: Option<f64>,
}

/// What came of it.
pub struct Measured {
    /// Cycles of the launch.
    pub cycles: u64,
    /// The ways of the loops.
    pub loops: String,
}

const SINGLE: &[Single] = &[
    Single {
        name: "vector add",
        file: "single/vector_add.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 4096".into(),
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "sum, exact order",
        file: "single/sum.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a zero:1 -a 4096".into(),
        iterations: 4096,
        goal: None,
    },
    Single {
        name: "sum, relaxed math",
        file: "single/sum.cl",
        options: &["-cl-fast-relaxed-math"],
        launch: || "-g 1 -a rand:4096:1 -a zero:1 -a 4096".into(),
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "prefix sum, exact order",
        file: "single/prefix_sum.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a zero:4096 -a 4096".into(),
        iterations: 4096,
        goal: None,
    },
    Single {
        name: "matrix product, 64",
        file: "single/matrix_product.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 64".into(),
        iterations: 64 * 64 * 64,
        goal: Some(1.1),
    },
    Single {
        name: "FIR of 16 taps",
        file: "single/fir.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a rand:16:2 -a zero:4096 -a 4096".into(),
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "common subsequence",
        file: "single/common_subsequence.cl",
        options: &[],
        launch: || "-g 1 -a rand:64:1:0:4 -a rand:64:2:0:4 -a zero:1 -a 64 -a 64".into(),
        iterations: 64 * 64,
        goal: Some(4.0),
    },
    Single {
        name: "Sobel, 64 x 64",
        file: "single/sobel.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a zero:4096 -a 64".into(),
        iterations: 4096,
        goal: Some(1.1),
    },
    Single {
        name: "histogram, 256 bins",
        file: "single/histogram.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a zero:256 -a 4096".into(),
        iterations: 4096,
        goal: Some(1.2),
    },
    Single {
        name: "sparse product, 512 rows",
        file: "single/spmv.cl",
        options: &[],
        launch: sparse_launch,
        iterations: 512 * 8,
        goal: Some(1.3),
    },
    Single {
        name: "Smith-Waterman, 96 x 128",
        file: "single/smith_waterman.cl",
        options: &[],
        launch: || "-g 1 -a rand:96:1:0:3 -a rand:128:2:0:3 -a zero:1 -a 96 -a 128".into(),
        iterations: 96 * 128,
        goal: Some(4.0),
    },
    Single {
        name: "linked list",
        file: "single/linked_list.cl",
        options: &[],
        launch: || "-g 1 -a rand:1024:1:0:1023 -a rand:1024:2:0:99 -a zero:1 -a 1024".into(),
        iterations: 1024,
        goal: None,
    },
    Single {
        name: "bubble sort, 128",
        file: "single/bubble_sort.cl",
        options: &[],
        launch: || "-g 1 -a rand:128:1:0:999 -a 128".into(),
        iterations: 127 * 128 / 2,
        goal: None,
    },
    Single {
        name: "transposition, 64 x 64",
        file: "single/transpose.cl",
        options: &[],
        launch: || "-g 1 -a rand:4096:1 -a zero:4096 -a 64".into(),
        iterations: 64 * 64,
        goal: None,
    },
    Single {
        name: "Floyd-Warshall, 32",
        file: "single/floyd_warshall.cl",
        options: &[],
        launch: || "-g 1 -a rand:1024:1:0:99 -a 32".into(),
        iterations: 32 * 32 * 32,
        goal: None,
    },
    Single {
        name: "knapsack, 64 of 256",
        file: "single/knapsack.cl",
        options: &[],
        launch: || "-g 1 -a fill:64:20 -a rand:64:2:1:99 -a zero:1 -a 64".into(),
        iterations: 64 * (256 - 20 + 1),
        goal: None,
    },
    Single {
        name: "Gauss-Seidel, 32 x 32",
        file: "single/gauss_seidel.cl",
        options: &[],
        launch: || "-g 1 -a rand:1024:1 -a 32 -a 4".into(),
        iterations: 4 * 30 * 30,
        goal: None,
    },
];

/// 512 rows of up to 16 non-zeros, 8 in the mean.
fn sparse_launch() -> String {
    let lengths = (0..512).map(|row| [3, 16, 0, 9, 12, 5, 8, 11][row % 8]);
    let mut starts = vec![0];
    for length in lengths {
        starts.push(starts.last().expect("there is one") + length);
    }
    let count = starts.last().expect("there is one");
    assert_eq!(*count, 512 * 8);
    let starts: Vec<String> = starts.iter().map(u32::to_string).collect();
    format!(
        "-g 1 -a values:{} -a rand:{count}:1:0:511 -a rand:{count}:2 -a rand:512:3 -a zero:512 -a 512",
        starts.join(",")
    )
}

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!(
        "Loops of one work-item on {BOARD}: cycles of whole launches, and the ways of the loops\n"
    );
    println!(
        "{:<24} {:>9} {:>10} {:>13} {:>5}  loops, with their intervals",
        "kernel", "cycles", "iterations", "per iteration", "goal"
    );
    for single in SINGLE {
        let Measured { cycles, loops } = single.measure()?;
        let goal = single.goal.map_or("-".into(), |goal| goal.to_string());
        println!(
            "{:<24} {:>9} {:>10} {:>13.2} {:>5}  {}",
            single.name,
            cycles,
            single.iterations,
            cycles as f64 / single.iterations as f64,
            goal,
            loops
        );
    }
    println!();
    Ok(())
}

impl Single {
    /// Simulates the launch.
    pub fn measure(&self) -> Result<Measured, Box<dyn Error>> {
        let board = Board::find(BOARD)?;
        let options: Vec<String> = self.options.iter().map(|it| (*it).into()).collect();
        let source = kernel_file(self.file, &options);
        let loaded = Loaded::new(&source, &(self.launch)(), &board.target, 1)?;
        let options = simulate::Options {
            timing: board.timing,
            ..simulate::Options::default()
        };
        let loops = loaded.design.lowered.kernels()[0].loop_ways.iter();
        let loops: Vec<String> = loops.map(way).collect();
        Ok(Measured {
            cycles: loaded.cycles(&options)?,
            loops: loops.join(", "),
        })
    }
}

/// The way of a loop, with its interval if its iterations overlap.
fn way(of: &LoopDescription) -> String {
    match &of.timing {
        Some(timing) => format!("{} {}", of.way.name(), timing.interval),
        None => of.way.name().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn per_iteration(name: &str) -> f64 {
        let mut all = SINGLE.iter();
        let single = all.find(|it| it.name == name).expect("it is listed");
        let measured = single.measure().unwrap_or_else(|error| panic!("{error}"));
        measured.cycles as f64 / single.iterations as f64
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
    fn a_nest_with_line_buffers_takes_a_pixel_per_cycle() {
        check_goal("Sobel, 64 x 64");
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
