// Whether a number is ADDEND more than another one, modulo 2 to the power of WIDTH. Each bit tells
// from the sum which carry would have left the bits below, so that none is propagated.
`default_nettype none

module sluice_sum_is #(
    parameter             WIDTH  = 8,
    parameter [WIDTH-1:0] ADDEND = 1
) (
    input  wire [WIDTH-1:0] from,
    input  wire [WIDTH-1:0] sum,
    output wire             is
);
    wire [WIDTH-1:0] carries = (from & ADDEND) | ((from | ADDEND) & ~sum);
    assign is = (from ^ ADDEND ^ (carries << 1)) == sum;
endmodule

`default_nettype wire
