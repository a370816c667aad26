// A float in a wider or a narrower format. Widening is exact, narrowing rounds.
`default_nettype none

module sluice_ftof #(
    parameter         EXP_A = 8,
    parameter         MAN_A = 23,
    parameter         EXP_Y = 11,
    parameter         MAN_Y = 52,
    parameter [127:0] REGS  = 128'd0
) (
    input  wire                 clk,
    input  wire [EXP_A+MAN_A:0] a,
    output wire [EXP_Y+MAN_Y:0] y
);
    localparam EXP   = EXP_A > EXP_Y ? EXP_A : EXP_Y;
    localparam WIDE  = EXP + 2;
    localparam [WIDE-1:0] BIAS_A = (1 << (EXP_A - 1)) - 1;
    localparam [WIDE-1:0] BIAS_Y = (1 << (EXP_Y - 1)) - 1;
    localparam [WIDE-1:0] LAST   = (1 << EXP_Y) - 2;
    localparam [WIDE-1:0] ONE    = 1;

    wire [EXP_A-1:0] exp_a = a[MAN_A+:EXP_A];
    wire             sign  = a[EXP_A+MAN_A];
    wire             hid   = |exp_a;
    wire             max   = &exp_a;
    wire             any   = |a[MAN_A-1:0];
    wire             none  = max ? any : !(hid | any); // not a number, or zero
    wire [WIDE-1:0]  moved = {{(WIDE - EXP_A) {1'b0}}, exp_a} + BIAS_Y - BIAS_A;

    generate
        if (MAN_Y > MAN_A) begin : widen
            localparam COUNT = $clog2(MAN_A);

            // Step 0: find the highest one of a subnormal, which becomes the hidden bit.
            wire [COUNT-1:0] zeros;
            wire             unused_any;
            sluice_lzc #(.WIDTH(MAN_A), .COUNT(COUNT)) lzc (
                .x(a[MAN_A-1:0]), .count(zeros), .any(unused_any)
            );
            wire [1:0]       kind0;
            wire             sign0, hid0;
            wire [WIDE-1:0]  exp0;
            wire [COUNT-1:0] zeros0;
            wire [MAN_A-1:0] man0;
            sluice_stage #(.WIDTH(4 + WIDE + COUNT + MAN_A), .ENABLE(REGS[0])) stage0 (
                .clk(clk), .d({max, none, sign, hid, moved, zeros, a[MAN_A-1:0]}),
                .q({kind0, sign0, hid0, exp0, zeros0, man0})
            );

            // Step 1: shift it there.
            wire [WIDE-1:0]  exponent = exp0
                                      - (hid0 ? {WIDE{1'b0}} : {{(WIDE - COUNT) {1'b0}}, zeros0});
            wire             unused   = |exponent[WIDE-1:EXP_Y];
            wire [MAN_A-1:0] shifted  = {man0[MAN_A-2:0], 1'b0} << zeros0;
            wire [1:0]       kind1;
            wire             sign1;
            wire [EXP_Y-1:0] exp1;
            wire [MAN_A-1:0] man1;
            sluice_stage #(.WIDTH(3 + EXP_Y + MAN_A), .ENABLE(REGS[1])) stage1 (
                .clk(clk),
                .d({kind0, sign0, exponent[EXP_Y-1:0], hid0 ? man0 : shifted}),
                .q({kind1, sign1, exp1, man1})
            );

            // Step 2: pack.
            wire [EXP_Y+MAN_Y-1:0] finite  = {exp1, man1, {(MAN_Y - MAN_A) {1'b0}}};
            wire [EXP_Y+MAN_Y-1:0] special = {{EXP_Y{kind1[1]}}, kind1[1] & kind1[0],
                                              {(MAN_Y - 1) {1'b0}}};
            sluice_stage #(.WIDTH(EXP_Y + MAN_Y + 1), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({sign1 & (kind1 != 2'd3), kind1 == 2'd0 ? finite : special}), .q(y)
            );
            wire unused_last = |{LAST, ONE};
        end else begin : narrow
            localparam FIELD = MAN_Y + 2; // significand and guard
            localparam SHIFT = $clog2(FIELD + 1);

            // Step 0: a subnormal result moves right.
            wire            tiny  = moved[WIDE-1] | (moved == {WIDE{1'b0}});
            wire            over  = !moved[WIDE-1] & (moved > LAST);
            wire [WIDE-1:0] right = (ONE - moved) & {WIDE{tiny}};
            wire [1:0]       kind0;
            wire             sign0, lost0, far0;
            wire [EXP_Y-1:0] exp0;
            wire [SHIFT-1:0] right0;
            wire [FIELD-1:0] field0;
            sluice_stage #(.WIDTH(5 + EXP_Y + SHIFT + FIELD), .ENABLE(REGS[0])) stage0 (
                .clk(clk),
                .d({max | (over & !none), none, sign, |right[WIDE-1:SHIFT],
                    moved[EXP_Y-1:0] & {EXP_Y{!tiny}}, right[SHIFT-1:0],
                    hid, a[MAN_A-1-:FIELD-1], |a[MAN_A-FIELD:0]}),
                .q({kind0, sign0, far0, exp0, right0, field0, lost0})
            );

            // Step 1: shift.
            wire [FIELD-1:0] shifted;
            wire             sticky;
            sluice_shift_sticky #(.WIDTH(FIELD), .HIGH(SHIFT - 1), .LOW(0)) shift (
                .x(field0), .lost(lost0), .amount(right0), .y(shifted), .sticky(sticky)
            );
            wire             unused = shifted[FIELD-1];
            wire [1:0]       kind1;
            wire             sign1, guard1, sticky1;
            wire [EXP_Y-1:0] exp1;
            wire [MAN_Y-1:0] man1;
            sluice_stage #(.WIDTH(5 + EXP_Y + MAN_Y), .ENABLE(REGS[1])) stage1 (
                .clk(clk),
                .d({kind0, sign0, exp0, shifted[FIELD-2:0] & {(FIELD - 1) {!far0}}, sticky}),
                .q({kind1, sign1, exp1, man1, guard1, sticky1})
            );

            // Step 2: round.
            wire [EXP_Y+MAN_Y:0] rounded;
            sluice_round #(.EXP(EXP_Y), .MAN(MAN_Y)) round (
                .sign(sign1), .exponent(exp1), .fraction(man1), .guard(guard1),
                .sticky(sticky1), .kind(kind1), .y(rounded)
            );
            sluice_stage #(.WIDTH(EXP_Y + MAN_Y + 1), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d(rounded), .q(y)
            );
        end
    endgenerate
endmodule

`default_nettype wire
