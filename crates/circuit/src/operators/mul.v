// Integer product: the low half, or the high half of unsigned or signed operands. The signed high
// half is the unsigned one minus each operand whose counterpart is negative.
`default_nettype none

module sluice_mul #(
    parameter         WIDTH  = 32,
    parameter         HIGH   = 0, // 0: low half, 1: high half
    parameter         SIGNED = 0, // matters for the high half
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output wire [WIDTH-1:0] y
);
    localparam OUT = HIGH != 0 ? 2 * WIDTH : WIDTH;

    // Steps 0 to 3 are those of the unsigned product.
    wire [OUT-1:0] product;
    sluice_product #(
        .A(WIDTH), .B(WIDTH), .OUT(OUT), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS)
    ) unsigned_product (.clk(clk), .a(a), .b(b), .y(product));

    // Step 4: correct the sign.
    wire [WIDTH-1:0] result;
    generate
        if (HIGH != 0 && SIGNED != 0) begin : correct
            wire [WIDTH-1:0] excess = (a & {WIDTH{b[WIDTH-1]}}) + (b & {WIDTH{a[WIDTH-1]}});
            wire [WIDTH-1:0] excess0, excess1, excess2, excess3;
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[0])) stage0 (
                .clk(clk), .d(excess), .q(excess0)
            );
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d(excess0), .q(excess1)
            );
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[2])) stage2 (
                .clk(clk), .d(excess1), .q(excess2)
            );
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[3])) stage3 (
                .clk(clk), .d(excess2), .q(excess3)
            );
            assign result = product[OUT-1-:WIDTH] - excess3;
        end else begin : plain
            assign result = product[OUT-1-:WIDTH];
        end
        if (HIGH != 0) begin : low_half
            wire unused_low = |product[WIDTH-1:0];
        end
    endgenerate
    sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[4])) stage4 (.clk(clk), .d(result), .q(y));
endmodule

`default_nettype wire
