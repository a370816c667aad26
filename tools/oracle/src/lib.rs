//! Runs a kernel on another OpenCL implementation, for comparison, through the system's ICD loader.
//!
//! Tests and benchmarks compare Sluice with what this crate returns; the product does not use it.
//! [`Oracle`] runs in this process and keeps built programs; [`run_isolated`] runs jobs in child
//! processes, so that `printf` text is captured and a crash or hang of the other implementation is an error.

#![deny(unsafe_code)]

mod captured;
mod isolated;
mod job;
#[allow(unsafe_code)]
mod opencl;

pub use captured::Captured;
pub use isolated::{Implementation, Isolated, Reply, build_binary, run_isolated};
pub use job::{Job, JobArg, Outcome, Program};
pub use opencl::Oracle;

/// The platform name under which PoCL registers.
pub const POCL: &str = "Portable Computing Language";

/// Why a job has no outcome.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OracleError {
    /// The ICD loader is not installed.
    #[error("cannot load libOpenCL.so.1 ({0}): install the Debian package ocl-icd-libopencl1")]
    NoLoader(String),
    /// The loader has no such platform.
    #[error(
        "no OpenCL platform is named like {name:?} (found: {found:?}): PoCL is the Debian package pocl-opencl-icd"
    )]
    NoPlatform {
        /// The name looked for.
        name: String,
        /// The names of the platforms that are there.
        found: Vec<String>,
    },
    /// The program does not compile.
    #[error("the program does not build:\n{log}")]
    Build {
        /// The compiler's messages.
        log: String,
    },
    /// The program has no such kernel.
    #[error("the program has no kernel {0:?}")]
    NoKernel(String),
    /// An argument names a buffer that the job does not have.
    #[error("argument {argument} names buffer {buffer}, but the job has {buffers} buffers")]
    NoBuffer {
        /// Position of the argument.
        argument: usize,
        /// The buffer it names.
        buffer: usize,
        /// How many buffers there are.
        buffers: usize,
    },
    /// Any other OpenCL call that failed.
    #[error("{call} failed with OpenCL error {code}")]
    Call {
        /// The function's name.
        call: &'static str,
        /// What it returned.
        code: i32,
    },
    /// The child process did not finish in time and was killed.
    #[error("no result after {seconds} s; the child process was killed")]
    Timeout {
        /// The time allowed.
        seconds: u64,
    },
    /// The child process ended without an outcome.
    #[error("the child process ended with {status} and no outcome:\n{stderr}")]
    Crash {
        /// Its exit status.
        status: String,
        /// What it wrote to standard error.
        stderr: String,
    },
    /// The child process could not be started, or communication with it failed.
    #[error("cannot run {program}: {message}")]
    Child {
        /// The binary.
        program: String,
        /// What went wrong.
        message: String,
    },
}
