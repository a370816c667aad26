// Logarithm of a float. It is never subnormal and never overflows.
`default_nettype none

module sluice_flog #(
    parameter         BASE      = 2, // 2, 10, or 1 for the natural one
    parameter         NATIVE    = 0,
    parameter         INDEX     = 7,
    parameter         REST      = 16,
    parameter         SHORT     = 15,
    parameter         C0        = 31,
    parameter         C1        = 23,
    parameter         C2        = 15,
    parameter         POINT     = 30,
    parameter         UNIT_HIGH = 0,
    parameter         UNIT_LOW  = 0,
    parameter         TILE_A    = 18,
    parameter         TILE_B    = 18,
    parameter [127:0] REGS      = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    output wire [31:0] y
);
    localparam SUM   = POINT + 32;
    localparam COUNT = $clog2(SUM);
    localparam STEPS = 20; // of the logarithm

    // Step 0: unpack.
    wire hid  = |a[30:23];
    wire max  = &a[30:23];
    wire man  = |a[22:0];
    wire zero = !(hid | (man & (NATIVE == 0)));
    wire nan  = (max & man) | (a[31] & !zero);

    wire [1:0]  kind0; // 0 finite, 2 infinite, 3 not a number
    wire        less0;
    wire [7:0]  exp0;
    wire [23:0] sig0;
    sluice_stage #(.WIDTH(35), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({max | zero | nan, nan, zero, a[30:24], a[23] | !hid, hid, a[22:0]}),
        .q({kind0, less0, exp0, sig0})
    );

    // Steps 1 to STEPS.
    wire [INDEX-1:0]    index;
    wire [C0+C1+C2-1:0] row;
    generate
        if (BASE == 2) begin : base2
            if (NATIVE != 0) begin : native
                sluice_log2_native #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end else begin : full
                sluice_log2_full #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end
        end else if (BASE == 10) begin : base10
            if (NATIVE != 0) begin : native
                sluice_log10_native #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end else begin : full
                sluice_log10_full #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end
        end else begin : natural
            if (NATIVE != 0) begin : native
                sluice_log_native #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end else begin : full
                sluice_log_full #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                    .index(index), .row(row)
                );
            end
        end
    endgenerate
    wire             negative, any, sticky;
    wire [COUNT-1:0] zeros;
    wire [24:0]      sig;
    sluice_logarithm #(
        .GRADUAL(NATIVE == 0), .INDEX(INDEX), .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2),
        .SCALED(BASE != 2), .UNIT_HIGH(UNIT_HIGH), .UNIT_LOW(UNIT_LOW), .SUM(SUM), .COUNT(COUNT),
        .OUT(25), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 1)
    ) logarithm (
        .clk(clk), .exponent(exp0), .significand(sig0), .index(index), .row(row),
        .negative(negative), .any(any), .zeros(zeros), .y(sig), .sticky(sticky)
    );
    wire [1:0] kind1;
    wire       less1;
    sluice_along #(.WIDTH(3), .STEPS(STEPS), .REGS(REGS >> 1)) along (
        .clk(clk), .d({kind0, less0}), .q({kind1, less1})
    );

    // Step STEPS + 1: round. The logarithm of 1 is a positive zero.
    wire        special    = |kind1;
    wire        unused_one = sig[24];
    wire [31:0] rounded;
    sluice_round round (
        .sign(special ? less1 : negative & any),
        .exponent(8'd134 - {{(8 - COUNT) {1'b0}}, zeros}), .fraction(sig[23:1]), .guard(sig[0]),
        .sticky(sticky), .kind({kind1[1], special ? kind1[0] : !any}), .y(rounded)
    );
    sluice_stage #(.WIDTH(32), .ENABLE(REGS[STEPS+1])) stage2 (.clk(clk), .d(rounded), .q(y));
endmodule

`default_nettype wire
