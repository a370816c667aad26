// The register behind a pipeline step, or just wires.
`default_nettype none

module sluice_stage #(
    parameter WIDTH  = 1,
    parameter ENABLE = 0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    generate
        if (ENABLE != 0) begin : register
            reg [WIDTH-1:0] held;
            always @(posedge clk) held <= d;
            assign q = held;
        end else begin : wires
            wire unused_clk;
            assign unused_clk = clk;
            assign q = d;
        end
    endgenerate
endmodule

`default_nettype wire
