// The logarithm of a positive float, not rounded. The significand m is brought to [0.75, 1.5): then
// the logarithm is small only near 1, where m - 1 is exact, and the factor log(m) / (m - 1) that a
// table gives is never far from 1. The exponent's multiple of the logarithm of 2 is never smaller
// than what is added to it or subtracted from it.
`default_nettype none

module sluice_logarithm #(
    parameter         GRADUAL   = 1,  // whether there are subnormal operands
    parameter         INDEX     = 7,  // the table's widths
    parameter         REST      = 16,
    parameter         SHORT     = 15,
    parameter         C0        = 31,
    parameter         C1        = 23,
    parameter         C2        = 15,
    parameter         SCALED    = 0,  // whether the base is another one than 2
    parameter         UNIT_HIGH = 0,  // the logarithm of 2: 18 bits behind the point,
    parameter         UNIT_LOW  = 0,  // and 18 more
    parameter         SUM       = 62, // 8 bits before the point, the factor's and 24 more behind it
    parameter         COUNT     = 6,  // clog2(SUM)
    parameter         OUT       = 25, // bits of the result, of at most SUM
    parameter         TILE_A    = 18,
    parameter         TILE_B    = 18,
    parameter [127:0] REGS      = 128'd0
) (
    input  wire                clk,
    input  wire [7:0]          exponent,    // biased
    input  wire [23:0]         significand, // not zero
    output wire [INDEX-1:0]    index,       // to the table
    input  wire [C0+C1+C2-1:0] row,         // from it
    output wire                negative,
    output wire                any,         // whether the result is not zero
    output wire [COUNT-1:0]    zeros,       // the result has the weight 2^(7 - zeros)
    output wire [OUT-1:0]      y,           // its bits from the first one on,
    output wire                sticky       // and whether another follows
);
    localparam QUADRATIC = 10; // its steps
    localparam FIRST     = 3 + QUADRATIC;

    // Steps 0 and 1: normalise.
    wire [9:0]  exp1;
    wire [22:0] man1;
    generate
        if (GRADUAL != 0) begin : gradual
            wire [4:0] count;
            wire       unused_any;
            sluice_lzc #(.WIDTH(24), .COUNT(5)) lzc (
                .x(significand), .count(count), .any(unused_any)
            );
            wire [4:0]  count0;
            wire [7:0]  exp0;
            wire [23:0] sig0;
            sluice_stage #(.WIDTH(37), .ENABLE(REGS[0])) stage0 (
                .clk(clk), .d({count, exponent, significand}), .q({count0, exp0, sig0})
            );
            wire [23:0] shifted    = sig0 << count0;
            wire        unused_one = shifted[23];
            sluice_stage #(.WIDTH(33), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({{2'b00, exp0} - {5'd0, count0}, shifted[22:0]}), .q({exp1, man1})
            );
        end else begin : flushed
            wire unused_one = significand[23];
            assign exp1[9:8] = 2'b00;
            sluice_along #(.WIDTH(31), .STEPS(2), .REGS(REGS)) along (
                .clk(clk), .d({exponent, significand[22:0]}), .q({exp1[7:0], man1})
            );
        end
    endgenerate

    // Step 2: look up; halve m if it is 1.5 or more; the distance from 1, in units of 2^-24.
    wire        below = man1[22];
    wire [22:0] off   = below ? 23'd0 - man1 : {man1[21:0], 1'b0};
    wire [9:0]  power = exp1 - 10'd127 + {9'd0, below};
    wire [9:0]  size  = power[9] ? 10'd0 - power : power;
    wire        unused_size = |size[9:8];
    assign index = man1[22-:INDEX];

    wire [C0+C1+C2-1:0] row2;
    wire [REST-1:0]     rest2;
    wire [22:0]         off2;
    wire [7:0]          size2;
    wire                less2, low2;
    sluice_stage #(.WIDTH(C0 + C1 + C2 + REST + 33), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d({row, man1[REST-1:0], off, size[7:0], power[9], below}),
        .q({row2, rest2, off2, size2, less2, low2})
    );

    // Steps 3 to FIRST - 1: the factor.
    wire [C0-1:0] factor;
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(1), .INNER_MINUS(1),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 3)
    ) quadratic (.clk(clk), .t(rest2), .row(row2), .y(factor));
    wire [22:0] off3;
    wire [7:0]  size3;
    wire        less3, low3;
    sluice_along #(.WIDTH(33), .STEPS(QUADRATIC), .REGS(REGS >> 3)) along3 (
        .clk(clk), .d({off2, size2, less2, low2}), .q({off3, size3, less3, low3})
    );

    // Steps FIRST to FIRST + 3: multiply.
    wire [C0+22:0] part;
    sluice_product #(
        .A(C0), .B(23), .OUT(C0 + 23), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> FIRST)
    ) multiply (.clk(clk), .a(factor), .b(off3), .y(part));
    wire [43:0] whole;
    generate
        if (SCALED != 0) begin : scaled
            wire [17:0] high = UNIT_HIGH;
            wire [17:0] low  = UNIT_LOW;
            sluice_product #(
                .A(36), .B(8), .OUT(44), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> FIRST)
            ) scale (.clk(clk), .a({high, low}), .b(size3), .y(whole));
        end else begin : binary
            assign whole[35:0] = 36'd0;
            sluice_along #(.WIDTH(8), .STEPS(4), .REGS(REGS >> FIRST)) along (
                .clk(clk), .d(size3), .q(whole[43:36])
            );
        end
    endgenerate
    wire there = |size3;
    wire minus4, sign4;
    sluice_along #(.WIDTH(2), .STEPS(4), .REGS(REGS >> FIRST)) along4 (
        .clk(clk), .d({there & (less3 ^ low3), there ? less3 : low3}), .q({minus4, sign4})
    );

    // Step FIRST + 4: add.
    wire [SUM-1:0] much   = {whole, {(SUM - 44) {1'b0}}};
    wire [SUM-1:0] little = {{(SUM - C0 - 23) {1'b0}}, part};
    wire [SUM-1:0] sum    = minus4 ? much - little : much + little;
    wire [SUM-1:0] sum5;
    wire           sign5;
    sluice_stage #(.WIDTH(SUM + 1), .ENABLE(REGS[FIRST+4])) stage5 (
        .clk(clk), .d({sum, sign4}), .q({sum5, sign5})
    );

    // Steps FIRST + 5 and FIRST + 6: normalise.
    wire [COUNT-1:0] leading, leading6;
    wire             some, some6, sign6;
    wire [SUM-1:0]   sum6;
    sluice_lzc #(.WIDTH(SUM), .COUNT(COUNT)) lzc (.x(sum5), .count(leading), .any(some));
    sluice_stage #(.WIDTH(SUM + COUNT + 2), .ENABLE(REGS[FIRST+5])) stage6 (
        .clk(clk), .d({sum5, leading, some, sign5}), .q({sum6, leading6, some6, sign6})
    );
    wire [SUM-1:0] shifted = sum6 << leading6;
    sluice_stage #(.WIDTH(OUT + COUNT + 3), .ENABLE(REGS[FIRST+6])) stage7 (
        .clk(clk),
        .d({shifted[SUM-1-:OUT], |shifted[SUM-OUT-1:0], leading6, some6, sign6}),
        .q({y, sticky, zeros, any, negative})
    );
endmodule

`default_nettype wire
