// The high half of {a, b} shifted left, or the low half of it shifted right, by c modulo the width,
// which is a power of two.
`default_nettype none

module sluice_funnel #(
    parameter         WIDTH = 32,
    parameter         RIGHT = 0,
    parameter [127:0] REGS  = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    input  wire [WIDTH-1:0] c,
    output wire [WIDTH-1:0] y
);
    localparam AMOUNT = $clog2(WIDTH);
    localparam FINE   = (AMOUNT + 1) / 2;
    localparam [AMOUNT:0] LOW = (1 << FINE) - 1;

    // A left shift is a right shift by what is missing to the width: the inverted amount, and one.
    // Step 0: shift coarsely.
    wire [AMOUNT:0]    amount = RIGHT != 0 ? {1'b0, c[AMOUNT-1:0]} : {1'b0, ~c[AMOUNT-1:0]};
    wire [2*WIDTH-1:0] pair   = RIGHT != 0 ? {a, b} : {1'b0, a, b[WIDTH-1:1]};
    wire [2*WIDTH-1:0] coarse = pair >> (amount & ~LOW);
    wire               unused = |{1'b0, c[WIDTH-1:AMOUNT], b[0]};

    wire [AMOUNT:0]    fine0;
    wire [2*WIDTH-1:0] coarse0;
    sluice_stage #(.WIDTH(AMOUNT + 1 + 2 * WIDTH), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d({amount & LOW, coarse}), .q({fine0, coarse0})
    );

    // Step 1: shift finely.
    wire [2*WIDTH-1:0] fine = coarse0 >> fine0;
    wire               unused_high = |fine[2*WIDTH-1:WIDTH];
    sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d(fine[WIDTH-1:0]), .q(y)
    );
endmodule

`default_nettype wire
