// Credits: those that are there at first, and then those that come back.
`default_nettype none

module bench #(
    parameter COUNT = 3
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg in_valid, in, out_ready;
    wire             in_ready, out_valid, out;
    unit unit (
        .clk(clk), .rst(rst), .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in(in),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out)
    );

    // What is given and has not come back.
    reg [$clog2(COUNT + 2)-1:0] lent;
    always @(posedge clk)
        if (rst)
            lent <= 0;
        else begin
            lent <= lent + (out_valid && out_ready) - (in_valid && in_ready);
            assert (lent <= COUNT);
            // Whatever is not lent is offered, and whatever is lent is taken back.
            assert (out_valid == (lent != COUNT));
            assert (in_ready == (lent != 0));
            cover (lent == COUNT);
            cover (lent == 0 && in_valid);
        end
    stays out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );
endmodule

`default_nettype wire
