// The low OUT bits of an unsigned product, from products of TILE_A x TILE_B bits that fit a
// multiplier block. Tiles along a diagonal do not overlap: they form one row by concatenation,
// and few rows remain to be added. There are at most eight.
`default_nettype none

module sluice_product #(
    parameter         A      = 24,
    parameter         B      = 24,
    parameter         OUT    = 48,
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire           clk,
    input  wire [A-1:0]   a,
    input  wire [B-1:0]   b,
    output wire [OUT-1:0] y
);
    localparam TILES_A = (A + TILE_A - 1) / TILE_A;
    localparam TILES_B = (B + TILE_B - 1) / TILE_B;
    localparam ROWS    = TILES_A + TILES_B - 1;
    localparam HALF    = (ROWS + 1) / 2;
    localparam QUARTER = (HALF + 1) / 2;

    // Step 0: the tiles.
    wire [TILES_A*TILE_A-1:0] padded_a;
    wire [TILES_B*TILE_B-1:0] padded_b;
    generate
        if (TILES_A * TILE_A > A) begin : pad_a
            assign padded_a = {{(TILES_A * TILE_A - A) {1'b0}}, a};
        end else begin : full_a
            assign padded_a = a;
        end
        if (TILES_B * TILE_B > B) begin : pad_b
            assign padded_b = {{(TILES_B * TILE_B - B) {1'b0}}, b};
        end else begin : full_b
            assign padded_b = b;
        end
    endgenerate

    reg [ROWS*OUT-1:0]        rows;
    reg [TILE_A-1:0]          tile_a;
    reg [TILE_B-1:0]          tile_b;
    reg [TILE_A+TILE_B-1:0]   tile;
    reg [TILE_A+TILE_B+OUT:0] placed;
    integer                   i;
    integer                   j;
    always @* begin
        rows   = {(ROWS * OUT) {1'b0}};
        tile_a = {TILE_A{1'b0}};
        tile_b = {TILE_B{1'b0}};
        tile   = {(TILE_A + TILE_B) {1'b0}};
        placed = {(TILE_A + TILE_B + OUT + 1) {1'b0}};
        for (i = 0; i < TILES_A; i = i + 1)
            for (j = 0; j < TILES_B; j = j + 1)
                if (i * TILE_A + j * TILE_B < OUT) begin
                    tile_a = padded_a[i*TILE_A+:TILE_A];
                    tile_b = padded_b[j*TILE_B+:TILE_B];
                    tile   = {{TILE_B{1'b0}}, tile_a} * {{TILE_A{1'b0}}, tile_b};
                    placed = {{(OUT + 1) {1'b0}}, tile} << (i * TILE_A + j * TILE_B);
                    rows[(j-i+TILES_A-1)*OUT+:OUT] =
                        rows[(j-i+TILES_A-1)*OUT+:OUT] | placed[OUT-1:0];
                end
    end
    wire unused_high = |placed;

    wire [ROWS*OUT-1:0] rows0;
    sluice_stage #(.WIDTH(ROWS * OUT), .ENABLE(REGS[0])) stage0 (.clk(clk), .d(rows), .q(rows0));

    // Steps 1 to 3: add rows in pairs until one is left.
    wire [HALF*OUT-1:0] half, half1;
    sluice_add_pairs #(.ROWS(ROWS), .WIDTH(OUT)) add1 (.x(rows0), .y(half));
    sluice_stage #(.WIDTH(HALF * OUT), .ENABLE(REGS[1])) stage1 (.clk(clk), .d(half), .q(half1));

    wire [QUARTER*OUT-1:0] quarter, quarter2;
    sluice_add_pairs #(.ROWS(HALF), .WIDTH(OUT)) add2 (.x(half1), .y(quarter));
    sluice_stage #(.WIDTH(QUARTER * OUT), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d(quarter), .q(quarter2)
    );

    wire [OUT-1:0] total;
    sluice_add_pairs #(.ROWS(QUARTER), .WIDTH(OUT)) add3 (.x(quarter2), .y(total));
    sluice_stage #(.WIDTH(OUT), .ENABLE(REGS[3])) stage3 (.clk(clk), .d(total), .q(y));
endmodule

// Sums of neighbouring rows; an odd last row stays as it is.
module sluice_add_pairs #(
    parameter ROWS  = 3,
    parameter WIDTH = 8
) (
    input  wire [ROWS*WIDTH-1:0]         x,
    output wire [(ROWS+1)/2*WIDTH-1:0]   y
);
    genvar row;
    generate
        for (row = 0; row + 1 < ROWS; row = row + 2) begin : pair
            assign y[row/2*WIDTH+:WIDTH] = x[row*WIDTH+:WIDTH] + x[(row+1)*WIDTH+:WIDTH];
        end
        if (ROWS % 2 != 0) begin : last
            assign y[ROWS/2*WIDTH+:WIDTH] = x[(ROWS-1)*WIDTH+:WIDTH];
        end
    endgenerate
endmodule

`default_nettype wire
