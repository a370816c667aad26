//! A circuit's Verilog under Verilator, with waveforms. All channels at its outside have at most 64
//! bits.

use std::path::Path;

use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::emit;
use sluice_circuit::sim::Outside;
use sluice_circuit::unit::{Fields, Model as UnitModel};
use sluice_verilator::{Design, Model, Port, PortId, Trace};

/// Evaluations before the first cycle, and in each: the waveforms' time counts them. In the second
/// of a cycle all pins are settled.
const RESET: u64 = 6;
const PER_CYCLE: u64 = 4;

/// The time in the waveforms at which the pins of a cycle are to be seen.
pub fn time(cycle: u64) -> u64 {
    RESET + PER_CYCLE * cycle + 1
}

fn build(circuit: &Circuit) -> Model {
    let files = emit::emit(circuit);
    let sources: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.name.as_str(), file.text.as_str()))
        .collect();
    let mut ports = vec![Port::input("clk", 1), Port::input("rst", 1)];
    let width = |channel: Channel| circuit.channels()[channel].fields.bits().max(1);
    let name = |channel: Channel| &circuit.channels()[channel].name;
    for &channel in circuit.inputs() {
        ports.push(Port::input(format!("{}_valid", name(channel)), 1));
        ports.push(Port::output(format!("{}_ready", name(channel)), 1));
        ports.push(Port::input(name(channel), width(channel)));
    }
    for &channel in circuit.outputs() {
        ports.push(Port::output(format!("{}_valid", name(channel)), 1));
        ports.push(Port::input(format!("{}_ready", name(channel)), 1));
        ports.push(Port::output(name(channel), width(channel)));
    }
    let design = Design {
        top: &circuit.name,
        sources: &sources,
        parameters: &[],
        ports: &ports,
        trace: Trace::Vcd,
    };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    Model::build(&design, &cache).unwrap_or_else(|error| panic!("{}: {error}", circuit.name))
}

fn pack(fields: &Fields, token: &[u64]) -> u64 {
    let fields = fields.widths().zip(token);
    let packed = fields.fold((0, 0), |(bits, at), (width, value)| {
        (bits | value << at, at + width)
    });
    packed.0
}

fn unpack(fields: &Fields, mut bits: u64) -> Vec<u64> {
    let fields = fields.widths().map(|width| {
        let value = bits & (u64::MAX >> (64 - width));
        bits = bits.checked_shr(width).unwrap_or(0);
        value
    });
    fields.collect()
}

/// Runs the Verilog for some cycles; gives its waveforms.
pub fn run(circuit: &Circuit, outside: Box<dyn UnitModel>, cycles: u64) -> String {
    let model = build(circuit);
    let pins = |channel: Channel| -> ([PortId; 3], &Fields) {
        let data = &circuit.channels()[channel];
        let port = |name: String| model.port(&name).expect("it was declared");
        let valid = port(format!("{}_valid", data.name));
        let ready = port(format!("{}_ready", data.name));
        ([valid, ready, port(data.name.clone())], &data.fields)
    };
    let inputs: Vec<_> = circuit.inputs().iter().map(|&it| pins(it)).collect();
    let outputs: Vec<_> = circuit.outputs().iter().map(|&it| pins(it)).collect();
    let mut outside = Outside::new(circuit, outside);
    let mut rtl = model.instance();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.vcd", circuit.name));
    rtl.trace(&path);
    let rst = model.port("rst").expect("it was declared");
    rtl.set(rst, 1);
    rtl.tick();
    rtl.tick();
    rtl.set(rst, 0);
    while outside.cycle() < cycles {
        for (index, ([valid, _, data], fields)) in inputs.iter().enumerate() {
            let (is_valid, token) = outside.drives(index);
            rtl.set(*valid, is_valid.into());
            rtl.set(*data, pack(fields, token));
        }
        for (index, ([_, ready, _], _)) in outputs.iter().enumerate() {
            rtl.set(*ready, outside.accepts(index).into());
        }
        rtl.eval();
        for (index, ([_, ready, _], _)) in inputs.iter().enumerate() {
            outside.input_pins(index, rtl.get(*ready) == 1);
        }
        for (index, ([valid, _, data], fields)) in outputs.iter().enumerate() {
            let token = (rtl.get(*valid) == 1).then(|| unpack(fields, rtl.get(*data)));
            outside.output_pins(index, token.as_deref());
        }
        rtl.tick();
        outside.edge();
    }
    drop(rtl);
    std::fs::read_to_string(&path).expect("Verilator has written it")
}
