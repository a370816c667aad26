//! A job in a child process: its `printf` text is captured, and its crash or hang is an error here.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::{Job, OracleError, Outcome, POCL};

/// What a child process left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Isolated {
    /// The launch's result.
    pub outcome: Outcome,
    /// What the kernel printed.
    pub printed: String,
}

/// Another OpenCL implementation, run in child processes: this crate's binary with an environment.
#[derive(Debug, Clone)]
pub struct Implementation {
    binary: PathBuf,
    platform: &'static str,
    environment: Vec<(&'static str, &'static str)>,
}

impl Implementation {
    /// PoCL; `binary` is this crate's `sluice-oracle`.
    pub fn pocl(binary: impl Into<PathBuf>) -> Implementation {
        Implementation {
            binary: binary.into(),
            platform: POCL,
            environment: Vec::new(),
        }
    }

    /// Oclgrind, an interpreter of OpenCL kernels, on one thread.
    pub fn oclgrind(binary: impl Into<PathBuf>) -> Implementation {
        Implementation {
            binary: binary.into(),
            platform: "Oclgrind",
            environment: vec![
                ("OCL_ICD_VENDORS", "/usr/lib/oclgrind/liboclgrind-rt-icd.so"),
                ("OCLGRIND_NUM_THREADS", "1"),
            ],
        }
    }
}

/// Builds `sluice-oracle` in the profile of the running program, because cargo builds binaries for
/// their own package's tests only, and says where it is.
pub fn build_binary() -> Result<PathBuf, OracleError> {
    let failed = |message: String| OracleError::Child {
        program: "cargo build".into(),
        message,
    };
    let this = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let folder = this
        .ancestors()
        .find(|folder| folder.ends_with("debug") || folder.ends_with("release"))
        .ok_or_else(|| failed(format!("{} is in no target folder", this.display())))?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--package", "sluice-oracle", "--bins"]);
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().map_err(|error| failed(error.to_string()))?;
    match status.success() {
        true => Ok(folder.join("sluice-oracle")),
        false => Err(failed(status.to_string())),
    }
}

/// Runs `job` on another implementation in a child process.
pub fn run_isolated(
    implementation: &Implementation,
    job: &Job,
    timeout: Duration,
) -> Result<Isolated, OracleError> {
    let binary = &implementation.binary;
    let failed = |error: std::io::Error| OracleError::Child {
        program: binary.display().to_string(),
        message: error.to_string(),
    };
    let scratch = tempfile::tempdir().map_err(failed)?;
    let outcome_path = scratch.path().join("outcome.json");
    let child = Command::new(binary)
        .arg(implementation.platform)
        .arg(&outcome_path)
        // Kernels are run once: PoCL's cache in the user's home would only grow.
        .env("POCL_CACHE_DIR", scratch.path())
        .envs(implementation.environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let text = serde_json::to_vec(job).expect("a job is plain data");
    let ended = converse(child, text, timeout)?;
    match std::fs::read(&outcome_path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
    {
        Some(Ok(outcome)) => Ok(Isolated {
            outcome,
            printed: ended.stdout,
        }),
        Some(Err(log)) => Err(OracleError::Build { log }),
        None => Err(OracleError::Crash {
            status: ended.status,
            stderr: ended.stderr,
        }),
    }
}

struct Ended {
    status: String,
    stdout: String,
    stderr: String,
}

fn converse(mut child: Child, input: Vec<u8>, timeout: Duration) -> Result<Ended, OracleError> {
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let stdout = child.stdout.take().expect("stdout is piped");
    let stderr = child.stderr.take().expect("stderr is piped");
    // A child that dies before it has read its job is reported by its missing outcome, not by the broken pipe.
    let writer = thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let stderr = thread::spawn(move || read_all(stderr));
    let (done, finished) = mpsc::channel();
    let stdout = thread::spawn(move || {
        let text = read_all(stdout);
        // The receiver is gone only when the time is up.
        let _ = done.send(());
        text
    });
    // Standard output closes when the child ends, whichever way it ends.
    let in_time = finished.recv_timeout(timeout).is_ok();
    if !in_time {
        // It may just have ended by itself.
        let _ = child.kill();
    }
    let status = child
        .wait()
        .map_or_else(|error| error.to_string(), |status| status.to_string());
    writer.join().expect("the writer does not panic");
    let stdout = stdout.join().expect("the reader does not panic");
    let stderr = stderr.join().expect("the reader does not panic");
    if in_time {
        Ok(Ended {
            status,
            stdout,
            stderr,
        })
    } else {
        Err(OracleError::Timeout {
            seconds: timeout.as_secs(),
        })
    }
}

fn read_all(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read before an error is still worth showing.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
