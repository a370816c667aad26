//! The shell around a circuit of kernels: an IP block with an AXI4-Lite slave to control each of
//! them, an AXI4 master per memory port, an AXI4-Stream master per print, and nothing else.
//!
//! [`wrap`] puts [registers](crate::units::registers) in place of each kernel's start, end and
//! constants; the result is a circuit like any other. [`Shell::emit`] adds the module `NAME_axi`,
//! which has the ports that integrators and their tools expect: `aclk`, `aresetn` (active low,
//! synchronous), `irq`, `s_axi_control_*`, `m_axi_mem_*` (`m_axi_mem0_*`, ... if there are several)
//! and `m_axis_print_*` (likewise). If there are several kernels, their names come before what is
//! theirs. Transfers to memory are bursts of one beat, without identifiers, so that
//! answers come in order. An error that memory answers becomes the *fault* of all registers, because it
//! is not known which kernel caused it.

mod module;

use std::fmt;

use crate::circuit::{Channel, Circuit, Constant};
use crate::connect::Added;
use crate::dram;
use crate::units::memory_port::MemoryInterface;
use crate::units::registers::Registers;
use crate::verilog::distinct;

/// A kernel of a circuit: what is its own of what goes to the environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelPorts {
    /// Its name.
    pub name: String,
    /// The input that starts a launch.
    pub start: Channel,
    /// The output that ends it.
    pub done: Channel,
    /// The constants that are written before, in the order of the registers.
    pub arguments: Vec<Constant>,
    /// The outputs with the arguments of its prints.
    pub prints: Vec<Channel>,
}

/// A circuit with registers.
#[derive(Debug)]
pub struct Shell {
    /// The circuit: its environment is the host, external memory and who reads what is printed.
    pub circuit: Circuit,
    /// The kernels.
    pub kernels: Vec<Control>,
    /// The ports of each memory.
    pub memories: Vec<dram::Ports>,
}

/// What a host sees of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// The kernel's name.
    pub kernel: String,
    /// What the names of its ports begin with: nothing if there is no other kernel.
    prefix: String,
    /// Where the channels of its registers are among the environment's ports.
    pub ports: ControlPorts,
    /// What the registers are.
    pub registers: Registers,
    /// The constants that its arguments are.
    pub arguments: Vec<Constant>,
    /// Where its prints are among the environment's inputs.
    pub prints: Vec<usize>,
}

/// Where the channels of the registers are among the environment's ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlPorts {
    /// Output: addresses of writes.
    pub aw: usize,
    /// Output: data of writes.
    pub w: usize,
    /// Output: addresses of reads.
    pub ar: usize,
    /// Output: errors of memory.
    pub fault: usize,
    /// Input: answers to writes.
    pub b: usize,
    /// Input: answers to reads.
    pub r: usize,
    /// Input: levels of the interrupt line.
    pub interrupt: usize,
}

/// Whether a port of a module takes or gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// It takes.
    Input,
    /// It gives.
    Output,
}

/// A port of the outermost module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModulePort {
    /// Its direction.
    pub direction: Direction,
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
}

impl ModulePort {
    fn new(direction: Direction, name: impl Into<String>, width: u32) -> ModulePort {
        ModulePort {
            direction,
            name: name.into(),
            width,
        }
    }
}

/// Why a circuit has no shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A kernel has no constants: nothing says what a launch is.
    NoArguments {
        /// Its name.
        kernel: String,
    },
    /// What starts or ends a kernel is no channel without fields from or to the environment.
    Launch {
        /// The channel's name.
        name: String,
    },
    /// A channel to the environment belongs to no interface.
    Channel {
        /// Its name.
        name: String,
    },
    /// A constant belongs to no kernel.
    Constant {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoArguments { kernel } => write!(f, "the kernel {kernel} has no arguments"),
            Unfit::Launch { name } => {
                write!(f, "the channel {name} cannot start or end a launch")
            }
            Unfit::Channel { name } => {
                write!(f, "the channel {name} belongs to no AXI4 interface")
            }
            Unfit::Constant { name } => write!(f, "the constant {name} belongs to no kernel"),
        }
    }
}

impl std::error::Error for Unfit {}

/// Puts registers in place of the kernels' constants, starts and ends.
///
/// # Errors
///
/// If something that goes to the environment belongs to none of the kernels and memories.
pub fn wrap(
    mut circuit: Circuit,
    kernels: Vec<KernelPorts>,
    memories: &[MemoryInterface],
) -> Result<Shell, Unfit> {
    check(&circuit, &kernels, memories)?;
    let prefixes = prefixes(&kernels);
    let wired: Vec<Wired> = kernels
        .iter()
        .zip(&prefixes)
        .map(|(kernel, prefix)| add_registers(&mut circuit, kernel, prefix))
        .collect();
    let controls = kernels.into_iter().zip(prefixes).zip(wired);
    let controls = controls.map(|((kernel, prefix), wired)| Control {
        ports: wired.ports(&circuit),
        prints: kernel
            .prints
            .iter()
            .map(|&print| circuit.output_index(print))
            .collect(),
        kernel: kernel.name,
        prefix,
        registers: wired.registers,
        arguments: kernel.arguments,
    });
    Ok(Shell {
        kernels: controls.collect(),
        memories: memories.iter().map(|it| it.ports(&circuit)).collect(),
        circuit,
    })
}

