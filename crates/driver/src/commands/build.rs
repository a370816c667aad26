//! `sluice build`: kernels as Verilog, with their circuits as text, reports, and as program binaries.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sluice_circuit::circuit::{Channel, End};
use sluice_circuit::clock;
use sluice_circuit::dram::Ports;
use sluice_circuit::report::Report;
use sluice_circuit::shell::{Control, Shell};
use sluice_circuit::text;
use sluice_circuit::units::registers::argument_offset;
use sluice_kernel::ir::ObjectKind;
use sluice_kernel::lower::Interface;
use sluice_kernel::prepare::{LaunchValue, LocalMemory};
use sluice_kernel::{Kernel, Optimised, Program};

use crate::board::{Board, Chip};
use crate::cli::BuildArgs;
use crate::commands::check_fit;
use crate::commands::designs::{design, programs};
use crate::failure::Failure;
use crate::files::write_file;
use crate::fit::{self, Usage};
use crate::loop_report::{LoopLines, LoopReport, SmallArgument};
use crate::memory_report::AccessReport;
use crate::output::Output;
use crate::program::{Binary, Contents};
use crate::progress::Progress;

pub(super) fn build(args: &BuildArgs, output: &Output) -> Result<(), Failure> {
    let board = args.designs.plan.board()?;
    let mut reports = Vec::new();
    for program in programs(&args.designs, &board)? {
        reports.push(build_design(args, &board, program)?);
    }
    match args.json {
        true => output.line(serde_json::to_string(&reports).expect("reports are plain data")),
        false => reports
            .iter()
            .for_each(|report| output.show(report.summary())),
    }
    Ok(())
}

/// What is said about a design.
#[derive(Serialize)]
struct BuildReport {
    design: String,
    target: String,
    mhz: f64,
    /// The clock that it is expected to reach.
    estimated_mhz: f64,
    /// The unit with the longest path, by the estimate.
    slowest_unit: Option<String>,
    /// The module that an integrator instantiates.
    module: String,
    folder: PathBuf,
    verilog_files: usize,
    kernels: Vec<KernelReport>,
    memories: Vec<MemoryReport>,
    /// The program's variables, if a kernel uses them.
    variables: Option<VariablesReport>,
    chip: Chip,
    /// By resource: what the circuit takes and what the chip has.
    #[serde(skip)]
    usage: [Usage; 4],
    /// Where areas and delays are from.
    #[serde(skip)]
    basis: String,
    #[serde(flatten)]
    circuit: Report,
}

/// A port to external memory.
#[derive(Serialize)]
struct MemoryReport {
    master: String,
    /// The caches and streams that it serves: the buffers in them are reached through it alone.
    units: Vec<String>,
}

/// What a host has to know of a kernel.
#[derive(Serialize)]
struct KernelReport {
    kernel: String,
    /// The slave with its registers.
    slave: String,
    interrupt: String,
    /// Work-items of a token: sizes and offsets in dimension 0 count tokens.
    lanes: u32,
    arguments: Vec<Register>,
    /// What work-groups have room for, if they synchronise.
    groups: Option<GroupReport>,
    prints: Vec<PrintReport>,
    /// What stands between its accesses and external memory.
    accesses: Vec<AccessReport>,
    /// How the iterations of its loops go through the circuit.
    loops: Vec<LoopReport>,
    /// What launches have to keep to.
    small_arguments: Vec<SmallArgument>,
}

/// What the host needs to know to say how many work-groups are resident at once.
#[derive(Serialize)]
struct GroupReport {
    /// Work-items of a group, at most.
    items: u32,
    /// Groups at once, at most.
    slots: u32,
    /// Work-items at once, each group's number rounded up to a power of two.
    places: u32,
    local_memories: Vec<LocalReport>,
}

