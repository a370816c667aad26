// One way in, one way out: buffers and queues.
`default_nettype none

module bench #(
    parameter CAPACITY = 2,
    parameter LATENCY  = 1,
    parameter SHUT     = 0 // most cycles that it may be shut, though it holds less
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg       in_valid;
    (* anyseq *) reg [1:0] in;
    (* anyseq *) reg       out_ready;
    wire                   in_ready, out_valid;
    wire [1:0]             out;
    unit unit (
        .clk(clk), .rst(rst), .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in(in),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out)
    );

    wire [$clog2(CAPACITY + 2)-1:0] pending;
    stays #(.WIDTH(2)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );
    in_order #(.WIDTH(2), .PENDING(CAPACITY)) order (
        .clk(clk), .rst(rst), .comes(in_valid && in_ready), .in(in), .stands(out_valid),
        .leaves(out_valid && out_ready), .out(out), .pending(pending)
    );
    // What is inside comes out after its latency; while there is room it takes more.
    never_for_long #(.CYCLES(LATENCY - 1)) prompt (
        .clk(clk), .rst(rst), .happens(pending != 0 && !out_valid)
    );
    never_for_long #(.CYCLES(SHUT)) taking (
        .clk(clk), .rst(rst), .happens(pending != CAPACITY && !in_ready)
    );
endmodule

`default_nettype wire
