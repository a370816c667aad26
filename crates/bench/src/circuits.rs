//! Circuits: cycles of whole launches against the bound, the simulator against Verilator, the time
//! from source to Verilog, and the area.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use sluice_circuit::access::LINE;
use sluice_circuit::emit::emit;
use sluice_circuit::target::Target;
use sluice_driver::{Design, Execution, compile};
use sluice_kernel::lower::Buffers;
use sluice_kernel::simulate::{self, Attribution};
use sluice_verilator::{Effort, Trace};

use crate::area::{Area, synthesise};
use crate::workloads::{Loaded, WORKLOADS, Workload};

/// How often each speed is measured; the best counts, because other processes only ever slow down.
const TRIALS: usize = 5;

/// Cycles against the bound.
pub fn throughput() -> Result<(), Box<dyn Error>> {
    println!("Circuits: whole launches, from reset to done\n");
    println!(
        "{:<20} {:>9} {:>9} {:>6} {:>10} {:>6}",
        "kernel", "cycles", "bound", "ratio", "per cycle", "goal"
    );
    for workload in WORKLOADS {
        let measured = measure(workload)?;
        println!(
            "{:<20} {:>9} {:>9} {:>6.2} {:>10.3} {:>6} {}",
            workload.file,
            measured.execution.cycles,
            measured.bound,
            measured.execution.cycles as f64 / measured.bound as f64,
            measured.rate(),
            workload.goal,
            workload.what,
        );
    }
    println!();
    Ok(())
}

/// What a launch took.
struct Measured {
    work: u64,
    bound: u64,
    execution: Execution,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.work as f64 / self.execution.cycles as f64
    }
}

fn measure(workload: &Workload) -> Result<Measured, Box<dyn Error>> {
    let loaded = workload.load()?;
    let prepared = loaded.prepare()?;
    let options = simulate::Options {
        stalls: Attribution::On,
        ..simulate::Options::default()
    };
    let execution = loaded.design.simulate(&prepared, &options)?;
    loaded.check(&prepared)?;
    Ok(Measured {
        work: workload.work(&loaded),
        bound: bound(&execution),
        execution,
    })
}

/// The larger of tokens through the busiest channel, which passes one in a cycle, and bytes over the
/// width of the bus.
fn bound(execution: &Execution) -> u64 {
    let stalls = execution.stalls.as_ref().expect("they were asked for");
    let busiest = stalls.channels.values().map(|channel| channel.passed).max();
    let bytes = execution.traffic.read + execution.traffic.written;
    busiest.unwrap_or(0).max(bytes / u64::from(LINE))
}

/// The simulator against Verilator, on the same design in the same run.
pub fn speed() -> Result<(), Box<dyn Error>> {
    let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-verilated");
    println!("Simulated cycles per second: the simulator, Verilator (-O3), and the ratio\n");
    println!(
        "{:<20} {:>9} {:>12} {:>12} {:>6}",
        "kernel", "cycles", "simulator", "Verilator", "ratio"
    );
    let mut ratios = Vec::new();
    for workload in WORKLOADS {
        let loaded = workload.load()?;
        let rtl = loaded
            .design
            .verilate(Trace::Off, Effort::FastRun, &cache)?;
        let options = simulate::Options::default();
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let mut cycles = 0;
        for _ in 0..TRIALS {
            let (execution, time) = timed(&loaded, |prepared| {
                loaded.design.simulate(prepared, &options)
            })?;
            ours = ours.min(time);
            cycles = execution.cycles;
            let (execution, time) = timed(&loaded, |prepared| {
                loaded.design.run_rtl(&rtl, prepared, &options, None)
            })?;
            theirs = theirs.min(time);
            assert_eq!(execution.cycles, cycles, "{}", workload.file);
        }
        let per_second = |time: Duration| cycles as f64 / time.as_secs_f64();
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        println!(
            "{:<20} {cycles:>9} {:>12.0} {:>12.0} {ratio:>6.1}",
            workload.file,
            per_second(ours),
            per_second(theirs),
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "least ratio {:.1}, median {:.1}\n",
        ratios[0],
        ratios[ratios.len() / 2]
    );
    Ok(())
}

/// Runs a launch, checks its results, and takes the time of the run alone.
fn timed<E: Error + 'static>(
    loaded: &Loaded,
    run: impl FnOnce(&sluice_driver::Prepared) -> Result<Execution, E>,
) -> Result<(Execution, Duration), Box<dyn Error>> {
    let prepared = loaded.prepare()?;
    let start = Instant::now();
    let execution = run(&prepared)?;
    let time = start.elapsed();
    loaded.check(&prepared)?;
    Ok((execution, time))
}

/// Seconds from source to Verilog, and what it occupies.
pub fn area() -> Result<(), Box<dyn Error>> {
    println!("From source to Verilog, and its area on an ECP5 (Yosys, synth_ecp5)\n");
    println!(
        "{:<20} {:>8} {:>7} {:>7} {:>5} {:>6}",
        "kernel", "seconds", "LUTs", "FFs", "DSPs", "BRAMs"
    );
    let mut seconds = Vec::new();
    for workload in WORKLOADS {
        let start = Instant::now();
        let kernel = compile(&workload.source())?.kernels.remove(0);
        let design = Design::of(kernel, &Target::ECP5, Buffers::Disjoint)
            .map_err(|refusal| refusal.to_string())?;
        let files = emit(&design.lowered.circuit);
        let time = start.elapsed().as_secs_f64();
        seconds.push(time);
        let Area {
            luts,
            ffs,
            dsps,
            brams,
        } = synthesise(&files, &design.lowered.circuit.name)?;
        println!(
            "{:<20} {time:>8.3} {luts:>7} {ffs:>7} {dsps:>5} {brams:>6}",
            workload.file
        );
    }
    seconds.sort_by(f64::total_cmp);
    println!("median {:.3} s\n", seconds[seconds.len() / 2]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_circuit_does_the_work_per_cycle_that_is_its_goal() {
        let mut slow = Vec::new();
        for workload in WORKLOADS {
            let measured = measure(workload).unwrap_or_else(|error| panic!("{error}"));
            assert!(
                measured.execution.cycles >= measured.bound,
                "{}: a bound is a bound",
                workload.file
            );
            if measured.rate() < workload.goal {
                let (file, goal) = (workload.file, workload.goal);
                slow.push(format!("{file}: {:.3}, not {goal}", measured.rate()));
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    }
}
