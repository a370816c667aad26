//! The simulator against Verilator: cycles per second of CPU time on the same circuit, with the same
//! model of its environment, from reset to done.
//!
//! The two run in turns, and the least time of each counts: other work on the machine can only add
//! to it.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sluice_circuit::dram::Timing;
use sluice_circuit::sim::Simulator;
use sluice_kernel::launch::host::{Host, Job};
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{Effort, Trace};

use crate::workloads::{Loaded, WORKLOADS, Workload};

const TRIALS: usize = 7;

/// The goal: cycles per second relative to Verilator.
const GOAL: f64 = 5.0;

/// A run: when it was done, and the CPU time that it took.
struct Run {
    cycles: u64,
    time: Duration,
}

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!("The simulator against Verilator, whole launches (goal: {GOAL} times as fast)\n");
    println!(
        "{:<20} {:>8} {:>13} {:>13} {:>11} {:>11} {:>6}",
        "kernel", "cycles", "simulator/ms", "Verilator/ms", "Mcycles/s", "Mcycles/s", "ratio"
    );
    for workload in WORKLOADS {
        let (ours, theirs) = compare(workload)?;
        let speed = |run: &Run| run.cycles as f64 / run.time.as_secs_f64() / 1e6;
        println!(
            "{:<20} {:>8} {:>13.2} {:>13.2} {:>11.3} {:>11.3} {:>6.2}",
            workload.file,
            ours.cycles,
            1e3 * ours.time.as_secs_f64(),
            1e3 * theirs.time.as_secs_f64(),
            speed(&ours),
            speed(&theirs),
            speed(&ours) / speed(&theirs),
        );
    }
    println!();
    Ok(())
}

/// The fastest run of the simulator and of Verilator.
fn compare(workload: &Workload) -> Result<(Run, Run), Box<dyn Error>> {
    let loaded = workload.load()?;
    let circuit = loaded.design.lowered.circuit();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-verilator");
    let rtl = Rtl::build(circuit, Trace::Off, Effort::FastRun, &folder)?;
    let mut ours = simulator(&loaded)?;
    let mut theirs = verilator(&loaded, &rtl)?;
    for _ in 1..TRIALS {
        let (simulated, verilated) = (simulator(&loaded)?, verilator(&loaded, &rtl)?);
        ours.time = ours.time.min(simulated.time);
        theirs.time = theirs.time.min(verilated.time);
    }
    match ours.cycles == theirs.cycles {
        true => Ok((ours, theirs)),
        false => Err(format!("{}: the cycles differ", workload.file).into()),
    }
}

fn host(loaded: &Loaded) -> Result<Host, Box<dyn Error>> {
    let session = loaded.bind()?;
    let (program, lowered) = (&loaded.design.program, &loaded.design.lowered);
    let (kernel, launch) = (&program.kernels()[0], session.launch());
    let job = Job { kernel, launch };
    Ok(Host::new(
        &[job],
        lowered,
        &session.memory,
        &Timing::default(),
    )?)
}

fn simulator(loaded: &Loaded) -> Result<Run, Box<dyn Error>> {
    let mut host = host(loaded)?;
    let mut simulator = Simulator::new(
        loaded.design.lowered.circuit(),
        host.environment(),
        host.constants(),
    );
    let start = cpu_time();
    while host.done().is_none() {
        if !simulator.step(u64::MAX) {
            return Err("the circuit is deadlocked".into());
        }
    }
    Ok(Run {
        time: cpu_time() - start,
        cycles: host.done().expect("it is done"),
    })
}

fn verilator(loaded: &Loaded, rtl: &Rtl) -> Result<Run, Box<dyn Error>> {
    let mut host = host(loaded)?;
    let mut run = rtl.start(host.environment(), host.constants());
    let start = cpu_time();
    while host.done().is_none() {
        run.step();
    }
    Ok(Run {
        time: cpu_time() - start,
        cycles: host.done().expect("it is done"),
    })
}

/// The CPU time of this process.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
