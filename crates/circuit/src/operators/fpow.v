// A float to the power of another: 2 to the power of the exponent times the base's logarithm.
`default_nettype none

module sluice_fpow #(
    parameter         NATIVE    = 0,  // less accurate; a subnormal base is zero
    parameter         KEPT      = 36, // bits of the logarithm that are multiplied
    parameter         LOG_INDEX = 8,  // widths of the logarithm's table
    parameter         LOG_REST  = 15,
    parameter         LOG_SHORT = 15,
    parameter         LOG_C0    = 36,
    parameter         LOG_C1    = 27,
    parameter         LOG_C2    = 18,
    parameter         LOG_POINT = 35,
    parameter         INDEX     = 7,  // widths of the power's table
    parameter         REST      = 20,
    parameter         SHORT     = 15,
    parameter         C0        = 31,
    parameter         C1        = 24,
    parameter         C2        = 15,
    parameter         GUARD     = 7,
    parameter         TILE_A    = 18,
    parameter         TILE_B    = 18,
    parameter [127:0] REGS      = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire [31:0] y
);
    localparam SUM     = LOG_POINT + 32;
    localparam COUNT   = $clog2(SUM);
    localparam LOG     = 20; // steps of the logarithm
    localparam INTEGER = 9;
    localparam PLACED  = INTEGER + INDEX + REST + 1;

    // Step 0: unpack. What is to the power of zero, and what one is to the power of, is one.
    wire gradual = NATIVE == 0;
    wire hid_a   = |a[30:23];
    wire hid_b   = |b[30:23];
    wire max_a   = &a[30:23];
    wire max_b   = &b[30:23];
    wire any_a   = |a[22:0];
    wire any_b   = |b[22:0];
    wire zero_a  = !(hid_a | (any_a & gradual));
    wire one     = (a == 32'h3f800000) | !(hid_b | any_b);
    wire nan     = (max_a & any_a) | (max_b & any_b);

    wire        one0, nan0, zero0, inf0, below0, minus0;
    wire [7:0]  exp_a0, exp_b0;
    wire [23:0] sig_a0, sig_b0;
    sluice_stage #(.WIDTH(70), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({one, nan, zero_a, max_a, a[31], b[31], a[30:24], a[23] | !hid_a, hid_a, a[22:0],
            b[30:24], b[23] | !hid_b, hid_b, b[22:0]}),
        .q({one0, nan0, zero0, inf0, below0, minus0, exp_a0, sig_a0, exp_b0, sig_b0})
    );

    // Steps 1 to LOG: the base's logarithm.
    wire [LOG_INDEX-1:0]            log_index;
    wire [LOG_C0+LOG_C1+LOG_C2-1:0] log_row;
    wire             less, any;
    wire [COUNT-1:0] zeros;
    wire [KEPT-1:0]  log;
    generate
        if (NATIVE != 0) begin : native_log
            sluice_log2_full #(.INDEX(LOG_INDEX), .ROW(LOG_C0 + LOG_C1 + LOG_C2)) look_up (
                .index(log_index), .row(log_row)
            );
        end else begin : full_log
            sluice_pow_log2 #(.INDEX(LOG_INDEX), .ROW(LOG_C0 + LOG_C1 + LOG_C2)) look_up (
                .index(log_index), .row(log_row)
            );
        end
    endgenerate
    sluice_logarithm #(
        .GRADUAL(NATIVE == 0), .INDEX(LOG_INDEX), .REST(LOG_REST), .SHORT(LOG_SHORT), .C0(LOG_C0),
        .C1(LOG_C1), .C2(LOG_C2), .SCALED(0), .SUM(SUM), .COUNT(COUNT), .OUT(KEPT),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 1)
    ) logarithm (
        .clk(clk), .exponent(exp_a0), .significand(sig_a0), .index(log_index), .row(log_row),
        .negative(less), .any(any), .zeros(zeros), .y(log)
    );

    // Beside steps 1 and 2: whether the exponent is an integer, and an odd one.
    wire        fine    = exp_b0 < 8'd127;
    wire        coarse  = exp_b0 > 8'd150;
    wire [4:0]  power   = exp_b0[4:0] + 5'd1; // less the bias
    wire [23:0] shifted = sig_b0 << power;

    wire        one1, nan1, zero1, inf1, below1, minus1, fine1, coarse1;
    wire [7:0]  exp1;
    wire [23:0] sig1, shifted1;
    sluice_stage #(.WIDTH(64), .ENABLE(REGS[1])) stage1 (
        .clk(clk),
        .d({one0, nan0, zero0, inf0, below0, minus0, fine, coarse, exp_b0, sig_b0, shifted}),
        .q({one1, nan1, zero1, inf1, below1, minus1, fine1, coarse1, exp1, sig1, shifted1})
    );
    wire       between = !fine1 & !coarse1;
    wire       broken  = fine1 | (between & (|shifted1[22:0]));
    wire       odd     = between & shifted1[23] & !broken;
    wire       beyond  = zero1 | inf1;
    wire       wrong   = nan1 | (below1 & !beyond & broken);
    wire       grows1  = inf1 ^ minus1;
    wire [1:0] kind1   = {2{!one1}} & {wrong | (beyond & grows1), wrong | (beyond & !grows1)};

    wire [1:0]  kind2;
    wire        one2, sign2, minus2;
    wire [7:0]  exp2;
    wire [23:0] sig2;
    sluice_along #(.WIDTH(37), .STEPS(LOG - 1), .REGS(REGS >> 2)) along2 (
        .clk(clk), .d({kind1, one1, below1 & odd & !one1, minus1, exp1, sig1}),
        .q({kind2, one2, sign2, minus2, exp2, sig2})
    );

    // Steps LOG + 1 to LOG + 4: multiply. Beside the first: how far right the product must go from
    // its leftmost place; if it is to the left of that, the result is infinite or zero.
    wire [KEPT+23:0] product;
    wire             unused_product = |product[KEPT+23-PLACED:0];
    sluice_product #(
        .A(KEPT), .B(24), .OUT(KEPT + 24), .TILE_A(TILE_A), .TILE_B(TILE_B),
        .REGS(REGS >> (LOG + 1))
    ) multiply (.clk(clk), .a(log), .b(sig2), .y(product));

    wire [9:0] amount = {{(10 - COUNT) {1'b0}}, zeros} + 10'd127 - {2'b00, exp2};
    wire       none   = one2 | !any;
    wire       far    = amount[9] & !none & (kind2 == 2'd0);
    wire       falls  = less ^ minus2;
    wire [1:0] kind3;
    wire       sign3, falls3, none3;
    wire [5:0] amount3;
    sluice_along #(.WIDTH(11), .STEPS(4), .REGS(REGS >> (LOG + 1))) along3 (
        .clk(clk),
        .d({kind2[1] | (far & !falls), kind2[0] | (far & falls), sign2, falls,
            none | (|amount[8:6]), amount[5:0]}),
        .q({kind3, sign3, falls3, none3, amount3})
    );

    // Steps LOG + 5 to LOG + 21: the power.
    wire [INDEX-1:0]    index;
    wire [C0+C1+C2-1:0] row;
    generate
        if (NATIVE != 0) begin : native_power
            sluice_exp2_native #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                .index(index), .row(row)
            );
        end else begin : full_power
            sluice_pow_exp2 #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                .index(index), .row(row)
            );
        end
    endgenerate
    sluice_power_of_two #(
        .INTEGER(INTEGER), .INDEX(INDEX), .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2),
        .GUARD(GUARD), .GRADUAL(NATIVE == 0), .TILE_A(TILE_A), .TILE_B(TILE_B),
        .REGS(REGS >> (LOG + 5))
    ) raise (
        .clk(clk), .sign(sign3), .kind(kind3), .minus(falls3), .none(none3), .amount(amount3),
        .x(product[KEPT+23-:PLACED]), .index(index), .row(row), .y(y)
    );
endmodule

`default_nettype wire
