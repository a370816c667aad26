// A power of e, 2 or 10. The operand times the base's logarithm to base 2, in fixed point, is an
// integer, which becomes the exponent, and a fraction, of which a table knows the power of two.
`default_nettype none

module sluice_fexp #(
    parameter         NATIVE     = 0,  // less accurate; subnormals are zero
    parameter         SCALED     = 1,  // the base is not 2
    parameter         SCALE_HIGH = 0,  // its logarithm, from the highest bit
    parameter         SCALE_LOW  = 0,
    parameter         TOP        = 6,  // the largest exponent of operands that is not out of range
    parameter         INDEX      = 6,
    parameter         REST       = 18,
    parameter         SHORT      = 15,
    parameter         C0         = 29,
    parameter         C1         = 23,
    parameter         C2         = 15,
    parameter         TILE_A     = 18,
    parameter         TILE_B     = 18,
    parameter [127:0] REGS       = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    output wire [31:0] y
);
    localparam GUARD    = 5;
    localparam SIG      = 24 + GUARD;
    localparam SCALE    = 36;
    localparam FRACTION = INDEX + REST;
    localparam PLACED   = FRACTION + 9; // eight bits before the point, and one to round with
    localparam ROW      = C0 + C1 + C2;
    localparam [8:0] FIRST = 127 + TOP;

    // Step 0: unpack. How far right the product must go from its leftmost place; if it is to
    // the left of that, the result is infinite or zero.
    wire       nan    = (&a[30:23]) & (|a[22:0]);
    wire [8:0] amount = FIRST - {1'b0, a[30:23]};
    wire       far    = amount[8];

    wire [1:0]  kind0;
    wire        sign0, tiny0;
    wire [5:0]  amount0;
    wire [23:0] sig0;
    sluice_stage #(.WIDTH(34), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({nan | (far & !a[31]), nan | (far & a[31]), a[31], |amount[7:6], amount[5:0], 1'b1,
            a[22:0]}),
        .q({kind0, sign0, tiny0, amount0, sig0})
    );

    // Steps 1 to 4: multiply.
    wire [PLACED-1:0] scaled4;
    wire [1:0]        kind4;
    wire              sign4, tiny4;
    wire [5:0]        amount4;
    sluice_along #(.WIDTH(10), .STEPS(4), .REGS(REGS >> 1)) along_scale (
        .clk(clk), .d({kind0, sign0, tiny0, amount0}), .q({kind4, sign4, tiny4, amount4})
    );
    generate
        if (SCALED != 0) begin : scaled
            localparam [SCALE-1:0] FACTOR = {SCALE_HIGH[17:0], SCALE_LOW[17:0]};
            wire [SCALE+23:0] product;
            sluice_product #(
                .A(24), .B(SCALE), .OUT(24 + SCALE), .TILE_A(TILE_A), .TILE_B(TILE_B),
                .REGS(REGS >> 1)
            ) scale (.clk(clk), .a(sig0), .b(FACTOR), .y(product));
            assign scaled4 = product[SCALE+23-:PLACED];
            wire unused_product = |product[SCALE+23-PLACED:0];
        end else begin : whole
            wire [23:0] sig4;
            sluice_along #(.WIDTH(24), .STEPS(4), .REGS(REGS >> 1)) along (
                .clk(clk), .d(sig0), .q(sig4)
            );
            assign scaled4 = {sig4, {(PLACED - 24) {1'b0}}};
        end
    endgenerate

    // Steps 5 and 6: shift, coarsely and finely.
    wire [1:0]        kind5, kind6;
    wire              sign5, sign6;
    wire [2:0]        amount5;
    wire [PLACED-1:0] placed5, placed6;
    sluice_stage #(.WIDTH(6 + PLACED), .ENABLE(REGS[5])) stage5 (
        .clk(clk),
        .d({kind4, sign4, amount4[2:0], (scaled4 >> {amount4[5:3], 3'b000}) & {PLACED{!tiny4}}}),
        .q({kind5, sign5, amount5, placed5})
    );
    sluice_stage #(.WIDTH(3 + PLACED), .ENABLE(REGS[6])) stage6 (
        .clk(clk), .d({kind5, sign5, placed5 >> amount5}), .q({kind6, sign6, placed6})
    );

    // Step 7: negate and round.
    wire [PLACED:0]     rounded = {sign6, placed6 ^ {PLACED{sign6}}} + {{PLACED{1'b0}}, 1'b1};
    wire                unused_half = rounded[0];
    wire [1:0]          kind7;
    wire [8:0]          integer7;
    wire [FRACTION-1:0] fraction7;
    sluice_stage #(.WIDTH(2 + PLACED), .ENABLE(REGS[7])) stage7 (
        .clk(clk), .d({kind6, rounded[PLACED:1]}), .q({kind7, integer7, fraction7})
    );

    // Step 8: look up.
    wire [ROW-1:0] row;
    generate
        if (NATIVE != 0) begin : native
            sluice_exp2_native #(.INDEX(INDEX), .ROW(ROW)) look_up (
                .index(fraction7[FRACTION-1:REST]), .row(row)
            );
        end else begin : full
            sluice_exp2_full #(.INDEX(INDEX), .ROW(ROW)) look_up (
                .index(fraction7[FRACTION-1:REST]), .row(row)
            );
        end
    endgenerate
    wire [1:0]      kind8;
    wire [9:0]      exp8;
    wire [REST-1:0] t8;
    wire [ROW-1:0]  row8;
    sluice_stage #(.WIDTH(12 + REST + ROW), .ENABLE(REGS[8])) stage8 (
        .clk(clk), .d({kind7, {integer7[8], integer7} + 10'd127, fraction7[REST-1:0], row}),
        .q({kind8, exp8, t8, row8})
    );

    // Steps 9 to 18: the power of the fraction.
    wire [1:0]    kind18;
    wire [9:0]    exp18;
    wire [C0-1:0] power18;
    sluice_along #(.WIDTH(12), .STEPS(10), .REGS(REGS >> 9)) along_power (
        .clk(clk), .d({kind8, exp8}), .q({kind18, exp18})
    );
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(0), .INNER_MINUS(0),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 9)
    ) power (.clk(clk), .row(row8), .t(t8), .y(power18));

    // Steps 19 to 21: pack.
    wire [C0+SIG-1:0] wide = {power18, {SIG{1'b0}}};
    wire              unused_wide = |wide[C0-1:0];
    sluice_pack #(.GUARD(GUARD), .AMOUNT(NATIVE != 0 ? 0 : 5), .REGS(REGS >> 19)) pack (
        .clk(clk), .sign(1'b0), .kind(kind18), .exponent(exp18), .significand(wide[C0+:SIG]), .y(y)
    );
endmodule

`default_nettype wire
