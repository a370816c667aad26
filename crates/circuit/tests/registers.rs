//! Registers, and the shell that makes a circuit an IP block: what a host sees of them, in the
//! simulator and at the pins of the Verilog, in the same cycles.

#[path = "groups/dispatch.rs"]
mod dispatch;
#[path = "registers/host.rs"]
mod host;
#[path = "registers/kernel.rs"]
mod kernel;
#[path = "registers/several.rs"]
mod several;
#[path = "registers/stream.rs"]
mod stream;

use std::fs;
use std::path::Path;
use std::process::Command as Process;
use std::sync::Mutex;

use host::{Command, Host, LaunchPorts, Ports, Record};
use kernel::Arguments;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::shared_bytes::SharedBytes;
use sluice_circuit::shell::{self, ControlPorts, KernelPorts, Shell, Unfit};
use sluice_circuit::sim::Simulator;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units;
use sluice_circuit::units::registers::{
    ARGUMENTS, CONTROL, CYCLES, DONE, FAULT, IDLE, INTERRUPT_ENABLE, INTERRUPT_STATUS, OKAY,
    Registers, SLAVE_ERROR, START, argument_offset,
};
use sluice_verilator::Effort;
use sluice_verilator::ip_block::{IpBlock, MemoryAnswer, Run};

const LIMIT: u64 = 100_000;

/// Bytes of external memory.
const MEMORY: usize = 0x1_0000;

fn simulate(shell: &Shell, commands: Vec<Command>, memory: &SharedBytes) -> Record {
    let (host, record) = Host::new(Ports::of(shell), commands, memory.clone());
    let mut simulator = Simulator::new(&shell.circuit, Box::new(host), &[]);
    let finished = || record.lock().unwrap().finished;
    while !finished() {
        assert!(simulator.step(LIMIT), "the host waits for ever");
    }
    record.lock().unwrap().clone()
}

/// The words at an address.
fn words(memory: &SharedBytes, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * count];
    memory.read(address as usize, &mut bytes);
    let words = bytes.chunks(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const X: u64 = 0x1000;
const Y: u64 = 0x8000;
const FIRST: Arguments = Arguments {
    x: X,
    y: Y,
    bias: 1000,
    items: 100,
};
/// Fewer items, overlapping lines, another place for the results.
const SECOND: Arguments = Arguments {
    x: X + 8,
    y: Y + 0x400,
    bias: 5,
    items: 70,
};

/// Two launches with other arguments, between which the host changes what the first one has read.
fn two_launches() -> Vec<Command> {
    let first: Vec<u32> = (0..100).collect();
    let second: Vec<u32> = (0..100).map(|n| 3 * n + 7).collect();
    let store = |words: &[u32]| Command::Store {
        address: X,
        bytes: bytes(words),
    };
    let mut commands = vec![store(&first), Command::write(INTERRUPT_ENABLE, 1)];
    commands.extend(Command::launch(&FIRST.constants()));
    commands.push(Command::AwaitDone);
    commands.push(Command::Read { address: CYCLES });
    commands.push(Command::write(INTERRUPT_STATUS, 1));
    commands.push(store(&second));
    commands.extend(Command::launch(&SECOND.constants()));
    commands.push(Command::AwaitDone);
    commands.push(Command::Read { address: CYCLES });
    commands
}

fn check_two_launches(memory: &SharedBytes) {
    let first: Vec<u32> = (0..100).map(|n| n + 1000).collect();
    let second: Vec<u32> = (2..72).map(|n| 3 * n + 7 + 5).collect();
    assert_eq!(words(memory, Y, 100), first);
    assert_eq!(words(memory, Y + 0x400, 71), [second, vec![0]].concat());
}

#[test]
fn launches_follow_each_other_with_other_arguments_and_other_memory() {
    let shell = kernel::shell("twice");
    let memory = SharedBytes::zeroed(MEMORY);
    let record = simulate(&shell, two_launches(), &memory);
    check_two_launches(&memory);
    assert!(record.answers.iter().all(|&(_, _, answer)| answer == OKAY));
    // Each end is said, and the write between takes the line down.
    assert_eq!(record.interrupts, [1, 0, 1]);
}

fn build(shell: &Shell) -> IpBlock<'_> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let block = IpBlock::build(shell, Effort::QuickBuild, &cache);
    block.unwrap_or_else(|error| panic!("{error}"))
}

/// Runs the IP block until the host has done all it had to.
fn finish(run: &mut Run<'_>, record: &Mutex<Record>) {
    while !record.lock().unwrap().finished {
        assert!(run.cycle() < LIMIT, "the host waits for ever");
        run.settle();
        run.edge();
    }
}

