// Makes a float of a significand between 1 and 2, with GUARD bits more than a float has, and a biased
// exponent that may be out of range: too large is infinite; too small is subnormal, shifted by at
// most AMOUNT bits, or zero if there are none. There are three steps.
`default_nettype none

module sluice_pack #(
    parameter         EXP    = 8,
    parameter         MAN    = 23,
    parameter         GUARD  = 5,
    parameter         AMOUNT = 5,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire               clk,
    input  wire               sign,
    input  wire [1:0]         kind, // 0 finite, 1 zero, 2 infinite, 3 not a number
    input  wire [EXP+1:0]     exponent, // signed
    input  wire [MAN+GUARD:0] significand,
    output wire [EXP+MAN:0]   y
);
    localparam WIDE = EXP + 2;
    localparam SIG  = MAN + 1 + GUARD;
    localparam [WIDE-1:0] LAST = (1 << EXP) - 2; // the exponent of the largest numbers

    // Step 0: is it in range?
    wire       low    = exponent[WIDE-1] | (exponent == {WIDE{1'b0}});
    wire       over   = !exponent[WIDE-1] & (exponent > LAST);
    wire       none   = (AMOUNT == 0) & low;
    wire       finite = kind == 2'd0;

    wire [1:0]     kind0, kind1;
    wire           sign0, sign1, lost1;
    wire [EXP-1:0] exp0, exp1;
    wire [SIG-1:0] sig0, sig1;
    generate
        if (AMOUNT == 0) begin : flushed
            sluice_stage #(.WIDTH(3 + EXP + SIG), .ENABLE(REGS[0])) stage0 (
                .clk(clk),
                .d({kind[1] | (finite & over), kind[0] | (finite & none), sign, exponent[EXP-1:0],
                    significand}),
                .q({kind0, sign0, exp0, sig0})
            );
            sluice_stage #(.WIDTH(3 + EXP + SIG), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0, sig0}), .q({kind1, sign1, exp1, sig1})
            );
            assign lost1 = 1'b0;
        end else begin : gradual
            localparam [WIDE-1:0] ONE = 1;
            wire [WIDE-1:0] amount = ONE - exponent;
            wire            far    = low & (|amount[WIDE-1:AMOUNT]);

            wire [AMOUNT-1:0] amount0;
            sluice_stage #(.WIDTH(3 + EXP + AMOUNT + SIG), .ENABLE(REGS[0])) stage0 (
                .clk(clk),
                .d({kind[1] | (finite & over), kind[0] | (finite & none), sign,
                    exponent[EXP-1:0] & {EXP{!low}}, amount[AMOUNT-1:0] & {AMOUNT{low}},
                    significand & {SIG{!far}}}),
                .q({kind0, sign0, exp0, amount0, sig0})
            );

            // Step 1: shift.
            wire [SIG-1:0] shifted;
            wire           lost;
            sluice_shift_sticky #(.WIDTH(SIG), .HIGH(AMOUNT - 1), .LOW(0)) shift (
                .x(sig0), .lost(1'b0), .amount(amount0), .y(shifted), .sticky(lost)
            );
            sluice_stage #(.WIDTH(4 + EXP + SIG), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0, shifted, lost}),
                .q({kind1, sign1, exp1, sig1, lost1})
            );
        end
    endgenerate
    wire unused_hidden = sig1[SIG-1];

    // Step 2: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign1), .exponent(exp1), .fraction(sig1[GUARD+:MAN]), .guard(sig1[GUARD-1]),
        .sticky(lost1 | (|sig1[GUARD-2:0])), .kind(kind1), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
