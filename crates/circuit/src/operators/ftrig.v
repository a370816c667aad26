// Sine and cosine of a float. The angle is counted in quarter turns: its significand is multiplied
// with those bits of 2/pi that make a difference, whole turns left out (Payne and Hanek). What is
// off the nearest quarter turn, at most a half, is the argument of a table. The cosine there is
// never small; the sine is the argument, normalised, times a factor that is never small. The angle
// itself is the sine of a small one.
`default_nettype none

module sluice_ftrig #(
    parameter         COSINE = 0,
    parameter         NATIVE = 0,
    parameter         LEAST  = 112, // the exponent below which angles are small
    parameter         SHIFT  = 3,   // as many powers of two share a window into 2/pi
    parameter         WINDOW = 90,
    parameter         ANGLE  = 58,  // bits of an angle behind the point
    parameter         SIG    = 28,  // bits of a normalised one
    parameter         INDEX  = 7,   // the table's widths
    parameter         REST   = 24,
    parameter         SHORT  = 17,
    parameter         C0     = 31,
    parameter         C1     = 24,
    parameter         C2     = 17,
    parameter         POINT  = 30,
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    output wire [31:0] y
);
    localparam WIDE      = 23 + (1 << SHIFT); // a significand and what it is shifted by
    localparam COUNT     = $clog2(ANGLE - 1);
    localparam QUADRATIC = 10; // its steps
    localparam LAST      = 7 + QUADRATIC;
    localparam OUT       = SIG + POINT;
    localparam DROPPED   = OUT - 26;          // bits of the product that only break ties

    // Step 0: unpack; look up the window. An angle of nothing is a small one.
    wire              hid    = |a[30:23];
    wire              gone   = (NATIVE != 0) & !hid;
    wire              tiny   = a[30:23] < LEAST;
    wire [23:0]       sig    = {hid, a[22:0] & {23{!gone}}};
    wire [WIDE-1:0]   placed = {{(WIDE - 24) {1'b0}}, sig} << a[23+:SHIFT];
    wire [WINDOW-1:0] window;
    generate
        if (NATIVE != 0) begin : native_window
            sluice_window_native #(.INDEX(8 - SHIFT), .ROW(WINDOW)) look_up (
                .index(a[30-:8-SHIFT]), .row(window)
            );
        end else begin : full_window
            sluice_window_full #(.INDEX(8 - SHIFT), .ROW(WINDOW)) look_up (
                .index(a[30-:8-SHIFT]), .row(window)
            );
        end
    endgenerate

    wire              nan0, tiny0, sign0;
    wire [7:0]        exp0;
    wire [23:0]       sig0;
    wire [WIDE-1:0]   placed0;
    wire [WINDOW-1:0] window0;
    sluice_stage #(.WIDTH(35 + WIDE + WINDOW), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d({&a[30:23], tiny, a[31], a[30:23], sig, placed, window}),
        .q({nan0, tiny0, sign0, exp0, sig0, placed0, window0})
    );

    // Steps 1 to 4: multiply.
    wire [WINDOW-1:0] turns;
    sluice_product #(
        .A(WIDE), .B(WINDOW), .OUT(WINDOW), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 1)
    ) reduce (.clk(clk), .a(placed0), .b(window0), .y(turns));
    wire        nan4, tiny4, sign4;
    wire [7:0]  exp4;
    wire [23:0] sig4;
    sluice_along #(.WIDTH(35), .STEPS(4), .REGS(REGS >> 1)) along4 (
        .clk(clk), .d({nan0, tiny0, sign0, exp0, sig0}), .q({nan4, tiny4, sign4, exp4, sig4})
    );

    // Step 5: the nearest quarter turn, and how far off it the angle is. (All bits inverted are a
    // subtraction from one, but for the last place.)
    wire             half   = turns[WINDOW-3];
    wire [ANGLE-2:0] off    = turns[WINDOW-4-:ANGLE-1] ^ {(ANGLE - 1) {half}};
    wire [1:0]       turn   = turns[WINDOW-1-:2] + {1'b0, half} + (COSINE != 0 ? 2'd1 : 2'd0);
    wire             level  = turn[0] | tiny4; // near an extreme
    wire             minus  = !tiny4 & (turn[1] ^ (!turn[0] & half));
    wire             unused_turns = |turns[WINDOW-ANGLE-3:0];

    wire             nan5, tiny5, sign5, level5;
    wire [7:0]       exp5;
    wire [23:0]      sig5;
    wire [ANGLE-2:0] off5;
    sluice_stage #(.WIDTH(35 + ANGLE), .ENABLE(REGS[5])) stage5 (
        .clk(clk),
        .d({nan4, tiny4, minus ^ (COSINE == 0 & sign4), level, exp4, sig4,
            off & {(ANGLE - 1) {!tiny4}}}),
        .q({nan5, tiny5, sign5, level5, exp5, sig5, off5})
    );

    // Step 6: look up; count zeros. The curves of the cosine come first.
    wire [C0+C1+C2-1:0] row;
    generate
        if (NATIVE != 0) begin : native_table
            sluice_trig_native #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                .index({!level5, off5[ANGLE-2-:INDEX-1]}), .row(row)
            );
        end else begin : full_table
            sluice_trig_full #(.INDEX(INDEX), .ROW(C0 + C1 + C2)) look_up (
                .index({!level5, off5[ANGLE-2-:INDEX-1]}), .row(row)
            );
        end
    endgenerate
    wire [COUNT-1:0] count;
    wire             any;
    sluice_lzc #(.WIDTH(ANGLE - 1), .COUNT(COUNT)) lzc (.x(off5), .count(count), .any(any));

    wire                nan6, tiny6, sign6, level6, zero6;
    wire [7:0]          exp6;
    wire [23:0]         sig6;
    wire [ANGLE-2:0]    off6;
    wire [COUNT-1:0]    count6;
    wire [C0+C1+C2-1:0] row6;
    sluice_stage #(.WIDTH(36 + ANGLE + COUNT + C0 + C1 + C2), .ENABLE(REGS[6])) stage6 (
        .clk(clk),
        .d({nan5, tiny5, sign5, level5, !any & !level5, exp5, sig5, off5, count, row}),
        .q({nan6, tiny6, sign6, level6, zero6, exp6, sig6, off6, count6, row6})
    );

    // Steps 7 to LAST - 1: the factor; beside step 7: what it is multiplied with.
    wire [C0-1:0] factor;
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(1), .INNER_MINUS(0),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 7)
    ) quadratic (.clk(clk), .t(off6[ANGLE-1-INDEX-:REST]), .row(row6), .y(factor));

    wire [ANGLE-2:0] shifted  = off6 << count6;
    wire             unused_shifted = |shifted[ANGLE-2-SIG:0];
    wire             itself   = tiny6 & (COSINE == 0);
    wire [SIG-1:0]   head     = itself ? {sig6, {(SIG - 24) {1'b0}}}
                              : level6 ? {1'b1, {(SIG - 1) {1'b0}}} : shifted[ANGLE-2-:SIG];
    wire [7:0]       exponent = itself ? exp6
                              : level6 ? 8'd127 : 8'd126 - {{(8 - COUNT) {1'b0}}, count6};

    wire           nan7, tiny7, sign7, zero7;
    wire [7:0]     exp7;
    wire [SIG-1:0] head7;
    sluice_along #(.WIDTH(12 + SIG), .STEPS(QUADRATIC), .REGS(REGS >> 7)) along7 (
        .clk(clk), .d({nan6, tiny6, sign6, zero6, exponent, head}),
        .q({nan7, tiny7, sign7, zero7, exp7, head7})
    );

    // Steps LAST to LAST + 3: multiply.
    wire [OUT-1:0] product;
    sluice_product #(
        .A(C0), .B(SIG), .OUT(OUT), .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> LAST)
    ) multiply (.clk(clk), .a(factor), .b(head7), .y(product));
    wire       nan8, tiny8, sign8, zero8;
    wire [7:0] exp8;
    sluice_along #(.WIDTH(12), .STEPS(4), .REGS(REGS >> LAST)) along8 (
        .clk(clk), .d({nan7, tiny7, sign7, zero7, exp7}), .q({nan8, tiny8, sign8, zero8, exp8})
    );

    // Step LAST + 4: normalise. A small angle may be subnormal.
    wire        one    = product[OUT-1] | tiny8;
    wire        rest   = |product[DROPPED-1:0];
    wire [1:0]  kind9;
    wire        sign9, guard9, sticky9;
    wire [7:0]  exp9;
    wire [22:0] man9;
    sluice_stage #(.WIDTH(36), .ENABLE(REGS[LAST+4])) stage9 (
        .clk(clk),
        .d({nan8, nan8 | zero8, sign8, one ? exp8 : exp8 - 8'd1,
            one ? product[OUT-2-:23] : product[OUT-3-:23],
            one ? product[OUT-25] : product[OUT-26],
            rest | (one & product[OUT-26])}),
        .q({kind9, sign9, exp9, man9, guard9, sticky9})
    );

    // Step LAST + 5: round.
    wire [31:0] rounded;
    sluice_round round (
        .sign(sign9), .exponent(exp9), .fraction(man9), .guard(guard9), .sticky(sticky9),
        .kind(kind9), .y(rounded)
    );
    sluice_stage #(.WIDTH(32), .ENABLE(REGS[LAST+5])) stage10 (.clk(clk), .d(rounded), .q(y));
endmodule

`default_nettype wire
