//! Kernels as IP blocks: a host that knows nothing but registers and memory launches their Verilog
//! through AXI pins, and finds in memory what the interpreter leaves there.

#[path = "ip_block/host.rs"]
mod host;
#[path = "ip_block/protocol.rs"]
mod protocol;

use std::path::Path;

use host::{Chance, Hosts, Launch};
use protocol::Protocol;
use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_driver::{CompileArgs, Design, LaunchArgs, Session, compile};
use sluice_kernel::Kernel;
use sluice_kernel::interp;
use sluice_kernel::launch::host::{Host, Job};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::LaunchValue;
use sluice_verilator::Effort;
use sluice_verilator::ip_block::{IpBlock, MemoryAnswer};

const LIMIT: u64 = 200_000;

/// One design of all kernels of a file.
fn design(file: &str, plan: Plan) -> Design {
    let args = CompileArgs {
        file: Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/ip_block")
            .join(file),
        kernel: None,
        clang: Vec::new(),
    };
    let compiled = compile(&args).unwrap_or_else(|failure| panic!("{failure}"));
    let name = file.trim_end_matches(".cl");
    let design = Design::of(compiled.program.named(name), &Target::ECP5, &plan);
    design.unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// A launch of each kernel as the kernels' own host places it, and what the interpreter makes of it.
struct Case {
    launch: Launch,
    found: Session,
    expected: Vec<Vec<u8>>,
}

impl Case {
    /// Each kernel has a line.
    fn new(design: &Design, lines: &[&str]) -> Case {
        let program = &design.program;
        let kernels: Vec<&Kernel> = program.kernels().iter().map(|it| &**it).collect();
        let parse = |line: &&str| LaunchArgs::parse_line(line).expect("the line is well-formed");
        let args: Vec<LaunchArgs> = lines.iter().map(parse).collect();
        let bind = || Session::bind(program, &args).unwrap_or_else(|failure| panic!("{failure}"));
        let (expected, found) = (bind(), bind());
        let launches: Vec<_> = kernels.iter().copied().zip(&expected.launches).collect();
        let options = interp::Options::default();
        interp::run_together(&launches, &expected.memory, &options).expect("it runs");
        let jobs = kernels.iter().zip(&found.launches);
        let jobs: Vec<Job<'_>> = jobs
            .map(|(kernel, launch)| Job { kernel, launch })
            .collect();
        let placed = Host::new(&jobs, &design.lowered, &found.memory, &Timing::default());
        let placed = placed.expect("the launch fits");
        let constants = placed.constants();
        let arguments = design.lowered.kernels().iter().map(|interface| {
            let own = interface.constants.iter();
            own.map(|(constant, _)| constants[constant.as_u32() as usize])
                .collect()
        });
        let launch = Launch {
            memory: placed.external_memory().clone(),
            arguments: arguments.collect(),
        };
        Case {
            launch,
            found,
            expected: contents(&expected),
        }
    }
}

fn contents(session: &Session) -> Vec<Vec<u8>> {
    let buffers = session.memory.buffers();
    buffers.map(|(_, buffer)| buffer.to_bytes()).collect()
}

/// Launches kernels several times without a reset between, by chance with more and fewer delays.
fn check(design: Design, lines: &[&[&str]]) {
    let file = design.lowered.circuit().name.clone();
    let chances = [(1, 0), (2, 20), (3, 60), (4, 90)];
    let cases = chances.map(|_| {
        let cases = lines.iter().map(|lines| Case::new(&design, lines));
        cases.collect::<Vec<Case>>()
    });
    let shell = design.into_shell();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let block = IpBlock::build(&shell, Effort::QuickBuild, &cache);
    let block = block.unwrap_or_else(|error| panic!("{error}"));
    for ((seed, percent), cases) in chances.into_iter().zip(&cases) {
        let chance = Chance { percent, seed };
        let launches = cases.iter().map(|case| case.launch.clone());
        let (hosts, outcomes) = Hosts::new(&shell, launches.collect(), chance);
        let mut run = block.start(Box::new(hosts), MemoryAnswer::Okay);
        let mut protocol = Protocol::new(&shell, &block);
        while outcomes.lock().unwrap().len() < cases.len() {
            assert!(run.cycle() < LIMIT, "{file}, {chance:?}: no end");
            run.settle();
            protocol.observe(&run);
            run.edge();
        }
        for ((case, line), &running) in cases.iter().zip(lines).zip(&*outcomes.lock().unwrap()) {
            assert!(
                contents(&case.found) == case.expected,
                "{file} {line:?}, {chance:?}: the results are wrong"
            );
            assert_eq!(
                running,
                shell.kernels.len(),
                "{file} {line:?}, {chance:?}: all run at once"
            );
        }
    }
}

#[test]
fn a_scalar_argument_and_the_size_change_between_launches() {
    check(
        design("scale_and_add.cl", Plan::default()),
        &[
            &["-g 96 -l 16 -a rand:96:1 -a rand:96:2 -a zero:96 -a 3"],
            &["-g 40 -l 8 -a rand:96:3 -a rand:96:4 -a rand:96:5 -a -7"],
            &["-g 1 -a rand:96:6 -a rand:96:7 -a zero:96 -a 1"],
        ],
    );
}

#[test]
fn a_loop_runs_in_every_launch_on_new_contents_of_the_same_buffers() {
    check(
        design("matrix_product.cl", Plan::default()),
        &[
            &["-g 6,6 -l 3,2 -a rand:36:1 -a rand:36:2 -a rand:36:3 -a 6"],
            &["-g 5,5 -l 5,1 -a rand:36:4 -a rand:36:5 -a rand:36:6 -a 5"],
        ],
    );
}

#[test]
fn buffers_lie_behind_two_memory_ports() {
    let plan = Plan::default().with_banks(2);
    let design = design("scale_and_add.cl", plan);
    assert_eq!(design.lowered.memory_ports().len(), 2);
    check(
        design,
        &[
            &["-g 96 -l 16 -a rand:96:1 -a rand:96:2 -a zero:96 -a 3"],
            &["-g 40 -l 8 -a rand:96:3 -a rand:96:4 -a rand:96:5 -a -7"],
        ],
    );
}

#[test]
fn two_kernels_run_at_the_same_time_each_with_its_own_registers() {
    check(
        design("two_kernels.cl", Plan::default()),
        &[
            &[
                "-g 96 -l 16 -a rand:96:1 -a zero:96 -a 3",
                "-g 64 -a rand:64:2",
            ],
            &[
                "-g 40 -l 8 -a rand:96:3 -a rand:96:4 -a -7",
                "-g 80 -l 5 -a rand:80:5",
            ],
        ],
    );
}

#[test]
fn groups_of_other_sizes_follow_without_a_reset() {
    let plan = Plan::default().with_figures(|it| {
        it.group_items = 64;
        it.local_bytes = 4096;
    });
    let design = design("group_sums.cl", plan);
    let lines: [&[&str]; 4] = [
        &["-g 256 -l 64 -a rand:256:1 -a zero:4 -a zero:1 -a local:256"],
        &["-g 192 -l 8 -a rand:192:2 -a zero:24 -a zero:1 -a local:32"],
        &["-g 96 -l 32 -a rand:96:3 -a zero:3 -a zero:1 -a local:3000"],
        &["-g 20 -l 1 -a rand:20:4 -a zero:20 -a zero:1 -a local:4"],
    ];
    let constants = &design.lowered.kernels()[0].constants;
    let at = constants
        .iter()
        .position(|&(_, value)| value == LaunchValue::Resident);
    let at = at.expect("the host says how many groups there are at once");
    let resident = lines.map(|lines| Case::new(&design, lines).launch.arguments[0][at]);
    assert_eq!(resident, [8, 16, 1, 16]);
    check(design, &lines);
}