/// What never changes has its value.
fn check_fixed(block: &IpBlock<'_>, run: &Run<'_>) {
    let fixed = [
        ("size", 6),
        ("burst", 1),
        ("lock", 0),
        ("cache", 3),
        ("prot", 0),
        ("qos", 0),
    ];
    for channel in ["ar", "aw"] {
        for (signal, value) in fixed {
            let name = format!("m_axi_mem_{channel}{signal}");
            let port = block.port(&name).expect("a port");
            assert_eq!(run.pins().get(port), value, "{name}");
        }
    }
}

#[test]
fn the_ip_block_answers_in_the_cycles_of_the_simulator() {
    let shell = kernel::shell("twice");
    let ours = simulate(&shell, two_launches(), &SharedBytes::zeroed(MEMORY));
    let memory = SharedBytes::zeroed(MEMORY);
    let (host, record) = Host::new(Ports::of(&shell), two_launches(), memory.clone());
    let block = build(&shell);
    let mut run = block.start(Box::new(host), MemoryAnswer::Okay);
    finish(&mut run, &record);
    check_two_launches(&memory);
    check_fixed(&block, &run);
    assert_eq!(run.pins().get(block.port("irq").unwrap()), 1);
    assert_eq!(record.lock().unwrap().answers, ours.answers);
}

#[test]
fn errors_of_memory_are_seen() {
    let shell = kernel::shell("twice");
    let block = build(&shell);
    let mut commands = Command::launch(&FIRST.constants());
    commands.push(Command::AwaitDone);
    commands.push(Command::write(CONTROL, FAULT));
    commands.push(Command::Read { address: CONTROL });
    let control = |memory| {
        let (host, record) = Host::new(
            Ports::of(&shell),
            commands.clone(),
            SharedBytes::zeroed(MEMORY),
        );
        finish(&mut block.start(Box::new(host), memory), &record);
        let record = record.lock().unwrap();
        let mut reads = record.answers.iter().rev().filter_map(|answer| answer.1);
        [reads.next(), reads.next()].map(|read| read.expect("control was read twice"))
    };
    assert_eq!(control(MemoryAnswer::Okay), [DONE | IDLE; 2]);
    assert_eq!(
        control(MemoryAnswer::Error),
        [DONE | IDLE, DONE | IDLE | FAULT]
    );
}

/// What a host sees of registers alone: by command that has an answer, the data of a read and the
/// answer.
fn ask(arguments: &[u32], commands: Vec<Command>) -> (Vec<(Option<u64>, u64)>, Vec<u64>) {
    let registers = Registers::new(arguments.to_vec());
    let circuit = Circuit::of_units("alone", vec![Box::new(registers)]);
    let ports = Ports {
        control: ControlPorts {
            aw: 0,
            w: 1,
            ar: 2,
            fault: 3,
            b: 0,
            r: 1,
            interrupt: 2,
        },
        memory: None,
        launch: Some(LaunchPorts { start: 3, done: 4 }),
    };
    let (host, record) = Host::new(ports, commands, SharedBytes::zeroed(MEMORY));
    let mut simulator = Simulator::new(&circuit, Box::new(host), &[]);
    while simulator.step(LIMIT) {}
    let record = record.lock().unwrap();
    assert!(record.finished, "the host waits for ever");
    let answers = record.answers.iter();
    let answers = answers.map(|&(_, data, answer)| (data, answer));
    (answers.collect(), record.interrupts.clone())
}

fn read(address: u64) -> Command {
    Command::Read { address }
}

const DONE_WELL: (Option<u64>, u64) = (None, OKAY);
const REFUSED: (Option<u64>, u64) = (None, SLAVE_ERROR);

fn gives(data: u64) -> (Option<u64>, u64) {
    (Some(data), OKAY)
}

