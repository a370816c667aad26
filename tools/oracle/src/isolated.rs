//! Jobs in child processes: `printf` text is captured, and a crash or hang is an error here.
//!
//! A child takes many jobs, one after the other: starting PoCL takes several times as long as building
//! and running a small kernel. A child that crashed or hung is replaced.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::{Job, OracleError, Outcome, POCL};

/// The reply of a child process to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Isolated {
    /// The launch's result.
    pub outcome: Outcome,
    /// What the kernel printed.
    pub printed: String,
}

/// Another OpenCL implementation, run in child processes: this crate's binary with an environment.
#[derive(Debug)]
pub struct Implementation {
    binary: PathBuf,
    platform: &'static str,
    environment: Vec<(&'static str, &'static str)>,
    /// Children that wait for a job.
    idle: Mutex<Vec<Worker>>,
}

/// Jobs after which a child ends: the programs that it built stay in its memory.
const JOBS_PER_WORKER: u32 = 64;

impl Implementation {
    /// PoCL; `binary` is this crate's `sluice-oracle`.
    pub fn pocl(binary: impl Into<PathBuf>) -> Implementation {
        Implementation {
            binary: binary.into(),
            platform: POCL,
            environment: Vec::new(),
            idle: Mutex::default(),
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
            idle: Mutex::default(),
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
    let idle = || {
        let idle = implementation.idle.lock();
        idle.unwrap_or_else(PoisonError::into_inner)
    };
    let waiting = idle().pop();
    let mut worker = waiting.map_or_else(|| Worker::start(implementation), Ok)?;
    let reply = worker.run(job, timeout)?;
    if worker.jobs < JOBS_PER_WORKER {
        idle().push(worker);
    }
    reply.map_err(|log| OracleError::Build { log })
}

/// The reply of a child: the result, or the build log of a program that does not build.
pub type Reply = Result<Isolated, String>;

/// A child process. It ends when its standard input is closed.
#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: Option<ChildStdin>,
    /// Its standard output, line by line: a reply to each job.
    replies: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    jobs: u32,
    /// PoCL's cache: the one in the user's home would only grow.
    _scratch: TempDir,
}

impl Worker {
    fn start(implementation: &Implementation) -> Result<Worker, OracleError> {
        let binary = &implementation.binary;
        let failed = |error: std::io::Error| OracleError::Child {
            program: binary.display().to_string(),
            message: error.to_string(),
        };
        let scratch = tempfile::tempdir().map_err(failed)?;
        let mut child = Command::new(binary)
            .arg(implementation.platform)
            .env("POCL_CACHE_DIR", scratch.path())
            .envs(implementation.environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            // The receiver is gone when the worker is.
            lines
                .map(|line| sender.send(line))
                .take_while(Result::is_ok)
                .for_each(drop);
        });
        Ok(Worker {
            child,
            stdin,
            replies,
            stderr: Some(thread::spawn(move || read_all(stderr))),
            jobs: 0,
            _scratch: scratch,
        })
    }

    /// Runs a job. After an error the worker is of no use any more.
    fn run(&mut self, job: &Job, timeout: Duration) -> Result<Reply, OracleError> {
        self.jobs += 1;
        let mut line = serde_json::to_vec(job).expect("a job is plain data");
        line.push(b'\n');
        let stdin = self.stdin.as_mut().expect("open while the worker lives");
        // A child that ended is reported by its missing reply, not by the broken pipe.
        let _ = stdin.write_all(&line).and_then(|()| stdin.flush());
        match self.replies.recv_timeout(timeout) {
            Ok(reply) => Ok(serde_json::from_str(&reply).expect("sluice-oracle writes replies")),
            Err(RecvTimeoutError::Timeout) => Err(OracleError::Timeout {
                seconds: timeout.as_secs(),
            }),
            Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    /// How the child ended.
    fn crash(&mut self) -> OracleError {
        let status = self.child.wait();
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let stderr = self.stderr.take().map(JoinHandle::join);
        OracleError::Crash {
            status,
            stderr: stderr.and_then(Result::ok).unwrap_or_default(),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself, and hangs if it has not answered.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_all(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read before an error is still worth showing.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
