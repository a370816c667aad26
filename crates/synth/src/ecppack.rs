//! ecppack: from a chip's configuration to a bitstream.

use std::path::{Path, PathBuf};

use crate::job::{Job, JobError};
use crate::nextpnr::CONFIG;
use crate::tools::Tool;

/// The file with the bitstream.
pub const BITSTREAM: &str = "chip.bit";

/// Makes the bitstream of the configuration in `folder`.
pub fn pack(folder: &Path) -> Result<PathBuf, JobError> {
    let mut job = Job::new(Tool::Ecppack.name(), &Tool::Ecppack.find()?, folder);
    job.command.args([CONFIG, BITSTREAM]);
    job.run(&mut |_| {})?;
    Ok(folder.join(BITSTREAM))
}
