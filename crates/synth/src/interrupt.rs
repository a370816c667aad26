//! Interrupts: a signal that asks the process to end is only noted, so that running tools are ended
//! and temporary folders removed on the way out.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on, signals that ask the process to end are noted and do not end it.
pub fn watch() -> io::Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&REQUESTED))?;
    }
    Ok(())
}

/// Whether the process was asked to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
