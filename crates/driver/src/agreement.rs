//! One launch on several executors: interpreter, simulator and Verilog must leave the same memory,
//! and the last two must take the same number of cycles, also when the latency of memory is random.

use std::fmt;
use std::path::Path;

use sluice_circuit::cost::Cost;
use sluice_circuit::dram::Timing;
use sluice_circuit::report::Report;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::launch::simulate::{self, Bounds, CycleLimit};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{Effort, Trace};

use crate::design::Design;
use crate::executor::{Executor, Options};
use crate::failure::Failure;
use crate::launch::Session;

/// What runs the circuit.
#[derive(Clone, Copy, Debug)]
pub enum CircuitExecutors<'a> {
    /// The simulator.
    Simulator,
    /// The simulator, and the Verilog, which is built in this folder.
    SimulatorAndRtl(&'a Path),
}

/// What was found.
#[derive(Debug)]
pub enum Agreement {
    /// All agree; the cycles on a memory without chance.
    Agreed {
        /// Cycles of the launch.
        cycles: u64,
        /// What the circuit takes, estimated for an ECP5.
        area: Cost,
    },
    /// There is no circuit.
    Refused(Refusal),
    /// Some differ.
    Disagreed(Vec<Disagreement>),
}

/// Two executors that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The memory's chance.
    pub memory: String,
    /// What differs.
    pub what: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.what, self.memory)
    }
}

/// No launch of a test takes longer.
const CYCLE_LIMIT: u64 = 20_000_000;

/// Kinds of memory: fixed latency, random latency, and random latency with frequent stalls.
fn memories() -> Vec<(String, Timing)> {
    let random = |seed, jitter, stalls| Timing {
        jitter,
        stalls,
        seed,
        ..Timing::default()
    };
    vec![
        ("steady memory".into(), Timing::default()),
        (
            "latency up to 30 more, 20 % stalls".into(),
            random(1, 30, 20),
        ),
        (
            "latency up to 200 more, 60 % stalls".into(),
            random(2, 200, 60),
        ),
    ]
}

/// Compares all executors on launches of a program's kernels, at the same time in one circuit of this plan,
/// with room for the launches. These are bound anew for each executor.
pub fn check_agreement(
    program: &Program,
    bind: &dyn Fn() -> Result<Session, Failure>,
    plan: Plan,
    executors: CircuitExecutors<'_>,
) -> Result<Agreement, Failure> {
    let reference = bind()?;
    let launches = reference.launches.iter();
    let plan = launches.fold(plan, |plan, launch| plan.fit(launch, &reference.memory));
    let design = match Design::of(program.clone(), &Target::ECP5, &plan) {
        Ok(design) => design,
        Err(refusal) => return Ok(Agreement::Refused(refusal)),
    };
    let printed = interpret(program, &reference)?;
    let rtl = match executors {
        CircuitExecutors::Simulator => None,
        CircuitExecutors::SimulatorAndRtl(cache) => {
            Some(design.verilate(Trace::Off, Effort::QuickBuild, cache))
        }
    };
    let rtl = match rtl.transpose() {
        Ok(rtl) => rtl,
        Err(error) => {
            return Ok(Agreement::Disagreed(vec![Disagreement {
                memory: "no memory".into(),
                what: error.to_string(),
            }]));
        }
    };
    let mut comparison = Comparison {
        design: &design,
        bind,
        reference: &reference,
        printed: sorted_lines(&printed),
        disagreements: Vec::new(),
    };
    let mut cycles = Vec::new();
    for (memory, timing) in memories() {
        cycles.push(comparison.compare(&memory, timing, rtl.as_ref())?);
    }
    Ok(match comparison.disagreements.is_empty() {
        true => Agreement::Agreed {
            cycles: cycles[0].unwrap_or(0),
            area: Report::of(design.lowered.circuit(), Target::ECP5.family).total,
        },
        false => Agreement::Disagreed(comparison.disagreements),
    })
}

