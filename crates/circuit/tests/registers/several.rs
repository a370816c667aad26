//! Two kernels in one IP block, each behind registers of its own, one of which prints.

use std::sync::{Arc, Mutex};

use sluice_circuit::shared_bytes::SharedBytes;
use sluice_circuit::shell::Shell;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;
use sluice_circuit::units::registers::{CONTROL, CYCLES, DONE, FAULT, IDLE, INTERRUPT_ENABLE};
use sluice_verilator::ip_block::{MemoryAnswer, Run};

use crate::host::{Command, Host, Ports, Record};
use crate::kernel::{self, Arguments};
use crate::{FIRST, LIMIT, MEMORY, SECOND, X, Y, build, bytes, words};

/// A host for each kernel, and a reader of what is printed.
struct Hosts {
    hosts: Vec<Host>,
    prints: Vec<usize>,
    printed: Printed,
}

/// By print, the tokens that came.
type Printed = Arc<Mutex<Vec<Vec<Vec<u64>>>>>;

impl Model for Hosts {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        for host in &mut self.hosts {
            host.reset(constants, io);
        }
        for &print in &self.prints {
            io.accept(print, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for host in &mut self.hosts {
            host.clock(io);
        }
        for (at, &print) in self.prints.iter().enumerate() {
            if let Some(token) = io.taken(print) {
                self.printed.lock().unwrap()[at].push(token.to_vec());
            }
        }
    }
}

/// What came of the launches.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    records: Vec<Record>,
    printed: Vec<Vec<Vec<u64>>>,
    /// By kernel, what it was to write.
    results: [Vec<u32>; 2],
}

/// What the hosts know of a run.
struct Watch {
    records: Vec<Arc<Mutex<Record>>>,
    printed: Printed,
    memory: SharedBytes,
}

/// The kernels' launches: they write to different places.
const LAUNCHES: [Arguments; 2] = [FIRST, SECOND];

/// What the hosts do: each launches its kernel.
fn both() -> [Vec<Command>; 2] {
    LAUNCHES.map(|arguments| {
        let mut commands = vec![Command::write(INTERRUPT_ENABLE, 1)];
        commands.extend(Command::launch(&arguments.constants()));
        commands.extend([Command::AwaitDone, Command::Read { address: CYCLES }]);
        commands
    })
}

fn hosts(shell: &Shell, commands: [Vec<Command>; 2]) -> (Hosts, Watch) {
    let memory = SharedBytes::zeroed(MEMORY);
    let numbers: Vec<u32> = (0..100).collect();
    memory.write(X as usize, &bytes(&numbers));
    let mut hosts = Vec::new();
    let mut records = Vec::new();
    for (kernel, commands) in commands.into_iter().enumerate() {
        let ports = Ports::of_kernel(shell, kernel);
        let (host, record) = Host::new(ports, commands, memory.clone());
        hosts.push(host);
        records.push(record);
    }
    let prints = shell.kernels.iter().flat_map(|it| it.prints.clone());
    let prints: Vec<usize> = prints.collect();
    let printed = Printed::new(Mutex::new(vec![Vec::new(); prints.len()]));
    let hosts = Hosts {
        hosts,
        prints,
        printed: Arc::clone(&printed),
    };
    let watch = Watch {
        records,
        printed,
        memory,
    };
    (hosts, watch)
}

impl Watch {
    fn is_finished(&self) -> bool {
        self.records.iter().all(|it| it.lock().unwrap().finished)
    }

    fn outcome(self) -> Outcome {
        let records = self.records.iter().map(|it| it.lock().unwrap().clone());
        let results = [(Y, 100), (Y + 0x400, 70)];
        Outcome {
            records: records.collect(),
            printed: self.printed.lock().unwrap().clone(),
            results: results.map(|(address, count)| words(&self.memory, address, count)),
        }
    }
}

fn simulate(shell: &Shell) -> Outcome {
    let (hosts, watch) = hosts(shell, both());
    let mut simulator = Simulator::new(&shell.circuit, Box::new(hosts), &[]);
    while !watch.is_finished() {
        assert!(simulator.step(LIMIT), "a host waits for ever");
    }
    watch.outcome()
}

#[test]
fn kernels_of_one_block_run_at_the_same_time_behind_registers_of_their_own() {
    let outcome = simulate(&kernel::pair("pair"));
    let expected = [
        (0..100).map(|n| n + 1000).collect::<Vec<u32>>(),
        (2..72).map(|n| n + 5).collect(),
    ];
    assert_eq!(outcome.results, expected);
    let launched = 1 + 2 * FIRST.constants().len();
    let [first, second] = &outcome.records[..] else {
        panic!("two hosts");
    };
    for (this, other) in [(first, second), (second, first)] {
        assert_eq!(this.interrupts, [1], "each has an interrupt line");
        let (started, _, _) = this.answers[launched];
        let (ended, cycles, _) = *other.answers.last().expect("cycles were read");
        assert!(started < ended - cycles.expect("cycles"), "both run");
    }
    let numbers: Vec<Vec<u64>> = (0..70).map(|n| vec![n, n % 8]).collect();
    assert_eq!(outcome.printed, [numbers, vec![Vec::new(); 70]]);
}

/// Runs the IP block until the hosts have done all they had to.
fn finish(run: &mut Run<'_>, watch: &Watch) {
    while !watch.is_finished() {
        assert!(run.cycle() < LIMIT, "a host waits for ever");
        run.settle();
        run.edge();
    }
}

#[test]
fn an_error_of_memory_is_the_fault_of_all_kernels() {
    let shell = kernel::pair("pair");
    let block = build(&shell);
    let mut launch = Command::launch(&FIRST.constants());
    launch.push(Command::AwaitDone);
    // Long enough for the other kernel's launch.
    let watch_control = vec![Command::Read { address: CONTROL }; 1000];
    let (hosts, watch) = hosts(&shell, [launch, watch_control]);
    let mut run = block.start(Box::new(hosts), MemoryAnswer::Error);
    finish(&mut run, &watch);
    let last = |kernel: usize| {
        let record = watch.records[kernel].lock().unwrap();
        record.answers.last().expect("there are answers").1
    };
    assert_eq!(last(0), Some(DONE | IDLE | FAULT));
    assert_eq!(last(1), Some(IDLE | FAULT));
}

#[test]
fn the_ip_block_of_two_kernels_answers_and_prints_as_the_simulator() {
    let shell = kernel::pair("pair");
    let block = build(&shell);
    let names = [
        "quiet_irq",
        "loud_irq",
        "quiet_s_axi_control_awvalid",
        "loud_s_axi_control_rdata",
        "m_axi_mem0_araddr",
        "m_axi_mem1_wdata",
        "loud_m_axis_print0_tdata",
        "loud_m_axis_print1_tready",
    ];
    for name in names {
        assert!(block.port(name).is_some(), "port {name}");
    }
    let (hosts, watch) = hosts(&shell, both());
    let mut run = block.start(Box::new(hosts), MemoryAnswer::Okay);
    finish(&mut run, &watch);
    for name in ["quiet_irq", "loud_irq"] {
        assert_eq!(run.pins().get(block.port(name).unwrap()), 1, "{name}");
    }
    let mut found = watch.outcome();
    let mut expected = simulate(&shell);
    // The interrupt's channel is no pin of the block.
    for record in found.records.iter_mut().chain(&mut expected.records) {
        record.interrupts.clear();
    }
    assert_eq!(found, expected);
}
