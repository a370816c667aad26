//! Running a tool: in a process group of its own, which never outlives the run.
#![allow(unsafe_code, reason = "what a child does between fork and exec")]

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, set_parent_process_death_signal, waitid,
};
use thiserror::Error;

use crate::interrupt;
use crate::tools::Missing;

/// How many lines of a tool's output are kept for messages.
const KEPT_LINES: usize = 200;

/// How many lines are shown of a tool that does not say what is wrong.
const SHOWN_LINES: usize = 5;

/// How long it takes to notice an interrupt.
const POLL: Duration = Duration::from_millis(50);

/// A run of a tool.
pub struct Job {
    /// Its command.
    pub command: Command,
    /// What it is called in messages.
    pub name: &'static str,
    folder: PathBuf,
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
        error: io::Error,
    },
    /// The tool failed or was killed.
    #[error("{name} {}: {}", verb(.status), .transcript.complaint())]
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
    /// The process was asked to end.
    #[error("interrupted")]
    Interrupted,
}

fn verb(status: &ExitStatus) -> String {
    match status.signal() {
        Some(_) => format!("was killed ({status})"),
        None => format!("failed ({status})"),
    }
}

/// The name of the file with a tool's whole output.
pub fn log_name(tool: &str) -> String {
    format!("{tool}.log")
}

impl Job {
    /// A run of a tool in a folder. Its output is written to a file there, see [`log_name`], and
    /// temporary files to a folder there.
    pub fn new(name: &'static str, program: &Path, folder: &Path) -> Job {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null());
        Job {
            command,
            name,
            folder: folder.to_owned(),
        }
    }

    /// Runs it, giving each line that it prints to `listener`.
    ///
    /// # Errors
    ///
    /// If it fails, or if the process is [asked to end](interrupt::requested) meanwhile; then
    /// everything that it has started is killed.
    pub fn run(mut self, listener: &mut dyn FnMut(&str)) -> Result<Transcript, JobError> {
        let name = self.name;
        let system = |error| JobError::System { name, error };
        let mut log = File::create(self.folder.join(log_name(name))).map_err(system)?;
        let (mut group, lines) = self.start().map_err(system)?;
        let mut kept = Vec::new();
        loop {
            match lines.recv_timeout(POLL) {
                Ok(line) => {
                    writeln!(log, "{line}").map_err(system)?;
                    listener(&line);
                    if kept.len() == KEPT_LINES {
                        kept.remove(0);
                    }
                    kept.push(line);
                }
                // What it has started may hold its output open.
                Err(RecvTimeoutError::Timeout) if group.has_ended().map_err(system)? => {
                    group.kill();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt::requested() {
                return Err(JobError::Interrupted);
            }
        }
        let status = group.wait().map_err(system)?;
        let status = status.ok_or(JobError::Interrupted)?;
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

    /// Starts it; the lines that it prints come through the channel.
    fn start(&mut self) -> io::Result<(Group, Receiver<String>)> {
        let temporary = self.folder.join("tmp");
        fs::create_dir_all(&temporary)?;
        self.command
            .env("TMPDIR", fs::canonicalize(&temporary)?)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let parent = rustix::process::getpid();
        let before_exec = move || {
            // Tied to the thread that starts the child, which waits for it in `run`.
            set_parent_process_death_signal(Some(Signal::KILL))?;
            match rustix::process::getppid() {
                Some(now) if now == parent => Ok(()),
                // The parent is gone already.
                Some(_) | None => Err(io::ErrorKind::BrokenPipe.into()),
            }
        };
        // SAFETY: the closure makes system calls only: it neither allocates nor locks.
        unsafe { self.command.pre_exec(before_exec) };
        let mut child = self.command.spawn()?;
        let (sender, lines) = channel();
        forward(child.stdout.take(), sender.clone());
        forward(child.stderr.take(), sender);
        Ok((Group(child), lines))
    }
}

/// A child with everything that it has started. Dropping it kills them.
struct Group(Child);

impl Group {
    fn id(&self) -> Pid {
        let id = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        id.expect("processes have positive numbers")
    }

    /// Whether the child has ended. It is not reaped, so that its number stays its own.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(waitid(WaitId::Pid(self.id()), options)?.is_some())
    }

    fn kill(&self) {
        // It may have ended by itself.
        kill_process_group(self.id(), Signal::KILL).ok();
    }

    /// Waits for the child, then ends what it has left; nothing if the process is asked to end.
    fn wait(&mut self) -> io::Result<Option<ExitStatus>> {
        while !self.has_ended()? {
            if interrupt::requested() {
                return Ok(None);
            }
            thread::sleep(POLL);
        }
        self.kill();
        self.0.wait().map(Some)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A child that was reaped may have left its number to another process.
        if let Ok(None) = self.0.try_wait() {
            self.kill();
            // Killed processes end.
            let _ = self.0.wait();
        }
    }
}

/// Reads lines and sends them, until there are no more.
fn forward(from: Option<impl Read + Send + 'static>, to: Sender<String>) {
    let from = from.expect("it was piped");
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if to.send(line).is_err() {
                return;
            }
        }
    });
}

