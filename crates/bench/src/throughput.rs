//! Circuits on the simulator: work done per cycle, whole launches from reset to done, with the
//! default external memory.

use std::error::Error;
use std::path::Path;

use sluice_circuit::target::Target;
use sluice_driver::{CompileArgs, LaunchArgs, Prepared, compile, prepare};
use sluice_kernel::lower::{Buffers, Lowered, MemoryPlan, lower};
use sluice_kernel::simulate::{self, simulate};
use sluice_kernel::{Kernel, interp};

/// A kernel, its launch, and how much of what it does.
pub(crate) struct Workload {
    pub(crate) file: &'static str,
    launch: fn() -> String,
    work: Work,
    what: &'static str,
    /// What is to be reached, per cycle.
    goal: f64,
}

/// How much a launch does.
enum Work {
    Known(u64),
    /// The sum of the integers that it leaves in its first buffer.
    SumOfFirstBuffer,
}

const ROWS: u64 = 1024;

pub(crate) const WORKLOADS: &[Workload] = &[
    Workload {
        file: "vector_add.cl",
        launch: || "-g 65536 -l 64 -a rand:65536:1 -a rand:65536:2 -a zero:65536".into(),
        work: Work::Known(65536),
        what: "work-items",
        goal: 0.95,
    },
    Workload {
        file: "dot_rows.cl",
        launch: || "-g 1024 -l 64 -a rand:65536:1 -a rand:65536:2 -a zero:1024 -a 64".into(),
        work: Work::Known(65536),
        what: "products",
        goal: 0.9,
    },
    Workload {
        file: "matrix_multiply.cl",
        launch: || "-g 64,64 -l 16,4 -a rand:4096:1 -a rand:4096:2 -a zero:4096 -a 64".into(),
        work: Work::Known(64 * 64 * 64),
        what: "products",
        goal: 0.9,
    },
    Workload {
        file: "stencil.cl",
        launch: || "-g 256,256 -l 16,4 -a rand:65536:1 -a zero:65536 -a 256 -a 256".into(),
        work: Work::Known(256 * 256),
        what: "points",
        goal: 0.18,
    },
    Workload {
        file: "fir.cl",
        launch: || "-g 16384 -l 64 -a rand:16400:1 -a rand:16:2 -a zero:16384 -a 16".into(),
        work: Work::Known(16384 * 16),
        what: "products",
        goal: 0.9,
    },
    Workload {
        file: "mandelbrot.cl",
        launch: || "-g 64,64 -l 16,4 -a zero:4096 -a 64 -a -2.0 -a -1.5 -a 0.046875 -a 100".into(),
        work: Work::SumOfFirstBuffer,
        what: "steps",
        goal: 0.9,
    },
    Workload {
        file: "spmv.cl",
        launch: sparse_launch,
        work: Work::Known(ROWS * 16),
        what: "non-zeros",
        goal: 0.75,
    },
];

/// A matrix with 0 to 32 entries per row, 16 in the mean, anywhere.
fn sparse_launch() -> String {
    let mut starts = vec![0];
    let mut state = 1_u64;
    let mut last = 0;
    for row in 0..ROWS / 2 {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        // Two rows have 32 together.
        let entries = (state >> 33) % 33;
        starts.push(last + entries);
        last = 32 * (row + 1);
        starts.push(last);
    }
    let starts: Vec<String> = starts.iter().map(u64::to_string).collect();
    format!(
        "-g {ROWS} -l 64 -a values:{} -a rand:{last}:3:0:{} -a rand:{last}:4 -a rand:{ROWS}:5 \
         -a zero:{ROWS}",
        starts.join(","),
        ROWS - 1
    )
}

/// What a launch took.
struct Measured {
    work: u64,
    cycles: u64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.work as f64 / self.cycles as f64
    }
}

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!("Circuits on the simulator, whole launches\n");
    println!(
        "{:<20} {:>10} {:>10} {:>10} {:>6}",
        "kernel", "work", "cycles", "per cycle", "goal"
    );
    for workload in WORKLOADS {
        let measured = run(workload)?;
        println!(
            "{:<20} {:>10} {:>10} {:>10.3} {:>6} {}",
            workload.file,
            measured.work,
            measured.cycles,
            measured.rate(),
            workload.goal,
            workload.what,
        );
    }
    println!();
    Ok(())
}

/// A kernel with its launch and its circuit.
pub(crate) struct Lowering {
    pub(crate) kernel: Kernel,
    pub(crate) lowered: Lowered,
    launch: LaunchArgs,
}

impl Workload {
    /// Compiles it down to its circuit.
    pub(crate) fn lower(&self) -> Result<Lowering, Box<dyn Error>> {
        let args = CompileArgs {
            file: Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("kernels")
                .join(self.file),
            kernel: None,
            clang: Vec::new(),
        };
        let kernel = compile(&args)?.kernels.remove(0);
        let launch = LaunchArgs::parse_line(&(self.launch)())?;
        let plan = MemoryPlan {
            buffers: Buffers::of(&prepare(&kernel, &launch)?.launch),
            ..MemoryPlan::default()
        };
        let lowered = lower(&kernel, &Target::ECP5, plan).map_err(|refusal| refusal.to_string())?;
        Ok(Lowering {
            kernel,
            lowered,
            launch,
        })
    }
}

impl Lowering {
    /// The launch, with buffers of its own.
    pub(crate) fn prepare(&self) -> Result<Prepared, Box<dyn Error>> {
        Ok(prepare(&self.kernel, &self.launch)?)
    }
}

/// Runs a launch on its circuit and compares what it leaves with the interpreter's.
fn run(workload: &Workload) -> Result<Measured, Box<dyn Error>> {
    let lowering = workload.lower()?;
    let (kernel, lowered) = (&lowering.kernel, &lowering.lowered);
    let expected = lowering.prepare()?;
    let options = interp::Options::default();
    interp::run(kernel, &expected.launch, &expected.memory, &options)?;
    let prepared = lowering.prepare()?;
    let options = simulate::Options::default();
    let (launch, memory) = (&prepared.launch, &prepared.memory);
    let outcome = simulate(kernel, lowered, launch, memory, &options)?;
    let contents = |(_, buffer): (_, &sluice_kernel::launch::Buffer)| buffer.to_bytes();
    let ours: Vec<Vec<u8>> = memory.buffers().map(contents).collect();
    let theirs: Vec<Vec<u8>> = expected.memory.buffers().map(contents).collect();
    if ours != theirs {
        return Err(format!("{}: the results are wrong", workload.file).into());
    }
    Ok(Measured {
        work: match workload.work {
            Work::Known(work) => work,
            Work::SumOfFirstBuffer => {
                let integers = ours[0].chunks_exact(4);
                let integer =
                    |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                integers.map(|bytes| u64::from(integer(bytes))).sum()
            }
        },
        cycles: outcome.cycles,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_circuit_does_the_work_per_cycle_that_is_its_goal() {
        let mut slow = Vec::new();
        for workload in WORKLOADS {
            let measured = run(workload).unwrap_or_else(|error| panic!("{error}"));
            if measured.rate() < workload.goal {
                let (file, goal) = (workload.file, workload.goal);
                slow.push(format!("{file}: {:.3}, not {goal}", measured.rate()));
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    }
}
