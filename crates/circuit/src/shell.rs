//! The shell around a kernel's circuit: an IP block with an AXI4-Lite slave to control it and an
//! AXI4 master per memory port, and nothing else.
//!
//! [`wrap`] puts the [registers](crate::units::registers) in place of the circuit's start, end and
//! constants; the result is a circuit like any other. [`Shell::emit`] adds the module `NAME_axi`,
//! which has the ports that integrators and their tools expect: `aclk`, `aresetn` (active low,
//! synchronous), `irq`, `s_axi_control_*` and `m_axi_mem_*` (`m_axi_mem0_*`, ... if there are
//! several). Transfers to memory are bursts of one beat of 64 bytes, without identifiers, so that
//! answers come in order. An error that memory answers becomes the *fault* of the registers.

use std::fmt;

use crate::circuit::{Channel, Circuit, Constant, End, UnitData};
use crate::dram;
use crate::emit::{self, File};
use crate::ports::range;
use crate::unit::{Fields, Port, UnitKind};
use crate::units::memory_port;
use crate::units::registers::Registers;

/// A circuit with registers.
#[derive(Debug)]
pub struct Shell {
    /// The circuit: its outside is the host and external memory.
    pub circuit: Circuit,
    /// The host's ports.
    pub control: ControlPorts,
    /// The ports of each memory.
    pub memories: Vec<dram::Ports>,
    /// What the registers are; argument `i` is the `i`th of the constants that the circuit had.
    pub registers: Registers,
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
    /// It has no input that starts a launch.
    NoStart,
    /// It has no output that ends a launch.
    NoDone,
    /// It has no constants: nothing says what a launch is.
    NoArguments,
    /// A channel to the outside belongs to no interface.
    Channel {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoStart => f.write_str("the circuit has no input that starts a launch"),
            Unfit::NoDone => f.write_str("the circuit has no output that ends a launch"),
            Unfit::NoArguments => f.write_str("the circuit has no arguments"),
            Unfit::Channel { name } => {
                write!(f, "the channel {name} belongs to no AXI4 interface")
            }
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

/// A side of a circuit.
#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

/// The one of the outer channels that is no memory's.
fn launch_channel(
    circuit: &Circuit,
    outer: &[Channel],
    memories: &[MemoryChannels],
    missing: Unfit,
) -> Result<Channel, Unfit> {
    let is_memory = |channel: Channel| memories.iter().any(|memory| memory.contains(channel));
    let mut others = outer.iter().copied().filter(|&it| !is_memory(it));
    let strange = |channel: Channel| Unfit::Channel {
        name: circuit.channels()[channel].name.clone(),
    };
    let channel = others.next().ok_or(missing)?;
    if !circuit.channels()[channel].fields.is_empty() {
        return Err(strange(channel));
    }
    match others.next() {
        Some(second) => Err(strange(second)),
        None => Ok(channel),
    }
}

/// Puts registers in place of a circuit's constants, its start and its end: the one input and the
/// one output without fields that are no memory's.
pub fn wrap(mut circuit: Circuit) -> Result<Shell, Unfit> {
    let memories = MemoryChannels::of(&circuit);
    let start = launch_channel(&circuit, circuit.inputs(), &memories, Unfit::NoStart)?;
    let done = launch_channel(&circuit, circuit.outputs(), &memories, Unfit::NoDone)?;
    let arguments: Vec<(Constant, u32)> = circuit
        .outer_constants()
        .map(|(constant, wire)| (constant, wire.width))
        .collect();
    if arguments.is_empty() {
        return Err(Unfit::NoArguments);
    }
    circuit.release_input(start);
    circuit.release_output(done);
    let registers = Registers::new(arguments.iter().map(|&(_, width)| width).collect());
    let mut channel = |port: Port, side: Side| {
        let channel = circuit.add_channel(format!("registers_{}", port.name), port.fields);
        match side {
            Side::Input => circuit.add_input(channel),
            Side::Output => circuit.add_output(channel),
        }
        channel
    };
    let mut inputs = Vec::new();
    for port in registers.inputs() {
        inputs.push(match port.name.as_str() {
            "done" => done,
            _ => channel(port, Side::Input),
        });
    }
    let mut outputs = Vec::new();
    for port in registers.outputs() {
        outputs.push(match port.name.as_str() {
            "start" => start,
            _ => channel(port, Side::Output),
        });
    }
    let unit = circuit.add_unit(UnitData {
        name: "registers".into(),
        kind: Box::new(registers.clone()),
        lines: Vec::new(),
        inputs: inputs.clone(),
        outputs: outputs.clone(),
        constants: Vec::new(),
    });
    let constants: Vec<Constant> = arguments.iter().map(|&(constant, _)| constant).collect();
    circuit.drive(unit, &constants);
    Ok(Shell {
        control: control_ports(&circuit, &inputs, &outputs),
        memories: memories.iter().map(|it| it.ports(&circuit)).collect(),
        circuit,
        registers,
    })
}

/// A channel's place among the channels of its side.
fn place(channels: &[Channel], channel: Channel) -> usize {
    let place = channels.iter().position(|&it| it == channel);
    place.expect("the channel goes to the outside")
}

fn control_ports(circuit: &Circuit, inputs: &[Channel], outputs: &[Channel]) -> ControlPorts {
    let [aw, w, ar, fault] = [0, 1, 2, 3].map(|at| place(circuit.inputs(), inputs[at]));
    let [b, r, interrupt] = [0, 1, 2].map(|at| place(circuit.outputs(), outputs[at]));
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

    /// The files of the IP block: first the outermost module's.
    pub fn emit(&self) -> Vec<File> {
        let mut files = emit::emit(&self.circuit);
        let outermost = File {
            name: format!("{}.v", self.module_name()),
            text: self.text(),
        };
        files.insert(0, outermost);
        files
    }

    fn text(&self) -> String {
        let ports = ["input  wire aclk", "input  wire aresetn", "output wire irq"];
        let mut module = Text {
            ports: ports.map(String::from).to_vec(),
            connections: vec![".clk(aclk), .rst(!aresetn)".into()],
            unread: vec!["1'b0".into()],
            ..Text::default()
        };
        self.control_text(&mut module);
        for memory in 0..self.memories.len() {
            self.memory_text(memory, &mut module);
        }
        let faults = match module.faults.is_empty() {
            true => "1'b0".into(),
            false => module.faults.join("\n        || "),
        };
        format!(
            "`default_nettype none\n\nmodule {} (\n    {}\n);\n\
             {}    reg  fault, level;\n    wire fault_ready, interrupt_valid, next_level;\n\
             \x20   wire fails = {faults};\n    assign irq = level;\n\
             \x20   wire unused = &{{{}}};\n\n\
             \x20   always @(posedge aclk)\n        if (!aresetn) begin\n\
             \x20           fault <= 1'b0;\n            level <= 1'b0;\n        end else begin\n\
             \x20           fault <= fails || (fault && !fault_ready);\n\
             \x20           if (interrupt_valid)\n                level <= next_level;\n\
             \x20       end\n\n\
             \x20   {} circuit (\n        {}\n    );\nendmodule\n\n`default_nettype wire\n",
            self.module_name(),
            module.ports.join(",\n    "),
            module.assigns,
            module.unread.join(", "),
            self.circuit.name,
            module.connections.join(",\n        "),
        )
    }

    /// The slave, and what belongs to no bus.
    fn control_text(&self, module: &mut Text) {
        let (inputs, outputs) = (self.circuit.inputs(), self.circuit.outputs());
        let name = |channel: Channel| self.circuit.channels()[channel].name.as_str();
        let bits = self.registers.address_bits;
        let control = &self.control;
        let bus = "s_axi_control";
        module.input(name(inputs[control.aw]), bus, "aw", &[("addr", bits)]);
        module.input(
            name(inputs[control.w]),
            bus,
            "w",
            &[("data", 32), ("strb", 4)],
        );
        module.output(name(outputs[control.b]), bus, "b", &[("resp", 2)]);
        module.input(name(inputs[control.ar]), bus, "ar", &[("addr", bits)]);
        module.output(
            name(outputs[control.r]),
            bus,
            "r",
            &[("data", 32), ("resp", 2)],
        );
        for port in ["awprot", "arprot"] {
            module.unread(bus, port, 3, "");
        }
        let fault = name(inputs[control.fault]);
        let interrupt = name(outputs[control.interrupt]);
        module.connections.extend([
            format!(".{fault}_valid(fault), .{fault}_ready(fault_ready), .{fault}(1'b0)"),
            format!(
                ".{interrupt}_valid(interrupt_valid), .{interrupt}_ready(1'b1), \
                 .{interrupt}(next_level)"
            ),
        ]);
    }

    /// A master.
    fn memory_text(&self, memory: usize, module: &mut Text) {
        let (inputs, outputs) = (self.circuit.inputs(), self.circuit.outputs());
        let name = |channel: Channel| self.circuit.channels()[channel].name.as_str();
        let ports = &self.memories[memory];
        let address = &self.circuit.channels()[outputs[ports.ar]].fields;
        let bits = address.widths().next().expect("a memory has addresses");
        let bus = self.memory_name(memory);
        for (port, channel) in [("ar", ports.ar), ("aw", ports.aw)] {
            module.output(
                name(outputs[channel]),
                &bus,
                port,
                &[("addr", bits), ("len", 8)],
            );
            // Beats of 64 bytes, at rising addresses; bufferable.
            for (signal, width, value) in [
                ("size", 3, 6),
                ("burst", 2, 1),
                ("lock", 1, 0),
                ("cache", 4, 3),
                ("prot", 3, 0),
                ("qos", 4, 0),
            ] {
                module.fixed(&format!("{bus}_{port}{signal}"), width, value);
            }
        }
        let beat = [("data", 512), ("strb", 64), ("last", 1)];
        module.output(name(outputs[ports.w]), &bus, "w", &beat);
        module.input(name(inputs[ports.r]), &bus, "r", &[beat[0], beat[2]]);
        module.input(name(inputs[ports.b]), &bus, "b", &[]);
        for port in ["r", "b"] {
            // The upper bit says that something went wrong.
            module.unread(&bus, &format!("{port}resp"), 2, "[0]");
            let passes = format!("{bus}_{port}valid && {bus}_{port}ready");
            module
                .faults
                .push(format!("({passes} && {bus}_{port}resp[1])"));
        }
    }
}

/// The outermost module in the making.
#[derive(Default)]
struct Text {
    ports: Vec<String>,
    connections: Vec<String>,
    assigns: String,
    /// Conditions under which memory has answered with an error.
    faults: Vec<String>,
    /// What nobody reads, by intention.
    unread: Vec<String>,
}

impl Text {
    /// A channel to the circuit's input; its fields, lowest first, are ports of their own.
    fn input(&mut self, channel: &str, bus: &str, port: &str, fields: &[(&str, u32)]) {
        self.handshake(channel, bus, port, ["input ", "output"], fields);
    }

    /// A channel from the circuit's output.
    fn output(&mut self, channel: &str, bus: &str, port: &str, fields: &[(&str, u32)]) {
        self.handshake(channel, bus, port, ["output", "input "], fields);
    }

    fn handshake(
        &mut self,
        channel: &str,
        bus: &str,
        port: &str,
        [forth, back]: [&str; 2],
        fields: &[(&str, u32)],
    ) {
        let port = format!("{bus}_{port}");
        self.ports.push(format!("{forth} wire {port}valid"));
        self.ports.push(format!("{back} wire {port}ready"));
        for (field, width) in fields {
            let range = port_range(*width);
            self.ports
                .push(format!("{forth} wire {range}{port}{field}"));
        }
        let parts = fields.iter().map(|(field, _)| format!("{port}{field}"));
        let token = crate::wrapper::concatenate(parts);
        self.connections.push(format!(
            ".{channel}_valid({port}valid), .{channel}_ready({port}ready), .{channel}({token})"
        ));
    }

    /// An output that never changes.
    fn fixed(&mut self, name: &str, width: u32, value: u32) {
        self.ports
            .push(format!("output wire {}{name}", port_range(width)));
        self.assigns
            .push_str(&format!("    assign {name} = {width}'d{value};\n"));
    }

    /// An input of which nobody reads `part`.
    fn unread(&mut self, bus: &str, name: &str, width: u32, part: &str) {
        self.ports
            .push(format!("input  wire {} {bus}_{name}", range(width)));
        self.unread.push(format!("{bus}_{name}{part}"));
    }
}

/// The range of a port as others declare it: none for a single bit.
fn port_range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!("{} ", range(width)),
    }
}
