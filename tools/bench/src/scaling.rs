//! Speedup of several datapaths: cycles of compute-bound kernels, on an FPGA large enough for several.

use std::error::Error;

use sluice_driver::Board;
use sluice_kernel::launch::simulate;

use crate::workloads::{Loaded, kernel_file};

/// Numbers of datapaths; the first is the baseline.
const DATAPATHS: [u32; 4] = [1, 2, 4, 8];

const BOARD: &str = "arria10-pac";

/// The goal: the number of datapaths, and the speedup over one.
const GOAL: (u32, f64) = (4, 3.6);

/// A kernel and its launch.
struct Scaled {
    name: &'static str,
    file: &'static str,
    launch: &'static str,
}

const SCALED: &[Scaled] = &[
    Scaled {
        name: "tiled matrix multiply",
        file: "matrix_multiply_tiled.cl",
        launch: "-g 128,512 -a 128 -a rand:65536 -a rand:16384:2 -a zero:65536",
    },
    Scaled {
        name: "matrix multiply",
        file: "matrix_multiply.cl",
        launch: "-g 64,64 -l 16,4 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 64",
    },
    Scaled {
        name: "rows, 2048 of 1024",
        file: "rows.cl",
        launch: "-g 2048 -l 64 -a rand:2097152 -a zero:2048 -a 1024",
    },
    Scaled {
        name: "n-body, 1024",
        file: "nbody.cl",
        launch: "-g 1024 -l 64 -a rand:1024:1 -a rand:1024:2 -a zero:1024 -a zero:1024 -a 1024 \
                 -a 0.01",
    },
    Scaled {
        name: "Mandelbrot, 64 x 64",
        file: "mandelbrot.cl",
        launch: "-g 64,64 -l 16,4 -a zero:4096 -a 64 -a -2.0 -a -1.5 -a 0.046875 -a 100",
    },
    Scaled {
        name: "Mandelbrot, 128 x 128",
        file: "mandelbrot.cl",
        launch: "-g 128,128 -l 16,4 -a zero:16384 -a 128 -a -2.0 -a -1.5 -a 0.0234375 -a 100",
    },
    Scaled {
        name: "tree reduction, 64 Ki",
        file: "reduce.cl",
        launch: "-g 65536 -a rand:65536 -a zero:256",
    },
    Scaled {
        name: "tree reduction, 256 Ki",
        file: "reduce.cl",
        launch: "-g 262144 -a rand:262144 -a zero:1024",
    },
    Scaled {
        name: "histogram, 16 an item",
        file: "histogram.cl",
        launch: "-g 4096 -a rand:65536 -a zero:256 -a 16",
    },
    Scaled {
        name: "histogram, 64 an item",
        file: "histogram.cl",
        launch: "-g 4096 -a rand:262144 -a zero:256 -a 64",
    },
];

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    let (many, goal) = GOAL;
    println!("Datapaths on {BOARD}: cycles of whole launches, and how many times as fast as one");
    println!("(goal: {goal} with {many})\n");
    print!("{:<24}", "kernel");
    for datapaths in DATAPATHS {
        print!(" {:>9}", format!("with {datapaths}"));
    }
    for datapaths in &DATAPATHS[1..] {
        print!(" {:>6}", format!("x {datapaths}"));
    }
    println!(" {:>6}", "goal");
    for scaled in SCALED {
        let cycles = scaled.cycles()?;
        print!("{:<24}", scaled.name);
        for cycles in cycles {
            print!(" {cycles:>9}");
        }
        for other in &cycles[1..] {
            print!(" {:>6.2}", cycles[0] as f64 / *other as f64);
        }
        println!(" {goal:>6}");
    }
    println!();
    Ok(())
}

impl Scaled {
    /// By number of datapaths.
    fn cycles(&self) -> Result<[u64; DATAPATHS.len()], Box<dyn Error>> {
        let mut cycles = [0; DATAPATHS.len()];
        for (cycles, datapaths) in cycles.iter_mut().zip(DATAPATHS) {
            *cycles = self.cycles_with(datapaths)?;
        }
        Ok(cycles)
    }

    fn cycles_with(&self, datapaths: u32) -> Result<u64, Box<dyn Error>> {
        let board = Board::find(BOARD)?;
        let source = kernel_file(self.file, &[]);
        let loaded = Loaded::new(&source, self.launch, &board.target, datapaths)?;
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

    fn check_goal(name: &str) {
        let (many, goal) = GOAL;
        let mut all = SCALED.iter();
        let scaled = all.find(|it| it.name == name).expect("it is listed");
        let cycles = |datapaths| {
            let cycles = scaled.cycles_with(datapaths);
            cycles.unwrap_or_else(|error| panic!("{error}")) as f64
        };
        let gained = cycles(1) / cycles(many);
        assert!(gained >= goal, "{gained:.2}, not {goal}");
    }

    #[test]
    fn datapaths_speed_a_tiled_matrix_multiply_up_as_is_the_goal() {
        check_goal("tiled matrix multiply");
    }

    #[test]
    fn datapaths_speed_rows_up_as_is_the_goal() {
        check_goal("rows, 2048 of 1024");
    }
}
