//! A program's circuit for a target.

use std::path::Path;

use sluice_circuit::shell::Shell;
use sluice_circuit::target::Target;
use sluice_kernel::Program;
use sluice_kernel::launch::ip_block;
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::MemoryPlan;
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
    /// Copies of each kernel's pipeline.
    pub datapaths: u32,
}

impl Design {
    /// The circuit of a program.
    pub fn of(program: Program, target: &Target, plan: MemoryPlan) -> Result<Design, Refusal> {
        let lowered = prepare(&program, plan).and_then(|it| lower(&it, target))?;
        Ok(Design {
            program,
            lowered,
            datapaths: plan.datapaths,
        })
    }

    /// The circuit behind registers: an IP block.
    pub fn into_shell(self) -> Shell {
        ip_block::wrap(self.lowered, &self.program)
    }

    /// Builds the circuit's Verilog under Verilator; what is built once is kept in a folder.
    pub fn verilate(&self, trace: Trace, effort: Effort, cache: &Path) -> Result<Rtl, BuildError> {
        Rtl::build(&self.lowered.circuit, trace, effort, cache)
    }
}
