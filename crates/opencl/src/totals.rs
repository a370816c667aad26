//! What the kernels of a process took, for the report.

use std::collections::BTreeMap;
use std::sync::{Mutex, Once};
use std::time::Duration;

use sluice_circuit::dram::Traffic;
use sluice_circuit::sim::Stalls;
use sluice_driver::{ExecReport, KernelTotals, StallCause};

use crate::engine::Nanoseconds;
use crate::settings::Settings;
use crate::watch::Counts;

/// One launch.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) items: u64,
    pub(crate) length: Nanoseconds,
    pub(crate) host: Duration,
    pub(crate) cycles: u64,
    /// None if there is no circuit.
    pub(crate) datapaths: Option<u32>,
    /// None if there is no circuit.
    pub(crate) lanes: Option<u32>,
    /// The clock that its circuit is expected to reach, if there is one.
    pub(crate) estimated_mhz: Option<f64>,
    pub(crate) watched: Counts,
    pub(crate) traffic: Traffic,
    pub(crate) stalls: Option<Stalls>,
}

/// All launches of a kernel, and stalled cycles by what caused them: unit and source lines.
#[derive(Clone, Debug, Default)]
struct Totals {
    sums: KernelTotals,
    length: Nanoseconds,
    host: Duration,
    causes: BTreeMap<(String, Vec<u32>), u64>,
}

static TOTALS: Mutex<BTreeMap<String, Totals>> = Mutex::new(BTreeMap::new());

/// Counts a launch of a kernel, if there is to be a report.
pub(crate) fn add(kernel: &str, launched: Launched) {
    if Settings::get().is_none_or(|settings| settings.report.is_none()) {
        return;
    }
    static AT_EXIT: Once = Once::new();
    // SAFETY: the function may be called at any time, and the library is never unloaded before it.
    AT_EXIT.call_once(|| unsafe {
        libc::atexit(write_at_exit);
    });
    let mut all = TOTALS.lock().unwrap_or_else(|it| it.into_inner());
    let totals = all.entry(kernel.to_owned()).or_default();
    totals.sums.launches += 1;
    totals.sums.work_items += launched.items;
    totals.sums.cycles += launched.cycles;
    totals.sums.findings += launched.watched.findings;
    totals.sums.disagreements += launched.watched.disagreements;
    if let Some(datapaths) = launched.datapaths {
        let fewest = totals.sums.datapaths.get_or_insert(datapaths);
        *fewest = datapaths.min(*fewest);
    }
    if let Some(lanes) = launched.lanes {
        let fewest = totals.sums.lanes.get_or_insert(lanes);
        *fewest = lanes.min(*fewest);
    }
    if let Some(mhz) = launched.estimated_mhz {
        let slowest = totals.sums.estimated_mhz.get_or_insert(mhz);
        *slowest = mhz.min(*slowest);
    }
    totals.sums.bytes_read += launched.traffic.read;
    totals.sums.bytes_written += launched.traffic.written;
    totals.length += launched.length;
    totals.host += launched.host;
    if let Some(stalls) = launched.stalls {
        totals.sums.stalled_cycles += stalls.stalled;
        for unit in stalls.units.into_iter().filter(|unit| unit.caused > 0) {
            *totals.causes.entry((unit.name, unit.lines)).or_default() += unit.caused;
        }
    }
}

extern "C" fn write_at_exit() {
    // A panic has no place to go here.
    let _ = std::panic::catch_unwind(|| {
        let Some((settings, path)) =
            Settings::get().and_then(|settings| Some((settings, settings.report.as_ref()?)))
        else {
            return;
        };
        let all = TOTALS.lock().unwrap_or_else(|it| it.into_inner());
        let report = ExecReport {
            device: settings.executor.name().to_owned(),
            target: settings.board.name.clone(),
            mhz: settings.board.mhz,
            clock: settings.clock.name().to_owned(),
            datapaths: settings.choices.datapaths.unwrap_or(1),
            kernels: all
                .iter()
                .map(|(name, totals)| totals.report(name))
                .collect(),
        };
        let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("sluice: cannot write {}: {error}", path.display());
        }
    });
}

impl Totals {
    fn report(&self, kernel: &str) -> KernelTotals {
        let causes = self
            .causes
            .iter()
            .map(|((unit, lines), &cycles)| StallCause {
                unit: unit.clone(),
                lines: lines.clone(),
                cycles,
            });
        let mut stalls: Vec<StallCause> = causes.collect();
        stalls.sort_by_key(|cause| std::cmp::Reverse(cause.cycles));
        KernelTotals {
            kernel: kernel.to_owned(),
            device_seconds: self.length as f64 / 1e9,
            host_seconds: self.host.as_secs_f64(),
            stalls,
            ..self.sums.clone()
        }
    }
}
