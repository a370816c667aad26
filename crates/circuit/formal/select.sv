// A select of three inputs: no input's tokens are lost or overtake each other, and none waits for
// more than its share.
`default_nettype none

module bench #(
    parameter ROUND_ROBIN = 0
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    // A token says where it came from, and one bit more.
    (* anyseq *) reg [2:0] in_valid, in;
    (* anyseq *) reg       out_ready;
    wire [2:0]             in_ready;
    wire                   out_valid;
    wire [2:0]             out;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_in_0_valid(in_valid[0]), .u0_in_0_ready(in_ready[0]), .u0_in_0({in[0], 2'd0}),
        .u0_in_1_valid(in_valid[1]), .u0_in_1_ready(in_ready[1]), .u0_in_1({in[1], 2'd1}),
        .u0_in_2_valid(in_valid[2]), .u0_in_2_ready(in_ready[2]), .u0_in_2({in[2], 2'd2}),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out)
    );

    stays #(.WIDTH(3)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );

    wire [2:0] inside;
    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : each
            wire       mine   = out_valid && out[1:0] == i;
            wire [1:0] pending;
            in_order #(.WIDTH(1), .PENDING(2)) order (
                .clk(clk), .rst(rst), .comes(in_valid[i] && in_ready[i]), .in(in[i]),
                .stands(mine), .leaves(mine && out_ready), .out(out[2]), .pending(pending)
            );
            assign inside[i] = pending != 0;

            // Others that leave while one of this input waits: the one that stood there, or each
            // other input once if they take turns.
            if (ROUND_ROBIN != 0 || i == 0) begin : served
                localparam MOST = ROUND_ROBIN != 0 ? 2 : 1;
                reg [2:0] passed;
                always @(posedge clk) begin
                    if (rst || !inside[i] || (mine && out_ready))
                        passed <= 3'd0;
                    else if (out_valid && out_ready && passed != 3'd7)
                        passed <= passed + 3'd1;
                    if (!rst) begin
                        assert (passed <= MOST);
                        cover (passed == MOST);
                    end
                end
            end
        end
    endgenerate
    always @(posedge clk)
        if (!rst) begin
            assert (out_valid == (inside != 0));
            assert (!out_valid || out[1:0] != 2'd3);
            assert (inside != 0 || &in_ready);
        end
endmodule

`default_nettype wire
