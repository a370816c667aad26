//! The command line's words.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use sluice_circuit::circuit::Circuit;
use sluice_circuit::clock;
use sluice_kernel::plan::{MemoryUnit, Plan};
use sluice_kernel::{Program, lanes};

use crate::board::{self, Board};
use crate::compile::CompileArgs;
use crate::failure::Failure;
use crate::launch::{ARGUMENT_HELP, LaunchArgs, MOST_LOCAL_BYTES};
use crate::plan::{PlanFile, Scope};

const CLANG_HELP: &str = "\
clang's options -D, -I, -U, -include, -cl-*, -w, -W* are passed on to it.";

const SYNTH_HELP: &str = "\
Yosys maps the design to the target's family; nextpnr places and routes it if the target is an ECP5
(`[chip.open_tools]` in its file), and ecppack makes a bitstream. For other targets the clock is an
estimate. Tools are taken from PATH, else from where `make synth-tools` installs them.";

/// More threads than any machine has work for.
const MOST_THREADS: i64 = 1024;

/// A second at the fastest clock that a target may have.
const MOST_JITTER: i64 = 5_000_000;

/// Compiles OpenCL C kernels and runs them
#[derive(Parser, Debug)]
#[command(
    name = "sluice",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a kernel
    #[command(after_help = format!("{ARGUMENT_HELP}\n\n{CLANG_HELP}"))]
    Run(Box<RunArgs>),
    /// Run the launches written in kernel files and compare with the results written there
    Test(TestArgs),
    /// Run an OpenCL program on the simulated FPGA and show what its kernels took
    Exec(ExecArgs),
    /// Write kernels as Verilog and as program binaries, with their circuits as text and reports
    #[command(after_help = CLANG_HELP)]
    Build(BuildArgs),
    /// Synthesise kernels with open tools: area, clock, critical path and bitstream
    #[command(after_help = format!("{SYNTH_HELP}\n\n{CLANG_HELP}"))]
    Synth(SynthArgs),
    /// Print the plan that the default rules make: what is chosen for circuits, and why
    #[command(after_help = CLANG_HELP)]
    Plan(PlanCommandArgs),
    /// Write the library of hardware units as Verilog
    Ip(IpArgs),
    /// Print a kernel's IR
    #[command(after_help = CLANG_HELP)]
    Ir(IrArgs),
    /// Run passes on IR text and print the result
    Opt(OptArgs),
    /// List the targets
    Targets,
}

/// Arguments of `sluice run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// What to compile.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// What to launch.
    #[command(flatten)]
    pub launch: LaunchArgs,

    /// Where to run
    #[arg(long, value_enum, default_value_t = Device::Sim)]
    pub device: Device,

    /// What circuits are built for, and the memory they run with.
    #[command(flatten)]
    pub circuit: CircuitArgs,

    /// The clock that simulated times are for
    #[arg(long, value_enum, default_value_t = Clock::Target)]
    pub clock: Clock,

    /// Compare the results with the interpreter's
    #[arg(long)]
    pub check: bool,

    /// Write waveforms of the circuit to FILE (VCD)
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,

    /// What the interpreter watches for; of these, the simulator knows `bounds`
    #[arg(long, value_enum, value_delimiter = ',', default_value = "bounds")]
    pub checks: Vec<Check>,

    /// Write the buffer of argument N to FILE after the run
    #[arg(long, value_name = "N=FILE", value_parser = parse_dump)]
    pub dump: Vec<Dump>,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// Threads to use
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    pub threads: Option<u32>,

    /// Instructions that a work-item may execute before it counts as stuck
    #[arg(long, value_name = "N")]
    pub step_limit: Option<u64>,

    /// Run the IR as the front end makes it, without Sluice's own passes
    #[arg(long)]
    pub no_passes: bool,
}

/// What stands between loads and stores and external memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MemoryChoice {
    /// For each access what suits it
    Auto,
    /// A cache for each buffer
    Cache,
    /// A unit for each load or store that holds a few lines in a row
    Stream,
    /// The same, and those of a buffer's loads get their lines from a cache
    Shared,
    /// A unit for each load that holds one line
    Uniform,
    /// A copy on the chip of each small buffer that is only read
    Copy,
}

impl MemoryChoice {
    /// All of them.
    pub const ALL: [MemoryChoice; 6] = [
        MemoryChoice::Auto,
        MemoryChoice::Cache,
        MemoryChoice::Stream,
        MemoryChoice::Shared,
        MemoryChoice::Uniform,
        MemoryChoice::Copy,
    ];