/// What the interpreter prints; its results are left in memory.
pub(crate) fn interpret(program: &Program, session: &Session) -> Result<Vec<u8>, Failure> {
    let execution = Executor::Interpreter(program).run(session, &Options::default());
    let execution = execution.map_err(|error| Failure::execution(error, Path::new("kernel")))?;
    Ok(execution.printed)
}

struct Comparison<'a> {
    design: &'a Design,
    bind: &'a dyn Fn() -> Result<Session, Failure>,
    reference: &'a Session,
    /// What the interpreter printed, line by line, sorted.
    printed: Vec<Vec<u8>>,
    disagreements: Vec<Disagreement>,
}

impl Comparison<'_> {
    /// Compares all executors on one kind of memory; gives the simulator's cycles.
    fn compare(
        &mut self,
        memory: &str,
        timing: Timing,
        rtl: Option<&Rtl>,
    ) -> Result<Option<u64>, Failure> {
        let options = Options {
            circuit: simulate::Options {
                timing,
                limit: CycleLimit::Cycles(CYCLE_LIMIT),
                bounds: Bounds::Accesses,
                ..simulate::Options::default()
            },
            ..Options::default()
        };
        let design = self.design;
        let simulator = Executor::Simulator(design);
        let ours = self.check(memory, "the simulator", simulator, &options)?;
        let Some(rtl) = rtl else { return Ok(ours) };
        let verilog = Executor::Verilog(design, rtl);
        let theirs = self.check(memory, "the Verilog", verilog, &options)?;
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && ours != theirs
        {
            let what = format!("{ours} cycles on the simulator, {theirs} of the Verilog");
            self.disagree(memory, what);
        }
        Ok(ours)
    }

    /// Runs the launch somewhere and compares memory; gives its cycles.
    fn check(
        &mut self,
        memory: &str,
        name: &str,
        executor: Executor<'_>,
        options: &Options<'_>,
    ) -> Result<Option<u64>, Failure> {
        let session = (self.bind)()?;
        let execution = match executor.run(&session, options) {
            Ok(execution) => execution,
            Err(error) => {
                self.disagree(memory, format!("{name}: {error}"));
                return Ok(None);
            }
        };
        if let Some(what) = first_difference(&self.design.program, self.reference, &session) {
            self.disagree(
                memory,
                format!("{name} differs from the interpreter: {what}"),
            );
        }
        // The interpreter would have stopped.
        if let Some(violations) = execution.violations.describe() {
            self.disagree(memory, format!("on {name} the kernel {violations}"));
        }
        let printed = sorted_lines(&execution.printed);
        if printed != self.printed {
            self.disagree(
                memory,
                format!("{name} prints other lines than the interpreter"),
            );
        }
        Ok(execution.cycles())
    }

    fn disagree(&mut self, memory: &str, what: String) {
        self.disagreements.push(Disagreement {
            memory: memory.into(),
            what,
        });
    }
}

/// Lines without their order: work-items print in any.
fn sorted_lines(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(Vec::from).collect();
    lines.sort_unstable();
    lines
}

/// Whether a byte of the program's variables belongs to a pointer: each executor has its own addresses.
fn is_pointer(program: &Program, byte: u64) -> bool {
    let variables = program.variables().into_iter();
    let mut pointers = variables.flat_map(|variables| &variables.pointers);
    pointers.any(|pointer| (pointer.at..pointer.at + 8).contains(&byte))
}

/// The first byte in which two launches' memories differ.
pub fn first_difference(program: &Program, expected: &Session, found: &Session) -> Option<String> {
    let variables = expected.variables;
    let pairs = expected.memory.buffers().zip(found.memory.buffers());
    for ((id, expected), (_, found)) in pairs {
        let (expected, found) = (expected.to_bytes(), found.to_bytes());
        let is_pointer = |at: usize| variables == Some(id) && is_pointer(program, at as u64);
        let mut bytes = expected.iter().zip(&found).enumerate();
        let differing = bytes.find(|&(at, (a, b))| a != b && !is_pointer(at));
        if let Some((at, _)) = differing {
            return Some(format!(
                "buffer {}, byte {at}: {:#04x} instead of {:#04x}",
                id.as_u32(),
                found[at],
                expected[at]
            ));
        }
    }
    None
}
