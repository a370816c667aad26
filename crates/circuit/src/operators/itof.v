// The float nearest to an integer.
`default_nettype none

module sluice_itof #(
    parameter         WIDTH  = 32,
    parameter         SIGNED = 1,
    parameter         EXP    = 8,
    parameter         MAN    = 23,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    output wire [EXP+MAN:0] y
);
    localparam COUNT = WIDTH > 1 ? $clog2(WIDTH) : 1;
    localparam FINE  = (COUNT + 1) / 2; // bits of the count that the second shift is by
    localparam WIDE  = (EXP > 7 ? EXP : 7) + 1;
    localparam KEPT  = MAN + 3; // significand, guard, and at least one more
    localparam FIELD = WIDTH > KEPT ? WIDTH : KEPT;
    localparam [COUNT-1:0] LOW = {COUNT{1'b1}} >> (COUNT - FINE);
    localparam [WIDE-1:0] TOP  = (1 << (EXP - 1)) - 1 + WIDTH - 1; // exponent of the highest bit
    localparam [WIDE-1:0] LAST = (1 << EXP) - 2;

    // Step 0: magnitude.
    wire             minus = (SIGNED != 0) & a[WIDTH-1];
    wire             minus0;
    wire [WIDTH-1:0] size0;
    sluice_stage #(.WIDTH(1 + WIDTH), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d({minus, minus ? -a : a}), .q({minus0, size0})
    );

    // Step 1: find the highest one.
    wire [COUNT-1:0] zeros;
    wire             any;
    sluice_lzc #(.WIDTH(WIDTH), .COUNT(COUNT)) lzc (.x(size0), .count(zeros), .any(any));
    wire             minus1, any1;
    wire [COUNT-1:0] zeros1;
    wire [WIDTH-1:0] size1;
    sluice_stage #(.WIDTH(2 + COUNT + WIDTH), .ENABLE(REGS[1])) stage1 (
        .clk(clk), .d({minus0, any, zeros, size0}), .q({minus1, any1, zeros1, size1})
    );

    // Step 2: bring it near the top.
    wire             minus2, any2;
    wire [COUNT-1:0] zeros2;
    wire [WIDTH-1:0] size2;
    sluice_stage #(.WIDTH(2 + COUNT + WIDTH), .ENABLE(REGS[2])) stage2 (
        .clk(clk), .d({minus1, any1, zeros1, size1 << (zeros1 & ~LOW)}),
        .q({minus2, any2, zeros2, size2})
    );

    // Step 3: bring it to the top.
    wire [WIDE-1:0]  exponent = TOP - {{(WIDE - COUNT) {1'b0}}, zeros2};
    wire [WIDTH-1:0] moved    = size2 << (zeros2 & LOW);
    wire [FIELD-1:0] field;
    generate
        if (FIELD > WIDTH) begin : pad
            assign field = {moved, {(FIELD - WIDTH) {1'b0}}};
        end else begin : full
            assign field = moved;
        end
    endgenerate
    wire [1:0]       kind3;
    wire             sign3, guard3, sticky3;
    wire [EXP-1:0]   exp3;
    wire [MAN-1:0]   man3;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[3])) stage3 (
        .clk(clk),
        .d({any2 & (exponent > LAST), !any2, minus2, exponent[EXP-1:0],
            field[FIELD-2-:MAN], field[FIELD-2-MAN], |field[FIELD-3-MAN:0]}),
        .q({kind3, sign3, exp3, man3, guard3, sticky3})
    );
    wire unused_top = field[FIELD-1];

    // Step 4: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign3), .exponent(exp3), .fraction(man3), .guard(guard3), .sticky(sticky3),
        .kind(kind3), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[4])) stage4 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
