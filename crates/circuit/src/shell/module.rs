//! The outermost module of an IP block.

use super::{Control, Direction, ModulePort, Shell};
use crate::circuit::Channel;
use crate::verilog::{File, channel_connections, concatenate, emit, port_range};
use Direction::{Input, Output};

impl Shell {
    /// The files of the IP block: first the outermost module's.
    pub fn emit(&self) -> Vec<File> {
        let mut files = emit(&self.circuit);
        let outermost = File {
            name: format!("{}.v", self.module_name()),
            text: self.text(),
        };
        files.insert(0, outermost);
        files
    }

    /// The ports of the outermost module, the clock and the reset first.
    pub fn ports(&self) -> Vec<ModulePort> {
        self.module().ports
    }

    fn module(&self) -> Text {
        let port = |name: &str| ModulePort::new(Input, name, 1);
        let mut module = Text {
            ports: vec![port(Shell::CLOCK), port(Shell::RESET)],
            connections: vec![".clk(aclk), .rst(!aresetn)".into()],
            unread: vec!["1'b0".into()],
            ..Text::default()
        };
        for (at, control) in self.kernels.iter().enumerate() {
            self.control_text(at, control, &mut module);
        }
        for memory in 0..self.memories.len() {
            self.memory_text(memory, &mut module);
        }
        for control in &self.kernels {
            for print in 0..control.prints.len() {
                self.print_text(control, print, &mut module);
            }
        }
        module
    }

    fn text(&self) -> String {
        let module = self.module();
        let ports: Vec<String> = module.ports.iter().map(declaration).collect();
        let faults = match module.faults.is_empty() {
            true => "1'b0".into(),
            false => module.faults.join("\n        || "),
        };
        format!(
            "`default_nettype none\n\nmodule {} (\n    {}\n);\n\
             {}    wire fails = {faults};\n\
             \x20   wire unused = &{{{}}};\n\n\
             {}    {} {} (\n        {}\n    );\nendmodule\n\n`default_nettype wire\n",
            self.module_name(),
            ports.join(",\n    "),
            module.assigns,
            module.unread.join(", "),
            module.clocked,
            self.circuit.name,
            Shell::INSTANCE,
            module.connections.join(",\n        "),
        )
    }

    /// A kernel's slave, and what of it belongs to no bus.
    fn control_text(&self, at: usize, control: &Control, module: &mut Text) {
        let (inputs, outputs) = (self.circuit.inputs(), self.circuit.outputs());
        let name = |channel: Channel| self.circuit.channels()[channel].name.as_str();
        let bits = control.registers.address_bits;
        let (ports, bus) = (&control.ports, control.slave_name());
        let (address, word) = ([("addr", bits)], ("data", 32));
        let irq = control.interrupt_name();
        module.ports.push(ModulePort::new(Output, &irq, 1));
        module.input(name(inputs[ports.aw]), &bus, "aw", &address);
        module.input(name(inputs[ports.w]), &bus, "w", &[word, ("strb", 4)]);
        module.output(name(outputs[ports.b]), &bus, "b", &[("resp", 2)]);
        module.input(name(inputs[ports.ar]), &bus, "ar", &address);
        module.output(name(outputs[ports.r]), &bus, "r", &[word, ("resp", 2)]);
        for port in ["awprot", "arprot"] {
            module.unread(&bus, port, 3, "");
        }
        let fault = name(inputs[ports.fault]);
        let interrupt = name(outputs[ports.interrupt]);
        module.connections.extend([
            channel_connections(
                fault,
                [&format!("fault_{at}"), &format!("fault_ready_{at}"), "1'b0"],
            ),
            channel_connections(
                interrupt,
                [
                    &format!("interrupt_valid_{at}"),
                    "1'b1",
                    &format!("next_level_{at}"),
                ],
            ),
        ]);
        module.clocked += &format!(
            "    reg  fault_{at}, level_{at};\n\
             \x20   wire fault_ready_{at}, interrupt_valid_{at}, next_level_{at};\n\
             \x20   assign {irq} = level_{at};\n\
             \x20   always @(posedge aclk)\n        if (!aresetn) begin\n\
             \x20           fault_{at} <= 1'b0;\n            level_{at} <= 1'b0;\n\
             \x20       end else begin\n\
             \x20           fault_{at} <= fails || (fault_{at} && !fault_ready_{at});\n\
             \x20           if (interrupt_valid_{at})\n\
             \x20               level_{at} <= next_level_{at};\n        end\n\n"
        );
    }

