//! Running a tool.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use thiserror::Error;

use crate::tools::Missing;

/// How many lines of a tool's output are kept for messages.
const KEPT_LINES: usize = 200;

/// A run of a tool.
pub struct Job {
    /// Its command.
    pub command: Command,
    /// What it is called in messages.
    pub name: &'static str,
}

/// What a tool has said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// Its last lines.
    pub lines: Vec<String>,
}

/// Why a run gave no result.
#[derive(Debug, Error)]
pub enum JobError {
    /// A tool is not installed.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// Files could not be read or written, or the tool could not be started.
    #[error("{name}: {error}")]
    System {
        /// The tool.
        name: &'static str,
        /// What happened.
        error: std::io::Error,
    },
    /// The tool failed or was killed.
    #[error("{name} failed ({status})")]
    Failed {
        /// The tool.
        name: &'static str,
        /// How it ended.
        status: ExitStatus,
        /// Its last lines.
        transcript: Transcript,
    },
    /// The tool's results are not what is expected of it.
    #[error("{name}: {message}")]
    Unexpected {
        /// The tool.
        name: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl Job {
    /// A run of a tool in a folder.
    pub fn new(name: &'static str, program: &Path, folder: &Path) -> Job {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null());
        Job { command, name }
    }

    /// Runs it, giving each line that it prints to `listener`.
    pub fn run(mut self, listener: &mut dyn FnMut(&str)) -> Result<Transcript, JobError> {
        let name = self.name;
        let system = |error| JobError::System { name, error };
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(system)?;
        let (sender, lines) = channel();
        let output = child.stdout.take().expect("it was piped");
        let errors = child.stderr.take().expect("it was piped");
        let readers = [forward(output, sender.clone()), forward(errors, sender)];
        let mut kept = Vec::new();
        for line in lines {
            listener(&line);
            if kept.len() == KEPT_LINES {
                kept.remove(0);
            }
            kept.push(line);
        }
        for reader in readers {
            reader.join().expect("reading lines does not panic");
        }
        let status = child.wait().map_err(system)?;
        let transcript = Transcript { lines: kept };
        match status.success() {
            true => Ok(transcript),
            false => Err(JobError::Failed {
                name,
                status,
                transcript,
            }),
        }
    }
}

/// Reads lines and sends them, until there are no more.
fn forward(from: impl Read + Send + 'static, to: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if to.send(line).is_err() {
                return;
            }
        }
    })
}
