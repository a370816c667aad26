//! A text that the simulator writes and the test reads.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// The text.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub fn text(&self) -> String {
        let bytes = self.0.lock().expect("no thread panicked").clone();
        String::from_utf8(bytes).expect("it is text")
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
