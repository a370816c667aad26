//! The area of Verilog designs on an ECP5, as reported by Yosys.

use std::error::Error;
use std::process::Command;

use sluice_circuit::verilog::File;

/// What a design occupies.
pub struct Area {
    /// Look-up tables: of logic, of carry chains, of distributed memory.
    pub luts: u32,
    /// Flip-flops.
    pub ffs: u32,
    /// Multipliers.
    pub dsps: u32,
    /// Block memories.
    pub brams: u32,
}

/// Synthesises a design.
pub fn synthesise(files: &[File], top: &str) -> Result<Area, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for file in files {
        std::fs::write(folder.path().join(&file.name), &file.text)?;
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    // Without the delay, the mapper trades area for speed.
    let script = format!(
        "read_verilog {}; scratchpad -set abc9.D 4000; synth_ecp5 -abc9 -top {top}; \
         tee -o stat.txt stat",
        names.join(" ")
    );
    let output = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder.path())
        .output()
        .map_err(|error| format!("yosys: {error}: install the Debian package `yosys`"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let stat = std::fs::read_to_string(folder.path().join("stat.txt"))?;
    let cells = |kind| cells(&stat, kind);
    Ok(Area {
        // Sixteen words of four bits take two slices, and the two tables of a third for writing.
        luts: cells("LUT4") + 2 * cells("CCU2C") + 6 * cells("TRELLIS_DPR16X4"),
        ffs: cells("TRELLIS_FF"),
        dsps: cells("MULT18X18D"),
        brams: cells("DP16KD"),
    })
}

/// How many cells of a kind the whole design has: Yosys lists modules first, the whole last.
fn cells(stat: &str, kind: &str) -> u32 {
    let lines = stat.lines().map(str::split_whitespace);
    let mut counts = lines.filter_map(|mut words| {
        (words.next() == Some(kind)).then(|| words.next()?.parse::<u32>().ok())?
    });
    counts.next_back().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_whole_design_stand_last() {
        let stat = "=== part ===\n  LUT4   3\n=== design hierarchy ===\n  LUT4   12\n  DP16KD  2";
        assert_eq!((cells(stat, "LUT4"), cells(stat, "TRELLIS_FF")), (12, 0));
    }
}
