//! Kernels as IP blocks: a host that knows nothing but registers and memory launches their Verilog
//! through AXI pins, and finds in memory what the interpreter leaves there.

#[path = "ip_block/host.rs"]
mod host;
#[path = "ip_block/protocol.rs"]
mod protocol;

use std::path::Path;

use host::{Chance, Launch};
use protocol::Protocol;
use sluice_circuit::dram::Timing;
use sluice_circuit::target::Target;
use sluice_driver::{CompileArgs, Design, LaunchArgs, Prepared, compile, prepare};
use sluice_kernel::host::{Host, Job};
use sluice_kernel::interp;
use sluice_kernel::lower::MemoryPlan;
use sluice_verilator::Effort;
use sluice_verilator::ip_block::{IpBlock, MemoryAnswer};

const LIMIT: u64 = 200_000;

fn design(file: &str) -> Design {
    let args = CompileArgs {
        file: Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/ip_block")
            .join(file),
        kernel: None,
        clang: Vec::new(),
    };
    let kernel = compile(&args).unwrap_or_else(|failure| panic!("{failure}"));
    let kernel = kernel.kernels.into_iter().next().expect("a kernel");
    let design = Design::of(kernel, &Target::ECP5, MemoryPlan::default());
    design.unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// A launch, how the kernel's own host places it, and what the interpreter makes of it.
struct Case {
    launch: Launch,
    placed: Host,
    found: Prepared,
    expected: Vec<Vec<u8>>,
}

impl Case {
    fn new(design: &Design, line: &str) -> Case {
        let args = LaunchArgs::parse_line(line).expect("the line is well-formed");
        let prepared = || {
            let prepared = prepare(&design.kernel, &args);
            prepared.unwrap_or_else(|failure| panic!("{failure}"))
        };
        let (expected, found) = (prepared(), prepared());
        let (kernel, options) = (&design.kernel, interp::Options::default());
        interp::run(kernel, &expected.launch, &expected.memory, &options).expect("it runs");
        let timing = Timing::default();
        let job = Job {
            kernel,
            launch: &found.launch,
        };
        let placed = Host::new(&[job], &design.lowered, &found.memory, &timing);
        let placed = placed.expect("the launch fits");
        let launch = Launch {
            memory: placed.external_memory().lock().clone(),
            arguments: placed.constants().to_vec(),
        };
        Case {
            launch,
            placed,
            found,
            expected: contents(&expected),
        }
    }
}

fn contents(prepared: &Prepared) -> Vec<Vec<u8>> {
    let buffers = prepared.memory.buffers();
    buffers.map(|(_, buffer)| buffer.to_bytes()).collect()
}

/// Launches a kernel several times without a reset between, by chance with more and fewer delays.
fn check(file: &str, lines: &[&str]) {
    let design = design(file);
    let cases: Vec<Case> = lines.iter().map(|line| Case::new(&design, line)).collect();
    let launches: Vec<Launch> = cases.iter().map(|case| case.launch.clone()).collect();
    let shell = design.into_shell();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let block = IpBlock::build(&shell, Effort::QuickBuild, &cache);
    let block = block.unwrap_or_else(|error| panic!("{error}"));
    for (seed, percent) in [(1, 0), (2, 20), (3, 60), (4, 90)] {
        let chance = Chance { percent, seed };
        let (host, results) = host::Host::new(&shell, &launches, chance);
        let mut run = block.start(Box::new(host), MemoryAnswer::Okay);
        let mut protocol = Protocol::new(&block);
        while results.lock().unwrap().len() < cases.len() {
            assert!(run.cycle() < LIMIT, "{file}, {chance:?}: no end");
            run.settle();
            protocol.observe(&run);
            run.edge();
        }
        for ((case, line), result) in cases.iter().zip(lines).zip(&*results.lock().unwrap()) {
            let memory = case.placed.external_memory();
            *memory.lock() = result.clone();
            case.placed.read_back(&case.found.memory);
            assert!(
                contents(&case.found) == case.expected,
                "{file} {line}, {chance:?}: the results are wrong"
            );
        }
    }
}

#[test]
fn a_scalar_argument_and_the_size_change_between_launches() {
    check(
        "scale_and_add.cl",
        &[
            "-g 96 -l 16 -a rand:96:1 -a rand:96:2 -a zero:96 -a 3",
            "-g 40 -l 8 -a rand:96:3 -a rand:96:4 -a rand:96:5 -a -7",
            "-g 1 -a rand:96:6 -a rand:96:7 -a zero:96 -a 1",
        ],
    );
}

#[test]
fn a_loop_runs_in_every_launch_on_new_contents_of_the_same_buffers() {
    check(
        "matrix_product.cl",
        &[
            "-g 6,6 -l 3,2 -a rand:36:1 -a rand:36:2 -a rand:36:3 -a 6",
            "-g 5,5 -l 5,1 -a rand:36:4 -a rand:36:5 -a rand:36:6 -a 5",
        ],
    );
}
