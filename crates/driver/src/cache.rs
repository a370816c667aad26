//! Where built things are kept between runs.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::failure::Failure;

/// The folder of Verilog that was built under Verilator. Without a cache it goes when this is dropped; what is
/// loaded stays loaded.
#[derive(Debug)]
pub struct VerilogFolder {
    path: PathBuf,
    _temporary: Option<TempDir>,
}

impl VerilogFolder {
    /// The one that the environment chooses.
    pub fn from_environment() -> Result<VerilogFolder, Failure> {
        if let Some(folder) = sluice_cache::folder() {
            return Ok(VerilogFolder {
                path: folder.join("rtl"),
                _temporary: None,
            });
        }
        let temporary = tempfile::tempdir().map_err(|source| Failure::File {
            action: "write",
            path: "a temporary folder".into(),
            source,
        })?;
        Ok(VerilogFolder {
            path: temporary.path().to_owned(),
            _temporary: Some(temporary),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
