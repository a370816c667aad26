//! A program's circuit for a target.

use std::path::Path;

use sluice_circuit::shell::Shell;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::launch::ip_block;
use sluice_kernel::lower::{Interface, Lowered, lower};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::{Refusal, prepare};
use sluice_verilator::rtl::Rtl;
use sluice_verilator::{BuildError, Effort, Trace};

/// A program as a circuit.
#[derive(Debug)]
pub struct Design {
    /// The program.
    pub program: Program,
    /// Its circuit.
    pub lowered: Lowered,
    /// Copies of the pipeline of the kernel that has most of them.
    pub datapaths: u32,
    /// Work-items of a token, of the kernel that has most of them.
    pub lanes: u32,
}

impl Design {
    /// The circuit of a program.
    pub fn of(program: Program, target: &Target, plan: &Plan) -> Result<Design, Refusal> {
        let lowered = prepare(&program, plan, target).and_then(|it| lower(&it))?;
        let kernels = program.kernels().iter();
        let datapaths = kernels.map(|kernel| plan.kernel(&kernel.name).datapaths);
        let datapaths = datapaths.max().unwrap_or(1);
        let lanes = lowered.kernels().iter().map(Interface::lanes);
        Ok(Design {
            lanes: lanes.max().unwrap_or(1),
            program,
            lowered,
            datapaths,
        })
    }

    /// Warnings of choices in the source that are not possible, in whole lines.
    pub fn warnings(&self) -> String {
        let kernels = self.program.kernels().iter().zip(self.lowered.kernels());
        let accesses = kernels.flat_map(|(kernel, interface)| {
            let accesses = interface.memory.iter();
            accesses.map(move |access| (kernel, access))
        });
        let mut warnings: Vec<String> = Vec::new();
        for (kernel, access) in accesses {
            let chosen = access.chosen;
            let (Some(reason), Some(wanted)) = (chosen.ignored(), chosen.wanted) else {
                continue;
            };
            let (wanted, unit) = (wanted.name(), chosen.unit.name());
            let file = kernel.files.get(usize::from(access.loc.file));
            let file = file.map_or("", String::as_str);
            let (line, column) = (access.loc.line, access.loc.column);
            let (kind, buffer) = (access.kind, &access.buffer);
            warnings.push(format!(
                "{file}:{line}:{column}: warning: no {wanted} for the {kind} of `{buffer}`, which {reason}: it has a {unit}\n"
            ));
        }
        warnings.dedup();
        warnings.concat()
    }

    /// The circuit behind registers: an IP block.
    pub fn into_shell(self) -> Shell {
        ip_block::wrap(self.lowered, &self.program)
    }

    /// Builds the circuit's Verilog under Verilator; what is built once is kept in a folder.
    pub fn verilate(&self, trace: Trace, effort: Effort, cache: &Path) -> Result<Rtl, BuildError> {
        Rtl::build(self.lowered.circuit(), trace, effort, cache)
    }
}