/// Refuses what would have ports of no interface, or a kernel that cannot be launched.
fn check(
    circuit: &Circuit,
    kernels: &[KernelPorts],
    memories: &[MemoryInterface],
) -> Result<(), Unfit> {
    let name = |channel: Channel| circuit.channels()[channel].name.clone();
    for kernel in kernels {
        if kernel.arguments.is_empty() {
            let kernel = kernel.name.clone();
            return Err(Unfit::NoArguments { kernel });
        }
        let ends = [
            (kernel.start, circuit.inputs()),
            (kernel.done, circuit.outputs()),
        ];
        for (channel, outer) in ends {
            let has_fields = !circuit.channels()[channel].fields.is_empty();
            if has_fields || !outer.contains(&channel) {
                let name = name(channel);
                return Err(Unfit::Launch { name });
            }
        }
    }
    let is_known = |channel: Channel| {
        memories.iter().any(|memory| memory.contains(channel))
            || kernels.iter().any(|kernel| {
                [kernel.start, kernel.done].contains(&channel) || kernel.prints.contains(&channel)
            })
    };
    let mut outer = circuit.inputs().iter().chain(circuit.outputs());
    if let Some(&channel) = outer.find(|&&channel| !is_known(channel)) {
        let name = name(channel);
        return Err(Unfit::Channel { name });
    }
    let belongs = |constant| kernels.iter().any(|it| it.arguments.contains(&constant));
    let mut constants = circuit.outer_constants();
    match constants.find(|&(constant, _)| !belongs(constant)) {
        Some((_, wire)) => Err(Unfit::Constant {
            name: wire.name.clone(),
        }),
        None => Ok(()),
    }
}

/// What the names of the kernels' ports begin with.
fn prefixes(kernels: &[KernelPorts]) -> Vec<String> {
    match kernels.len() {
        1 => vec![String::new()],
        _ => {
            let names = distinct(kernels.iter().map(|kernel| kernel.name.as_str()));
            names.into_iter().map(|name| name + "_").collect()
        }
    }
}

/// Registers with their channels.
struct Wired {
    registers: Registers,
    unit: Added<Registers>,
}

fn add_registers(circuit: &mut Circuit, kernel: &KernelPorts, prefix: &str) -> Wired {
    circuit.release_input(kernel.start);
    circuit.release_output(kernel.done);
    let constants = circuit.constants();
    let widths = kernel.arguments.iter().map(|&it| constants[it].width);
    let registers = Registers::new(widths.collect());
    let unit = circuit
        .unit(format!("{prefix}registers"), registers.clone())
        .input(Registers::DONE, kernel.done)
        .output(Registers::START, kernel.start)
        .drives(kernel.arguments.iter().copied())
        .with_new_channels()
        .add();
    let inputs = [Registers::AW, Registers::W, Registers::AR, Registers::FAULT];
    for port in inputs {
        circuit.add_input(unit.input(port));
    }
    for port in [Registers::B, Registers::R, Registers::INTERRUPT] {
        circuit.add_output(unit.output(port));
    }
    Wired { registers, unit }
}

impl Wired {
    fn ports(&self, circuit: &Circuit) -> ControlPorts {
        let input = |port| circuit.input_index(self.unit.input(port));
        let output = |port| circuit.output_index(self.unit.output(port));
        ControlPorts {
            aw: input(Registers::AW),
            w: input(Registers::W),
            ar: input(Registers::AR),
            fault: input(Registers::FAULT),
            b: output(Registers::B),
            r: output(Registers::R),
            interrupt: output(Registers::INTERRUPT),
        }
    }
}

impl Control {
    /// The name of the slave with its registers.
    pub fn slave_name(&self) -> String {
        format!("{}s_axi_control", self.prefix)
    }

    /// The name of its interrupt line.
    pub fn interrupt_name(&self) -> String {
        format!("{}irq", self.prefix)
    }

    /// The name of the master with a print's arguments.
    pub fn print_name(&self, print: usize) -> String {
        let prefix = &self.prefix;
        match self.prints.len() {
            1 => format!("{prefix}m_axis_print"),
            _ => format!("{prefix}m_axis_print{print}"),
        }
    }
}

impl Shell {
    /// The clock of the outermost module.
    pub const CLOCK: &str = "aclk";
    /// Its reset, active low.
    pub const RESET: &str = "aresetn";
    /// The instance of the circuit in it.
    pub const INSTANCE: &str = "circuit";

    /// The name of the outermost module.
    pub fn module_name(&self) -> String {
        format!("{}_axi", self.circuit.name)
    }

    /// The name of the memory's interface.
    pub fn memory_name(&self, memory: usize) -> String {
        match self.memories.len() {
            1 => "m_axi_mem".into(),
            _ => format!("m_axi_mem{memory}"),
        }
    }

    /// The bits of a print's data: whole bytes, one at least. The arguments are side by side, the
    /// first one lowest, and zeros above.
    pub fn print_bits(&self, print: usize) -> u32 {
        let channel = self.circuit.outputs()[print];
        let bits = self.circuit.channels()[channel].fields.bits();
        bits.max(1).next_multiple_of(8)
    }
}