/// A memory with a copy for each group.
#[derive(Serialize)]
struct LocalReport {
    bytes: u64,
    address: u64,
    /// Bytes of its variables, which come first in each copy.
    fixed: u64,
    /// The registers of what is behind them, which the host places.
    arguments: Vec<String>,
    /// Bytes that the last of them have for each work-item of a group; the others are arguments.
    per_item: Vec<u64>,
}

/// The program's variables, which the host keeps in external memory from launch to launch.
#[derive(Serialize)]
struct VariablesReport {
    bytes: u64,
    /// What they hold at first, in hexadecimal digits, the first byte first; the rest are zeros.
    contents: String,
    /// Which of them point to variables at first: where the address is, and of which byte.
    pointers: Vec<(u64, u64)>,
}

impl VariablesReport {
    fn of(program: &Program) -> Option<VariablesReport> {
        let variables = program.variables()?;
        let digits = variables.bytes.iter().map(|byte| format!("{byte:02x}"));
        let pointers = variables.pointers.iter();
        Some(VariablesReport {
            bytes: variables.size,
            contents: digits.collect(),
            pointers: pointers
                .filter_map(|it| Some((it.at, it.target?)))
                .collect(),
        })
    }
}

/// Where the host writes what the kernel needs to know.
#[derive(Serialize)]
struct Register {
    offset: u64,
    bits: u32,
    name: String,
}

/// Where the arguments of a print come out.
#[derive(Serialize)]
struct PrintReport {
    stream: String,
    format: String,
    /// By argument, the first one lowest.
    bits: Vec<u32>,
}

fn build_design(args: &BuildArgs, board: &Board, program: Program) -> Result<BuildReport, Failure> {
    let progress = Progress::start(format!("building {}", program.name()));
    let variables = VariablesReport::of(&program);
    let design = design(&args.designs, board, program.clone())?;
    let (datapaths, plan) = (design.datapaths, &args.designs.plan);
    check_fit(design.lowered.circuit(), board, datapaths, plan)?;
    let binary = Binary {
        target: plan.target.target.clone(),
        datapaths,
        options: args.designs.compile.clang.join(" "),
        contents: Contents::Executable(program.clone()),
    };
    let interfaces = design.lowered.kernels().to_vec();
    let shell = design.into_shell();
    let folder = args.output.join(&shell.circuit.name);
    let files = shell.emit();
    for file in &files {
        write_file(&folder, &file.name, &file.text)?;
    }
    let list: String = files.iter().map(|file| file.name.clone() + "\n").collect();
    write_file(&folder, "files.f", &list)?;
    write_file(&folder, "circuit.txt", text::print(&shell.circuit))?;
    write_file(
        &folder,
        &binary_name(&shell.circuit.name),
        binary.to_bytes(),
    )?;
    let circuit = Report::of(&shell.circuit, board.target.family);
    let clock = clock::estimate(&shell.circuit, &board.target);
    let report = BuildReport {
        design: shell.circuit.name.clone(),
        target: board.name.clone(),
        mhz: board.mhz,
        estimated_mhz: clock.mhz.round(),
        slowest_unit: clock.slowest,
        module: shell.module_name(),
        folder,
        verilog_files: files.len(),
        kernels: kernel_reports(&shell, &interfaces, &program),
        memories: memories(&shell),
        variables,
        usage: fit::usage(&circuit.total, board),
        chip: board.chip.clone(),
        basis: board.target.family.basis(),
        circuit,
    };
    let json = serde_json::to_string_pretty(&report).expect("reports are plain data");
    write_file(&report.folder, "report.json", json + "\n")?;
    write_file(&report.folder, "report.txt", report.text())?;
    progress.finish();
    Ok(report)
}

/// What an OpenCL host gives to `clCreateProgramWithBinary`.
fn binary_name(design: &str) -> String {
    format!("{design}.sluice")
}

