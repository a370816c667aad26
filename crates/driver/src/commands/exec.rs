//! `sluice exec`: an OpenCL program with the environment set.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use clap::ValueEnum;

use crate::board::Board;
use crate::cli::{Check, ChoiceArgs, Device, ExecArgs};
use crate::exec_report::ExecReport;
use crate::failure::Failure;
use crate::files::{write_file, write_path};
use crate::output::warn;
use crate::plan::PlanFile;

/// The runtime's file name.
const LIBRARY: &str = "libsluice_opencl.so";

pub(super) fn exec(args: &ExecArgs) -> Result<ExitCode, Failure> {
    let library = library()?;
    // What is wrong with it is better said here than by the runtime.
    Board::find(&args.target.target)?;
    let folder =
        tempfile::tempdir().map_err(|source| file("make", &std::env::temp_dir(), source))?;
    write_file(
        folder.path(),
        "sluice.icd",
        format!("{}\n", library.display()),
    )?;
    let report = folder.path().join("report.json");
    let status = command(args, folder.path(), &report)?
        .status()
        .map_err(|source| file("run", Path::new(&args.program[0]), source))?;
    let found = hand_over(&report, args.report.as_deref())?;
    Ok(match (found, status.success()) {
        (Findings::Some, true) => ExitCode::FAILURE,
        (Findings::None, _) | (_, false) => exit_code(status),
    })
}

/// Whether checks or comparisons, if any were asked for, found something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Findings {
    None,
    Some,
}

fn command(args: &ExecArgs, vendors: &Path, report: &Path) -> Result<Command, Failure> {
    let mut command = Command::new(&args.program[0]);
    command
        .args(&args.program[1..])
        .env("OCL_ICD_VENDORS", vendors)
        .env("SLUICE_DEVICE", args.device.name())
        .env("SLUICE_TARGET", &args.target.target)
        .env("SLUICE_CLOCK", args.clock.name())
        .env("SLUICE_COMPARE", if args.check { "1" } else { "0" })
        .env("SLUICE_CHECKS", names(&args.checks))
        .env("SLUICE_REPORT", report);
    let ChoiceArgs {
        datapaths,
        lanes,
        banks,
        memory,
    } = args.target.choices;
    let numbers = [
        ("SLUICE_DATAPATHS", datapaths),
        ("SLUICE_LANES", lanes),
        ("SLUICE_BANKS", banks),
        ("SLUICE_WORK_GROUP", args.target.work_group),
    ];
    let numbers = numbers.into_iter();
    command.envs(numbers.filter_map(|(name, number)| Some((name, number?.to_string()))));
    command.envs(memory.map(|memory| ("SLUICE_MEMORY", memory.name())));
    if let Some(path) = args.target.plan_path() {
        // What is wrong with it is better said here than by the runtime.
        PlanFile::read(&path)?;
        let path = std::path::absolute(&path).map_err(|source| file("read", &path, source))?;
        command.env("SLUICE_PLAN", path);
    }
    if let Some(limit) = args.cycle_limit {
        command.env("SLUICE_CYCLE_LIMIT", limit.to_string());
    }
    if let Some(path) = &args.wave {
        if args.device == Device::Interp {
            return Err(Failure::no_waveforms());
        }
        // The program may change its folder.
        let path = std::path::absolute(path).map_err(|source| file("write", path, source))?;
        command.env("SLUICE_WAVE", path);
    }
    // Whatever type of device the program asks for, it finds one.
    if std::env::var_os("SLUICE_DEVICE_TYPE").is_none_or(|kind| kind.is_empty()) {
        command.env("SLUICE_DEVICE_TYPE", "all");
    }
    Ok(command)
}

/// What the interpreter is to watch for, as the runtime reads it.
fn names(checks: &[Check]) -> String {
    let names = checks.iter().filter_map(Check::to_possible_value);
    let names: Vec<String> = names.map(|it| it.get_name().to_owned()).collect();
    names.join(",")
}

/// Writes the report of a program that has ended where it is wanted, or shows it, also if it cannot
/// be written; a program that ended otherwise than by `exit` has none.
fn hand_over(report: &Path, wanted: Option<&Path>) -> Result<Findings, Failure> {
    let text = std::fs::read_to_string(report).ok();
    let report = text
        .as_deref()
        .and_then(|it| serde_json::from_str::<ExecReport>(it).ok());
    let (Some(text), Some(report)) = (text, report) else {
        warn("sluice: the program has launched no kernel, or has not ended by itself\n");
        return Ok(Findings::None);
    };
    let has_findings = report.has_findings();
    let written = match wanted {
        Some(path) => write_path(path, text),
        None => Ok(()),
    };
    if wanted.is_none() || written.is_err() {
        warn(report);
    }
    written?;
    Ok(match has_findings {
        true => Findings::Some,
        false => Findings::None,
    })
}

/// The runtime: where the environment says, beside this command, or where `make install` puts it.
fn library() -> Result<PathBuf, Failure> {
    let named = std::env::var_os("SLUICE_OPENCL_LIBRARY").map(PathBuf::from);
    let beside = std::env::current_exe().ok().and_then(|command| {
        let folder = command.parent()?;
        let places = [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)];
        places.into_iter().find(|place| place.exists())
    });
    let found = named.or(beside).filter(|path| path.exists());
    let found = found.and_then(|path| path.canonicalize().ok());
    found.ok_or_else(|| {
        Failure::usage(
            format!("{LIBRARY} is not beside this command, nor in ../lib"),
            "build it with `make build`, or name it in SLUICE_OPENCL_LIBRARY",
        )
    })
}

/// The program's own code, or that of a shell for a program that a signal ended.
fn exit_code(status: ExitStatus) -> ExitCode {
    use std::os::unix::process::ExitStatusExt;
    let code = match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

fn file(action: &'static str, path: &Path, source: std::io::Error) -> Failure {
    Failure::File {
        action,
        path: path.display().to_string(),
        source,
    }
}