    /// A stream of a print's arguments.
    fn print_text(&self, control: &Control, print: usize, module: &mut Text) {
        let place = control.prints[print];
        let data = &self.circuit.channels()[self.circuit.outputs()[place]];
        let (channel, bus) = (&data.name, control.print_name(print));
        let (bits, used) = (self.print_bits(place), data.fields.bits());
        module.ports.extend([
            ModulePort::new(Output, format!("{bus}_tvalid"), 1),
            ModulePort::new(Input, format!("{bus}_tready"), 1),
            ModulePort::new(Output, format!("{bus}_tdata"), bits),
        ]);
        let token = match used {
            // The channel has a bit that means nothing.
            0 => {
                let token = format!("{bus}_nothing");
                module.assigns += &format!("    wire {token};\n");
                module.unread.push(token.clone());
                token
            }
            _ => format!("{bus}_tdata[{}:0]", used - 1),
        };
        if used < bits {
            let zeros = bits - used;
            module.assigns += &format!(
                "    assign {bus}_tdata[{}:{used}] = {zeros}'d0;\n",
                bits - 1
            );
        }
        let (valid, ready) = (format!("{bus}_tvalid"), format!("{bus}_tready"));
        let connections = channel_connections(channel, [&valid, &ready, &token]);
        module.connections.push(connections);
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
            // Beats of a line, at rising addresses; bufferable.
            for (signal, width, value) in [
                ("size", 3, ports.line.trailing_zeros()),
                ("burst", 2, 1),
                ("lock", 1, 0),
                ("cache", 4, 3),
                ("prot", 3, 0),
                ("qos", 4, 0),
            ] {
                module.fixed(&format!("{bus}_{port}{signal}"), width, value);
            }
        }
        let beat = [("data", 8 * ports.line), ("strb", ports.line), ("last", 1)];
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
    ports: Vec<ModulePort>,
    connections: Vec<String>,
    assigns: String,
    /// What has registers.
    clocked: String,
    /// Conditions under which memory has answered with an error.
    faults: Vec<String>,
    /// Signals that are not read, by intention.
    unread: Vec<String>,
}

/// A port's declaration.
fn declaration(port: &ModulePort) -> String {
    let direction = match port.direction {
        Input => "input ",
        Output => "output",
    };
    format!("{direction} wire {}{}", port_range(port.width), port.name)
}

impl Text {
    fn port(&mut self, direction: Direction, name: String, width: u32) {
        self.ports.push(ModulePort::new(direction, name, width));
    }

    /// A channel to the circuit's input; its fields, lowest first, are ports of their own.
    fn input(&mut self, channel: &str, bus: &str, port: &str, fields: &[(&str, u32)]) {
        self.handshake(channel, bus, port, [Input, Output], fields);
    }

    /// A channel from the circuit's output.
    fn output(&mut self, channel: &str, bus: &str, port: &str, fields: &[(&str, u32)]) {
        self.handshake(channel, bus, port, [Output, Input], fields);
    }

    fn handshake(
        &mut self,
        channel: &str,
        bus: &str,
        port: &str,
        [forth, back]: [Direction; 2],
        fields: &[(&str, u32)],
    ) {
        let port = format!("{bus}_{port}");
        self.port(forth, format!("{port}valid"), 1);
        self.port(back, format!("{port}ready"), 1);
        for &(field, width) in fields {
            self.port(forth, format!("{port}{field}"), width);
        }
        let parts = fields.iter().map(|(field, _)| format!("{port}{field}"));
        let token = concatenate(parts);
        let (valid, ready) = (format!("{port}valid"), format!("{port}ready"));
        let connections = channel_connections(channel, [&valid, &ready, &token]);
        self.connections.push(connections);
    }

    /// An output that never changes.
    fn fixed(&mut self, name: &str, width: u32, value: u32) {
        self.port(Output, name.into(), width);
        self.assigns
            .push_str(&format!("    assign {name} = {width}'d{value};\n"));
    }

    /// An input of which `part` is not read.
    fn unread(&mut self, bus: &str, name: &str, width: u32, part: &str) {
        self.port(Input, format!("{bus}_{name}"), width);
        self.unread.push(format!("{bus}_{name}{part}"));
    }
}
