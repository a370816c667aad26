// A fork: each output gets every token, at its own pace.
`default_nettype none

module bench (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg       in_valid, out_0_ready, out_1_ready;
    (* anyseq *) reg [1:0] in;
    wire                   in_ready, out_0_valid, out_1_valid;
    wire [1:0]             out_0;
    wire                   out_1;
    unit unit (
        .clk(clk), .rst(rst), .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in(in),
        .u0_out_0_valid(out_0_valid), .u0_out_0_ready(out_0_ready), .u0_out_0(out_0),
        .u0_out_1_valid(out_1_valid), .u0_out_1_ready(out_1_ready), .u0_out_1(out_1)
    );

    wire comes = in_valid && in_ready;
    wire [1:0] pending_0, pending_1;
    stays #(.WIDTH(2)) out_0_stays (
        .clk(clk), .rst(rst), .valid(out_0_valid), .ready(out_0_ready), .data(out_0)
    );
    stays #(.WIDTH(1)) out_1_stays (
        .clk(clk), .rst(rst), .valid(out_1_valid), .ready(out_1_ready), .data(out_1)
    );
    in_order #(.WIDTH(2), .PENDING(2)) order_0 (
        .clk(clk), .rst(rst), .comes(comes), .in(in), .stands(out_0_valid),
        .leaves(out_0_valid && out_0_ready), .out(out_0), .pending(pending_0)
    );
    in_order #(.WIDTH(1), .PENDING(2)) order_1 (
        .clk(clk), .rst(rst), .comes(comes), .in(in[1]), .stands(out_1_valid),
        .leaves(out_1_valid && out_1_ready), .out(out_1), .pending(pending_1)
    );
    always @(posedge clk)
        if (!rst) begin
            assert (out_0_valid == (pending_0 != 0));
            assert (out_1_valid == (pending_1 != 0));
            assert (in_ready == (pending_0 != 2 && pending_1 != 2));
        end
endmodule

`default_nettype wire
