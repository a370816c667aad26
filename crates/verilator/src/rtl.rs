//! A circuit's Verilog, built and run with a model of its outside at the pins: the other opinion to
//! [`sluice_circuit::sim::Simulator`], cycle for cycle.

use std::path::Path;

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::emit::emit;
use sluice_circuit::sim::Outside;
use sluice_circuit::unit;

use crate::{BuildError, Design, Effort, Instance, Model, Port, PortId, Trace};

/// The Verilated circuit.
pub struct Rtl<'a> {
    circuit: &'a Circuit,
    model: Model,
    inputs: Vec<Pins>,
    outputs: Vec<Pins>,
    constants: Vec<PortId>,
    rst: PortId,
}

impl<'a> Rtl<'a> {
    /// Builds a circuit's Verilog, or finds it in the cache directory.
    pub fn build(
        circuit: &'a Circuit,
        trace: Trace,
        effort: Effort,
        cache_dir: &Path,
    ) -> Result<Rtl<'a>, BuildError> {
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
        let pins = |channels: &[Channel]| -> Vec<Pins> {
            let pins = |&channel| Pins::of(port, circuit, channel);
            channels.iter().map(pins).collect()
        };
        let wires = circuit.outer_constants();
        Ok(Rtl {
            inputs: pins(circuit.inputs()),
            outputs: pins(circuit.outputs()),
            constants: wires.map(|(_, wire)| port(&wire.name)).collect(),
            rst: port("rst"),
            circuit,
            model,
        })
    }

    /// Resets a fresh copy, with these values of the constants that the outside drives.
    pub fn start(&self, outside: Box<dyn unit::Model>, constants: &[u64]) -> Run<'_> {
        self.start_instance(self.model.instance(), outside, constants)
    }

    /// As [`Self::start`]; waveforms go to a file. The circuit must be built with [`Trace::Vcd`].
    pub fn start_traced(
        &self,
        outside: Box<dyn unit::Model>,
        constants: &[u64],
        path: &Path,
    ) -> Run<'_> {
        let mut instance = self.model.instance();
        instance.trace(path);
        self.start_instance(instance, outside, constants)
    }

    fn start_instance(
        &self,
        mut instance: Instance,
        outside: Box<dyn unit::Model>,
        constants: &[u64],
    ) -> Run<'_> {
        for (&port, &value) in self.constants.iter().zip(constants) {
            instance.set(port, value);
        }
        instance.set(self.rst, 1);
        instance.tick();
        instance.tick();
        instance.set(self.rst, 0);
        let widest = self.inputs.iter().chain(&self.outputs);
        let widest = widest.map(|pins| pins.widths.len()).max().unwrap_or(0);
        Run {
            rtl: self,
            instance,
            outside: Outside::new(self.circuit, outside),
            token: vec![0; widest],
        }
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
    rtl: &'a Rtl<'a>,
    instance: Instance,
    outside: Outside,
    /// A token on its way between the pins and the outside.
    token: Vec<u64>,
}

impl Run<'_> {
    /// The number of the cycle that comes next.
    pub fn cycle(&self) -> u64 {
        self.outside.cycle()
    }

    /// One clock cycle.
    pub fn step(&mut self) {
        for (index, pins) in self.rtl.inputs.iter().enumerate() {
            let (valid, token) = self.outside.drives(index);
            self.instance.set(pins.valid, valid.into());
            pins.write(&mut self.instance, token);
        }
        for (index, pins) in self.rtl.outputs.iter().enumerate() {
            let accepts = self.outside.accepts(index);
            self.instance.set(pins.ready, accepts.into());
        }
        self.instance.eval();
        for (index, pins) in self.rtl.inputs.iter().enumerate() {
            let ready = self.instance.get(pins.ready) == 1;
            self.outside.input_pins(index, ready);
        }
        for (index, pins) in self.rtl.outputs.iter().enumerate() {
            let token = &mut self.token[..pins.widths.len()];
            let valid = self.instance.get(pins.valid) == 1;
            if valid {
                pins.read(&self.instance, token);
            }
            self.outside.output_pins(index, valid.then_some(&*token));
        }
        self.instance.edge();
        self.outside.edge();
    }
}

/// A channel's pins.
struct Pins {
    valid: PortId,
    ready: PortId,
    data: PortId,
    widths: Vec<u32>,
    bits: u32,
}

impl Pins {
    fn of(port: impl Fn(&str) -> PortId, circuit: &Circuit, channel: Channel) -> Pins {
        let data = &circuit.channels()[channel];
        Pins {
            valid: port(&format!("{}_valid", data.name)),
            ready: port(&format!("{}_ready", data.name)),
            data: port(&data.name),
            widths: data.fields.widths().collect(),
            bits: data.fields.bits(),
        }
    }

    /// Drives the fields, side by side.
    fn write(&self, instance: &mut Instance, token: &[u64]) {
        if self.bits <= 64 {
            let mut bits = 0;
            let mut at = 0;
            for (&width, &value) in self.widths.iter().zip(token) {
                bits |= value << at;
                at += width;
            }
            return instance.set(self.data, bits);
        }
        let mut words = vec![0_u32; self.bits.div_ceil(32) as usize];
        let mut at = 0;
        for (&width, &value) in self.widths.iter().zip(token) {
            let shifted = u128::from(value) << (at % 32);
            let parts = (0..4).map(|part| (shifted >> (32 * part)) as u32);
            for (word, part) in words[(at / 32) as usize..].iter_mut().zip(parts) {
                *word |= part;
            }
            at += width;
        }
        instance.set_words(self.data, &words);
    }

    /// Reads the fields apart.
    fn read(&self, instance: &Instance, token: &mut [u64]) {
        let words = match self.bits {
            0..=64 => {
                let bits = instance.get(self.data);
                vec![bits as u32, (bits >> 32) as u32]
            }
            _ => instance.get_words(self.data),
        };
        let mut at = 0;
        for (&width, value) in self.widths.iter().zip(token) {
            let parts = words[(at / 32) as usize..].iter().take(3).enumerate();
            let wide = parts.fold(0_u128, |wide, (part, &word)| {
                wide | u128::from(word) << (32 * part)
            });
            *value = (wide >> (at % 32)) as u64 & (u64::MAX >> (64 - width));
            at += width;
        }
    }
}
