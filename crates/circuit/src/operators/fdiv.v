// Quotient of floats: both significands are normalised, divided a bit per step, and the quotient is
// shifted right if it is subnormal. With FTZ, subnormal operands and results are zero instead, and
// nothing is shifted.
`default_nettype none

module sluice_fdiv #(
    parameter         EXP  = 8,
    parameter         MAN  = 23,
    parameter         FTZ  = 0,
    parameter [127:0] REGS = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire [EXP+MAN:0] y
);
    localparam SIG    = MAN + 1;
    localparam COUNT  = $clog2(SIG);
    localparam WIDE   = EXP + 2;  // signed exponents
    localparam DIGITS = MAN + 3;  // before the point, fraction, one for quotients below 1, guard
    localparam SHIFT  = $clog2(DIGITS + 1);
    localparam FINE   = SHIFT / 2;
    localparam HEAD   = 3 + WIDE; // kind, sign, exponent
    localparam STATE  = HEAD + SIG + SIG + 1 + DIGITS;
    localparam [WIDE-1:0] BIAS = (1 << (EXP - 1)) - 1;
    localparam [WIDE-1:0] LAST = (1 << EXP) - 2;
    localparam [WIDE-1:0] ONE  = 1;

    // Step 0: unpack.
    wire [EXP-1:0] exp_a  = a[MAN+:EXP];
    wire [EXP-1:0] exp_b  = b[MAN+:EXP];
    wire           hid_a  = |exp_a;
    wire           hid_b  = |exp_b;
    wire           max_a  = &exp_a;
    wire           max_b  = &exp_b;
    wire           any_a  = |a[MAN-1:0];
    wire           any_b  = |b[MAN-1:0];
    wire           flush  = FTZ != 0;
    wire           zero_a = !(hid_a | (any_a & !flush));
    wire           zero_b = !(hid_b | (any_b & !flush));
    wire           nan    = (max_a & any_a) | (max_b & any_b) | (max_a & max_b)
                          | (zero_a & zero_b);
    wire           inf    = nan | max_a | zero_b;
    wire           none   = nan | (!inf & (max_b | zero_a));
    wire [WIDE-1:0] diff  = {2'b00, exp_a[EXP-1:1], exp_a[0] | !hid_a}
                          - {2'b00, exp_b[EXP-1:1], exp_b[0] | !hid_b} + BIAS;

    wire [HEAD-1:0] head0;
    wire [SIG-1:0]  a0, b0;
    sluice_stage #(.WIDTH(HEAD + 2 * SIG), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({inf, none, a[EXP+MAN] ^ b[EXP+MAN], diff, hid_a, a[MAN-1:0], hid_b, b[MAN-1:0]}),
        .q({head0, a0, b0})
    );

    // Steps 1 and 2: normalise.
    wire [(DIGITS+1)*STATE-1:0] state /*verilator split_var*/;
    generate
        if (FTZ == 0) begin : gradual
            wire [COUNT-1:0] zeros_a, zeros_b;
            wire             unused_any_a, unused_any_b;
            sluice_lzc #(.WIDTH(SIG), .COUNT(COUNT)) lzc_a (
                .x(a0), .count(zeros_a), .any(unused_any_a)
            );
            sluice_lzc #(.WIDTH(SIG), .COUNT(COUNT)) lzc_b (
                .x(b0), .count(zeros_b), .any(unused_any_b)
            );
            wire [HEAD-1:0]  head1;
            wire [SIG-1:0]   a1, b1;
            wire [COUNT-1:0] zeros_a1, zeros_b1;
            sluice_stage #(.WIDTH(HEAD + 2 * SIG + 2 * COUNT), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({head0, a0, b0, zeros_a, zeros_b}),
                .q({head1, a1, b1, zeros_a1, zeros_b1})
            );

            wire [WIDE-1:0] exponent = head1[WIDE-1:0] - {{(WIDE - COUNT) {1'b0}}, zeros_a1}
                                     + {{(WIDE - COUNT) {1'b0}}, zeros_b1};
            sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({head1[HEAD-1:WIDE], exponent, b1 << zeros_b1, 1'b0, a1 << zeros_a1,
                    {DIGITS{1'b0}}}),
                .q(state[STATE-1:0])
            );
        end else begin : flushed
            wire [HEAD-1:0] head1;
            wire [SIG-1:0]  a1, b1;
            sluice_stage #(.WIDTH(HEAD + 2 * SIG), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({head0, a0, b0}), .q({head1, a1, b1})
            );
            sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d({head1, b1, 1'b0, a1, {DIGITS{1'b0}}}), .q(state[STATE-1:0])
            );
        end
    endgenerate

    // Steps 3 to DIGITS + 2: a digit each, by subtraction if it goes.
    genvar i;
    generate
        for (i = 0; i < DIGITS; i = i + 1) begin : step
            wire [HEAD-1:0]   head    = state[i*STATE+2*SIG+1+DIGITS+:HEAD];
            wire [SIG-1:0]    divisor = state[i*STATE+SIG+1+DIGITS+:SIG];
            wire [SIG:0]      rest    = state[i*STATE+DIGITS+:SIG+1];
            wire [DIGITS-1:0] digits  = state[i*STATE+:DIGITS];
            wire [SIG+1:0]    less    = {1'b0, rest} - {2'b00, divisor};
            wire              fits    = !less[SIG+1];
            wire [SIG-1:0]    taken   = fits ? less[SIG-1:0] : rest[SIG-1:0];
            wire              unused  = less[SIG] | digits[DIGITS-1];
            sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[i+3])) stage (
                .clk(clk),
                .d({head, divisor, taken, 1'b0, digits[DIGITS-2:0], fits}),
                .q(state[(i+1)*STATE+:STATE])
            );
        end
    endgenerate

    // Step DIGITS + 3: a quotient below 1 has its highest one in the next place.
    wire [SIG-1:0]    unused_divisor = state[DIGITS*STATE+SIG+1+DIGITS+:SIG];
    wire [HEAD-1:0]   head_q         = state[DIGITS*STATE+2*SIG+1+DIGITS+:HEAD];
    wire [SIG:0]      rest_q         = state[DIGITS*STATE+DIGITS+:SIG+1];
    wire [DIGITS-1:0] digits_q       = state[DIGITS*STATE+:DIGITS];
    wire              below          = !digits_q[DIGITS-1];
    wire [WIDE-1:0]   exp_n          = head_q[WIDE-1:0] - {{(WIDE - 1) {1'b0}}, below};
    wire              tiny           = exp_n[WIDE-1] | (exp_n == {WIDE{1'b0}});
    wire              over           = !exp_n[WIDE-1] & (exp_n > LAST);
    wire [DIGITS-1:0] digits_n       = below ? {digits_q[DIGITS-2:0], 1'b0} : digits_q;
    wire              rest_n         = |rest_q;

    wire [1:0]     kind5;
    wire           sign5, guard5, sticky5;
    wire [EXP-1:0] exp5;
    wire [MAN-1:0] man5;
    generate
        if (FTZ == 0) begin : gradual_result
            wire [WIDE-1:0]   right = (ONE - exp_n) & {WIDE{tiny}};
            wire [1:0]        kind3;
            wire              sign3, lost3;
            wire [EXP-1:0]    exp3;
            wire [WIDE-1:0]   right3;
            wire [DIGITS-1:0] digits3;
            sluice_stage #(.WIDTH(4 + EXP + WIDE + DIGITS), .ENABLE(REGS[DIGITS+3])) stage3 (
                .clk(clk),
                .d({head_q[WIDE+2] | (over & !head_q[WIDE+1]), head_q[WIDE+1], head_q[WIDE],
                    exp_n[EXP-1:0] & {EXP{!tiny}}, right, digits_n, rest_n}),
                .q({kind3, sign3, exp3, right3, digits3, lost3})
            );

            // Steps DIGITS + 4 and DIGITS + 5: a subnormal quotient moves right. What is shifted
            // out altogether rounds to zero, lost bits or not.
            wire              far = |right3[WIDE-1:SHIFT];
            wire [DIGITS-1:0] coarse, digits4, fine;
            wire              coarse_lost, sign4, lost4, fine_lost;
            wire [1:0]        kind4;
            wire [EXP-1:0]    exp4;
            wire [FINE-1:0]   fine4;
            sluice_shift_sticky #(.WIDTH(DIGITS), .HIGH(SHIFT - 1), .LOW(FINE)) shift_coarse (
                .x(digits3), .lost(lost3), .amount(right3[SHIFT-1:FINE]),
                .y(coarse), .sticky(coarse_lost)
            );
            sluice_stage #(.WIDTH(4 + EXP + FINE + DIGITS), .ENABLE(REGS[DIGITS+4])) stage4 (
                .clk(clk),
                .d({kind3, sign3, exp3, right3[FINE-1:0], coarse & {DIGITS{!far}}, coarse_lost}),
                .q({kind4, sign4, exp4, fine4, digits4, lost4})
            );
            sluice_shift_sticky #(.WIDTH(DIGITS), .HIGH(FINE - 1), .LOW(0)) shift_fine (
                .x(digits4), .lost(lost4), .amount(fine4), .y(fine), .sticky(fine_lost)
            );
            wire unused_hidden = fine[DIGITS-1];
            sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[DIGITS+5])) stage5 (
                .clk(clk),
                .d({kind4, sign4, exp4, fine[2+:MAN], fine[1], fine[0] | fine_lost}),
                .q({kind5, sign5, exp5, man5, guard5, sticky5})
            );
        end else begin : flushed_result
            // What is nearest to the smallest normal number still becomes it.
            wire least    = (exp_n == {WIDE{1'b0}}) & (&digits_n[2+:MAN]);
            wire vanishes = tiny & !least;
            wire unused_hidden = digits_n[DIGITS-1];
            wire [4+EXP+MAN:0] packed3, packed4;
            sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[DIGITS+3])) stage3 (
                .clk(clk),
                .d({head_q[WIDE+2] | (over & !head_q[WIDE+1]),
                    head_q[WIDE+1] | (vanishes & !head_q[WIDE+2]), head_q[WIDE], exp_n[EXP-1:0],
                    digits_n[2+:MAN], least | digits_n[1], digits_n[0] | rest_n}),
                .q(packed3)
            );
            sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[DIGITS+4])) stage4 (
                .clk(clk), .d(packed3), .q(packed4)
            );
            sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[DIGITS+5])) stage5 (
                .clk(clk), .d(packed4), .q({kind5, sign5, exp5, man5, guard5, sticky5})
            );
        end
    endgenerate

    // Step DIGITS + 6: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign5), .exponent(exp5), .fraction(man5), .guard(guard5), .sticky(sticky5),
        .kind(kind5), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[DIGITS+6])) stage6 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