impl Transcript {
    /// Whether the tool says that the chip has no room left.
    pub fn says_no_room(&self) -> bool {
        let complaint = self.complaint();
        let words = [
            "no BELs remaining",
            "nable to find legal placement",
            "nable to place",
        ];
        words.iter().any(|words| complaint.contains(words))
    }

    /// What the tool says is wrong: its errors, or else its last lines.
    pub fn complaint(&self) -> String {
        let is_error = |line: &&String| line.to_lowercase().starts_with("error");
        let errors: Vec<&str> = self
            .lines
            .iter()
            .filter(is_error)
            .map(|it| it.trim())
            .collect();
        if !errors.is_empty() {
            return errors.join("\n");
        }
        let said = self.lines.iter().map(|line| line.trim());
        let said: Vec<&str> = said.filter(|line| !line.is_empty()).collect();
        match said.len() {
            0 => "it has said nothing".into(),
            count => said[count.saturating_sub(SHOWN_LINES)..].join("\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script as a tool.
    fn run(script: &str, listener: &mut dyn FnMut(&str)) -> Result<Transcript, JobError> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut job = Job::new("script", Path::new("/bin/sh"), folder.path());
        job.command.args(["-c", script]);
        let done = job.run(listener);
        let log = fs::read_to_string(folder.path().join("script.log")).expect("a log");
        if let Ok(transcript) = &done {
            let lines: Vec<&str> = log.lines().collect();
            assert_eq!(transcript.lines, lines);
        }
        done
    }

    #[test]
    fn lines_are_heard_and_kept() {
        let mut heard = Vec::new();
        let transcript = run("echo one; echo two", &mut |line| {
            heard.push(line.to_owned())
        });
        assert_eq!(heard, ["one", "two"]);
        assert_eq!(transcript.expect("it succeeds").lines, heard);
    }

    #[test]
    fn a_failure_is_told_in_the_tool_s_words() {
        let script = "echo Info: fine; echo ERROR: no room; echo 1 warning; exit 3";
        let error = run(script, &mut |_| {}).expect_err("it fails");
        assert_eq!(
            error.to_string(),
            "script failed (exit status: 3): ERROR: no room"
        );
        let error = run("echo a; echo b; kill -9 $$", &mut |_| {}).expect_err("it is killed");
        assert_eq!(
            error.to_string(),
            "script was killed (signal: 9 (SIGKILL)): a\nb"
        );
        let error = run("exit 1", &mut |_| {}).expect_err("it fails");
        let text = "script failed (exit status: 1): it has said nothing";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn what_a_tool_leaves_running_ends_with_it() {
        // The second process holds the output open for longer than any test runs.
        let transcript = run("sleep 1000000 & echo $!", &mut |_| {}).expect("it succeeds");
        let left = format!("/proc/{}/stat", transcript.lines[0]);
        let is_running = || {
            let state = fs::read_to_string(&left).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z ")
        };
        // The system ends what was killed in its own time.
        while is_running() {
            thread::yield_now();
        }
    }

    #[test]
    fn temporary_files_are_in_the_folder() {
        let transcript = run("echo $TMPDIR; pwd", &mut |_| {}).expect("it succeeds");
        let [temporary, folder] = &transcript.lines[..] else {
            panic!("two lines: {transcript:?}");
        };
        assert_eq!(temporary, &format!("{folder}/tmp"));
    }
}