    /// The name on the command line and in the environment.
    pub fn name(self) -> &'static str {
        match self {
            MemoryChoice::Auto => "auto",
            MemoryChoice::Cache => "cache",
            MemoryChoice::Stream => "stream",
            MemoryChoice::Shared => "shared",
            MemoryChoice::Uniform => "uniform",
            MemoryChoice::Copy => "copy",
        }
    }
}

impl From<MemoryChoice> for Option<MemoryUnit> {
    fn from(choice: MemoryChoice) -> Option<MemoryUnit> {
        match choice {
            MemoryChoice::Auto => None,
            MemoryChoice::Cache => Some(MemoryUnit::Cache),
            MemoryChoice::Stream => Some(MemoryUnit::Stream),
            MemoryChoice::Shared => Some(MemoryUnit::Shared),
            MemoryChoice::Uniform => Some(MemoryUnit::Uniform),
            MemoryChoice::Copy => Some(MemoryUnit::Copy),
        }
    }
}

/// What is chosen for all kernels of a circuit.
#[derive(Args, Clone, Default, Debug)]
pub struct ChoiceArgs {
    /// Copies of each kernel's pipeline that share the work-groups [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Plan::MOST_DATAPATHS)))]
    pub datapaths: Option<u32>,

    /// Neighbouring work-items that share a token: 2, 4, 8 or 16. A launch whose local size or offset they do
    /// not divide has fewer [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_lanes)]
    pub lanes: Option<u32>,

    /// Ports to external memory, each to one of the target's memories; buffers are spread over them by the
    /// traffic that is expected [default: 1, or as many memories as the source names]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Plan::MOST_BANKS)))]
    pub banks: Option<u32>,

    /// What stands between loads and stores and external memory: `cache`, `stream`, `shared`, `uniform` or
    /// `copy` wherever it is allowed, or `auto`, for each access what suits it [default: auto]
    #[arg(long, value_name = "UNIT", value_enum, hide_possible_values = true)]
    pub memory: Option<MemoryChoice>,
}

impl ChoiceArgs {
    /// A plan with these choices; `fit` adds what launches need.
    pub fn apply(&self, plan: Plan, fit: impl FnOnce(Plan) -> Plan) -> Plan {
        let plan = match self.lanes {
            Some(lanes) => plan.with_lanes(lanes),
            None => plan,
        };
        let plan = fit(plan);
        let banks = self.banks.unwrap_or(plan.banks);
        let plan = plan.with_banks(banks);
        let plan = match self.memory {
            Some(memory) => plan.with_memory(memory),
            None => plan,
        };
        match self.datapaths {
            Some(datapaths) => plan.with_datapaths(datapaths),
            None => plan,
        }
    }
}

/// The target of circuits, and what is chosen for them.
#[derive(Args, Clone, Debug)]
pub struct TargetArgs {
    /// The chip and board: a name (see `sluice targets`) or a file
    #[arg(long, value_name = "TARGET", default_value = board::DEFAULT)]
    pub target: String,

    /// What was chosen for the circuits, as a file (see `sluice plan`); options given here come first
    /// [default: what SLUICE_PLAN names]
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,

    /// What is chosen for all kernels.
    #[command(flatten)]
    pub choices: ChoiceArgs,

    /// Largest work-group of kernels that do not say how large theirs are
    /// [default: 1024, or what the launch needs]
    #[arg(long, value_name = "ITEMS", value_parser = clap::value_parser!(u32).range(1..=i64::from(Plan::MOST_GROUP_ITEMS)))]
    pub work_group: Option<u32>,
}

impl TargetArgs {
    /// The plan file, if there is one.
    pub(crate) fn plan_file(&self) -> Result<Option<PlanFile>, Failure> {
        let path = self.plan_path();
        path.map(|path| PlanFile::read(&path)).transpose()
    }

    /// The path of the plan file, if one is named here or in `SLUICE_PLAN`.
    pub(crate) fn plan_path(&self) -> Option<PathBuf> {
        let from_environment = || {
            let path = std::env::var_os("SLUICE_PLAN").map(PathBuf::from);
            path.filter(|path| !path.as_os_str().is_empty())
        };
        self.plan.clone().or_else(from_environment)
    }
}

