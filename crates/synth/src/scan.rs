//! A top module with four pins around a design with hundreds of ports: its inputs are a shift
//! register, its outputs are captured in registers and shifted out. So a design can be placed on a
//! chip with any package, and its ports have registers on the other side.

use sluice_circuit::verilog::File;

use crate::Design;

/// The name of the top module, and of the instance of the design in it.
pub const TOP: &str = "sluice_scan";
/// The instance of the design.
pub const INSTANCE: &str = "design";

/// A port of the design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
}

/// What the ports of a design are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pins {
    /// The clock.
    pub clock: String,
    /// A reset, if there is one; it comes from a register.
    pub reset: Option<String>,
    /// The other inputs.
    pub inputs: Vec<Pin>,
    /// The outputs.
    pub outputs: Vec<Pin>,
}

/// Puts a design's ports on a shift register.
pub fn wrap(design: &Design, pins: &Pins) -> Design {
    let text = text(&design.top, pins);
    let file = File {
        name: format!("{TOP}.v"),
        text,
    };
    Design {
        files: design.files.iter().cloned().chain([file]).collect(),
        top: TOP.into(),
        apart: design.apart.iter().cloned().chain([TOP.into()]).collect(),
    }
}

fn text(module: &str, pins: &Pins) -> String {
    let total = |pins: &[Pin]| pins.iter().map(|pin| pin.width).sum::<u32>();
    let (inputs, outputs) = (total(&pins.inputs).max(1), total(&pins.outputs).max(1));
    let mut connections = vec![format!(".{}(clk)", pins.clock)];
    connections.extend(pins.reset.iter().map(|reset| format!(".{reset}(reset)")));
    connections.extend(slices(&pins.inputs, "inputs"));
    connections.extend(slices(&pins.outputs, "outputs"));
    format!(
        "module {TOP} (
    input  wire clk,
    input  wire rst,
    input  wire scan_in,
    input  wire capture,
    output wire scan_out
);
    reg reset;
    reg [{inputs}:0] inputs;
    wire [{outputs}:0] outputs;
    reg [{outputs}:0] captured, shifted;
    assign outputs[{outputs}] = 1'b0;
    assign scan_out = shifted[0];
    always @(posedge clk) begin
        reset <= rst;
        inputs <= {{inputs[{before}:0], scan_in}};
        captured <= outputs;
        shifted <= capture ? captured : {{1'b0, shifted[{outputs}:1]}};
    end
    {module} {INSTANCE} (
        {}
    );
endmodule
",
        connections.join(",\n        "),
        before = inputs - 1,
    )
}

/// Connections of ports to the bits of a vector, one behind the other.
fn slices(pins: &[Pin], vector: &str) -> Vec<String> {
    let mut first = 0;
    let mut slice = |pin: &Pin| {
        let last = first + pin.width - 1;
        let text = format!(".{}({vector}[{last}:{first}])", pin.name);
        first = last + 1;
        text
    };
    pins.iter().map(&mut slice).collect()
}
