// c0 +- t (c1 +- t c2): the coefficients count the same unit, below which products are cut off,
// and t is between 0 and 1. There are ten steps.
`default_nettype none

module sluice_quadratic #(
    parameter         REST        = 18,
    parameter         SHORT       = 15, // leading bits of t that c2 is multiplied with
    parameter         C0          = 29,
    parameter         C1          = 23,
    parameter         C2          = 15,
    parameter         OUTER_MINUS = 0,
    parameter         INNER_MINUS = 0,
    parameter         TILE_A      = 18,
    parameter         TILE_B      = 18,
    parameter [127:0] REGS        = 128'd0
) (
    input  wire                clk,
    input  wire [C0+C1+C2-1:0] row,
    input  wire [REST-1:0]     t,
    output wire [C0-1:0]       y
);
    // Steps 0 to 3: t c2.
    wire [SHORT+C2-1:0] curved4;
    sluice_product #(
        .A(SHORT), .B(C2), .OUT(SHORT + C2), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS)
    ) curve (.clk(clk), .a(t[REST-1-:SHORT]), .b(row[C2-1:0]), .y(curved4));

    wire [C0-1:0]   c0_4;
    wire [C1-1:0]   c1_4;
    wire [REST-1:0] t4;
    sluice_along #(.WIDTH(C0 + C1 + REST), .STEPS(4), .REGS(REGS)) along_curve (
        .clk(clk), .d({row[C0+C1+C2-1:C2], t}), .q({c0_4, c1_4, t4})
    );
    wire unused_curved = |curved4[SHORT-1:0];

    // Step 4: the slope.
    wire [C1-1:0] curved = {{(C1 - C2) {1'b0}}, curved4[SHORT+:C2]};
    wire [C1-1:0] slope  = INNER_MINUS != 0 ? c1_4 - curved : c1_4 + curved;

    wire [C0-1:0]   c0_5;
    wire [C1-1:0]   slope5;
    wire [REST-1:0] t5;
    sluice_stage #(.WIDTH(C0 + C1 + REST), .ENABLE(REGS[4])) stage4 (
        .clk(clk), .d({c0_4, slope, t4}), .q({c0_5, slope5, t5})
    );

    // Steps 5 to 8: t times the slope.
    wire [REST+C1-1:0] risen9;
    sluice_product #(
        .A(REST), .B(C1), .OUT(REST + C1), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 5)
    ) rise (.clk(clk), .a(t5), .b(slope5), .y(risen9));

    wire [C0-1:0] c0_9;
    sluice_along #(.WIDTH(C0), .STEPS(4), .REGS(REGS >> 5)) along_rise (
        .clk(clk), .d(c0_5), .q(c0_9)
    );
    wire unused_risen = |risen9[REST-1:0];

    // Step 9: the value.
    wire [C0-1:0] risen = {{(C0 - C1) {1'b0}}, risen9[REST+:C1]};
    sluice_stage #(.WIDTH(C0), .ENABLE(REGS[9])) stage9 (
        .clk(clk), .d(OUTER_MINUS != 0 ? c0_9 - risen : c0_9 + risen), .q(y)
    );
endmodule

`default_nettype wire
