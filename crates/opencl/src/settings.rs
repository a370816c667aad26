//! What the environment says about the device.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use opencl_sys::{
    CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, cl_device_type,
};
use sluice_driver::Board;
use sluice_driver::cli::{ChoiceArgs, Clock, MemoryChoice};
use sluice_driver::plan::PlanFile;
use sluice_kernel::interp::Checks;
use sluice_kernel::lanes;
use sluice_kernel::launch::simulate::CycleLimit;
use sluice_kernel::plan::{Figures, Plan};

/// What the device is, and how it runs kernels.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) executor: Executor,
    pub(crate) board: Board,
    /// The clock that simulated times are for.
    pub(crate) clock: Clock,
    /// What was chosen for the circuits, if a file says so.
    pub(crate) plan: Option<PlanFile>,
    /// What the environment chooses for all kernels; of the pipelines as many are built as fit.
    pub(crate) choices: ChoiceArgs,
    /// What the device says that it is.
    pub(crate) kind: cl_device_type,
    pub(crate) check: Check,
    /// Largest work-group.
    pub(crate) group_items: u32,
    /// Whether each launch is compared with the interpreter.
    pub(crate) compare: bool,
    /// What each launch is watched for on the interpreter, on a copy of its memory.
    pub(crate) checks: Checks,
    /// Waveforms: `NAME.vcd` stands for a file of each launch, `NAME-0.vcd` and so on.
    pub(crate) wave: Option<PathBuf>,
    /// How long a launch may take.
    pub(crate) limit: CycleLimit,
    /// Threads of an interpreted launch.
    pub(crate) threads: usize,
    /// Where what the kernels took is written when the program ends.
    pub(crate) report: Option<PathBuf>,
}

/// What runs kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Executor {
    /// The interpreter.
    Interpreter,
    /// Circuits, simulated.
    Simulator,
    /// Circuits as Verilog under Verilator.
    Verilog,
}

impl Executor {
    const ALL: [Executor; 3] = [
        Executor::Simulator,
        Executor::Verilog,
        Executor::Interpreter,
    ];

    /// What it is called in the environment and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Executor::Interpreter => "interp",
            Executor::Simulator => "sim",
            Executor::Verilog => "rtl",
        }
    }
}

/// What happens when a kernel leaves its buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// Nothing.
    Off,
    /// It is said once per kernel.
    Warn,
    /// That, and the command fails.
    Strict,
}

/// Most local memory of a work-group: what a circuit has unless a launch needs more.
pub(crate) const LOCAL_BYTES: u64 = 1 << 16;

impl Settings {
    /// The process's settings, or what is wrong with them, which is said once.
    pub(crate) fn get() -> Option<&'static Settings> {
        static SETTINGS: OnceLock<Option<Settings>> = OnceLock::new();
        let settings = SETTINGS.get_or_init(|| {
            let settings = Settings::from_environment();
            if let Err(problem) = &settings {
                eprintln!("sluice: {problem}");
            }
            settings.ok()
        });
        settings.as_ref()
    }

    /// How long cycles of the target's clock take, in nanoseconds.
    pub(crate) fn device_time(&self, cycles: u64) -> u64 {
        time_at(self.board.mhz, cycles)
    }

    fn from_environment() -> Result<Settings, String> {
        let target = text("SLUICE_TARGET");
        let board = match &target {
            Some(name) => {
                Board::find(name).map_err(|failure| format!("SLUICE_TARGET: {failure}"))?
            }
            None => Board::default(),
        };
        let choices = choices()?;
        if let Some(banks) = choices.banks {
            let plan = board.plan().with_banks(banks);
            let fits = board.check_banks(&plan);
            fits.map_err(|it| format!("SLUICE_BANKS: {it}"))?;
        }
        Ok(Settings {
            executor: choose(
                "SLUICE_DEVICE",
                Executor::Simulator,
                &Executor::ALL.map(|executor| (executor.name(), executor)),
            )?,
            board,
            clock: choose(
                "SLUICE_CLOCK",
                Clock::Target,
                &[Clock::Target, Clock::Estimated].map(|clock| (clock.name(), clock)),
            )?,
            plan: match text("SLUICE_PLAN") {
                Some(path) => {
                    let file = PlanFile::read(Path::new(&path));
                    Some(file.map_err(|failure| format!("SLUICE_PLAN: {}", failure.in_one_line()))?)
                }
                None => None,
            },
            choices,
            kind: choose(
                "SLUICE_DEVICE_TYPE",
                CL_DEVICE_TYPE_ACCELERATOR,
                &[
                    ("accelerator", CL_DEVICE_TYPE_ACCELERATOR),
                    ("gpu", CL_DEVICE_TYPE_GPU),
                    ("cpu", CL_DEVICE_TYPE_CPU),
                    (
                        "all",
                        CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU,
                    ),
                ],
            )?,
            check: choose(
                "SLUICE_CHECK",
                Check::Warn,
                &[
                    ("warn", Check::Warn),
                    ("strict", Check::Strict),
                    ("off", Check::Off),
                ],
            )?,
            group_items: number(
                "SLUICE_WORK_GROUP",
                Figures::default().group_items.into(),
                Plan::MOST_GROUP_ITEMS.into(),
            )? as u32,
            compare: choose("SLUICE_COMPARE", false, &[("0", false), ("1", true)])?,
            checks: checks("SLUICE_CHECKS")?,
            wave: text("SLUICE_WAVE").map(PathBuf::from),
            limit: match text("SLUICE_CYCLE_LIMIT") {
                Some(_) => CycleLimit::Cycles(number("SLUICE_CYCLE_LIMIT", 0, u64::MAX)?),
                None => CycleLimit::default(),
            },
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            report: text("SLUICE_REPORT").map(PathBuf::from),
        })
    }
}

