//! `sluice build`: kernels as Verilog, with their circuits as text and reports.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sluice_circuit::report::Report;
use sluice_circuit::shell::Shell;
use sluice_circuit::text;
use sluice_circuit::units::registers::argument_offset;
use sluice_kernel::Kernel;
use sluice_kernel::ip_block;
use sluice_kernel::lower::{Buffers, MemoryPlan};

use crate::board::{Board, Chip};
use crate::cli::BuildArgs;
use crate::compile::compile;
use crate::design::Design;
use crate::failure::Failure;
use crate::folder::write_file;
use crate::progress::Progress;

pub(super) fn build(args: &BuildArgs) -> Result<(), Failure> {
    let board = Board::find(&args.target)?;
    let compiled = compile(&args.compile)?;
    eprint!("{}", compiled.warnings);
    let mut reports = Vec::new();
    for kernel in compiled.kernels {
        reports.push(build_kernel(args, &board, kernel)?);
    }
    if reports.is_empty() {
        return Err(Failure::usage(
            format!("{} has no kernel", args.compile.file.display()),
            "mark a function with __kernel",
        ));
    }
    match args.json {
        true => println!(
            "{}",
            serde_json::to_string(&reports).expect("reports are plain data")
        ),
        false => reports
            .iter()
            .for_each(|report| print!("{}", report.summary())),
    }
    Ok(())
}

/// What is said about a kernel's circuit.
#[derive(Serialize)]
struct BuildReport {
    kernel: String,
    target: String,
    mhz: f64,
    /// The module that an integrator instantiates.
    module: String,
    folder: PathBuf,
    verilog_files: usize,
    arguments: Vec<Register>,
    chip: Chip,
    #[serde(flatten)]
    circuit: Report,
}

/// Where the host writes what the kernel needs to know.
#[derive(Serialize)]
struct Register {
    offset: u64,
    bits: u32,
    name: String,
}

fn build_kernel(args: &BuildArgs, board: &Board, kernel: Kernel) -> Result<BuildReport, Failure> {
    let progress = Progress::start(format!("building {}", kernel.name));
    let buffers = match args.may_alias {
        true => Buffers::MayAlias,
        false => Buffers::Disjoint,
    };
    let plan = MemoryPlan {
        buffers,
        datapaths: args.datapaths,
        group_items: args.work_group,
        local_bytes: args.local_bytes,
        ..MemoryPlan::default()
    };
    let design = Design::of(kernel, &board.target, plan)
        .map_err(|refusal| Failure::refusal(&refusal, &args.compile.file))?;
    let shell = ip_block::wrap(design.lowered, &[&design.kernel]);
    let name = design.kernel.name;
    let folder = args.output.join(&name);
    let files = shell.emit();
    for file in &files {
        write_file(&folder, &file.name, &file.text)?;
    }
    let list: String = files.iter().map(|file| file.name.clone() + "\n").collect();
    write_file(&folder, "files.f", &list)?;
    write_file(&folder, "circuit.txt", &text::print(&shell.circuit))?;
    let report = report(name, board, folder, files.len(), &shell);
    let json = serde_json::to_string_pretty(&report).expect("reports are plain data");
    write_file(&report.folder, "report.json", &(json + "\n"))?;
    write_file(&report.folder, "report.txt", &report.text())?;
    progress.finish();
    Ok(report)
}

fn report(
    kernel: String,
    board: &Board,
    folder: PathBuf,
    verilog_files: usize,
    shell: &Shell,
) -> BuildReport {
    let constants = shell.circuit.constants().values();
    let arguments = constants.enumerate().map(|(at, wire)| Register {
        offset: argument_offset(at),
        bits: wire.width,
        name: wire.name.clone(),
    });
    BuildReport {
        kernel,
        target: board.name.clone(),
        mhz: board.mhz,
        module: shell.module_name(),
        folder,
        verilog_files,
        arguments: arguments.collect(),
        chip: board.chip.clone(),
        circuit: Report::of(&shell.circuit),
    }
}

impl BuildReport {
    /// By resource: what the circuit takes and what the chip has.
    fn usage(&self) -> [(&'static str, u32, u32); 4] {
        let (cost, chip) = (&self.circuit.total, &self.chip);
        [
            ("LUTs", cost.luts, chip.luts),
            ("FFs", cost.ffs, chip.registers),
            ("DSPs", cost.dsps, chip.multipliers),
            ("BRAMs", cost.brams, chip.block_memories),
        ]
    }

    /// For the terminal.
    fn summary(&self) -> String {
        let usage = self.usage().map(|(what, used, all)| {
            format!(
                "{used} {what} ({:.1} %)",
                100.0 * f64::from(used) / f64::from(all)
            )
        });
        format!(
            "{}: {} units, {}\n  {} Verilog files, report.txt, report.json and circuit.txt in {}\n",
            self.kernel,
            self.circuit.units.len(),
            usage.join(", "),
            self.verilog_files,
            self.folder.display(),
        )
    }

    /// The whole report, for people.
    fn text(&self) -> String {
        let mut text = format!(
            "Kernel {}, module {}, for {} at {} MHz.\n\
             Areas are estimates in resources of the reference target, an ECP5.\n\n",
            self.kernel, self.module, self.target, self.mhz
        );
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            writeln!(text, "{arguments}").expect("strings take all text");
        };
        for (what, used, all) in self.usage() {
            let percent = 100.0 * f64::from(used) / f64::from(all);
            line(format_args!(
                "{what:<6} {used:>8} of {all:>8}  {percent:5.1} %"
            ));
        }
        line(format_args!("\nargument registers"));
        for Register { offset, bits, name } in &self.arguments {
            line(format_args!("  {offset:#06x}  {bits:>2} bits  {name}"));
        }
        line(format_args!("\n{}", self.circuit));
        text
    }
}

/// Writes the unit library.
pub(super) fn ip(folder: &Path) -> Result<(), Failure> {
    let files = crate::library::files();
    for (name, text) in &files {
        write_file(folder, name, text)?;
    }
    println!("{} Verilog files in {}", files.len(), folder.display());
    Ok(())
}
