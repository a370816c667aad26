// A loop's gate: never more inside than its limit, and it is open while there are fewer.
`default_nettype none

module bench #(
    parameter LIMIT = 3,
    parameter HELD  = 2 // by the gate itself
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg entry_valid, entry, body_ready;
    (* anyseq *) reg exit_0_valid, exit_0, exit_1_valid, exit_1, done_0_ready, done_1_ready;
    wire             entry_ready, body_valid, body;
    wire             exit_0_ready, exit_1_ready, done_0_valid, done_0, done_1_valid, done_1;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_entry_in_valid(entry_valid), .u0_entry_in_ready(entry_ready), .u0_entry_in(entry),
        .u0_entry_out_valid(body_valid), .u0_entry_out_ready(body_ready), .u0_entry_out(body),
        .u0_exit_0_in_valid(exit_0_valid), .u0_exit_0_in_ready(exit_0_ready), .u0_exit_0_in(exit_0),
        .u0_exit_0_out_valid(done_0_valid), .u0_exit_0_out_ready(done_0_ready),
        .u0_exit_0_out(done_0),
        .u0_exit_1_in_valid(exit_1_valid), .u0_exit_1_in_ready(exit_1_ready), .u0_exit_1_in(exit_1),
        .u0_exit_1_out_valid(done_1_valid), .u0_exit_1_out_ready(done_1_ready),
        .u0_exit_1_out(done_1)
    );

    wire enters   = entry_valid && entry_ready;
    wire leaves_0 = exit_0_valid && exit_0_ready;
    wire leaves_1 = exit_1_valid && exit_1_ready;

    // Who comes to an exit was let in: it is in the body.
    reg [3:0] in_body;
    always @* assume (in_body >= exit_0_valid + exit_1_valid);
    // From the gate's entry to its exits.
    reg [3:0] inside;
    always @(posedge clk)
        if (rst) begin
            in_body <= 4'd0;
            inside  <= 4'd0;
        end else begin
            in_body <= in_body + (body_valid && body_ready) - leaves_0 - leaves_1;
            inside  <= inside + enters - leaves_0 - leaves_1;
        end

    wire [$clog2(HELD + 2)-1:0] pending;
    wire [1:0] pending_0, pending_1;
    always @(posedge clk)
        if (!rst) begin
            assert (inside <= LIMIT);
            assert (inside == in_body + pending);
            assert (entry_ready == (inside != LIMIT && pending != HELD));
            assert (body_valid == (pending != 0));
            assert (exit_0_ready == (pending_0 != 2));
            assert (exit_1_ready == (pending_1 != 2));
        end
    stays body_stays (
        .clk(clk), .rst(rst), .valid(body_valid), .ready(body_ready), .data(body)
    );
    stays done_0_stays (
        .clk(clk), .rst(rst), .valid(done_0_valid), .ready(done_0_ready), .data(done_0)
    );
    stays done_1_stays (
        .clk(clk), .rst(rst), .valid(done_1_valid), .ready(done_1_ready), .data(done_1)
    );
    in_order #(.PENDING(HELD)) entry_order (
        .clk(clk), .rst(rst), .comes(enters), .in(entry), .stands(body_valid),
        .leaves(body_valid && body_ready), .out(body), .pending(pending)
    );
    in_order #(.PENDING(2)) exit_0_order (
        .clk(clk), .rst(rst), .comes(leaves_0), .in(exit_0), .stands(done_0_valid),
        .leaves(done_0_valid && done_0_ready), .out(done_0), .pending(pending_0)
    );
    in_order #(.PENDING(2)) exit_1_order (
        .clk(clk), .rst(rst), .comes(leaves_1), .in(exit_1), .stands(done_1_valid),
        .leaves(done_1_valid && done_1_ready), .out(done_1), .pending(pending_1)
    );
endmodule

`default_nettype wire
