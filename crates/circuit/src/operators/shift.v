// Shift by a variable amount; the width or more shifts everything out.
`default_nettype none

module sluice_shift #(
    parameter         WIDTH = 32,
    parameter         KIND  = 0, // 0 left, 1 right with zeros, 2 right with the sign
    parameter [127:0] REGS  = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output wire [WIDTH-1:0] y
);
    localparam AMOUNT = WIDTH > 1 ? $clog2(WIDTH) : 1;
    localparam FINE   = (AMOUNT + 1) / 2;
    localparam [AMOUNT-1:0] LOW = {AMOUNT{1'b1}} >> (AMOUNT - FINE);

    // A left shift is a right shift of the reversed bits, and inverting around the shift fills
    // with ones.
    wire             fill = (KIND == 2) & a[WIDTH-1];
    wire [WIDTH-1:0] entry, exit;
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : mirror
            assign entry[i] = fill ^ (KIND == 0 ? a[WIDTH-1-i] : a[i]);
            assign y[i]     = KIND == 0 ? exit[WIDTH-1-i] : exit[i];
        end
    endgenerate

    // Step 0: shift coarsely, or everything out.
    wire out;
    generate
        if (WIDTH > AMOUNT) begin : may_exceed
            assign out = |b[WIDTH-1:AMOUNT];
        end else begin : never_exceeds
            assign out = 1'b0;
        end
    endgenerate
    wire [WIDTH-1:0]  coarse = entry >> (b[AMOUNT-1:0] & ~LOW);
    wire              fill0;
    wire [AMOUNT-1:0] fine0;
    wire [WIDTH-1:0]  coarse0;
    sluice_stage #(.WIDTH(1 + AMOUNT + WIDTH), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d({fill, b[AMOUNT-1:0] & LOW, coarse & {WIDTH{!out}}}),
        .q({fill0, fine0, coarse0})
    );

    // Step 1: shift finely.
    sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d((coarse0 >> fine0) ^ {WIDTH{fill0}}), .q(exit)
    );
endmodule

`default_nettype wire
