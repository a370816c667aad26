// The reciprocal of a float or of its square root. A table knows them of significands between 1 and
// 2, for roots also between 2 and 4 where the exponent is odd.
`default_nettype none

module sluice_froot #(
    parameter         NATIVE = 0, // less accurate; subnormals are zero
    parameter         ROOT   = 0, // of the square root
    parameter         INDEX  = 7,
    parameter         REST   = 16,
    parameter         SHORT  = 15,
    parameter         C0     = 29,
    parameter         C1     = 22,
    parameter         C2     = 15,
    parameter         TILE_A = 18,
    parameter         TILE_B = 18,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire        clk,
    input  wire [31:0] a,
    output wire [31:0] y
);
    localparam GUARD    = 5;
    localparam SIG      = 24 + GUARD;
    localparam ARGUMENT = INDEX + REST;
    localparam ROW      = C0 + C1 + C2;

    // Step 0: unpack; subnormals have the exponent of the smallest normals.
    wire hid  = |a[30:23];
    wire max  = &a[30:23];
    wire any  = |a[22:0];
    wire zero = !hid & (NATIVE != 0 | !any);
    wire nan  = (max & any) | (ROOT != 0 & a[31] & !zero);
    wire huge = zero | (NATIVE == 0 & ROOT == 0 & !hid & !(|a[22:21]));

    wire [1:0]  kind0;
    wire        sign0;
    wire [7:0]  exp0;
    wire [23:0] sig0;
    sluice_stage #(.WIDTH(35), .ENABLE(REGS[0])) stage0 (
        .clk(clk),
        .d({nan | huge, nan | max, a[31], a[30:24], a[23] | !hid, hid, a[22:0]}),
        .q({kind0, sign0, exp0, sig0})
    );

    // Steps 1 and 2: normalise; the exponent of the result, if that begins with 1.
    wire [1:0]          kind2;
    wire                sign2;
    wire [9:0]          exp2;
    wire [ARGUMENT-1:0] argument2;
    generate
        if (ROOT != 0) begin : root
            wire [1:0]  kind1;
            wire        sign1;
            wire [7:0]  exp1;
            wire [23:0] sig1;
            wire [4:0]  zeros1;
            if (NATIVE != 0) begin : native
                assign zeros1 = 5'd0;
                sluice_stage #(.WIDTH(35), .ENABLE(REGS[1])) stage1 (
                    .clk(clk), .d({kind0, sign0, exp0, sig0}), .q({kind1, sign1, exp1, sig1})
                );
            end else begin : full
                wire [4:0] zeros;
                wire       unused_any;
                sluice_lzc #(.WIDTH(24), .COUNT(5)) lzc (
                    .x(sig0), .count(zeros), .any(unused_any)
                );
                sluice_stage #(.WIDTH(40), .ENABLE(REGS[1])) stage1 (
                    .clk(clk), .d({kind0, sign0, exp0, sig0, zeros}),
                    .q({kind1, sign1, exp1, sig1, zeros1})
                );
            end
            // The bias is odd: the true exponent is odd where the stored one is even.
            wire [9:0]  twice   = 10'd382 - {2'b00, exp1} + {5'd0, zeros1};
            wire [23:0] shifted = sig1 << zeros1;
            wire        unused_one = shifted[23];
            sluice_stage #(.WIDTH(37), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({kind1, sign1, 1'b0, twice[9:1], !twice[0], shifted[22:0]}),
                .q({kind2, sign2, exp2, argument2})
            );
        end else begin : inverse
            wire [1:0]  kind1;
            wire        sign1;
            wire [7:0]  exp1;
            wire [23:0] sig1;
            sluice_stage #(.WIDTH(35), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d({kind0, sign0, exp0, sig0}), .q({kind1, sign1, exp1, sig1})
            );
            // The reciprocals of smaller subnormals are infinite.
            wire        once    = NATIVE == 0 & !sig1[23];
            wire        twice   = once & !sig1[22];
            wire [22:0] shifted = twice ? {sig1[20:0], 2'b00}
                                : once  ? {sig1[21:0], 1'b0} : sig1[22:0];
            wire [9:0]  above   = 10'd254 - {2'b00, exp1};
            sluice_stage #(.WIDTH(36), .ENABLE(REGS[2])) stage2 (
                .clk(clk),
                .d({kind1, sign1, above + {8'd0, twice, once & !twice}, shifted}),
                .q({kind2, sign2, exp2, argument2})
            );
        end
    endgenerate

    // Step 3: look up.
    wire [INDEX-1:0] index = argument2[ARGUMENT-1:REST];
    wire [ROW-1:0]   row;
    generate
        if (ROOT != 0 && NATIVE != 0) begin : rsqrt_native
            sluice_rsqrt_native #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end else if (ROOT != 0) begin : rsqrt_full
            sluice_rsqrt_full #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end else if (NATIVE != 0) begin : recip_native
            sluice_recip_native #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end else begin : recip_full
            sluice_recip_full #(.INDEX(INDEX), .ROW(ROW)) look_up (.index(index), .row(row));
        end
    endgenerate
    wire [1:0]      kind3;
    wire            sign3;
    wire [9:0]      exp3;
    wire [REST-1:0] t3;
    wire [ROW-1:0]  row3;
    sluice_stage #(.WIDTH(13 + REST + ROW), .ENABLE(REGS[3])) stage3 (
        .clk(clk), .d({kind2, sign2, exp2, argument2[REST-1:0], row}),
        .q({kind3, sign3, exp3, t3, row3})
    );

    // Steps 4 to 13: the value, which is 1 or between 1/2 and 1.
    wire [1:0]    kind13;
    wire          sign13;
    wire [9:0]    exp13;
    wire [C0-1:0] value13;
    sluice_along #(.WIDTH(13), .STEPS(10), .REGS(REGS >> 4)) along_value (
        .clk(clk), .d({kind3, sign3, exp3}), .q({kind13, sign13, exp13})
    );
    sluice_quadratic #(
        .REST(REST), .SHORT(SHORT), .C0(C0), .C1(C1), .C2(C2), .OUTER_MINUS(1), .INNER_MINUS(1),
        .TILE_A(TILE_A), .TILE_B(TILE_B), .REGS(REGS >> 4)
    ) value (.clk(clk), .row(row3), .t(t3), .y(value13));

    // Step 14: normalise.
    wire              one  = value13[C0-1];
    wire [C0+SIG-1:0] wide = {value13, {SIG{1'b0}}};
    wire              unused_wide = |wide[C0-2:0];
    wire [1:0]     kind14;
    wire           sign14;
    wire [9:0]     exp14;
    wire [SIG-1:0] sig14;
    sluice_stage #(.WIDTH(13 + SIG), .ENABLE(REGS[14])) stage14 (
        .clk(clk),
        .d({kind13, sign13, exp13 - {9'd0, !one}, one ? wide[C0+:SIG] : wide[C0-1+:SIG]}),
        .q({kind14, sign14, exp14, sig14})
    );

    // Steps 15 to 17: pack. Roots are never subnormal, reciprocals barely.
    sluice_pack #(.GUARD(GUARD), .AMOUNT(NATIVE != 0 || ROOT != 0 ? 0 : 2), .REGS(REGS >> 15)) pack (
        .clk(clk), .sign(sign14), .kind(kind14), .exponent(exp14), .significand(sig14), .y(y)
    );
endmodule

`default_nettype wire
