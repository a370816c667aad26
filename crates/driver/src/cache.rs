//! Where built things are kept between runs.

use std::path::PathBuf;

use crate::failure::Failure;

/// The folder: `SLUICE_CACHE_DIR`, or `sluice` in the user's cache folder.
pub(crate) fn cache_folder() -> Result<PathBuf, Failure> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    folder("SLUICE_CACHE_DIR")
        .map(PathBuf::from)
        .or_else(|| folder("XDG_CACHE_HOME").map(|base| PathBuf::from(base).join("sluice")))
        .or_else(|| folder("HOME").map(|base| PathBuf::from(base).join(".cache/sluice")))
        .ok_or_else(|| {
            Failure::usage(
                "there is no folder to keep built circuits in",
                "name one in SLUICE_CACHE_DIR",
            )
        })
}
