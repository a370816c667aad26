// Rejoin: a series is done once, when all of it was issued and as many iterations have ended; then it
// is said within the latency.
`default_nettype none

module bench #(
    parameter LATENCY = 3,
    parameter MOST    = 6 // iterations that are under way, or that end too early
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg issued_valid, more, ended_0_valid, ended_0, ended_1_valid, ended_1, done_ready;
    wire             issued_ready, ended_0_ready, ended_1_ready, done_valid, done;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_issued_valid(issued_valid), .u0_issued_ready(issued_ready), .u0_issued(more),
        .u0_ended_0_valid(ended_0_valid), .u0_ended_0_ready(ended_0_ready), .u0_ended_0(ended_0),
        .u0_ended_1_valid(ended_1_valid), .u0_ended_1_ready(ended_1_ready), .u0_ended_1(ended_1),
        .u0_done_valid(done_valid), .u0_done_ready(done_ready), .u0_done(done)
    );

    wire issues = issued_valid && issued_ready;

    // Issued, less those that have ended; the count has six bits.
    reg signed [5:0] open;
    reg              complete;
    always @* assume (open < MOST || !issued_valid);
    always @* assume (open > -MOST || !(ended_0_valid || ended_1_valid));
    always @(posedge clk)
        if (rst) begin
            open     <= 6'sd0;
            complete <= 1'b0;
        end else begin
            open <= open + $signed({5'd0, issues}) - $signed({5'd0, ended_0_valid})
                - $signed({5'd0, ended_1_valid});
            if (done_valid && done_ready)
                complete <= 1'b0;
            else if (issues && !more)
                complete <= 1'b1;
            assert (ended_0_ready && ended_1_ready);
            assert (issued_ready == !complete);
            assert (!done_valid || (complete && open <= 0));
            cover (done_valid && open < 0);
            cover (complete && open == MOST);
            cover (!complete && open == -MOST);
        end
    stays done_stays (
        .clk(clk), .rst(rst), .valid(done_valid), .ready(done_ready), .data(done)
    );
    never_for_long #(.CYCLES(LATENCY - 1)) prompt (
        .clk(clk), .rst(rst), .happens(complete && open <= 0 && !done_valid)
    );
endmodule

`default_nettype wire
