// A float rounded to an integral one. Filling the bits below the unit with ones lets a carry into
// the lowest bit reach the unit, and the exponent beyond it.
`default_nettype none

module sluice_fround #(
    parameter         EXP  = 8,
    parameter         MAN  = 23,
    parameter         MODE = 0, // 0 floor, 1 ceil, 2 trunc, 3 rint, 4 round
    parameter [127:0] REGS = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    output wire [EXP+MAN:0] y
);
    localparam COUNT = $clog2(MAN + 1);
    localparam [EXP-1:0] BIAS  = (1 << (EXP - 1)) - 1;
    localparam [EXP-1:0] WHOLE = (1 << (EXP - 1)) - 1 + MAN; // integral from here on

    // Step 0: the bits below the unit.
    wire [EXP-1:0] exponent = a[MAN+:EXP];
    wire [EXP-1:0] power    = exponent - BIAS;
    wire           below    = exponent < BIAS;
    wire           whole    = exponent >= WHOLE;
    wire [MAN-1:0] mask     = {MAN{1'b1}} >> power[COUNT-1:0];
    wire           unused   = |power[EXP-1:COUNT];

    wire             below0, whole0;
    wire [MAN-1:0]   mask0;
    wire [EXP+MAN:0] a0;
    sluice_stage #(.WIDTH(EXP + 2 * MAN + 3), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d({below, whole, mask & {MAN{!whole}}, a}), .q({below0, whole0, mask0, a0})
    );

    // Step 1: whether to go up in magnitude.
    wire [MAN-1:0] rest    = {1'b0, mask0[MAN-1:1]};
    wire           half    = below0 ? a0[MAN+:EXP] == BIAS - {{(EXP - 1) {1'b0}}, 1'b1}
                                    : |(a0[MAN-1:0] & mask0 & ~rest);
    wire           sticky  = below0 ? |a0[MAN-1:0] : |(a0[MAN-1:0] & rest);
    wire           nonzero = below0 ? |a0[EXP+MAN-1:0] : half | sticky;
    // The unit of numbers from 1 to 2 is hidden; the lowest bit of their exponent is as odd.
    wire           odd     = |(a0[MAN:0] & {mask0, 1'b1} & ~{1'b0, mask0}) & !below0;
    wire           minus   = a0[EXP+MAN];
    wire           up;
    generate
        if (MODE == 0) begin : floor
            assign up = nonzero & minus;
        end else if (MODE == 1) begin : ceil
            assign up = nonzero & !minus;
        end else if (MODE == 2) begin : trunc
            assign up = 1'b0;
        end else if (MODE == 3) begin : rint
            assign up = half & (sticky | odd);
        end else begin : round
            assign up = half;
        end
    endgenerate
    wire unused_decision = half | sticky | nonzero | odd | minus;
    wire nan = (&a0[MAN+:EXP]) & (|a0[MAN-1:0]);

    wire             below1, up1, nan1;
    wire [MAN-1:0]   mask1;
    wire [EXP+MAN:0] a1;
    sluice_stage #(.WIDTH(EXP + 2 * MAN + 4), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d({below0, up & !whole0, nan, mask0, a0}), .q({below1, up1, nan1, mask1, a1})
    );

    // Step 2: add; below 1 there is only 0 and 1.
    wire [EXP+MAN-1:0] sum   = (a1[EXP+MAN-1:0] | {{EXP{1'b0}}, mask1})
                             + {{(EXP + MAN - 1) {1'b0}}, up1};
    wire [EXP+MAN-1:0] under = {BIAS & {EXP{up1}}, {MAN{1'b0}}};
    wire [EXP+MAN-1:0] value = below1 ? under : sum & ~{{EXP{1'b0}}, mask1};
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[2])) stage2 (
        .clk(clk),
        .d(nan1 ? {1'b0, {(EXP + 1) {1'b1}}, {(MAN - 1) {1'b0}}} : {a1[EXP+MAN], value}),
        .q(y)
    );
endmodule

`default_nettype wire
