// Square root of a float, a digit per step. The root is never subnormal and never overflows.
`default_nettype none

module sluice_fsqrt #(
    parameter         EXP  = 8,
    parameter         MAN  = 23,
    parameter [127:0] REGS = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    localparam SIG    = MAN + 1;
    localparam COUNT  = $clog2(SIG);
    localparam WIDE   = EXP + 2;
    localparam DIGITS = SIG + 1; // the root and its guard bit
    localparam HEAD   = 3 + EXP; // kind, sign, exponent
    localparam REST   = DIGITS + 2;
    localparam STATE  = HEAD + SIG + 1 + REST + DIGITS;
    localparam [WIDE-1:0] BIAS = (1 << (EXP - 1)) - 1;

    // Step 0: unpack.
    wire [EXP-1:0] exp_a = a[MAN+:EXP];
    wire           hid   = |exp_a;
    wire           max   = &exp_a;
    wire           any   = |a[MAN-1:0];
    wire           zero  = !(hid | any);
    wire           nan   = (max & any) | (a[EXP+MAN] & !zero);

    wire [1:0]      kind0;
    wire            sign0;
    wire [EXP-1:0]  exp0;
    wire [SIG-1:0]  sig0;
    sluice_stage #(.WIDTH(3 + EXP + SIG), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({max | nan, nan | zero, a[EXP+MAN], exp_a[EXP-1:1], exp_a[0] | !hid, hid, a[MAN-1:0]}),
        .q({kind0, sign0, exp0, sig0})
    );

    // Steps 1 and 2: normalise; an odd exponent leaves a factor of two to the significand.
    wire [COUNT-1:0] zeros;
    wire             unused_any;
    sluice_lzc #(.WIDTH(SIG), .COUNT(COUNT)) lzc (.x(sig0), .count(zeros), .any(unused_any));

    wire [1:0]       kind1;
    wire             sign1;
    wire [EXP-1:0]   exp1;
    wire [SIG-1:0]   sig1;
    wire [COUNT-1:0] zeros1;
    sluice_stage #(.WIDTH(3 + EXP + SIG + COUNT), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d({kind0, sign0, exp0, sig0, zeros}), .q({kind1, sign1, exp1, sig1, zeros1})
    );

    wire [WIDE-1:0] twice  = {2'b00, exp1} + BIAS - {{(WIDE - COUNT) {1'b0}}, zeros1};
    wire [SIG-1:0]  sig    = sig1 << zeros1;
    wire            unused_twice = twice[WIDE-1];
    wire [(DIGITS+1)*STATE-1:0] state /*verilator split_var*/;
    sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[2])) stage2 (
        .clk(clk),
        .d({kind1, sign1, twice[EXP:1], twice[0] ? {sig, 1'b0} : {1'b0, sig},
            {REST{1'b0}}, {DIGITS{1'b0}}}),
        .q(state[STATE-1:0])
    );

    // Steps 3 to DIGITS + 2: a digit each.
    genvar i;
    generate
        for (i = 0; i < DIGITS; i = i + 1) begin : step
            wire [HEAD-1:0]   head  = state[i*STATE+SIG+1+REST+DIGITS+:HEAD];
            wire [SIG:0]      power = state[i*STATE+REST+DIGITS+:SIG+1];
            wire [REST-1:0]   rest  = state[i*STATE+DIGITS+:REST];
            wire [DIGITS-1:0] root  = state[i*STATE+:DIGITS];
            // The remainder is at most twice the root: i + 1 bits, and two more come down.
            wire [i+2:0]      longer = {rest[i:0], power[SIG-:2]};
            wire [i+3:0]      less   = {1'b0, longer} - {1'b0, root[i:0], 2'b01};
            wire              fits   = !less[i+3];
            wire [i+1:0]      taken  = fits ? less[i+1:0] : longer[i+1:0];
            wire              unused = (|rest[REST-1:i]) | root[DIGITS-1] | less[i+2] | longer[i+2];
            sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[i+3])) stage (
                .clk(clk),
                .d({head, power[SIG-2:0], 2'b00, {(REST - i - 2) {1'b0}}, taken,
                    root[DIGITS-2:0], fits}),
                .q(state[(i+1)*STATE+:STATE])
            );
        end
    endgenerate

    // Step DIGITS + 3: whether the root is exact.
    wire [HEAD-1:0]   head_q       = state[DIGITS*STATE+SIG+1+REST+DIGITS+:HEAD];
    wire [SIG:0]      unused_power = state[DIGITS*STATE+REST+DIGITS+:SIG+1];
    wire [REST-1:0]   rest_q       = state[DIGITS*STATE+DIGITS+:REST];
    wire [DIGITS-1:0] root_q       = state[DIGITS*STATE+:DIGITS];
    wire              unused_hidden = root_q[DIGITS-1];
    wire [1:0]        kind3;
    wire              sign3, guard3, sticky3;
    wire [EXP-1:0]    exp3;
    wire [MAN-1:0]    man3;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[DIGITS+3])) stage3 (
        .clk(clk), .d({head_q, root_q[MAN:0], |rest_q}),
        .q({kind3, sign3, exp3, man3, guard3, sticky3})
    );

    // Step DIGITS + 4: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign3), .exponent(exp3), .fraction(man3), .guard(guard3), .sticky(sticky3),
        .kind(kind3), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[DIGITS+4])) stage4 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
