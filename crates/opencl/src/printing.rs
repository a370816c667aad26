//! What kernels print.

use std::sync::{Mutex, MutexGuard};

use sluice_kernel::launch::host::{MOST_PRINTS, lost_prints};

/// The prints of a launch, as many as a circuit's host keeps.
#[derive(Debug, Default)]
pub(crate) struct PrintBuffer(Mutex<Prints>);

#[derive(Debug, Default)]
struct Prints {
    text: Vec<u8>,
    kept: usize,
    lost: u64,
}

impl PrintBuffer {
    fn lock(&self) -> MutexGuard<'_, Prints> {
        self.0.lock().unwrap_or_else(|it| it.into_inner())
    }

    /// Adds the text of a print, or counts it as lost.
    pub(crate) fn add(&self, text: &[u8]) {
        let mut prints = self.lock();
        if prints.kept == MOST_PRINTS {
            prints.lost += 1;
            return;
        }
        prints.kept += 1;
        prints.text.extend_from_slice(text);
    }

    /// All text, and how many prints are missing from it.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut prints = self.lock();
        let mut text = std::mem::take(&mut prints.text);
        if prints.lost > 0 {
            text.extend(lost_prints(prints.lost).bytes());
        }
        text
    }
}

/// Prints where the program itself prints, so that both come in order, and at once: a program
/// that has waited for the command finds it there.
pub(crate) fn print(text: &[u8]) {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    if !text.is_empty() {
        // SAFETY: the stream is the C library's, which locks it.
        unsafe {
            libc::fwrite(text.as_ptr().cast(), 1, text.len(), stdout);
            libc::fflush(stdout);
        }
    }
}
