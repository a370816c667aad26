// 2 to the power of a number that is a binary fraction, shifted right. Its integer part becomes the
// exponent; of its fraction a table knows the power. There are 17 steps.
`default_nettype none

module sluice_power_of_two #(
    parameter         INTEGER = 9,  // bits before the point
    parameter         INDEX   = 7,  // the table's widths
    parameter         REST    = 20,
    parameter         SHORT   = 15,
    parameter         C0      = 31,
    parameter         C1      = 24,
    parameter         C2      = 15,
    parameter         GUARD   = 7,  // bits that are rounded away
    parameter         GRADUAL = 1,  // whether there are subnormal results
    parameter         TILE_A  = 18,
    parameter         TILE_B  = 18,
    parameter [127:0] REGS    = 128'd0
) (
    input  wire                          clk,
    input  wire                          sign,
    input  wire [1:0]                    kind,   // 0 finite, 1 zero, 2 infinite, 3 not a number
    input  wire                          minus,  // whether the number is negative
    input  wire                          none,   // whether it is zero
    input  wire [5:0]                    amount, // how far it is shifted
    input  wire [INTEGER+INDEX+REST:0]   x,      // one bit of it is rounded away
    output wire [INDEX-1:0]              index,  // to the table
    input  wire [C0+C1+C2-1:0]           row,    // from it
    output wire [31:0]                   y
);
    localparam FRACTION = INDEX + REST;
    localparam PLACED   = INTEGER + FRACTION + 1;
    localparam SIG      = 24 + GUARD;
    localparam ROW      = C0 + C1 + C2;

    // Steps 0 and 1: shift, coarsely and finely.
    wire [1:0]        kind0, kind1;
    wire              sign0, sign1, minus0, minus1;
    wire [2:0]        amount0;
    wire [PLACED-1:0] placed0, placed1;
    sluice_stage #(.WIDTH(7 + PLACED), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({kind, sign, minus, amount[2:0], (x >> {amount[5:3], 3'b000}) & {PLACED{!none}}}),
        .q({kind0, sign0, minus0, amount0, placed0})
    );
    sluice_stage #(.WIDTH(4 + PLACED), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d({kind0, sign0, minus0, placed0 >> amount0}),
        .q({kind1, sign1, minus1, placed1})
    );

    // Step 2: negate and round.
    wire [PLACED:0]     rounded = {minus1, placed1 ^ {PLACED{minus1}}} + {{PLACED{1'b0}}, 1'b1};
    wire                unused_half = rounded[0];
    wire [1:0]          kind2;
    wire                sign2;
    wire [INTEGER:0]    integer2;
    wire [FRACTION-1:0] fraction2;
    sluice_stage #(.WIDTH(3 + PLACED), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d({kind1, sign1, rounded[PLACED:1]}), .q({kind2, sign2, integer2, fraction2})
    );

    // Step 3: look up. Beyond eight bits, only the integer's sign matters.
    wire [7:0] power;
    wire       minus2 = integer2[INTEGER];
    generate
        if (INTEGER > 8) begin : limit
            assign power = |(integer2[INTEGER-1:8] ^ {(INTEGER - 8) {minus2}}) ? {8{!minus2}}
                                                                             : integer2[7:0];
        end else begin : whole
            assign power = integer2[7:0];
        end
    endgenerate
    assign index = fraction2[FRACTION-1:REST];
    wire [1:0]      kind3;
    wire            sign3;
    wire [9:0]      exp3;
    wire [REST-1:0] t3;
    wire [ROW-1:0]  row3;
    sluice_stage #(.WIDTH(13 + REST + ROW), .ENABLE(REGS[3])) stage3 (
        .clk(clk), .d({kind2, sign2, {{2{minus2}}, power} + 10'd127, fraction2[REST-1:0], row}),
        .q({kind3, sign3, exp3, t3, row3})
    );

    // Steps 4 to 13: the power of the fraction.
    wire [1:0]    kind13;
    wire          sign13;
    wire [9:0]    exp13;
    wire [C0-1:0] power13;
    sluice_along #(.WIDTH(13), .STEPS(10), .REGS(REGS >> 4)) along (
        .clk(clk), .d({kind3, sign3, exp3}), .q({kind13, sign13, exp13})
    );
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(0), .INNER_MINUS(0),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 4)
    ) quadratic (.clk(clk), .row(row3), .t(t3), .y(power13));

    // Steps 14 to 16: pack.
    wire [C0+SIG-1:0] wide = {power13, {SIG{1'b0}}};
    wire              unused_wide = |wide[C0-1:0];
    sluice_pack #(.GUARD(GUARD), .AMOUNT(GRADUAL != 0 ? 5 : 0), .REGS(REGS >> 14)) pack (
        .clk(clk), .sign(sign13), .kind(kind13), .exponent(exp13), .significand(wide[C0+:SIG]),
        .y(y)
    );
endmodule

`default_nettype wire
