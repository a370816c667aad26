//! Standard output of the process, redirected to a file: kernels print there through C's `stdout`.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::stdio::{dup2_stdout, stdout};

/// Captures everything that is written to standard output.
#[derive(Debug)]
pub struct Captured {
    file: File,
    replies: File,
}

impl Captured {
    /// Starts to capture.
    pub fn start() -> Result<Captured> {
        let replies = rustix::io::dup(stdout())?;
        let file = File::from(memfd_create("stdout", MemfdFlags::CLOEXEC)?);
        dup2_stdout(&file)?;
        Ok(Captured {
            file,
            replies: replies.into(),
        })
    }

    /// What standard output was before.
    pub fn replies(&mut self) -> &mut File {
        &mut self.replies
    }

    /// What was written since the last call.
    pub fn take(&mut self) -> Result<String> {
        crate::opencl::flush_c_streams();
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
