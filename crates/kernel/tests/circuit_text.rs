//! Circuits of kernels keep the invariants and come back from their text: the same cycles, the same
//! results.

use std::path::Path;

use sluice_circuit::circuit::Circuit;
use sluice_circuit::dram::{Timing, Traffic};
use sluice_circuit::sim::Simulator;
use sluice_circuit::target::Target;
use sluice_circuit::text::{parse, print};
use sluice_circuit::verify::verify;
use sluice_kernel::ir::ParamKind;
use sluice_kernel::launch::host::{Host, Job};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Kernel, Optimised, Program, passes, text};

const KERNELS: [&str; 23] = [
    "dataflow/empty",
    "dataflow/loop",
    "dataflow/order-implied-by-values",
    "dataflow/pairs",
    "dataflow/same-object",
    "dataflow/skipped-level",
    "dataflow/uniform",
    "dataflow/vector-add",
    "dataflow/wide-late-narrow-early",
    "structure/do-while",
    "structure/early-return",
    "structure/exits-to-depths",
    "structure/for-with-break",
    "structure/for-with-continue",
    "structure/goto-into-loop",
    "structure/if-else",
    "structure/inner-loop-leaves-outer",
    "structure/inner-loop-leaves-to-two-places",
    "structure/nested-loops",
    "structure/return-in-loop",
    "structure/several-exits",
    "structure/switch-fallthrough",
    "structure/while",
];

/// The kernel of a test; what it becomes there stands behind a line of dashes.
fn kernel(name: &str) -> Optimised {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let source = std::fs::read_to_string(folder.join(name).with_extension("ir"));
    let source = source.unwrap_or_else(|error| panic!("{name}: {error}"));
    let source = source
        .split("; ----")
        .next()
        .expect("there is a first part");
    let kernel = text::parse(source).unwrap_or_else(|error| panic!("{name}: {error}"));
    passes::optimise(kernel)
}

/// Arguments for any kernel: buffers of numbers, and small values.
fn arguments(kernel: &Kernel, memory: &mut Memory) -> Vec<Argument> {
    let bytes: Vec<u8> = (0..4096_u32).map(|at| (at * 7 % 251) as u8).collect();
    let arguments = kernel.params.iter().map(|param| match &param.kind {
        ParamKind::Value(element) => Argument::Value(smallvec::smallvec![0; element.lanes.into()]),
        ParamKind::Buffer { .. } | ParamKind::Variables { .. } => {
            Argument::Buffer(memory.add(Buffer::from_bytes(&bytes)))
        }
        ParamKind::Local { .. } | ParamKind::Struct { .. } => {
            unreachable!("such kernels have no circuits yet")
        }
    });
    arguments.collect()
}

/// What a launch on a circuit comes to.
#[derive(PartialEq, Debug)]
struct Run {
    /// When it was done, if it was within the limit.
    done: Option<u64>,
    traffic: Traffic,
    buffers: Vec<Vec<u8>>,
}

/// Runs a launch on this circuit, which is the lowered one or another one like it.
fn run(kernel: &Kernel, lowered: &Lowered, circuit: &Circuit) -> Run {
    let mut memory = Memory::new();
    let args = arguments(kernel, &mut memory);
    let range = NdRange::new(kernel, &[64]);
    let launch = Launch { range, args };
    let job = Job {
        kernel,
        launch: &launch,
    };
    let host = Host::new(&[job], lowered, &memory, &Timing::default());
    let mut host = host.expect("the launch fits the kernel");
    let mut simulator = Simulator::new(circuit, host.environment(), host.constants());
    while host.done().is_none() && simulator.step(100_000) {}
    let buffers = memory.buffers().map(|(_, buffer)| buffer.to_bytes());
    Run {
        done: host.done(),
        traffic: host.traffic(),
        buffers: buffers.collect(),
    }
}

#[test]
fn circuits_of_kernels_come_back_from_their_text() {
    let (mut finished, mut loops) = (0, 0);
    for name in KERNELS {
        let kernel = kernel(name);
        let lowered = prepare(
            &Program::of(kernel.clone()),
            &Plan::default(),
            &Target::ECP5,
        )
        .and_then(|it| lower(&it));
        let lowered = lowered.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!(verify(lowered.circuit()), Ok(()), "{name}");
        let text = print(lowered.circuit());
        let circuit = parse(&text).unwrap_or_else(|error| panic!("{name}: {error} in\n{text}"));
        assert_eq!(print(&circuit), text, "{name}");
        let ours = run(&kernel, &lowered, lowered.circuit());
        assert_eq!(ours, run(&kernel, &lowered, &circuit), "{name}");
        finished += u32::from(ours.done.is_some());
        loops += u32::from(text.contains(": loop_gate {"));
    }
    // With these arguments a few never end: they are compared up to the last cycle.
    assert!(
        finished >= 20 && loops >= 10,
        "{finished} ended, {loops} have loops"
    );
}
