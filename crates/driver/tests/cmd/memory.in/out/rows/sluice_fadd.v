// Sum or difference of floats. The operand of smaller magnitude is aligned with the other; the
// result is normalised as far as its exponent allows, which makes subnormals by itself.
`default_nettype none

module sluice_fadd #(
    parameter         EXP  = 8,
    parameter         MAN  = 23,
    parameter         SUB  = 0, // 1: a - b
    parameter [127:0] REGS = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire [EXP+MAN:0] y
);
    localparam SIG   = MAN + 1;              // significand with its hidden bit
    localparam ALIGN = $clog2(SIG + 3);      // bits of a useful alignment
    localparam FINE  = ALIGN / 2;
    localparam SUM   = SIG + 4;              // carry, significand, guard, round, sticky
    localparam COUNT = $clog2(SUM);

    // Step 0: compare the magnitudes and look for special operands.
    wire           sign_a = a[EXP+MAN];
    wire           sign_b = b[EXP+MAN] ^ (SUB != 0);
    wire [EXP-1:0] exp_a  = a[MAN+:EXP];
    wire [EXP-1:0] exp_b  = b[MAN+:EXP];
    wire           max_a  = &exp_a;
    wire           max_b  = &exp_b;
    wire           nan    = (max_a & (|a[MAN-1:0])) | (max_b & (|b[MAN-1:0]))
                          | (max_a & max_b & (sign_a ^ sign_b));

    wire [1:0]       kind0;
    wire             swap0, hidden_a0, hidden_b0;
    wire [EXP+MAN:0] a0, b0;
    sluice_stage #(.WIDTH(2 * (EXP + MAN + 1) + 5), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({max_a | max_b, nan, a[EXP+MAN-1:0] < b[EXP+MAN-1:0], |exp_a, |exp_b,
            sign_a, a[EXP+MAN-1:0], sign_b, b[EXP+MAN-1:0]}),
        .q({kind0, swap0, hidden_a0, hidden_b0, a0, b0})
    );

    // Step 1: order them; subnormals have the exponent of the smallest normals.
    wire [EXP-1:0] exp_large  = swap0 ? b0[MAN+:EXP] : a0[MAN+:EXP];
    wire [EXP-1:0] exp_small  = swap0 ? a0[MAN+:EXP] : b0[MAN+:EXP];
    wire           hid_large  = swap0 ? hidden_b0 : hidden_a0;
    wire           hid_small  = swap0 ? hidden_a0 : hidden_b0;
    wire [EXP-1:0] exp_large1 = {exp_large[EXP-1:1], exp_large[0] | !hid_large};
    wire [EXP-1:0] exp_small1 = {exp_small[EXP-1:1], exp_small[0] | !hid_small};
    wire [SIG-1:0] sig_large  = {hid_large, swap0 ? b0[MAN-1:0] : a0[MAN-1:0]};
    wire [SIG-1:0] sig_small  = {hid_small, swap0 ? a0[MAN-1:0] : b0[MAN-1:0]};

    wire [1:0]     kind1;
    wire           sign1, minus1;
    wire [EXP-1:0] exp1, diff1;
    wire [SIG-1:0] large1, small1;
    sluice_stage #(.WIDTH(4 + 2 * EXP + 2 * SIG), .ENABLE(REGS[1])) stage1 (
        .clk(clk),
        .d({kind0, swap0 ? b0[EXP+MAN] : a0[EXP+MAN], a0[EXP+MAN] ^ b0[EXP+MAN],
            exp_large1, exp_large1 - exp_small1, sig_large, sig_small}),
        .q({kind1, sign1, minus1, exp1, diff1, large1, small1})
    );

    // Steps 2 and 3: align the smaller significand, coarsely and finely. One that is far away cannot
    // change the rounded sum, lost bits or not.
    wire             far = |diff1[EXP-1:ALIGN];
    wire [SIG+1:0]   coarse;
    wire             coarse_lost;
    sluice_shift_sticky #(.WIDTH(SIG + 2), .HIGH(ALIGN - 1), .LOW(FINE)) align_coarse (
        .x({small1, 2'b00}), .lost(1'b0), .amount(diff1[ALIGN-1:FINE]),
        .y(coarse), .sticky(coarse_lost)
    );

    wire [1:0]      kind2;
    wire            sign2, minus2, lost2;
    wire [EXP-1:0]  exp2;
    wire [FINE-1:0] fine2;
    wire [SIG-1:0]  large2;
    wire [SIG+1:0]  small2;
    sluice_stage #(.WIDTH(7 + EXP + FINE + 2 * SIG), .ENABLE(REGS[2])) stage2 (
        .clk(clk),
        .d({kind1, sign1, minus1, exp1, diff1[FINE-1:0], large1,
            coarse & {(SIG + 2) {!far}}, coarse_lost}),
        .q({kind2, sign2, minus2, exp2, fine2, large2, small2, lost2})
    );

    wire [SIG+1:0] fine;
    wire           fine_lost;
    sluice_shift_sticky #(.WIDTH(SIG + 2), .HIGH(FINE - 1), .LOW(0)) align_fine (
        .x(small2), .lost(lost2), .amount(fine2), .y(fine), .sticky(fine_lost)
    );

    wire [1:0]     kind3;
    wire           sign3, minus3;
    wire [EXP-1:0] exp3;
    wire [SIG-1:0] large3;
    wire [SIG+2:0] small3;
    sluice_stage #(.WIDTH(7 + EXP + 2 * SIG), .ENABLE(REGS[3])) stage3 (
        .clk(clk),
        .d({kind2, sign2, minus2, exp2, large2, {fine, fine_lost} ^ {(SIG + 3) {minus2}}}),
        .q({kind3, sign3, minus3, exp3, large3, small3})
    );

    // Step 4: add; a difference of magnitudes is never negative, so its carry is dropped.
    wire [SUM:0]   total = {1'b0, large3, 3'b000, 1'b1} + {minus3, small3, minus3};
    wire [1:0]     kind4;
    wire           sign4, minus4;
    wire [EXP-1:0] exp4;
    wire [SUM-1:0] sum4;
    sluice_stage #(.WIDTH(4 + EXP + SUM), .ENABLE(REGS[4])) stage4 (
        .clk(clk),
        .d({kind3, sign3, minus3, exp3, total[SUM:1]}),
        .q({kind4, sign4, minus4, exp4, sum4})
    );
    wire unused_carry_in = total[0];

    // Step 5: find the highest one.
    wire [COUNT-1:0] zeros;
    wire             any;
    sluice_lzc #(.WIDTH(SUM), .COUNT(COUNT)) lzc (.x(sum4), .count(zeros), .any(any));

    wire [1:0]       kind5;
    wire             sign5, any5;
    wire [EXP-1:0]   exp5;
    wire [SUM-1:0]   sum5;
    wire [COUNT-1:0] zeros5;
    sluice_stage #(.WIDTH(4 + EXP + SUM + COUNT), .ENABLE(REGS[5])) stage5 (
        .clk(clk),
        .d({kind4, sign4 & (any | !minus4), any, exp4, sum4, zeros}),
        .q({kind5, sign5, any5, exp5, sum5, zeros5})
    );

    // Step 6: normalise only as far as the exponent stays positive.
    wire [EXP:0]     left    = {1'b0, exp5} - {{(EXP + 1 - COUNT) {1'b0}}, zeros5};
    wire             limited = left[EXP];
    wire [EXP:0]     raised  = left + {{EXP{1'b0}}, 1'b1};
    wire             normal  = any5 & !limited;

    wire [1:0]       kind6;
    wire             sign6;
    wire [EXP-1:0]   exp6;
    wire [SUM-1:0]   sum6;
    wire [COUNT-1:0] shift6;
    sluice_stage #(.WIDTH(3 + EXP + SUM + COUNT), .ENABLE(REGS[6])) stage6 (
        .clk(clk),
        .d({kind5[1] | (normal & (&raised[EXP-1:0])), kind5[0], sign5,
            raised[EXP-1:0] & {EXP{normal}}, sum5, limited ? exp5[COUNT-1:0] : zeros5}),
        .q({kind6, sign6, exp6, sum6, shift6})
    );
    wire unused_top = raised[EXP];

    // Step 7: shift.
    wire [SUM-1:0] shifted = sum6 << shift6;
    wire [1:0]     kind7;
    wire           sign7, guard7, sticky7;
    wire [EXP-1:0] exp7;
    wire [MAN-1:0] man7;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[7])) stage7 (
        .clk(clk),
        .d({kind6, sign6, exp6, shifted[4+:MAN], shifted[3], |shifted[2:0]}),
        .q({kind7, sign7, exp7, man7, guard7, sticky7})
    );
    wire unused_hidden = shifted[SUM-1];

    // Step 8: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign7), .exponent(exp7), .fraction(man7), .guard(guard7), .sticky(sticky7),
        .kind(kind7), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[8])) stage8 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
