// Quotient and remainder of integers by restoring division, a bit per step. A divisor of zero
// gives all ones and the dividend.
`default_nettype none

module sluice_div #(
    parameter         WIDTH  = 32,
    parameter         SIGNED = 0,
    parameter [127:0] REGS   = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    output wire [WIDTH-1:0] quotient,
    output wire [WIDTH-1:0] remainder
);
    // What goes from step to step: whether the results are negative, the divisor, the remainder,
    // and the dividend, whose place the quotient takes bit by bit.
    localparam STATE = 2 + 3 * WIDTH;
    wire [(WIDTH+1)*STATE-1:0] state /*verilator split_var*/;

    // Step 0: magnitudes.
    wire [STATE-1:0] first;
    generate
        if (SIGNED != 0) begin : magnitudes
            wire [WIDTH-1:0] size_a = a[WIDTH-1] ? -a : a;
            wire [WIDTH-1:0] size_b = b[WIDTH-1] ? -b : b;
            assign first = {(a[WIDTH-1] ^ b[WIDTH-1]) & (|b), a[WIDTH-1],
                            size_b, {WIDTH{1'b0}}, size_a};
        end else begin : naturals
            assign first = {2'b00, b, {WIDTH{1'b0}}, a};
        end
    endgenerate
    sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[0])) stage0 (
        .clk(clk), .d(first), .q(state[STATE-1:0])
    );

    // Steps 1 to WIDTH: the remainder has as many bits as steps were done.
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : step
            wire [1:0]       minus   = state[i*STATE+3*WIDTH+:2];
            wire [WIDTH-1:0] divisor = state[i*STATE+2*WIDTH+:WIDTH];
            wire [WIDTH-1:0] rest    = state[i*STATE+WIDTH+:WIDTH];
            wire [WIDTH-1:0] digits  = state[i*STATE+:WIDTH];
            wire [STATE-1:0] next;
            sluice_div_step #(.WIDTH(WIDTH), .DONE(i)) digit (
                .divisor(divisor), .rest(rest), .digits(digits), .next(next[2*WIDTH-1:0])
            );
            assign next[STATE-1:2*WIDTH] = {minus, divisor};
            sluice_stage #(.WIDTH(STATE), .ENABLE(REGS[i+1])) stage (
                .clk(clk), .d(next), .q(state[(i+1)*STATE+:STATE])
            );
        end
    endgenerate

    // Step WIDTH + 1: signs.
    wire [WIDTH-1:0] unused_divisor = state[WIDTH*STATE+2*WIDTH+:WIDTH];
    wire [WIDTH-1:0] rest           = state[WIDTH*STATE+WIDTH+:WIDTH];
    wire [WIDTH-1:0] digits         = state[WIDTH*STATE+:WIDTH];
    wire             minus_q        = state[WIDTH*STATE+3*WIDTH+1];
    wire             minus_r        = state[WIDTH*STATE+3*WIDTH];
    wire [2*WIDTH-1:0] results;
    generate
        if (SIGNED != 0) begin : signs
            assign results = {minus_q ? -digits : digits, minus_r ? -rest : rest};
        end else begin : no_signs
            wire unused_minus = minus_q | minus_r;
            assign results = {digits, rest};
        end
    endgenerate
    sluice_stage #(.WIDTH(2 * WIDTH), .ENABLE(REGS[WIDTH+1])) last (
        .clk(clk), .d(results), .q({quotient, remainder})
    );
endmodule

// One digit: takes the next bit of the dividend, and the divisor away if it goes.
module sluice_div_step #(
    parameter WIDTH = 8,
    parameter DONE  = 0 // digits already found, and bits of the remainder
) (
    input  wire [WIDTH-1:0]   divisor,
    input  wire [WIDTH-1:0]   rest,
    input  wire [WIDTH-1:0]   digits,
    output wire [2*WIDTH-1:0] next
);
    // Only as many bits as the remainder has are subtracted: a divisor with higher ones is larger.
    wire [WIDTH:0] longer = {rest, digits[WIDTH-1]};
    wire [DONE+1:0] less = {1'b0, longer[DONE:0]} - {1'b0, divisor[DONE:0]};
    wire            fits;
    wire [WIDTH:0]  taken;
    generate
        if (DONE + 1 < WIDTH) begin : short_rest
            assign fits  = !less[DONE+1] & !(|divisor[WIDTH-1:DONE+1]);
            assign taken = {{(WIDTH - DONE) {1'b0}}, fits ? less[DONE:0] : longer[DONE:0]};
        end else begin : full_rest
            assign fits  = !less[DONE+1];
            assign taken = {1'b0, fits ? less[DONE:0] : longer[DONE:0]};
        end
        if (WIDTH > 1) begin : shift
            assign next = {taken[WIDTH-1:0], digits[WIDTH-2:0], fits};
        end else begin : only
            assign next = {taken[WIDTH-1:0], fits};
        end
    endgenerate
    wire unused_top = longer[WIDTH] | taken[WIDTH];
endmodule

`default_nettype wire
