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
    localparam WIDE  = (EXP > 7 ? EXP : 7) + 1;
    localparam KEPT  = MAN + 3; // significand, guard, and at least one more
    localparam FIELD = WIDTH > KEPT ? WIDTH : KEPT;
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

    // Step 2: bring it to the top.
    wire [WIDE-1:0]  exponent = TOP - {{(WIDE - COUNT) {1'b0}}, zeros1};
    wire [WIDTH-1:0] moved    = size1 << zeros1;
    wire [FIELD-1:0] field;
    generate
        if (FIELD > WIDTH) begin : pad
            assign field = {moved, {(FIELD - WIDTH) {1'b0}}};
        end else begin : full
            assign field = moved;
        end
    endgenerate
    wire [1:0]       kind2;
    wire             sign2, guard2, sticky2;
    wire [EXP-1:0]   exp2;
    wire [MAN-1:0]   man2;
    sluice_stage #(.WIDTH(5 + EXP + MAN), .ENABLE(REGS[2])) stage2 (
        .clk(clk),
        .d({any1 & (exponent > LAST), !any1, minus1, exponent[EXP-1:0],
            field[FIELD-2-:MAN], field[FIELD-2-MAN], |field[FIELD-3-MAN:0]}),
        .q({kind2, sign2, exp2, man2, guard2, sticky2})
    );
    wire unused_top = field[FIELD-1];

    // Step 3: round.
    wire [EXP+MAN:0] rounded;
    sluice_round #(.EXP(EXP), .MAN(MAN)) round (
        .sign(sign2), .exponent(exp2), .fraction(man2), .guard(guard2), .sticky(sticky2),
        .kind(kind2), .y(rounded)
    );
    sluice_stage #(.WIDTH(EXP + MAN + 1), .ENABLE(REGS[3])) stage3 (
        .clk(clk), .d(rounded), .q(y)
    );
endmodule

`default_nettype wire
