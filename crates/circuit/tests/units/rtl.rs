//! A circuit's Verilog under Verilator, with a model of its outside at the pins.

use std::path::Path;

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::emit;
use sluice_circuit::sim::Outside;
use sluice_verilator::{Design, Instance, Model, Port, PortId, Trace};

/// The Verilated circuit.
pub fn build(circuit: &Circuit) -> Model {
    let files = emit::emit(circuit);
    let sources: Vec<(&str, &str)> = files
        .iter()
        .map(|f| (f.name.as_str(), f.text.as_str()))
        .collect();
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
    let design = Design {
        top: &circuit.name,
        sources: &sources,
        parameters: &[],
        ports: &ports,
        trace: Trace::Off,
    };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    Model::build(&design, &cache).unwrap_or_else(|error| panic!("{}: {error}", circuit.name))
}

/// A channel's pins.
struct Pins {
    valid: PortId,
    ready: PortId,
    data: PortId,
    widths: Vec<u32>,
}

impl Pins {
    fn of(model: &Model, circuit: &Circuit, channel: Channel) -> Pins {
        let data = &circuit.channels()[channel];
        let port = |name: &str| model.port(name).expect("build declared it");
        Pins {
            valid: port(&format!("{}_valid", data.name)),
            ready: port(&format!("{}_ready", data.name)),
            data: port(&data.name),
            widths: data.fields.widths().collect(),
        }
    }

    fn write(&self, rtl: &mut Instance, token: &[u64]) {
        let bits: u32 = self.widths.iter().sum();
        let mut words = vec![0_u32; bits.max(1).div_ceil(32) as usize];
        let mut at = 0;
        for (&width, &value) in self.widths.iter().zip(token) {
            for bit in 0..width {
                words[((at + bit) / 32) as usize] |=
                    ((value >> bit & 1) as u32) << ((at + bit) % 32);
            }
            at += width;
        }
        match words[..] {
            [low] => rtl.set(self.data, low.into()),
            [low, high] => rtl.set(self.data, u64::from(high) << 32 | u64::from(low)),
            _ => rtl.set_words(self.data, &words),
        }
    }

    fn read(&self, rtl: &Instance) -> Vec<u64> {
        let bits: u32 = self.widths.iter().sum();
        let words = match bits {
            0..=64 => {
                let bits = rtl.get(self.data);
                vec![bits as u32, (bits >> 32) as u32]
            }
            _ => rtl.get_words(self.data),
        };
        let mut at = 0;
        let fields = self.widths.iter().map(|&width| {
            let bit =
                |bit: u32| u64::from(words[((at + bit) / 32) as usize] >> ((at + bit) % 32) & 1);
            let value = (0..width).map(|b| bit(b) << b).sum();
            at += width;
            value
        });
        fields.collect()
    }
}

/// Runs the Verilog with a model of its outside, as long as `goes_on` says, which is asked with the
/// number of each cycle.
pub fn run(
    model: &Model,
    circuit: &Circuit,
    outside: Box<dyn sluice_circuit::unit::Model>,
    constants: &[u64],
    goes_on: impl Fn(u64) -> bool,
) {
    let mut outside = Outside::new(circuit, outside);
    let pins = |channels: &[Channel]| -> Vec<Pins> {
        channels
            .iter()
            .map(|&channel| Pins::of(model, circuit, channel))
            .collect()
    };
    let (inputs, outputs) = (pins(circuit.inputs()), pins(circuit.outputs()));
    let mut rtl = model.instance();
    for ((_, wire), &value) in circuit.outer_constants().zip(constants) {
        rtl.set(model.port(&wire.name).expect("build declared it"), value);
    }
    let rst = model.port("rst").expect("build declared it");
    rtl.set(rst, 1);
    rtl.tick();
    rtl.tick();
    rtl.set(rst, 0);
    while goes_on(outside.cycle()) {
        for (index, pins) in inputs.iter().enumerate() {
            let (valid, token) = outside.drives(index);
            rtl.set(pins.valid, valid.into());
            pins.write(&mut rtl, token);
        }
        for (index, pins) in outputs.iter().enumerate() {
            rtl.set(pins.ready, outside.accepts(index).into());
        }
        rtl.eval();
        for (index, pins) in inputs.iter().enumerate() {
            outside.input_pins(index, rtl.get(pins.ready) == 1);
        }
        for (index, pins) in outputs.iter().enumerate() {
            let token = (rtl.get(pins.valid) == 1).then(|| pins.read(&rtl));
            outside.output_pins(index, token.as_deref());
        }
        rtl.tick();
        outside.edge();
    }
}
