//! Random kernels, three opinions: PoCL, the interpreter on IR as the front end makes it, and the
//! interpreter on optimised IR. Where two differ, one of them is wrong.

use sluice_frontend::{Options, Source};
use sluice_generator::{ArgSpec, Program};
use sluice_kernel::ir::ParamKind;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::{Kernel, interp, passes, verify};
use sluice_oracle::{Job, Oracle};
use thiserror::Error;

/// What was found out about a program.
#[derive(Debug, Error)]
pub enum Finding {
    /// The front end refuses a valid program.
    #[error("the front end refuses it: {0}")]
    Refused(String),
    /// A kernel violates the IR's invariants.
    #[error("{stage} IR is malformed: {errors}")]
    Malformed {
        /// Which IR.
        stage: Stage,
        /// What the verifier says.
        errors: String,
    },
    /// The interpreter reports a fault in a program that has none.
    #[error("{stage} IR: {fault}")]
    Fault {
        /// Which IR.
        stage: Stage,
        /// What the interpreter says.
        fault: String,
    },
    /// Two executions left different memory.
    #[error(
        "{stage} IR and {other} differ in buffer {buffer} at byte {byte}: {ours:02x} and {theirs:02x}"
    )]
    Different {
        /// Which IR ours is.
        stage: Stage,
        /// Whom it is compared with.
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
    /// The oracle gave no answer.
    #[error("the oracle gave no answer: {0}")]
    NoAnswer(#[from] sluice_oracle::OracleError),
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

/// Runs a program every way and compares: with all of the interpreter's checks on, against the
/// oracle if there is one.
pub fn judge(program: &Program, oracle: Option<&Oracle>) -> Result<(), Finding> {
    let mut kernel = compile(program)?;
    let unoptimised = execute(&kernel, program, Stage::Unoptimised)?;
    passes::optimise(&mut kernel);
    let optimised = execute(&kernel, program, Stage::Optimised)?;
    compare(Stage::Optimised, "unoptimised IR", &optimised, &unoptimised)?;
    if let Some(oracle) = oracle {
        let outcome = oracle.run(&Job::from(program))?;
        compare(Stage::Optimised, "PoCL", &optimised, &outcome.buffers)?;
    }
    Ok(())
}

fn compile(program: &Program) -> Result<Kernel, Finding> {
    let source = Source::from_text("random.cl", &*program.source);
    let options = Options {
        clang_args: vec!["-w".into()],
        kernel: Some(program.kernel.clone()),
        ..Options::default()
    };
    let compiled = sluice_frontend::compile(&source, &options)
        .map_err(|error| Finding::Refused(error.to_string()))?;
    let [kernel] = <[Kernel; 1]>::try_from(compiled.kernels)
        .expect("the front end returns the kernel that was asked for");
    Ok(kernel)
}

fn execute(kernel: &Kernel, program: &Program, stage: Stage) -> Result<Vec<Vec<u8>>, Finding> {
    verify::verify(kernel).map_err(|errors| Finding::Malformed {
        stage,
        errors: errors.to_string(),
    })?;
    let mut memory = Memory::new();
    let buffers: Vec<_> = program
        .buffers
        .iter()
        .map(|buffer| memory.add(Buffer::from_bytes(&buffer.bytes)))
        .collect();
    let launch = Launch {
        range: NdRange {
            dims: program.work_dim as u8,
            global: program.global,
            local: program.local,
            offset: program.offset,
        },
        args: program
            .args
            .iter()
            .zip(&kernel.params)
            .map(|(arg, param)| match arg {
                ArgSpec::Buffer(index) => Argument::Buffer(buffers[*index]),
                ArgSpec::Local(bytes) => Argument::Local(*bytes as u64),
                ArgSpec::Value(bytes) => value(param.kind, bytes),
            })
            .collect(),
    };
    let options = interp::Options {
        checks: interp::Checks::ALL,
        ..interp::Options::default()
    };
    interp::run(kernel, &launch, &memory, &options).map_err(|fault| Finding::Fault {
        stage,
        fault: fault.to_string(),
    })?;
    Ok(buffers
        .iter()
        .map(|&id| memory.buffer(id).to_bytes())
        .collect())
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