fn memories(shell: &Shell) -> Vec<MemoryReport> {
    let circuit = &shell.circuit;
    let source = |channel: Channel| match circuit.channels()[channel].from {
        End::Unit(unit, _) => Some(&circuit.units()[unit]),
        End::Environment(_) | End::Discarded | End::Open => None,
    };
    let report = |(at, ports): (usize, &Ports)| {
        let unit = source(circuit.outputs()[ports.ar]).expect("a unit asks");
        let units = unit.inputs.iter().filter_map(|&channel| source(channel));
        let mut units: Vec<String> = units.map(|unit| unit.name.clone()).collect();
        units.sort();
        // A cache reads and writes back.
        units.dedup();
        MemoryReport {
            master: shell.memory_name(at),
            units,
        }
    };
    shell.memories.iter().enumerate().map(report).collect()
}

fn kernel_reports(shell: &Shell, interfaces: &[Interface], program: &Program) -> Vec<KernelReport> {
    let all = shell.kernels.iter().zip(interfaces).zip(program.kernels());
    let report =
        |((control, interface), kernel): ((&Control, &Interface), &Optimised)| KernelReport {
            kernel: control.kernel.clone(),
            slave: control.slave_name(),
            interrupt: control.interrupt_name(),
            lanes: interface.lanes(),
            arguments: registers(shell, control),
            groups: groups(shell, interface, kernel),
            prints: prints(shell, control, interface),
            accesses: AccessReport::all(interface),
            loops: LoopReport::all(interface),
            small_arguments: SmallArgument::all(interface),
        };
    all.map(report).collect()
}

fn registers(shell: &Shell, control: &Control) -> Vec<Register> {
    let arguments = control.arguments.iter().enumerate();
    let register = arguments.map(|(at, &constant)| {
        let wire = &shell.circuit.constants()[constant];
        Register {
            offset: argument_offset(at),
            bits: wire.width,
            name: wire.name.clone(),
        }
    });
    register.collect()
}

fn groups(shell: &Shell, interface: &Interface, kernel: &Kernel) -> Option<GroupReport> {
    let limits = interface.limits?;
    let address = |object| {
        let mut constants = interface.constants.iter();
        let (constant, _) = constants.find(|(_, value)| *value == LaunchValue::Address(object))?;
        Some(shell.circuit.constants()[*constant].name.clone())
    };
    let per_item = |object| match kernel.objects[object].kind {
        ObjectKind::LocalPerItem { bytes } => Some(bytes * u64::from(interface.lanes())),
        _ => None,
    };
    let local = |memory: &LocalMemory| LocalReport {
        bytes: memory.bytes,
        address: memory.address,
        fixed: memory.fixed,
        arguments: memory.sized.iter().filter_map(|&it| address(it)).collect(),
        per_item: memory.sized.iter().filter_map(|&it| per_item(it)).collect(),
    };
    Some(GroupReport {
        items: limits.items,
        slots: limits.slots,
        places: limits.places,
        local_memories: interface.locals.iter().map(local).collect(),
    })
}

fn prints(shell: &Shell, control: &Control, interface: &Interface) -> Vec<PrintReport> {
    let prints = control.prints.iter().zip(&interface.prints).enumerate();
    let report = prints.map(|(at, (&place, print))| {
        let channel = shell.circuit.outputs()[place];
        PrintReport {
            stream: control.print_name(at),
            format: print.format.to_string(),
            bits: shell.circuit.channels()[channel].fields.widths().collect(),
        }
    });
    report.collect()
}

impl BuildReport {
    /// For the terminal.
    fn summary(&self) -> String {
        let usage = self
            .usage
            .map(|it| format!("{} {} ({:.1} %)", it.used, it.resource, it.percent()));
        format!(
            "{}: {} units, {}\n  {} Verilog files, report.txt, report.json, circuit.txt and {} in {}\n",
            self.design,
            self.circuit.units.len(),
            usage.join(", "),
            self.verilog_files,
            binary_name(&self.design),
            self.folder.display(),
        )
    }

