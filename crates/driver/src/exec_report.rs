//! What the kernels of a program took: the runtime writes it, `sluice exec` shows it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// All kernels of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExecReport {
    /// What ran them: `sim`, `rtl` or `interp`.
    pub device: String,
    /// The target's name.
    pub target: String,
    /// The target's clock.
    pub mhz: f64,
    /// The clock that times are for: `target` or `estimated`.
    #[serde(default)]
    pub clock: String,
    /// Pipelines of each kernel.
    pub datapaths: u32,
    /// By name.
    pub kernels: Vec<KernelTotals>,
}

/// All launches of a kernel.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct KernelTotals {
    /// Its name.
    pub kernel: String,
    /// How often it was launched.
    pub launches: u64,
    /// Work-items of all launches.
    pub work_items: u64,
    /// Pipelines that it had, at the least; none if it had no circuit.
    #[serde(default)]
    pub datapaths: Option<u32>,
    /// Work-items of a token, at the least; none if it had no circuit.
    #[serde(default)]
    pub lanes: Option<u32>,
    /// The clock that its slowest circuit is expected to reach; none if it had no circuit.
    #[serde(default)]
    pub estimated_mhz: Option<f64>,
    /// What the interpreter's checks reported, each place once per launch.
    #[serde(default)]
    pub findings: u64,
    /// Launches whose results differ from the interpreter's.
    #[serde(default)]
    pub disagreements: u64,
    /// Cycles of all launches; zero if there was no clock.
    pub cycles: u64,
    /// The same on the target; real time if there was no clock.
    pub device_seconds: f64,
    /// How long the host took for it.
    pub host_seconds: f64,
    /// Bytes from external memory.
    pub bytes_read: u64,
    /// Bytes to external memory.
    pub bytes_written: u64,
    /// Stalled cycles of all channels together.
    pub stalled_cycles: u64,
    /// Their causes, the worst first.
    pub stalls: Vec<StallCause>,
}

/// A unit that others waited for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StallCause {
    /// Its name.
    pub unit: String,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// Stalled cycles that it caused.
    pub cycles: u64,
}

/// How many causes of stalls are shown.
const CAUSES: usize = 3;

/// A table, for people.
impl fmt::Display for ExecReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kernels.is_empty() {
            return writeln!(f, "sluice: no kernel was launched");
        }
        let ExecReport {
            device,
            target,
            mhz,
            clock,
            datapaths,
            ..
        } = self;
        let clock = match &**clock {
            "estimated" => "its estimated clock".to_owned(),
            _ => format!("{mhz} MHz"),
        };
        writeln!(
            f,
            "sluice: kernels on {device}, {target} at {clock}, {datapaths} datapath{}",
            if *datapaths == 1 { "" } else { "s" }
        )?;
        let names = self.kernels.iter().map(|it| it.kernel.len());
        let width = names.max().unwrap_or(0).max("kernel".len());
        writeln!(
            f,
            "  {:width$}  {:>8}  {:>12}  {:>12}  {:>10}  {:>10}",
            "kernel", "launches", "cycles", "time", "read", "written"
        )?;
        for it in &self.kernels {
            let rate = |bytes: u64| match it.device_seconds > 0.0 {
                true => format!("{:.2} GB/s", bytes as f64 / it.device_seconds / 1e9),
                false => "-".to_owned(),
            };
            writeln!(
                f,
                "  {:width$}  {:>8}  {:>12}  {:>12}  {:>10}  {:>10}",
                it.kernel,
                it.launches,
                it.cycles,
                duration(it.device_seconds),
                rate(it.bytes_read),
                rate(it.bytes_written),
            )?;
            it.show_datapaths(f, *datapaths, target)?;
            if let Some(lanes @ 2..) = it.lanes {
                writeln!(f, "    {lanes} lanes")?;
            }
            it.show_watched(f)?;
            it.show_stalls(f)?;
        }
        Ok(())
    }
}

impl ExecReport {
    /// Whether the checks found something, or results differ from the interpreter's.
    pub fn has_findings(&self) -> bool {
        let mut kernels = self.kernels.iter();
        kernels.any(|it| it.findings > 0 || it.disagreements > 0)
    }
}

impl KernelTotals {
    fn show_datapaths(&self, f: &mut fmt::Formatter<'_>, wanted: u32, target: &str) -> fmt::Result {
        match self.datapaths {
            Some(had) if had < wanted => {
                writeln!(
                    f,
                    "    {had} of {wanted} datapaths: more do not fit {target}"
                )
            }
            Some(had) if had > wanted => writeln!(f, "    {had} datapaths by its plan"),
            Some(_) | None => Ok(()),
        }
    }

    fn show_watched(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.findings {
            0 => {}
            count => writeln!(f, "    findings of the checks: {count}")?,
        }
        match self.disagreements {
            0 => Ok(()),
            count => writeln!(f, "    launches that differ from the interpreter: {count}"),
        }
    }

    fn show_stalls(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cause in self.stalls.iter().take(CAUSES) {
            let share = 100.0 * cause.cycles as f64 / self.stalled_cycles.max(1) as f64;
            let lines: Vec<String> = cause.lines.iter().map(u32::to_string).collect();
            let place = match lines.is_empty() {
                true => String::new(),
                false => format!(" (line {})", lines.join(", ")),
            };
            writeln!(f, "    {share:5.1} % of stalls: {}{place}", cause.unit)?;
        }
        Ok(())
    }
}

/// A time for people.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.3} us", seconds * 1e6),
        ..1.0 => format!("{:.3} ms", seconds * 1e3),
        _ => format!("{seconds:.3} s"),
    }
}
