//! A sign of life on the terminal for what takes longer than two seconds.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// After how long a sign of life is given.
const PATIENCE: Duration = Duration::from_secs(2);

/// Something that goes on. Dropping it ends it.
pub(crate) struct Progress {
    messages: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts waiting; after a while a spinner with the message and the elapsed time appears.
    pub(crate) fn start(message: String) -> Progress {
        let (messages, arrived) = channel();
        let thread = std::thread::spawn(move || show(message, &arrived));
        Progress {
            messages: Some(messages),
            thread: Some(thread),
        }
    }

    /// Changes the message.
    pub(crate) fn set(&self, message: String) {
        if let Some(messages) = &self.messages {
            // The thread only draws: if that failed there is nothing to mend.
            let _ = messages.send(message);
        }
    }

    /// Ends it and clears the terminal's line.
    pub(crate) fn finish(self) {}
}

/// Shows the latest message until there is no sender any more.
fn show(mut message: String, arrived: &Receiver<String>) {
    let appears = Instant::now() + PATIENCE;
    loop {
        let left = appears.saturating_duration_since(Instant::now());
        match arrived.recv_timeout(left) {
            Ok(newer) => message = newer,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
    // indicatif draws on terminals only.
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let spinner = ProgressBar::new_spinner()
        .with_style(style.expect("the template has no mistake"))
        .with_elapsed(PATIENCE);
    spinner.set_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    for newer in arrived {
        spinner.set_message(newer);
    }
    spinner.finish_and_clear();
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.messages.take();
        if let Some(thread) = self.thread.take() {
            // The thread only draws: if that failed there is nothing to mend.
            let _ = thread.join();
        }
    }
}
