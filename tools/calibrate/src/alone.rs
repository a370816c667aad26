//! A unit or operator alone, with registers at its ports.

use sluice_circuit::circuit::Circuit;
use sluice_circuit::operators::{Operator, Regs};
use sluice_circuit::unit::UnitKind;
use sluice_circuit::verilog::{self, File, emit};
use sluice_synth::Design;
use sluice_synth::scan::{Pin, Pins, wrap};

/// The name of the module around it.
const NAME: &str = "alone";

/// A unit.
pub fn unit(kind: Box<dyn UnitKind>) -> Design {
    let circuit = Circuit::of_units(NAME, vec![kind]);
    let files = emit_units(&circuit);
    let design = Design {
        files,
        top: NAME.into(),
        apart: Vec::new(),
    };
    wrap(&design, &pins(&circuit))
}

/// The Verilog of units that are not connected. What a unit drives is read by none, and kept all the
/// same: Yosys would remove it, with the registers that it comes from.
pub fn emit_units(circuit: &Circuit) -> Vec<File> {
    let mut files = emit(circuit);
    for unit in circuit.units().values() {
        for wire in unit.kind.drives() {
            let declared = format!("wire [{}:0] {}_{};", wire.width - 1, unit.name, wire.name);
            let kept = format!("(* keep *) {declared}");
            for file in &mut files {
                file.text = file.text.replace(&declared, &kept);
            }
        }
    }
    files
}

fn pins(circuit: &Circuit) -> Pins {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let pin = |name: String, width| Pin { name, width };
    for (_, wire) in circuit.outer_constants() {
        inputs.push(pin(wire.name.clone(), wire.width));
    }
    for &channel in circuit.inputs() {
        let data = &circuit.channels()[channel];
        inputs.push(pin(format!("{}_valid", data.name), 1));
        outputs.push(pin(format!("{}_ready", data.name), 1));
        inputs.push(pin(data.name.clone(), data.fields.bits().max(1)));
    }
    for &channel in circuit.outputs() {
        let data = &circuit.channels()[channel];
        outputs.push(pin(format!("{}_valid", data.name), 1));
        inputs.push(pin(format!("{}_ready", data.name), 1));
        outputs.push(pin(data.name.clone(), data.fields.bits().max(1)));
    }
    Pins {
        clock: "clk".into(),
        reset: Some("rst".into()),
        inputs,
        outputs,
    }
}

/// An operator with registers behind some of its steps.
pub fn operator(operator: &dyn Operator, regs: Regs) -> Design {
    let pin = |name: &str, width| Pin {
        name: name.to_owned(),
        width,
    };
    let ports = |ports: Vec<sluice_circuit::operators::Port>| -> Vec<Pin> {
        ports
            .iter()
            .map(|port| pin(port.name, port.width))
            .collect()
    };
    let pins = Pins {
        clock: "clk".into(),
        reset: None,
        inputs: ports(operator.inputs()),
        outputs: ports(operator.outputs()),
    };
    let sources = operator.sources().iter().map(|source| File {
        name: source.file.into(),
        text: source.text.into(),
    });
    let around = File {
        name: format!("{NAME}.v"),
        text: around(operator, regs, &pins),
    };
    let design = Design {
        files: sources.chain([around]).collect(),
        top: NAME.into(),
        apart: Vec::new(),
    };
    wrap(&design, &pins)
}

fn around(operator: &dyn Operator, regs: Regs, pins: &Pins) -> String {
    let declare = |direction: &'static str, pins: &[Pin]| -> Vec<String> {
        let port = |pin: &Pin| format!("    {direction} wire [{}:0] {}", pin.width - 1, pin.name);
        pins.iter().map(port).collect()
    };
    let mut ports = vec!["    input  wire clk".to_owned()];
    ports.extend(declare("input ", &pins.inputs));
    ports.extend(declare("output", &pins.outputs));
    let names = pins.inputs.iter().chain(&pins.outputs);
    let connections: Vec<(&str, &str)> = names.map(|pin| (&*pin.name, &*pin.name)).collect();
    let instance = verilog::operator_instance(operator, regs, "operator", &connections);
    format!(
        "module {NAME} (\n{}\n);\n{instance}endmodule\n",
        ports.join(",\n")
    )
}
