// A float's integral part as an integer, saturating; zero for a NaN.
`default_nettype none

module sluice_ftoi #(
    parameter         EXP    = 8,
    parameter         MAN    = 23,
    parameter         WIDTH  = 32,
    parameter         SIGNED = 1,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire             clk,
    input  wire [EXP+MAN:0] a,
    output wire [WIDTH-1:0] y
);
    localparam SIG   = MAN + 1;
    localparam FIELD = WIDTH > SIG ? WIDTH : SIG;
    localparam SHIFT = $clog2(FIELD);
    localparam FINE  = SHIFT / 2;
    localparam WIDE  = (EXP > 7 ? EXP : 7) + 2;
    localparam [WIDE-1:0] BIAS  = (1 << (EXP - 1)) - 1;
    localparam [WIDE-1:0] UNIT  = (1 << (EXP - 1)) - 1 + FIELD - 1; // exponent if not shifted
    localparam [WIDE-1:0] LIMIT = (1 << (EXP - 1)) - 1 + WIDTH - (SIGNED != 0 ? 1 : 0);

    // Step 0: how far the highest bit is from its place at the top.
    wire [WIDE-1:0] exponent = {{(WIDE - EXP) {1'b0}}, a[MAN+:EXP]};
    wire            nan      = (&a[MAN+:EXP]) & (|a[MAN-1:0]);
    wire [WIDE-1:0] right    = UNIT - exponent;
    wire            unused   = |right[WIDE-1:SHIFT];

    wire             over0, minus0, none0;
    wire [SHIFT-1:0] right0;
    wire [SIG-1:0]   sig0;
    sluice_stage #(.WIDTH(3 + SHIFT + SIG), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({(&a[MAN+:EXP]) | (exponent >= LIMIT), a[EXP+MAN], nan | (exponent < BIAS), right[SHIFT-1:0],
            1'b1, a[MAN-1:0]}),
        .q({over0, minus0, none0, right0, sig0})
    );

    // Steps 1 and 2: shift, coarsely and finely.
    wire [FIELD-1:0] placed;
    generate
        if (FIELD > SIG) begin : wide
            assign placed = {sig0, {(FIELD - SIG) {1'b0}}};
        end else begin : narrow
            assign placed = sig0;
        end
    endgenerate
    wire             over1, minus1, none1;
    wire [FINE-1:0]  fine1;
    wire [FIELD-1:0] placed1;
    sluice_stage #(.WIDTH(3 + FINE + FIELD), .ENABLE(REGS[1])) stage1 (
        .clk(clk),
        .d({over0, minus0, none0, right0[FINE-1:0],
            placed >> {right0[SHIFT-1:FINE], {FINE{1'b0}}}}),
        .q({over1, minus1, none1, fine1, placed1})
    );

    wire [FIELD-1:0] shifted = placed1 >> fine1;
    wire             over2, minus2, none2;
    wire [WIDTH-1:0] size2;
    sluice_stage #(.WIDTH(3 + WIDTH), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d({over1, minus1, none1, shifted[WIDTH-1:0]}),
        .q({over2, minus2, none2, size2})
    );
    generate
        if (FIELD > WIDTH) begin : high_zeros
            wire unused_high = |shifted[FIELD-1:WIDTH];
        end
    endgenerate

    // Step 3: sign and saturation.
    wire [WIDTH-1:0] result;
    generate
        if (SIGNED != 0) begin : signed_result
            wire [WIDTH-1:0] lowest = ~({WIDTH{1'b1}} >> 1);
            wire [WIDTH-1:0] value  = minus2 ? -size2 : size2;
            assign result = over2 ? lowest ^ {WIDTH{!minus2}} : value;
        end else begin : natural_result
            assign result = minus2 ? {WIDTH{1'b0}} : size2 | {WIDTH{over2}};
        end
    endgenerate
    sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[3])) stage3 (
        .clk(clk), .d(result & {WIDTH{!none2}}), .q(y)
    );
endmodule

`default_nettype wire
