//! The workloads for circuits: kernels, their launches, and their goals.

use std::error::Error;
use std::path::Path;

use sluice_circuit::target::Target;
use sluice_driver::{
    CompileArgs, Design, Execution, ExecutionOptions, Executor, LaunchArgs, Session, compile,
};
use sluice_kernel::launch::simulate;
use sluice_kernel::plan::Plan;

/// A kernel, its launch, and the amount of work.
pub struct Workload {
    pub file: &'static str,
    launch: fn() -> String,
    work: Work,
    pub what: &'static str,
    /// The goal: work per cycle.
    pub goal: f64,
}

/// The amount of work of a launch.
enum Work {
    Known(u64),
    /// The sum of the integers that it leaves in its first buffer.
    SumOfFirstBuffer,
}

const ROWS: u64 = 1024;

pub const WORKLOADS: &[Workload] = &[
    Workload {
        file: "vector_add.cl",
        launch: || "-g 65536 -l 64 -a rand:65536:1 -a rand:65536:2 -a zero:65536".into(),
        work: Work::Known(65536),
        what: "work-items",
        goal: 0.95,
    },
    Workload {
        file: "saxpy.cl",
        launch: || "-g 65536 -l 64 -a 2.5 -a rand:65536:1 -a rand:65536:2".into(),
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
        goal: 0.95,
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

/// Kernels whose work-groups synchronise and share memory.
pub const SYNCHRONISING: &[Workload] = &[
    Workload {
        file: "matrix_multiply_tiled.cl",
        launch: || "-g 128,512 -a 128 -a rand:65536 -a rand:16384:2 -a zero:65536".into(),
        work: Work::Known(512 * 128 * 128),
        what: "products",
        goal: 14.4,
    },
    Workload {
        file: "reduce.cl",
        launch: || "-g 65536 -a rand:65536 -a zero:256".into(),
        work: Work::Known(65536),
        what: "sums",
        goal: 0.9,
    },
    Workload {
        file: "histogram.cl",
        launch: || "-g 4096 -a rand:65536 -a zero:256 -a 16".into(),
        work: Work::Known(65536),
        what: "bytes",
        goal: 0.9,
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

/// A workload's circuit and its launch.
pub struct Loaded {
    pub design: Design,
    launch: LaunchArgs,
    expected: Session,
}

/// A kernel of this package, with macros as clang takes them.
pub fn kernel_file(file: &str, macros: &[String]) -> CompileArgs {
    CompileArgs {
        file: Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("kernels")
            .join(file),
        kernel: None,
        clang: macros.to_vec(),
    }
}

impl Workload {
    /// What to compile.
    pub fn source(&self) -> CompileArgs {
        kernel_file(self.file, &[])
    }

    /// Compiles the kernel, builds its circuit, and computes the results with the interpreter.
    pub fn load(&self) -> Result<Loaded, Box<dyn Error>> {
        Loaded::new(&self.source(), &(self.launch)(), &Target::ECP5, 1)
    }

    /// The amount of work of the launch.
    pub fn work(&self, loaded: &Loaded) -> u64 {
        match self.work {
            Work::Known(work) => work,
            Work::SumOfFirstBuffer => {
                let (_, first) = loaded.expected.memory.buffers().next().expect("a buffer");
                let bytes = first.to_bytes();
                let integer =
                    |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                bytes.chunks_exact(4).map(integer).map(u64::from).sum()
            }
        }
    }
}

impl Loaded {
    /// Compiles a kernel, builds its circuit with a number of datapaths, and computes the results of
    /// a launch with the interpreter.
    pub fn new(
        source: &CompileArgs,
        launch: &str,
        target: &Target,
        datapaths: u32,
    ) -> Result<Loaded, Box<dyn Error>> {
        let program = compile(source)?.program;
        let launch = LaunchArgs::parse_line(launch)?;
        let expected = Session::bind(&program, [&launch])?;
        Executor::Interpreter(&program).run(&expected, &ExecutionOptions::default())?;
        let plan = Plan::for_launch(expected.launch(), &expected.memory).with_datapaths(datapaths);
        let design = Design::of(program, target, &plan).map_err(|refusal| refusal.to_string())?;
        Ok(Loaded {
            design,
            launch,
            expected,
        })
    }

    /// Runs the launch on the simulator and checks its results.
    pub fn run(&self, options: &simulate::Options) -> Result<Execution, Box<dyn Error>> {
        let session = self.bind()?;
        let options = ExecutionOptions {
            circuit: options.clone(),
            ..ExecutionOptions::default()
        };
        let execution = Executor::Simulator(&self.design).run(&session, &options)?;
        self.check(&session)?;
        Ok(execution)
    }

    /// Cycles of the launch on the simulator, whose results are checked.
    pub fn cycles(&self, options: &simulate::Options) -> Result<u64, Box<dyn Error>> {
        Ok(self.run(options)?.cycles().expect("a circuit has a clock"))
    }

    /// The launch with fresh memory.
    pub fn bind(&self) -> Result<Session, Box<dyn Error>> {
        Ok(Session::bind(&self.design.program, [&self.launch])?)
    }

    /// Compares the results of a run with the interpreter's.
    fn check(&self, found: &Session) -> Result<(), Box<dyn Error>> {
        let contents = |session: &Session| -> Vec<Vec<u8>> {
            let buffers = session.memory.buffers();
            buffers.map(|(_, buffer)| buffer.to_bytes()).collect()
        };
        match contents(found) == contents(&self.expected) {
            true => Ok(()),
            false => Err(format!("{}: the results are wrong", self.design.program.name()).into()),
        }
    }
}
