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

    // Steps 5 to 21: the power.
    wire [INDEX-1:0] index;
    wire [ROW-1:0]   row;
    generate
        if (NATIVE != 0) begin : native
            sluice_exp2_native #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end else begin : full
            sluice_exp2_full #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end
    endgenerate
    sluice_power_of_two #(
        .INTEGER(8), .INDEX(INDEX), .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2),
        .GUARD(GUARD), .GRADUAL(NATIVE == 0), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 5)
    ) raise (
        .clk(clk), .sign(1'b0), .kind(kind4), .minus(sign4), .none(tiny4), .amount(amount4),
        .x(scaled4), .index(index), .row(row), .y(y)
    );
endmodule

`default_nettype wire
