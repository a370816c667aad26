// Comparison of floats: less, equal, or unordered.
`default_nettype none

module sluice_fcmp #(
    parameter         EXP  = 8,
    parameter         MAN  = 23,
    parameter [127:0] REGS = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire             less,
    output wire             equal,
    output wire             unordered
);
    localparam TOP = EXP + MAN;

    // Step 0: compare the magnitudes.
    wire nan_a = (&a[MAN+:EXP]) & (|a[MAN-1:0]);
    wire nan_b = (&b[MAN+:EXP]) & (|b[MAN-1:0]);
    wire nan0, zeros0, lower0, same0, minus_a0, minus_b0;
    sluice_stage #(.WIDTH(6), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({nan_a | nan_b, !((|a[TOP-1:0]) | (|b[TOP-1:0])), a[TOP-1:0] < b[TOP-1:0],
            a[TOP-1:0] == b[TOP-1:0], a[TOP], b[TOP]}),
        .q({nan0, zeros0, lower0, same0, minus_a0, minus_b0})
    );

    // Step 1: consider the signs.
    wire below = minus_a0 ? !minus_b0 | !(lower0 | same0) : !minus_b0 & lower0;
    sluice_stage #(.WIDTH(3), .ENABLE(REGS[1])) stage1 (
        .clk(clk),
        .d({!nan0 & !zeros0 & below, !nan0 & (zeros0 | (same0 & (minus_a0 == minus_b0))), nan0}),
        .q({less, equal, unordered})
    );
endmodule

`default_nettype wire
