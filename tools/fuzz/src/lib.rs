//! Runs random kernels on several executors: the interpreter on IR from the front end, the interpreter
//! on optimised IR, PoCL, and the kernel's circuit, simulated and as Verilog. Where two differ, one of
//! them is wrong.

pub mod accesses;
mod circuits;
pub mod dependences;
pub mod loops;
mod plans;

use std::time::Duration;

use sluice_driver::{CircuitExecutors, Session};
use sluice_frontend::{Error, Options, Source};
use sluice_generator::{ArgSpec, Program};
use sluice_kernel::ir::ParamKind;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::{Kernel, interp, passes, verify};
use sluice_oracle::{Implementation, Job, OracleError, run_isolated};

/// An error that a program has shown.
#[derive(Debug, thiserror::Error)]
pub enum Finding {
    /// The front end refuses a valid program.
    #[error("the front end refuses it: {0}")]
    Refused(String),
    /// A kernel violates the IR's invariants.
    #[error("{stage} IR is malformed: {errors}")]
    Malformed {
        /// Which IR.
        stage: Stage,
        /// The verifier's messages.
        errors: String,
    },
    /// The interpreter reports a fault in a program that has none.
    #[error("{stage} IR: {fault}")]
    Fault {
        /// Which IR.
        stage: Stage,
        /// The interpreter's message.
        fault: String,
    },
    /// Two executions left different memory.
    #[error(
        "{stage} IR and {other} differ in buffer {buffer} at byte {byte}: {ours:02x} and {theirs:02x}"
    )]
    Different {
        /// Which IR ours is.
        stage: Stage,
        /// The other execution.
        other: &'static str,
        /// The buffer.
        buffer: usize,
        /// The first byte that differs.
        byte: usize,
        /// Our byte.
        ours: u8,
        /// The other's byte.
        theirs: u8,
    },
    /// The circuit's results differ from the interpreter's, or its cycles from those of its Verilog.
    #[error("the circuit: {0}")]
    Circuit(String),
    /// The circuit violates an invariant, or is changed by printing and parsing.
    #[error("the circuit's form: {0}")]
    Form(String),
    /// A random plan is refused, or is changed by printing and parsing.
    #[error("the plan: {0}")]
    Plan(String),
    /// The analysis of accesses or dependences claims something that is not so.
    #[error("a claim of an analysis: {0}")]
    Claim(String),
    /// A panic while the circuit was built or run.
    #[error("panic: {0}")]
    Panic(String),
    /// The oracle gave no answer.
    #[error("the oracle gave no answer: {0}")]
    NoAnswer(#[from] sluice_oracle::OracleError),
}

/// The outcome of a program without a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All agree.
    Agreed,
    /// clang hangs on it, or PoCL crashes: there is nothing to compare.
    Skipped,
    /// The other executors agree; the reason why there is no circuit.
    NoCircuit(String),
}

/// The executors besides the interpreter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Executors<'a> {
    /// PoCL.
    pub oracle: Option<&'a Implementation>,
    /// The kernel's circuit.
    pub circuits: Option<Circuits<'a>>,
}

/// Which circuit of a kernel to run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Circuits<'a> {
    /// Its plan.
    pub choice: Choice,
    /// Simulated, or as Verilog, too.
    pub executors: CircuitExecutors<'a>,
}

/// The plan of a circuit.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The default plan with this number of datapaths.
    Datapaths(u32),
    /// The random plan of this seed.
    RandomPlan(u64),
}

/// Which IR is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// As the front end makes it.
    Unoptimised,
    /// After all passes.
    Optimised,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stage::Unoptimised => "unoptimised",
            Stage::Optimised => "optimised",
        })
    }
}

