//! A top module with five pins around a design with hundreds of ports: its inputs are a shift
//! register, its outputs are captured in registers and shifted out. So a design can be placed on a
//! chip with any package, and its ports have registers on the other side.

use sluice_circuit::verilog::File;

use crate::Design;

/// The name of the top module, and of the instance of the design in it.
pub const TOP: &str = "sluice_scan";
/// The instance of the design. (`design` is a keyword of Verilog.)
pub const INSTANCE: &str = "wrapped";

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
    /// A reset, if there is one; it comes from a register that has the level of the pin `rst`, so
    /// that this is active low if the design's is.
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
pub fn slices(pins: &[Pin], vector: &str) -> Vec<String> {
    let mut first = 0;
    let mut slice = |pin: &Pin| {
        let last = first + pin.width - 1;
        let text = format!(".{}({vector}[{last}:{first}])", pin.name);
        first = last + 1;
        text
    };
    pins.iter().map(&mut slice).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Adds one to an input and inverts the other, a cycle later.
    const DESIGN: &str = "module increment (
    input wire aclk, input wire aresetn, input wire [2:0] a, input wire b,
    output reg [2:0] c, output reg d
);
    always @(posedge aclk) begin
        c <= aresetn ? a + 3'd1 : 3'd0;
        d <= !b;
    end
endmodule
";

    /// Shifts 5 and 1 in, captures what comes of it and shifts it out.
    const BENCH: &str = "module bench;
    reg clk = 0, rst = 1, scan_in = 0, capture = 0;
    wire scan_out;
    sluice_scan dut (.clk(clk), .rst(rst), .scan_in(scan_in), .capture(capture), .scan_out(scan_out));
    always #1 clk = !clk;
    reg [3:0] in = 4'b1101, out = 0;
    integer i;
    initial begin
        for (i = 3; i >= 0; i = i - 1) begin
            scan_in = in[i];
            @(negedge clk);
        end
        // Through the design's registers and those that capture.
        repeat (2) @(negedge clk);
        capture = 1;
        @(negedge clk);
        capture = 0;
        for (i = 0; i < 4; i = i + 1) begin
            out[i] = scan_out;
            @(negedge clk);
        end
        $display(\"%b\", out);
        $finish;
    end
endmodule
";

    #[test]
    fn a_wrapped_design_is_reached_through_the_shift_registers() {
        let pin = |name: &str, width| Pin {
            name: name.into(),
            width,
        };
        let pins = Pins {
            clock: "aclk".into(),
            reset: Some("aresetn".into()),
            inputs: vec![pin("a", 3), pin("b", 1)],
            outputs: vec![pin("c", 3), pin("d", 1)],
        };
        let file = |name: &str, text: &str| File {
            name: name.into(),
            text: text.into(),
        };
        let design = Design {
            files: vec![file("increment.v", DESIGN), file("bench.v", BENCH)],
            top: "increment".into(),
            apart: Vec::new(),
        };
        let wrapped = wrap(&design, &pins);
        assert_eq!(
            (wrapped.top.as_str(), &wrapped.apart[..]),
            (TOP, &[TOP.into()][..])
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        for File { name, text } in &wrapped.files {
            fs::write(folder.path().join(name), text).expect("it is written");
        }
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.current_dir(folder.path()).args(arguments);
            let output = command.output().expect("the package iverilog is installed");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                output.status.success() && errors.is_empty(),
                "{said}{errors}"
            );
            said
        };
        let names = wrapped.files.iter().map(|file| file.name.as_str());
        let arguments = ["-Wall", "-Wno-timescale", "-s", "bench", "-o", "bench"];
        run(
            "iverilog",
            &arguments.into_iter().chain(names).collect::<Vec<_>>(),
        );
        // 5 + 1, and the complement of 1 above it.
        assert_eq!(run("./bench", &[]).lines().next(), Some("0110"));
    }
}