    /// The clock that it is expected to reach, and why it is not higher.
    fn clock(&self) -> String {
        let why = match &self.slowest_unit {
            Some(unit) => format!(", by the longest path of {unit}"),
            None => String::new(),
        };
        format!("Estimated clock: {} MHz{why}.", self.estimated_mhz)
    }

    /// The whole report, for people.
    fn text(&self) -> String {
        let names: Vec<&str> = self.kernels.iter().map(|it| it.kernel.as_str()).collect();
        let what = match names.len() {
            1 => "Kernel",
            _ => "Kernels",
        };
        let mut text = format!(
            "{what} {}, module {}, for {} at {} MHz.\n\
             {}\n\
             {}\n\n",
            names.join(", "),
            self.module,
            self.target,
            self.mhz,
            self.clock(),
            self.basis
        );
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            writeln!(text, "{arguments}").expect("strings take all text");
        };
        for usage in self.usage {
            let percent = usage.percent();
            let Usage {
                resource,
                used,
                available,
            } = usage;
            line(format_args!(
                "{resource:<8} {used:>8} of {available:>8}  {percent:5.1} %"
            ));
        }
        for kernel in &self.kernels {
            line(format_args!("\n{}", kernel.to_string().trim_end()));
        }
        line(format_args!("\nports to external memory"));
        for MemoryReport { master, units } in &self.memories {
            line(format_args!("  {master}: {}", units.join(", ")));
        }
        if let Some(variables) = &self.variables {
            line(format_args!(
                "\nthe program's variables: {} bytes, first contents in report.json",
                variables.bytes
            ));
        }
        line(format_args!("\n{}", self.circuit));
        text
    }
}

impl fmt::Display for GroupReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GroupReport {
            items,
            slots,
            places,
            ..
        } = self;
        writeln!(
            f,
            "  work-groups of up to {items}, {slots} at once, {places} places at barriers"
        )?;
        for LocalReport {
            bytes,
            address,
            fixed,
            arguments,
            per_item,
        } in &self.local_memories
        {
            write!(
                f,
                "  local memory of {bytes} bytes at {address:#x}, {fixed} for variables"
            )?;
            if !arguments.is_empty() {
                write!(f, ", then {}", arguments.join(", "))?;
            }
            if !per_item.is_empty() {
                let bytes: Vec<String> = per_item.iter().map(ToString::to_string).collect();
                let bytes = bytes.join(" and ");
                write!(f, ", the last of {bytes} bytes for each work-item")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The registers' table.
impl fmt::Display for KernelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelReport {
            kernel,
            slave,
            interrupt,
            ..
        } = self;
        writeln!(
            f,
            "argument registers of {kernel} at {slave}, interrupt {interrupt}"
        )?;
        for Register { offset, bits, name } in &self.arguments {
            writeln!(f, "  {offset:#06x}  {bits:>2} bits  {name}")?;
        }
        if let Some(groups) = &self.groups {
            write!(f, "{groups}")?;
        }
        for PrintReport {
            stream,
            format,
            bits,
        } in &self.prints
        {
            let bits: Vec<String> = bits.iter().map(u32::to_string).collect();
            let bits = bits.join(" + ");
            writeln!(f, "  {stream}: {format:?}, {bits} bits")?;
        }
        write!(f, "{}", LoopLines(&self.loops, &self.small_arguments))?;
        if !self.accesses.is_empty() {
            writeln!(f, "accesses of external memory")?;
        }
        for access in &self.accesses {
            writeln!(f, "  {access}")?;
        }
        Ok(())
    }
}

/// Writes the unit library.
pub(super) fn ip(folder: &Path, output: &Output) -> Result<(), Failure> {
    let files = crate::library::files();
    for (name, text) in &files {
        write_file(folder, name, text)?;
    }
    output.line(format_args!(
        "{} Verilog files in {}",
        files.len(),
        folder.display()
    ));
    Ok(())
}
