// Product of floats. At most one operand's leading zeros matter: two subnormals multiply to
// nothing. They are counted while the multiplier works, and the product is then shifted once, left
// for a subnormal operand, right for a subnormal result, or both at a time. With FTZ, subnormal
// operands and results are zero instead, and there is neither count nor shift.
`default_nettype none

module sluice_fmul #(
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
    output wire [EXP+MAN:0] y
);
    localparam SIG    = MAN + 1;
    localparam COUNT  = $clog2(SIG);
    localparam WIDE   = EXP + 2;           // signed exponents
    localparam PLACED = 2 * SIG + 2;       // the product, shifted left as far as ever needed
    localparam SHIFT  = $clog2(PLACED + 1);
    localparam FINE   = SHIFT / 2;
    localparam [WIDE-1:0] BIAS = (1 << (EXP - 1)) - 1;
    localparam [WIDE-1:0] LAST = (1 << EXP) - 2; // the exponent of the largest numbers
    localparam [WIDE-1:0] ONE  = 1;
    localparam [WIDE-1:0] FULL = SIG;

    // Step 0: unpack; subnormals have the exponent of the smallest normals.
    wire [EXP-1:0] exp_a  = a[MAN+:EXP];
    wire [EXP-1:0] exp_b  = b[MAN+:EXP];
    wire           hid_a  = |exp_a;
    wire           hid_b  = |exp_b;
    wire           max_a  = &exp_a;
    wire           max_b  = &exp_b;
    wire           any_a  = |a[MAN-1:0];
    wire           any_b  = |b[MAN-1:0];
    wire           flush  = FTZ != 0;
    wire           zero   = !(hid_a | (any_a & !flush)) | !(hid_b | (any_b & !flush));
    wire           nan    = (max_a & any_a) | (max_b & any_b) | ((max_a | max_b) & zero);
    wire           inf    = max_a | max_b;
    wire [SIG-1:0] sig_a  = {hid_a, a[MAN-1:0]};
    wire [SIG-1:0] sig_b  = {hid_b, b[MAN-1:0]};
    wire [WIDE-1:0] sum   = {2'b00, exp_a[EXP-1:1], exp_a[0] | !hid_a}
                          + {2'b00, exp_b[EXP-1:1], exp_b[0] | !hid_b} - BIAS;

    wire [1:0]      kind0;
    wire            sign0;
    wire [WIDE-1:0] exp0;
    wire [SIG-1:0]  a0, b0;
    sluice_stage #(.WIDTH(3 + WIDE + 2 * SIG), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({inf, nan | (zero & !inf), a[EXP+MAN] ^ b[EXP+MAN], sum, sig_a, sig_b}),
        .q({kind0, sign0, exp0, a0, b0})
    );

    // Steps 1 to 4: multiply.
    wire [2*SIG-1:0] product4;
    sluice_product #(
        .A(SIG), .B(SIG), .OUT(2 * SIG), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 1)
    ) multiply (.clk(clk), .a(a0), .b(b0), .y(product4));

    wire [1:0]      kind6;
    wire            sign6, lost6;
    wire [WIDE-1:0] exp6;
    wire [SIG+1:0]  sig6;
    generate
        if (FTZ == 0) begin : gradual
            // Beside step 1: the leading zeros of the operand that may be subnormal.
            wire [COUNT-1:0] zeros;
            wire             unused_any;
            sluice_lzc #(.WIDTH(SIG), .COUNT(COUNT)) lzc (
                .x(a0[SIG-1] ? b0 : a0), .count(zeros), .any(unused_any)
            );
            wire [1:0]       kind1;
            wire             sign1;
            wire [WIDE-1:0]  exp1;
            wire [COUNT-1:0] zeros1;
            sluice_stage #(.WIDTH(3 + WIDE + COUNT), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0, zeros}), .q({kind1, sign1, exp1, zeros1})
            );

            // Beside step 2: the result's exponent, and how far right the product must go from its
            // leftmost place. The left shift undoes the leading zeros but stops at the least exponent.
            wire [WIDE-1:0] wide_zeros = {{(WIDE - COUNT) {1'b0}}, zeros1};
            wire [WIDE-1:0] above      = exp1 - ONE - wide_zeros;
            wire            tiny       = above[WIDE-1];
            wire [WIDE-1:0] base       = tiny ? ONE : above + ONE;
            wire [WIDE-1:0] right      = FULL - (tiny ? exp1 - ONE : wide_zeros);

            wire [1:0]      kind2, kind3, kind4;
            wire            sign2, sign3, sign4;
            wire [WIDE-1:0] exp2, exp3, exp4, right2, right3, right4;
            sluice_stage #(.WIDTH(3 + 2 * WIDE), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d({kind1, sign1, base, right}), .q({kind2, sign2, exp2, right2})
            );
            sluice_stage #(.WIDTH(3 + 2 * WIDE), .ENABLE(REGS[3])) stage3 (
                .clk(clk), .d({kind2, sign2, exp2, right2}), .q({kind3, sign3, exp3, right3})
            );
            sluice_stage #(.WIDTH(3 + 2 * WIDE), .ENABLE(REGS[4])) stage4 (
                .clk(clk), .d({kind3, sign3, exp3, right3}), .q({kind4, sign4, exp4, right4})
            );

            // Steps 5 and 6: shift, coarsely and finely; the low SIG + 2 bits are kept. What
            // is shifted out altogether rounds to zero, lost bits or not.
            wire [PLACED-1:0] coarse;
            wire              coarse_lost;
            sluice_shift_sticky #(.WIDTH(PLACED), .HIGH(SHIFT - 1), .LOW(FINE)) shift_coarse (
                .x({product4, 2'b00}), .lost(1'b0), .amount(right4[SHIFT-1:FINE]),
                .y(coarse), .sticky(coarse_lost)
            );
            wire far;
                if (WIDE > SHIFT) begin : may_be_far
                    assign far = |right4[WIDE-1:SHIFT];
                end else begin : never_far
                    assign far = 1'b0;
                end

            wire [1:0]        kind5;
            wire              sign5, lost5;
            wire [WIDE-1:0]   exp5;
            wire [FINE-1:0]   fine5;
            wire [PLACED-1:0] placed5;
            sluice_stage #(.WIDTH(4 + WIDE + FINE + PLACED), .ENABLE(REGS[5])) stage5 (
                .clk(clk),
                .d({kind4, sign4, exp4, right4[FINE-1:0],
                    coarse & {PLACED{!far}}, coarse_lost}),
                .q({kind5, sign5, exp5, fine5, placed5, lost5})
            );

            wire [PLACED-1:0] fine;
            wire              fine_lost;
            sluice_shift_sticky #(.WIDTH(PLACED), .HIGH(FINE - 1), .LOW(0)) shift_fine (
                .x(placed5), .lost(lost5), .amount(fine5), .y(fine), .sticky(fine_lost)
            );
            wire unused_high = |fine[PLACED-1:SIG+2];

            sluice_stage #(.WIDTH(6 + WIDE + SIG), .ENABLE(REGS[6])) stage6 (
                .clk(clk),
                .d({kind5, sign5, exp5, fine[SIG+1:0], fine_lost}),
                .q({kind6, sign6, exp6, sig6, lost6})
            );
        end else begin : flushed
            wire [2:0]      head1, head2, head3, head4, head5;
            wire [WIDE-1:0] exp1, exp2, exp3, exp4, exp5;
            wire [SIG+1:0]  sig5;
            wire            lost5;
            sluice_stage #(.WIDTH(3 + WIDE), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0}), .q({head1, exp1})
            );
            sluice_stage #(.WIDTH(3 + WIDE), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d({head1, exp1}), .q({head2, exp2})
            );
            sluice_stage #(.WIDTH(3 + WIDE), .ENABLE(REGS[3])) stage3 (
                .clk(clk), .d({head2, exp2}), .q({head3, exp3})
            );
            sluice_stage #(.WIDTH(3 + WIDE), .ENABLE(REGS[4])) stage4 (
                .clk(clk), .d({head3, exp3}), .q({head4, exp4})
            );
            sluice_stage #(.WIDTH(6 + WIDE + SIG), .ENABLE(REGS[5])) stage5 (
                .clk(clk),
                .d({head4, exp4, product4[2*SIG-1:SIG-2], |product4[SIG-3:0]}),
                .q({head5, exp5, sig5, lost5})
            );
            sluice_stage #(.WIDTH(6 + WIDE + SIG), .ENABLE(REGS[6])) stage6 (
                .clk(clk), .d({head5, exp5, sig5, lost5}),
                .q({kind6, sign6, exp6, sig6, lost6})
            );
        end
    endgenerate

    // Step 7: the product of significands is between 1 and 4, or less than 1 if it is subnormal.
    wire            two    = sig6[SIG+1];
    wire            one    = sig6[SIG];
    wire [WIDE-1:0] next   = exp6 + {{(WIDE - 1) {1'b0}}, two};
    wire            low    = next[WIDE-1];
    wire            over   = !low & (next > LAST);
    wire [MAN-1:0]  man    = two ? sig6[SIG:2] : sig6[SIG-1:1];
    // Without subnormals, what is nearest to the smallest normal number still becomes it.
    wire            least  = (FTZ != 0) & (next == {WIDE{1'b0}}) & (&man);
    wire            none   = (FTZ != 0) & !least & (low | (next == {WIDE{1'b0}}));

    wire [1:0]     kind7;
    wire           sign7, guard7, sticky7;
    wire [EXP-1:0] exp7;
    wire [MAN-1:0] man7;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[7])) stage7 (
        .clk(clk),
        .d({kind6[1] | (over & !kind6[0]), kind6[0] | (none & !kind6[1]), sign6,
            next[EXP-1:0] & {EXP{one | two}}, man,
            least | (two ? sig6[1] : sig6[0]),
            lost6 | (two & sig6[0])}),
        .q({kind7, sign7, exp7, man7, guard7, sticky7})
    );

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
