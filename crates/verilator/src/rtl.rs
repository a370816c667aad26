//! A circuit's Verilog, built and run with a model of its environment at the pins. It must agree with
//! [`sluice_circuit::sim::Simulator`] cycle for cycle.

use std::path::Path;

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::sim::{Environment, Interface};
use sluice_circuit::unit;
use sluice_circuit::verilog::emit;

use crate::pins::{Boundary, Data, Pins};
use crate::{BuildError, Design, Effort, Instance, Model, Port, PortId, Trace};

/// The Verilated circuit.
pub struct Rtl {
    interface: Interface,
    model: Model,
    boundary: Boundary,
    constants: Vec<PortId>,
    rst: PortId,
    settling: u32,
}

impl Rtl {
    /// Builds a circuit's Verilog, or finds it in the cache directory.
    pub fn build(
        circuit: &Circuit,
        trace: Trace,
        effort: Effort,
        cache_dir: &Path,
    ) -> Result<Rtl, BuildError> {
        let files = emit(circuit);
        let sources: Vec<(&str, &str)> = files
            .iter()
            .map(|file| (file.name.as_str(), file.text.as_str()))
            .collect();
        let design = Design {
            top: &circuit.name,
            sources: &sources,
            parameters: &[],
            ports: &ports(circuit),
            trace,
            effort,
        };
        let model = Model::build(&design, cache_dir)?;
        let port = |name: &str| model.port(name).expect("`ports` declares it");
        let pins = |channels: &[Channel]| -> Vec<(usize, Pins)> {
            let pins = channels.iter().map(|&channel| pins(port, circuit, channel));
            pins.enumerate().collect()
        };
        let wires = circuit.outer_constants();
        Ok(Rtl {
            boundary: Boundary {
                inputs: pins(circuit.inputs()),
                outputs: pins(circuit.outputs()),
            },
            constants: wires.map(|(_, wire)| port(&wire.name)).collect(),
            rst: port("rst"),
            settling: circuit.settling(),
            interface: Interface::of(circuit),
            model,
        })
    }

    /// Resets a fresh copy, with these values of the constants that the environment drives.
    pub fn start(&self, environment: Box<dyn unit::Model>, constants: &[u64]) -> Run<'_> {
        self.start_instance(self.model.instance(), environment, constants)
    }

    /// As [`Self::start`]; waveforms go to a file. The circuit must be built with [`Trace::Vcd`].
    pub fn start_traced(
        &self,
        environment: Box<dyn unit::Model>,
        constants: &[u64],
        path: &Path,
    ) -> Run<'_> {
        let mut instance = self.model.instance();
        instance.trace(path);
        self.start_instance(instance, environment, constants)
    }

    fn start_instance(
        &self,
        mut instance: Instance,
        environment: Box<dyn unit::Model>,
        constants: &[u64],
    ) -> Run<'_> {
        for (&port, &value) in self.constants.iter().zip(constants) {
            instance.set(port, value);
        }
        instance.set(self.rst, 1);
        instance.tick();
        instance.tick();
        instance.set(self.rst, 0);
        for _ in 0..self.settling {
            instance.tick();
        }
        Run {
            rtl: self,
            instance,
            environment: Environment::with(&self.interface, environment),
            token: self.boundary.token(),
        }
    }
}

/// The pins of a channel: its fields side by side.
fn pins(port: impl Fn(&str) -> PortId, circuit: &Circuit, channel: Channel) -> Pins {
    let data = &circuit.channels()[channel];
    let widths = data.fields.widths().collect();
    Pins {
        valid: port(&format!("{}_valid", data.name)),
        ready: port(&format!("{}_ready", data.name)),
        data: vec![Data::new(port(&data.name), widths)],
    }
}

/// All ports of a circuit's module.
fn ports(circuit: &Circuit) -> Vec<Port> {
    let mut ports = vec![Port::input("clk", 1), Port::input("rst", 1)];
    for (_, wire) in circuit.outer_constants() {
        ports.push(Port::input(&wire.name, wire.width));
    }
    for &channel in circuit.inputs() {
        let data = &circuit.channels()[channel];
        ports.push(Port::input(format!("{}_valid", data.name), 1));
        ports.push(Port::output(format!("{}_ready", data.name), 1));
        ports.push(Port::input(&data.name, data.fields.bits().max(1)));
    }
    for &channel in circuit.outputs() {
        let data = &circuit.channels()[channel];
        ports.push(Port::output(format!("{}_valid", data.name), 1));
        ports.push(Port::input(format!("{}_ready", data.name), 1));
        ports.push(Port::output(&data.name, data.fields.bits().max(1)));
    }
    ports
}

/// A circuit's Verilog in execution.
pub struct Run<'a> {
    rtl: &'a Rtl,
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

    /// One clock cycle.
    pub fn step(&mut self) {
        let boundary = &self.rtl.boundary;
        boundary.settle(&mut self.instance, &mut self.environment, &mut self.token);
        self.instance.edge();
        self.environment.edge();
    }
}
