// The lesser or the greater of two floats; the other one if one is a NaN. Zeros are ordered.
`default_nettype none

module sluice_fextreme #(
    parameter         EXP      = 8,
    parameter         MAN      = 23,
    parameter         GREATEST = 0,
    parameter [127:0] REGS     = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire [EXP+MAN:0] y
);
    localparam TOP = EXP + MAN;
    localparam [TOP:0] NAN = {1'b0, {(EXP + 1) {1'b1}}, {(MAN - 1) {1'b0}}};

    // Step 0: compare.
    wire nan_a = (&a[MAN+:EXP]) & (|a[MAN-1:0]);
    wire nan_b = (&b[MAN+:EXP]) & (|b[MAN-1:0]);
    wire low_a = a[TOP] != b[TOP] ? a[TOP] : (a[TOP-1:0] < b[TOP-1:0]) ^ a[TOP];
    wire nans0, take_a0;
    wire [TOP:0] a0, b0;
    sluice_stage #(.WIDTH(2 * TOP + 4), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({nan_a & nan_b, !nan_a & (nan_b | (low_a ^ (GREATEST != 0))), a, b}),
        .q({nans0, take_a0, a0, b0})
    );

    // Step 1: select.
    sluice_stage #(.WIDTH(TOP + 1), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d(nans0 ? NAN : take_a0 ? a0 : b0), .q(y)
    );
endmodule

`default_nettype wire