/// What circuits are built for, and how large they are.
#[derive(Args, Clone, Debug)]
pub struct PlanArgs {
    /// The target, and what is chosen.
    #[command(flatten)]
    pub target: TargetArgs,

    /// Bytes of each local memory, for all work-groups that are under way
    /// [default: 65536, or what the launch needs]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..=MOST_LOCAL_BYTES))]
    pub local_bytes: Option<u64>,

    /// Accept circuits that need more than the target's chip has
    #[arg(long)]
    pub oversize: bool,
}

impl PlanArgs {
    /// The board.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        Board::find(&self.target.target)
    }

    /// What circuits of a program are built for on a board: what the command line says, then what `fit` adds for
    /// launches, then the plan file, then the default rules.
    pub(crate) fn plan(
        &self,
        program: &Program,
        scope: Scope,
        board: &Board,
        fit: impl FnOnce(Plan) -> Plan,
    ) -> Result<Plan, Failure> {
        let base = board.plan_for(program);
        let plan = match self.target.plan_file()? {
            None => base,
            Some(file) => {
                let applied = file.apply(program, scope, base);
                applied.map_err(|mistake| file.failure(mistake))?
            }
        };
        let plan = self.target.choices.apply(plan, fit);
        board.check_banks(&plan).map_err(|it| {
            Failure::usage(it.to_string(), "take fewer `banks`, or another target")
        })?;
        Ok(plan.with_figures(|figures| {
            figures.group_items = self.target.work_group.unwrap_or(figures.group_items);
            figures.local_bytes = self.local_bytes.unwrap_or(figures.local_bytes);
        }))
    }
}

fn parse_lanes(text: &str) -> Result<u32, String> {
    let lanes = text.parse().ok().filter(|it| lanes::CHOICES.contains(it));
    lanes.ok_or_else(|| "a token has 1, 2, 4, 8 or 16 work-items".into())
}

/// What circuits are built for, and the memory they run with.
#[derive(Args, Clone, Debug)]
pub struct CircuitArgs {
    /// What circuits are built for.
    #[command(flatten)]
    pub plan: PlanArgs,

    /// External memory answers up to N cycles later, by chance
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MOST_JITTER))]
    pub jitter: u32,

    /// External memory takes nothing in PERCENT of cycles, by chance
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=99))]
    pub stalls: u32,

    /// The seed of chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Cycles after which a launch counts as stuck
    #[arg(long, value_name = "N")]
    pub cycle_limit: Option<u64>,
}

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Device {
    /// The interpreter of the kernel IR
    Interp,
    /// The kernel's circuit, simulated cycle by cycle
    Sim,
    /// The kernel's circuit as Verilog under Verilator
    Rtl,
}

impl Device {
    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Device::Interp => "interp",
            Device::Sim => "sim",
            Device::Rtl => "rtl",
        }
    }
}

/// A clock of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Clock {
    /// The one that the target is to have
    Target,
    /// The one that the circuit is expected to reach on the target's chip
    Estimated,
}

impl Clock {
    /// The name on the command line and in the environment.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Target => "target",
            Clock::Estimated => "estimated",
        }
    }

    /// The board with this clock of a circuit.
    pub fn of(self, circuit: &Circuit, board: &Board) -> Board {
        match self {
            Clock::Target => board.clone(),
            Clock::Estimated => board.at_clock(estimated_mhz(circuit, board)),
        }
    }
}

/// The clock that a circuit is expected to reach, in whole megahertz.
pub fn estimated_mhz(circuit: &Circuit, board: &Board) -> f64 {
    clock::estimate(circuit, &board.target).mhz.round().max(1.0)
}

/// What the interpreter can watch for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Check {
    /// All of them
    All,
    /// None: accesses out of bounds read zero and write nothing
    None,
    /// Accesses outside of buffers, local and private memory
    Bounds,
    /// Reads of uninitialised memory
    Uninitialised,
    /// Accesses by two work-items that neither barrier nor atomic orders
    Races,
    /// Barriers that not all work-items of a group reach
    Divergence,
}

/// A buffer to be written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// Index of the argument.
    pub argument: usize,
    /// The file.
    pub path: PathBuf,
}

fn parse_dump(text: &str) -> Result<Dump, String> {
    let (argument, path) = text.split_once('=').ok_or("a dump is written N=FILE")?;
    Ok(Dump {
        argument: argument
            .parse()
            .map_err(|_| format!("`{argument}` is not the number of an argument"))?,
        path: path.into(),
    })
}