/// What is chosen for all kernels.
fn choices() -> Result<ChoiceArgs, String> {
    let lanes = lanes::CHOICES.map(|lanes| (lanes.to_string(), Some(lanes)));
    let lanes = lanes
        .each_ref()
        .map(|(name, lanes)| (name.as_str(), *lanes));
    Ok(ChoiceArgs {
        datapaths: number_if_any("SLUICE_DATAPATHS", Plan::MOST_DATAPATHS)?,
        lanes: choose("SLUICE_LANES", None, &lanes)?,
        banks: number_if_any("SLUICE_BANKS", Plan::MOST_BANKS)?,
        memory: choose(
            "SLUICE_MEMORY",
            None,
            &MemoryChoice::ALL.map(|memory| (memory.name(), Some(memory))),
        )?,
    })
}

/// How long cycles of a clock take, in nanoseconds.
pub(crate) fn time_at(mhz: f64, cycles: u64) -> u64 {
    (cycles as f64 * 1000.0 / mhz).round() as u64
}

/// A list with commas of what the interpreter can watch for.
fn checks(name: &str) -> Result<Checks, String> {
    let text = text(name).unwrap_or_default();
    let mut all = Checks::NONE;
    for word in text.split(',').filter(|word| !word.is_empty()) {
        match word {
            "all" => all = Checks::ALL,
            "none" => all = Checks::NONE,
            "bounds" => all.bounds = true,
            "uninitialised" => all.uninitialised = true,
            "races" => all.races = true,
            "divergence" => all.divergence = true,
            word => {
                return Err(format!(
                    "{name} has `{word}`, not one of all, none, bounds, uninitialised, races, \
                     divergence"
                ));
            }
        }
    }
    Ok(all)
}

fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

fn choose<T: Copy>(name: &str, usual: T, choices: &[(&str, T)]) -> Result<T, String> {
    let Some(text) = text(name) else {
        return Ok(usual);
    };
    let found = choices.iter().find(|(choice, _)| *choice == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
        format!("{name} is `{text}`, not one of {}", names.join(", "))
    })
}

fn number(name: &str, usual: u64, most: u64) -> Result<u64, String> {
    let Some(text) = text(name) else {
        return Ok(usual);
    };
    let number = text.parse().ok().filter(|it| (1..=most).contains(it));
    number.ok_or_else(|| format!("{name} is `{text}`, not a number from 1 to {most}"))
}

fn number_if_any(name: &str, most: u32) -> Result<Option<u32>, String> {
    match text(name) {
        Some(_) => number(name, 1, most.into()).map(|it| Some(it as u32)),
        None => Ok(None),
    }
}
