//! The shell around a circuit of kernels: an IP block with an AXI4-Lite slave to control each of
//! them, an AXI4 master per memory port, an AXI4-Stream master per print, and nothing else.
//!
//! [`wrap`] puts [registers](crate::units::registers) in place of each kernel's start, end and
//! constants; the result is a circuit like any other. [`Shell::emit`] adds the module `NAME_axi`,
//! which has the ports that integrators and their tools expect: `aclk`, `aresetn` (active low,
//! synchronous), `irq`, `s_axi_control_*`, `m_axi_mem_*` (`m_axi_mem0_*`, ... if there are several)
//! and `m_axis_print_*` (likewise). If there are several kernels, their names come before what is
//! theirs. Transfers to memory are bursts of one beat of 64 bytes, without identifiers, so that
//! answers come in order. An error that memory answers becomes the *fault* of all registers: nobody
//! knows whose it is.

mod module;

use std::fmt;

use crate::circuit::{Channel, Circuit, Constant, End, UnitData};
use crate::dram;
use crate::identifiers::distinct;
use crate::unit::{Fields, Port, UnitKind};
use crate::units::memory_port;
use crate::units::registers::Registers;

/// A kernel of a circuit: what is its own of what goes to the outside.
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
    /// The circuit: its outside is the host, external memory and who reads what is printed.
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
    /// Where the channels of its registers are among the outside's ports.
    pub ports: ControlPorts,
    /// What the registers are.
    pub registers: Registers,
    /// The constants that its arguments are.
    pub arguments: Vec<Constant>,
    /// Where its prints are among the outside's inputs.
    pub prints: Vec<usize>,
}

/// Where the channels of the registers are among the outside's ports.
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

/// Why a circuit has no shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// A kernel has no constants: nothing says what a launch is.
    NoArguments {
        /// Its name.
        kernel: String,
    },
    /// What starts or ends a kernel is no channel without fields from or to the outside.
    Launch {
        /// The channel's name.
        name: String,
    },
    /// A channel to the outside belongs to no interface.
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

/// The channels of a memory port.
#[derive(Clone, Copy, Debug)]
struct MemoryChannels {
    ar: Channel,
    aw: Channel,
    w: Channel,
    r: Channel,
    b: Channel,
}

impl MemoryChannels {
    /// Those of the units that have them all towards the outside.
    fn of(circuit: &Circuit) -> Vec<MemoryChannels> {
        let units = circuit.units().values();
        units
            .filter_map(|unit| Self::of_unit(circuit, unit))
            .collect()
    }

    fn of_unit(circuit: &Circuit, unit: &UnitData) -> Option<MemoryChannels> {
        let outer = |name: &str, fields: Option<Fields>| {
            let inputs = unit.kind.inputs().into_iter().zip(&unit.inputs);
            let ports = inputs.chain(unit.kind.outputs().into_iter().zip(&unit.outputs));
            let mut outer = ports.filter(|(_, channel)| {
                let data = &circuit.channels()[**channel];
                matches!(data.from, End::Outside(_)) || matches!(data.to, End::Outside(_))
            });
            let (port, &channel) = outer.find(|(port, _)| port.name == name)?;
            let fits = fields.is_none_or(|fields| fields == port.fields);
            fits.then_some(channel)
        };
        let address = outer("ar", None).map(|ar| circuit.channels()[ar].fields.clone())?;
        let bits = address.widths().next()?;
        let address = Some(memory_port::address_fields(bits));
        Some(MemoryChannels {
            ar: outer("ar", address.clone())?,
            aw: outer("aw", address)?,
            w: outer("w", Some(memory_port::write_fields()))?,
            r: outer("r", Some(memory_port::read_fields()))?,
            b: outer("b", Some(Fields::NONE))?,
        })
    }

    fn contains(&self, channel: Channel) -> bool {
        [self.ar, self.aw, self.w, self.r, self.b].contains(&channel)
    }
}

/// Puts registers in place of the kernels' constants, starts and ends.
pub fn wrap(mut circuit: Circuit, kernels: Vec<KernelPorts>) -> Result<Shell, Unfit> {
    let memories = MemoryChannels::of(&circuit);
    check(&circuit, &kernels, &memories)?;
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
            .map(|&print| place(circuit.outputs(), print))
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

/// Refuses what would have ports that nobody knows, or a kernel that cannot be launched.
fn check(
    circuit: &Circuit,
    kernels: &[KernelPorts],
    memories: &[MemoryChannels],
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
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
}

/// A side of a circuit.
#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

fn add_registers(circuit: &mut Circuit, kernel: &KernelPorts, prefix: &str) -> Wired {
    circuit.release_input(kernel.start);
    circuit.release_output(kernel.done);
    let constants = circuit.constants();
    let widths = kernel.arguments.iter().map(|&it| constants[it].width);
    let registers = Registers::new(widths.collect());
    let mut channel = |port: Port, side: Side| {
        let name = format!("{prefix}registers_{}", port.name);
        let channel = circuit.add_channel(name, port.fields);
        match side {
            Side::Input => circuit.add_input(channel),
            Side::Output => circuit.add_output(channel),
        }
        channel
    };
    let mut inputs = Vec::new();
    for port in registers.inputs() {
        inputs.push(match port.name.as_str() {
            "done" => kernel.done,
            _ => channel(port, Side::Input),
        });
    }
    let mut outputs = Vec::new();
    for port in registers.outputs() {
        outputs.push(match port.name.as_str() {
            "start" => kernel.start,
            _ => channel(port, Side::Output),
        });
    }
    let unit = circuit.add_unit(UnitData {
        name: format!("{prefix}registers"),
        kind: Box::new(registers.clone()),
        lines: Vec::new(),
        inputs: inputs.clone(),
        outputs: outputs.clone(),
        constants: Vec::new(),
    });
    circuit.drive(unit, &kernel.arguments);
    Wired {
        registers,
        inputs,
        outputs,
    }
}

impl Wired {
    fn ports(&self, circuit: &Circuit) -> ControlPorts {
        let [aw, w, ar, fault] = [0, 1, 2, 3].map(|at| place(circuit.inputs(), self.inputs[at]));
        let [b, r, interrupt] = [0, 1, 2].map(|at| place(circuit.outputs(), self.outputs[at]));
        ControlPorts {
            aw,
            w,
            ar,
            fault,
            b,
            r,
            interrupt,
        }
    }
}

/// A channel's place among the channels of its side.
fn place(channels: &[Channel], channel: Channel) -> usize {
    let place = channels.iter().position(|&it| it == channel);
    place.expect("the channel goes to the outside")
}

impl MemoryChannels {
    fn ports(&self, circuit: &Circuit) -> dram::Ports {
        dram::Ports {
            ar: place(circuit.outputs(), self.ar),
            aw: place(circuit.outputs(), self.aw),
            w: place(circuit.outputs(), self.w),
            r: place(circuit.inputs(), self.r),
            b: place(circuit.inputs(), self.b),
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