/// How long PoCL may take for one program.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a program every way and compares, with all of the interpreter's checks on.
pub fn check(program: &Program, executors: Executors<'_>) -> Result<Outcome, Finding> {
    let Some(kernel) = compile(program)? else {
        return Ok(Outcome::Skipped);
    };
    let unoptimised = execute(&kernel, program, Stage::Unoptimised)?;
    let kernel = passes::optimise(kernel);
    let optimised = execute(&kernel, program, Stage::Optimised)?;
    compare(Stage::Optimised, "unoptimised IR", &optimised, &unoptimised)?;
    if let Some(oracle) = executors.oracle {
        let answer = match run_isolated(oracle, &Job::from(program), PATIENCE) {
            Ok(answer) => answer,
            Err(OracleError::Crash { .. } | OracleError::Timeout { .. }) => {
                return Ok(Outcome::Skipped);
            }
            Err(other) => return Err(other.into()),
        };
        compare(
            Stage::Optimised,
            "PoCL",
            &optimised,
            &answer.outcome.buffers,
        )?;
    }
    match executors.circuits {
        None => Ok(Outcome::Agreed),
        Some(circuits) => circuits::check(&kernel, program, circuits),
    }
}

/// The program's kernel, unless clang hangs.
fn compile(program: &Program) -> Result<Option<Kernel>, Finding> {
    let source = Source::from_text("random.cl", &*program.source);
    let options = Options {
        clang_args: vec!["-w".into()],
        kernels: vec![program.kernel.clone()],
        patience: Some(Duration::from_secs(10)),
        ..Options::default()
    };
    let compiled = match sluice_frontend::compile(&source, &options) {
        Ok(compiled) => compiled,
        Err(Error::ClangStuck { .. }) => return Ok(None),
        Err(error) => return Err(Finding::Refused(error.to_string())),
    };
    let [kernel] = <[Kernel; 1]>::try_from(compiled.kernels)
        .expect("the front end returns the kernel that was asked for");
    Ok(Some(kernel))
}

fn execute(kernel: &Kernel, program: &Program, stage: Stage) -> Result<Vec<Vec<u8>>, Finding> {
    verify::verify(kernel).map_err(|errors| Finding::Malformed {
        stage,
        errors: errors.to_string(),
    })?;
    let session = bind(kernel, program);
    let options = interp::Options {
        checks: interp::Checks::ALL,
        ..interp::Options::default()
    };
    interp::run(kernel, session.launch(), &session.memory, &options).map_err(|fault| {
        Finding::Fault {
            stage,
            fault: fault.to_string(),
        }
    })?;
    Ok(session
        .memory
        .buffers()
        .map(|(_, buffer)| buffer.to_bytes())
        .collect())
}

/// The launch of a program, with fresh memory.
fn bind(kernel: &Kernel, program: &Program) -> Session {
    let mut memory = Memory::new();
    let buffers: Vec<_> = program
        .buffers
        .iter()
        .map(|buffer| memory.add(Buffer::from_bytes(&buffer.bytes)))
        .collect();
    let args = program.args.iter().zip(&kernel.params);
    let args = args.map(|(arg, param)| match arg {
        ArgSpec::Buffer(index) => Argument::Buffer(buffers[*index]),
        ArgSpec::Local(bytes) => Argument::Local(*bytes as u64),
        ArgSpec::Value(bytes) => value(param.kind, bytes),
    });
    let args = args.collect();
    let range = NdRange {
        dims: program.work_dim as u8,
        global: program.global,
        local: program.local,
        offset: program.offset,
    };
    Session {
        launches: vec![Launch { range, args }],
        memory,
        variables: None,
    }
}

/// An argument passed by copy: a struct whole, scalars and vectors by lane.
fn value(kind: ParamKind, bytes: &[u8]) -> Argument {
    let ParamKind::Value(element) = kind else {
        return Argument::Struct(bytes.to_vec());
    };
    let lanes = bytes
        .chunks(element.scalar.bytes() as usize)
        .take(element.lanes.into());
    Argument::Value(
        lanes
            .map(|lane| {
                let mut word = [0; 8];
                word[..lane.len()].copy_from_slice(lane);
                u64::from_le_bytes(word)
            })
            .collect(),
    )
}

fn compare(
    stage: Stage,
    other: &'static str,
    ours: &[Vec<u8>],
    theirs: &[Vec<u8>],
) -> Result<(), Finding> {
    for (buffer, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        if let Some(byte) = (0..ours.len()).find(|&at| ours[at] != theirs[at]) {
            return Err(Finding::Different {
                stage,
                other,
                buffer,
                byte,
                ours: ours[byte],
                theirs: theirs[byte],
            });
        }
    }
    Ok(())
}