/// Arguments of `sluice exec`.
#[derive(Args, Debug)]
pub struct ExecArgs {
    /// What runs the kernels
    #[arg(long, value_enum, default_value_t = Device::Sim)]
    pub device: Device,

    /// What circuits are built for.
    #[command(flatten)]
    pub target: TargetArgs,

    /// The clock that simulated times are for
    #[arg(long, value_enum, default_value_t = Clock::Target)]
    pub clock: Clock,

    /// Compare what each launch leaves with the interpreter; the exit code is 1 if something differs
    #[arg(long)]
    pub check: bool,

    /// Run each launch on the interpreter first, and say what it finds there, each place once; the
    /// exit code is 1 if something is found
    #[arg(long, value_enum, value_delimiter = ',', default_value = "none")]
    pub checks: Vec<Check>,

    /// Write waveforms of each launch: for NAME.vcd, to NAME-0.vcd, NAME-1.vcd and so on, in the
    /// order in which they start
    #[arg(long, value_name = "NAME.vcd")]
    pub wave: Option<PathBuf>,

    /// Cycles after which a launch counts as stuck
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub cycle_limit: Option<u64>,

    /// Write what the kernels took to FILE (JSON) instead of standard error
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}

/// What designs are made of a file's kernels.
#[derive(Args, Clone, Debug)]
pub struct DesignArgs {
    /// What to compile.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Make one design of all kernels, named after the file, instead of one of each
    #[arg(long, conflicts_with = "kernel")]
    pub together: bool,

    /// What to build for.
    #[command(flatten)]
    pub plan: PlanArgs,

    /// Build for launches that pass one buffer to several parameters
    #[arg(long)]
    pub may_alias: bool,
}

/// Arguments of `sluice build`.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// What to build.
    #[command(flatten)]
    pub designs: DesignArgs,

    /// Where to write: a folder for each design
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Print the reports as JSON instead of a summary
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `sluice synth`.
#[derive(Args, Debug)]
pub struct SynthArgs {
    /// What to synthesise.
    #[command(flatten)]
    pub designs: DesignArgs,

    /// Where to write Verilog, netlists, reports, logs and bitstreams: a folder for each design
    /// [default: only the results are shown]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Where nextpnr's random choices begin: another seed gives another placement, a few percent
    /// faster or slower [default: nextpnr's]
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,

    /// Print the reports as JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `sluice plan`.
#[derive(Args, Debug)]
pub struct PlanCommandArgs {
    /// What to compile.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The chip and board: a name (see `sluice targets`) or a file
    #[arg(long, value_name = "TARGET", default_value = board::DEFAULT)]
    pub target: String,
}

/// Arguments of `sluice ip`.
#[derive(Args, Debug)]
pub struct IpArgs {
    /// Where to write
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Arguments of `sluice test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Kernel files with launches in their comments
    #[arg(required = true, value_name = "FILE.cl")]
    pub files: Vec<PathBuf>,

    /// Where to run; circuits are also compared with the interpreter, `rtl` with `sim` cycle by
    /// cycle, on memories that are steady and slow by chance
    #[arg(long, value_enum, default_value_t = Device::Interp)]
    pub device: Device,

    /// What is chosen for the circuits.
    #[command(flatten)]
    pub choices: ChoiceArgs,

    /// Print a JSON object for each launch instead of text, with its cycles and an estimate of its
    /// circuit's area
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `sluice ir`.
#[derive(Args, Debug)]
pub struct IrArgs {
    /// What to compile.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Stop after this pass, or after this step that prepares kernels for circuits; `none` prints
    /// what the front end makes
    #[arg(long, value_name = "STEP")]
    pub after: Option<String>,

    /// Print the LLVM IR that the kernel IR is read from
    #[arg(long, conflicts_with = "after")]
    pub llvm: bool,

    /// Print behind each kernel the dependences between the iterations of its loops
    #[arg(long, conflicts_with = "llvm")]
    pub dependences: bool,
}

/// Arguments of `sluice opt`.
#[derive(Args, Debug)]
pub struct OptArgs {
    /// Kernel IR as text; `-` reads standard input
    #[arg(value_name = "FILE.ir")]
    pub file: PathBuf,

    /// A pass to run; repeat for more [default: all, in their order]
    #[arg(long = "pass", value_name = "NAME")]
    pub passes: Vec<String>,
}
