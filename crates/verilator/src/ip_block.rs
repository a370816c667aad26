//! The IP block that a [shell](sluice_circuit::shell) makes of a circuit, built and run with a model
//! of the host and of external memory at its AXI pins.

use std::path::Path;

use sluice_circuit::circuit::Channel;
use sluice_circuit::shell::Shell;
use sluice_circuit::sim::Environment;
use sluice_circuit::unit;

use crate::pins::{Boundary, Data, Pins};
use crate::{BuildError, Design, Direction, Effort, Instance, Model, Port, PortId, Trace};

/// The Verilated IP block.
pub struct IpBlock<'a> {
    shell: &'a Shell,
    model: Model,
    boundary: Boundary,
}

/// The response of the memory model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryAnswer {
    /// With OKAY.
    Okay,
    /// With SLVERR.
    Error,
}

/// A channel of a bus: the prefix of its ports' names, its index among the channels of its direction,
/// and the names of its data ports with the number of fields in each.
struct Bus {
    prefix: String,
    place: usize,
    data: Vec<(&'static str, usize)>,
    /// The bits of its data, if they are more than those of its fields.
    bits: Option<u32>,
}

/// The inputs and the outputs of a circuit that belong to a bus.
fn buses(shell: &Shell) -> [Vec<Bus>; 2] {
    let address = ("addr", 1);
    let [mut inputs, mut outputs] = [Vec::new(), Vec::new()];
    for control in &shell.kernels {
        let (ports, bus) = (control.ports, format!("{}_", control.slave_name()));
        inputs.extend([
            Bus::new(&bus, "aw", ports.aw, &[address]),
            Bus::new(&bus, "w", ports.w, &[("data", 1), ("strb", 1)]),
            Bus::new(&bus, "ar", ports.ar, &[address]),
        ]);
        outputs.extend([
            Bus::new(&bus, "b", ports.b, &[("resp", 1)]),
            Bus::new(&bus, "r", ports.r, &[("data", 1), ("resp", 1)]),
        ]);
        for (print, &place) in control.prints.iter().enumerate() {
            let channel = shell.circuit.outputs()[place];
            let fields = shell.circuit.channels()[channel].fields.len();
            let bus = format!("{}_", control.print_name(print));
            outputs.push(Bus {
                bits: Some(shell.print_bits(place)),
                ..Bus::new(&bus, "t", place, &[("data", fields)])
            });
        }
    }
    for (at, ports) in shell.memories.iter().enumerate() {
        let bus = format!("{}_", shell.memory_name(at));
        let line = ("data", 8);
        let burst = [address, ("len", 1)];
        let beat = [line, ("strb", 1), ("last", 1)];
        outputs.extend([
            Bus::new(&bus, "ar", ports.ar, &burst),
            Bus::new(&bus, "aw", ports.aw, &burst),
            Bus::new(&bus, "w", ports.w, &beat),
        ]);
        inputs.extend([
            Bus::new(&bus, "r", ports.r, &[line, ("last", 1)]),
            Bus::new(&bus, "b", ports.b, &[]),
        ]);
    }
    [inputs, outputs]
}

impl Bus {
    fn new(bus: &str, channel: &str, place: usize, data: &[(&'static str, usize)]) -> Bus {
        Bus {
            prefix: format!("{bus}{channel}"),
            place,
            data: data.to_vec(),
            bits: None,
        }
    }

    /// The names of the ports with fields, and the fields' widths.
    fn data(&self, shell: &Shell, channels: &[Channel]) -> Vec<(String, Vec<u32>)> {
        let mut widths = shell.circuit.channels()[channels[self.place]]
            .fields
            .widths();
        let data = self.data.iter().map(|(name, fields)| {
            let widths = widths.by_ref().take(*fields).collect();
            (format!("{}{name}", self.prefix), widths)
        });
        data.collect()
    }

    fn ports(&self, shell: &Shell, channels: &[Channel], forth: Direction) -> Vec<Port> {
        let back = match forth {
            Direction::Input => Direction::Output,
            Direction::Output => Direction::Input,
        };
        let port = |name: String, width: u32, direction: Direction| Port {
            name,
            width,
            direction,
        };
        let mut ports = vec![
            port(format!("{}valid", self.prefix), 1, forth),
            port(format!("{}ready", self.prefix), 1, back),
        ];
        for (name, widths) in self.data(shell, channels) {
            let bits = self.bits.unwrap_or_else(|| widths.iter().sum());
            ports.push(port(name, bits, forth));
        }
        ports
    }

    fn pins(&self, shell: &Shell, channels: &[Channel], model: &Model) -> (usize, Pins) {
        let port = |name: &str| model.port(name).expect("`ports` declares it");
        let data = self.data(shell, channels).into_iter();
        let pins = Pins {
            valid: port(&format!("{}valid", self.prefix)),
            ready: port(&format!("{}ready", self.prefix)),
            data: data
                .map(|(name, widths)| Data::new(port(&name), widths))
                .collect(),
        };
        (self.place, pins)
    }
}

/// All ports of the outermost module.
fn ports(shell: &Shell, [inputs, outputs]: &[Vec<Bus>; 2]) -> Vec<Port> {
    let mut ports = vec![Port::input("aclk", 1), Port::input("aresetn", 1)];
    for control in &shell.kernels {
        ports.push(Port::output(control.interrupt_name(), 1));
        let slave = control.slave_name();
        ports.extend(["aw", "ar"].map(|channel| Port::input(format!("{slave}_{channel}prot"), 3)));
    }
    for bus in inputs {
        ports.extend(bus.ports(shell, shell.circuit.inputs(), Direction::Input));
    }
    for bus in outputs {
        ports.extend(bus.ports(shell, shell.circuit.outputs(), Direction::Output));
    }
    for at in 0..shell.memories.len() {
        let bus = shell.memory_name(at);
        ports.extend(["r", "b"].map(|channel| Port::input(format!("{bus}_{channel}resp"), 2)));
        for channel in ["ar", "aw"] {
            let fixed = [
                ("size", 3),
                ("burst", 2),
                ("lock", 1),
                ("cache", 4),
                ("prot", 3),
                ("qos", 4),
            ];
            let port = |(signal, width)| Port::output(format!("{bus}_{channel}{signal}"), width);
            ports.extend(fixed.map(port));
        }
    }
    ports
}

impl<'a> IpBlock<'a> {
    /// Builds a shell's Verilog, or finds it in the cache directory.
    pub fn build(
        shell: &'a Shell,
        effort: Effort,
        cache_dir: &Path,
    ) -> Result<IpBlock<'a>, BuildError> {
        let files = shell.emit();
        let sources: Vec<(&str, &str)> = files
            .iter()
            .map(|file| (file.name.as_str(), file.text.as_str()))
            .collect();
        let buses = buses(shell);
        let design = Design {
            top: &shell.module_name(),
            sources: &sources,
            parameters: &[],
            ports: &ports(shell, &buses),
            trace: Trace::Off,
            effort,
        };
        let model = Model::build(&design, cache_dir)?;
        let sides = [shell.circuit.inputs(), shell.circuit.outputs()];
        let mut sides = buses.iter().zip(sides).map(|(buses, channels)| {
            let pins = buses.iter().map(|bus| bus.pins(shell, channels, &model));
            pins.collect()
        });
        let mut side = || sides.next().expect("there are two");
        Ok(IpBlock {
            boundary: Boundary {
                inputs: side(),
                outputs: side(),
            },
            shell,
            model,
        })
    }

    /// The port of the outermost module of that name.
    pub fn port(&self, name: &str) -> Option<PortId> {
        self.model.port(name)
    }

    /// Resets a fresh copy.
    pub fn start(&self, environment: Box<dyn unit::Model>, memory: MemoryAnswer) -> Run<'_> {
        let port = |name: &str| self.port(name).expect("`ports` declares it");
        let mut instance = self.model.instance();
        let answer = match memory {
            MemoryAnswer::Okay => 0,
            MemoryAnswer::Error => 2,
        };
        for at in 0..self.shell.memories.len() {
            for channel in ["r", "b"] {
                let name = format!("{}_{channel}resp", self.shell.memory_name(at));
                instance.set(port(&name), answer);
            }
        }
        let mut run = Run {
            block: self,
            clock: port("aclk"),
            instance,
            environment: Environment::new(&self.shell.circuit, environment),
            token: self.boundary.token(),
        };
        run.instance.set(port("aresetn"), 0);
        run.clock();
        run.clock();
        run.instance.set(port("aresetn"), 1);
        for _ in 0..self.shell.circuit.settling() {
            run.clock();
        }
        run
    }
}

/// An IP block's Verilog in execution.
pub struct Run<'a> {
    block: &'a IpBlock<'a>,
    clock: PortId,
    instance: Instance,
    environment: Environment,
    /// Buffer for a token that is transferred between the pins and the environment.
    token: Vec<u64>,
}

impl Run<'_> {
    /// The number of the cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.environment.cycle()
    }

    /// The outermost module's ports.
    pub fn pins(&self) -> &Instance {
        &self.instance
    }

    /// The first part of a cycle: each side drives its pins.
    pub fn settle(&mut self) {
        let boundary = &self.block.boundary;
        boundary.settle(&mut self.instance, &mut self.environment, &mut self.token);
    }

    /// The clock edge that ends a cycle whose pins have been settled.
    pub fn edge(&mut self) {
        self.clock();
        self.environment.edge();
    }

    fn clock(&mut self) {
        for level in [1, 0] {
            self.instance.set(self.clock, level);
            self.instance.eval();
        }
    }
}
