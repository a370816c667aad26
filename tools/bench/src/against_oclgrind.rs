//! The interpreter against oclgrind, one thread each, on the same launches in one run.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use sluice_driver::{CompileArgs, ExecutionOptions, Executor, LaunchArgs, Session, Work, compile};
use sluice_kernel::{Program as Kernels, interp};
use sluice_oracle::{Implementation, Job, Program, build_binary, run_isolated};

/// The goal.
const GOAL: f64 = 20.0;

/// How often ours runs; the fastest counts. Oclgrind runs long enough for a stable time.
const REPEATS: usize = 5;

/// A kernel and its launch.
struct Workload {
    file: &'static str,
    launch: &'static str,
}

const WORKLOADS: &[Workload] = &[
    Workload {
        file: "vector_add.cl",
        launch: "-g 262144 -l 64 -a rand:262144:1 -a rand:262144:2 -a zero:262144",
    },
    Workload {
        file: "matrix_multiply.cl",
        launch: "-g 96,96 -l 16,4 -a rand:9216:1 -a rand:9216:2 -a zero:9216 -a 96",
    },
    Workload {
        file: "nbody.cl",
        launch: "-g 512 -l 64 -a rand:512:1 -a rand:512:2 -a zero:512 -a zero:512 -a 512 -a 0.01",
    },
];

pub fn measure() -> Result<(), Box<dyn Error>> {
    let oracle = Implementation::oclgrind(build_binary()?);
    println!("Interpreter against oclgrind, one thread each (goal: {GOAL} times)\n");
    println!(
        "{:<20} {:>12} {:>12} {:>10} {:>12} {:>8} {:>16}",
        "kernel",
        "instructions",
        "sluice [s]",
        "ns/instr.",
        "oclgrind [s]",
        "ratio",
        "all threads [s]"
    );
    for workload in WORKLOADS {
        row(workload, &oracle)?;
    }
    println!();
    Ok(())
}

fn row(workload: &Workload, oracle: &Implementation) -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("kernels")
        .join(workload.file);
    let args = CompileArgs {
        file: file.clone(),
        kernel: None,
        clang: Vec::new(),
    };
    let compiled = compile(&args)?.program;
    let kernel = &compiled.kernels()[0];
    let launch = LaunchArgs::parse_line(workload.launch)?;
    let single = best_of(&compiled, &launch, 1)?;
    let parallel = best_of(
        &compiled,
        &launch,
        std::thread::available_parallelism()?.into(),
    )?;

    let before = Session::bind(&compiled, [&launch])?;
    let source = std::fs::read_to_string(&file)?;
    let program = Program {
        source: &source,
        options: &[],
    };
    let job = Job::of_launch(program, kernel, before.launch(), &before.memory);
    let theirs = run_isolated(oracle, &job, Duration::from_secs(600))?;
    agree(&single.session, &theirs.outcome.buffers)?;
    println!(
        "{:<20} {:>12} {:>12.4} {:>10.2} {:>12.3} {:>7.1}x {:>16.4}",
        kernel.name,
        single.instructions,
        single.seconds,
        single.seconds * 1e9 / single.instructions as f64,
        theirs.outcome.seconds,
        theirs.outcome.seconds / single.seconds,
        parallel.seconds,
    );
    Ok(())
}

/// The fastest of several runs.
struct Best {
    seconds: f64,
    instructions: u64,
    session: Session,
}

fn best_of(program: &Kernels, launch: &LaunchArgs, threads: usize) -> Result<Best, Box<dyn Error>> {
    let options = ExecutionOptions {
        interpreter: interp::Options {
            threads,
            ..interp::Options::default()
        },
        ..ExecutionOptions::default()
    };
    let mut best: Option<Best> = None;
    for _ in 0..REPEATS {
        let session = Session::bind(program, [launch])?;
        let start = Instant::now();
        let execution = Executor::Interpreter(program).run(&session, &options)?;
        let seconds = start.elapsed().as_secs_f64();
        let Work::Instructions(instructions) = execution.work else {
            return Err("the interpreter counts instructions".into());
        };
        if best.as_ref().is_none_or(|best| seconds < best.seconds) {
            best = Some(Best {
                seconds,
                instructions,
                session,
            });
        }
    }
    Ok(best.expect("REPEATS is not zero"))
}

/// Oclgrind's buffers must be ours, up to what fused multiply-adds may change: else the two did
/// not do the same work.
fn agree(ours: &Session, theirs: &[Vec<u8>]) -> Result<(), Box<dyn Error>> {
    for ((_, buffer), theirs) in ours.memory.buffers().zip(theirs) {
        let ours = buffer.to_bytes();
        for (at, (a, b)) in ours.chunks(4).zip(theirs.chunks(4)).enumerate() {
            let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            let (a, b) = (float(a), float(b));
            if (a - b).abs() > 1e-4 * a.abs().max(1e-3) {
                return Err(format!("component {at}: {a} is not oclgrind's {b}").into());
            }
        }
    }
    Ok(())
}
