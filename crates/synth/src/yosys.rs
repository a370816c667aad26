//! Yosys: from Verilog to cells.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::family::{Maker, Synthesis};
use sluice_circuit::target::Target;

use crate::Design;
use crate::job::{Job, JobError};
use crate::tools::Tool;

/// The part of the clock period that logic takes, without routing: what the mapper is told. Told
/// less, it trades area for a speed that is lost in routing.
const LOGIC_SHARE: f64 = 0.56;

/// Maps a design to the cells of the target's family; the netlist is the result, as a JSON file in
/// `folder`.
pub fn map(
    design: &Design,
    target: &Target,
    folder: &Path,
    listener: &mut dyn FnMut(&str),
) -> Result<PathBuf, JobError> {
    let name = Tool::Yosys.name();
    let system = |error| JobError::System { name, error };
    for file in &design.files {
        fs::write(folder.join(&file.name), &file.text).map_err(system)?;
    }
    for (name, text) in M20K {
        fs::write(folder.join(name), text).map_err(system)?;
    }
    fs::write(folder.join("synth.ys"), script(design, target)).map_err(system)?;
    let mut job = Job::new(name, &Tool::Yosys.find()?, folder);
    job.command.arg("synth.ys");
    job.run(listener)?;
    Ok(folder.join(NETLIST))
}

/// The file with the netlist.
pub const NETLIST: &str = "netlist.json";

/// The script that maps a design.
pub fn script(design: &Design, target: &Target) -> String {
    let top = &design.top;
    let names = design.files.iter().map(|file| file.name.as_str());
    let mut lines = vec![
        format!("read_verilog {}", names.collect::<Vec<_>>().join(" ")),
        format!("hierarchy -top {top}"),
    ];
    let apart = design.apart.iter();
    lines.extend(apart.map(|module| format!("setattr -set keep_hierarchy 1 {module}/t:*")));
    lines.extend(commands(top, target));
    lines.extend(
        [
            "setattr -unset keep_hierarchy */t:*",
            "flatten",
            "opt_clean -purge",
            &format!("write_json {NETLIST}"),
        ]
        .map(str::to_owned),
    );
    lines.join("\n") + "\n"
}

/// Files with Intel's block memories: how memories become such, and what they are.
const M20K: [(&str, &str); 2] = [
    ("m20k.txt", include_str!("m20k.txt")),
    ("m20k.v", include_str!("m20k.v")),
];

/// The commands for the target's family.
fn commands(top: &str, target: &Target) -> Vec<String> {
    let Synthesis { command, maker } = target.family.synthesis;
    let command = format!("{command} -top {top}");
    match maker {
        Maker::Lattice => {
            let picoseconds = (target.period * 1000.0 * LOGIC_SHARE).round();
            vec![format!("scratchpad -set abc9.D {picoseconds}; {command}")]
        }
        Maker::Xilinx => vec![command],
        // Its own step for block memories fails if one has contents, and knows no write enables of bytes.
        Maker::Intel => {
            let [(rules, _), (cells, _)] = M20K;
            vec![
                format!("{command} -run begin:map_bram"),
                format!("memory_bram -rules {rules}"),
                format!("techmap -map {cells}"),
                format!("{command} -run map_lutram:"),
            ]
        }
    }
}
