// Slots: no number is out twice, and none is lost.
`default_nettype none

module bench #(
    parameter COUNT  = 4,
    parameter NUMBER = 2
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg              returned_valid, free_ready;
    (* anyseq *) reg [NUMBER-1:0] returned;
    wire                          returned_ready, free_valid;
    wire [NUMBER-1:0]             free;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_returned_valid(returned_valid), .u0_returned_ready(returned_ready),
        .u0_returned(returned),
        .u0_free_valid(free_valid), .u0_free_ready(free_ready), .u0_free(free)
    );

    // A number that is returned is in use.
    reg [COUNT-1:0] out;
    always @* assume (!returned_valid || out[returned]);
    always @(posedge clk)
        if (rst)
            out <= {COUNT{1'b0}};
        else begin
            if (free_valid && free_ready)
                out[free] <= 1'b1;
            if (returned_valid && returned_ready)
                out[returned] <= 1'b0;
        end

    always @(posedge clk)
        if (!rst) begin
            assert (!free_valid || !out[free]);
            assert (returned_ready);
            cover (&out);
        end
    stays #(.WIDTH(NUMBER)) free_stays (
        .clk(clk), .rst(rst), .valid(free_valid), .ready(free_ready), .data(free)
    );
    // While one is in, it is offered: at the latest when it has come through.
    never_for_long #(.CYCLES(2)) offered (
        .clk(clk), .rst(rst), .happens(!(&out) && !free_valid)
    );
endmodule

`default_nettype wire
