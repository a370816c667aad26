//! clang as a child of whatever process this library lives in.
//!
//! That may be any C program, so nothing here may end it or depend on how it treats signals: the source is a
//! file in memory and not a pipe (writing to a pipe that nobody reads raises `SIGPIPE`), and a child whose
//! status the process discards (it may ignore `SIGCHLD`) is judged by what it wrote.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};

/// What a process left behind.
pub(super) struct Finished {
    /// How it ended; absent if the system discards that.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs clang to its end, or `None` if it does not come to one in time: clang 19 hangs on some
/// vector literals, such as `(ushort16)(~a4, b16.s9, c3 ^ d3, e8 ? f8 : g8)`.
pub(super) fn run(
    command: &mut Command,
    input: Option<&str>,
    patience: Duration,
) -> std::io::Result<Option<Finished>> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(match input {
        Some(text) => file_in_memory(text)?.into(),
        None => Stdio::null(),
    });
    let mut child = command.spawn()?;
    let stderr = read_in_thread(child.stderr.take())?;
    let stdout = read_in_thread(child.stdout.take())?;
    // Both streams end when clang does.
    let in_time = stdout.recv_timeout(patience).ok();
    let Some(stdout) = in_time else {
        child.kill()?;
        status(&mut child)?;
        return Ok(None);
    };
    Ok(Some(Finished {
        status: status(&mut child)?,
        stdout,
        stderr: stderr.recv().unwrap_or_default(),
    }))
}

/// How the child ended, unless the process has told the system to forget.
fn status(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    match child.wait() {
        Ok(status) => Ok(Some(status)),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error()) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn file_in_memory(text: &str) -> std::io::Result<File> {
    let mut file = File::from(memfd_create("source", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file)
}

/// Reads a stream to its end; what was read comes through the channel.
fn read_in_thread(
    stream: Option<impl Read + Send + 'static>,
) -> std::io::Result<Receiver<Vec<u8>>> {
    let (done, finished) = channel();
    let read = move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // A broken stream ends there; clang's status tells whether that was a failure.
            drop(stream.read_to_end(&mut bytes));
        }
        // The receiver is gone only when clang was given up.
        drop(done.send(bytes));
    };
    thread::Builder::new().spawn(read)?;
    Ok(finished)
}
