// Product plus addend of floats, rounded once. The addend is shifted right along a field that holds
// it above the whole product; where it is far larger, the product stays below as if it were closer,
// which rounds the same. With FTZ, subnormal operands and results are zero instead: no factor is
// normalised, and no sum stops short of it.
`default_nettype none

module sluice_fma #(
    parameter         EXP    = 8,
    parameter         MAN    = 23,
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter         FTZ    = 0,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    input  wire [EXP+MAN:0] c,
    output wire [EXP+MAN:0] y
);
    localparam SIG    = MAN + 1;
    localparam COUNT  = $clog2(SIG);
    localparam WIDE   = EXP + 2;         // signed exponents
    localparam FIELD  = 3 * SIG + 2;     // addend, two bits of distance, product
    localparam ALIGN  = $clog2(FIELD + 1);
    localparam FINE   = ALIGN / 2;
    localparam ZEROS  = $clog2(FIELD);
    localparam LOW    = ZEROS / 2;
    localparam [WIDE-1:0] BIAS  = (1 << (EXP - 1)) - 1;
    localparam [WIDE-1:0] ABOVE = SIG + 3; // the field's top is so far above the product's unit
    localparam [WIDE-1:0] LAST  = (1 << EXP) - 2;
    localparam [WIDE-1:0] ONE   = 1;

    // Step 0: unpack; subnormals have the exponent of the smallest normals.
    wire [EXP-1:0] exp_a  = a[MAN+:EXP];
    wire [EXP-1:0] exp_b  = b[MAN+:EXP];
    wire [EXP-1:0] exp_c  = c[MAN+:EXP];
    wire           hid_a  = |exp_a;
    wire           hid_b  = |exp_b;
    wire           hid_c  = |exp_c;
    wire           max_a  = &exp_a;
    wire           max_b  = &exp_b;
    wire           max_c  = &exp_c;
    wire           any_a  = |a[MAN-1:0];
    wire           any_b  = |b[MAN-1:0];
    wire           any_c  = |c[MAN-1:0];
    wire           flush  = FTZ != 0;
    wire           zero   = !(hid_a | (any_a & !flush)) | !(hid_b | (any_b & !flush));
    // One factor's zero is enough for the product's.
    wire [SIG-1:0] sig_a  = {hid_a, a[MAN-1:0]} & {SIG{!(zero & flush)}};
    wire [SIG-1:0] sig_b  = {hid_b, b[MAN-1:0]};
    wire [SIG-1:0] sig_c  = {hid_c, c[MAN-1:0] & {MAN{hid_c | !flush}}};
    wire           sign_p = a[EXP+MAN] ^ b[EXP+MAN];
    wire           minus  = sign_p ^ c[EXP+MAN];
    wire           max_p  = max_a | max_b;
    wire           nan    = (max_a & any_a) | (max_b & any_b) | (max_c & any_c)
                          | (max_p & zero) | (max_p & max_c & minus);
    wire [WIDE-1:0] sum   = {2'b00, exp_a[EXP-1:1], exp_a[0] | !hid_a}
                          + {2'b00, exp_b[EXP-1:1], exp_b[0] | !hid_b} - BIAS;

    // Infinities have the sign of the infinite side.
    wire [1:0]      kind0;
    wire            sign0, minus0, zero0;
    wire [WIDE-1:0] exp0;
    wire [EXP-1:0]  exp_c0;
    wire [SIG-1:0]  a0, b0, c0;
    sluice_stage #(.WIDTH(5 + WIDE + EXP + 3 * SIG), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({max_p | max_c, nan, max_c ? c[EXP+MAN] : sign_p, minus, zero, sum,
            exp_c[EXP-1:1], exp_c[0] | !hid_c,
            sig_a, sig_b, sig_c}),
        .q({kind0, sign0, minus0, zero0, exp0, exp_c0, a0, b0, c0})
    );

    // Steps 1 and 2: normalise the factor that may be subnormal. If both are, the product is too
    // small to be seen in any place.
    wire [1:0]      kind2;
    wire            sign2, minus2, zero2;
    wire [WIDE-1:0] exp2;
    wire [EXP-1:0]  exp_c2;
    wire [SIG-1:0]  a2, b2, c2;
    generate
        if (FTZ == 0) begin : gradual
            wire [SIG-1:0]   factor = a0[SIG-1] ? b0 : a0;
            wire [SIG-1:0]   other  = a0[SIG-1] ? a0 : b0;
            wire [COUNT-1:0] zeros;
            wire             unused_any;
            sluice_lzc #(.WIDTH(SIG), .COUNT(COUNT)) lzc (.x(factor), .count(zeros), .any(unused_any));

            wire [1:0]       kind1;
            wire             sign1, minus1, zero1;
            wire [WIDE-1:0]  exp1;
            wire [EXP-1:0]   exp_c1;
            wire [SIG-1:0]   a1, b1, c1;
            wire [COUNT-1:0] zeros1;
            sluice_stage #(.WIDTH(5 + WIDE + EXP + 3 * SIG + COUNT), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, minus0, zero0, exp0, exp_c0, factor, other, c0, zeros}),
                .q({kind1, sign1, minus1, zero1, exp1, exp_c1, a1, b1, c1, zeros1})
            );

            sluice_stage #(.WIDTH(5 + WIDE + EXP + 3 * SIG), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({kind1, sign1, minus1, zero1, exp1 - {{(WIDE - COUNT) {1'b0}}, zeros1} + ABOVE,
                    exp_c1, a1 << zeros1, b1, c1}),
                .q({kind2, sign2, minus2, zero2, exp2, exp_c2, a2, b2, c2})
            );
        end else begin : flushed
            wire [4+EXP+3*SIG:0] rest1;
            wire [WIDE-1:0]      exp1;
            sluice_stage #(.WIDTH(5 + WIDE + EXP + 3 * SIG), .ENABLE(REGS[1])) stage1 (
                .clk(clk),
                .d({exp0 + ABOVE, kind0, sign0, minus0, zero0, exp_c0, a0, b0, c0}),
                .q({exp1, rest1})
            );
            sluice_stage #(.WIDTH(5 + WIDE + EXP + 3 * SIG), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d({exp1, rest1}),
                .q({exp2, kind2, sign2, minus2, zero2, exp_c2, a2, b2, c2})
            );
        end
    endgenerate

    // Steps 3 to 6: multiply.
    wire [2*SIG-1:0] product6;
    sluice_product #(
        .A(SIG), .B(SIG), .OUT(2 * SIG), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 3)
    ) multiply (.clk(clk), .a(a2), .b(b2), .y(product6));

    // Beside step 3: the field's exponent, and how far the addend is below its top.
    wire [WIDE-1:0] wide_c = {2'b00, exp_c2};
    wire [WIDE-1:0] right  = exp2 - wide_c;
    wire            ahead  = right[WIDE-1] | zero2;
    wire [1:0]      kind3;
    wire            sign3, minus3;
    wire [WIDE-1:0] exp3, right3;
    wire [SIG-1:0]  c3;
    sluice_stage #(.WIDTH(4 + 2 * WIDE + SIG), .ENABLE(REGS[3])) stage3 (
        .clk(clk),
        .d({kind2, sign2, minus2, ahead ? wide_c : exp2, right & {WIDE{!ahead}}, c2}),
        .q({kind3, sign3, minus3, exp3, right3, c3})
    );

    // Beside steps 4 and 5: shift the addend.
    wire [FIELD-1:0] coarse, fine, addend4;
    wire             coarse_lost, fine_lost, lost4;
    wire             far;
    generate
        if (WIDE > ALIGN) begin : may_be_far
            assign far = |right3[WIDE-1:ALIGN];
        end else begin : never_far
            assign far = 1'b0;
        end
    endgenerate
    sluice_shift_sticky #(.WIDTH(FIELD), .HIGH(ALIGN - 1), .LOW(FINE)) align_coarse (
        .x({c3, {(2 * SIG + 2) {1'b0}}}), .lost(1'b0), .amount(right3[ALIGN-1:FINE]),
        .y(coarse), .sticky(coarse_lost)
    );
    wire [1:0]      kind4;
    wire            sign4, minus4;
    wire [WIDE-1:0] exp4;
    wire [FINE-1:0] fine4;
    sluice_stage #(.WIDTH(5 + WIDE + FINE + FIELD), .ENABLE(REGS[4])) stage4 (
        .clk(clk),
        .d({kind3, sign3, minus3, exp3, right3[FINE-1:0],
            coarse & {FIELD{!far}}, far ? |c3 : coarse_lost}),
        .q({kind4, sign4, minus4, exp4, fine4, addend4, lost4})
    );
    sluice_shift_sticky #(.WIDTH(FIELD), .HIGH(FINE - 1), .LOW(0)) align_fine (
        .x(addend4), .lost(lost4), .amount(fine4), .y(fine), .sticky(fine_lost)
    );

    wire [1:0]       kind5, kind6;
    wire             sign5, minus5, lost5, sign6, minus6, lost6;
    wire [WIDE-1:0]  exp5, exp6;
    wire [FIELD-1:0] addend5, addend6;
    sluice_stage #(.WIDTH(5 + WIDE + FIELD), .ENABLE(REGS[5])) stage5 (
        .clk(clk), .d({kind4, sign4, minus4, exp4, fine ^ {FIELD{minus4}}, fine_lost}),
        .q({kind5, sign5, minus5, exp5, addend5, lost5})
    );
    sluice_stage #(.WIDTH(5 + WIDE + FIELD), .ENABLE(REGS[6])) stage6 (
        .clk(clk), .d({kind5, sign5, minus5, exp5, addend5, lost5}),
        .q({kind6, sign6, minus6, exp6, addend6, lost6})
    );

    // Step 7: add the addend or its complement, without and with the one that makes the complement exact.
    // That one is missing if something of the addend was lost.
    wire [FIELD:0]   product = {{(FIELD + 1 - 2 * SIG) {1'b0}}, product6};
    wire [FIELD:0]   total   = product + {1'b0, addend6};
    wire [FIELD-1:0] exact   = product[FIELD-1:0] + addend6 + {{(FIELD - 1) {1'b0}}, minus6 & !lost6};
    wire [1:0]       kind7;
    wire             sign7, minus7, lost7, carry7;
    wire [WIDE-1:0]  exp7;
    wire [FIELD-1:0] sum7, exact7;
    sluice_stage #(.WIDTH(6 + WIDE + 2 * FIELD), .ENABLE(REGS[7])) stage7 (
        .clk(clk), .d({kind6, sign6, minus6, exp6, lost6, total, exact}),
        .q({kind7, sign7, minus7, exp7, lost7, carry7, sum7, exact7})
    );

    // Step 8: a difference without carry is negative, the complement of the first sum its magnitude, and the
    // addend's sign wins.
    wire             other_sign = minus7 & !carry7;
    wire [FIELD-1:0] size       = other_sign ? ~sum7 : exact7;
    wire [1:0]       kind8;
    wire             sign8, minus8, lost8;
    wire [WIDE-1:0]  exp8;
    wire [FIELD-1:0] size8;
    sluice_stage #(.WIDTH(5 + WIDE + FIELD), .ENABLE(REGS[8])) stage8 (
        .clk(clk), .d({kind7, sign7 ^ (other_sign & !kind7[1]), minus7, exp7, lost7, size}),
        .q({kind8, sign8, minus8, exp8, lost8, size8})
    );

    // Step 9: find the highest one; an exact zero of a difference is positive.
    wire [ZEROS-1:0] blank;
    wire             any;
    sluice_lzc #(.WIDTH(FIELD), .COUNT(ZEROS)) lzc_sum (.x(size8), .count(blank), .any(any));
    wire [1:0]       kind9;
    wire             sign9, any9, lost9;
    wire [WIDE-1:0]  exp9;
    wire [ZEROS-1:0] blank9;
    wire [FIELD-1:0] size9;
    sluice_stage #(.WIDTH(5 + WIDE + ZEROS + FIELD), .ENABLE(REGS[9])) stage9 (
        .clk(clk),
        .d({kind8, sign8 & (any | lost8 | !minus8 | kind8[1]), any, exp8, lost8, blank, size8}),
        .q({kind9, sign9, any9, exp9, lost9, blank9, size9})
    );

    // Step 10: normalise only as far as the exponent stays positive, or with FTZ to the end.
    wire [WIDE-1:0]  left    = exp9 - {{(WIDE - ZEROS) {1'b0}}, blank9};
    wire             limited = left[WIDE-1] | (left == {WIDE{1'b0}});
    wire             normal  = any9 & !limited;
    wire [WIDE-1:0]  most    = exp9 - ONE;
    wire             unused_most = |most[WIDE-1:ZEROS];
    wire             stops   = limited & (FTZ == 0);
    wire             none    = left[WIDE-1] & (FTZ != 0) & !kind9[1];
    wire [1:0]       kind10;
    wire             sign10, lost10;
    wire [EXP-1:0]   exp10;
    wire [ZEROS-1:0] shift10;
    wire [FIELD-1:0] size10;
    sluice_stage #(.WIDTH(4 + EXP + ZEROS + FIELD), .ENABLE(REGS[10])) stage10 (
        .clk(clk),
        .d({kind9[1] | (normal & (left > LAST)), kind9[0] | none, sign9,
            left[EXP-1:0] & {EXP{normal}}, lost9, stops ? most[ZEROS-1:0] : blank9, size9}),
        .q({kind10, sign10, exp10, lost10, shift10, size10})
    );

    // Steps 11 and 12: shift, coarsely and finely.
    wire [1:0]       kind11;
    wire             sign11, lost11;
    wire [EXP-1:0]   exp11;
    wire [LOW-1:0]   shift11;
    wire [FIELD-1:0] size11;
    sluice_stage #(.WIDTH(4 + EXP + LOW + FIELD), .ENABLE(REGS[11])) stage11 (
        .clk(clk),
        .d({kind10, sign10, exp10, lost10, shift10[LOW-1:0],
            size10 << {shift10[ZEROS-1:LOW], {LOW{1'b0}}}}),
        .q({kind11, sign11, exp11, lost11, shift11, size11})
    );
    wire [FIELD-1:0] final_size = size11 << shift11;
    wire             unused_hidden = final_size[FIELD-1];
    // With FTZ, what is nearest to the smallest normal number still becomes it.
    wire             below = (FTZ != 0) & (exp11 == {EXP{1'b0}}) & !kind11[1];
    wire             least = &final_size[FIELD-1-:SIG];

    wire [1:0]     kind12;
    wire           sign12, guard12, sticky12;
    wire [EXP-1:0] exp12;
    wire [MAN-1:0] man12;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[12])) stage12 (
        .clk(clk),
        .d({kind11[1], kind11[0] | (below & !least), sign11, exp11, final_size[FIELD-2-:MAN],
            below | final_size[FIELD-2-MAN],
            lost11 | (|final_size[FIELD-3-MAN:0])}),
        .q({kind12, sign12, exp12, man12, guard12, sticky12})
    );

    // Step 13: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign12), .exponent(exp12), .fraction(man12), .guard(guard12), .sticky(sticky12),
        .kind(kind12), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[13])) stage13 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
