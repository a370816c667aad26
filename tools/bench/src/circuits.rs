//! Circuits: cycles of whole launches against the bound, the time from source to Verilog, and the
//! area.

use std::error::Error;
use std::time::Instant;

use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_circuit::verilog::emit;
use sluice_driver::{Design, Execution, compile};
use sluice_kernel::launch::simulate::{self, Attribution};
use sluice_kernel::plan::Plan;

use crate::area::{Area, synthesise};
use crate::workloads::{SYNCHRONISING, WORKLOADS, Workload};

/// Cycles against the bound.
pub fn throughput() -> Result<(), Box<dyn Error>> {
    println!("Circuits: whole launches, from start to done\n");
    println!(
        "{:<24} {:>9} {:>9} {:>6} {:>10} {:>6}",
        "kernel", "cycles", "bound", "ratio", "per cycle", "goal"
    );
    for workload in WORKLOADS.iter().chain(SYNCHRONISING) {
        let measured = measure(workload)?;
        println!(
            "{:<24} {:>9} {:>9} {:>6.2} {:>10.3} {:>6} {}",
            workload.file,
            measured.cycles,
            measured.bound,
            measured.cycles as f64 / measured.bound as f64,
            measured.rate(),
            workload.goal,
            workload.what,
        );
    }
    println!();
    Ok(())
}

/// Measurements of a launch.
struct Measured {
    work: u64,
    bound: u64,
    cycles: u64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.work as f64 / self.cycles as f64
    }
}

fn measure(workload: &Workload) -> Result<Measured, Box<dyn Error>> {
    let loaded = workload.load()?;
    let options = simulate::Options {
        stalls: Attribution::On,
        ..simulate::Options::default()
    };
    let execution = loaded.run(&options)?;
    Ok(Measured {
        work: workload.work(&loaded),
        bound: bound(&execution, &options.timing),
        cycles: execution.cycles().expect("a circuit has a clock"),
    })
}

/// The larger of tokens through the busiest channel, which passes one in a cycle, and bytes over the
/// width of the bus, which reads and writes share.
///
/// The bound is for the actual circuit: with several datapaths the busiest channel is one of the most
/// loaded datapath, a shared memory counts the requests of all datapaths, and bytes are those that
/// were transferred. It does not include waiting at barriers and bank conflicts of local memory.
fn bound(execution: &Execution, timing: &Timing) -> u64 {
    let stalls = execution.stalls.as_ref().expect("they were asked for");
    let busiest = stalls.channels.values().map(|channel| channel.passed).max();
    let bytes = execution.traffic.read + execution.traffic.written;
    busiest
        .unwrap_or(0)
        .max(bytes / u64::from(timing.bytes_per_cycle))
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
        let program = compile(&workload.source())?.program;
        let design = Design::of(program, &Target::ECP5, &Plan::default())
            .map_err(|refusal| refusal.to_string())?;
        let files = emit(design.lowered.circuit());
        let time = start.elapsed().as_secs_f64();
        seconds.push(time);
        let Area {
            luts,
            ffs,
            dsps,
            brams,
        } = synthesise(&files, &design.lowered.circuit().name)?;
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
        for workload in WORKLOADS.iter().chain(SYNCHRONISING) {
            let measured = measure(workload).unwrap_or_else(|error| panic!("{error}"));
            assert!(
                measured.cycles >= measured.bound,
                "{}: a bound is a bound",
                workload.file
            );
            let Workload { file, goal, .. } = workload;
            if measured.rate() < *goal {
                slow.push(format!("{file}: {:.3}, not {goal}", measured.rate()));
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    }
}
