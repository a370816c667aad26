//! clang as a child process of the process that loaded this library.
//!
//! That may be any C program, so nothing here may end it or depend on its signal handlers: the source is a file in
//! memory and not a pipe (writing to a pipe without a reader raises `SIGPIPE`), and if the process discards exit
//! statuses (it may ignore `SIGCHLD`), success is decided by what the child wrote.
//!
//! Whatever the source contains, the child cannot write a file, exceed its [`Bounds`], or outlive its parent.
#![allow(unsafe_code, reason = "what a child does between fork and exec")]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, set_parent_process_death_signal,
    setrlimit,
};

/// The result of a finished process.
pub(super) struct Finished {
    /// How it ended; absent if the system discards that.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// The resource limits of a process.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Wall time.
    pub patience: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes on standard output.
    pub stdout: u64,
    /// Bytes on standard error.
    pub stderr: u64,
}

/// How a process ended, or why it was killed.
pub(super) enum Outcome {
    Finished(Finished),
    /// It took too long: clang 19 hangs on some vector literals, such as
    /// `(ushort16)(~a4, b16.s9, c3 ^ d3, e8 ? f8 : g8)`.
    Stuck,
    /// It wrote more than it may.
    Flood(Stream),
}

/// An output stream of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Messages,
}

/// The environment variables that clang needs or that set its language. It reads others that add options, search
/// folders or output files (`CCC_OVERRIDE_OPTIONS`, `CPATH`, `CC_PRINT_OPTIONS_FILE`, ...), which are not passed on.
const VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "SOURCE_DATE_EPOCH",
];

/// Runs a process until it ends or exceeds its limits.
pub(super) fn run(
    command: &mut Command,
    input: Option<&[u8]>,
    bounds: Bounds,
) -> std::io::Result<Outcome> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(match input {
        Some(bytes) => file_in_memory(bytes)?.into(),
        None => Stdio::null(),
    });
    confine(command, bounds);
    let mut child = command.spawn()?;
    let (sender, streams) = channel();
    let deadline = Instant::now() + bounds.patience;
    let (mut stdout, mut stderr) = (None, None);
    read_in_thread(
        Stream::Output,
        child.stdout.take(),
        bounds.stdout,
        sender.clone(),
    )?;
    read_in_thread(Stream::Messages, child.stderr.take(), bounds.stderr, sender)?;
    // Both streams end when the process does.
    while stdout.is_none() || stderr.is_none() {
        let left = deadline.saturating_duration_since(Instant::now());
        let (stream, read) = match streams.recv_timeout(left) {
            Ok(read) => read,
            Err(_) => {
                end(&mut child)?;
                return Ok(Outcome::Stuck);
            }
        };
        let Some(bytes) = read else {
            end(&mut child)?;
            return Ok(Outcome::Flood(stream));
        };
        match stream {
            Stream::Output => stdout = Some(bytes),
            Stream::Messages => stderr = Some(bytes),
        }
    }
    Ok(Outcome::Finished(Finished {
        status: status(&mut child)?,
        stdout: stdout.unwrap_or_default(),
        stderr: stderr.unwrap_or_default(),
    }))
}

/// Restricts the child to what compiling needs.
fn confine(command: &mut Command, bounds: Bounds) {
    let kept = VARIABLES
        .iter()
        .filter_map(|name| Some((OsStr::new(name), std::env::var_os(name)?)));
    let kept: Vec<_> = kept.collect();
    command.env_clear().envs(kept);
    // Otherwise a crash starts another program that writes temporary files.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1");
    // A process group of its own, so that everything that a wrapper script started can be killed with it.
    command.process_group(0);
    let parent = rustix::process::getpid();
    let limit = |resource: Resource, most: u64| {
        // A limit that is already lower cannot be raised.
        let most = getrlimit(resource)
            .maximum
            .map_or(most, |now| now.min(most));
        setrlimit(
            resource,
            Rlimit {
                current: Some(most),
                maximum: Some(most),
            },
        )
    };
    let before_exec = move || {
        // No file can be written to, whatever its name; pipes and devices can.
        limit(Resource::Fsize, 0)?;
        limit(Resource::Core, 0)?;
        limit(Resource::As, bounds.memory)?;
        limit(Resource::Cpu, bounds.patience.as_secs() + 1)?;
        // Tied to the thread that starts the child, which waits for it in `run`.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        match rustix::process::getppid() {
            Some(now) if now == parent => Ok(()),
            // The parent is gone already.
            Some(_) | None => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    };
    // SAFETY: the closure makes system calls only: it neither allocates nor locks.
    unsafe { command.pre_exec(before_exec) };
}

/// Kills the child and its process group.
fn end(child: &mut Child) -> std::io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // It may have ended by itself.
        kill_process_group(group, Signal::KILL).ok();
    }
    status(child).map(drop)
}

/// The child's exit status, unless the process discards the statuses of its children.
fn status(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    match child.wait() {
        Ok(status) => Ok(Some(status)),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error()) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn file_in_memory(bytes: &[u8]) -> std::io::Result<File> {
    let mut file = File::from(memfd_create("source", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Reads a stream to its end. What was read comes through the channel, or `None` if it is more than `most`.
fn read_in_thread(
    name: Stream,
    stream: Option<impl Read + Send + 'static>,
    most: u64,
    done: Sender<(Stream, Option<Vec<u8>>)>,
) -> std::io::Result<()> {
    let read = move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // A broken stream ends there; clang's status tells whether that was a failure.
            drop(stream.take(most + 1).read_to_end(&mut bytes));
        }
        let within = bytes.len() as u64 <= most;
        // The receiver is gone only if clang was killed.
        drop(done.send((name, within.then_some(bytes))));
    };
    thread::Builder::new().spawn(read)?;
    Ok(())
}
