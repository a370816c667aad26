// A join: takes from both inputs at once, and keeps pairs together.
`default_nettype none

module bench (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg in_0_valid, in_1_valid, in_0, in_1, out_ready;
    wire             in_0_ready, in_1_ready, out_valid;
    wire [1:0]       out;
    unit unit (
        .clk(clk), .rst(rst), .u0_in_0_valid(in_0_valid), .u0_in_0_ready(in_0_ready), .u0_in_0(in_0),
        .u0_in_1_valid(in_1_valid), .u0_in_1_ready(in_1_ready), .u0_in_1(in_1),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out)
    );

    wire [1:0] pending;
    stays #(.WIDTH(2)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );
    in_order #(.WIDTH(2), .PENDING(2)) order (
        .clk(clk), .rst(rst), .comes(in_0_valid && in_0_ready), .in({in_1, in_0}),
        .stands(out_valid), .leaves(out_valid && out_ready), .out(out), .pending(pending)
    );
    always @(posedge clk)
        if (!rst) begin
            assert ((in_0_valid && in_0_ready) == (in_1_valid && in_1_ready));
            assert (out_valid == (pending != 0));
            // It takes whenever both are there and there is room.
            assert (!(in_0_valid && in_1_valid && pending != 2) || in_0_ready);
        end
endmodule

`default_nettype wire
