//! Waveforms: a file for each launch.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The file of the next launch: `NAME-0.vcd`, `NAME-1.vcd` and so on for `NAME.vcd`.
pub(crate) fn next(name: &Path) -> PathBuf {
    static LAUNCHES: AtomicU64 = AtomicU64::new(0);
    let mut file: OsString = name.file_stem().unwrap_or_default().to_owned();
    file.push(format!("-{}.", LAUNCHES.fetch_add(1, Relaxed)));
    file.push(name.extension().unwrap_or("vcd".as_ref()));
    name.with_file_name(file)
}
