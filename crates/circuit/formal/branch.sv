// A branch: a token goes to the output that its condition names, none overtakes another.
`default_nettype none

module bench (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg       in_valid, on_true_ready, on_false_ready;
    (* anyseq *) reg [1:0] in; // the condition is its lowest bit
    wire                   in_ready, on_true_valid, on_false_valid, on_true, on_false;
    unit unit (
        .clk(clk), .rst(rst), .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in(in),
        .u0_on_true_valid(on_true_valid), .u0_on_true_ready(on_true_ready), .u0_on_true(on_true),
        .u0_on_false_valid(on_false_valid), .u0_on_false_ready(on_false_ready),
        .u0_on_false(on_false)
    );

    wire [1:0] pending;
    wire [1:0] out = {on_true_valid ? on_true : on_false, on_true_valid};
    stays on_true_stays (
        .clk(clk), .rst(rst), .valid(on_true_valid), .ready(on_true_ready), .data(on_true)
    );
    stays on_false_stays (
        .clk(clk), .rst(rst), .valid(on_false_valid), .ready(on_false_ready), .data(on_false)
    );
    in_order #(.WIDTH(2), .PENDING(2)) order (
        .clk(clk), .rst(rst), .comes(in_valid && in_ready), .in(in),
        .stands(on_true_valid || on_false_valid),
        .leaves((on_true_valid && on_true_ready) || (on_false_valid && on_false_ready)),
        .out(out), .pending(pending)
    );
    always @(posedge clk)
        if (!rst) begin
            assert (!(on_true_valid && on_false_valid));
            assert ((on_true_valid || on_false_valid) == (pending != 0));
            assert (in_ready == (pending != 2));
        end
endmodule

`default_nettype wire
