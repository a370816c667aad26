//! A sign of life on the terminal for what takes longer than two seconds.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// After how long a sign of life is given.
const PATIENCE: Duration = Duration::from_secs(2);

/// Something that goes on. Dropping it ends it.
pub(crate) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts waiting; after a while a spinner with the message and the elapsed time appears.
    pub(crate) fn start(message: String) -> Progress {
        let (done, finished) = channel();
        let thread = std::thread::spawn(move || {
            if finished.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            // indicatif draws on terminals only.
            let spinner = ProgressBar::new_spinner().with_elapsed(PATIENCE);
            spinner.set_message(message);
            spinner.enable_steady_tick(Duration::from_millis(100));
            // Either the end is told or the sender is gone: both mean that it is over.
            let _ = finished.recv();
            spinner.finish_and_clear();
        });
        Progress {
            done: Some(done),
            thread: Some(thread),
        }
    }

    /// Ends it and clears the terminal's line.
    pub(crate) fn finish(self) {}
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done.take();
        if let Some(thread) = self.thread.take() {
            // The thread only draws: if that failed there is nothing to mend.
            let _ = thread.join();
        }
    }
}
