// Rounds to nearest, ties to even, and packs. The carry out of the significand increments the
// exponent, which also makes the largest finite number infinite and a subnormal normal.
`default_nettype none

module sluice_round #(
    parameter EXP = 8,
    parameter MAN = 23
) (
    input  wire               sign,
    input  wire [EXP-1:0]     exponent,
    input  wire [MAN-1:0]     fraction,
    input  wire               guard,
    input  wire               sticky,
    input  wire [1:0]         kind, // 0 finite, 1 zero, 2 infinite, 3 not a number
    output wire [EXP+MAN:0]   y
);
    wire                 up      = guard & (sticky | fraction[0]);
    wire [EXP+MAN-1:0]   rounded = {exponent, fraction} + {{(EXP + MAN - 1) {1'b0}}, up};
    wire [EXP+MAN-1:0]   special = {{EXP{kind[1]}}, kind == 2'd3, {(MAN - 1) {1'b0}}};

    assign y = {sign & (kind != 2'd3), kind == 2'd0 ? rounded : special};
endmodule

`default_nettype wire
