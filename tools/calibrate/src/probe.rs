//! Operators and expressions on one chip, each with a clock of its own, so that one run of the tools
//! measures all of them: operands from a shift register, results to registers.

use std::collections::BTreeMap;
use std::rc::Rc;

use sluice_circuit::family::Delays;
use sluice_circuit::operators::{Operator, Regs};
use sluice_circuit::verilog::{self, File};
use sluice_synth::Design;
use sluice_synth::scan::{Pin, slices};

/// The top module.
const TOP: &str = "sluice_probes";
/// The instance of what is measured in its probe.
pub const INSTANCE: &str = "design";

/// How long paths take by a family's delays.
type Paths = dyn Fn(&Delays) -> Vec<Option<f64>>;

/// What is measured, and how long each of its paths takes by a family's delays.
pub struct Probe {
    pub name: String,
    sources: Vec<File>,
    inputs: Vec<Pin>,
    outputs: Vec<Pin>,
    /// What is in the module between the ports.
    body: String,
    /// By path between registers, from the operands on: its delay without the registers' part; none
    /// if there is no logic on it.
    pub paths: Rc<Paths>,
}

impl Probe {
    /// An operator with registers behind some of its steps.
    pub fn operator(operator: Box<dyn Operator>, regs: Regs) -> Probe {
        let pins = |ports: Vec<sluice_circuit::operators::Port>| -> Vec<Pin> {
            let pin = |port: &sluice_circuit::operators::Port| pin(port.name, port.width);
            ports.iter().map(pin).collect()
        };
        let (inputs, outputs) = (pins(operator.inputs()), pins(operator.outputs()));
        let names = inputs.iter().chain(&outputs);
        let connections: Vec<(&str, &str)> = names.map(|pin| (&*pin.name, &*pin.name)).collect();
        let sources = operator.sources().iter().map(|source| File {
            name: source.file.into(),
            text: source.text.into(),
        });
        Probe {
            name: format!("{operator:?} {regs}"),
            sources: sources.collect(),
            body: verilog::operator_instance(&*operator, regs, "operator", &connections),
            inputs,
            outputs,
            paths: Rc::new(move |delays| between(&*operator, regs, delays)),
        }
    }

    /// The expression `y` of operands.
    pub fn expression(
        name: &str,
        inputs: &[(&str, u32)],
        result: (&str, u32),
        delay: impl Fn(&Delays) -> f64 + 'static,
    ) -> Probe {
        Probe {
            name: name.into(),
            sources: Vec::new(),
            inputs: inputs
                .iter()
                .map(|&(name, width)| pin(name, width))
                .collect(),
            outputs: vec![pin("y", result.1)],
            body: format!("    assign y = {};\n", result.0),
            paths: Rc::new(move |delays| vec![Some(delay(delays))]),
        }
    }

    /// Its modules: what is measured, and the registers around it.
    fn text(&self, index: usize) -> String {
        let declare = |direction: &'static str, pins: &[Pin]| -> String {
            let port =
                |pin: &Pin| format!(",\n    {direction} wire [{}:0] {}", pin.width - 1, pin.name);
            pins.iter().map(port).collect()
        };
        let total = |pins: &[Pin]| pins.iter().map(|pin| pin.width).sum::<u32>();
        let (inputs, outputs) = (total(&self.inputs), total(&self.outputs));
        format!(
            "module probed_{index} (
    input  wire clk{}{}
);
{}endmodule

module probe_{index} (
    input  wire clk,
    input  wire scan_in,
    input  wire capture,
    output wire scan_out
);
    reg [{inputs}:0] inputs;
    wire [{outputs}:0] outputs;
    reg [{outputs}:0] captured, shifted;
    assign outputs[{outputs}] = 1'b0;
    assign scan_out = shifted[0];
    always @(posedge clk) begin
        inputs <= {{inputs[{before}:0], scan_in}};
        captured <= outputs;
        shifted <= capture ? captured : {{1'b0, shifted[{outputs}:1]}};
    end
    probed_{index} {INSTANCE} (.clk(clk), {});
endmodule
",
            declare("input ", &self.inputs),
            declare("output", &self.outputs),
            self.body,
            [
                slices(&self.inputs, "inputs"),
                slices(&self.outputs, "outputs")
            ]
            .concat()
            .join(", "),
            before = inputs - 1,
        )
    }
}

fn pin(name: &str, width: u32) -> Pin {
    Pin {
        name: name.into(),
        width,
    }
}

/// The delays between an operator's registers.
fn between(operator: &dyn Operator, regs: Regs, delays: &Delays) -> Vec<Option<f64>> {
    let mut paths = vec![None];
    for (index, step) in operator.steps(delays).iter().enumerate() {
        let path = paths.last_mut().expect("never empty");
        *path = Some(path.unwrap_or(0.0) + step.delay);
        if regs.contains(index) {
            paths.push(None);
        }
    }
    paths
}

/// The name of a probe's instance in the top module.
pub fn instance(index: usize) -> String {
    format!("p{index}")
}

/// A design of all of them.
pub fn design(probes: &[Probe]) -> Design {
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let sources = probes.iter().flat_map(|probe| &probe.sources);
    files.extend(sources.map(|file| (file.name.clone(), file.clone())));
    let indices = 0..probes.len();
    let ports = indices
        .clone()
        .map(|index| format!(",\n    input wire clk_{index}, output wire out_{index}"));
    let instances = indices.clone().map(|index| {
        format!(
            "    probe_{index} {} (.clk(clk_{index}), .scan_in(scan_in), .capture(capture), .scan_out(out_{index}));\n",
            instance(index)
        )
    });
    let mut text = format!(
        "module {TOP} (\n    input wire scan_in, input wire capture{}\n);\n{}endmodule\n\n",
        ports.collect::<String>(),
        instances.collect::<String>()
    );
    for (index, probe) in probes.iter().enumerate() {
        text += &probe.text(index);
    }
    let top = File {
        name: format!("{TOP}.v"),
        text,
    };
    Design {
        files: files.into_values().chain([top]).collect(),
        top: TOP.into(),
        apart: indices
            .map(|index| format!("probe_{index}"))
            .chain([TOP.into()])
            .collect(),
    }
}
