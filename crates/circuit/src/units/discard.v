// Takes every token and drops it.
`default_nettype none

module sluice_discard #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in
);
    assign in_ready = 1'b1;
    wire unused = &{1'b0, clk, rst, in_valid, in};
endmodule

`default_nettype wire