#[test]
fn arguments_are_written_by_bytes_and_read_back() {
    let high = |argument| argument_offset(argument) + 4;
    let (answers, _) = ask(
        &[64, 33, 8],
        vec![
            Command::write(argument_offset(0), 0x4433_2211),
            Command::write(high(0), 0x8877_6655),
            Command::Write {
                address: argument_offset(0),
                data: 0xaabb_ccdd,
                strobes: 0b0101,
            },
            read(argument_offset(0)),
            // The low bits of an address are no part of it.
            read(high(0) + 3),
            Command::write(high(1), 0xffff_ffff),
            read(high(1)),
            Command::write(argument_offset(2), 0xffff_ffff),
            read(argument_offset(2)),
            read(high(2)),
        ],
    );
    let expected = [
        DONE_WELL,
        DONE_WELL,
        DONE_WELL,
        gives(0x44bb_22dd),
        gives(0x8877_6655),
        DONE_WELL,
        gives(1),
        DONE_WELL,
        gives(0xff),
        gives(0),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn a_launch_is_started_seen_and_ended() {
    let (answers, _) = ask(
        &[64],
        vec![
            read(CONTROL),
            Command::write(CONTROL, START),
            read(CONTROL),
            Command::End,
            read(CONTROL),
            // Reading does not clear it, writing does.
            read(CONTROL),
            Command::write(CONTROL, DONE),
            read(CONTROL),
            Command::write(CONTROL, START),
            Command::Fault,
            Command::End,
            read(CONTROL),
            Command::write(CONTROL, START),
            read(CONTROL),
        ],
    );
    let reads: Vec<u64> = answers.iter().filter_map(|answer| answer.0).collect();
    let ended = DONE | IDLE;
    assert_eq!(
        reads,
        [IDLE, START, ended, ended, IDLE, ended | FAULT, START]
    );
    assert!(answers.iter().all(|&(_, answer)| answer == OKAY));
}

#[test]
fn nothing_changes_while_a_launch_runs() {
    let (answers, _) = ask(
        &[64],
        vec![
            Command::write(ARGUMENTS, 7),
            Command::write(CONTROL, START),
            Command::write(ARGUMENTS, 8),
            Command::write(CONTROL, START),
            // What concerns no launch can be written.
            Command::write(INTERRUPT_ENABLE, 1),
            read(ARGUMENTS),
            Command::End,
            Command::write(ARGUMENTS, 8),
            read(ARGUMENTS),
        ],
    );
    let expected = [
        DONE_WELL,
        DONE_WELL,
        REFUSED,
        REFUSED,
        DONE_WELL,
        gives(7),
        DONE_WELL,
        gives(8),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn what_is_not_there_is_refused() {
    let end = argument_offset(2);
    let holes = [0x0c, 0x18, ARGUMENTS - 4, end, 0xffc];
    let writes = holes.iter().chain(&[CYCLES, CYCLES + 4]);
    let writes = writes.map(|&address| Command::write(address, 1));
    let (answers, _) = ask(&[64, 1], writes.collect());
    assert_eq!(answers, [REFUSED; 7]);
    let (answers, _) = ask(&[64, 1], holes.map(read).into());
    assert_eq!(answers, [(Some(0), SLAVE_ERROR); 5]);
}

#[test]
fn the_interrupt_line_follows_its_registers() {
    let (answers, levels) = ask(
        &[64],
        vec![
            Command::write(CONTROL, START),
            Command::End,
            read(INTERRUPT_STATUS),
            Command::write(INTERRUPT_ENABLE, 1),
            read(INTERRUPT_ENABLE),
            Command::write(INTERRUPT_STATUS, 1),
            read(INTERRUPT_STATUS),
            Command::write(CONTROL, START),
            Command::End,
            Command::write(INTERRUPT_ENABLE, 0),
        ],
    );
    let reads: Vec<u64> = answers.iter().filter_map(|answer| answer.0).collect();
    assert_eq!(reads, [1, 1, 0]);
    assert_eq!(levels, [1, 0, 1, 0]);
}

#[test]
fn cycles_are_those_from_start_to_done() {
    let shell = kernel::shell("twice");
    let memory = SharedBytes::zeroed(MEMORY);
    let mut commands = Command::launch(&FIRST.constants());
    commands.push(Command::AwaitDone);
    commands.extend([read(CYCLES), read(CYCLES + 4)]);
    // What the kernel takes without a shell, started when its caches are clear.
    let cycles = stream::bare_cycles(&kernel::circuit("bare"), &FIRST.constants());
    let answers = simulate(&shell, commands, &memory).answers;
    let reads: Vec<Option<u64>> = answers.iter().rev().map(|answer| answer.1).collect();
    assert_eq!(reads[..2], [Some(0), Some(cycles)]);
}

#[test]
fn registers_take_an_access_in_every_other_cycle_and_hold_what_they_say() {
    let registers = Registers::new(vec![64]);
    assert_eq!((registers.latency(), registers.capacity()), (2, 2));
    for (channels, answer) in [(&[0, 1][..], 0), (&[2], 1)] {
        let flowing = stream::Stream::run(&registers, channels, answer, stream::Taking::Always);
        let given: Vec<u64> = (0..100).step_by(2).collect();
        assert_eq!(flowing.given[..50], given, "one in two cycles");
        let taken: Vec<u64> = (2..102).step_by(2).collect();
        assert_eq!(flowing.taken[..50], taken, "two cycles later");
        let blocked = stream::Stream::run(&registers, channels, answer, stream::Taking::Never);
        assert_eq!(blocked.given.len(), 2, "capacity");
    }
}

#[test]
fn every_unit_with_constants_takes_new_ones() {
    let mut seen = 0;
    for (_, samples) in units::catalog() {
        for kind in samples {
            let constants = vec![1; kind.constants().len()];
            seen += constants.len();
            kind.model().configure(&constants);
        }
    }
    assert!(seen > 0, "there are units with constants");
}

#[test]
fn circuits_that_fit_no_ip_block_are_refused() {
    /// A circuit with a constant, whose first input and output are the kernel's.
    fn refusal(arguments: usize, inputs: &[(&str, u32)], outputs: &[(&str, u32)]) -> Unfit {
        let mut circuit = Circuit::new("unfit");
        let size = circuit.add_constant("size", 32);
        let fields = |width: u32| Fields::new((width > 0).then_some(width));
        for &(name, width) in inputs {
            let channel = circuit.add_channel(name, fields(width));
            circuit.add_input(channel);
        }
        for &(name, width) in outputs {
            let channel = circuit.add_channel(name, fields(width));
            circuit.add_output(channel);
        }
        let kernel = KernelPorts {
            name: "unfit".into(),
            start: circuit.inputs()[0],
            done: circuit.outputs()[0],
            arguments: [size].into_iter().take(arguments).collect(),
            prints: Vec::new(),
        };
        shell::wrap(circuit, vec![kernel], &[]).expect_err("unfit")
    }
    let (start, done) = (("start", 0), ("done", 0));
    let launch = |name: &str| Unfit::Launch { name: name.into() };
    let channel = |name: &str| Unfit::Channel { name: name.into() };
    assert_eq!(refusal(1, &[("go", 8)], &[done]), launch("go"));
    assert_eq!(refusal(1, &[start], &[("result", 8)]), launch("result"));
    let kernel = "unfit".to_string();
    assert_eq!(refusal(0, &[start], &[done]), Unfit::NoArguments { kernel });
    let pipe = refusal(1, &[start, ("pipe", 8)], &[done]);
    assert_eq!(pipe, channel("pipe"));
    assert_eq!(
        pipe.to_string(),
        "the channel pipe belongs to no AXI4 interface"
    );
    let answer = refusal(1, &[start], &[done, ("answer", 8)]);
    assert_eq!(answer, channel("answer"));
}

#[test]
fn a_constant_that_no_kernel_has_is_refused() {
    let mut circuit = Circuit::new("unfit");
    let arguments = vec![circuit.add_constant("size", 32)];
    circuit.add_constant("colour", 8);
    let [start, done] = ["start", "done"].map(|name| circuit.add_channel(name, Fields::NONE));
    circuit.add_input(start);
    circuit.add_output(done);
    let kernel = KernelPorts {
        name: "unfit".into(),
        start,
        done,
        arguments,
        prints: Vec::new(),
    };
    let refusal = shell::wrap(circuit, vec![kernel], &[]).expect_err("unfit");
    let name = "colour".into();
    assert_eq!(refusal, Unfit::Constant { name });
}

/// Runs a linter over an IP block.
fn lint(shell: &Shell, tool: &str, arguments: &[&str]) {
    let folder = format!("lint-{tool}-{}", shell.module_name());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    let files = shell.emit();
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).unwrap();
    }
    let output = Process::new(tool)
        .current_dir(&folder)
        .args(arguments)
        .args(files.iter().map(|file| &file.name))
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("`{tool}` does not run ({error}): install the Debian package `{tool}`")
    });
    let messages = [output.stdout, output.stderr].concat();
    let messages = String::from_utf8_lossy(&messages);
    assert!(
        output.status.success() && messages.is_empty(),
        "{tool}: {messages}"
    );
}

#[test]
fn linters_have_no_complaint_about_ip_blocks() {
    for shell in [kernel::shell("twice"), kernel::pair("pair")] {
        let top = &shell.module_name();
        let verilator = ["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module"];
        lint(&shell, "verilator", &[&verilator[..], &[top]].concat());
        let iverilog = ["-g2005", "-Wall", "-tnull", "-s"];
        lint(&shell, "iverilog", &[&iverilog[..], &[top]].concat());
        let script = format!("hierarchy -check -top {top}; proc");
        lint(&shell, "yosys", &["-q", "-f", "verilog", "-p", &script]);
    }
}
