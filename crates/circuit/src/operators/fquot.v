// The quotient of floats, nearly rounded to nearest: the dividend's significand times the divisor's
// reciprocal, which a table knows.
`default_nettype none

module sluice_fquot #(
    parameter         NATIVE = 0, // less accurate; subnormals are zero
    parameter         INDEX  = 7,
    parameter         REST   = 16,
    parameter         SHORT  = 15,
    parameter         C0     = 29,
    parameter         C1     = 22,
    parameter         C2     = 15,
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire [31:0] y
);
    localparam GUARD   = 5;
    localparam SIG     = 24 + GUARD;
    localparam ROW     = C0 + C1 + C2;
    localparam PRODUCT = C0 + 24;

    // Step 0: unpack; subnormals have the exponent of the smallest normals.
    wire        hid_a  = |a[30:23];
    wire        hid_b  = |b[30:23];
    wire        max_a  = &a[30:23];
    wire        max_b  = &b[30:23];
    wire        any_a  = |a[22:0];
    wire        any_b  = |b[22:0];
    wire        zero_a = !hid_a & (NATIVE != 0 | !any_a);
    wire        zero_b = !hid_b & (NATIVE != 0 | !any_b);
    wire        nan    = (max_a & any_a) | (max_b & any_b) | (zero_a & zero_b) | (max_a & max_b);
    wire [9:0]  between = {2'b00, a[30:24], a[23] | !hid_a} - {2'b00, b[30:24], b[23] | !hid_b}
                        + 10'd127;

    wire [1:0]  kind0;
    wire        sign0;
    wire [9:0]  exp0;
    wire [23:0] a0, b0;
    sluice_stage #(.WIDTH(61), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({nan | max_a | zero_b, nan | zero_a | max_b, a[31] ^ b[31], between,
            hid_a, a[22:0], hid_b, b[22:0]}),
        .q({kind0, sign0, exp0, a0, b0})
    );

    // Steps 1 and 2: normalise.
    wire [1:0]  kind2;
    wire        sign2;
    wire [9:0]  exp2;
    wire [23:0] a2;
    wire [22:0] b2;
    generate
        if (NATIVE != 0) begin : flushed
            wire unused_one;
            sluice_along #(.WIDTH(61), .STEPS(2), .REGS(REGS >> 1)) along (
                .clk(clk), .d({kind0, sign0, exp0, a0, b0}),
                .q({kind2, sign2, exp2, a2, unused_one, b2})
            );
        end else begin : gradual
            wire [4:0] zeros_a, zeros_b;
            wire       unused_any_a, unused_any_b;
            sluice_lzc #(.WIDTH(24), .COUNT(5)) lzc_a (
                .x(a0), .count(zeros_a), .any(unused_any_a)
            );
            sluice_lzc #(.WIDTH(24), .COUNT(5)) lzc_b (
                .x(b0), .count(zeros_b), .any(unused_any_b)
            );
            wire [1:0]  kind1;
            wire        sign1;
            wire [9:0]  exp1;
            wire [23:0] a1, b1;
            wire [4:0]  zeros_a1, zeros_b1;
            sluice_stage #(.WIDTH(71), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0, a0, b0, zeros_a, zeros_b}),
                .q({kind1, sign1, exp1, a1, b1, zeros_a1, zeros_b1})
            );
            wire [23:0] shifted_b = b1 << zeros_b1;
            wire        unused_one = shifted_b[23];
            sluice_stage #(.WIDTH(60), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({kind1, sign1, exp1 - {5'd0, zeros_a1} + {5'd0, zeros_b1}, a1 << zeros_a1,
                    shifted_b[22:0]}),
                .q({kind2, sign2, exp2, a2, b2})
            );
        end
    endgenerate

    // Step 3: look up.
    wire [INDEX-1:0] index = b2[22:REST];
    wire [ROW-1:0]   row;
    generate
        if (NATIVE != 0) begin : native
            sluice_recip_native #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end else begin : full
            sluice_recip_full #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end
    endgenerate
    wire [1:0]      kind3;
    wire            sign3;
    wire [9:0]      exp3;
    wire [23:0]     a3;
    wire [REST-1:0] t3;
    wire [ROW-1:0]  row3;
    sluice_stage #(.WIDTH(37 + REST + ROW), .ENABLE(REGS[3])) stage3 (
        .clk(clk), .d({kind2, sign2, exp2, a2, b2[REST-1:0], row}),
        .q({kind3, sign3, exp3, a3, t3, row3})
    );

    // Steps 4 to 13: the reciprocal, which is 1 or between 1/2 and 1.
    wire [1:0]    kind13;
    wire          sign13;
    wire [9:0]    exp13;
    wire [23:0]   a13;
    wire [C0-1:0] value13;
    sluice_along #(.WIDTH(37), .STEPS(10), .REGS(REGS >> 4)) along_value (
        .clk(clk), .d({kind3, sign3, exp3, a3}), .q({kind13, sign13, exp13, a13})
    );
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(1), .INNER_MINUS(1),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 4)
    ) value (.clk(clk), .row(row3), .t(t3), .y(value13));

    // Steps 14 to 17: multiply. The product is between 1/2 and 2.
    wire [1:0]         kind17;
    wire               sign17;
    wire [9:0]         exp17;
    wire [PRODUCT-1:0] product17;
    sluice_along #(.WIDTH(13), .STEPS(4), .REGS(REGS >> 14)) along_product (
        .clk(clk), .d({kind13, sign13, exp13}), .q({kind17, sign17, exp17})
    );
    sluice_product #(
        .A(24), .B(C0), .OUT(PRODUCT), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 14)
    ) multiply (.clk(clk), .a(a13), .b(value13), .y(product17));

    // Step 18: normalise.
    wire one = product17[PRODUCT-2];
    wire unused_ends = product17[PRODUCT-1] | (|product17[PRODUCT-SIG-3:0]);
    wire [1:0]     kind18;
    wire           sign18;
    wire [9:0]     exp18;
    wire [SIG-1:0] sig18;
    sluice_stage #(.WIDTH(13 + SIG), .ENABLE(REGS[18])) stage18 (
        .clk(clk),
        .d({kind17, sign17, exp17 - {9'd0, !one},
            one ? product17[PRODUCT-2-:SIG] : product17[PRODUCT-3-:SIG]}),
        .q({kind18, sign18, exp18, sig18})
    );

    // Steps 19 to 21: pack.
    sluice_pack #(.GUARD(GUARD), .AMOUNT(NATIVE != 0 ? 0 : 5), .REGS(REGS >> 19)) pack (
        .clk(clk), .sign(sign18), .kind(kind18), .exponent(exp18), .significand(sig18), .y(y)
    );
endmodule

`default_nettype wire
